"""The statements of a test, and their arguments. docs/test.md has the table.

Each statement is a function over a :class:`Run`, with the parameters in ``STATEMENTS``. Arguments are checked
before the function runs, so the functions may rely on their types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from vernis.record import record, replace
from vernis.semantics.phrases import reason_of
from vernis.syntax import nodes
from vernis.trial.expect import Miss, Scope, ValueTrouble, failure, shown, value_of
from vernis.trial import failures
from vernis.trial.facts import TAGS, Facts, Value
from vernis.trial.shared import is_of_request
from vernis.trial.world import FAILURES, HTTP1, PROTOCOLS, AnyWorld, Answer, Environment, WorldError

HOST = "example.com"  # of requests without a field Host
SEED_MAX = 2**31 - 1
POLLS_MAX = 64  # as many as a probe remembers
TIMES_MAX = 10_000  # requests of one statement, and uses of an answer
_WITHOUT_CONTENT = (204, 304)


class Run:
    """One case of a test under way, with the values of its ``columns``. ``place_of`` is about the policy."""

    def __init__(
        self,
        world: AnyWorld,
        text_at: Callable[[nodes.At], str],
        place_of: failures.PlaceOf,
        columns: Mapping[str, Value],
        hook: str = "",
    ) -> None:
        self.world, self.text_at, self.place_of = world, text_at, place_of
        self.scope = Scope(None, columns)
        self.has_answers = False
        self.header: list[str] = []  # of each request
        self.protocol = HTTP1  # of each request
        self.tls: list[str] = []  # of each request
        self.hook = hook  # that calls a sub of the policy
        self.set: dict[str, str] = {}  # url, method and fields, for the next call


@record(frozen=True)
class Parameter:
    """``kind``: "text", "number", "truth", "value" (one of these), or "expression" (not evaluated).
    ``repeats``: it may be given several times."""

    name: str
    kind: str
    what: str
    default: Value = None
    needed: bool = False
    repeats: bool = False


@record(frozen=True)
class Statement:
    what: str
    parameters: tuple[Parameter, ...]
    do: Callable[..., Miss | None]


def execute(run: Run, statement: nodes.Stmt) -> Miss | None:
    """Carries a statement out. Returns a failed expectation. ValueTrouble: the test has a mistake."""
    if isinstance(statement, nodes.Set):
        _set(run, statement)
        return None
    if isinstance(statement, nodes.CallSub):
        _call(run, statement)
        return None
    if not isinstance(statement, nodes.CallStmt) or statement.call.receiver is not None:
        raise ValueTrouble(statement.at, "a test has no such statement", _known())
    call = statement.call
    known = STATEMENTS.get(call.name.text)
    if known is None:
        raise ValueTrouble(call.name.at, f"{call.name.text} is no statement of tests", _known())
    arguments = _arguments(run.scope, call, known)
    try:
        return known.do(run, call, **arguments)
    except WorldError as error:
        raise ValueTrouble(call.at, str(error)) from None


def environment(calls: Sequence[nodes.CallExpr], columns: Mapping[str, Value]) -> Environment:
    """The variables that `env` sets. ValueTrouble: a call has a mistake."""
    found: dict[str, str | None] = {}
    for call in calls:
        arguments = _arguments(Scope(None, columns), call, STATEMENTS[call.name.text])
        name = arguments["name"]
        if not name or "=" in name or "\0" in name + (arguments.get("value") or ""):
            raise ValueTrouble(call.at, f"{shown(name)} is no name of a variable")
        found[name] = arguments.get("value")
    return found


def _known() -> str:
    return "statements: " + ", ".join(STATEMENTS)


def _arguments(scope: Scope, call: nodes.CallExpr, known: Statement) -> dict[str, Any]:
    arguments = dict(_given(scope, call, known))
    for parameter in known.parameters:
        if parameter.needed and parameter.name not in arguments:
            raise ValueTrouble(call.at, f"{call.name.text} needs {parameter.name}", parameter.what)
    return arguments


def _given(scope: Scope, call: nodes.CallExpr, known: Statement) -> Iterator[tuple[str, Any]]:
    given: dict[str, list[Any]] = {}
    for place, argument in enumerate(call.args):
        parameter = _parameter(call, argument, place, known)
        values = given.setdefault(parameter.name, [])
        if values and not parameter.repeats:
            raise ValueTrouble(argument.at, f"{parameter.name} is given twice")
        values.append(_value(scope, argument, parameter))
    for parameter in known.parameters:
        if parameter.name in given:
            yield parameter.name, given[parameter.name] if parameter.repeats else given[parameter.name][0]


def _parameter(call: nodes.CallExpr, argument: nodes.Argument, place: int, known: Statement) -> Parameter:
    if argument.name is None and place < len(known.parameters):
        return known.parameters[place]
    for parameter in known.parameters:
        if parameter.name == argument.name:
            return parameter
    names = ", ".join(parameter.name for parameter in known.parameters)
    what = "has too many arguments" if argument.name is None else f"has no argument {argument.name}"
    raise ValueTrouble(argument.at, f"{call.name.text} {what}", f"arguments: {names}")


_KINDS: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "number": (float,),
    "truth": (bool,),
    "value": (str, float, bool),
}


def _value(scope: Scope, argument: nodes.Argument, parameter: Parameter) -> Any:
    if parameter.kind == "expression":
        return argument.value
    value = value_of(argument.value, scope)
    if type(value) not in _KINDS[parameter.kind]:
        raise ValueTrouble(
            argument.value.at, f"{parameter.name} is a {parameter.kind}, and {shown(value)} is none"
        )
    return value


# ---- the statements ----------------------------------------------------------------------------------------


def _bytes(text: str) -> bytes:
    return text.encode("latin-1")


def _head(first: str, header: list[str], call: nodes.CallExpr) -> bytes:
    for line in header:
        if ":" not in line or "\n" in line or "\r" in line:
            raise ValueTrouble(call.at, f"{shown(line)} is no header", 'write: header = "Name: value"')
    return _bytes("\r\n".join([first, *header, "", ""]))


def _has(header: list[str], *names: str) -> bool:
    return any(line.partition(":")[0].strip().lower() in names for line in header)


def _answer(
    run: Run,
    call: nodes.CallExpr,
    url: str | None = None,
    status: float = 200.0,
    header: list[str] | None = None,
    body: str = "",
    backend: str | None = None,
    method: str | None = None,
    times: float = 0.0,
    delay: float = 0.0,
    fails: str = "",
) -> None:
    header = list(header or [])
    if fails not in FAILURES:
        raise ValueTrouble(call.at, f"fails is one of: {', '.join(FAILURES[1:])}")
    if not 100 <= status <= 999 or status != int(status):
        raise ValueTrouble(call.at, f"{status:g} is no status")
    code = int(status)
    if not _has(header, "content-length", "transfer-encoding") and code not in _WITHOUT_CONTENT:
        header.append(f"Content-Length: {len(body)}")
    uses = _whole(call, "times", times, 0, TIMES_MAX)
    run.has_answers = True
    run.world.answer(
        Answer(
            backend=None if backend is None else _bytes(backend),
            method=None if method is None else _bytes(method),
            url=None if url is None else _bytes(url),
            head=_head(f"HTTP/1.1 {code} {reason_of(code)}", header, call),
            body=_bytes(body),
            delay_s=delay,
            times=uses,
            fails=fails,
        )
    )


def _request(
    run: Run,
    call: nodes.CallExpr,
    url: str,
    method: str = "GET",
    header: list[str] | None = None,
    body: str = "",
    client: str | None = None,
    times: float = 1.0,
    protocol: str | None = None,
    tls: list[str] | None = None,
) -> None:
    header = _over(run.header, header or [])
    _set_tls(run, call, _over(run.tls, tls or []))
    n = _whole(call, "times", times, 1, TIMES_MAX)
    if not run.has_answers:
        _answer(run, call)  # so that a test about requests needs no origin
    if client is not None and not run.world.set_client(_bytes(client)):
        raise ValueTrouble(call.at, f"{shown(client)} is no IP address")
    protocol = run.protocol if protocol is None else _protocol(call, protocol)
    if not _has(header, "host"):
        header.insert(0, f"Host: {HOST}")
    if body and not _has(header, "content-length"):
        header.append(f"Content-Length: {len(body)}")
    head = _head(f"{method} {url} {protocol}", header, call)
    for _ in range(n):
        response = run.world.request(head, _bytes(body))
    facts = Facts(response, run.world.records(TAGS | failures.TAGS), run.world.asked())
    run.scope = Scope(facts, run.scope.columns)


def _protocol(call: nodes.CallExpr, protocol: str) -> str:
    if protocol not in PROTOCOLS:
        known = " or ".join(map(shown, PROTOCOLS))
        raise ValueTrouble(call.at, f"protocol is {known}, not {shown(protocol)}")
    return protocol


def _set_tls(run: Run, call: nodes.CallExpr, lines: list[str]) -> None:
    facts = []
    for line in lines:
        fact, colon, value = line.partition(":")
        if not colon:
            raise ValueTrouble(call.at, f"{shown(line)} is no fact of TLS", 'write: tls = "version: TLSv1.3"')
        facts.append((_bytes(fact.strip()), _bytes(value.strip())))
    if why := run.world.set_tls(facts):
        raise ValueTrouble(call.at, why)


def _whole(call: nodes.CallExpr, name: str, value: float, least: int, most: int) -> int:
    if not least <= value <= most or value != int(value):
        raise ValueTrouble(call.at, f"{name} is a whole number from {least} to {most}")
    return int(value)


def _set(run: Run, statement: nodes.Set) -> None:
    """A variable of the request; others are in the policy that runs the sub (unit.py)."""
    name = statement.target.text
    if not is_of_request(name):
        return
    value = value_of(statement.value, run.scope)
    if statement.op != "=" or not isinstance(value, str):
        raise ValueTrouble(statement.at, f"{name} is set to a text here", f'such as: set {name} = "/a";')
    run.set[name if name.lower().startswith("req.http.") else name.lower()] = value


def _call(run: Run, statement: nodes.CallSub) -> None:
    url, method = run.set.get("req.url", "/"), run.set.get("req.method", "GET")
    fields = [
        f"{name[len('req.http.') :]}: {value}"
        for name, value in run.set.items()
        if name.lower().startswith("req.http.")
    ]
    call = nodes.CallExpr(statement.at, None, statement.name, ())
    for _ in range(2 if run.hook == "vcl_hit" else 1):  # the first stores the response
        _request(run, call, url, method, fields)
    assert run.scope.facts is not None
    run.scope.facts.returned = failures.returned_of(run.scope.facts, run.hook, run.place_of)


def _over(before: list[str], more: list[str]) -> list[str]:
    """Fields, and those that stand in place of the ones before with the same name."""
    return [line for line in before if not _has(more, line.partition(":")[0].strip().lower())] + more


def _client(
    run: Run,
    call: nodes.CallExpr,
    header: list[str] | None = None,
    address: str | None = None,
    protocol: str | None = None,
    tls: list[str] | None = None,
) -> None:
    _head("", header or [], call)  # checks it
    run.header = _over(run.header, header or [])
    if protocol is not None:
        run.protocol = _protocol(call, protocol)
    run.tls = _over(run.tls, tls or [])
    _set_tls(run, call, run.tls)
    if address is not None and not run.world.set_client(_bytes(address)):
        raise ValueTrouble(call.at, f"{shown(address)} is no IP address")


def _row(run: Run, call: nodes.CallExpr, table: str, key: str, value: Value = None) -> None:
    texts: list[bytes | None] = [None]
    if value is not None:
        texts = [_bytes(value if isinstance(value, str) else shown(value))]
    if isinstance(value, float):
        texts.append(_bytes(shown(value) + "s"))  # a duration is a number of seconds here
    reasons = []
    for text in texts:
        reasons.append(run.world.put_row(_bytes(table), _bytes(key), text))
        if not reasons[-1]:
            return
    raise ValueTrouble(call.at, f"row {shown(key)} of table {table}: {reasons[0]}")


def _before(run: Run, call: nodes.CallExpr, **arguments: object) -> None:
    """It took effect before the test began."""


def _expect(run: Run, call: nodes.CallExpr, condition: nodes.Expr) -> Miss | None:
    miss = failure(condition, run.scope, run.text_at)
    facts = run.scope.facts
    if miss is None or facts is None:
        return miss
    reason = failures.failure_of(facts, run.place_of, run.world.sick)
    return replace(miss, message=f"{miss.message}; {_status(facts, miss)}{reason}") if reason else miss


def _status(facts: Facts, miss: Miss) -> str:
    """Names the status, unless the message does."""
    status = facts.response.status
    return f"the response is a {status}: " if status and str(status) not in miss.message else ""


def _advance(run: Run, call: nodes.CallExpr, time: float) -> None:
    if time < 0:
        raise ValueTrouble(call.at, "time does not run backwards")
    run.world.advance(time)


def _health(run: Run, call: nodes.CallExpr, backend: str, healthy: bool, polls: float = 0.0) -> None:
    for _ in range(_whole(call, "polls", polls, 0, POLLS_MAX)):
        if not run.world.poll(_bytes(backend), healthy):
            raise ValueTrouble(call.at, f"the policy has no backend {backend} with a probe", "without polls")
    if not polls and not run.world.set_health(_bytes(backend), healthy):
        raise ValueTrouble(call.at, f"the policy has no backend {backend}")


def _chance(run: Run, call: nodes.CallExpr, seed: float) -> None:
    run.world.set_seed(_whole(call, "seed", seed, 1, SEED_MAX))


#: Of a request, and of the client of later ones.
TLS = Parameter(
    "tls",
    "text",
    '"name: value", a fact of a connection with HTTPS: a function of module tls, client_cn, or resumed, such '
    'as "version: TLSv1.3"; may be repeated',
    repeats=True,
)

STATEMENTS: dict[str, Statement] = {
    "answer": Statement(
        "What origins say. A fetch takes the first answer that fits and has times left; without one it "
        "fails. A test without any answer has one: 200 without content.",
        (
            Parameter("url", "text", "for this URL; one that ends in * stands for all that begin so"),
            Parameter("status", "number", "of the answer", 200.0),
            Parameter("header", "text", '"Name: value"', repeats=True),
            Parameter("body", "text", "the content", ""),
            Parameter("backend", "text", "only of this backend"),
            Parameter("method", "text", "only for this method"),
            Parameter("times", "number", "how often; 0 is without a limit", 0.0),
            Parameter("delay", "number", "time until the answer", 0.0),
            Parameter(
                "fails", "text", '"refuses", "closes" (without an answer) or "cuts off" (the body)', ""
            ),
        ),
        _answer,
    ),
    "request": Statement(
        "A client's request, to the end of the response and of all fetches. Host is example.com unless a "
        "header says otherwise.",
        (
            Parameter("url", "text", "path and query", needed=True),
            Parameter("method", "text", "of the request", "GET"),
            Parameter("header", "text", '"Name: value"', repeats=True),
            Parameter("body", "text", "the content", ""),
            Parameter("client", "text", "the address, for this and later requests", "192.0.2.1"),
            Parameter("times", "number", "how often, one after another; facts are about the last one", 1.0),
            Parameter("protocol", "text", "of the request, HTTP/1.1 or HTTP/2.0", HTTP1),
            TLS,
        ),
        _request,
    ),
    "client": Statement(
        "The client of later requests: its address, and fields that it sends with each. A field of the "
        "request itself with the same name takes the place of one.",
        (
            Parameter("header", "text", '"Name: value"; may be repeated', repeats=True),
            Parameter("address", "text", "the address", "192.0.2.1"),
            Parameter("protocol", "text", "of the request, HTTP/1.1 or HTTP/2.0", HTTP1),
            TLS,
        ),
        _client,
    ),
    "expect": Statement(
        "Fails the test unless the condition holds for the last request.",
        (Parameter("condition", "expression", "of facts and literals", needed=True),),
        _expect,
    ),
    "advance": Statement(
        "Moves the clock. Objects expire, and origins that were slow go on.",
        (Parameter("time", "number", "such as 61s", needed=True),),
        _advance,
    ),
    "health": Statement(
        "Sets the health of a backend. All are healthy when a test begins, those with a probe too. With "
        "polls, so many polls of its probe have this result, each after the interval: the clock moves.",
        (
            Parameter("backend", "text", "its name", needed=True),
            Parameter("healthy", "truth", "true or false", needed=True),
            Parameter("polls", "number", "in a row; 0: the health is set by hand, at once", 0.0),
        ),
        _health,
    ),
    "row": Statement(
        "Replaces a row of a table of the policy, or adds it. Without a value, removes it.",
        (
            Parameter("table", "text", "its name", needed=True),
            Parameter("key", "text", "of the row, as in a file", needed=True),
            Parameter("value", "value", "a text, a number or a truth; of a BACKEND the name"),
        ),
        _row,
    ),
    "env": Statement(
        "Sets an environment variable, for std.getenv(), before the world of the test begins, so vcl_init "
        "sees it, too. Without a value, removes it.",
        (Parameter("name", "text", "of the variable", needed=True), Parameter("value", "text", "its value")),
        _before,
    ),
    "tag": Statement(
        "Marks the test, for --tag and --skip-tag. It may have several names.",
        (Parameter("name", "text", "a literal", needed=True, repeats=True),),
        _before,
    ),
    "chance": Statement(
        "Starts another sequence of random choices: of std.random(), directors and the like. draw(n = "
        "number(1, 100)) and chance(n) try many.",
        (Parameter("seed", "number", "a whole number; tests begin with 1", needed=True),),
        _chance,
    ),
}
