"""CK011: substitutions that remove parameters from the URL, tried on examples.

A policy strips parameters by some regsub() in a row. The rule applies such a row to URLs with one of the
stripped parameters at each place, and looks at what is left. So it judges the result, whatever the patterns
look like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from vernis.lint.rule import Finding, Rule
from vernis.lint.view import View, bare
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_URLS = ("req.url", "bereq.url")
_WORD = re.compile(r"[a-z_]{3,}")
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


def _steps(view: View, statement: nodes.Stmt) -> list[Step] | None:
    """The substitutions of a statement: its own, or those of an ``if`` that matches the URL and does nothing
    else. None if it does other things."""
    if not isinstance(statement, nodes.If):
        one = substitution(view, statement)
        return None if one is None else [one]
    condition = bare(statement.arms[0].condition) if statement.arms[0].condition is not None else None
    if len(statement.arms) > 1 or not isinstance(condition, nodes.Compare) or condition.op != "~":
        return None
    inner = [substitution(view, one) for one in statement.arms[0].body.statements]
    if view.variable(condition.left) not in _URLS or None in inner:
        return None
    pattern = compiled(view.text(condition.right) or "(")
    return None if pattern is None else [_guarded(pattern, [one for one in inner if one is not None])]


def _guarded(pattern: re.Pattern[str], steps: list[Step]) -> Step:
    return lambda url: _applied(steps, url) if pattern.search(url) else url


def _rows(view: View) -> Iterator[tuple[nodes.Stmt, list[Step]]]:
    """The first statement of each row of substitutions, and all of the row."""
    inside: set[nodes.Block] = set()  # blocks that were part of another row
    for block in view.blocks():
        if block in inside:
            continue
        first: nodes.Stmt | None = None
        steps: list[Step] = []
        for statement in block.statements:
            more = _steps(view, statement)
            if more is not None:
                first = first or statement
                steps += more
                if isinstance(statement, nodes.If):
                    inside.add(statement.arms[0].body)
            elif first is not None:
                yield first, steps
                first, steps = None, []
        if first is not None:
            yield first, steps


def _applied(steps: list[Step], url: str) -> str:
    for step in steps:
        url = step(url)
    return url


def _wrong(steps: list[Step], word: str) -> str | None:
    """A URL that a row spoils, with its result; None if it does not strip the parameter, or does it well."""
    results = [(case.format(w=word), _applied(steps, case.format(w=word)), left) for case, left in _CASES]
    if all(word in result for _, result, _ in results):
        return None
    for url, result, left in results:
        if result != left:
            return f"{url} becomes {result}, not {left}"
    return None


class QueryStripRegexWrong(Rule):
    id = "CK011"
    name = "query-strip-regex-wrong"
    severity = Severity.WARNING
    what = "Substitutions that remove parameters from the URL spoil it for some places of the parameter."
    why = (
        "A pattern that eats a separator joins two parameters or loses the question mark, and the origin "
        "answers another page under this key. One that leaves `?&` or misses a place makes more copies."
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
        for first, steps in _rows(view):
            if _applied(steps, _KEPT) != _KEPT:
                continue
            words = dict.fromkeys((*_KNOWN, *_WORD.findall(view.written(first))))
            for word in list(words)[:_WORDS_MAX]:
                wrong = _wrong(steps, word)
                if wrong is not None:
                    yield Finding(view.span(first), wrong)
                    break
