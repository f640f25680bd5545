"""Places of a policy in its IR: sites of statements, and rules, which a running policy counts."""

from __future__ import annotations

from bisect import bisect_right

from vernis.ir import ir
from vernis.ir.builder import FunctionBuilder
from vernis.semantics import typed
from vernis.syntax import nodes
from vernis.syntax.generated.token_types import T
from vernis.syntax.tokens import COMMENTS, TokenTable

Kind = ir.SpotKind


def start_of_builtin(program: nodes.Program) -> int:
    """The first token of the built-in policy."""
    if program.builtin_from == len(program.declarations):
        assert isinstance(program.tokens, TokenTable)
        return len(program.tokens)
    return program.declarations[program.builtin_from].at[0]


class Sites:
    """Enters the positions of statements into the module.

    Columns count characters. In an ASCII file a character is a byte, so the column is a subtraction; counting
    the characters for each statement would take quadratic time on a long line."""

    __slots__ = ("line_starts", "module", "table")

    def __init__(self, checked: typed.Checked, module: ir.Module) -> None:
        assert isinstance(checked.program.tokens, TokenTable)
        self.table = checked.program.tokens
        files = self.table.sources.files
        self.line_starts = [file.line_starts if file.data.isascii() else None for file in files]
        self.module = module

    def at(self, at: tuple[int, int]) -> int:
        """A new site at the first token."""
        table, token, sites = self.table, at[0], self.module.sites
        number, offset = table.files[token], table.starts[token]
        starts = self.line_starts[number]
        if starts is None:
            place = table.sources.files[number].position(offset)
        else:
            line = table.lines[token]
            place = line, offset - starts[line - 1] + 1
        sites.append(ir.Site(number, *place))
        return len(sites) - 1

    def position(self, number: int, offset: int) -> tuple[int, int]:
        """Line and column of a byte of a source."""
        starts = self.line_starts[number]
        if starts is None:
            return self.table.sources.files[number].position(offset)
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1


class Rules:
    """Numbers the rules of the author. The built-in policy's rules are not counted."""

    __slots__ = ("coverage", "decisions", "end", "module", "names", "numbers", "sites", "sub", "table")

    def __init__(self, checked: typed.Checked, sites: Sites, count: bool, coverage: bool) -> None:
        self.coverage, self.decisions, self.sub = coverage, 0, ""
        self.numbers: dict[tuple[tuple[int, int], ir.SpotKind], int] = {}
        self.sites, self.module, self.table = sites, sites.module, sites.table
        #: Names of @rule, by the first token of the statement.
        self.names = {first: name for (first, _), name in checked.rule_names.items()}
        #: The first token whose rules are not counted.
        self.end = start_of_builtin(checked.program) if count or coverage else 0

    def count_sub(self, code: FunctionBuilder, sub: typed.Sub) -> None:
        """Counts a sub from here on. It ends with the last statement that the author wrote."""
        self.sub = sub.name
        if sub.at[0] < self.end:
            first = self.table.types.rindex(T.SUB, 0, sub.at[0])
            mine = [s for s in sub.body if isinstance(s, typed.Kept) or s.at[0] < self.end]
            last = mine[-1] if mine else sub
            if isinstance(last, typed.Kept):
                self.count(code, (first, sub.at[1]), Kind.SUB, self.sites.position(0, last.end - 1))
            else:
                self.count(code, (first, last.at[1]), Kind.SUB)

    def decision(self) -> int:
        """A number for an ``if``."""
        self.decisions += 1
        return self.decisions

    def count_statement(self, code: FunctionBuilder, statement: typed.Statement) -> None:
        """Counts a statement that has a name, or that coverage needs. The arms of an ``if`` are counted
        instead; those of a ``switch`` begin behind its name."""
        assert not isinstance(statement, typed.Kept)
        wanted = self.coverage
        if isinstance(statement, typed.If):
            if statement.arms[0].at[0] == statement.at[0] or not statement.counted:
                return
            wanted = False
        if wanted or statement.at[0] in self.names:
            self.count(code, statement.at, Kind.STATEMENT)

    def cover(self, code: FunctionBuilder, at: tuple[int, int], kind: Kind, decision: int = 0) -> None:
        """Counts a place that only coverage needs."""
        if self.coverage:
            self.count(code, at, kind, decision=decision)

    def count(
        self,
        code: FunctionBuilder,
        at: tuple[int, int],
        kind: Kind,
        end: tuple[int, int] | None = None,
        decision: int = 0,
    ) -> None:
        """Counts the rule with these tokens from here on. ``end`` is the place of its last byte, if that is
        no token."""
        first, last = at
        if first >= self.end:
            return
        table, module = self.table, self.module
        known = self.numbers.get((at, kind))
        if known is not None:  # a body that stands at several calls
            code.count(known)
            return
        if len(module.rules) == ir.RULES_MAX:
            module.rules_left += 1
            return
        body = last + 1
        if kind is not Kind.STATEMENT or table.types[last] == T.RBRACE:
            body = table.types.index(T.LBRACE, first)
        head = self._last_here(first, body - 1)
        start, last = table.starts[first], self._last_here(first, last)
        line, column = end or self.sites.position(table.files[last], table.ends[last] - 1)
        site = self.sites.at(at)
        name = self.names.get(first, "") if kind in (Kind.ARM, Kind.STATEMENT) else ""
        module.rules.append(ir.Rule(site, start, table.ends[head] - start, line, column, name))
        if self.coverage:
            module.spots.append(ir.Spot(kind, self.sub, decision))
        self.numbers[at, kind] = len(module.rules) - 1
        code.count(len(module.rules) - 1)

    def _last_here(self, first: int, last: int) -> int:
        """The last of these tokens in the file of the first one: an include can be anywhere in a rule.
        Comments after the last token are no part of it."""
        files, starts, types = self.table.files, self.table.starts, self.table.types
        while types[last] in COMMENTS or files[last] != files[first] or starts[last] < starts[first]:
            last -= 1
        return last
