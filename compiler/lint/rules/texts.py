"""TY: texts that are not what they look like: numbers, durations and times as text, empty texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from vernis.lint.automata import Language, TooLargeError, common, language_of
from vernis.lint.facts import Facts, Knowledge
from vernis.lint.paths import Paths
from vernis.lint.rule import Finding, Fix, Rule, finding
from vernis.lint.view import BIT_OF_HOOK, Parts, Place, View, bare, expressions_of, field_of
from vernis.regex import later
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
# Calls that find nothing for some texts of a client.
_MAY_BE_ABSENT = ("cookie.get", "header.get", "std.getenv", "std.strstr")
_SECONDS = later(r"(max-age|s-maxage|stale-while-revalidate|stale-if-error|timeout)=\"?$", re.I)
_SECONDS_FIELDS = ("age", "retry-after")
_FIELDS_MAX = 32  # half of the parameter http_max_hdr
_BYTES_MAX = 8192  # the parameters http_req_hdr_len and http_resp_hdr_len


def _tests_in(places: Sequence[Place]) -> Iterator[nodes.Expr]:
    """Every condition, without `!`, `&&` and `||`."""
    for place in places:
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
    what = (
        "A test asks whether a text exists that always exists, or compares a field with an empty text, which "
        "a field that does not exist is not."
    )
    why = (
        "The result of a substitution and the URL are always set. A field that the client did not "
        'send is not equal to "": requests without a token pass != "", and get no default from == '
        '"".'
    )
    remedy = 'test the field itself, and compare only texts that always exist with ""'
    changes = "an empty text fails the test"
    source = "https://github.com/varnishcache/varnish-cache/issues/2846"
    bad = 'sub vcl_recv { if (regsub(req.http.Cookie, "_ga=[^;]*", "")) { return (pass); } }'
    good = 'sub vcl_recv { if (regsub(req.http.Cookie, "_ga=[^;]*", "") != "") { return (pass); } }'

    def check(self, view: View) -> Iterator[Finding]:
        yield from _always_set(view)
        for test in _absent_texts(view):
            subject = _beside_empty(view, test)
            assert subject is not None
            field = view.variable(subject) or view.written(bare(subject))
            if test.op == "!=":
                message = f"this also holds if there is no {field}"
                help_ = f"write: {_dotted(view, subject)}, or with && before the comparison"
            else:
                message = f"this does not hold if there is no {field}"
                help_ = f"write: !{_dotted(view, subject)}, with || if it may also be empty"
            yield finding(view, test, message, help_)


def _always_set(view: View) -> Iterator[Finding]:
    if not view.where.has_any(*_LINE, *_TEXT_CALLS):
        return
    for test in view.each(_tests_of_texts):
        at = view.span(test)
        edit = Edit(Span(at.file, at.end, at.end), ' != ""')
        fix = Fix("compare with an empty text", (edit,), safe=False)
        yield finding(
            view, test, "this text is always set, so the test always holds", 'compare: ... != ""', fix
        )


def _tests_of_texts(view: View, places: Sequence[Place]) -> Iterator[nodes.Expr]:
    for test in _tests_in(places):
        is_call = isinstance(test, nodes.CallExpr) and view.name(test.name) + "()" in _TEXT_CALLS
        if is_call or view.variable(test) in _LINE:
            yield test


def _dotted(view: View, expr: nodes.Expr) -> str:
    return view.written(bare(expr))


def _absent_texts(view: View) -> Iterator[nodes.Compare]:
    """The comparisons of a field with an empty text that are made on a path where the field may not exist,
    and that matter there."""
    if view.written_program.version >= (5, 0):
        return  # where tests for an absent and for an empty value have names
    tests = {
        part: name
        for part, name, condition in view.each_part(_tests_of_empty)
        if not _is_clean_up(view, name, part, view.arms[id(condition)].body)
    }
    names = set(tests.values())
    if view.where.has_any("cookie.isset()"):
        names.discard("cookie.get()")
    for name in names:
        asked = _Asked(view, name)
        paths = Paths(view, asked)
        for hook in view.subs:
            if hook in BIT_OF_HOOK:
                paths.of_hook(hook, Facts())
        yield from (test for test in tests if test in asked.may_be_absent)


def _tests_of_empty(view: View, group: Sequence[Parts]) -> Iterator[tuple[nodes.Compare, str, nodes.Expr]]:
    """The comparisons of a field with an empty text that matter if it does not exist, with its name and the
    condition."""
    for place, condition, parts in group:
        if isinstance(place.statement, nodes.If):
            compared = {one: name for one in parts if (name := _compared_with_empty(view, one))}
            beside = _judged_beside(view, parts) if compared else ()
            for part, name in compared.items():
                if isinstance(part, nodes.Compare) and part not in beside:
                    yield part, name, condition


class _Asked(Knowledge):
    """Remembers the comparisons of one field with an empty text before which nothing told that it exists."""

    def __init__(self, view: View, name: str) -> None:
        super().__init__(view, (name,), also=())
        self.may_be_absent: set[nodes.Expr] = set()

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        if _compared_with_empty(self.view, test) in self.names:
            (name,) = self.names
            if state.is_present(name) is None:
                self.may_be_absent.add(test)
        return super().assume(state, test, holds)


def _judged_beside(view: View, parts: Sequence[nodes.Expr]) -> set[nodes.Expr]:
    """The operands beside another one that decides the same way if the field does not exist."""
    found: set[nodes.Expr] = set()
    for part in parts:
        if isinstance(part, nodes.And | nodes.Or):
            for one in map(bare, part.operands):
                name = _compared_with_empty(view, one)
                others = (bare(other) for other in part.operands if bare(other) is not one)
                if name and any(_decides(view, name, other, isinstance(part, nodes.And)) for other in others):
                    found.add(one)
    return found


def _decides(view: View, name: str, test: nodes.Expr, conjunction: bool) -> bool:
    """Whether a test fails in a conjunction, or holds in a disjunction, if the field does not exist."""
    if conjunction:
        subject = test.left if isinstance(test, nodes.Compare) and not test.op.startswith("!") else test
        return view.variable(subject) == name
    if isinstance(test, nodes.Not):
        return view.variable(test.operand) == name
    return isinstance(test, nodes.Compare) and test.op.startswith("!") and view.variable(test.left) == name


def _compared_with_empty(view: View, test: nodes.Expr) -> str:
    """The field that a comparison written by the author compares with an empty text, or the call that may
    return nothing."""
    subject = _beside_empty(view, test)
    if subject is None or id(test) in view.made:
        return ""
    if isinstance(subject, nodes.CallExpr):
        name = view.name(subject.name)
        return name + "()" if name in _MAY_BE_ABSENT else ""
    name = view.variable(subject) or ""
    return name if field_of(name) is not None else ""


def _beside_empty(view: View, test: nodes.Expr) -> nodes.Expr | None:
    """The value beside an empty text in a comparison."""
    if not isinstance(test, nodes.Compare) or test.op not in ("==", "!="):
        return None
    left, right = bare(test.left), bare(test.right)
    return left if view.text(right) == "" else right if view.text(left) == "" else None


def _is_clean_up(view: View, name: str, test: nodes.Expr, body: nodes.Block) -> bool:
    """Whether the test only leads to the removal of an empty field: nothing is there to remove otherwise."""
    assert isinstance(test, nodes.Compare)
    return test.op == "==" and all(
        isinstance(one, nodes.Unset) and view.name(one.target) == name for one in body.statements
    )


class ImplicitText(Rule):
    id = "TY002"
    name = "implicit-to-string"
    severity = Severity.WARNING
    what = "A duration becomes text in a place that takes whole seconds, or is joined with a number."
    why = (
        "The text of a duration has three decimals: `max-age=120.000` is not valid. A number and "
        "a duration are not added but written one behind the other."
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
    why = "A date begins with the day of the week: Friday comes before Monday, whatever the year."
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
    why = '"9" comes behind "10", and "1000" before "200".'
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
    why = "These values have fractions: the test nearly never holds."
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
        "A request with an empty URL gets 503. An origin does not understand a URL without its "
        "slash, and tests such as `^/admin` no longer match it."
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
        "A message has room for http_max_hdr fields (64), those of the client or the origin "
        "included, and for lines up to http_resp_hdr_len (8 kB). Beyond, the response is an "
        "error."
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
