"""Tables of a test: rows such as `case(url = "/a", ttl = 1d);` in front of its other statements. The test
runs once for each row, in a world of its own, and its statements read the columns by their names.

`draw(path = text("/[a-z]+"));` stands for many rows, whose values generators draw (properties.py). A test
without a table is one case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from vernis.record import field, record
from vernis.syntax import nodes
from vernis.trial.expect import WORDS, Scope, ValueTrouble, plain, value_of
from vernis.trial.facts import Value, is_fact
from vernis.trial.generators import Generator, generator_of

ROW, DRAW = "case", "draw"
_PLACE = "write the rows of a table in front of the other statements"

Source = Callable[[nodes.At], str]  # the text of a place


@record(frozen=True)
class Case:
    """A run of a test with one row of its table. ``columns``: the values of the row. ``draw``: generators by
    column, and this case stands for all rows that they make."""

    test: nodes.TestCase
    name: str
    steps: tuple[nodes.Stmt, ...]
    columns: Mapping[str, Value] = field(default_factory=dict)
    draw: Mapping[str, Generator] = field(default_factory=dict)


def cases_of(test: nodes.TestCase, source: Source) -> list[Case]:
    """ValueTrouble: the table has a mistake."""
    statements = test.body.statements
    calls = [_table_call(statement) for statement in statements]
    n_rows = calls.index(None) if None in calls else len(calls)
    rows, steps = [call for call in calls[:n_rows] if call is not None], statements[n_rows:]
    for call in calls[n_rows:]:
        if call is not None:
            raise ValueTrouble(call.at, f"{call.name.text} stands behind other statements", _PLACE)
    if not rows:
        return [Case(test, test.name, steps)]
    if not steps:
        raise ValueTrouble(
            test.name_at, "this test has a table and does nothing with it", 'add: request("/");'
        )
    _check_columns(rows, steps)
    return list(_cases(test, rows, steps, source))


def _table_call(statement: nodes.Stmt) -> nodes.CallExpr | None:
    if isinstance(statement, nodes.CallStmt) and statement.call.receiver is None:
        return statement.call if statement.call.name.text in (ROW, DRAW) else None
    return None


def _cases(
    test: nodes.TestCase, rows: Sequence[nodes.CallExpr], steps: tuple[nodes.Stmt, ...], source: Source
) -> Iterator[Case]:
    seen: set[str] = set()
    for call in rows:
        if call.name.text == DRAW:
            name = test.name
            case = Case(test, name, steps, draw={c: generator_of(value) for c, value in _columns(call)})
        else:
            name = f"{test.name} ({', '.join(plain(source(argument.at)) for argument in call.args)})"
            case = Case(test, name, steps, {c: value_of(value, Scope()) for c, value in _columns(call)})
        if name in seen:
            again = "a test draws once" if call.name.text == DRAW else "two rows are equal"
            raise ValueTrouble(call.at, again, "remove one")
        seen.add(name)
        yield case


def _columns(call: nodes.CallExpr) -> list[tuple[str, nodes.Expr]]:
    return [(argument.name, argument.value) for argument in call.args if argument.name is not None]


def _check_columns(rows: Sequence[nodes.CallExpr], steps: tuple[nodes.Stmt, ...]) -> None:
    first = [argument.name for argument in rows[0].args]
    if not first:
        raise ValueTrouble(rows[0].at, "this row has no columns", 'such as: case(url = "/a", ttl = 1d);')
    used = {name.text for name in names_in(steps)}
    for call in rows:
        for place, argument in enumerate(call.args):
            _check_name(argument, [other.name for other in call.args[:place]])
            if argument.name not in first:
                raise ValueTrouble(argument.at, f"the first row has no column {argument.name}")
            if argument.name not in used:
                raise ValueTrouble(argument.at, f"no statement of this test uses {argument.name}")
        for name in first:
            if name not in [argument.name for argument in call.args]:
                raise ValueTrouble(call.at, f"this row has no {name}", "give all rows the same columns")


def _check_name(argument: nodes.Argument, before: Sequence[str | None]) -> None:
    name = argument.name
    if name is None:
        raise ValueTrouble(argument.at, "a value of a row needs a name", 'such as: case(url = "/a");')
    if name in before:
        raise ValueTrouble(argument.at, f"this row has {name} twice")
    if name in WORDS or is_fact(name):
        raise ValueTrouble(
            argument.at, f"{name} is a fact about a request", f"choose another name, such as wanted_{name}"
        )


def names_in(node: object) -> Iterator[nodes.Name]:
    """Names that are read, in a node or a tuple of nodes."""
    if isinstance(node, tuple):
        for one in node:
            yield from names_in(one)
    elif isinstance(node, nodes.NameExpr):
        yield node.name
    elif hasattr(node, "__slots__"):
        for slot in node.__slots__:
            yield from names_in(getattr(node, slot))
