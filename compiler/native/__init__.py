"""Turns IR into a shared object. The only room that uses llvmlite. Other rooms call ``compile_module``."""

from vernis.native.compile import CompiledPolicy, Options, compile_module
from vernis.native.split import PolicyTooLarge

__all__ = ["CompiledPolicy", "Options", "PolicyTooLarge", "compile_module"]
