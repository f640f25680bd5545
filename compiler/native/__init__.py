"""IR to shared object. The only room that uses llvmlite; ``compile_module`` is its door."""

from vernis.native.compile import CompiledPolicy, Options, compile_module

__all__ = ["CompiledPolicy", "Options", "compile_module"]
