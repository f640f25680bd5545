"""Functions that are as they were in the last compile of the same process, with what passes made of them.

An edit of a policy leaves most functions alone, above all those of the built-in policy. Passes take such a
function from the last compile, and its blocks with it, so that their facts and the digests of their chunks
(native/known.py) are found, too. The result of passes depends on the function, on the functions that it
calls, on how often each of these is called, and on the acls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from vernis.ir import ir
from vernis.ir.facts import ops_of
from vernis.ir.passes.inline import inline_subs
from vernis.ir.passes.safety import FIRST_WITH_CHECKS


@dataclass(slots=True)
class Unchanged:
    """``inlined`` and ``finished`` have the functions after inlining and after all passes of functions: from
    ``begin`` on of the unchanged ones, and of all when these passes are done. ``n_found`` counts the
    unchanged ones."""

    inlined: dict[str, ir.Function] = field(default_factory=dict)
    finished: dict[str, ir.Function] = field(default_factory=dict)
    n_found: int = 0
    _lowered: dict[str, ir.Function] = field(default_factory=dict)
    _calls: dict[str, list[str]] = field(default_factory=dict)
    _times: Counter[str] = field(default_factory=Counter)
    _acls: list[ir.AclDecl] = field(default_factory=list)

    def begin(self, module: ir.Module) -> None:
        """Starts a compile with the lowered module."""
        calls = {name: [op.sub for op in ops_of(f, ir.CallSub)] for name, f in module.functions.items()}
        times = Counter(callee for callees in calls.values() for callee in callees)
        changed = self._changed(module, calls, times)
        for functions in (self.inlined, self.finished):
            for name in changed.intersection(functions):
                del functions[name]
        self.n_found = len(module.functions) - len(changed.intersection(module.functions))
        self._lowered, self._calls, self._times = dict(module.functions), calls, times
        self._acls = list(module.acls)

    def _changed(self, module: ir.Module, calls: dict[str, list[str]], times: Counter[str]) -> set[str]:
        """The functions of either compile that differ, or that call one which does. In 5.0 any statement may
        change all functions (safety.py)."""
        last = self._lowered
        if module.acls != self._acls or module.syntax >= FIRST_WITH_CHECKS:
            return {*last, *module.functions}
        changed = {
            name for name, function in module.functions.items() if not _is_same(last.get(name), function)
        }
        changed.update(last.keys() - module.functions.keys())
        others = {name for name in calls if name not in changed}
        while found := {
            name
            for name in others
            if any(callee in changed or times[callee] != self._times[callee] for callee in calls[name])
        }:
            changed |= found
            others -= found
        return changed

    def module_pass(self, rewrite: Callable[[ir.Module], ir.Module]) -> Callable[[ir.Module], ir.Module]:
        """The same pass, but inlining takes the results that are here, and leaves all."""
        return partial(inline_subs, known=self.inlined) if rewrite is inline_subs else rewrite


def _is_same(last: ir.Function | None, function: ir.Function) -> bool:
    """Also compares the texts of constants, because 0.0 equals -0.0."""
    return last == function and last is not None and _constants(last) == _constants(function)


def _constants(function: ir.Function) -> list[str]:
    return [repr(op.value) for op in ops_of(function, ir.Const)]
