"""FL: hooks that the built-in policy continues."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vernis.lint.repairs import STEP, indent_before
from vernis.lint.rule import Finding, Fix, Rule
from vernis.lint.view import View
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Severity, Span
from vernis.syntax.tokens import COMMENTS

# Hooks whose built-in part decides something.
_HOOKS = ("vcl_recv", "vcl_hash", "vcl_backend_response")
_NOTE = later("built-?in|default|fall|continue", re.I)


class MissingFallthroughNote(Rule):
    id = "FL009"
    name = "missing-fallthrough-note"
    severity = Severity.NOTE
    what = "A hook ends without a return, and no comment at its end says that the built-in policy continues."
    why = (
        "The built-in policy passes requests with cookies or credentials, adds URL and host to "
        "the key, and keeps private responses out of the cache. Who does not know that adds a "
        "return, which skips it."
    )
    remedy = "write a comment before the closing brace, such as `# The built-in vcl_recv continues here`"
    source = "https://github.com/magento/magento2/pull/40677"
    bad = 'sub vcl_recv { if (req.url ~ "^/admin") { return (pass); } }'
    good = (
        'sub vcl_recv { if (req.url ~ "^/admin") { return (pass); }\n'
        "    # The built-in vcl_recv continues here.\n}"
    )
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        for hook in _HOOKS:
            own = view.defines(hook)
            if own and not any(view.ends.block(one.body) for one in own) and not _has_note(view, own[-1]):
                yield Finding(
                    view.tokens.span(own[-1].name_at),
                    f"the built-in {hook} continues at the end of this",
                    fix=_comment(view, own[-1], hook),
                )


def _tail(view: View, sub: nodes.Sub) -> Span:
    """The text between the last statement, or its include, and the closing brace."""
    tokens, brace = view.tokens, sub.body.at[1]
    before = brace - 1
    while before > sub.body.at[0] and (
        tokens.files[before] != tokens.files[brace] or tokens.types[before] in COMMENTS
    ):
        before -= 1
    end, start = view.token_span(brace), view.token_span(before)
    return Span(end.file, start.end if start.file == end.file else end.start, end.start)


def _has_note(view: View, sub: nodes.Sub) -> bool:
    return _NOTE.search(view.sources.text(_tail(view, sub))) is not None


def _comment(view: View, sub: nodes.Sub, hook: str) -> Fix:
    brace, opening = view.token_span(sub.body.at[1]), view.token_span(sub.body.at[0])
    text, statements = f"# The built-in {hook} continues here.\n", sub.body.statements
    outer = indent_before(view, brace)
    if outer is not None:
        last = indent_before(view, view.span(statements[-1])) if statements else None
        at = Span(brace.file, brace.start - len(outer), brace.start - len(outer))
        edit = Edit(at, (last or outer + STEP) + text)
        return Fix("say that the built-in policy continues", (edit,), safe=True)
    edits, end = [], opening.end
    for one in statements if opening.file == brace.file else ():
        span = view.span(one)
        if view.sources.text(Span(span.file, end, span.start)).strip():
            break
        edits.append(Edit(Span(span.file, end, span.start), "\n" + STEP))
        end = span.end
    gap = view.sources.text(Span(brace.file, end, brace.start))
    if gap.strip():
        edits, end = [], brace.start
    edits.append(Edit(Span(brace.file, end, brace.start), f"\n{STEP}{text}"))
    return Fix("say that the built-in policy continues", tuple(edits), safe=True)
