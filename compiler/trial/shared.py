"""What the tests of a file share: subs of the file, which tests `call`, and `sub setup`, which runs before
each test. An include may bring both from another file. Tags and the environment hold for a whole
test, wherever they stand in it, in its setup or in a sub.

Calls are resolved before a test runs: each is replaced by the statements of its sub.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from vernis.record import field, record
from vernis.syntax import nodes
from vernis.trial.expect import ValueTrouble
from vernis.trial.unit import Unit

SETUP = "setup"
TAG, ENV = "tag", "env"
STEPS_MAX = 10_000  # of a test, with those of the subs that it calls


@record
class Shared:
    """``setup``: the statements of each `sub setup`, in the order of the text."""

    subs: dict[str, nodes.Sub] = field(default_factory=dict)
    setup: list[nodes.Stmt] = field(default_factory=list)

    def add(self, sub: nodes.Sub) -> None:
        """ValueTrouble: a file of tests cannot have this sub."""
        if sub.name.lower().startswith("vcl_"):
            raise ValueTrouble(sub.name_at, f"{sub.name} is a hook of policies", "declare it in the policy")
        if sub.params is not None or sub.annotations:
            what = "parameters" if sub.params is not None else "annotations"
            raise ValueTrouble(sub.name_at, f"a sub of tests has no {what}")
        if sub.name == SETUP:
            self.setup += sub.body.statements
        elif sub.name in self.subs:
            raise ValueTrouble(sub.name_at, f"two subs have the name {sub.name}", "rename one")
        else:
            self.subs[sub.name] = sub

    def steps_of(self, own: Sequence[nodes.Stmt]) -> tuple[nodes.Stmt, ...]:
        """ValueTrouble: a sub calls itself, or the test is too long."""
        found: list[nodes.Stmt] = []
        for step in self._expanded((*self.setup, *own), ()):
            if len(found) == STEPS_MAX:
                raise ValueTrouble(step.at, f"a test has at most {STEPS_MAX} steps")
            found.append(step)
        return tuple(found)

    def _expanded(self, statements: Sequence[nodes.Stmt], around: tuple[str, ...]) -> Iterator[nodes.Stmt]:
        for one in statements:
            if not isinstance(one, nodes.CallSub) or one.name.text not in self.subs:
                yield one
                continue
            name = one.name.text
            if name in around:
                raise ValueTrouble(one.at, f"sub {name} calls itself")
            if one.args:
                raise ValueTrouble(one.at, f"sub {name} of this file has no parameters")
            yield from self._expanded(self.subs[name].body.statements, (*around, name))


def call_of(statement: nodes.Stmt, *names: str) -> nodes.CallExpr | None:
    """A statement such as ``tag("slow");``, if it has one of the names."""
    if isinstance(statement, nodes.CallStmt) and statement.call.receiver is None:
        return statement.call if statement.call.name.text in names else None
    return None


def tags_of(steps: Sequence[nodes.Stmt]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for call in filter(None, (call_of(step, TAG) for step in steps)):
        for argument in call.args:
            if argument.name is not None or not isinstance(argument.value, nodes.StringLit):
                raise ValueTrouble(argument.at, "a tag is a text", 'such as: tag("slow");')
            found[argument.value.value] = None
        if not call.args:
            raise ValueTrouble(call.at, "tag needs a name", 'such as: tag("slow");')
    return tuple(found)


def unit_of(steps: Sequence[nodes.Stmt], source: Callable[[nodes.At], str]) -> Unit | None:
    """The sub of the policy that the steps call. ValueTrouble: they call two, or do something else, too."""
    called: dict[str, None] = {}
    given: list[str] = []
    for step in steps:
        if isinstance(step, nodes.CallSub):
            called[step.name.text] = None
            if len(called) > 1:
                raise ValueTrouble(step.at, "a test calls one sub of the policy", "write another test")
        elif isinstance(step, nodes.Set) and not is_of_request(step.target.text):
            if called:
                raise ValueTrouble(
                    step.at, "set stands behind call", "give all variables before the first call"
                )
            given.append(source(step.at))
    for step in steps:
        if called and (request := call_of(step, "request")) is not None:
            raise ValueTrouble(request.at, "a test that calls a sub of the policy sends no request")
        if not called and isinstance(step, nodes.Set):
            raise ValueTrouble(step.at, "set gives a variable to a sub of the policy", "call it: call NAME;")
    return Unit(next(iter(called)), tuple(given)) if called else None


def is_of_request(name: str) -> bool:
    """The client sends it, so its value may differ from row to row."""
    return name.lower() in ("req.url", "req.method") or name.lower().startswith("req.http.")
