"""What the parts of the checker share while they go through a program: names, options, the result, and where they are."""

from __future__ import annotations

from typing import TypeVar

from vernis.record import field, record
from vernis.semantics.options import Options
from vernis.semantics.report import Reporter
from vernis.semantics.resolve import Scope, SubSymbol
from vernis.semantics.typed import Checked, Facts
from vernis.semantics.vocabulary import ALL_HOOKS, HookMask, hook_names
from vernis.syntax import nodes

T = TypeVar("T")


@record
class Context:
    """One check. ``sub``, ``reach`` and ``facts`` are those of the sub that is being checked; ``made`` are the instances that
    a ``new`` has made so far in vcl_init; ``sub_values`` are the subs used as values, by key."""

    scope: Scope
    report: Reporter
    options: Options
    checked: Checked
    sub: SubSymbol | None = None
    reach: HookMask = 0
    facts: Facts = field(default_factory=Facts)
    made: set[int] = field(default_factory=set)
    regexes: dict[bytes, int] = field(default_factory=dict)
    storages: dict[str, int] = field(default_factory=dict)
    sub_values: dict[str, int] = field(default_factory=dict)

    def enter(self, sub: SubSymbol) -> None:
        """Begins with a sub."""
        self.sub = sub
        self.reach = sub.reach
        self.facts = Facts(calls={callee for callee in sub.calls if callee in self.scope.subs})

    def legal_here(self, mask: HookMask) -> bool:
        """Whether what is legal in the hooks of the mask is legal in all that can come here."""
        return not self.reach & ~mask

    def narrow(self, mask: HookMask) -> None:
        """Notes that the present sub uses what is there in the hooks of the mask only. Where it is called by name that was
        checked; where it is called as a value it is seen when that happens."""
        self.facts.hooks &= mask

    def storage(self, name: str) -> int:
        """Index of a storage, entered on first sight. Which storages there are is known to the server."""
        return intern(name, self.storages, self.checked.storages)


def intern(value: T, index: dict[T, int], table: list[T]) -> int:
    """Index of a value in a table without duplicates."""
    found = index.get(value)
    if found is None:
        found = index[value] = len(table)
        table.append(value)
    return found


def require_phase(cx: Context, code: str, at: nodes.At, mask: HookMask, name: str, verb: str,
                  help_: str | None = None, warn: bool = False, stock: str = "") -> bool:
    """Reports, once, that something is not possible in a hook that can come here; shows by which calls it does."""
    outside = cx.reach & ~mask
    if not outside:
        cx.narrow(mask)
        return True
    assert cx.sub is not None
    hooks = hook_names(outside)
    message = f"{name} cannot be {verb} in {hooks[0]}"
    labels = [(call_at, f"{cx.scope.subs[caller].name} calls {cx.scope.subs[callee].name} here")
              for caller, callee, call_at in chain_links(cx, hooks[0])]
    if not cx.sub.hook or cx.sub.name != hooks[0]:
        message += f", which calls {cx.sub.name}"
    help_ = phase_help(mask, verb) if help_ is None else help_
    if warn:
        cx.report.warning(code, at, message, help_, labels)
    else:
        cx.report.error(code, at, message, help_, labels, stock=stock)
    return False


def first_outside(cx: Context, mask: HookMask) -> str:
    """The hook that is named when something is not possible here."""
    outside = hook_names(cx.reach & ~mask)
    return outside[0] if outside else ""


def chain_links(cx: Context, hook: str) -> list[tuple[str, str, nodes.At]]:
    """The calls by which a hook reaches the present sub: caller, callee, place."""
    assert cx.sub is not None
    key = cx.sub.name.lower()
    links = cx.scope.chain(key, hook)
    callees = [caller for caller, _ in links[1:]] + [key]
    return [(caller, callee, at) for (caller, at), callee in zip(links, callees)]


def phase_help(mask: HookMask, verb: str) -> str:
    if not mask:
        return f"it can never be {verb}"
    if mask == ALL_HOOKS:
        return ""
    return f"it can be {verb} in {', '.join(hook_names(mask))}"
