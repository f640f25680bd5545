"""CK011: substitutions that remove parameters from the URL, tried on examples.

A policy strips parameters by some regsub() in a row. The rule applies such a row to URLs with one of the
stripped parameters at each place, and looks at what is left. So it judges the result, whatever the patterns
look like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from vernis.lint.rule import Finding, Rule
from vernis.lint.view import View, bare
from vernis.record import record
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_URLS = ("req.url", "bereq.url")
_WORD = later(r"[a-z_]{3,}")
_REMOVED = later(r"(\\[0-9]|[?&])*")  # what a removal writes in place of its match
_WORDS_MAX = 20  # names of parameters that are tried
_KNOWN = ("utm_source", "gclid", "fbclid")
_KEPT = "/p?zq=2&yq=3"  # no policy strips these
# URLs with a stripped parameter at each place, and what should be left. The second form is a stripped
# parameter between others, where a pattern that eats a separator joins its neighbours.
_CASES = (
    ("/p?{w}=abc1&zq=2", "/p?zq=2"),
    ("/p?zq=2&{w}=abc1&yq=3", "/p?zq=2&yq=3"),
    ("/p?zq=2&{w}=abc1", "/p?zq=2"),
    ("/p?{w}=abc1", "/p"),
)

Step = Callable[[str], str]


def compiled(pattern: str) -> re.Pattern[str] | None:
    """A pattern that means the same to Python and to PCRE2; None for others, and for wrong ones. Classes like
    ``[[:alpha:]]`` are others."""
    try:
        return None if "[[" in pattern else re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return None


def substitution(view: View, statement: nodes.Stmt) -> Step | None:
    """The substitution that a statement applies to the URL."""
    if not isinstance(statement, nodes.Set) or view.name(statement.target) not in _URLS:
        return None
    call = bare(statement.value)
    if not isinstance(call, nodes.CallExpr) or view.name(call.name) not in ("regsub", "regsuball"):
        return None
    if len(call.args) != 3 or view.variable(call.args[0].value) != view.name(statement.target):
        return None
    pattern, text = (view.text(argument.value) for argument in call.args[1:])
    if pattern is None or text is None:
        return None
    found = compiled(pattern)
    if found is None:
        return None
    count = 1 if view.name(call.name) == "regsub" else 0
    return lambda url: found.sub(lambda match: _replaced(match, text), url, count=count)


def _replaced(match: re.Match[str], text: str) -> str:
    """A replacement as VCL reads it: a backslash before a digit names a group."""

    def group(name: re.Match[str]) -> str:
        number = int(name[1])
        return (match[number] or "") if number <= match.re.groups else ""

    return re.sub(r"\\([0-9])", group, text)


@record(frozen=True)
class _Sub:
    """A statement that changes the URL: a substitution, or an ``if`` that matches the URL and has only such
    statements, which are ``inner``."""

    statement: nodes.Stmt
    step: Step
    pattern: str
    inner: tuple[_Sub, ...] = ()


def _sub_of(view: View, statement: nodes.Stmt) -> _Sub | None:
    if not isinstance(statement, nodes.If):
        step = substitution(view, statement)
        if step is None or not isinstance(statement, nodes.Set):
            return None
        call = bare(statement.value)
        assert isinstance(call, nodes.CallExpr)
        if not _REMOVED.fullmatch(view.text(call.args[2].value) or ""):
            return None  # it writes another text in place of its match
        return _Sub(statement, step, view.text(call.args[1].value) or "")
    condition = bare(statement.arms[0].condition) if statement.arms[0].condition is not None else None
    if len(statement.arms) > 1 or not isinstance(condition, nodes.Compare) or condition.op != "~":
        return None
    inner = [_sub_of(view, one) for one in statement.arms[0].body.statements if isinstance(one, nodes.Set)]
    pattern = compiled(view.text(condition.right) or "(")
    if view.variable(condition.left) not in _URLS or pattern is None:
        return None
    if None in inner or len(inner) < len(statement.arms[0].body.statements):
        return None
    subs = tuple(one for one in inner if one is not None)
    text = " ".join(one.pattern for one in subs)
    return _Sub(statement, lambda url: _applied(subs, url) if pattern.search(url) else url, text, subs)


def _rows(view: View) -> Iterator[list[_Sub]]:
    """The rows of substitutions."""
    inside: set[nodes.Block] = set()  # blocks that were part of another row
    for block in view.blocks():
        if block in inside:
            continue
        row: list[_Sub] = []
        for statement in block.statements:
            one = _sub_of(view, statement)
            if one is not None:
                row.append(one)
                if isinstance(statement, nodes.If):
                    inside.add(statement.arms[0].body)
            elif row:
                yield row
                row = []
        if row:
            yield row


def _applied(row: Iterable[_Sub], url: str) -> str:
    for one in row:
        url = one.step(url)
    return url


def _wrong(row: list[_Sub], word: str) -> tuple[str, str, str] | None:
    """A URL that a row spoils, its result, and the right one; None if the row does not strip the parameter,
    or does it well."""
    results = [(case.format(w=word), _applied(row, case.format(w=word)), left) for case, left in _CASES]
    if all(word in result for _, result, _ in results):
        return None
    return next((one for one in results if one[1] != one[2]), None)


def _culprit(row: Sequence[_Sub], word: str, url: str, left: str) -> _Sub:
    """The substitution from which on the URL is wrong, so that no later one can mend it. Where only
    separators or the parameter itself are left, it is the one that removes the parameter."""
    for one in row:
        after = one.step(url)
        if _tidy(after, word) != left:
            return _culprit(one.inner, word, url, left) if one.inner else one
        url = after
    for case, _ in _CASES:
        url = case.format(w=word)
        for one in row:
            if f"{word}=" not in one.step(url):
                return _culprit(one.inner, word, url, left) if one.inner else one
            url = one.step(url)
    return row[0]


def _tidy(url: str, word: str) -> str:
    """A URL without a parameter, and without separators that separate nothing."""
    path, _, query = re.sub(rf"{word}=[^&]*", "", url).partition("?")
    parts = [part for part in query.split("&") if part]
    return path + ("?" + "&".join(parts) if parts else "")


class QueryStripRegexWrong(Rule):
    id = "CK011"
    name = "query-strip-regex-wrong"
    severity = Severity.WARNING
    what = "Substitutions that remove parameters from the URL spoil it for some places of the parameter."
    why = (
        "A pattern that eats a separator joins two parameters or loses the question mark: another "
        "page is stored under this key. One that leaves `?&` makes more copies."
    )
    remedy = (
        r'set req.url = regsuball(req.url, "([?&])(utm_source|gclid)=[^&]*", "\1"), then remove double and '
        "trailing separators"
    )
    source = "https://github.com/mageops/ansible-infrastructure/pull/21"
    bad = 'sub vcl_recv { set req.url = regsuball(req.url, "[?&]utm_source=[^&]*", ""); }'
    good = (
        r'sub vcl_recv { set req.url = regsuball(req.url, "([?&])utm_source=[^&]*", "\1"); '
        r'set req.url = regsuball(req.url, "&+", "&"); set req.url = regsub(req.url, "\?&", "?"); '
        r'set req.url = regsub(req.url, "[?&]+$", ""); }'
    )

    def check(self, view: View) -> Iterator[Finding]:
        if not view.where.has_any("regsub()", "regsuball()"):
            return
        for row in _rows(view):
            if _applied(row, _KEPT) != _KEPT:
                continue
            words = dict.fromkeys((*_KNOWN, *_WORD.findall(" ".join(one.pattern for one in row))))
            for word in list(words)[:_WORDS_MAX]:
                wrong = _wrong(row, word)
                if wrong is not None:
                    url, result, left = wrong
                    at = _culprit(row, word, url, left).statement
                    yield Finding(view.span(at), f"{url} becomes {result}, not {left}")
                    break
