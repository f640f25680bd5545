"""One sub of a policy alone: what `call NAME;` in a test runs, if the file of the tests has no such sub.

The policy is compiled again without its hooks, except vcl_init and vcl_fini. The hook that would run the sub
is replaced by one that sets the variables of the test, and calls the sub. The other hooks only lead there. So
the sub is compiled as in the policy, and runs in the same phase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from vernis import pipeline
from vernis.pipeline import Compilation, Options
from vernis.record import record, replace
from vernis.semantics.vocabulary import load_vocabulary
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity
from vernis.syntax.walk import nodes_in
from vernis.trial.failures import PlaceOf
from vernis.trial.sockets.relocate import Relocated, rewritten

#: The end of each hook that lets a request go on, in the order in which hooks run.
NATURAL = {
    "vcl_recv": "synth(200)",
    "vcl_hash": "lookup",
    "vcl_purge": "synth(200)",
    "vcl_pipe": "pipe",
    "vcl_pass": "fetch",
    "vcl_hit": "deliver",
    "vcl_miss": "fetch",
    "vcl_backend_fetch": "fetch",
    "vcl_backend_response": "deliver",
    "vcl_backend_error": "deliver",
    "vcl_deliver": "deliver",
    "vcl_synth": "deliver",
}
#: What vcl_recv returns so that a hook runs; hash for the others.
_LEADS = {"vcl_purge": "purge", "vcl_pipe": "pipe", "vcl_pass": "pass", "vcl_synth": "synth(200)"}


@record(frozen=True)
class Unit:
    """A sub, and the statements that give it variables."""

    sub: str
    given: tuple[str, ...] = ()


@record(frozen=True)
class UnitImage:
    """``place_of`` is "" for statements that are not the author's. ``trouble``: why there is no image."""

    path: Path
    hook: str = ""
    place_of: PlaceOf = lambda file, line, column: ""
    trouble: str = ""


def unit_images(
    run: Compilation, units: Sequence[Unit], options: Options, folder: Path
) -> Mapping[Unit, UnitImage]:
    """Compiles the subs of a policy that has been compiled as a whole."""
    return {
        unit: _image(run, unit, options, folder / f"unit{number}.so")
        for number, unit in enumerate(dict.fromkeys(units))
    }


def _image(run: Compilation, unit: Unit, options: Options, path: Path) -> UnitImage:
    assert run.program is not None
    subs = [
        decl for decl in run.program.declarations[: run.program.builtin_from] if isinstance(decl, nodes.Sub)
    ]
    if not any(decl.name == unit.sub for decl in subs):
        return UnitImage(path, trouble=f"neither this file nor the policy has a sub {unit.sub}")
    hook = _hook_of(subs, unit.sub)
    if hook is None:
        return UnitImage(path, trouble=f"no hook that a request runs calls sub {unit.sub}")
    text = _alone(run.program, unit, hook)
    alone = Compilation(
        run.name,
        run.path,
        text=text.text,
        options=replace(options, err_unref=False, coverage=False, rule_counters=False),
        image=path,
    )
    pipeline.compile_policy(alone)
    if alone.failed:
        first = next(item for item in alone.diagnostics.items if item.severity is Severity.ERROR)
        return UnitImage(path, trouble=f"sub {unit.sub} does not compile alone: {first.message}")
    return UnitImage(path, hook, text.place_of)


def _hook_of(subs: Sequence[nodes.Sub], name: str) -> str | None:
    """The sub itself, or the first hook that calls it, or calls a sub that does."""
    if name in NATURAL:
        return name
    calls: dict[str, set[str]] = {}
    for sub in subs:
        calls.setdefault(sub.name, set()).update(
            one.name.text for one in nodes_in(sub.body) if isinstance(one, nodes.CallSub)
        )
    for hook in NATURAL:
        reached, more = {hook}, [hook]
        while more:
            found = calls.get(more.pop(), set()) - reached
            reached |= found
            more += found
        if name in reached:
            return hook
    return None


def _alone(program: nodes.Program, unit: Unit, hook: str) -> Relocated:
    hooks = load_vocabulary().hooks
    dropped: set[int] = set()
    inserted: dict[int, str] = {}
    names = [] if unit.sub in hooks else [unit.sub]
    for decl in program.declarations[: program.builtin_from]:
        if not isinstance(decl, nodes.Sub) or decl.name not in hooks:
            continue
        if hooks[decl.name].side == "housekeeping":  # vcl_init and vcl_fini stay
            continue
        if decl.name == unit.sub:  # a hook may be declared in several parts
            names.append(f"{unit.sub}-part{len(names)}".removeprefix("vcl_"))
            dropped.add(decl.name_at[0])
            inserted[decl.name_at[0]] = names[-1]
        else:
            dropped.update(range(decl.at[0], decl.at[1] + 1))
    return rewritten(program, dropped, inserted, _hooks(unit, hook, names))


def _hooks(unit: Unit, hook: str, names: Sequence[str]) -> str:
    found = []
    for name, end in NATURAL.items():
        body = f"return ({end});"
        if name == hook:
            body = "\n".join((*unit.given, *(f"call {one};" for one in names), body))
        elif name == "vcl_recv":
            body = f"return ({_LEADS.get(hook, 'hash')});"
        elif name == "vcl_hash":
            body = "hash_data(req.url);\n" + body
        elif name == "vcl_backend_fetch" and hook == "vcl_backend_error":
            body = "return (error(503));"
        found.append(f"sub {name} {{\n{body}\n}}\n")
    return "\n" + "".join(found)
