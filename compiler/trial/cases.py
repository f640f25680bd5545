"""Tables of a test: rows such as `case(url = "/a", ttl = 1d);` in front of its other statements. The test
runs once for each row, in a world of its own, and its statements read the columns by their names.

`draw(path = text("/[a-z]+"));` stands for many rows, whose values generators draw (properties.py). A test
without a table is one case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from vernis.record import field, record, replace
from vernis.syntax import nodes
from vernis.syntax.walk import nodes_in
from vernis.trial.expect import WORDS, Scope, ValueTrouble, plain, value_of
from vernis.trial.facts import Value, is_fact
from vernis.trial.generators import Generator, generator_of
from vernis.trial.shared import ENV, TAG, Shared, call_of, tags_of, unit_of
from vernis.trial.unit import Unit

ROW, DRAW = "case", "draw"
_PLACE = "write the rows of a table in front of the other statements"

Source = Callable[[nodes.At], str]  # the text of a place


@record(frozen=True)
class Case:
    """A run of a test with one row of its table. ``columns``: the values of the row. ``draw``: generators by
    column, and this case stands for all rows that they make. ``env``: calls that change the environment.
    ``unit``: the sub of the policy that the test calls."""

    test: nodes.TestCase
    name: str
    steps: tuple[nodes.Stmt, ...]
    columns: Mapping[str, Value] = field(default_factory=dict)
    draw: Mapping[str, Generator] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    env: tuple[nodes.CallExpr, ...] = ()
    unit: Unit | None = None


def cases_of(test: nodes.TestCase, source: Source, shared: Shared) -> list[Case]:
    """ValueTrouble: the table, a tag or a call has a mistake."""
    cases = _cases_of(test, source, shared)
    everything = shared.steps_of(test.body.statements)
    env = tuple(call for step in everything if (call := call_of(step, ENV)) is not None)
    tags = tags_of(everything)
    unit = unit_of(everything, source)
    return [replace(case, tags=tags, env=env, unit=unit) for case in cases]


def _cases_of(test: nodes.TestCase, source: Source, shared: Shared) -> list[Case]:
    statements = [one for one in test.body.statements if call_of(one, TAG, ENV) is None]
    calls = [call_of(statement, ROW, DRAW) for statement in statements]
    n_rows = calls.index(None) if None in calls else len(calls)
    rows, own = [call for call in calls[:n_rows] if call is not None], statements[n_rows:]
    steps = tuple(one for one in shared.steps_of(own) if call_of(one, TAG, ENV) is None)
    for step in steps:
        if (call := call_of(step, ROW, DRAW)) is not None and call not in calls:
            raise ValueTrouble(call.at, f"a sub has no {call.name.text}", "write it into the test")
    for call in calls[n_rows:]:
        if call is not None:
            raise ValueTrouble(call.at, f"{call.name.text} stands behind other statements", _PLACE)
    if not rows:
        return [Case(test, test.name, steps)]
    if not own:
        raise ValueTrouble(
            test.name_at, "this test has a table and does nothing with it", 'add: request("/");'
        )
    env = tuple(one for one in shared.steps_of(test.body.statements) if call_of(one, ENV) is not None)
    _check_columns(rows, (*env, *steps))
    return list(_cases(test, rows, steps, source))


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
    return (one.name for one in nodes_in(node) if isinstance(one, nodes.NameExpr))
