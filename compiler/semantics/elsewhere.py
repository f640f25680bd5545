"""Help for names and words of other hooks, older versions and other servers. Only error paths use this
file."""

from __future__ import annotations

import re

from vernis.record import record
from vernis.semantics.context import Context
from vernis.semantics.types import BYTES_UNITS, DURATION_UNITS, Type
from vernis.semantics.vocabulary import VariableRow
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Span

# The same message on the other side of the cache, in search order.
COUNTERPARTS = {
    "req": ("bereq",),
    "bereq": ("req",),
    "beresp": ("resp", "obj"),
    "resp": ("beresp",),
    "obj": ("beresp", "resp"),
}
IN_OLD_HOOKS = {("vcl_error", "obj"): ("resp",)}
RENAMED_THERE = {"req.backend_hint": "bereq.backend", "bereq.backend": "req.backend_hint"}

# Variables that were never in VCL 4, and variables that can be read but were once written.
FORMS = {
    "req.url.path": r'regsub(req.url, "\?.*", "")',
    "req.url.qs": r'regsub(req.url, "^[^?]*\??", "")',
    "beresp.stale_while_revalidate": "beresp.grace",
    "beresp.stale_if_error": "beresp.grace, and a short req.grace while std.healthy(req.backend_hint)",
    "obj.cacheable": "obj.uncacheable, which has the opposite meaning",
    "req.path": r'regsub(req.url, "\?.*", "")',
    "req.uri": "req.url",
    "req.host": "req.http.Host",
    "req.cookie": "req.http.Cookie",
    **dict.fromkeys(("req.query", "req.querystring", "req.qs"), r'regsub(req.url, "^[^?]*\??", "")'),
    **dict.fromkeys(("req.ip", "req.remote_addr", "client.addr"), "client.ip"),
    "resp.code": "resp.status",
    "beresp.code": "beresp.status",
    "fastly_info.state": "obj.hits in vcl_deliver, which is 0 after a miss",
    "client.geo": "import geoip2; the address is client.ip",
}
ROOTS = {
    "request": "req",
    "response": "resp",
    "backend_request": "bereq",
    "backend_response": "beresp",
    "object": "obj",
}
WRITTEN = {"req.hash": "since VCL 4 it is hash_data(...)"}

BOOL_WORDS = {"yes": "true", "on": "true", "no": "false", "off": "false"}

FUNCTIONS = {
    "hash": "write: hash_data(...)",
    "echo": "import std; and write: std.log(...)",
    "print": "import std; and write: std.log(...)",
    "if": "`if` is a statement: if (...) { set ... } else { set ... }",
    "not": "write: !(...)",
    "urlencode": "import urlcode; and write: urlcode.encode(...)",
    "urldecode": "import urlcode; and write: urlcode.decode(...)",
    "strftime": 'a time joined with text becomes an HTTP date: "" + now',
}

# Help for an action, by the side of its hook.
CLIENT_ACTIONS = {
    "retry": "return (restart) starts the request again",
    "error": "return (synth(status, reason)) answers a request",
    "purge": "return (purge) works in vcl_recv",
    "pipe": "return (pipe) works in vcl_recv",
}
BACKEND_ACTIONS = {
    "restart": "return (retry) repeats the fetch",
    "synth": "return (error(status, reason)) ends the fetch",
    "pipe": "return (pipe) works in vcl_recv",
}
SAME_ARGUMENTS = {"synth": "error", "error": "synth"}

UNITS = {
    word: unit
    for unit, words in {
        "ms": "msec msecs millisecond milliseconds",
        "s": "sec secs second seconds",
        "m": "min mins minute minutes",
        "h": "hr hrs hour hours",
        "d": "day days",
        "w": "week weeks",
        "y": "yr yrs year years",
    }.items()
    for word in words.split()
}
_PIECE = re.compile(r"(\d+)(ms|[smhdwy])")

# The form of a constant of a type other than text.
CONSTANTS = {
    Type.INT: re.compile(r"-?\d{1,15}"),
    Type.REAL: re.compile(r"-?\d{1,12}\.\d{1,3}"),
    Type.DURATION: re.compile(rf"\d{{1,12}}(\.\d{{1,3}})?({'|'.join(DURATION_UNITS)})"),
    Type.BYTES: re.compile(rf"\d{{1,12}}(\.\d{{1,3}})?({'|'.join(BYTES_UNITS)})", re.I),
}


@record
class Counterpart:
    """A variable that can replace the written one; ``text`` is its spelling."""

    row: VariableRow
    text: str


