"""Puts mistakes into valid policies: what people mistype, and what they bring from other languages and old versions.

The edits of the compiler must lead back to the policy, or leave an error. The first text of each mistake is the policy that
was meant, so no table has to say it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

#: Comments, texts, names, numbers, operators, other characters.
TOKEN = re.compile(
    r'#[^\n]*|//[^\n]*|/\*.*?\*/|""".*?"""|\{".*?"\}|"[^"\n]*"|[A-Za-z_][\w.-]*|\d+(?:\.\d+)?[A-Za-z]*'
    r"|==|!=|&&|\|\||!~|<=|>=|=>|\?\?|\+=|-=|->|\S", re.S)
NAME = re.compile(r"[A-Za-z_][\w.-]*")
TEXT = re.compile(r'"[^"\n]*"')


@dataclass(slots=True, frozen=True)
class Token:
    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    return [Token(m[0], m.start(), m.end()) for m in TOKEN.finditer(text)]


def words(text: str) -> list[str]:
    """The tokens without comments."""
    return [token.text for token in tokens(text) if not is_comment(token.text)]


def comments(text: str) -> list[str]:
    return [token.text for token in tokens(text) if is_comment(token.text)]


def is_comment(text: str) -> bool:
    return text.startswith(("#", "//", "/*"))


#: Words before a name of the policy's own.
DECLARING = {"acl", "backend", "probe", "sub", "fn", "table", "counter", "budget", "const", "let", "mut", "new", "as", "for", "("}

#: Makes other texts of a token, knowing its neighbours.
Mistake = Callable[[Token, list[Token], int], Iterator[str]]

#: Other spellings of operators, words and endings.
SWAPPED = {
    ";": ("", ",", ";;"), ",": ("", ";"), ")": ("",), "(": ("",), "}": ("", "};"), "{": ("",), "+": ("", ".", "&"),
    "==": ("=", "==="), "=": ("==", ":=", "=>", ""), "!=": ("<>", "!=="), "~": ("=~", "==", "~~"), "!~": ("! ~", "~!", "!=~"),
    "&&": ("and", "AND", "&"), "||": ("or", "OR", "|"), "!": ("not ", "NOT "), "??": ("?", "?:"), "=>": (":", "="), ":": ("", "=", "=>"),
    "[": ("(", "{"), "]": (")", "}"), "->": (":", "=>"),
    "unset": ("remove", "delete", "del"), "set": ("", "let", "var"), "call": ("",), "let": ("var", "", "set"), "sub": ("function", "fn"),
    "elseif": ("else", "else if", "elif"), "elsif": ("else",), "return": ("", "return return"), "case": ("",), "hash": ("lookup",),
    "lookup": ("hash",), "synth": ("error",), "error": ("synth",), "pass": ("hit_for_pass",), "fetch": ("miss", "pass"),
    "is": ("==",), "in": ("~", ":", "="), "true": ("yes", "on", "1", "TRUE"), "false": ("no", "off"), "4.1": ('"4.1"', "v4.1", "4", "3.0", ""),
    "5.0": ('"5.0"', "v5.0", "5", "5.1", "50"), "vcl": ("VCL", "version", ""), "restart": ("retry",), "retry": ("restart",),
}
OTHER_SIDE = {"req": ("bereq",), "bereq": ("req",), "beresp": ("resp", "obj"), "resp": ("beresp",), "obj": ("beresp", "bereq", "resp")}
#: Names of variables in other versions and other servers.
ELSEWHERE = {
    "req.method": ("req.request",), "req.url": ("req.uri", "request.url"), "req.http.host": ("req.host",), "req.backend_hint": ("req.backend",),
    "resp.status": ("obj.status", "resp.code", "response.status"), "client.ip": ("req.ip", "client.addr"), "resp.reason": ("obj.response",),
    "beresp.grace": ("beresp.stale_while_revalidate", "beresp.stale_if_error"), "beresp.status": ("beresp.code",),
    "bereq.backend": ("bereq.backend_hint",), "beresp.uncacheable": ("beresp.cacheable",),
}
UNITS = {"ms": ("msec",), "s": ("sec", "S", " seconds"), "m": ("min", "M", " minutes"), "h": ("hr", "H", "hours"), "d": ("days", "D"), "w": ("week",), "y": ("years",)}


def swapped(token: Token, around: list[Token], i: int) -> Iterator[str]:
    yield from SWAPPED.get(token.text, ())


def misspelt(token: Token, around: list[Token], i: int) -> Iterator[str]:
    """A letter is missing, doubled, or has changed its place."""
    text = token.text
    name = text.find(".http.")      # the name of a field is free
    if NAME.fullmatch(text) and not _declares(around, i):
        for at in range(len(text) if name < 0 else name + len(".http.")):
            yield text[:at] + text[at + 1:]
            yield text[:at] + text[at] + text[at:]
            if "." not in text[at:at + 2]:
                yield text[:at] + text[at + 1:at + 2] + text[at] + text[at + 2:]


def _declares(around: list[Token], i: int) -> bool:
    """Whether a name of the policy's own stands here for the first time: the edit changes its uses instead."""
    text, before = around[i].text, around[i - 1].text if i else ""
    return before in DECLARING and not text.startswith("vcl_") or before == "set" and "." not in text


def elsewhere(token: Token, around: list[Token], i: int) -> Iterator[str]:
    """The same variable of the message on the other side of the cache, of another version or server."""
    head, _, rest = token.text.partition(".")
    if head in OTHER_SIDE and rest:
        yield from (f"{other}.{rest}" for other in OTHER_SIDE[head])
        is_field, _, field = rest.partition("http.")
        if field and not is_field:
            yield from (f'{head}.http["{field}"]', f"{head}.http[{field}]", f"{head}.{field}", f"{head}.http:{field}")
    yield from ELSEWHERE.get(token.text.lower(), ())


def unquoted(token: Token, around: list[Token], i: int) -> Iterator[str]:
    """Other quotes, and none."""
    if TEXT.fullmatch(token.text):
        inner = token.text[1:-1]
        yield from (f"'{inner}'", f"`{inner}`", f"\u201c{inner}\u201d", inner, f'{{"{inner}')
        if inner.startswith("(?i)"):
            yield f'"{inner[4:]}"i'
    elif NAME.fullmatch(token.text) and "." not in token.text or token.text[0].isdigit():
        yield f'"{token.text}"'


def measured(token: Token, around: list[Token], i: int) -> Iterator[str]:
    """Other units of durations."""
    match = re.fullmatch(r"(\d+)(ms|[smhdwy])", token.text)
    if match:
        yield from (match[1] + unit for unit in UNITS[match[2]])
        yield match[1]
        lower = {"m": (60, "s"), "h": (60, "m"), "d": (24, "h"), "w": (7, "d")}.get(match[2])
        if lower is not None and int(match[1]) > 1:
            yield f"{int(match[1]) - 1}{match[2]}{lower[0]}{lower[1]}"


MISTAKES: tuple[Mistake, ...] = (swapped, misspelt, elsewhere, unquoted, measured)


def seeded(text: str) -> Iterator[tuple[str, str]]:
    """A policy with one mistake each, and what was done."""
    around = tokens(text)
    for i, token in enumerate(around):
        if not is_comment(token.text):
            for mistake in MISTAKES:
                for other in mistake(token, around, i):
                    if other != token.text:
                        yield f"{mistake.__name__}: {token.text} became {other}", text[:token.start] + other + text[token.end:]
