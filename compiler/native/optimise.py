"""Compiles the LLVM text of one function to object code, at level 0 or 2.

Level 0 inlines helpers and emits code without further optimisation, in microseconds per instruction. Level 2
takes ten times as long. docs/compiler.md has the gain, which is small, so loads use level 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

import llvmlite.binding as llvm

from vernis.native.abi import HELPER_PREFIX, Contract
from vernis.native.stages import Stages
from vernis.native.target import Target, host_name

#: The passes of level 2. LLVM's own list takes two to five times as long on policies and leaves as many
#: instructions, because policies have no loops and ir/passes has already inlined subs.
PASSES = (
    "sroa",
    "simplify_cfg",
    "instruction_combine",
    "new_gvn",
    "jump_threading",
    "dead_store_elimination",
    "simplify_cfg",
)

_RELOCATION, _CODE_MODEL = "pic", "small"
HELPERS_MAX = 64  # kept modules of helpers
_HELPER_CALLS = re.compile(rf"call [^\n]*@({HELPER_PREFIX}\w+)\(")


@cache
def _target_machine(target: Target, cpu: str, level: int) -> llvm.TargetMachine:
    """Cached for the life of the process, because the compile server compiles many policies."""
    if target.name == host_name():
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    else:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=cpu, opt=level, reloc=_RELOCATION, codemodel=_CODE_MODEL
    )


@cache
def _context() -> llvm.ContextRef:
    """The context of all texts and helpers of this process."""
    return llvm.create_context()


@lru_cache(maxsize=HELPERS_MAX)
def _helper(name: str, bitcode: bytes, target: Target, cpu: str) -> llvm.ModuleRef:
    """A module of one helper, since linking copies the whole module before it takes what is used. Made once
    in a process: a child of the compile server has most of them before its request comes."""
    module = llvm.parse_bitcode(bitcode, _context())
    for function in module.functions:
        if not function.is_declaration and function.name != name:
            function.linkage = "internal"  # so that it is removed
    _run_passes(module, 0, _target_machine(target, cpu, 0))
    module.get_function(name).linkage = "linkonce_odr"  # removed from a text once it is inlined
    return module


@dataclass(slots=True)
class Emitter:
    """Compiles functions."""

    level: int
    contract: Contract
    stages: Stages
    verify: bool = False

    @property
    def machine(self) -> llvm.TargetMachine:
        return _target_machine(self.contract.target, self.contract.cpu, self.level)

    def optimised_module(self, text: str) -> llvm.ModuleRef:
        """Parses and optimises the text. ``verify``: let LLVM check the text, for tests."""
        contract = self.contract
        module = llvm.parse_assembly(text, _context())
        if self.verify:
            module.verify()
        self.stages.done("parse")
        for name in sorted(contract.helpers.keys() & set(_HELPER_CALLS.findall(text))):
            module.link_in(_helper(name, contract.bitcode, contract.target, contract.cpu), preserve=True)
        self.stages.done("link in")
        _run_passes(module, self.level, self.machine)
        self.stages.done("optimise")
        return module

    def object_code(self, text: str) -> bytes:
        module = self.optimised_module(text)
        data: bytes = self.machine.emit_object(module)
        self.stages.done("emit")
        return data


def _run_passes(module: llvm.ModuleRef, level: int, machine: llvm.TargetMachine) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    builder = llvm.create_pass_builder(machine, options)
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_global_dead_code_eliminate_pass()  # drop unused helpers before the slow passes
    if level > 0:
        for name in PASSES:
            getattr(passes, f"add_{name}_pass")()
    passes.run(module, builder)
