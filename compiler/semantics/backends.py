"""Checks backends and probes: properties by table, addresses, proxies.

``properties.py`` reads the properties, and reports unknown ones.
"""

from __future__ import annotations

import os
import stat
from typing import Any

from vernis.record import replace
from vernis.semantics import hosts, literals, properties
from vernis.semantics.context import Context
from vernis.semantics.properties import UNREAD, Reader
from vernis.semantics.report import certain, did_you_mean, nearest
from vernis.semantics.resolve import Kind
from vernis.semantics.origins import Backend, Probe, kinds
from vernis.syntax import nodes
from vernis.syntax.stock import phrase

WINDOW_MAX = 64
STATUS_MIN, STATUS_MAX = 100, 999
PROBE_DEFAULTS = Probe("")
ZERO_IS_DEFAULT = frozenset(
    {"timeout", "interval", "window", "threshold"}
)  # zero selects the default of the probe
COUNT_MAX = 2**32 - 1  # width of the field in policy_abi.h
AUTHORITY_MAX = 255  # a host name (RFC 1035, 2.3.4)


def _probe_of(cx: Context, prop: nodes.Property) -> int | None:
    """Returns the index of a probe: a declared one by name, or one inside the backend."""
    if isinstance(prop.value, nodes.ProbeBody):
        cx.checked.probes.append(check_probe(cx, "", prop.value))
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
        properties.report_wrong_kind(cx, prop, expected)
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


READERS: dict[str, Reader] = {
    "Text": properties.read_text,
    "Port": properties.read_port,
    "Blob": properties.read_blob,
    "Lines": properties.read_lines,
    "Seconds": properties.read_duration,
    "Timeout": properties.read_duration,
    "ProbeIndex": _probe_of,
    "BackendIndex": _backend_of,
    "Count": properties.integer_within(0, COUNT_MAX),
    "Window": properties.integer_within(0, WINDOW_MAX, "window high"),
    "Threshold": properties.integer_within(0, WINDOW_MAX, "threshold high"),
    "Status": properties.integer_within(STATUS_MIN, STATUS_MAX, "status digits"),
    "ProxyVersion": properties.integer_within(1, 2),
}


def _readers(declaration: type[object]) -> dict[str, Reader]:
    return {name: READERS[kind] for name, kind in kinds(declaration).items() if kind in READERS}


BACKEND_PROPERTIES, PROBE_PROPERTIES = _readers(Backend), _readers(Probe)


def check_backend(cx: Context, node: nodes.Backend) -> Backend:
    """Checks a backend. A property with an error is reported and keeps its default."""
    values = properties.read_properties(cx, "backend", BACKEND_PROPERTIES, node.properties)
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
        absolute = path[path.find("/") :] if path.startswith(("unix:", "file:", "http+unix:")) else ""
        cx.report.error(
            "V506",
            where["path"],
            ".path is not an absolute path",
            f'write: .path = "{absolute}";'
            if absolute.startswith("/")
            else "write a Unix socket as /run/..., an abstract one as @name",
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
        if hosts.is_no_host(host) and not host.startswith("["):
            _report_no_host(cx, where["host"], host)
        else:
            _check_host(cx, where["host"], host)
            _check_inline_port(cx, where, host, values.get("port"))
    if _is_no_value_of_host(values.get("host_header")):
        _report_no_host_header(cx, where["host_header"], values["host_header"])


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


def _report_no_host(cx: Context, at: nodes.At, host: str) -> None:
    """Reports a URL, the path of a socket or other text in place of a host, with the host that it means."""
    scheme, authority = hosts.without_url(host)
    path = host[host.find("/") :] if host.startswith(("/", "unix:")) else ""
    if path.startswith("/"):
        message, help_ = f'.host "{host}" is the path of a Unix socket', f'write: .path = "{path}";'
    else:
        message = f'.host "{host}" is a URL' if scheme else f'.host "{host}" is not a host name or address'
        help_ = "write a name or an address"
        if authority and not hosts.is_no_host(authority):
            name, port = hosts.split_port(authority)
            help_ = f'write: .host = "{name}";' + (f' .port = "{port}";' if port else "")
        if scheme == "https":
            help_ += " with the name of a TLS proxy: connections to origins have no TLS"
    cx.report.error("V506", at, message, help_, stock=phrase("not resolved", text=host))


def _check_inline_port(cx: Context, where: dict[str, nodes.At], host: str, port: str | None) -> None:
    """A port in .host replaces .port, as in Varnish. The policy says two things if they differ."""
    _, inline = hosts.split_port(host)
    if inline is None:
        return
    number = properties.port_number(cx, inline)
    if number is None:
        cx.report.error(
            "V507", where["host"], f'"{inline}" in .host "{host}" is not a port', properties.PORT_HELP
        )
    elif port is not None and port != number:
        cx.report.warning(
            "V506",
            where["port"],
            f"this .port has no effect: .host names port {inline}, which is used",
            f"remove the .port, or the port from .host, to use {port}",
            labels=[(where["host"], "the port that is used")],
        )


def _is_no_value_of_host(text: str | None) -> bool:
    return text is not None and hosts.is_no_host(text)


def _report_no_host_header(cx: Context, at: nodes.At, text: str) -> None:
    _, authority = hosts.without_url(text)
    cx.report.warning(
        "V507",
        at,
        f'.host_header "{text}" is not a value of Host: origins answer 400',
        f'write: .host_header = "{authority}";' if authority else "write the name of the site",
    )


def _check_probe_url(cx: Context, at: nodes.At, url: str) -> None:
    """Varnish accepts any text. Origins answer 400 to most, and the backend is sick for no visible reason."""
    if url.startswith("/"):
        return
    scheme, authority = hosts.without_url(url)
    behind = url.partition("://")[2][len(authority) :] if scheme else url
    cx.report.warning(
        "V507",
        at,
        f'.url "{url}" is a URL; a probe requests a path'
        if scheme
        else f'.url "{url}" does not begin with /',
        f'write: .url = "{behind if behind.startswith("/") else "/" + behind}";',
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


def check_probe(cx: Context, name: str, body: nodes.ProbeBody) -> Probe:
    """Checks a probe, declared or inside a backend."""
    values = properties.read_properties(cx, "probe", PROBE_PROPERTIES, body.properties)
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
    if values.get("url"):
        _check_probe_url(cx, where["url"], values["url"])
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
    return Probe(name=name, **present)


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
