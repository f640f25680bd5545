"""Checks backends, probes and ACLs: properties by table, limits, addresses.

A row of a table names the reader of each property. A property without a row is unknown.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from typing import Any, TypeAlias

from vernis.record import replace
from vernis.semantics import literals
from vernis.semantics.context import Context
from vernis.semantics.report import certain, did_you_mean, nearest
from vernis.semantics.resolve import Kind
from vernis.semantics.typed import Acl, AclEntry, Backend, Literal, Probe
from vernis.semantics.types import Type
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit
from vernis.syntax.stock import phrase

WINDOW_MAX = 64
STATUS_MIN, STATUS_MAX = 100, 999
PROBE_DEFAULTS = Probe("", (0, 0))
ZERO_IS_DEFAULT = frozenset(
    {"timeout", "interval", "window", "threshold"}
)  # zero selects the default of the probe
ACL_FLAGS = ("log", "table", "pedantic")
SHORT_NETWORK = re.compile(r"\d{1,3}(\.\d{1,3}){0,2}")

PORT_MAX = 65535
COUNT_MAX = 2**32 - 1  # width of the field in policy_abi.h
AUTHORITY_MAX = 255  # a host name (RFC 1035, 2.3.4)
PORT = re.compile(r"\s*\+?[0-9]+")  # as C reads a number
MASK = re.compile(r"\s*\+?0*[0-9]{1,3}")

DURATION_TEXT = re.compile(r"\d+(\.\d+)?(ms|[smhdwy])")

Reader: TypeAlias = Callable[[Context, nodes.Property], Any]

SERVICES = {"http": "80", "https": "443"}  # these work without the services table of the system


# ---- values of properties ----------------------------------------------------------------------------------


def _wrong(cx: Context, prop: nodes.Property, expected: str) -> None:
    """Reports a value of the wrong kind, unless the parser has reported it."""
    if not isinstance(prop.value, nodes.Broken):
        instead = _constant(cx, prop, expected)
        help_ = f"write: .{prop.name} = {instead};" if instead else "write a constant"
        if isinstance(prop.value, nodes.NumberLit) and expected.startswith("a duration"):
            help_ = f"a duration has a unit: {prop.value.digits}s or {prop.value.digits}ms"
        cx.report.error(
            "V505",
            prop.at,
            f".{prop.name} is {expected}",
            help_,
            edits=_value_edit(cx, prop, instead),
            stock=_stock_of_value(cx, prop, expected),
        )


def _constant(cx: Context, prop: nodes.Property, expected: str) -> str:
    """Returns the likely constant when the value has the form of another type, or an empty text."""
    match prop.value:
        case nodes.NumberLit(unit=None) as number if expected.startswith("text"):
            return f'"{number.digits}"'
        case nodes.NameExpr(name=name) if expected.startswith("text"):
            return f'"{name.text}"'
        case nodes.StringLit(value=text) if expected.startswith("a duration") and DURATION_TEXT.fullmatch(
            text
        ):
            return text
        case nodes.StringLit(value=text) if expected.startswith("a whole") and text.isdecimal():
            return text
    return ""


def _value_edit(cx: Context, prop: nodes.Property, instead: str) -> tuple[Edit, ...]:
    at = getattr(prop.value, "at", None)
    return (Edit(cx.report.span(at), instead),) if instead and at is not None else ()


def _stock_of_value(cx: Context, prop: nodes.Property, expected: str) -> str:
    at = getattr(prop.value, "at", None)
    got = cx.report.token(at[0]) if at is not None else ""
    if prop.name == "probe":
        return phrase("probe value", got=f"'{got}'")
    return phrase("expected", want="CSTR" if expected.startswith("text") else "CNUM", got=f"'{got}'")


def _text(cx: Context, prop: nodes.Property) -> str | None:
    if isinstance(prop.value, nodes.StringLit):
        return prop.value.value
    _wrong(cx, prop, 'text: "..."')
    return None


def _port(cx: Context, prop: nodes.Property) -> str | None:
    """A port by number or by the name of its service."""
    text = _text(cx, prop)
    if text is None:
        return None
    if PORT.fullmatch(text) and int(text) <= PORT_MAX:
        return str(int(text))
    import socket

    try:
        return SERVICES.get(text) or str(socket.getservbyname(text, "tcp"))
    except (OSError, ValueError):
        cx.report.error(
            "V507",
            prop.at,
            f'"{text}" is not a port',
            f'write a number up to {PORT_MAX}, or the name of a service: "http"',
        )
        return None


def _duration(cx: Context, prop: nodes.Property) -> float | None:
    if not isinstance(prop.value, nodes.NumberLit) or prop.value.unit is None:
        _wrong(cx, prop, "a duration: 5s")
        return None
    literal = literals.number(cx, prop.value, Type.DURATION)
    return literal.value if isinstance(literal, Literal) and isinstance(literal.value, float) else None


def _integer(cx: Context, prop: nodes.Property) -> int | None:
    if not isinstance(prop.value, nodes.NumberLit) or prop.value.unit is not None or "." in prop.value.digits:
        _wrong(cx, prop, "a whole number")
        return None
    literal = literals.number(cx, prop.value, Type.INT)
    return literal.value if isinstance(literal, Literal) and isinstance(literal.value, int) else None


def _integer_within(low: int, high: int, stock: str = "") -> Reader:
    def read(cx: Context, prop: nodes.Property) -> int | None:
        number = _integer(cx, prop)
        if number is None or low <= number <= high:
            return number
        cx.report.error(
            "V507",
            prop.at,
            f".{prop.name} is {number}, outside {low} to {high}",
            f"write at most {high}" if number > high else f"write at least {low}",
            stock=phrase(stock) if stock else "",
        )
        return None

    return read


def _blob(cx: Context, prop: nodes.Property) -> bytes | None:
    if not isinstance(prop.value, nodes.BlobLit):
        _wrong(cx, prop, "a blob: :base64:")
        return None
    literal = literals.blob(prop.value)
    return literal.value if isinstance(literal, Literal) and isinstance(literal.value, bytes) else None


def _lines(cx: Context, prop: nodes.Property) -> bytes | None:
    """Returns the lines of a request head, each with its line end, and the empty line after them."""
    if isinstance(prop.value, tuple):
        lines = [line.value for line in prop.value]
    else:
        text = _text(cx, prop)
        if text is None:
            return None
        lines = [text]
    return b"".join(line.encode("latin-1") + b"\r\n" for line in [*lines, ""])


def _probe_of(cx: Context, prop: nodes.Property) -> int | None:
    """Returns the index of a probe: a declared one by name, or one inside the backend."""
    if isinstance(prop.value, nodes.ProbeBody):
        cx.checked.probes.append(check_probe(cx, "", prop.at, prop.value))
        return len(cx.checked.probes) - 1
    return _declared_before(
        cx, prop, "probe", Kind.PROBE, "the name of a probe or { ... }", default="no default probe"
    )


def _backend_of(cx: Context, prop: nodes.Property) -> int | None:
    index = _declared_before(cx, prop, "backend", Kind.BACKEND, "the name of a backend")
    if index is None or index < len(cx.checked.backends):
        return index
    assert isinstance(prop.value, nodes.NameExpr)  # _declared_before read it
    cx.report.error(
        "V506",
        prop.value.at,
        "the .via of a backend cannot be the backend itself",
        "name a backend that is declared above this one",
        stock=phrase("stacked via"),
    )
    return None


def _declared_before(
    cx: Context, prop: nodes.Property, what: str, kind: Kind, expected: str, default: str = "not found"
) -> int | None:
    """Returns the index of a probe or backend that is declared before the backend that names it."""
    if not isinstance(prop.value, nodes.NameExpr) or len(prop.value.name.parts) != 1:
        _wrong(cx, prop, expected)
        return None
    name = prop.value.name.text
    stock = (
        phrase(default) if name == "default" and default != "not found" else phrase("not found", name=name)
    )
    symbol = cx.scope.lookup(name, kind)
    if symbol is not None and symbol.at < prop.value.at:
        return symbol.index
    if symbol is not None:
        cx.report.error(
            "V508",
            prop.value.at,
            f"{what} {name} is declared after its use",
            "move the declaration above the backend",
            labels=[(symbol.at, "declared here")],
            stock=stock,
        )
        return None
    known = cx.scope.names(kind)
    near = nearest(name, known)
    cx.scope.mark_meant(near)
    cx.report.error(
        "V508",
        prop.value.at,
        f"there is no {what} {name}",
        did_you_mean(near, "declare it"),
        replace=certain(name, near),
        stock=stock,
    )
    return None


BACKEND_PROPERTIES: dict[str, Reader] = {
    "host": _text,
    "port": _port,
    "path": _text,
    "host_header": _text,
    "connect_timeout": _duration,
    "first_byte_timeout": _duration,
    "between_bytes_timeout": _duration,
    "probe": _probe_of,
    "max_connections": _integer_within(0, COUNT_MAX),
    "wait_limit": _integer_within(0, COUNT_MAX),
    "wait_timeout": _duration,
    "via": _backend_of,
    "authority": _text,
    "proxy_header": _integer_within(1, 2),
    "preamble": _blob,
}

PROBE_PROPERTIES: dict[str, Reader] = {
    "url": _text,
    "request": _lines,
    "expected_response": _integer_within(STATUS_MIN, STATUS_MAX, "status digits"),
    "timeout": _duration,
    "interval": _duration,
    "window": _integer_within(0, WINDOW_MAX, "window high"),
    "threshold": _integer_within(0, WINDOW_MAX, "threshold high"),
    "initial": _integer_within(0, COUNT_MAX),
}


UNREAD = ""

# Help for properties of other servers that read VCL.
FOREIGN_PROPERTIES = {
    "last_byte_timeout": "only other servers have it; .between_bytes_timeout limits each pause",
    **dict.fromkeys(
        ("ssl", "tls"), "backends use plain HTTP: run a local TLS proxy, and name it by .host or .path"
    ),
}


def _properties(
    cx: Context, what: str, table: dict[str, Reader], given: tuple[nodes.Property, ...]
) -> dict[str, Any]:
    """Returns the values of the readable properties. Reports unknown properties and those set twice. The key
    UNREAD means that a property was unknown, so a missing property may be a misspelt one."""
    values: dict[str, Any] = {}
    seen: dict[str, nodes.At] = {}
    for prop in given:
        reader = table.get(prop.name)
        if reader is None:
            near = nearest(prop.name, table)
            meant = certain(prop.name, near)
            values[UNREAD] = None
            likely = [name for name in table if name.endswith("_" + prop.name)] or near[
                :1
            ]  # .timeout: any property with this ending
            otherwise = did_you_mean(
                ["." + name for name in likely], f"it has {', '.join('.' + name for name in table)}"
            )
            cx.report.error(
                "V503",
                prop.at,
                f"a {what} has no property .{prop.name}",
                FOREIGN_PROPERTIES.get(prop.name, otherwise),
                stock=phrase("field"),
                edits=cx.report.respelled(prop.at[0] + 1, prop.name, meant),
            )
        elif prop.name in seen:
            cx.report.error(
                "V504",
                prop.at,
                f".{prop.name} is given twice",
                "remove one of the two",
                labels=[(seen[prop.name], "given here first")],
                stock=phrase("field twice", name=prop.name),
            )
        else:
            seen[prop.name] = prop.at
            values[prop.name] = reader(cx, prop)
    return values


# ---- backends and probes -----------------------------------------------------------------------------------


def check_backend(cx: Context, node: nodes.Backend) -> Backend:
    """Checks a backend. A property with an error is reported and keeps its default."""
    values = _properties(cx, "backend", BACKEND_PROPERTIES, node.properties)
    if not node.none:
        _check_address(cx, node, values)
    if "probe" not in values and not node.none and cx.scope.default_probe is not None:
        values["probe"] = cx.scope.default_probe.index
    _name_inline_probe(cx, node, values.get("probe"))
    _check_via(cx, node, values)
    present = {name: item for name, item in values.items() if item is not None}
    return Backend(name=node.name, at=node.at, none=node.none, **present)


def _check_via(cx: Context, node: nodes.Backend, values: dict[str, Any]) -> None:
    """Checks the proxy of ``.via``. The authority becomes the name sent to that proxy; None sends no name."""
    where = {prop.name: prop.at for prop in node.properties}
    authority, via = values.pop("authority", None), values.get("via")
    if via is None:
        return
    proxy = cx.checked.backends[via]
    if proxy.none or proxy.via is not None:
        cx.report.error(
            "V506",
            where["via"],
            f"backend {proxy.name} has a .via itself"
            if proxy.via is not None
            else f"backend {proxy.name} has no address",
            "name a backend with a .host or a .path and without a .via",
            stock=phrase("stacked via") if proxy.via is not None else "",
            labels=[(proxy.at, "declared here")],
        )
    if "path" in values:
        cx.report.error(
            "V506",
            where["via"],
            "a backend has a .via or a .path, not both",
            "write the address as .host",
            stock=phrase("via and path"),
            labels=[(where["path"], "the path")],
        )
        return
    given = next((name for name in ("authority", "host_header", "host") if name in where), "")
    text = {"authority": authority, "host_header": values.get("host_header"), "host": values.get("host")}.get(
        given
    )
    if text:
        values["authority"] = _authority(cx, where[given], given, text)


def _authority(cx: Context, at: nodes.At, given: str, text: str) -> str | None:
    """Returns the host name for SNI, which allows neither an address (RFC 6066, 3) nor a port."""
    name = text if text.startswith("[") or text.count(":") > 1 else text.partition(":")[0]
    if literals.parse_ip(name.strip("[]")) is not None:
        written = ".authority" if given == "authority" else f".{given} is the authority, and it"
        cx.report.error(
            "V506",
            at,
            f"{written} is an address",
            'write .authority = "name"; or .authority = ""; to send none',
            stock=phrase("authority" if given == "authority" else "authority from", name=given),
        )
        return None
    if len(name) > AUTHORITY_MAX:
        cx.report.error(
            "V507", at, f"the authority has {len(name)} bytes", f"a host name has at most {AUTHORITY_MAX}"
        )
        return None
    return name


def _name_inline_probe(cx: Context, node: nodes.Backend, probe: int | None) -> None:
    """Names a probe inside a backend after the backend."""
    if probe is not None and any(isinstance(prop.value, nodes.ProbeBody) for prop in node.properties):
        cx.checked.probes[probe] = replace(cx.checked.probes[probe], name=f"{node.name}.probe")


def _check_address(cx: Context, node: nodes.Backend, values: dict[str, Any]) -> None:
    """A backend has a host or a path, and a port only with a host."""
    where = {prop.name: prop.at for prop in node.properties}
    host, path = values.get("host"), values.get("path")
    if "host" in values and "path" in values:
        cx.report.error(
            "V506",
            where["path"],
            f"backend {node.name} has both a .host and a .path",
            "keep one of them",
            labels=[(where["host"], "the host")],
            stock=phrase("two addresses"),
        )
    elif "host" not in values and "path" not in values:
        if UNREAD in values or cx.report.broken_within(node.at):
            return  # the unreadable property may be the address
        cx.report.error(
            "V506",
            node.name_at,
            f"backend {node.name} has neither a .host nor a .path",
            'add .host = "..."; or write `backend name none;`',
            stock=phrase("no address"),
        )
    elif path is not None and not path.startswith(("/", "@")):
        cx.report.error(
            "V506",
            where["path"],
            ".path is not an absolute path",
            "write a Unix socket as /run/..., an abstract one as @name",
            stock=phrase("relative socket"),
        )
    elif path == "@":
        cx.report.error(
            "V506",
            where["path"],
            ".path has no name after the '@'",
            'write .path = "@name"',
            stock=phrase("empty socket"),
        )
    elif path is not None and cx.checked.version < (4, 1):
        cx.report.error(
            "V311",
            where["path"],
            "a .path needs vcl 4.1",
            "begin the policy with `vcl 4.1;`",
            stock=phrase("socket version"),
        )
    elif path is not None:
        if path.startswith("/"):
            _check_socket(cx, where, path)
        if "port" in values:
            cx.report.warning("V506", where["port"], "a .port has no effect with a .path", "remove it")
    elif host == "":
        cx.report.error("V506", where["host"], ".host is empty", "write a name or an address")
    elif host is not None:
        _check_host(cx, where["host"], host)


def _check_socket(cx: Context, where: dict[str, nodes.At], path: str) -> None:
    """Checks the socket of ``.path``. A missing or unreadable path is a warning, because the socket may exist
    when the server connects. A path to another kind of file is an error."""
    try:
        is_socket = stat.S_ISSOCK(os.stat(path).st_mode)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        cx.report.warning(
            "V506",
            where["path"],
            f"{path} cannot be inspected: {why}",
            "the origin must listen before the first request",
            stock=phrase("no socket", why=why),
        )
        return
    if not is_socket:
        cx.report.error(
            "V506",
            where["path"],
            f"{path} is not a socket",
            "name the socket that the origin listens on",
            stock=phrase("not a socket"),
        )


def _check_host(cx: Context, at: nodes.At, host: str) -> None:
    """Checks the brackets of an IPv6 address with a port."""
    if not host.startswith("["):
        return
    _, bracket, behind = host.partition("]")
    if not bracket:
        cx.report.error(
            "V506",
            at,
            "the '[' of the address is not closed",
            'write: "[2001:db8::1]:80"',
            stock=phrase("bracket"),
        )
    elif behind and behind[0] not in ": ":
        cx.report.error(
            "V506",
            at,
            f"unexpected {behind!r} after the ']' of an address",
            'write: "[2001:db8::1]:80"',
            stock=phrase("port separator"),
        )


def check_probe(cx: Context, name: str, at: nodes.At, body: nodes.ProbeBody) -> Probe:
    """Checks a probe, declared or inside a backend."""
    values = _properties(cx, "probe", PROBE_PROPERTIES, body.properties)
    where = {prop.name: prop.at for prop in body.properties}
    if "url" in values and "request" in values:
        cx.report.error(
            "V506",
            where["request"],
            "a probe has a .url or a .request, not both",
            "remove one of the two",
            labels=[(where["url"], "the other one")],
            stock=phrase("two requests"),
        )
    if UNREAD not in values and not cx.report.broken_within(body.at):
        _check_threshold(cx, values, where)
    if "threshold" in values and "window" not in values:
        values["window"] = min((values["threshold"] or 0) + 1, WINDOW_MAX)  # one probe may fail
    present = {
        key: item for key, item in values.items() if item or item is not None and key not in ZERO_IS_DEFAULT
    }
    threshold = present.get("threshold", PROBE_DEFAULTS.threshold)
    present.setdefault("initial", max(threshold - 1, 0))
    present["initial"] = min(present["initial"], threshold)
    return Probe(name=name, at=at, **present)


def _check_threshold(cx: Context, values: dict[str, Any], where: dict[str, nodes.At]) -> None:
    window, threshold = values.get("window"), values.get("threshold")
    if "window" in values and "threshold" not in values:
        cx.report.error(
            "V507",
            where["window"],
            "a .window without a .threshold",
            "add .threshold: the number of good results in the window",
            stock=phrase("threshold missing"),
        )
    elif window is not None and threshold is not None and threshold > window:
        cx.report.error(
            "V507",
            where["threshold"],
            f"the threshold {threshold} is more than the window {window}",
            "the backend could never become healthy",
            [(where["window"], "the window")],
            stock=phrase("threshold above"),
        )
    elif threshold == 0 and window != 0 and (window or 1) < PROBE_DEFAULTS.threshold:
        cx.report.error(
            "V507",
            where["threshold"],
            f"a threshold of 0 is the default, {PROBE_DEFAULTS.threshold}, and more than the "
            f"window {window or 1}",
            "the backend could never become healthy; write another threshold",
        )


# ---- acls --------------------------------------------------------------------------------------------------


def check_acl(cx: Context, node: nodes.Acl) -> Acl:
    """Checks an ACL and resolves its names. The longest prefixes come first."""
    flags = _acl_flags(cx, node)
    pedantic = flags.get("pedantic", cx.options.acl_pedantic)
    known: dict[tuple[bytes, int], tuple[AclEntry, nodes.At]] = {}
    for entry in node.entries:
        for item in _acl_entry(cx, entry, pedantic):
            _add_entry(cx, known, item, entry)
    entries = sorted((item for item, _ in known.values()), key=lambda item: -item.bits)
    return Acl(node.name, node.at, tuple(entries), flags.get("log", False))


def _acl_flags(cx: Context, node: nodes.Acl) -> dict[str, bool]:
    flags: dict[str, bool] = {}
    for place, flag in enumerate(node.flags):
        sign = node.name_at[1] + 1 + 2 * place
        if cx.report.space_follows(sign):
            cx.report.error(
                "V511",
                (sign, sign + 1),
                f"space between {flag[0]} and {flag[1:]}",
                f"write: {flag}",
                replace=flag,
                stock=phrase("flag wanted"),
            )
        elif flag[1:] not in ACL_FLAGS:
            cx.report.error(
                "V511",
                node.name_at,
                f"an ACL has no flag {flag[1:]}",
                f"the flags are {', '.join(ACL_FLAGS)}",
                stock=phrase("acl flag"),
            )
        flags[flag[1:]] = flag[0] == "+"
    return flags


def _add_entry(
    cx: Context,
    known: dict[tuple[bytes, int], tuple[AclEntry, nodes.At]],
    item: AclEntry,
    entry: nodes.AclEntry,
) -> None:
    """Adds an address unless it is known. Reports an address that is both included and excluded."""
    first = known.setdefault((item.address, item.bits), (item, entry.at))
    if first[0].negated != item.negated:
        cx.report.error(
            "V512",
            entry.at,
            f"{item.text} is in this ACL with and without '!'",
            "remove one of the two",
            labels=[(first[1], "the other one")],
            stock=phrase("acl conflict"),
        )


def _acl_entry(cx: Context, entry: nodes.AclEntry, pedantic: bool) -> list[AclEntry]:
    """Returns the addresses of one entry; none after an error, or when an optional name does not resolve."""
    if entry.bits is not None and "/" in entry.host:
        cx.report.error(
            "V509",
            entry.at,
            "the mask is both in the quotes and after them",
            "remove one of the two",
            stock=phrase("two masks"),
        )
        return []
    address, bits = parse_network(entry.host)
    addresses = [address] if address is not None else cx.options.resolver(entry.host)
    if not addresses and not entry.optional:
        left_out = "the compiler resolves names, and skips a name in parentheses that does not resolve: "
        negated = (
            f"write '!' before the quotes: ! \"{entry.host[1:].strip()}\";"
            if entry.host.startswith("!")
            else ""
        )
        cx.report.error(
            "V510",
            entry.at,
            f'"{entry.host}" is not an address and does not resolve to one',
            negated or left_out + f'("{entry.host}");',
            stock=_stock_of_lookup(entry.host),
        )
    made = [
        _masked(cx, entry, item, bits if entry.bits is None else entry.bits, pedantic) for item in addresses
    ]
    return [item for item in made if item is not None]


def _stock_of_lookup(host: str) -> str:
    if "/" in host:
        return phrase("mask")
    return phrase("lookup", host=host, why="Name or service not known")


def parse_network(text: str) -> tuple[bytes | None, int | None]:
    """Returns the address and mask of a numeric entry. The mask may be inside the quotes. An IPv4 address may
    lack its last parts: "192.0.2" is the network "192.0.2.0"/24."""
    host, slash, mask = text.partition("/")
    bits = int(mask) if MASK.fullmatch(mask) else None
    if slash and bits is None:
        return None, None
    address = literals.parse_ip(host)
    if address is None and SHORT_NETWORK.fullmatch(host):
        parts = [int(part) for part in host.split(".")]
        if max(parts) < 256:
            return bytes(parts).ljust(4, b"\0"), 8 * len(parts) if bits is None else bits
    return address, bits


def acl_text(entry: nodes.AclEntry) -> str:
    return ("! " if entry.negated else "") + _network_as_written(entry)


def _network_as_written(entry: nodes.AclEntry) -> str:
    """Returns an entry as the log shows it, without '!', because NEG_MATCH says that it is negated."""
    return f'"{entry.host}"' + ("" if entry.bits is None else f"/{entry.bits}")


def _masked(
    cx: Context, entry: nodes.AclEntry, address: bytes, given: int | None, pedantic: bool
) -> AclEntry | None:
    width = len(address) * 8
    bits = width if given is None else given
    if bits > width:
        cx.report.error(
            "V509",
            entry.at,
            f"/{bits} is more than the {width} bits of an IPv{4 if width == 32 else 6} address",
            f"write at most /{width}",
            stock=phrase("wide mask", bits=bits, version=4 if width == 32 else 6),
        )
        return None
    number = int.from_bytes(address, "big")
    network = (number >> (width - bits) << (width - bits)).to_bytes(len(address), "big")
    if network == address:
        return AclEntry(network, bits, entry.negated, _network_as_written(entry))
    _report_host_bits(cx, entry, network, bits, pedantic)
    return AclEntry(
        network, bits, entry.negated, f"{_network_as_written(entry)} fixed: {_network_text(network, bits)}"
    )


def _network_text(network: bytes, bits: int) -> str:
    import ipaddress

    return f"{ipaddress.ip_address(network)}/{bits}"


def _report_host_bits(cx: Context, entry: nodes.AclEntry, network: bytes, bits: int, pedantic: bool) -> None:
    import ipaddress

    message = f"{acl_text(entry)} has bits beyond its mask"
    help_ = f'"{ipaddress.ip_address(network)}"/{bits} is the network; without a mask it is one address'
    if pedantic:
        cx.report.error("V509", entry.at, message, help_, stock=phrase("host bits"))
    else:
        cx.report.warning("V509", entry.at, message, help_)