def counterparts(
    cx: Context, row: VariableRow, name: nodes.Name, use: str, anywhere: bool = False
) -> list[Counterpart]:
    """Returns the variables of other messages that are legal for this use here, or ``anywhere``."""
    head, _, rest = name.text.partition(".")
    renamed = RENAMED_THERE.get(name.text.lower())
    hook = cx.sub.name if cx.sub is not None else ""
    others = IN_OLD_HOOKS.get((hook, head.lower())) or COUNTERPARTS.get(head.lower(), ())
    candidates = [renamed] if renamed else [f"{other}.{rest}" for other in others]
    legal = []
    for text in candidates:
        is_field = row.key.endswith(".http.") and len(name.parts) == 3
        found = cx.scope.variables.get(f"{text.partition('.')[0]}.http." if is_field else text.lower())
        mask = (
            0
            if found is None
            else found.read
            if use == "read"
            else found.set
            if use == "set"
            else found.unset
        )
        if found is not None and found.type is row.type and mask and (anywhere or cx.legal_here(mask)):
            legal.append(Counterpart(found, text))
    return legal


def form_of(name: str) -> str:
    """Returns the replacement for a variable of other servers."""
    key = name.lower()
    return next((form for known, form in FORMS.items() if key == known or key.startswith(known + ".")), "")


def about_word(cx: Context, name: nodes.Name, use: str) -> tuple[str, str | None]:
    """Returns a help text for a name without a message, and its replacement if that is certain."""
    head = name.parts[0].lower()
    if head in ROOTS and len(name.parts) > 1:
        meant = ".".join((ROOTS[head], *name.parts[1:]))
        return f"did you mean {meant}?", meant
    messages = ("req", "bereq", "beresp", "resp") if cx.reach else ()
    fields = [message for message in messages if _usable(cx, cx.scope.variables.get(f"{message}.http."), use)]
    if head == "http" and len(name.parts) == 2 and fields:
        meant = f"{fields[-1]}.{name.text}"
        return f"write a header field as {meant}", meant
    if len(name.parts) > 1:
        return "", None
    last = [
        row.name
        for row in cx.scope.variables.values()
        if row.name.rpartition(".")[2] == head and _usable(cx, row, use)
    ]
    if last:
        return f"did you mean {' or '.join(last[:3])}?", last[0] if len(last) == 1 else None
    field = f"write a header field as {fields[-1]}.http.{name.text}" if fields else ""
    quoted = f'put text in quotes: "{name.text}"' if use == "read" else ""
    return "; ".join(filter(None, (quoted, field))), None


def function_named(cx: Context, name: nodes.Name, use: str) -> str:
    """Returns the help for an assignment to a function, such as ``set std.log = "x"``."""
    symbol = cx.scope.symbols.get(name.parts[0].lower())
    module = None if symbol is None else symbol.module
    wanted = ".".join(name.parts[1:]).lower()
    is_function = module is not None and wanted in module.functions
    return f"it is a function; without `{use}`: {name.text}(...);" if is_function and use != "read" else ""


def _usable(cx: Context, row: VariableRow | None, use: str) -> bool:
    mask = 0 if row is None else row.read if use == "read" else row.set if use == "set" else row.unset
    return bool(mask) and cx.legal_here(mask)


def about_function(cx: Context, name: str) -> str:
    """Returns a help text that names the module with a function of this name."""
    key = name.lower()
    if key in FUNCTIONS:
        return FUNCTIONS[key]
    having = [module for module, row in cx.scope.vocabulary.modules.items() if key in row.functions]
    having.sort(key=lambda module: (module not in cx.scope.symbols, module != "std"))
    if not having:
        return ""
    imported = "" if having[0] in cx.scope.symbols else f"import {having[0]}; and "
    return f"{imported}write: {having[0]}.{key}(...)"


def import_edit(cx: Context, module: str) -> tuple[Edit, ...]:
    """Returns the edit that imports a module after the version line, once per module."""
    program = cx.checked.program
    first = program.declarations[0] if program.declarations else None
    if not isinstance(first, nodes.Version) or module in cx.scope.imports_offered:
        return ()
    cx.scope.imports_offered.add(module)
    span = cx.report.span(first.at)
    return (Edit(Span(span.file, span.end, span.end), f"\nimport {module};"),)


def joined_units(text: str) -> str:
    """Returns ``1h30m`` as one number with a unit, or an empty text."""
    pieces = _PIECE.findall(text)
    if len(pieces) < 2 or "".join(map("".join, pieces)) != text:
        return ""
    smallest = min((unit for _, unit in pieces), key=lambda unit: DURATION_UNITS[unit])
    total = sum(int(number) * DURATION_UNITS[unit] for number, unit in pieces) / DURATION_UNITS[smallest]
    return f"{round(total)}{smallest}"
