"""TY: a text in lower case that is compared with capitals, and the reverse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vernis.lint.facts import Facts, Knowledge
from vernis.lint.automata import language_of
from vernis.lint.paths import Paths, Trail
from vernis.lint.rule import Finding, Rule
from vernis.lint.uses import alphabet_of
from vernis.lint.values import texts_of
from vernis.lint.view import BIT_OF_HOOK, MESSAGES, Parts, View, bare, expressions_of, parts_of
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_NAMES_MAX = 64  # values that are followed
_LOWER, _UPPER = "lower case", "upper case"
_EITHER = "without letters"  # of one case only: no text, or digits
_CALLS = {"std.tolower": _LOWER, "std.toupper": _UPPER}
_HASHES = ("digest.hash_", "digest.hmac_")  # hexadecimal digits, in lower case
_METHODS = {"lower": _LOWER, "upper": _UPPER}  # of a text in 5.0
_IGNORE_CASE = "(?i)"
_SOURCES_MAX = 3  # names that a walk follows beside its own, because its value is made of them


class OtherCase(Rule):
    id = "TY008"
    name = "compared-in-other-case"
    severity = Severity.WARNING
    what = (
        "A text that was made lower case is compared with capitals, or a text in capitals with small letters."
    )
    why = (
        "It never holds: the pages of /Admin or the bot Googlebot are treated like all others. A "
        "note, once, if the pattern begins with (?i), which then changes nothing."
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
            view.each_part(_changes_case)
        ):
            return
        changed = _changed(view)
        found: dict[nodes.Expr, Finding | None] = {}
        for name in list(changed)[:_NAMES_MAX]:
            _Case(view, name, changed[name], found).run()
        inline = _Case(view, "", frozenset(), found)
        for _, _, parts in view.parts:
            inline.judge(Facts(), parts)
        judged = [one for one in found.values() if one is not None]
        notes = [one for one in judged if one.severity is Severity.NOTE]
        yield from (one for one in judged if one not in notes)
        yield from sorted(notes, key=lambda one: (one.span.file, one.span.start))[:1]


def _changes_case(view: View, group: Sequence[Parts]) -> Iterator[bool]:
    for _, expr, _ in group:
        if _has_case(view, expr):
            yield True


def _changed(view: View) -> dict[str, frozenset[str]]:
    """The names that some statement sets to a text of one case, each with the others of them that its values
    are made of."""
    read = {
        name: {part for _, one in sets for part, _ in view.reads(one.value)}
        for name, sets in view.sets.items()
    }
    found = {name for name, sets in view.sets.items() if any(_has_case(view, one.value) for _, one in sets)}
    while more := {name for name, names in read.items() if names & found} - found:
        found |= more
    return {
        name: frozenset(sorted((read[name] & found) - {name})[:_SOURCES_MAX])
        for name in view.sets
        if name in found
    }


def _has_case(view: View, expr: nodes.Expr) -> bool:
    return any(_case_of(view, part) for _, part in view.reads(expr))


def _case_of(view: View, expr: nodes.Expr) -> str | None:
    """The case of the letters that a call returns."""
    expr = bare(expr)
    if not isinstance(expr, nodes.CallExpr):
        return None
    if expr.receiver is not None:
        return _METHODS.get(expr.name.text)
    name = view.name(expr.name)
    if name in _CALLS or name.startswith(_HASHES):
        return _CALLS.get(name, _LOWER)
    owner, _, method = name.rpartition(".")
    return _METHODS.get(method) if owner.partition(".")[0] in MESSAGES else None


class _Case(Knowledge):
    """The case in which each way leaves one name, and those that it is made of. Judges the comparisons and
    substitutions of that name, or, without a name, those of a call. A comparison that one way meets in an
    unknown case stays ``None``."""

    def __init__(
        self, view: View, name: str, sources: frozenset[str], found: dict[nodes.Expr, Finding | None]
    ) -> None:
        self.own = frozenset((name, "be" + name)) if name.startswith("req.") else frozenset((name,))
        super().__init__(view, (name, *sources), also=self.own)
        self.name, self.found = name, found

    def run(self) -> None:
        """Walks each hook. Those behind vcl_recv begin with what it leaves, if they do not set the name."""
        paths = Paths(self.view, self)
        places = (place for name in self.own for place, _ in self.view.sets.get(name, ()))
        hooks = [hook for hook in self.view.subs if hook in BIT_OF_HOOK]
        in_recv = all(place.hooks == 1 << BIT_OF_HOOK["vcl_recv"] for place in places)
        left = [end.state for end in paths.of_hook("vcl_recv", Facts())]
        is_left = self.name.startswith("req.") and in_recv
        for hook in hooks:
            starts = dict.fromkeys(left) if is_left and hook != "vcl_recv" else (Facts(),)
            for start in starts:
                paths.of_hook(hook, start)

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        self.judge(state, parts_of(test))
        return state

    def do(self, state: Facts, statement: nodes.Stmt, trail: Trail) -> Facts:
        for expr in expressions_of(statement):
            self.judge(state, parts_of(expr))
        if not isinstance(statement, nodes.Set | nodes.Unset):
            return state
        name = self.view.name(statement.target)
        if name not in self.names:
            return state
        if isinstance(statement, nodes.Unset):
            return state.with_fact(name, _EITHER)
        case = self._made(state, statement.value)
        return state.with_fact(name, case if statement.op == "=" else _together([state.get(name), case]))

    def _made(self, state: Facts, value: nodes.Expr) -> str | None:
        """The case of a text; None if it is unknown."""
        value = bare(value)
        case = _case_of(self.view, value)
        if case is not None:
            return case
        text = self.view.text(value)
        if text is not None:
            cases = [case for case in (_LOWER, _UPPER) if _turned(text, case) == text]
            return cases[0] if len(cases) == 1 else _EITHER if cases else None
        match value:
            case nodes.NameExpr():
                return state.get(self.view.name(value.name))
            case nodes.Sum():
                return _together([self._made(state, operand) for operand in value.operands])
            case nodes.CallExpr() if (
                self.view.name(value.name) in ("regsub", "regsuball") and len(value.args) == 3
            ):
                # A substitution keeps the case if its new text has no letters of the other one.
                return _together(
                    [self._made(state, value.args[0].value), self._made(state, value.args[2].value)]
                )
        return None

    def judge(self, state: Facts, parts: Sequence[nodes.Expr]) -> None:
        for part in parts:
            pair = _subject_and_text(self.view, part)
            if pair is None or self.view.is_builtin(part):
                continue
            subject, text = pair
            if self.name:
                if self.view.variable(subject) not in self.own:
                    continue
                case = state.get(self.name)
            else:
                case = _case_of(self.view, subject)
                if case is None:
                    continue
            if case == _EITHER or (part in self.found and self.found[part] is None):
                continue
            self.found[part] = None if case is None else _judged(self.view, part, text, case)


def _together(cases: Sequence[str | None]) -> str | None:
    """The case of a text that is made of texts."""
    found = set(cases) - {_EITHER}
    return _EITHER if not found else found.pop() if len(found) == 1 else None


def _subject_and_text(view: View, part: nodes.Expr) -> tuple[nodes.Expr, nodes.Expr] | None:
    if isinstance(part, nodes.Compare) and part.op in ("==", "!=", "~", "!~"):
        return part.left, part.right
    if (
        isinstance(part, nodes.CallExpr)
        and view.name(part.name) in ("regsub", "regsuball", "std.strstr")
        and len(part.args) > 1
    ):
        return part.args[0].value, part.args[1].value
    return None


def _judged(view: View, part: nodes.Expr, literal: nodes.Expr, case: str) -> Finding | None:
    text = view.text(literal)
    if text is None:
        return None
    is_text = isinstance(part, nodes.CallExpr) and view.name(part.name) == "std.strstr"
    is_text |= isinstance(part, nodes.Compare) and part.op in ("==", "!=")
    if not is_text and text.startswith(_IGNORE_CASE):
        return Finding(
            view.span(literal),
            f"this text is in {case} here, so (?i) changes nothing",
            f"write the letters of the pattern in {case}, and leave (?i) out",
            severity=Severity.NOTE,
        )
    if is_text:
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
