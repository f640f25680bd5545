"""Reads requests and answers: heads as they are sent, and entries of HAR files (HTTP Archive 1.2)."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any
from urllib.parse import urlsplit

from vernis.record import replace
from vernis.trial.world import HTTP1, HTTP2
from vernis.why.inquiry import Fields, Given, Sent, with_value

# Fields about the connection or the coding of the content. The runtime makes them anew.
_OF_TRANSFER = frozenset(
    ("content-length", "transfer-encoding", "connection", "keep-alive", "content-encoding")
)


class InputTrouble(Exception):
    """An input is malformed. The text says where."""


def target_of(url: str) -> tuple[str, str | None]:
    """The request target and the host of ``http://HOST/PATH`` or ``/PATH``."""
    parts = urlsplit(url)
    if not url.startswith("/") and (parts.scheme not in ("http", "https") or not parts.netloc):
        raise InputTrouble(f"{url!r} has no host and path: write http://HOST/PATH or /PATH")
    target = url.partition("#")[0] if url.startswith("/") else (parts.path or "/") + _query(url, parts.query)
    if not target.isascii() or any(character <= " " or character == "\x7f" for character in target):
        raise InputTrouble(f"{target!r} holds blanks or other characters that a URL writes as %XX")
    return target, None if url.startswith("/") else parts.netloc.rpartition("@")[2]


def _query(url: str, query: str) -> str:
    return f"?{query}" if query or "?" in url.partition("#")[0] else ""


def at_url(url: str, sent: Sent) -> Sent:
    """The request for a URL. Its host becomes Host, unless the request has one."""
    target, host = target_of(url)
    has_host = any(name.lower() == "host" for name, _ in sent.fields)
    fields = sent.fields if host is None or has_host else with_value(sent.fields, "Host", host)
    return replace(sent, url=target, fields=fields)


def field_of(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or not name.strip() or any(character in line for character in "\r\n\0"):
        raise InputTrouble(f"{line!r} is no field: write 'Name: value'")
    return name.strip(), value.strip()


def raw_request(data: bytes, name: str) -> Sent:
    """A request as a client sends it: the head, an empty line, the content."""
    first, fields, body = _message(data, name)
    words = first.split(" ")
    if len(words) not in (2, 3):
        raise InputTrouble(f"{name}:1: {first!r} is no request line: METHOD URL HTTP/1.1")
    protocol = HTTP2 if words[2:] in (["HTTP/2"], [HTTP2]) else HTTP1
    return at_url(words[1], Sent("/", words[0], fields, body, protocol=protocol))


def raw_answer(data: bytes, name: str) -> Given:
    """An answer as an origin sends it."""
    first, fields, body = _message(data, name)
    words = first.split(" ", 2)
    if len(words) < 2 or not words[0].startswith("HTTP/") or not words[1].isdigit():
        raise InputTrouble(f"{name}:1: {first!r} is no status line: HTTP/1.1 200 OK")
    return Given(_status(words[1], name), _kept(fields), body)


def _status(text: str, name: str) -> int:
    if not text.isdigit() or not 100 <= int(text) <= 999:
        raise InputTrouble(f"{name}: {text} is no status")
    return int(text)


def _message(data: bytes, name: str) -> tuple[str, Fields, bytes]:
    head, _, body = data.replace(b"\r\n", b"\n").partition(b"\n\n")
    lines = head.decode("latin-1").strip("\n").split("\n")
    fields = []
    for number, line in enumerate(lines[1:], 2):
        try:
            fields.append(field_of(line))
        except InputTrouble as error:
            raise InputTrouble(f"{name}:{number}: {error}") from None
    return lines[0], tuple(fields), body


def _kept(fields: Fields) -> Fields:
    return tuple(pair for pair in fields if pair[0].lower() not in _OF_TRANSFER)


# ---- HAR ---------------------------------------------------------------------------------------------------


def har_entry(data: bytes, name: str, entry: int | None, url: str | None) -> Sent:
    """An entry with its response as the answer: number ``entry`` from 1, else the first whose URL has ``url``
    in it, else the first."""
    try:
        entries = json.loads(data)["log"]["entries"]
        assert isinstance(entries, list)
    except (ValueError, KeyError, TypeError, AssertionError):
        raise InputTrouble(f"{name}: no HAR file: it needs log.entries") from None
    urls = [str(_part(one, "request").get("url", "")) for one in entries]
    numbers = [at for at, found in enumerate(urls) if url is None or url in found]
    if entry is not None:
        numbers = [entry - 1]
    if not numbers or not 0 <= numbers[0] < len(entries):
        raise InputTrouble(f"{name}: no such entry; it has {len(entries)}")
    try:
        return _of_entry(entries[numbers[0]])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputTrouble(f"{name}: entry {numbers[0] + 1} is malformed: {error!r}") from None


def _part(entry: Any, name: str) -> dict[str, Any]:
    found = entry.get(name) if isinstance(entry, dict) else None
    return found if isinstance(found, dict) else {}


def _of_entry(entry: Any) -> Sent:
    request, response = _part(entry, "request"), _part(entry, "response")
    body = str(_part(request, "postData").get("text", "")).encode()
    protocol = HTTP2 if str(request.get("httpVersion")).lower() in ("h2", "http/2", "http/2.0") else HTTP1
    fields, answer = _har_fields(request), _har_answer(response)
    sent = Sent("/", str(request["method"]), fields, body, answer=answer, protocol=protocol)
    return at_url(str(request["url"]), sent)


def _har_fields(message: dict[str, Any]) -> Fields:
    """Fields of a message. A browser also notes the pseudo fields of HTTP/2."""
    pairs = tuple(
        field_of(f"{row['name']}: {row['value']}")
        for row in message.get("headers", ())
        if row["name"][:1] != ":"
    )
    return _kept(pairs)


def _har_answer(response: dict[str, Any]) -> Given:
    content = _part(response, "content")
    text = str(content.get("text", ""))
    try:
        body = base64.b64decode(text) if content.get("encoding") == "base64" else text.encode()
    except binascii.Error:
        body = b""
    status = int(response.get("status") or 0)
    if not status:  # the browser got no answer
        return Given(fails="closes")
    return Given(_status(str(status), "response"), _har_fields(response), body)
