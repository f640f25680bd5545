"""TY: a text in lower case that is compared with capitals, and the reverse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vernis.lint.facts import Facts, Knowledge
from vernis.lint.automata import language_of
from vernis.lint.paths import Paths, Trail
from vernis.lint.rule import Finding, Rule
from vernis.lint.uses import alphabet_of
from vernis.lint.values import texts_of
from vernis.lint.view import BIT_OF_HOOK, MESSAGES, Place, View, bare, expressions_of, parts_in, parts_of
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_NAMES_MAX = 64  # values that are followed
_LOWER, _UPPER = "lower case", "upper case"
_CALLS = {"std.tolower": _LOWER, "std.toupper": _UPPER}
_METHODS = {"lower": _LOWER, "upper": _UPPER}  # of a text in 5.0


class OtherCase(Rule):
    id = "TY008"
    name = "compared-in-other-case"
    severity = Severity.WARNING
    what = (
        "A text that was made lower case is compared with capitals, or a text in capitals with small letters."
    )
    why = (
        "It never holds: the pages of /Admin, the bot Googlebot or the host of a shop are treated like all "
        "others."
    )
    remedy = "write the comparison in the case of the text"
    source = "https://varnish-cache.org/docs/trunk/reference/vmod_std.html"
    bad = (
        "import std; sub vcl_recv { set req.http.X-Agent = std.tolower(req.http.User-Agent); "
        'if (req.http.X-Agent ~ "Googlebot") { return (pass); } }'
    )
    good = (
        "import std; sub vcl_recv { set req.http.X-Agent = std.tolower(req.http.User-Agent); "
        'if (req.http.X-Agent ~ "googlebot") { return (pass); } }'
    )

    def check(self, view: View) -> Iterator[Finding]:
        if not view.where.has_any(*(f"{name}()" for name in (*_CALLS, *_METHODS))) and not any(
            view.each(_changes_case)
        ):
            return
        changed = [
            name
            for name, sets in view.sets.items()
            if any(_case_of(view, statement.value) for _, statement in sets)
        ]
        found: dict[nodes.Expr, Finding | None] = {}
        for name in (*changed[:_NAMES_MAX], ""):
            walked = _Case(view, name, found)
            if name:
                paths = Paths(view, walked)
                for hook in view.subs:
                    if hook in BIT_OF_HOOK:
                        paths.of_hook(hook, Facts())
            else:
                for _, _, parts in view.parts:
                    walked.judge(Facts(), parts)
        yield from (one for one in found.values() if one is not None)


def _changes_case(view: View, places: Sequence[Place]) -> Iterator[bool]:
    for *_, parts in parts_in(view, places):
        if any(_case_of(view, part) for part in parts):
            yield True


def _case_of(view: View, expr: nodes.Expr) -> str | None:
    """The case of the letters that a call returns."""
    expr = bare(expr)
    if not isinstance(expr, nodes.CallExpr):
        return None
    if expr.receiver is not None:
        return _METHODS.get(expr.name.text)
    name = view.name(expr.name)
    if name in _CALLS:
        return _CALLS[name]
    owner, _, method = name.rpartition(".")
    return _METHODS.get(method) if owner.partition(".")[0] in MESSAGES else None


class _Case(Knowledge):
    """The case in which each way leaves one name. Judges the comparisons and substitutions of that name, or,
    without a name, those of a call. A comparison that one way meets in an unknown case stays ``None``."""

    def __init__(self, view: View, name: str, found: dict[nodes.Expr, Finding | None]) -> None:
        super().__init__(view, (name,), also=())
        self.name, self.found = name, found

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        self.judge(state, parts_of(test))
        return state

    def do(self, state: Facts, statement: nodes.Stmt, trail: Trail) -> Facts:
        for expr in expressions_of(statement):
            self.judge(state, parts_of(expr))
        if isinstance(statement, nodes.Set) and self.view.name(statement.target) == self.name:
            return state.with_fact(self.name, self._made(state, statement))
        if isinstance(statement, nodes.Unset) and self.view.name(statement.target) == self.name:
            return state.with_fact(self.name, None)
        return state

    def _made(self, state: Facts, statement: nodes.Set) -> str | None:
        value = bare(statement.value)
        case = _case_of(self.view, value)
        if case is not None or not isinstance(value, nodes.CallExpr):
            return case
        # A substitution keeps the case if its new text has no letters of the other one.
        if self.view.name(value.name) in ("regsub", "regsuball") and len(value.args) == 3:
            by = self.view.text(value.args[2].value)
            subject = value.args[0].value
            case = (
                state.get(self.name)
                if self.view.variable(subject) == self.name
                else _case_of(self.view, subject)
            )
            if by is not None and case is not None and _turned(by, case) == by:
                return case
        return None

    def judge(self, state: Facts, parts: Sequence[nodes.Expr]) -> None:
        for part in parts:
            pair = _subject_and_text(self.view, part)
            if pair is None or self.view.is_builtin(part):
                continue
            subject, text = pair
            if self.name:
                if self.view.variable(subject) != self.name:
                    continue
                case = state.get(self.name)
            else:
                case = _case_of(self.view, subject)
                if case is None:
                    continue
            if part in self.found and self.found[part] is None:
                continue
            one = None if case is None else _judged(self.view, part, text, case)
            self.found[part] = one


def _subject_and_text(view: View, part: nodes.Expr) -> tuple[nodes.Expr, nodes.Expr] | None:
    if isinstance(part, nodes.Compare) and part.op in ("==", "!=", "~", "!~"):
        return part.left, part.right
    if (
        isinstance(part, nodes.CallExpr)
        and view.name(part.name) in ("regsub", "regsuball")
        and len(part.args) > 1
    ):
        return part.args[0].value, part.args[1].value
    return None


def _judged(view: View, part: nodes.Expr, literal: nodes.Expr, case: str) -> Finding | None:
    text = view.text(literal)
    if text is None:
        return None
    if isinstance(part, nodes.Compare) and part.op in ("==", "!="):
        lost = [text] if _turned(text, case) != text else []
    else:
        lost = _lost(text, case)
    if not lost:
        return None
    return Finding(
        view.span(literal),
        f'this text is in {case} here, so "{lost[0]}" never matches',
        f'write "{_turned(lost[0], case)}"',
    )


def _lost(pattern: str, case: str) -> list[str]:
    """Texts of alternatives that a text of this case never has in it. One whose other spelling the pattern
    matches, too, is none."""
    language = language_of(pattern)
    texts = texts_of(pattern, alphabet_of("req.http.x"))
    if language is None:
        return []
    turned = ((text, _turned(text, case)) for text in texts)
    return [text for text, other in turned if text != other and not language.matches(other.encode("latin-1"))]


def _turned(text: str, case: str) -> str:
    """ASCII letters only, as the functions do."""
    data = text.encode("latin-1")
    return (data.lower() if case == _LOWER else data.upper()).decode("latin-1")
