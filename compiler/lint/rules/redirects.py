"""SEC: redirects whose host a client chooses.

The rule reads the begin of a Location, up to the first text of a client. The host of a redirect is open if
this text begins it, comes behind a scheme, or follows a host without a slash between.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vernis.lint.rule import Finding, Rule
from vernis.lint.rules.exposure import HOSTS
from vernis.lint.values import Test, Values, test_of
from vernis.lint.view import Place, View, bare, field_of, flat
from vernis.record import record
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity, Span

_LOCATIONS = tuple(
    f"{message}.http.{field}" for message in ("resp", "beresp") for field in ("location", "refresh")
)
_URLS = ("req.url", "bereq.url")
_REASON = "resp.reason"
_REFRESH = later(r"^\s*\d+\s*[;,]\s*(url\s*=\s*)?['\"]?", re.I)
_SCHEME = later(r"([a-z]+:)?/*", re.I)
_HOST = later(r"([a-z]+:)?//[^/?#]+", re.I)
_SCHEME_FIELD = later(r"proto|scheme|ssl|https")
_KEEPS_BEGIN = later(r"std\.(querysort|tolower|toupper)|querystring\..*")
_GIVES_PART = later(r"cookie\.get|header\.get|urlcode\.decode|std\.strstr|part")
# A pattern that names the hosts which it lets through.
_NAMES_HOST = later(r"(://|^\^(?!\\?/))[^*+]*[a-z0-9)](\\?\.|\[\.\])[a-z]", re.I)
_CLOSED = later(r"\^(\\.|[\w()|-])*\$")  # a list of texts
# Fields that hold a target. Others, such as a country, are most often set by a server in front.
_TARGET = later(
    r"host|server|origin|refer|target|redir|url|location|site|domain|forward|return|next|back|dest"
)
_ONE_SLASH = later(r"\^/(\(\?!/\)|\[\^/|[a-z0-9_-])", re.I)
_SLASHES = later(r"\^?(/\+|//|/\{2|\[/\]\+|/\{2,)")
_FLAGS = later(r"^\(\?[a-z]+\)")
_GROUP = later(r"\\([1-9])")
_DOUBLE = Test("req.url", "match", "^//")
_DEPTH_MAX = 6  # fields of fields
_BEGINS_MAX = 32


@record(frozen=True)
class _Begin:
    """The begin of a text: a constant, and the client's text behind it. ``path``: that is the URL of the
    request as it came. ``slashed``: it begins with a slash. ``single``: no second one follows. Without
    ``node`` the whole text is constant."""

    text: str = ""
    node: nodes.Expr | None = None
    path: bool = False
    slashed: bool = False
    single: bool = False


class OpenRedirect(Rule):
    id = "SEC020"
    name = "open-redirect"
    severity = Severity.WARNING
    what = "A redirect leads to a host that a part of the request chooses."
    why = (
        "A link that begins with the name of your site leads to a copy of your login. With a URL "
        "as Location, //other.example/ is such a link."
    )
    remedy = "begin the Location with your own host and a slash, or with a target out of a fixed list"
    source = (
        "https://cheatsheetseries.owasp.org/cheatsheets/Unvalidated_Redirects_and_Forwards_Cheat_Sheet.html"
    )
    bad = (
        "sub vcl_synth { if (resp.status == 302) { "
        r'set resp.http.Location = regsub(req.url, "^/go\?to=", ""); return (deliver); } }'
    )
    good = (
        "sub vcl_synth { if (resp.status == 302) { "
        'set resp.http.Location = "https://" + req.http.host + req.url; return (deliver); } }'
    )
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        sets = [one for name in _LOCATIONS for one in view.sets.get(name, ())]
        if not sets:
            return
        begins = _Begins(view)
        told: list[Span] = []
        for place, statement in sets:
            at = view.span(statement)
            for begin in begins.of(statement.value, begins.around(place), _DEPTH_MAX):
                node = begin.node
                if node is None or not begins.is_open(begin):
                    continue
                field = field_of(view.variable(node) or "")
                if field and field[1] in HOSTS and view.name(statement.target).startswith("beresp."):
                    continue  # SEC007
                span = view.span(node)
                if any(_includes(one, span) or _includes(span, one) for one in told):
                    continue
                told.append(span)
                labels = () if _includes(at, span) else ((at, "this is the redirect"),)
                yield Finding(span, _said(begin), labels=labels)


def _said(begin: _Begin) -> str:
    if begin.path and not begin.text:
        return "a request for //other.example/ is redirected to that host"
    return "a client chooses the host of this redirect"


def _includes(one: Span, other: Span) -> bool:
    return one.file == other.file and one.start <= other.start and other.end <= one.end


class _Begins:
    """How texts of a policy begin. ``around`` are the tests that hold where a text is made."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.values = Values(view)
        self.synths = list(_synths_of(view))
        patterns = [(one, view.text(one.right) or "") for one in view.comparisons]
        self.refused = {
            view.variable(one.left)
            for one, text in patterns
            if one.op == "!~" and (_NAMES_HOST.search(text) or _ONE_SLASH.match(text))
        }
        calls = (part for *_, parts in view.parts for part in parts if isinstance(part, nodes.CallExpr))
        cut = any(
            view.name(call.name) in ("regsub", "regsuball")
            and len(call.args) > 1
            and _SLASHES.match(view.text(call.args[1].value) or "")
            for call in calls
        )
        self.one_slash = cut or any(_SLASHES.match(text) for one, text in patterns)

    def around(self, place: Place) -> tuple[nodes.Expr, ...]:
        """The tests that hold at a place. In vcl_synth, also those before each synth() with the status."""
        tests = tuple(test for one in self.view.enclosing.of(place) for test in flat(one, nodes.And))
        if not place.in_hook("vcl_synth") or place.in_hook("vcl_recv"):
            return tests
        before = [self.around(one) for one, _ in self._synths(tests)]
        if not before:
            return tests
        others = [{self.view.written(test) for test in one} for one in before[1:]]
        return tests + tuple(
            test for test in before[0] if all(self.view.written(test) in one for one in others)
        )

    def _synths(self, around: tuple[nodes.Expr, ...]) -> Iterator[tuple[Place, nodes.Return]]:
        """The returns with synth() whose status was tested."""
        asked = {status for test in around for status in _statuses(self.view, test)}
        for place, statement, number in self.synths:
            if not asked or number in asked:
                yield place, statement

    def is_open(self, begin: _Begin) -> bool:
        text = _REFRESH.sub("", begin.text, count=1)
        if not text:
            return not begin.single
        if _SCHEME.fullmatch(text):
            return True
        return _HOST.fullmatch(text) is not None and not begin.slashed

    # ---- begins ----------------------------------------------------------------------------------------

    def of(self, expr: nodes.Expr, around: tuple[nodes.Expr, ...], depth: int) -> list[_Begin]:
        """The begins that a text may have."""
        expr = bare(expr)
        text = self.view.text(expr)
        if text is not None:
            return [_Begin(text)]
        if depth == 0:
            return []
        match expr:
            case nodes.Sum():
                return self._sum(expr, around, depth)
            case nodes.CallExpr():
                return self._call(expr, around, depth)
            case nodes.NameExpr():
                return self._name(expr, self.view.name(expr.name), around, depth)
        return []

    def _sum(self, expr: nodes.Sum, around: tuple[nodes.Expr, ...], depth: int) -> list[_Begin]:
        found: list[_Begin] = []
        texts = [""]
        for operand in expr.operands:
            inner = self.of(operand, around, depth)
            both = [
                _Begin(text + one.text, one.node, one.path, one.slashed, one.single)
                for text in texts
                for one in inner
            ]
            found += [one for one in both if one.node is not None]
            texts = [one.text for one in both if one.node is None][:_BEGINS_MAX]
        return (found + [_Begin(text) for text in texts])[:_BEGINS_MAX]

    def _name(
        self, expr: nodes.NameExpr, name: str, around: tuple[nodes.Expr, ...], depth: int
    ) -> list[_Begin]:
        if name in _URLS:
            single = self.one_slash or self._has_one_slash(around)
            return [_Begin(node=expr, path=True, slashed=True, single=single)]
        if name == _REASON:
            return self._reasons(around, depth)
        field = field_of(name)
        if field is None:
            return []
        if field[1] == "host":
            return [_Begin("host.example")]
        own = [*self.view.sets.get(name, ()), *self.view.sets.get(name.removeprefix("be"), ())]
        if own:
            return [
                begin
                for place, statement in own
                if statement.op == "="
                for begin in self.of(statement.value, self.around(place), depth - 1)
            ][:_BEGINS_MAX]
        if _SCHEME_FIELD.search(field[1]):
            return [_Begin("https")]
        if field[0] not in ("req", "bereq") or name in self.refused or self._names_host(around, {name}):
            return []
        return [_Begin(node=expr)] if _TARGET.search(field[1]) else []

    def _reasons(self, around: tuple[nodes.Expr, ...], depth: int) -> list[_Begin]:
        """The begins of the texts that the policy gives to synth() with the status that was tested."""
        found: list[_Begin] = []
        for place, statement in self._synths(around):
            if len(statement.args) > 1:
                found += self.of(statement.args[1], self.around(place), depth - 1)
        return found[:_BEGINS_MAX]

    def _call(self, call: nodes.CallExpr, around: tuple[nodes.Expr, ...], depth: int) -> list[_Begin]:
        name = self.view.name(call.name)
        if name in ("regsub", "regsuball") and len(call.args) == 3:
            return self._regsub(call, around, depth)
        if _KEEPS_BEGIN.fullmatch(name) and call.args:
            return self.of(call.args[0].value, around, depth)
        is_part = _GIVES_PART.fullmatch(name) or name.startswith(("req.", "bereq."))
        names = {read for read, _ in self.view.reads(call)}
        if not is_part or self._names_host(around, names) or (name == "part" and len(call.args) < 2):
            return []
        own = name.startswith("cookie.") or any(one.startswith(("req.", "bereq.")) for one in names)
        return [_Begin(node=call)] if own and not names & self.refused else []

    def _regsub(self, call: nodes.CallExpr, around: tuple[nodes.Expr, ...], depth: int) -> list[_Begin]:
        """A substitution at the begin of a text: what stands for the begin, or the text as it was."""
        subject, pattern, by = (argument.value for argument in call.args)
        befores = self.of(subject, around, depth)
        text = _FLAGS.sub("", self.view.text(pattern) or "")
        if not text.startswith(("^", ".*", "(.*", "(^")) or _NAMES_HOST.search(text):
            return befores
        if self._names_host(around, {name for name, _ in self.view.reads(subject)}):
            return []
        found: list[_Begin] = []
        for before in befores:
            if before.node is None:
                return befores  # a host, or a constant
            if not self._must_match(text, around):
                found.append(before)
            found += self._replaced(call, before, text, by, around, depth)
        return found

    def _replaced(
        self,
        call: nodes.CallExpr,
        before: _Begin,
        pattern: str,
        by: nodes.Expr,
        around: tuple[nodes.Expr, ...],
        depth: int,
    ) -> Iterator[_Begin]:
        if self.view.text(by) is None:
            yield from self.of(by, around, depth)
            return
        text = self.view.text(by) or ""
        group = _GROUP.search(text)
        literal = text if group is None else text[: group.start()]
        if group is None and pattern.endswith(("$", ".*")):
            yield _Begin(literal)  # the pattern took all that the client wrote
            return
        after = self._behind(pattern, around) if group is None else _group(pattern, int(group[1]))
        if (
            group is not None
            and group.start() == 0
            and group[1] == "1"
            and pattern.lstrip("^").startswith("(")
        ):
            yield before  # the begin of the subject
        else:
            yield _Begin(literal, call, slashed=after.startswith("/"))

    def _behind(self, pattern: str, around: tuple[nodes.Expr, ...]) -> str:
        """The pattern behind a match, as far as a test around the statement has one."""
        for test in around:
            if isinstance(test, nodes.Compare) and test.op == "~":
                held_text = _FLAGS.sub("", self.view.text(test.right) or "")
                if held_text.startswith(pattern):
                    return held_text[len(pattern) :]
        return ""

    # ---- tests -----------------------------------------------------------------------------------------

    def _tests(self, around: tuple[nodes.Expr, ...]) -> Iterator[Test]:
        for expr in around:
            found = test_of(self.view, expr)
            if found is not None and found[1] and found[0].kind in ("match", "text"):
                yield found[0]

    def _has_one_slash(self, around: tuple[nodes.Expr, ...]) -> bool:
        """Whether the URL cannot begin with two slashes."""
        return any(
            one.name in _URLS and self.values.are_apart(Test(_DOUBLE.name, one.kind, one.text), _DOUBLE)
            for one in self._tests(around)
        )

    def _names_host(self, around: tuple[nodes.Expr, ...], names: set[str]) -> bool:
        """Whether a test lets only some hosts through."""
        return any(
            one.name in names
            and (one.kind == "text" or _NAMES_HOST.search(one.text) or _CLOSED.fullmatch(one.text))
            for one in self._tests(around)
        )

    def _must_match(self, pattern: str, around: tuple[nodes.Expr, ...]) -> bool:
        return any(
            one.name in _URLS and self.values.includes(Test(one.name, "match", pattern), one)
            for one in self._tests(around)
        )


def _synths_of(view: View) -> Iterator[tuple[Place, nodes.Return, str]]:
    """The author's returns with synth() outside of vcl_synth, each with the digits of its status."""
    for place in view.places:
        statement = place.statement
        if isinstance(statement, nodes.Return) and statement.action is not None and statement.args:
            status = bare(statement.args[0])
            if statement.action.text.lower() == "synth" and not place.in_hook("vcl_synth"):
                yield place, statement, status.digits if isinstance(status, nodes.NumberLit) else ""


def _statuses(view: View, test: nodes.Expr) -> Iterator[str]:
    """The statuses for which a test holds."""
    for one in flat(test, nodes.Or):
        if isinstance(one, nodes.Compare) and one.op == "==" and view.variable(one.left) == "resp.status":
            right = bare(one.right)
            if isinstance(right, nodes.NumberLit):
                yield right.digits


def _group(pattern: str, number: int) -> str:
    """The text of a pattern behind the begin of a group."""
    at = 0
    for match in re.finditer(r"\\.|\[\^?\]?[^\]]*\]|\((?!\?)", pattern):
        at += match[0] == "("
        if at == number and match[0] == "(":
            return pattern[match.end() :]
    return ""
