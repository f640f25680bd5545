"""State that the parts of the checker share: names, options, the result, and the current sub."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from vernis.record import field, record
from vernis.semantics.ends import Ends
from vernis.semantics.frame import Frame
from vernis.semantics.moves import Move
from vernis.semantics.options import Options
from vernis.semantics.pieces import Reuse
from vernis.semantics.report import Reporter
from vernis.semantics.resolve import Scope, SubSymbol, Symbol
from vernis.semantics.typed import Checked, Expr, Facts, Function, Statement
from vernis.semantics.types import Type
from vernis.semantics.vocabulary import ALL_HOOKS, HookMask, hook_names
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit
from vernis.syntax.stock import phrase

T = TypeVar("T")
#: statements.check_block(), which the checks of expressions and forms cannot import: it imports them.
CheckBlock = Callable[["Context", nodes.Block, list[Statement]], None]


@record
class Context:
    """State of one check. ``sub``, ``reach`` and ``facts`` belong to the current sub. ``made`` holds the
    instances that ``new`` has created so far in vcl_init. ``sub_values`` holds the subs used as values, by
    key. ``patterns`` are the patterns of the statement that is checked, in order, if ``reuse`` is set.
    ``looked_up``: that statement has the name of a host, which may have another address next time."""

    scope: Scope
    report: Reporter
    options: Options
    checked: Checked
    ends: Ends
    check_block: CheckBlock
    sub: SubSymbol | None = None
    reach: HookMask = 0
    facts: Facts = field(default_factory=Facts)
    made: set[int] = field(default_factory=set)
    regexes: dict[bytes, int] = field(default_factory=dict)
    patterns: list[bytes] = field(default_factory=list)
    looked_up: bool = False
    storages: dict[str, int] = field(default_factory=dict)
    sub_values: dict[str, int] = field(default_factory=dict)
    frame: Frame = field(default_factory=Frame)
    five: bool = False  # the current declaration is of vcl 5.0
    function: Function | None = None  # the function of the policy whose body is checked
    functions: dict[str, Function] = field(default_factory=dict)
    checking: list[str] = field(default_factory=list)  # functions and subs whose bodies are open
    circular: set[str] = field(default_factory=set)  # constants whose values need themselves, or too many
    constant_texts: dict[str, str | None] = field(default_factory=dict)  # of constants that are texts
    constant_values: dict[tuple[str, Type], Expr] = field(default_factory=dict)  # by the wanted type
    constant_bytes: int = 0  # of the texts that constants stand for
    sets: dict[str, list[bytes]] = field(default_factory=dict)
    rules: dict[str, nodes.At] = field(default_factory=dict)
    changes: dict[str, frozenset[str]] = field(default_factory=dict)  # see changes.py
    expanded: int = 0  # statements that stand for calls in the current sub
    moves: list[Move] | None = None  # collects what differs between 4.x and 5.0 without an error
    builtin_at: int = 1 << 62  # first token of the built-in policy
    refused_calls: set[nodes.At] = field(default_factory=set)
    reuse: Reuse | None = None

    def enter(self, sub: SubSymbol) -> None:
        """Starts the check of a sub."""
        self.sub = sub
        self.reach = sub.reach
        self.frame.begin()
        self.function, self.expanded = None, 0
        self.facts = Facts(calls={callee for callee in sub.calls if callee in self.scope.subs})

    @contextmanager
    def aside(self, name: str) -> Iterator[None]:
        """Checks the body of a function or sub that the current one calls."""
        kept = (self.sub, self.reach, self.facts, self.five, self.function, self.expanded)
        frame = (self.frame.scopes, self.frame.known)
        self.checking.append(name)
        try:
            yield
        finally:
            self.checking.pop()
            self.frame.scopes, self.frame.known = frame
            self.sub, self.reach, self.facts, self.five, self.function, self.expanded = kept

    def version_of(self, at: nodes.At) -> None:
        """Sets the version to that of the file of a declaration."""
        table = self.checked.program.tokens
        fives = table.fives  # type: ignore[attr-defined]
        self.five = bool(fives) and table.files[at[0]] in fives  # type: ignore[attr-defined]

    def legal_here(self, mask: HookMask) -> bool:
        """Whether ``mask`` includes every hook that runs the current sub."""
        return not self.reach & ~mask

    def narrow(self, mask: HookMask) -> None:
        """Limits the hooks of the current sub to those of ``mask``. Calls by name are checked already; calls
        of a sub as a value use the result at run time."""
        self.facts.hooks &= mask

    def pattern(self, pattern: bytes) -> int:
        """Returns the index of a valid pattern and adds the pattern on first use."""
        if self.reuse is not None:
            self.patterns.append(pattern)
        return intern(pattern, self.regexes, self.checked.regexes)

    def storage(self, name: str) -> int:
        """Returns the index of a storage and adds the storage on first use. Only the server knows which
        storages exist."""
        return intern(name, self.storages, self.checked.storages)


def intern(value: T, index: dict[T, int], table: list[T]) -> int:
    """Returns the index of a value in a table without duplicates."""
    found = index.get(value)
    if found is None:
        found = index[value] = len(table)
        table.append(value)
    return found


def require_phase(
    cx: Context,
    code: str,
    at: nodes.At,
    mask: HookMask,
    name: str,
    verb: str,
    help_: str | None = None,
    warn: bool = False,
    stock: str = "",
    edits: tuple[Edit, ...] = (),
) -> bool:
    """Reports something that a hook of the current sub does not allow, with the calls from that hook."""
    outside = cx.reach & ~mask
    if not outside:
        cx.narrow(mask)
        return True
    assert cx.sub is not None
    hooks = hook_names(outside)
    message = f"{name} cannot be {verb} in {hooks[0]}"
    links = chain_links(cx, hooks[0])
    if at[0] >= cx.builtin_at and any(call_at[0] < cx.builtin_at for _, _, call_at in links):
        _refuse_builtin(cx, code, links, hooks[0], name, stock)
        return False
    labels = [
        (call_at, f"{cx.scope.subs[caller].name} calls {cx.scope.subs[callee].name} here")
        for caller, callee, call_at in links
    ]
    if not cx.sub.hook or cx.sub.name != hooks[0]:
        message += f", which calls {cx.sub.name}"
    help_ = phase_help(mask, verb) if help_ is None else help_
    if warn:
        cx.report.warning(code, at, message, help_, labels)
    else:
        cx.report.error(code, at, message, help_, labels, stock=stock, edits=edits)
    return False


def _refuse_builtin(
    cx: Context, code: str, links: list[tuple[str, str, nodes.At]], hook: str, name: str, stock: str
) -> None:
    """Reports a call of a built-in sub or hook from a hook where it cannot run. Each call is reported
    once."""
    caller, callee, at = [link for link in links if link[2][0] < cx.builtin_at][-1]
    if at in cx.refused_calls:
        return
    cx.refused_calls.add(at)
    labels = [
        (call_at, f"{cx.scope.subs[above].name} calls {cx.scope.subs[below].name} here")
        for above, below, call_at in links
        if call_at[0] < cx.builtin_at and call_at != at
    ]
    cx.report.error(
        code,
        at,
        f"{cx.scope.subs[callee].name} cannot be called in {hook}, where {name} is not possible",
        "the server runs hooks; `return` selects the next hook",
        labels,
        stock=stock,
    )


def declared_before(cx: Context, at: nodes.At, symbol: Symbol, written: str) -> bool:
    """Whether a name is declared before its use; reports it otherwise. A use that allows only one kind of
    name, such as a backend, may precede the declaration, and so may all later uses."""
    if symbol.at[0] < at[0] or symbol.mentioned is not None and symbol.mentioned < at[0]:
        return True
    cx.report.error(
        "V302",
        at,
        f"{symbol.kind.value} {symbol.name} is used before it is declared",
        "move the declaration up",
        labels=[(symbol.at, "declared here")],
        stock=phrase("not found", name=written),
    )
    return False


def first_outside(cx: Context, mask: HookMask) -> str:
    """Returns the hook to name in a message about something illegal here."""
    outside = hook_names(cx.reach & ~mask)
    return outside[0] if outside else ""


def chain_links(cx: Context, hook: str) -> list[tuple[str, str, nodes.At]]:
    """Returns the calls by which a hook reaches the current sub: caller, callee, place."""
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
