"""Random calls of all functions of the vocabulary, with arguments that are likely to be useful."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from vernis.semantics.types import Type
from vernis.semantics.vocabulary import FunctionRow, Param, load_vocabulary

T = Type

#: Arguments by function and parameter, or by parameter. Every other parameter gets any value of its type.
ARGUMENTS: dict[str, list[str]] = {
    "path": ['"/nonexistent"', '"/dev/null"'], "file": ['"/nonexistent"', '"/dev/null"'], "filename": ['"/nonexistent"'],
    "format": ['"%Y-%m-%d"', '"%H:%M"', '""'], "priority": ["7"], "size": ["8", "64"], "std.cache_req_body.size": ["10KB", "1B"],
    "tag": ['"VCL_Log"', '"Debug"', '"nonsense"'], "vxid": ["0", "1001"], "duration": ["0s"], "addr": ['"nonsense"'],
    "expression": ['"obj.http.x == 1"', '"req.url ~ ^/a"', '"nonsense"'], "name": ['"HOME"', '"X-Foo"', '"first"', '"x-c"'],
    "directors.lookup.name": ['"first"', '"other"', '"nonsense"'], "cookiename": ['"foo"', '"bar"', '""'],
    "filterstring": ['"foo"', '"foo,bar"', '""'], "cookieheader": ['"foo=1; bar=2"', "{text}"], "weight": ["1.0", "2.5"],
    "probability": ["0.5", "0.0"], "replicas": ["5", "67"], "alt": ["0", "1"], "warmup": ["0.5", "-1.0"], "flags": ["0"],
    "backend": ["first", "other"], "std.syntax.version": ["4.0", "4.1", "5.0"], "p": ['"80"'], "resolve": ["false"],
    "std.ip.s": ['"10.1.1.1"', '"::1"', '"nonsense"'], "std.ip.resolve": ["false"], "n": ["0", "1", "3"], "str.take.offset": ["0", "2"],
    "key": ['"k"', '"other"'], "limit": ["1", "5"], "period": ["1y"], "block": ["1y", "0s"], "keys": ['"a b"', '""'], "expires": ["1s"],
    "threshold": ["0", "10"], "string": ['"en"', '"text/html,text/plain"', '"*"'], "type": ['"int"', '"z"', '"p"', '"nonsense"'],
    "std.fnmatch.period": ["true", "false"],
    "authorization": ['"Basic Zm9vOmJhcg=="', "{text}"], "blob.sub.length": ["1B", "2B", "9B"], "blob.sub.offset": ["0B", "1B"],
    "length": ["0", "4"], "lo": ["2.5"], "hi": ["2.5"], "tos": ["0"], "late": ["true"], "by": ["HASH", "URL", "KEY"],
    "rampup": ["true", "false"], "shard.add_backend.rampup": ["1s"], "param": [":aGk=:"], "host": ['"127.0.0.1"'], "port": ['"80"'],
    "directors.shard.add_backend.rampup": ["1s"], "ident": ['"a"', '"b"'], "max_connections": ["0"], "proxy_header": ["0"]}
_NUMBERS = ['"12"', '"1.5"', '"-3"', '"abc"', '"10s"', '"5KB"', '"784111777"', "{text}"]
ARGUMENTS |= {f"std.{name}.s": _NUMBERS for name in ("duration", "bytes", "integer", "real", "time")}
ARGUMENTS |= {f"dynamic.director.{name}": ["1s"] for name in (
    "ttl", "connect_timeout", "first_byte_timeout", "between_bytes_timeout", "domain_usage_timeout", "first_lookup_timeout", "retry_after")}

#: Calls whose value differs between runs or machines. The value is used but not logged. ``{}`` is the call.
UNSHOWN: dict[str, str] = {
    "vsthrottle.blocked": "{} > 0s", "vtc.workspace_free": "{} > -1", "vtc.workspace_reserve": "{} > 0B",
    "vtc.workspace_dump": "blob.length({}) > 1000000", "directors.shard_param.use": "blob.length({}) > 1000000",
    "std.getenv": 'regsub({}, ".*", "") == ""', "req.hash": "blob.length({}) == 32", "bereq.hash": "blob.length({}) == 32"}

#: Statements that prepare an object after its ``new``. ``{}`` is its name.
PREPARED: dict[str, str] = {
    "directors.round_robin": "{}.add_backend(first); {}.add_backend(other);",
        "directors.fallback": "{}.add_backend(other); {}.add_backend(first);",
    "directors.random": "{}.add_backend(first, 1.0);", "directors.hash": "{}.add_backend(first, 1.0); {}.add_backend(other);",
    "directors.shard": "{}.add_backend(first); {}.add_backend(other); {}.reconfigure();",
        "accept.rule": '{}.add("en"); {}.add("text/html");', "re2.set": '{}.add("", sub = as_value); {}.add("a");'}


class Values(Protocol):
    """The source of a call's arguments."""

    rng: random.Random
    modules: set[str]

    def value(self, type: Type, depth: int) -> str: ...
    def text(self, depth: int) -> str: ...
    def quoted(self, texts: list[str]) -> str: ...
    def field_name(self, changed: bool) -> str | None: ...
    def message(self) -> str | None: ...


