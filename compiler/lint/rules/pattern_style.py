"""RE: regular expressions that a simpler test replaces, and those that are easily too wide or too narrow."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.automata import Language, TooLargeError, are_equal, language_of, outside
from vernis.lint.pattern import ALL_BYTES, Bytes, Edge, Repeat, Sequence, Tree, shape_of
from vernis.lint.rule import Finding, Fix, Rule
from vernis.lint.uses import URLS, Use, tests_of
from vernis.lint.view import View
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Severity, Span


class RegexIsLiteral(Rule):
    id = "RE004"
    name = "regex-is-literal"
    severity = Severity.NOTE
    what = "A pattern ^text$ without other signs is tested with ~."
    why = "A comparison says the same, costs less, and has no dot that may stand for another byte."
    remedy = "compare with =="
    source = "https://gixy.io/checks/"
    bad = 'sub vcl_recv { if (req.method ~ "^PURGE$") { return (pass); } }'
    good = 'sub vcl_recv { if (req.method == "PURGE") { return (pass); } }'
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        for use, test in tests_of(view):
            shape = None if use.pattern is None else shape_of(use.pattern.tree)
            if shape is None or not (shape.at_start and shape.at_end and shape.text):
                continue
            if use.alphabet != ALL_BYTES:
                yield Finding(
                    use.span(view),
                    f'this pattern matches only the text "{shape.text}"',
                    fix=_comparison(view, use, test, shape.text),
                )


def _comparison(view: View, use: Use, test: nodes.Compare, text: str) -> Fix | None:
    """The test with == instead of ~, or != instead of !~."""
    left, pattern = view.span(test.left), use.span(view)
    between = Span(left.file, left.end, pattern.start)
    if use.offset is None or left.file != pattern.file or '"' in text or not text.isprintable():
        return None
    if not text.isascii() or view.sources.text(between).strip() != test.op:
        return None
    sign = "==" if test.op == "~" else "!="
    edit = Edit(Span(left.file, left.end, pattern.end), f' {sign} "{text}"')
    return Fix(f"compare with {sign}", (edit,), safe=True)


class DotStarEdges(Rule):
    id = "RE005"
    name = "dot-star-edges"
    severity = Severity.NOTE
    what = "A pattern begins or ends with .* that changes nothing."
    why = "A match may begin and end anywhere, so .* at an edge only adds work."
    remedy = "leave .* out"
    source = "https://github.com/ysugimoto/falco/blob/main/docs/rules.md"
    bad = 'sub vcl_recv { if (req.url ~ "^.*/admin/.*") { return (pass); } }'
    good = 'sub vcl_recv { if (req.url ~ "/admin/") { return (pass); } }'
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        for use, _ in tests_of(view):
            shorter = None if use.pattern is None else _without_edges(use, use.pattern.tree)
            if shorter is not None:
                edit = use.edit(view, 0, len(use.text), shorter)
                fix = None if edit is None else Fix("leave .* out", (edit,), safe=True)
                yield Finding(use.span(view), f'"{shorter}" matches the same requests', fix=fix)


def _without_edges(use: Use, tree: Tree) -> str | None:
    """The pattern without .* at its edges, if it matches the same values."""
    items = tree.items if isinstance(tree, Sequence) else ()
    start, end = 0, len(use.text)
    anchored = bool(items) and isinstance(items[0], Edge) and items[0].kind == "^"
    first, last = items[anchored : anchored + 1], items[-1:]
    if last and isinstance(last[0], Edge) and last[0].kind == "$":
        last = items[-2:-1]
    if first and _is_anything(first[0]):
        assert isinstance(first[0], Repeat)
        start = first[0].end
    if last and _is_anything(last[0]):
        assert isinstance(last[0], Repeat)
        end = last[0].start
    shorter = use.text[start:end] if start < end else ""
    if not shorter or shorter == use.text:
        return None
    return shorter if _are_same(use.language, language_of(shorter), use.alphabet) else None


def _is_anything(tree: Tree) -> bool:
    return (
        isinstance(tree, Repeat)
        and isinstance(tree.item, Bytes)
        and (tree.item.kind, tree.least, tree.most) == ("dot", 0, None)
    )


def _are_same(one: Language | None, other: Language | None, alphabet: int) -> bool:
    try:
        return one is not None and other is not None and are_equal(one, other, alphabet)
    except TooLargeError:
        return False


class MissingPathEnd(Rule):
    id = "RE006"
    name = "missing-path-end"
    severity = Severity.NOTE
    what = "A pattern for the begin of a path ends in the middle of a name."
    why = "^/admin also matches /administrator-guide and /admin.html."
    remedy = "end the pattern with (/|\\?|$)"
    source = "https://github.com/magento/magento2/pull/40677"
    bad = 'sub vcl_recv { if (req.url ~ "^/admin") { return (pass); } }'
    good = 'sub vcl_recv { if (req.url ~ "^/admin(/|\\?|$)") { return (pass); } }'
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        for use, _ in tests_of(view):
            shape = None if use.pattern is None or use.subject not in URLS else shape_of(use.pattern.tree)
            if shape is None or not shape.at_start or shape.at_end or not shape.text.startswith("/"):
                continue
            if shape.text[-1].isalnum() and "?" not in shape.text:
                yield Finding(use.span(view), f"this pattern also matches {shape.text}x")


_CASELESS_FIELDS = ("host", "x-forwarded-host", "upgrade", "connection", "content-type", "x-forwarded-proto")


class CaseMissed(Rule):
    id = "RE007"
    name = "case-missed"
    severity = Severity.NOTE
    what = "A pattern tells upper and lower case apart in a value that has no case, such as a host name."
    why = "EXAMPLE.com is the same host as example.com: a client that writes it gets around the rule."
    remedy = "begin the pattern with (?i), or set the field to its lower() before"
    changes = "values in capitals match, too"
    source = "https://www.rfc-editor.org/rfc/rfc9110#section-4.2.3"
    bad = 'sub vcl_recv { if (req.http.host ~ "^www\\.") { return (pass); } }'
    good = 'sub vcl_recv { if (req.http.host ~ "(?i)^www\\.") { return (pass); } }'
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        lowered = _lowered(view)
        for use, _ in tests_of(view):
            name = use.subject or ""
            if not name.startswith(("req.", "bereq.")) or name in lowered:
                continue
            if name.partition(".http.")[2] not in _CASELESS_FIELDS:
                continue
            missed = _other_case(use)
            if missed is not None:
                edit = use.edit(view, 0, 0, "(?i)")
                fix = None if edit is None else Fix("ignore case", (edit,), safe=False)
                yield Finding(use.span(view), f"this pattern misses {missed}", fix=fix)


def _lowered(view: View) -> frozenset[str]:
    """The fields that the policy puts into lower case."""
    return frozenset(
        view.name(place.statement.target)
        for place in view.places
        if isinstance(place.statement, nodes.Set)
        and any("lower" in name for name, _ in view.reads(place.statement.value))
    )


def _other_case(use: Use) -> str | None:
    """A value that the pattern misses only because of its case."""
    wide = language_of("(?i)" + use.text)
    if wide is None or use.language is None:
        return None
    try:
        missed = outside(wide, use.language, use.alphabet)
    except TooLargeError:
        return None
    return None if missed is None else missed.decode("latin-1")
