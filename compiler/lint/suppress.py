"""Comments that suppress findings: ``# vernis: ignore[CS001] reason, until 2027-03-01``.

Behind a statement the comment is for its line; alone on a line it is for the next line with text. A rule is
named by id, name, or group (``CS``). ``ignore-file[...]`` is for the whole file. After its date a comment
suppresses nothing. A comment that suppresses nothing is a finding itself (LN001 to LN003).
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence

from vernis.lint.rule import Finding, Fix, Rule
from vernis.lint.view import View
from vernis.record import record
from vernis.regex import later
from vernis.syntax.diagnostics import Edit, Span

_COMMENT = later(r"vernis:\s*(ignore|ignore-file)\s*\[([^\]]*)\](.*)", re.S)
_ANY = later(r"vernis:\s*ignore(-file)?(?![\w-])")
UNUSED = "LN001"  # the rule whose fix deletes the comment
_UNTIL = later(r"\buntil\s+(\d{4}-\d{2}-\d{2})")


@record
class Suppression:
    """One rule word of a comment, empty if it has none. ``line`` None: the whole file."""

    word: str
    span: Span
    line: int | None
    until: datetime.date | None
    rules: frozenset[str]  # ids that the word names
    used: bool = False


class Suppressions:
    """All suppressions of a policy."""

    def __init__(self, view: View, rules: Sequence[Rule], today: datetime.date) -> None:
        self.view, self.today = view, today
        self.all = [one for index in _comments(view) for one in _read(view, index, rules)]
        self.by_file: dict[int, list[Suppression]] = {}
        for one in self.all:
            self.by_file.setdefault(one.span.file, []).append(one)

    def hides(self, rule: Rule, found: Finding) -> bool:
        """Whether a comment suppresses a finding; marks that comment as used."""
        hidden = False
        for one in self.by_file.get(found.span.file, ()):
            if rule.id not in one.rules or self._expired(one):
                continue
            if one.line is None or one.line == self._line(found.span):
                one.used = hidden = True
        return hidden

    def findings(self, rule: Rule, ran: frozenset[str]) -> Iterator[Finding]:
        """The findings of a rule about suppressions. ``ran`` are the ids of the rules that ran: only their
        suppressions can be found unused."""
        about = getattr(rule, "about", None)
        if about is None:
            return
        for one in self.all:
            found = about(one, self._expired(one), ran)
            if found is not None:
                fix = self._removal(one) if rule.id == UNUSED and self._is_useless(one, ran) else None
                yield Finding(one.span, found, fix=fix)

    def _is_useless(self, one: Suppression, ran: frozenset[str]) -> bool:
        """Whether no rule word of the comment suppresses anything."""
        of_comment = [other for other in self.by_file[one.span.file] if other.span == one.span]
        return all(other.rules and other.rules <= ran and not other.used for other in of_comment)

    def _removal(self, one: Suppression) -> Fix:
        """The change that deletes the comment and the blanks before it."""
        text, start = self.view.sources.files[one.span.file].text, one.span.start
        while start and text[start - 1] in " \t":
            start -= 1
        edit = Edit(Span(one.span.file, start, one.span.end), "")
        return Fix("delete the comment", (edit,), safe=True)

    def _expired(self, one: Suppression) -> bool:
        return one.until is not None and one.until < self.today

    def _line(self, span: Span) -> int:
        return self.view.sources.files[span.file].line_of(span.start)


def _comments(view: View) -> Iterator[int]:
    """Indices of the comments with the word of this tool."""
    tokens = view.tokens
    at = tokens.hidden.find(1)
    while 0 <= at < view.builtin_at:
        if "vernis:" in tokens.text(at):
            yield at
        at = tokens.hidden.find(1, at + 1)


def _read(view: View, index: int, rules: Sequence[Rule]) -> Iterator[Suppression]:
    text = view.tokens.text(index)
    match = _COMMENT.search(text)
    span = view.tokens.span((index, index))
    if match is None or not match[2].strip():
        if _ANY.search(text):
            yield Suppression("", span, None, None, frozenset())
        return
    until = _UNTIL.search(match[3])
    line = None if match[1] == "ignore-file" else _line_for(view, index)
    for word in filter(None, (word.strip() for word in match[2].split(","))):
        named = frozenset(rule.id for rule in rules if word == rule.name or rule.id.startswith(word))
        yield Suppression(word, span, line, _date(until), named)


def _date(match: re.Match[str] | None) -> datetime.date | None:
    try:
        return None if match is None else datetime.date.fromisoformat(match[1])
    except ValueError:
        return datetime.date.min  # no such day: the suppression has expired, which is a finding


def _line_for(view: View, index: int) -> int:
    """The line that a comment is about."""
    tokens = view.tokens
    line, file = tokens.lines[index], tokens.files[index]
    if index > 0 and tokens.files[index - 1] == file and tokens.lines[index - 1] == line:
        return line
    after = index + 1
    while after < len(tokens) and tokens.files[after] == file and tokens.hidden[after]:
        after += 1
    return tokens.lines[after] if after < len(tokens) and tokens.files[after] == file else line
