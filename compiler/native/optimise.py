"""LLVM: text of one function to object code. Two levels, nothing between.

Level 0 is LLVM's quick way: helpers are inlined, code is emitted as it comes, in microseconds per instruction. Level 2 costs
ten times that and makes code about three times as fast. So small policies start at 2, large ones at 0; a large one may be
compiled again at 2 behind the running one and take over its state, for an image holds no writable data.
"""

from __future__ import annotations

from functools import cache

import llvmlite.binding as llvm

from vernis.native.abi import HELPER_PREFIX, LOCAL_PREFIX, TRIPLE, Contract
from vernis.native.stages import Stages

#: What level 2 runs. LLVM's own list for that level takes two to five times as long on policies and leaves as many
#: instructions: there are no loops, and calls of subs are inlined before.
PASSES = ("sroa", "simplify_cfg", "instruction_combine", "new_gvn", "jump_threading", "dead_store_elimination", "simplify_cfg")

_RELOCATION, _CODE_MODEL = "pic", "small"


@cache
def _target_machine(cpu: str, level: int) -> llvm.TargetMachine:
    """Kept for the process's life: the warm server compiles many."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu=cpu, opt=level, reloc=_RELOCATION, codemodel=_CODE_MODEL)


def optimised_module(text: str, level: int, contract: Contract, stages: Stages, verify: bool = False) -> llvm.ModuleRef:
    """``verify``: let LLVM check what we wrote; for tests."""
    context = llvm.create_context()
    module = llvm.parse_assembly(text, context)
    if verify:
        module.verify()
    stages.done("parse")
    if any(f"@{prefix}" in text for prefix in (HELPER_PREFIX, LOCAL_PREFIX)):
        module.link_in(llvm.parse_bitcode(contract.bitcode, context))
        for function in module.functions:
            if function.is_declaration:
                continue
            if function.name.startswith(HELPER_PREFIX):
                function.linkage = "internal"
            elif function.name.startswith(LOCAL_PREFIX):
                function.linkage = "available_externally"       # it is in an object of its own
    stages.done("link in")
    _run_passes(module, level, contract)
    stages.done("optimise")
    return module


def _run_passes(module: llvm.ModuleRef, level: int, contract: Contract) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    builder = llvm.create_pass_builder(_target_machine(contract.cpu, level), options)
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_global_dead_code_eliminate_pass()        # unused helpers cost nothing below
    if level > 0:
        for name in PASSES:
            getattr(passes, f"add_{name}_pass")()
    passes.run(module, builder)


def emit_object(text: str, level: int, contract: Contract, stages: Stages, verify: bool = False) -> bytes:
    module = optimised_module(text, level, contract, stages, verify)
    data: bytes = _target_machine(contract.cpu, level).emit_object(module)
    stages.done("emit")
    return data


def emit_local_object(level: int, contract: Contract) -> bytes:
    """The functions of the bitcode that each policy has one copy of."""
    machine = _target_machine(contract.cpu, level)
    module = llvm.parse_bitcode(contract.bitcode, llvm.create_context())
    for function in module.functions:
        if function.is_declaration:
            continue
        if function.name.startswith(HELPER_PREFIX):
            function.linkage = "internal"
        else:
            function.visibility = "hidden"
    _run_passes(module, level, contract)
    data: bytes = machine.emit_object(module)
    return data