@dataclass(slots=True, frozen=True)
class Callable:
    """A function of a module, or a method of its object. ``owner`` is ``module`` or ``module.object``."""

    owner: str
    row: FunctionRow

    @property
    def name(self) -> str:
        return f"{self.owner}.{self.row.name}"

    @property
    def is_method(self) -> bool:
        return "." in self.owner


@cache
def callables() -> dict[str, Callable]:
    """Callables by the name under which coverage counts them, without ``module``."""
    found = []
    for module in load_vocabulary().modules.values():
        found += [Callable(module.name, row) for row in module.functions.values()]
        for made in module.objects.values():
            found += [Callable(f"{module.name}.{made.name}", row) for row in made.methods.values()]
    return {item.name: item for item in found}


def arguments(values: Values, owner: str, row: FunctionRow, depth: int) -> str | None:
    """The text between the parentheses. None: an argument must be a message that the hook does not have."""
    made, named = [], False
    for param in row.params:
        if (param.optional or param.has_default) and values.rng.random() < 0.5:
            named = True
            continue
        text = _argument(values, owner, row, param, depth)
        if text is None:
            return None
        named = named or (param.optional or param.has_default) and values.rng.random() < 0.3
        made.append(f"{param.name} = {text}" if named else text)
    return ", ".join(made)


def _argument(values: Values, owner: str, row: FunctionRow, param: Param, depth: int) -> str | None:
    known = ARGUMENTS.get(f"{owner}.{row.name}.{param.name}") or ARGUMENTS.get(f"{owner}.{param.name}") or ARGUMENTS.get(param.name)
    match param.type:
        case T.ENUM:
            return values.rng.choice([word for word in param.values if word not in ("BLOB", "LAZY", "thread")])
        case T.REGEX:
            return values.quoted(["o+(.)", "^a", "(.)=(.)", "foo", ""])
        case T.HEADER:
            return values.field_name(bool(row.writes))
        case T.HTTP:
            return values.message()
        case T.IP:
            return values.value(T.IP, 0)
        case T.BLOB:
            return values.value(T.BLOB, 0)
        case T.SUB:
            return "as_value"
        case _ if known and _fits(param.type, known[0]):
            return values.rng.choice(known).replace("{text}", values.text(0))
    return f"({values.value(param.type, min(depth, 1))})" if param.type is T.STRANDS else values.value(param.type, min(depth, 1))


def _fits(type: Type, text: str) -> bool:
    is_text = text.startswith('"')
    return is_text == (type in (T.STRING, T.STRANDS))
