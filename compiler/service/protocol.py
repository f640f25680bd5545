"""The protocol of the daemon and the compile server: one JSON object per line, in both directions.

Requests::

    {"id": 7, "op": "compile", "name": "boot", "path": "/etc/vernis/site.vcl", "vcl_path": ["/etc/vernis"],
     "vmod_path": ["/usr/lib/vernis/modules"], "out_dir": "/var/lib/vernis/images", "any_path": true,
     "err_unref": true, "labels": ["shop"], "unix_listener": false, "rule_counters": true,
     "params": {"limit": "10"}}
    {"id": 8, "op": "ping"}

``text`` may replace ``path``; if both are present, ``path`` is only the name in messages. ``labels`` are
the labels that ``return (vcl(...))`` may name; without the member it may name any. ``params`` are the
values of -D. Every request gets one answer with its id. Compiles start in order of arrival; answers come
when they are ready::

    {"id": 7, "ok": true, "image": "/var/lib/vernis/images/boot.1.so", "warnings": "", "cached": false,
     "timings": {"parse": 0.0021, ...}, "sources": ["/etc/vernis/site.vcl", "<builtin>"], "labels": ["shop"]}
    {"id": 7, "ok": false, "errors": "error[V301]: ..."}

If a child makes a system call that the sandbox forbids, the server sends the child's report before the
answer::

    {"id": 0, "ok": false, "denied": "Forbidden system call: ..."}

A policy may hold any bytes, but JSON holds only UTF-8. ``text_latin1`` and ``path_latin1`` replace a ``text``
and ``path`` that are not UTF-8: each character is one byte. The server also accepts other bytes in requests.
Answers are strict UTF-8 without NUL, as JSON libraries require; U+FFFD replaces all other bytes. This file
does no I/O.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

DENIED_ID = 0  # id of a report without a request; the daemon's ids begin at 1
REQUEST_BYTES_MAX = 64 << 20  # limit of one line, which may contain the text of a policy
NAME_LENGTH_MAX = 255


class ProtocolError(Exception):
    """A request is invalid. ``request_id`` is None if its id could not be read."""

    def __init__(self, message: str, request_id: int | None = None) -> None:
        super().__init__(message)
        self.request_id = request_id


@dataclass(slots=True, frozen=True)
class Ping:
    id: int


@dataclass(slots=True, frozen=True)
class CompileRequest:
    id: int
    name: str
    path: str | None
    text: bytes | None
    out_dir: str
    vcl_path: tuple[str, ...] = ()
    vmod_path: tuple[str, ...] = ()
    any_path: bool = True
    err_unref: bool = True
    labels: tuple[str, ...] | None = None
    unix_listener: bool = False
    rule_counters: bool = True
    params: Mapping[str, str] = field(default_factory=dict)


Request = Ping | CompileRequest


def decode_request(line: bytes) -> Request:
    """Parses the request in one line. Raises ProtocolError if it is invalid."""
    try:
        members = json.loads(line.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"request is not JSON: {error}") from None
    if not isinstance(members, dict):
        raise ProtocolError("request is not a JSON object")
    request_id = members.get("id")
    if not isinstance(request_id, int) or isinstance(request_id, bool):
        raise ProtocolError('request has no number as "id"')
    match members.get("op"):
        case "ping":
            return Ping(request_id)
        case "compile":
            return _compile_request(request_id, members)
        case other:
            raise ProtocolError(f'unknown "op" {other!r}; known are compile, ping', request_id)


def encode_answer(request_id: int | None, ok: bool, **members: Any) -> bytes:
    """The answer as one line, including its newline."""
    told = {name: _tellable(value) for name, value in members.items()}
    return (
        json.dumps({"id": request_id, "ok": ok, **told}, ensure_ascii=False, separators=(",", ":")).encode()
        + b"\n"
    )


def _tellable(value: Any) -> Any:
    """Replaces the characters in a text that strict JSON readers reject."""
    match value:
        case str():
            return (
                value.encode("utf-8", "surrogateescape")
                .decode("utf-8", "replace")
                .replace("\0", "\N{REPLACEMENT CHARACTER}")
            )
        case list():
            return [_tellable(item) for item in value]
        case _:
            return value


def _compile_request(request_id: int, members: dict[str, Any]) -> CompileRequest:
    def member(name: str, kind: type | tuple[type, ...], default: Any, required: bool = False) -> Any:
        value = members.get(name)
        if value is None:
            if required:
                raise ProtocolError(f'compile needs "{name}"', request_id)
            return default
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            raise ProtocolError(f'"{name}" has the wrong type', request_id)
        return value

    name = member("name", str, "", required=True)
    if not name or len(name) > NAME_LENGTH_MAX or "/" in name or "\0" in name:
        raise ProtocolError(f"\"name\" must be 1 to {NAME_LENGTH_MAX} characters without '/'", request_id)

    def raw(name: str) -> bytes | None:
        value: str | None = member(name, str, None)
        latin1: str | None = member(f"{name}_latin1", str, None)
        if latin1 is None:
            return None if value is None else value.encode("utf-8", "surrogateescape")
        try:
            return latin1.encode("latin-1")
        except UnicodeEncodeError:
            raise ProtocolError(f'"{name}_latin1" holds characters above U+00FF', request_id) from None

    path, text = raw("path"), raw("text")
    if path is None and text is None:
        raise ProtocolError('compile needs "path" or "text"', request_id)

    def texts(name: str, default: list[str] | None) -> tuple[str, ...] | None:
        values = member(name, list, default)
        if values is not None and not all(isinstance(value, str) for value in values):
            raise ProtocolError(f'"{name}" must be a list of strings', request_id)
        return None if values is None else tuple(values)

    params = member("params", dict, {})
    if not all(isinstance(value, str) for value in params.values()):
        raise ProtocolError('"params" must have texts as values', request_id)
    return CompileRequest(
        id=request_id,
        name=name,
        path=None if path is None else path.decode("utf-8", "surrogateescape"),
        text=text,
        out_dir=member("out_dir", str, "", required=True),
        vcl_path=texts("vcl_path", []) or (),
        vmod_path=texts("vmod_path", []) or (),
        any_path=member("any_path", bool, True),
        err_unref=member("err_unref", bool, True),
        labels=texts("labels", None),
        unix_listener=member("unix_listener", bool, False),
        rule_counters=member("rule_counters", bool, True),
        params=params,
    )
