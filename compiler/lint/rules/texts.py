"""TY: texts that are not what they look like: numbers, durations and times as text, empty texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from vernis.lint.automata import Language, TooLargeError, common, language_of
from vernis.lint.rule import Finding, Fix, Rule, finding
from vernis.lint.view import View, bare, expressions_of, field_of
from vernis.semantics.types import Type
from vernis.semantics.vocabulary import load_vocabulary
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Severity, Span

_TYPES = {row.key: row.type for row in load_vocabulary().variables}
_FORMATTED = (Type.TIME, Type.DURATION)
_INEXACT = (Type.TIME, Type.DURATION, Type.REAL)
_ORDER = ("<", "<=", ">", ">=")
_DATES = ("date", "expires", "last-modified", "if-modified-since", "if-unmodified-since")
_NUMBERS = ("content-length", "age", "x-content-length", "max-forwards")
_TEXT_CALLS = ("regsub()", "regsuball()")
# Variables of a request line: always a text.
_LINE = ("req.url", "bereq.url", "req.method", "bereq.method", "req.proto", "bereq.proto")
_SECONDS = re.compile(r"(max-age|s-maxage|stale-while-revalidate|stale-if-error|timeout)=\"?$", re.I)
_SECONDS_FIELDS = ("age", "retry-after")
_FIELDS_MAX = 32  # half of the parameter http_max_hdr
_BYTES_MAX = 8192  # the parameters http_req_hdr_len and http_resp_hdr_len


def _tests_of(view: View) -> Iterator[nodes.Expr]:
    """Every condition of the author, without `!`, `&&` and `||`."""
    for place in view.places:
        if isinstance(place.statement, nodes.If):
            stack = list(expressions_of(place.statement))
            while stack:
                test = bare(stack.pop())
                if isinstance(test, nodes.And | nodes.Or):
                    stack += test.operands
                elif isinstance(test, nodes.Not):
                    stack.append(test.operand)
                else:
                    yield test


class EmptyIsSet(Rule):
    id = "TY001"
    name = "empty-vs-unset"
    severity = Severity.WARNING
    what = "A test asks whether a text exists that always exists."
    why = (
        "The result of a substitution and the URL are always set, even when they are empty, so the test "
        "always holds, and its other branch never runs."
    )
    remedy = 'compare with an empty text: `... != ""`'
    changes = "an empty text fails the test"
    source = "https://github.com/varnishcache/varnish-cache/issues/2846"
    bad = 'sub vcl_recv { if (regsub(req.http.Cookie, "_ga=[^;]*", "")) { return (pass); } }'
    good = 'sub vcl_recv { if (regsub(req.http.Cookie, "_ga=[^;]*", "") != "") { return (pass); } }'

    def check(self, view: View) -> Iterator[Finding]:
        if not view.where.has_any(*_LINE, *_TEXT_CALLS):
            return
        for test in _tests_of(view):
            is_call = isinstance(test, nodes.CallExpr) and view.name(test.name) + "()" in _TEXT_CALLS
            if is_call or view.variable(test) in _LINE:
                at = view.span(test)
                edit = Edit(Span(at.file, at.end, at.end), ' != ""')
                fix = Fix("compare with an empty text", (edit,), safe=False)
                yield finding(view, test, "this text is always set, so the test always holds", fix=fix)


class ImplicitText(Rule):
    id = "TY002"
    name = "implicit-to-string"
    severity = Severity.WARNING
    what = "A duration becomes text in a place that takes whole seconds, or is joined with a number."
    why = (
        "The text of a duration has three decimals: `max-age=120.000` is not valid, and caches and browsers "
        "then take the response for stale or choose a lifetime themselves. A number and a duration are "
        "not added but written one behind the other."
    )
    remedy = "std.integer(duration = ...) gives whole seconds"
    source = "https://www.rfc-editor.org/rfc/rfc9111.html#section-1.2.2"
    bad = 'sub vcl_deliver { set resp.http.Cache-Control = "max-age=" + obj.ttl; }'
    good = (
        "import std; "
        'sub vcl_deliver { set resp.http.Cache-Control = "max-age=" + std.integer(duration = obj.ttl); }'
    )

    def check(self, view: View) -> Iterator[Finding]:
        for place in view.places:
            statement = place.statement
            if not isinstance(statement, nodes.Set) or field_of(view.name(statement.target)) is None:
                continue
            field = view.name(statement.target).partition(".http.")[2]
            value = bare(statement.value)
            operands = value.operands if isinstance(value, nodes.Sum) else (value,)
            if field in _SECONDS_FIELDS and len(operands) == 1 and _is_duration(view, operands[0]):
                yield finding(view, operands[0], f"{field} takes whole seconds, and this text has decimals")
            for left, right in zip(operands, operands[1:], strict=False):
                if _SECONDS.search(view.text(left) or "") and _is_duration(view, right):
                    yield finding(view, right, "this text has decimals, and whole seconds are expected here")
                elif left is operands[0] and _is_count(left) and _is_literal_duration(right):
                    yield finding(view, value, "the number and the duration are joined, not added")


def _is_duration(view: View, expr: nodes.Expr) -> bool:
    if isinstance(expr, nodes.CallExpr) and expr.name.text == "text" and len(expr.args) == 1:
        expr = expr.args[0].value  # vcl 5.0 wants the conversion written
    return _TYPES.get(view.variable(expr) or "") is Type.DURATION or _is_literal_duration(expr)


def _is_literal_duration(expr: nodes.Expr) -> bool:
    expr = bare(expr)
    return isinstance(expr, nodes.NumberLit) and expr.unit is not None


def _is_count(expr: nodes.Expr) -> bool:
    expr = bare(expr)
    return isinstance(expr, nodes.NumberLit) and expr.unit is None


class TimeAsText(Rule):
    id = "TY003"
    name = "duration-as-text"
    severity = Severity.ERROR
    what = "Dates or times are put in order as texts."
    why = (
        "The order of texts is that of their letters. A date begins with the day of the week, so that Friday "
        "comes before Monday, whatever the year. The compiler itself refuses a duration in quotes."
    )
    remedy = "std.time(text, fallback) makes a time of a date, and times compare right"
    source = "https://www.rfc-editor.org/rfc/rfc9110.html#section-5.6.7"
    bad = "sub vcl_deliver { if (resp.http.Expires < resp.http.Date) { unset resp.http.Expires; } }"
    good = (
        "import std; sub vcl_deliver { "
        "if (std.time(resp.http.Expires, now) < now) { unset resp.http.Expires; } }"
    )

    def check(self, view: View) -> Iterator[Finding]:
        for test in view.comparisons:
            if test.op not in _ORDER:
                continue
            for side in (test.left, test.right):
                if _field(view, side) in _DATES or _is_formatted(view, side):
                    yield finding(view, test, "this compares the letters of two dates, not the times")
                    break


def _field(view: View, expr: nodes.Expr) -> str:
    field = field_of(view.variable(expr) or "")
    return field[1] if field is not None else ""


def _is_formatted(view: View, expr: nodes.Expr) -> bool:
    """Whether a text is made of a time or duration."""
    expr = bare(expr)
    if not isinstance(expr, nodes.Sum) or not any(
        isinstance(bare(e), nodes.StringLit) for e in expr.operands
    ):
        return False
    return any(_TYPES.get(view.variable(operand) or "") in _FORMATTED for operand in expr.operands)


class NumberAsText(Rule):
    id = "TY004"
    name = "numeric-compare-on-text"
    severity = Severity.WARNING
    what = "Numbers are put in order as texts."
    why = 'The order of texts is that of their letters: "9" comes behind "10", and "1000" before "200".'
    remedy = "std.integer(text, fallback) makes a number of a text"
    source = "https://varnish-cache.org/docs/trunk/reference/vmod_std.html"
    bad = 'sub vcl_backend_response { if (beresp.http.Content-Length > "1000000") { set beresp.ttl = 10s; } }'
    good = (
        "import std; sub vcl_backend_response { "
        "if (std.integer(beresp.http.Content-Length, 0) > 1000000) { set beresp.ttl = 10s; } }"
    )

    def check(self, view: View) -> Iterator[Finding]:
        for test in view.comparisons:
            if test.op not in _ORDER:
                continue
            fields = {_field(view, test.left), _field(view, test.right)} - {""}
            texts = [view.text(side) for side in (test.left, test.right)]
            is_number = any(text is not None and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text) for text in texts)
            if fields and (is_number or fields & set(_NUMBERS)) and not fields & set(_DATES):
                yield finding(view, test, "this compares the digits as letters, not the numbers")


class FloatEquality(Rule):
    id = "TY005"
    name = "float-equality"
    severity = Severity.NOTE
    what = "A test asks whether a duration, a time or a real number equals a value other than zero."
    why = (
        "These values have fractions: a ttl that a response gave has lost its age, and a clock never shows "
        "the same time twice. The test nearly never holds."
    )
    remedy = "compare with < and >"
    source = "https://varnish-cache.org/docs/trunk/reference/vcl.html"
    bad = "sub vcl_hit { if (obj.ttl == 10s) { return (pass); } }"
    good = "sub vcl_hit { if (obj.ttl < 10s) { return (pass); } }"
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        for test in view.comparisons:
            right = bare(test.right)
            is_zero = isinstance(right, nodes.NumberLit) and float(right.digits) == 0
            if (
                test.op in ("==", "!=")
                and _TYPES.get(view.variable(test.left) or "") in _INEXACT
                and not is_zero
            ):
                yield finding(view, test, "this nearly never is equal to the last fraction")


class UrlMayBeEmpty(Rule):
    id = "TY006"
    name = "url-set-empty"
    severity = Severity.ERROR
    what = "A substitution makes a URL empty, or takes its first slash away."
    why = (
        "An empty URL fails the request: the client gets 503. A URL without its slash is not one that an "
        "origin understands, and tests such as `^/admin` no longer match it."
    )
    remedy = 'keep the slash: regsub(req.url, "^/shop/?", "/")'
    source = "https://github.com/varnishcache/varnish-cache/issues/2012"
    bad = 'sub vcl_recv { set req.url = regsub(req.url, "^/shop", ""); }'
    good = 'sub vcl_recv { set req.url = regsub(req.url, "^/shop/?", "/"); }'
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        for _, statement in (*view.sets.get("req.url", ()), *view.sets.get("bereq.url", ())):
            if view.text(statement.value) == "":
                yield finding(view, statement, "an empty URL fails the request")
            url = _emptied(view, statement.value)
            if url is not None:
                before, after = url
                yield finding(view, statement, f'"{before}" becomes "{after}"')


def _emptied(view: View, expr: nodes.Expr) -> tuple[str, str] | None:
    """A URL, and what a substitution of its begin makes of it, if that does not begin with a slash."""
    expr = bare(expr)
    if not isinstance(expr, nodes.CallExpr) or view.name(expr.name) != "regsub" or len(expr.args) != 3:
        return None
    if view.variable(expr.args[0].value) not in ("req.url", "bereq.url"):
        return None
    pattern, by = view.text(expr.args[1].value), view.text(expr.args[2].value)
    if pattern is None or by is None or not pattern.removeprefix("(?i)").startswith("^"):
        return None
    matched = language_of(pattern, search=False)
    if matched is None:
        return None
    try:
        shortest = common(matched, _urls())
        if shortest is None:
            return None
        before = shortest.decode("latin-1")
        after = re.sub(pattern, re.sub(r"\\0", r"\\g<0>", by), before, count=1)
    except (TooLargeError, re.error, IndexError):
        return None
    return (before, after) if not after.startswith("/") and "://" not in after else None


def _urls() -> Language:
    urls = language_of("^/")
    assert urls is not None
    return urls


class HeaderBudget(Rule):
    id = "TY007"
    name = "header-budget"
    severity = Severity.WARNING
    what = "A policy sets more than 32 different fields of one message, or a field of more than 8 kB."
    why = (
        "A message has room for http_max_hdr fields (64), those of the client or the origin included, and "
        "for lines up to http_resp_hdr_len (8 kB). Beyond, the response is an error."
    )
    remedy = "join values in one field, or raise the parameter"
    source = "https://github.com/varnishcache/varnish-cache/issues/4232"
    bad = "sub vcl_deliver { " + " ".join(f'set resp.http.X-{n} = "1";' for n in range(33)) + " }"
    good = "sub vcl_deliver { " + " ".join(f'set resp.http.X-{n} = "1";' for n in range(8)) + " }"
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        fields: dict[str, None] = {}
        counts: Counter[str] = Counter()
        for place in view.places:
            statement = place.statement
            field = field_of(view.name(statement.target)) if isinstance(statement, nodes.Set) else None
            if field is None or not isinstance(statement, nodes.Set):
                continue
            text = view.text(statement.value)
            if text is not None and len(text) > _BYTES_MAX:
                yield finding(view, statement, f"this field has {len(text)} bytes")
            name = view.name(statement.target)
            if name not in fields:
                fields[name] = None
                counts[field[0]] += 1
                if counts[field[0]] == _FIELDS_MAX + 1:
                    yield finding(
                        view, statement, f"the policy sets more than {_FIELDS_MAX} fields of {field[0]}"
                    )
