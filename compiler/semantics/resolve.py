"""Resolves names: declarations, modules, objects, and the hooks that can run each sub.

One walk visits the declarations and one all statements, both without recursion. ``check.py`` looks up names
in the result. This file reports names declared twice, reserved names, unknown modules, calls of unknown subs,
and recursion.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from enum import Enum
from typing import assert_never

from vernis.record import field, record
from vernis.semantics.modules import ENTERPRISE
from vernis.semantics.report import Reporter, certain, did_you_mean, nearest
from vernis.semantics.vocabulary import (
    HOOKS,
    HookMask,
    ModuleRow,
    ObjectRow,
    VariableRow,
    Vocabulary,
    load_vocabulary,
)
from vernis.syntax import nodes
from vernis.syntax.stock import phrase

# Words of expressions. No declaration may use them, nor a variable of one word.
EXPRESSION_WORDS = frozenset({"true", "false", "default"})

# Words of declarations and statements, which no declaration may use.
RESERVED = EXPRESSION_WORDS | {
    "acl",
    "backend",
    "import",
    "include",
    "probe",
    "sub",
    "vcl",
    "call",
    "if",
    "new",
    "return",
    "set",
    "unset",
    "ban",
    "hash_data",
    "regsub",
    "regsuball",
    "synthetic",
}


CACHING = "4.1"  # the rules of HTTP caching that a policy of 5.0 can name

# Hooks of VCL 3 and their replacements.
OLD_HOOKS = {"vcl_fetch": "vcl_backend_response", "vcl_error": "vcl_synth or vcl_backend_error"}


class Kind(Enum):
    """The kind of a declared name, as messages name it."""

    BACKEND = "backend"
    PROBE = "probe"
    ACL = "acl"
    INSTANCE = "object"
    MODULE = "module"
    SUB = "sub"
    CONSTANT = "constant"
    FUNCTION = "function"
    SET = "set"
    TABLE = "table"
    COUNTER = "counter"

    @property
    def one(self) -> str:
        """The kind with its article."""
        return f"{'an' if self.value[0] in 'ao' else 'a'} {self.value}"


@record
class Symbol:
    """A declared name. ``index`` counts the names of its kind. ``module`` and ``object`` are rows of the
    vocabulary. ``mentioned`` is the first token that used the name where only its kind is possible. ``node``
    is the declaration, for the kinds of 5.0 and for objects."""

    kind: Kind
    name: str
    at: nodes.At
    index: int = 0
    module: ModuleRow | None = None
    object: ObjectRow | None = None
    used: bool = False
    mentioned: int | None = None
    node: nodes.Constant | nodes.Function | nodes.TextSet | nodes.Table | nodes.Counter | nodes.New | None = (
        None
    )


@record
class SubSymbol:
    """A hook or sub with its definitions in order, those of the built-in policy last."""

    name: str
    at: nodes.At
    definitions: list[nodes.Sub]
    builtin: bool
    calls: dict[str, nodes.At] = field(default_factory=dict)  # callee -> its first call here
    reach: HookMask = 0

    @property
    def hook(self) -> bool:
        return self.name in HOOKS


@record
class Scope:
    """All names of a program. Keys are in lower case, because case does not matter in names."""

    vocabulary: Vocabulary
    variables: dict[str, VariableRow]
    symbols: dict[str, Symbol] = field(default_factory=dict)
    modules: dict[str, Symbol] = field(
        default_factory=dict
    )  # modules that share their name with a symbol, which vcl 4.0 allows
    subs: dict[str, SubSymbol] = field(default_factory=dict)
    backends: list[nodes.Backend] = field(default_factory=list)
    probes: list[nodes.Probe] = field(default_factory=list)
    acls: list[nodes.Acl] = field(default_factory=list)
    instances: list[Symbol] = field(default_factory=list)
    budgets: list[nodes.Budget] = field(default_factory=list)
    unused: list[nodes.Unused] = field(default_factory=list)
    has_old_caching: bool = False  # `caching 4.1;`
    default_backend: Symbol | None = None
    default_probe: Symbol | None = None
    meant: set[str] = field(
        default_factory=set
    )  # names that the help of an error suggests, or `unused`: not reported as unused
    twice: set[str] = field(default_factory=set)  # names with a second declaration, which is an error
    imports_offered: set[str] = field(default_factory=set)  # modules that an edit would import

    def mark_meant(self, names: Collection[str]) -> None:
        """Records the names that a wrong use may mean. An unused declaration of such a name would be a
        consequence of the error."""
        self.meant.update(name.lower() for name in names)

    def lookup(self, name: str, kind: Kind) -> Symbol | None:
        """Returns the symbol of this name and kind, and marks it as used."""
        symbol = self.symbols.get(name.lower())
        if name == "default":
            symbol = self.default_probe if kind is Kind.PROBE else self.default_backend
        if symbol is None or symbol.kind is not kind:
            return None
        symbol.used = True
        return symbol

    def head(self, name: str) -> Symbol | None:
        """Returns the symbol of a name that precedes a '.'."""
        return self.modules.get(name.lower()) or self.symbols.get(name.lower())

    def definitions(self, key: str) -> list[nodes.Sub]:
        """Returns the definitions of a sub."""
        symbol = self.subs.get(key)
        return [] if symbol is None else symbol.definitions

    def names(self, *kinds: Kind) -> list[str]:
        """Returns the declared names of these kinds, for suggestions."""
        return [symbol.name for symbol in self.symbols.values() if symbol.kind in kinds]

    def chain(self, sub: str, hook: str) -> list[tuple[str, nodes.At]]:
        """Returns the calls by which a hook runs a sub, as pairs of caller and call; empty for the hook
        itself."""
        came_from: dict[str, tuple[str, nodes.At]] = {}
        queue = deque([hook])
        while queue and sub not in came_from:
            caller = queue.popleft()
            for callee, at in self.subs[caller].calls.items():
                if callee not in came_from and callee != hook and callee in self.subs:
                    came_from[callee] = (caller, at)
                    queue.append(callee)
        links: list[tuple[str, nodes.At]] = []
        while sub != hook and sub in came_from:
            links.append(came_from[sub])
            sub = came_from[sub][0]
        return links[::-1]


def resolve(
    program: nodes.Program, vocabulary: Vocabulary, report: Reporter, refused: Collection[str] = ()
) -> Scope:
    """Resolves the names of a program. ``refused`` holds modules that failed to import and were reported."""
    scope = Scope(vocabulary, vocabulary.variables_of(program.version))
    builder = _Builder(program, scope, report, refused)
    for position, declaration in enumerate(program.declarations):
        builder.declare(declaration, builtin=position >= program.builtin_from)
    for sub in list(scope.subs.values()):
        builder.collect(sub)
    builder.check_calls()
    return scope


_KINDS_OF_FIVE = {
    nodes.Constant: Kind.CONSTANT,
    nodes.Function: Kind.FUNCTION,
    nodes.TextSet: Kind.SET,
    nodes.Table: Kind.TABLE,
    nodes.Counter: Kind.COUNTER,
}


@record
class _Builder:
    program: nodes.Program
    scope: Scope
    report: Reporter
    refused: Collection[str]

    def declare(self, declaration: nodes.Decl, builtin: bool) -> None:
        match declaration:
            case nodes.Backend():
                self._backend(declaration)
            case nodes.Probe():
                self._probe(declaration)
            case nodes.Acl():
                symbol = Symbol(Kind.ACL, declaration.name, declaration.name_at, len(self.scope.acls))
                if self._add(symbol):
                    self.scope.acls.append(declaration)
            case nodes.Sub():
                self._sub(declaration, builtin)
            case nodes.Import():
                self._import(declaration)
            case nodes.Constant() | nodes.Function() | nodes.TextSet() | nodes.Table() | nodes.Counter():
                self._of_five(declaration)
            case nodes.Budget():
                self.scope.budgets.append(declaration)
            case nodes.InlineC():
                refuse_inline_c(declaration, self.report)
            case nodes.Broken():
                self.report.incomplete = True
            case nodes.Caching():
                self._caching(declaration)
            case nodes.Unused():
                self.scope.unused.append(declaration)
            case nodes.Version() | nodes.TestCase():  # the parser has refused tests
                pass
            case _:
                assert_never(declaration)

    def _caching(self, node: nodes.Caching) -> None:
        """The rules of HTTP caching concern all requests of the policy, so its main file decides. An included
        file may be the main one of another policy."""
        if node.number != CACHING:
            help_ = f"write: caching {CACHING}; or leave it out, and HTTP caching follows RFC 9111"
            self.report.error("V767", node.at, f"there are no rules of caching {node.number}", help_)
        elif self.report.span(node.at).file == 0:
            self.scope.has_old_caching = True
        else:
            help_ = "write it below the version line of the main file, or take it out"
            self.report.warning("V767", node.at, "`caching` has no effect in an included file", help_)

    def _of_five(
        self, node: nodes.Constant | nodes.Function | nodes.TextSet | nodes.Table | nodes.Counter
    ) -> None:
        kind = _KINDS_OF_FIVE[type(node)]
        index = sum(1 for symbol in self.scope.symbols.values() if symbol.kind is kind)
        self._add(Symbol(kind, node.name, node.name_at, index, node=node))

    def _backend(self, node: nodes.Backend) -> None:
        symbol = Symbol(Kind.BACKEND, node.name, node.name_at, len(self.scope.backends))
        if node.name == "default":
            if self._taken(self.scope.default_backend, symbol):
                return
            self.scope.default_backend = symbol
        elif not self._add(symbol):
            return
        self.scope.backends.append(node)

    def _probe(self, node: nodes.Probe) -> None:
        symbol = Symbol(Kind.PROBE, node.name, node.name_at, len(self.scope.probes))
        if node.name == "default":
            if self.scope.default_probe is not None:
                self.report.warning(
                    "V501",
                    symbol.at,
                    "this default probe replaces an earlier one",
                    "remove one of the two",
                    labels=[(self.scope.default_probe.at, "declared here first")],
                )
            symbol.used = True  # every backend without a .probe uses it
            self.scope.default_probe = symbol
        elif not self._add(symbol):
            return
        self.scope.probes.append(node)

    def _sub(self, node: nodes.Sub, builtin: bool) -> None:
        key = node.name.lower()
        known = self.scope.subs.get(key)
        if known is None:
            if self._add(Symbol(Kind.SUB, node.name, node.name_at), sub=True):
                name = key if key.startswith("vcl_") else node.name
                self.scope.subs[key] = SubSymbol(name, node.name_at, [node], builtin)
        elif known.hook or builtin:
            known.definitions.append(node)
            known.builtin = known.builtin or builtin
        elif key.startswith("vcl_"):
            known.definitions.append(node)  # check_calls() looks for the name in the built-in policy
        else:
            self._duplicate(Kind.SUB, known.name, node.name, node.name_at, known.at)

    def _import(self, node: nodes.Import) -> None:
        row = self.scope.vocabulary.modules.get(node.module.lower())
        name = node.alias or node.module
        if row is None or row.name != node.module or node.module.lower() in self.refused:
            self._report_unknown_module(node)
            self.scope.symbols.setdefault(name.lower(), Symbol(Kind.MODULE, name, node.at, used=True))
            return
        if node.path is not None and row is load_vocabulary().modules.get(row.name.lower()):
            self.report.warning(
                "V517",
                node.at,
                f"module {node.module} comes with the server and is not loaded from a file",
                "leave out `from`",
            )
        known_symbol = self.scope.head(name)
        if known_symbol is not None and known_symbol.module is row:
            return
        symbol = Symbol(Kind.MODULE, name, node.at, module=row, used=True)
        if (
            known_symbol is not None
            and known_symbol.kind is not Kind.MODULE
            and self.program.version == (4, 0)
        ):
            self.scope.modules[name.lower()] = symbol
        else:
            self._add(symbol)

    def _report_unknown_module(self, node: nodes.Import) -> None:
        if node.module.lower() in self.refused:
            return
        enterprise = ENTERPRISE.get(node.module.lower())
        near = nearest(node.module, self.scope.vocabulary.modules) if enterprise is None else []
        meant = certain(node.module, near)
        for name in near:  # do not report their functions too
            row = self.scope.vocabulary.modules[name] if name == meant else None
            self.scope.symbols.setdefault(
                name.lower(), Symbol(Kind.MODULE, name, node.at, module=row, used=True)
            )
        known = ", ".join(sorted(self.scope.vocabulary.modules))
        help_ = did_you_mean(near, f"known: {known}; other modules are searched in vmod_path")
        if enterprise is not None:
            help_ = "only Varnish Enterprise has it" + (
                f"; the closest module is {enterprise}" if enterprise else ""
            )
        self.report.error(
            "V513",
            node.at,
            f"there is no module {node.module}",
            help_,
            edits=self.report.respelled(node.at[0] + 1, node.module, meant),
        )

    def collect(self, sub: SubSymbol) -> None:
        """Records the calls and the objects in the bodies of a sub."""
        for definition in sub.definitions:
            for statement in walk_statements(definition.body):
                match statement:
                    case nodes.CallSub() if statement.value is None:
                        sub.calls.setdefault(statement.name.text.lower(), statement.name.at)
                    case nodes.New():
                        self._new(statement)
                    case nodes.Broken():
                        self.report.unreadable(statement.at)
                    case _:
                        pass

    def _new(self, node: nodes.New) -> None:
        symbol = Symbol(Kind.INSTANCE, node.name, node.at, len(self.scope.instances), used=True, node=node)
        if self._add(symbol):
            self.scope.instances.append(symbol)

    def _add(self, symbol: Symbol, sub: bool = False) -> bool:
        """Adds a name unless it is taken or reserved. Returns whether it did."""
        key = symbol.name.lower()
        known = self.scope.symbols.get(key)
        if known is not None:
            self._taken(known, symbol)
            return False
        if key in RESERVED or key in self.scope.variables:
            self.report.error(
                "V502",
                symbol.at,
                f"{symbol.name} is a reserved word and cannot name a {symbol.kind.value}",
                "choose another name",
                stock=phrase("reserved", name=symbol.name),
            )
            return False
        if key.startswith("vcl_") and not sub:
            self.report.error(
                "V502",
                symbol.at,
                f"names that begin with vcl_ are reserved for hooks; {symbol.name} cannot name a "
                f"{symbol.kind.value}",
                "choose another name",
                stock=phrase("reserved vcl"),
            )
            return False
        self.scope.symbols[key] = symbol
        return True

    def _taken(self, known: Symbol | None, symbol: Symbol) -> bool:
        if known is None:
            return False
        self._duplicate(known.kind, known.name, symbol.name, symbol.at, known.at)
        return True

    def _duplicate(self, kind: Kind, known: str, name: str, at: nodes.At, first: nodes.At) -> None:
        self.scope.twice.add(name.lower())
        because = "" if name == known else f": {known} is the same name, because case does not matter"
        self.report.error(
            "V501",
            at,
            f"{name} is already declared as {kind.one}{because}",
            "choose another name, or remove one of the two",
            labels=[(first, "declared here first")],
            stock=_stock_of_duplicate(kind.value, name),
        )

    def check_calls(self) -> None:
        """Reports subs with a reserved name, and calls of names that are not subs."""
        for sub in self.scope.subs.values():
            if sub.name.startswith("vcl_") and not sub.hook and not sub.builtin:
                self._reserved_sub(sub)
        for key, sub in self.scope.subs.items():
            for callee, at in list(sub.calls.items()):
                if callee not in self.scope.subs:
                    meant = self._unknown_sub(key, callee, at)
                    if meant is not None:
                        sub.calls.setdefault(
                            meant.lower(), at
                        )  # check the call as one of the suggested sub, and mark that sub as used

    def _reserved_sub(self, sub: SubSymbol) -> None:
        near = nearest(
            sub.name, [known.name for known in self.scope.subs.values() if known.builtin or known.hook]
        )
        old = OLD_HOOKS.get(sub.name)
        kept = "names that begin with vcl_ are reserved; choose another name"
        help_ = f"since VCL 4 it is {old}" if old else did_you_mean(near, kept)
        self.report.error(
            "V502",
            sub.at,
            f"{sub.name} is neither a hook nor a step of the built-in policy",
            help_,
            replace=None if old else certain(sub.name, near),
            stock=phrase("reserved vcl"),
        )

    def _unknown_sub(self, caller: str, callee: str, at: nodes.At) -> str | None:
        """Reports an unknown sub. Returns the sub that the name must mean, if there is one."""
        symbol = self.scope.symbols.get(callee)
        if symbol is not None and symbol.kind is not Kind.SUB:
            self.report.error(
                "V323",
                at,
                f"{symbol.name} is {symbol.kind.one}, not a sub",
                "`call` takes the name of a sub",
                labels=[(symbol.at, "declared here")],
                stock=phrase("wrong kind", name=symbol.name, have=symbol.kind.value, want="sub"),
            )
            return None
        leading = self._leading_to(caller)  # a call of one of these would never end
        others = [sub.name for key, sub in self.scope.subs.items() if not sub.hook and key not in leading]
        near = nearest(callee, others)
        self.report.error(
            "V302",
            at,
            f"there is no sub {callee}",
            did_you_mean(near, "define it, or remove the call"),
            replace=certain(callee, near),
            stock=phrase("undefined", kind="sub", name=callee),
        )
        return certain(callee, near)

    def _leading_to(self, key: str) -> set[str]:
        """The subs from which calls lead to a sub, and itself."""
        callers: dict[str, set[str]] = {}
        for caller, sub in self.scope.subs.items():
            for callee in sub.calls:
                callers.setdefault(callee, set()).add(caller)
        found, stack = {key}, [key]
        while stack:
            more = callers.get(stack.pop(), set()) - found
            found |= more
            stack += more
        return found


def _stock_of_duplicate(kind: str, name: str) -> str:
    if name == "default":
        return phrase("second default")
    return phrase(
        "redefined", kind={"sub": "Subroutine", "acl": "ACL"}.get(kind, kind.capitalize()), name=name
    )


def refuse_inline_c(node: nodes.InlineC, report: Reporter) -> None:
    report.error(
        "V204", node.at, "a policy cannot contain C code", "use a module instead", stock=phrase("inline C")
    )


def walk_statements(block: nodes.Block) -> Iterator[nodes.Stmt]:
    """Yields all statements of a block in order, at any depth."""
    stack = [iter(block.statements)]
    while stack:
        statement = next(stack[-1], None)
        if statement is None:
            stack.pop()
            continue
        yield statement
        if isinstance(statement, nodes.Block):
            stack.append(iter(statement.statements))
        elif isinstance(statement, nodes.If):
            stack.append(iter([arm.body for arm in statement.arms]))
        elif isinstance(statement, nodes.Switch):
            stack.append(iter([case.body for case in statement.cases]))
        elif isinstance(statement, nodes.For):
            stack.append(iter(statement.body.statements))
        elif isinstance(statement, nodes.Labelled):
            stack.append(iter((statement.statement,)))
