"""The meaning of parsed views and of look-ups in tables, for the random policies of random_five.py: written from the description of the
language, as five_meaning.py is."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address, ip_network

from five_meaning import Fail, Value

URLS = ["/", "/a", "/a/b?a=1&b=2", "/x1.png?b=&a&B=3&a=4", "/a.b/c?utm_x=1&utm_y=2&b=", "/zab.tar.gz?&&a=a/b&", "/a?", "/?ab=1=2", "/a?b?a=7"]
COOKIES = ["a=1", "a=1; b=2; a=3", " b ; ab=x=y;", ";", "utm_x=1; b=7", "B=1; utm_y=-12;a", "zab"]
DIRECTIVES = ["max-age=7", "private, Max-Age = 60", 'private="a, b", no-cache', 'no-cache="x\\"y, a", b', "a=,b", ', "', 'max-age="7"']
NAMES = ["a", "b", "B", "ab", "utm_x", "c"]
DIRECTIVE_NAMES = ["max-age", "MAX-AGE", "private", "no-cache", "a", "b"]
PATTERNS = ["a", "b", "B", "utm_*", "*b", "*b*", "*", "c"]

#: Name, type, kind, rows, default.
TABLES: dict[str, tuple[str, str, dict[str, Value], Value]] = {
    "WORDS": ("STRING", "exact", {"a": "one", "a/b": "two", "zab": ""}, None),
    "PLACES": ("STRING", "prefix", {"a": "p", "a/": "q", "x": "r"}, "else"),
    "HOSTS": ("INT", "suffix", {"b": 5, "a.b": 7}, None),
    "TOPS": ("INT", "prefix", {"": 1, "a": 2}, 3),
    "NETS": ("STRING", "ip", {"10.0.0.0/8": "ten", "10.1.0.0/16": "more", "::/0": "six"}, None)}


def parameters(url: str) -> list[str]:
    found = url.find("?")
    return [part for part in url[found + 1:].split("&") if part] if found >= 0 else []


def cookies(header: str | None) -> list[str]:
    return [part for part in (part.strip(" \t") for part in (header or "").split(";")) if part]


def named(pairs: list[str], name: str) -> str | None:
    for pair in pairs:
        key, _, value = pair.partition("=")
        if key == name:
            return value
    return None


def path(url: str) -> str:
    return url.split("?", 1)[0]


def extension(url: str) -> str | None:
    last = path(url).split("/")[-1]
    return last.split(".")[-1] if "." in last else None


def selected(pairs: list[str], patterns: list[str], keep: bool) -> list[str]:
    """The pairs of which any pattern fits the name, or none does."""
    return [pair for pair in pairs if any(fits(pair.partition("=")[0], pattern) for pattern in patterns) is keep]


def fits(name: str, pattern: str) -> bool:
    if pattern == "*":
        return True
    inner = pattern.strip("*")
    if pattern[0] == pattern[-1] == "*":
        return inner in name
    if pattern[0] == "*":
        return name.endswith(inner)
    return name.startswith(inner) if pattern[-1] == "*" else name == inner


def with_parameters(url: str, pairs: list[str]) -> str:
    return path(url) + ("?" + "&".join(pairs) if pairs else "")


def with_path(url: str, new: str) -> str:
    if new == "" or "?" in new:
        raise Fail
    return new + url[len(path(url)):]


def directives(header: str) -> list[str]:
    """The items between commas. A comma in quotes separates nothing, unless the quotes never end."""
    items, at, begin = [], 0, 0
    while at < len(header):
        if header[at] == ",":
            items.append(header[begin:at])
            begin = at + 1
        elif header[at:at + 2] == '\\"':
            at += 1
        elif header[at] == '"':
            at = _end_of_quotes(header, at)
        at += 1
    return [*items, header[begin:]]


def _end_of_quotes(header: str, begin: int) -> int:
    """The quote that ends the text; ``begin`` itself if there is none."""
    at = begin + 1
    while at < len(header) and header[at] != '"':
        at += 2 if header[at] == "\\" else 1
    return at if at < len(header) else begin


def directive(header: str | None, name: str) -> str | None:
    for item in directives(header or ""):
        key, _, value = item.partition("=")
        if item.strip(" \t") and key.strip(" \t").lower() == name.lower():
            value = value.strip(" \t")
            return value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value
    return None


# ---- tables

COVERS: dict[str, Callable[[str, str], bool]] = {
    "exact": lambda key, text: key == text, "prefix": lambda key, text: text.startswith(key),
    "suffix": lambda key, text: text == key or text.endswith("." + key)}


def look_up(table: str, text: Value) -> Value:
    """The row with the longest key that covers the text."""
    _, kind, rows, default = TABLES[table]
    if not isinstance(text, str):
        return default
    if kind == "ip":
        return _network(rows, text)
    keys = [key for key in rows if COVERS[kind](key, text)]
    return rows[max(keys, key=len)] if keys else default


def _network(rows: dict[str, Value], text: str) -> Value:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    keys = [key for key in rows if address in ip_network(key)]
    return rows[max(keys, key=lambda key: ip_network(key).prefixlen)] if keys else None


def declared(name: str) -> str:
    """The declaration of a table."""
    type, kind, rows, default = TABLES[name]
    shown = [f"{_key(key, kind)} => {_constant(value)}" for key, value in rows.items()]
    shown += [f"default => {_constant(default)}"] if default is not None else []
    return f"table {name} : {type} by {kind} [{', '.join(shown)}];"


def _key(key: str, kind: str) -> str:
    return '"{}"/{}'.format(*key.split("/")) if kind == "ip" else f'"{key}"'


def _constant(value: Value) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
