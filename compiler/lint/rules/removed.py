"""FL: reads of a field that the policy has removed on every way to them, and tests for a cookie that a
substitution has cut out.

A walk for each field that the policy removes follows a message through its hooks. It joins the two requests:
what is true of ``req.http.X`` at the look-up is true of ``bereq.http.X`` when the fetch begins.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from vernis.lint.automata import language_of
from vernis.lint.jars import jars_of
from vernis.lint.first_round import RESTARTS, first_round
from vernis.lint.paths import STATES_MAX, Paths, Trail
from vernis.lint.rule import Finding, Rule
from vernis.lint.uses import alphabet_of
from vernis.lint.values import texts_of
from vernis.lint.view import BIT_OF_HOOK, View, bare, expressions_of, parts_of, walk
from vernis.record import record, replace
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_NAMES_MAX = 64  # fields that are followed; a policy with more has more walks than an editor waits for
_MARKS_MAX = 3  # tests beside a removal that a walk remembers
_CUTS_MAX = 16  # substitutions one after another that a walk remembers
_COOKIES_MAX = 20  # names of cookies that a text to try has
_READS_SHOWN_MAX = 4  # further places of one cause
_WORD = later(r"[A-Za-z_][\w-]{2,}")
# Fields that the core sets or changes between two hooks.
_OF_THE_CORE = frozenset(
    f"req.http.{field}"
    for field in ("accept-encoding", "host", "range", "via", "x-forwarded-for", "x-varnish", "connection")
)
# The hooks in which a message begins.
_FIRST = {
    "req": ("vcl_recv",),
    "bereq": ("vcl_backend_fetch", "vcl_pipe"),
    "beresp": ("vcl_backend_response", "vcl_backend_error"),
    "resp": ("vcl_deliver", "vcl_synth"),
}
# The hooks of a request that follow an action.
_NEXT = {
    ("vcl_recv", "hash"): ("vcl_hash",),
    ("vcl_recv", "purge"): ("vcl_hash", "vcl_purge"),
    ("vcl_recv", "pass"): ("vcl_pass",),
    ("vcl_recv", "pipe"): ("vcl_pipe",),
    ("vcl_hash", "lookup"): ("vcl_hit", "vcl_miss", "vcl_pass", "vcl_backend_fetch", "vcl_deliver"),
    ("vcl_hit", "pass"): ("vcl_pass",),
    ("vcl_hit", "deliver"): ("vcl_deliver",),
    ("vcl_miss", "pass"): ("vcl_pass",),
    ("vcl_miss", "fetch"): ("vcl_backend_fetch", "vcl_deliver"),
    ("vcl_pass", "fetch"): ("vcl_backend_fetch", "vcl_deliver"),
    ("vcl_backend_fetch", "fetch"): ("vcl_backend_response", "vcl_backend_error"),
}


@record(frozen=True)
class _State:
    """``there``: whether the field exists, None if that is unknown. ``removed``: an ``unset`` made it so.
    ``cuts`` are the numbers of the substitutions that changed the value since it came from the client, None
    if something else set it. ``marks`` are answers of tests beside a removal."""

    there: bool | None = None
    removed: bool = False
    cuts: tuple[int, ...] | None = ()
    marks: frozenset[tuple[str, bool]] = frozenset()


@record
class _Asked:
    """The question of an expression, and notes of the walk. ``first``: its answer in the first round, if it
    is a test of that. ``mark`` is its question, if that is one of the marks, and ``negated`` whether its
    operator begins with ``!``. ``is_field``: it is the field, and ``tests``: it compares the field.
    ``reads`` are the parts that read it; of them ``can_exist`` says whether it can exist there, ``removed``
    whether a removal led there, and ``ended`` whether a way without it did. ``lost`` are the substitutions
    after which no text passes the test, nothing if a text does on one way, None before the first."""

    test: nodes.Expr
    first: bool | None
    mark: str | None
    negated: bool
    is_field: bool
    tests: bool
    reads: tuple[nodes.Expr, ...]
    can_exist: bool = False
    removed: bool = False
    ended: bool = False
    lost: tuple[nodes.Stmt, ...] | None = None


class ReadAfterUnset(Rule):
    id = "FL011"
    name = "read-after-unset"
    severity = Severity.WARNING
    what = "A test or a statement reads a field that the policy has removed on every way to it."
    why = "A test for a session's cookie then lets everybody share a page that members only should see."
    remedy = "move the test before the statement that removes the field"
    source = "https://varnish-cache.org/docs/trunk/users-guide/increasing-your-hitrate.html"
    bad = 'sub vcl_recv { unset req.http.Cookie; if (req.http.Cookie ~ "session=") { return (pass); } }'
    good = 'sub vcl_recv { if (req.http.Cookie ~ "session=") { return (pass); } unset req.http.Cookie; }'
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        removers: dict[str, list[nodes.Stmt]] = {}
        for place in view.places:
            name = _removed_by(view, place.statement)
            if ".http." in name and name.removeprefix("be") not in _OF_THE_CORE:
                removers.setdefault(name, []).append(place.statement)
        questions = _questions(view) if removers else {}
        for name in list(removers)[:_NAMES_MAX]:
            joined = name.startswith("bereq.") and name.removeprefix("be") in removers
            if _is_read(view, name) and not joined:
                walked = _Walk(view, name, removers[name], questions)
                walked.run()
                yield from _after_unset(view, name, walked)
                yield from _after_cut(view, name, walked)
        for read, change in view.once(jars_of).lost:
            yield Finding(
                view.span(read),
                "this cookie never exists here: the policy has removed it",
                "read the cookie before it is removed",
                labels=((view.span(change), "this removes it"),),
            )


def _is_read(view: View, name: str) -> bool:
    names = _joined(name)
    return any(read in names for _, expr, _ in view.parts for read, _ in view.reads(expr))


def _joined(name: str) -> tuple[str, ...]:
    return (name, "be" + name) if name.startswith("req.") else (name,)


def _after_unset(view: View, name: str, walked: _Walk) -> Iterator[Finding]:
    """One finding for all reads of the field, at the first of them."""
    gone = [one for one in walked.asked if one.removed and not one.can_exist]
    reads = sorted(((part, one) for one in gone for part in one.reads), key=lambda pair: pair[0].at[0])
    if not reads:
        return
    causes = [(view.span(one), "this removes it") for one in walked.removers if isinstance(one, nodes.Unset)]
    spans = [view.span(part) for part, _ in reads]
    lines = [view.sources.place(span)[:2] for span in spans]
    others = [(span, "nor here") for span, line in zip(spans, lines, strict=True) if line != lines[0]]
    ended = "requests with it have ended, or " if reads[0][1].ended else ""
    yield Finding(
        spans[0],
        f"{name} never exists here: {ended}the policy has removed it",
        f"read {name} before it is removed",
        labels=(*causes[:_READS_SHOWN_MAX], *others[:_READS_SHOWN_MAX]),
    )


def _after_cut(view: View, name: str, walked: _Walk) -> Iterator[Finding]:
    seen: set[tuple[nodes.Stmt, ...]] = set()
    tests = [(one.test, one.lost) for one in walked.asked if one.lost]
    for test, by in sorted(tests, key=lambda pair: pair[0].at[0]):
        if by not in seen:
            seen.add(by)
            yield Finding(
                view.span(test),
                f"this never matches: a substitution has removed such text from {name}",
                "test before the substitution, or let it keep this text",
                labels=tuple((view.span(one), "this changes the field") for one in by[-_READS_SHOWN_MAX:]),
            )


def _removed_by(view: View, statement: nodes.Stmt) -> str:
    """The field that a statement unsets, or from which it cuts text; an empty text for other statements."""
    if isinstance(statement, nodes.Unset):
        return view.name(statement.target)
    cut = _cut_of(view, statement)
    return "" if cut is None else cut[0]


def _cut_of(view: View, statement: nodes.Stmt) -> tuple[str, str, str, bool] | None:
    """The field that a statement changes by a constant substitution, the pattern, the new text, and whether
    it changes all matches. A constant text before or behind the value is the substitution of an edge."""
    if not isinstance(statement, nodes.Set) or statement.op != "=":
        return None
    target, value = view.name(statement.target), bare(statement.value)
    if view.text(value) == "":
        return target, r"^[\s\S]*$", "", False
    if statement in (jars := view.once(jars_of)).cuts:
        return target, jars.cuts[statement], "", True
    if isinstance(value, nodes.Sum) and len(value.operands) == 2 and value.ops == ("+",):
        for edge, own, text in (("^", 1, 0), ("$", 0, 1)):
            added = view.text(value.operands[text])
            if view.variable(value.operands[own]) == target and added is not None and "\\" not in added:
                return target, edge, added, False
    if not isinstance(value, nodes.CallExpr) or len(value.args) != 3:
        return None
    function = view.name(value.name)
    subject, pattern, by = (bare(argument.value) for argument in value.args)
    texts = view.text(pattern), view.text(by)
    if function not in ("regsub", "regsuball") or view.variable(subject) != target:
        return None
    if texts[0] is None or texts[1] is None:
        return None
    return target, texts[0], texts[1], function == "regsuball"


class _Walk:
    """The walk for one field. ``asked`` are the expressions of the author about it."""

    def __init__(
        self, view: View, name: str, removers: Sequence[nodes.Stmt], questions: dict[int, str]
    ) -> None:
        self.view, self.removers, self.questions = view, removers, questions
        self.names = _joined(name)
        self.is_set = any(
            _cut_of(view, one) is None for key in self.names for _, one in view.sets.get(key, ())
        )
        self.marks = self._marks_beside()
        subjects = {mark.partition(" ")[0] for mark in self.marks}
        self.about = frozenset((*self.names, "req", "bereq", "beresp", "resp", "req.restarts", *subjects))
        self.asked: list[_Asked] = []
        self._asked: dict[int, _Asked | None] = {}
        self._numbers = {id(one): number for number, one in enumerate(removers)}

    def run(self) -> None:
        paths = Paths(self.view, self)
        message = self.names[0].partition(".")[0]
        starts = [(hook, _State()) for hook in _FIRST.get(message, ())]
        seen = set(starts)
        for hook, start in starts:  # grows
            ends = paths.of_hook(hook, start)
            if len(ends) >= STATES_MAX:  # states may be missing, and one of them may have the field
                self.asked = []
                return
            for end in ends:
                if message.endswith("resp"):
                    continue  # the next hook has another response
                after = ("vcl_synth",) if end.action == "synth" else _NEXT.get((hook, end.action), ())
                new = [(name, end.state) for name in after if (name, end.state) not in seen]
                seen.update(new)
                starts += new

    def _marks_beside(self) -> frozenset[str]:
        """The tests of ``if`` around a removal. What they say decides whether the field is gone."""
        inside = set(map(id, self.removers))
        found: dict[str, None] = {}
        for place in self.view.places:
            statement = place.statement
            if isinstance(statement, nodes.If) and any(
                id(one) in inside for arm in statement.arms for one in walk(arm.body)
            ):
                for expr in expressions_of(statement):
                    for part in parts_of(expr):
                        question = self.questions.get(id(part))
                        if question is not None:
                            found.setdefault(question)
        return frozenset(list(found)[:_MARKS_MAX])

    # ---- tests -----------------------------------------------------------------------------------------

    def assume(self, state: _State, test: nodes.Expr, holds: bool) -> _State | None:
        asked = self._what_asks(test)
        if asked is None:
            return state
        if asked.first is not None:
            return state if asked.first == holds else None
        self._note(state, asked)
        if asked.mark is not None:
            mark = (asked.mark, holds != asked.negated)
            if (asked.mark, not mark[1]) in state.marks:
                return None
            return state if mark in state.marks else replace(state, marks=state.marks | {mark})
        if isinstance(test, nodes.Compare):
            return self._compared(state, test, holds)
        return self._told(state, holds) if asked.is_field else state

    def _what_asks(self, expr: nodes.Expr) -> _Asked | None:
        """The question of an expression; None for most, also for those of a variable beside a removal."""
        if id(expr) not in self._asked:
            asked = self._asked[id(expr)] = self._read_question(expr)
            if asked is not None and not self.view.is_builtin(expr):
                self.asked.append(asked)
        return self._asked[id(expr)]

    def _read_question(self, expr: nodes.Expr) -> _Asked | None:
        reads = tuple(part for name, part in self.view.reads(expr) if name in self.names)
        first = None if self.is_set else first_round(self.view, expr, (RESTARTS,))
        mark = self.questions.get(id(expr))
        mark = mark if mark in self.marks else None
        if not reads and mark is None and first is None:
            return None
        negated, tests = False, False
        if isinstance(expr, nodes.Compare):
            negated, tests = expr.op.startswith("!"), self.view.variable(expr.left) in self.names
        return _Asked(expr, first, mark, negated, self.view.variable(expr) in self.names, tests, reads)

    def _compared(self, state: _State, test: nodes.Compare, holds: bool) -> _State | None:
        text = self.view.text(test.right)
        if self.view.variable(test.left) not in self.names or text is None:
            return state
        if test.op.startswith("!"):
            holds = not holds
        if test.op in ("~", "!~"):
            language = language_of(text)
            takes_nothing = language is None or language.matches(b"")
            if language is not None and state.there is False:
                return state if takes_nothing == holds else None
            return self._told(state, True) if holds and not takes_nothing else state
        return self._told(state, True) if holds and test.op in ("==", "!=") else state

    def _told(self, state: _State, there: bool) -> _State | None:
        if state.there is None:
            return replace(state, there=there)
        return state if state.there == there else None

    def _note(self, state: _State, asked: _Asked) -> None:
        asked.can_exist = asked.can_exist or state.there is not False
        asked.removed = asked.removed or state.removed
        asked.ended = asked.ended or not state.removed
        if asked.tests and asked.lost != ():
            by = tuple(self.removers[number] for number in state.cuts or ())
            is_lost = by and state.there is not False and _is_lost(self.view, by, asked.test)
            asked.lost = (asked.lost or by) if is_lost else ()

    # ---- statements ------------------------------------------------------------------------------------

    def do(self, state: _State, statement: nodes.Stmt, trail: Trail) -> _State:
        for expr in expressions_of(statement):
            if (asked := self._what_asks(expr)) is not None:
                self._note(state, asked)
        if isinstance(statement, nodes.CallStmt):
            return self._called(state, statement)
        if not isinstance(statement, nodes.Set | nodes.Unset):
            return state
        target = self.view.name(statement.target)
        marks = state.marks
        if marks:
            marks = frozenset(mark for mark in marks if mark[0].partition(" ")[0] != target)
        if target not in self.names:
            return replace(state, marks=marks)
        if isinstance(statement, nodes.Unset):
            return _State(False, True, None, marks)
        number = self._numbers.get(id(statement))
        if number is None or state.cuts is None or len(state.cuts) == _CUTS_MAX:
            return _State(None, False, None, marks)
        return _State(None, False, (*state.cuts, number), marks)

    def _called(self, state: _State, statement: nodes.CallStmt) -> _State:
        """A call that gets the field as such, or the whole request, may set the field."""
        for argument in statement.call.args:
            if self.view.variable(argument.value) in (*self.names, "req", "bereq", "beresp", "resp"):
                if self.view.call_of(statement) not in _READERS:
                    return replace(state, there=None, removed=False, cuts=None)
        return state


# Calls that only read their arguments.
_READERS = frozenset(("hash_data", "std.log", "std.syslog", "synthetic", "cookie.parse", "ban", "std.ban"))


def _questions(view: View) -> dict[int, str]:
    """The questions of comparisons, by the ids of these, that a request may meet twice. The answer of another
    one tells nothing later on, and each mark doubles the states of a walk."""
    found: dict[int, str] = {}
    times: Counter[str] = Counter()
    has_loops = any(isinstance(place.statement, nodes.For) for place in view.places)
    for place, _, parts in view.parts:
        once = place.sub in BIT_OF_HOOK and not has_loops
        for part in parts:
            question = _question(view, part) if isinstance(part, nodes.Compare) else None
            if question is not None:
                found[id(part)] = question
                times[question] += 1 if once else 2
    return {key: question for key, question in found.items() if times[question] > 1}


def _question(view: View, test: nodes.Compare) -> str | None:
    """The question of a comparison with a variable: the variable, and the rest without a negation."""
    name = view.variable(test.left)
    if name is None or not name.startswith(("req.", "bereq.", "client.")):
        return None
    return f"{name} {test.op.lstrip('!').replace('==', '=')} {view.written(test.right)}"


# ---- texts that substitutions leave ------------------------------------------------------------------------


def _is_lost(view: View, by: tuple[nodes.Stmt, ...], test: nodes.Expr) -> bool:
    """Whether no text that passes the test does so after the substitutions."""
    assert isinstance(test, nodes.Compare)
    pattern = view.text(test.right)
    if test.op not in ("~", "!~") or pattern is None:
        return False
    name = view.variable(test.left) or ""
    cuts = tuple(cut[1:] for one in by if (cut := _cut_of(view, one)) is not None)
    return len(cuts) == len(by) and _loses(cuts, pattern, alphabet_of(name))


@lru_cache(maxsize=1024)
def _loses(cuts: tuple[tuple[str, str, bool], ...], pattern: str, alphabet: int) -> bool:
    """Tries the substitutions with texts that the pattern matches, alone and among other cookies."""
    wanted = texts_of(pattern, alphabet)
    if not wanted or not all(map(_WORD.search, wanted)):
        return False  # a pattern for any text
    words = dict.fromkeys(word for cut in cuts for word in _WORD.findall(cut[0]))
    others = [f"{word}=1" for word in list(words)[:_COOKIES_MAX]]
    try:
        search = re.compile(pattern).search
        compiled = [(re.compile(cut), _python(text), 0 if every else 1) for cut, text, every in cuts]
        texts = [text for one in wanted for text in _tried(one, others) if search(text)]
        for text in texts:
            for cut, new, count in compiled:
                text = cut.sub(new, text, count=count)
            if search(text):
                return False
    except (re.error, IndexError):
        return False
    return bool(texts)


def _python(text: str) -> str:
    """The replacement text in the form of Python: a backslash is special only before a digit."""
    return re.sub(r"\\(\d)?", lambda one: f"\\g<{one[1]}>" if one[1] else r"\\\\", text)


def _tried(wanted: str, others: list[str]) -> Iterator[str]:
    """Lists of cookies with the text, each with a value, as browsers send them."""
    if "=" in wanted:
        cookies = [wanted + value for value in ("1", "f7-A_b.9%20")] + [wanted] * (wanted[-1] != "=")
    else:
        cookies = [wanted + value for value in ("=1", "abc=1", "=f7-A_b.9%20")]
    for cookie in cookies:
        yield from (cookie, f"zz=1; {cookie}", f"{cookie}; zz=1", f"zz=1; {cookie}; yy=2")
        yield "; ".join([cookie, *others])
        yield "; ".join([*others, cookie])
