"""The words of a request for the daemon's commands, from a URL and fields as an operator writes them."""

from __future__ import annotations

from urllib.parse import urlsplit

from vernis.commands.outcome import Trouble

_DEFAULT_PORTS = {"http": ":80", "https": ":443"}  # clients omit the default port in Host


def request_words(url: str, fields: list[str], protocol: str) -> list[str]:
    """The request target, with its version unless that is the daemon's default, and the fields as lines of
    the head. Host comes from the URL, unless a field sets it."""
    try:
        parts = urlsplit(url)
        has_user = parts.username is not None
    except ValueError as error:
        raise Trouble(f"{url!r} is not a URL: {error}") from None
    if not url.startswith("/") and (parts.scheme not in ("http", "https") or not parts.netloc):
        raise Trouble(f"{url!r} has no host and path: write http://HOST/PATH, or /PATH with -H 'Host: HOST'")
    if has_user:
        raise Trouble(
            f"{url!r} has a user name, which a request does not carry: give -H 'Authorization: ...' instead"
        )
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query or "?" in url.partition("#")[0] else "")
    if url.startswith("/"):
        target = url.partition("#")[0]
    if not target.isascii() or any(character <= " " or character == "\x7f" for character in target):
        raise Trouble(f"{target!r} holds blanks or other characters that a URL writes as %XX")
    lines = [_field(field) for field in fields]
    if not any(line.lower().startswith("host:") for line in lines):
        if url.startswith("/"):
            raise Trouble(
                f"the request for {url} has no Host: write http://HOST{url}, or add -H 'Host: HOST'"
            )
        lines.insert(0, f"Host: {parts.netloc.removesuffix(_DEFAULT_PORTS[parts.scheme])}")
    return [target if protocol == "HTTP/1.1" else f"{target} {protocol}", *lines]


def _field(text: str) -> str:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise Trouble(f"{text!r} is not a field: write -H 'NAME: VALUE'")
    if any(character in text for character in "\r\n\0"):
        raise Trouble(f"the field {name} has a line break or NUL in it: each field is one line")
    return f"{name.strip()}: {value.strip()}"
