"""RE: regular expressions that match more, or less, than their author meant.

The checker refuses patterns that PCRE2 does not read (V307), so no rule here repeats that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vernis.lint.automata import matches_nothing
from vernis.lint.effects import Effect, effect_of
from vernis.lint.pattern import Bytes, Choice, Edge, Group, Pattern, Repeat, Sequence, Tree, trees_in
from vernis.lint.rule import Finding, Fix, Rule
from vernis.lint.uses import URLS, Use, tests_of, uses_of
from vernis.lint.view import View, field_of, has_hook, parts_of
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_EXTENSIONS = (
    "7z|asp|aspx|avi|bmp|bz2|cgi|css|csv|doc|docx|eot|exe|flv|gif|gz|htm|html|ico|jpeg|jpg|js|json|map|mov|mp3|mp4"
    "|mpeg|mpg|ogg|otf|pdf|php|pl|png|ppt|pptx|rar|rss|rtf|svg|svgz|swf|tar|tgz|tiff|ttf|txt|wav|webm|webp|woff"
    "|woff2|xls|xlsx|xml|zip"
)
_BEFORE_FETCH = ("vcl_init", "vcl_recv", "vcl_hash", "vcl_backend_fetch")
_DOT, _SET, _MORE = (
    "\0",
    "\1",
    "\2",
)  # a dot, a class or escape, a group or repeat, in the outline of a sequence
_HOST_DOT = later(r"(?<=[\w\x01\x02\x80-\xff-])\0(?=[\w\x02\x80-\xff-]|$)")
_EXTENSION_DOT = later(rf"\0(?=(?:{_EXTENSIONS})(?!\w))")
_GROUP_DOT = later(r"\0(?=\x02)")
_EXTENSION = later(rf"(?:{_EXTENSIONS})")
_ADDRESS = later(r"(?<!\d)\d{1,3}[\0.]\d{1,3}[\0.]\d{1,3}[\0.]\d{1,3}(?!\d)")


def _outline(sequence: Sequence) -> str:
    """One character for each item."""
    return "".join(map(_outlined, sequence.items))


def _outlined(item: Tree) -> str:
    if not isinstance(item, Bytes):
        return "" if isinstance(item, Sequence) else _MORE
    if item.kind == "dot":
        return _DOT
    return letter_of(item) if item.kind == "literal" else _SET


def letter_of(one: Bytes) -> str:
    """The letter of a literal, in lower case if both cases match."""
    return chr(one.mask.bit_length() - 1)


class UnescapedDot(Rule):
    id = "RE001"
    name = "unescaped-dot"
    severity = Severity.WARNING
    what = (
        "A dot in a host name, an address, or before a file extension of URLs that get an error stands for "
        "any byte."
    )
    why = (
        "www.example.com also matches wwwXexample.com, a host that anybody can register. A note "
        "if the pattern has no end or begin either (RE002). A pattern whose match leads to an "
        "error is left out."
    )
    remedy = "write a backslash before the dot"
    changes = "a value with another byte in place of the dot does not match"
    source = "https://github.com/varnishcache/varnish-cache/issues/2380"
    bad = 'sub vcl_recv { if (req.http.host ~ "^www.example.com$") { return (pass); } }'
    good = 'sub vcl_recv { if (req.http.host ~ "^www\\.example\\.com$") { return (pass); } }'
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        for use in uses_of(view):
            if "." not in use.text or use.pattern is None:
                continue
            dots = list(dict.fromkeys(_bare_dots(use, use.pattern)))
            if dots and _matters(view, use):
                edits = [use.edit(view, dot.start, dot.end, "\\.") for dot in dots]
                whole = tuple(edit for edit in edits if edit is not None)
                fix = Fix("escape the dots", whole, safe=True) if len(whole) == len(dots) else None
                place = use.part(view, dots[0].start, dots[0].end)
                is_wider = use.is_of_host and _foreign_host(use, use.pattern, False) is not None
                severity = Severity.NOTE if is_wider or _only_answers(use) else None
                yield Finding(place, "this dot matches any byte, not only a dot", fix=fix, severity=severity)


def _matters(view: View, use: Use) -> bool:
    """Whether somebody gains from a match that was not meant. That of a deny-list harms nobody. A URL decides
    who is let through only if a miss denies."""
    effect = effect_of(view, use)
    return effect is Effect.ADMITS if use.subject in URLS else effect is not Effect.DENIES


def _only_answers(use: Use) -> bool:
    """Whether the pattern asks for the host when origin and key have been chosen: a foreign host changes only
    its own answers."""
    return use.is_of_host and not has_hook(use.hooks, *_BEFORE_FETCH)


def _bare_dots(use: Use, pattern: Pattern) -> Iterator[Bytes]:
    for tree in trees_in(pattern.tree):
        if not isinstance(tree, Sequence) or any(isinstance(item, Sequence) for item in tree.items):
            continue
        outline = _outline(tree)
        places = [
            at + n
            for match in _ADDRESS.finditer(outline)
            for n, c in enumerate(match[0])
            if c == _DOT
            for at in (match.start(),)
        ]
        if use.is_of_host:
            places += [match.start() for match in _HOST_DOT.finditer(outline)]
        if use.subject in URLS:
            places += [match.start() for match in _EXTENSION_DOT.finditer(outline)]
            places += [
                match.start()
                for match in _GROUP_DOT.finditer(outline)
                if _are_extensions(tree.items[match.start() + 1])
            ]
        for place in sorted(places):
            dot = tree.items[place]
            assert isinstance(dot, Bytes)
            yield dot


def _are_extensions(tree: Tree) -> bool:
    """Whether a group is a choice of file extensions, which an option of one letter may end."""
    words = texts_of(tree)
    return isinstance(tree, Group) and bool(words) and all(_EXTENSION.fullmatch(word) for word in words)


# ---- hosts -------------------------------------------------------------------------------------------------

TEXTS_MAX = 16  # examples of one pattern


def texts_of(tree: Tree) -> list[str]:
    """Some texts that the author had in mind: each alternative, no optional parts, and a dot for a dot."""
    match tree:
        case Bytes():
            if tree.kind == "dot":
                return ["."]
            return [letter_of(tree) if tree.kind == "literal" else "a"]
        case Edge():
            return [""]
        case Group():
            return texts_of(tree.item)
        case Repeat():
            return [text * tree.least for text in texts_of(tree.item)] if 0 < tree.least < TEXTS_MAX else [""]
        case Choice():
            return [text for item in tree.items for text in texts_of(item)][:TEXTS_MAX]
        case Sequence():
            found = [""]
            for item in tree.items:
                found = [before + text for before in found for text in texts_of(item)][:TEXTS_MAX]
            return found


_TOP_LEVEL = "[a-z]{2,3}|app|cloud|example|info|internal|local|localhost|online|shop|site|test"
_DOMAIN = later(rf"(https?://)?\.?([a-z0-9_-]+\.)+({_TOP_LEVEL})(/)?")
# Names below these belong to others: second levels of countries, and hosts of providers.
_REGISTRIES = later(
    r"(?i)(^|\.)((ac|co|com|edu|gov|net|or|org)\.[a-z]{2}|(appspot|azurewebsites|blogspot|cloudfront|github|gitlab"
    r"|herokuapp|myshopify|netlify|pages|vercel|web|workers)\.[a-z]+)$"
)
_REFERRERS = frozenset(("origin", "referer"))


class UnanchoredHost(Rule):
    id = "RE002"
    name = "unanchored-host"
    severity = Severity.WARNING
    what = "A pattern for a host also matches the hosts of others: it has no end, or no dot before the name."
    why = (
        "Anybody can register evilexample.com, or make the name example.com.evil.net, and the "
        "policy treats it as one of yours."
    )
    remedy = "write ^ or (^|\\.) before the name, and $ or (:|$) behind it"
    changes = "hosts of others do not match, and hosts below the name, in capitals or with a port do"
    source = "https://github.com/yandex/gixy/blob/master/docs/en/plugins/origins.md"
    bad = 'sub vcl_recv { if (req.http.host ~ "example\\.com$") { return (pass); } }'
    good = 'sub vcl_recv { if (req.http.host ~ "(^|\\.)example\\.com$") { return (pass); } }'
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        for use, _ in tests_of(view):
            field = field_of(use.subject or "")
            referrer = field is not None and field[1] in _REFERRERS
            if (use.is_of_host or referrer) and use.pattern is not None:
                if effect_of(view, use) is Effect.DENIES:
                    continue
                foreign = _foreign_host(use, use.pattern, referrer)
                if foreign is not None:
                    fix = None if referrer else _anchored(view, use)
                    severity = Severity.NOTE if _only_answers(use) else None
                    message = f"this pattern also matches {foreign}"
                    yield Finding(use.span(view), message, fix=fix, severity=severity)


def _anchored(view: View, use: Use) -> Fix | None:
    """The pattern as the whole host: the name itself, hosts below it, and their ports."""
    name = use.text.removeprefix("(?i)").removeprefix("^").removesuffix("$")
    if re.search(r"[|()^$]", name):
        return None
    edit = use.edit(view, 0, len(use.text), rf"(?i)(^|\.){name}(:[0-9]+)?$")
    return None if edit is None else Fix("match the whole name", (edit,), safe=False)


def _foreign_host(use: Use, pattern: Pattern, referrer: bool) -> str | None:
    """The shortest host of somebody else that the pattern matches like the host that was meant."""
    language = use.language
    if language is None:
        return None
    foreign = [
        host
        for text in texts_of(pattern.tree)
        if _DOMAIN.fullmatch(text.lower())
        for host in _hosts_like(text, referrer)
        if language.matches(host.encode("latin-1"))
    ]
    return min(foreign, key=len, default=None)


def _hosts_like(text: str, referrer: bool) -> Iterator[str]:
    scheme, separator, host = text.rpartition("://")
    if referrer:
        before = (scheme or "https") + "://"
    elif separator:
        return
    else:
        before = ""
    if not host.endswith("/"):
        yield f"{before}{host.removeprefix('.') if referrer and not separator else host}.evil.net"
    if not host.startswith(".") and len(host.rstrip("/").split(".")) == _own_labels(host.rstrip("/")):
        yield f"{before}evil{host}"


def _own_labels(host: str) -> int:
    """How many labels a name has that anybody can register: other names below it belong to its owner."""
    last = _REGISTRIES.search(host)
    return 2 if last is None else last[0].count(".") + 1


class AlternationAnchor(Rule):
    id = "RE010"
    name = "alternation-anchor"
    severity = Severity.WARNING
    what = "In a choice of alternatives, ^ is only in the first one, or $ only in the last one."
    why = "An anchor belongs to its alternative, not to the choice: ^/admin|/login also matches /blog/login."
    remedy = "put the choice into parentheses: ^(/admin|/login)"
    changes = "alternatives in the middle of a value do not match"
    source = "https://github.com/sillsdev/icu-dotnet/pull/217"
    bad = 'sub vcl_recv { if (req.url ~ "^/admin|/login") { return (pass); } }'
    good = 'sub vcl_recv { if (req.url ~ "^(/admin|/login)") { return (pass); } }'
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        for use, _ in tests_of(view):
            tree = use.pattern.tree if "|" in use.text and use.pattern is not None else None
            if isinstance(tree, Choice) and all(isinstance(item, Sequence) for item in tree.items):
                anchors = _stray_anchors([item for item in tree.items if isinstance(item, Sequence)])
                if anchors:
                    which = " and ".join(anchors)
                    edit = use.edit(view, 0, len(use.text), _grouped(use.text, anchors))
                    fix = None if edit is None else Fix("group the alternatives", (edit,), safe=False)
                    yield Finding(use.span(view), f"not all alternatives have {which}", fix=fix)


def _grouped(text: str, anchors: list[str]) -> str:
    start, end = "^" if "^" in anchors else "", "$" if "$" in anchors else ""
    return f"{start}({text.removeprefix(start).removesuffix(end)}){end}"


def _stray_anchors(items: list[Sequence]) -> list[str]:
    """The anchors that only the first or the last of similar alternatives has."""
    starts = [_is_edge(item.items[:1], "^") for item in items]
    ends = [_is_edge(item.items[-1:], "$") for item in items]
    first = starts[0] and not any(starts[1:]) and not ends[0]
    last = ends[-1] and not any(ends[:-1]) and not starts[-1]
    kinds = {_kind(item.items[start:]) for item, start in zip(items, starts, strict=True)}
    if len(kinds) > 1 or None in kinds or (any(starts) and not first) or (any(ends) and not last):
        return []
    return ["^"] * first + ["$"] * last


def _is_edge(items: tuple[Tree, ...], kind: str) -> bool:
    return bool(items) and isinstance(items[0], Edge) and items[0].kind == kind


def _kind(items: tuple[Tree, ...]) -> str | None:
    """The first byte of an alternative: a letter, or which other byte."""
    if not items or not isinstance(items[0], Bytes) or items[0].kind != "literal":
        return None
    letter = letter_of(items[0])
    return "a" if letter.isalnum() else letter


class MissingGroup(Rule):
    id = "RE009"
    name = "missing-group"
    severity = Severity.WARNING
    what = "A replacement inserts a group that the pattern does not have, or writes a group as $1."
    why = "A missing group inserts nothing, and $1 is plain text in VCL."
    remedy = "write \\1 for the first pair of parentheses"
    source = "https://varnish-cache.org/docs/trunk/reference/vcl.html"
    bad = 'sub vcl_recv { set req.url = regsub(req.url, "^/old/.*", "/new/\\1"); }'
    good = 'sub vcl_recv { set req.url = regsub(req.url, "^/old/(.*)", "/new/\\1"); }'

    def check(self, view: View) -> Iterator[Finding]:
        for use in uses_of(view):
            if use.call is None or use.pattern is None or len(use.call.args) < 3:
                continue
            for part in parts_of(use.call.args[2].value):
                if isinstance(part, nodes.StringLit):
                    message = _wrong_group(part.value, use.pattern.groups)
                    if message is not None:
                        yield Finding(view.span(part), message)


def _wrong_group(replacement: str, groups: int) -> str | None:
    numbers = [
        int(match[1]) for match in re.finditer(r"\\(.)", replacement, re.S) if match[1] in "0123456789"
    ]
    missing = [number for number in numbers if number > groups]
    if missing:
        return f"the pattern has {groups} groups, so \\{missing[0]} is empty"
    dollar = re.search(r"\$([1-9])", replacement)
    if dollar is not None and not numbers and int(dollar[1]) <= groups:
        return f"{dollar[0]} is plain text here: write \\{dollar[1]}"
    return None


class MatchesNothing(Rule):
    id = "RE012"
    name = "matches-nothing"
    severity = Severity.WARNING
    what = "No text at all matches a pattern."
    why = (
        "The test never holds (with !~ always), or the substitution changes nothing. In a pattern "
        "! is a plain byte, so that !^text$ wants a text before its own begin."
    )
    remedy = "write !~ to negate a test, a backslash before a sign that is meant as text, or delete the test"
    source = "https://www.pcre.org/current/doc/html/pcre2pattern.html#SEC5"
    bad = 'sub vcl_recv { if (req.http.X-Coding ~ "!^gzip$") { return (synth(415)); } }'
    good = 'sub vcl_recv { if (req.http.X-Coding !~ "^gzip$") { return (synth(415)); } }'
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        for use in uses_of(view):
            if matches_nothing(use.text):
                yield Finding(
                    use.span(view), f"no text matches this pattern, so {_said_of(use)}", _negated(use)
                )


def _said_of(use: Use) -> str:
    if use.test is None:
        return "the substitution changes nothing"
    return f"the test {'never' if use.test.op == '~' else 'always'} holds"


def _negated(use: Use) -> str:
    """The remedy for a ! that stands in the pattern instead of before the sign."""
    if use.test is None or not use.text.startswith("!"):
        return ""
    return f'a ! in a pattern is a plain byte: write {"!~" if use.test.op == "~" else "~"} "{use.text[1:]}"'
