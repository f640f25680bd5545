"""IR to shared object. The only room that uses llvmlite; ``compile_module`` is its door."""

from vernis.native.compile import CompiledPolicy, Options, compile_module
from vernis.native.split import PolicyTooLarge

__all__ = ["CompiledPolicy", "Options", "PolicyTooLarge", "compile_module"]
