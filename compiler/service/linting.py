"""Lints texts that change, in a process that lives on: ``lint --watch``, or a server for editors."""

from __future__ import annotations

from collections.abc import Sequence

from vernis.lint.engine import Memory, Result, Settings, lint
from vernis.lint.plugins import installed_rules
from vernis.lint.rule import Rule
from vernis.pipeline import CHECK, Compilation, Options, run_stages
from vernis.record import field, record
from vernis.semantics.again import Known
from vernis.syntax.splice import TokenCache


@record
class Kept:
    """State that a process keeps of one policy from one text to the next. It belongs to one path and one set
    of options, and to one thread."""

    known: Known = field(default_factory=Known)
    memory: Memory = field(default_factory=Memory)
    tokens: TokenCache = field(default_factory=TokenCache)


def lint_text(
    path: str,
    text: bytes,
    kept: Kept | None = None,
    rules: Sequence[Rule] | None = None,
    settings: Settings | None = None,
    options: Options | None = None,
) -> tuple[Compilation, list[Result]]:
    """Lints a text as the policy at ``path``, which is the base of its includes. Returns the run, whose
    ``diagnostics`` are the errors and warnings of the checker and whose ``sources`` give lines of spans, and
    the findings of rules; a policy with errors has none. With ``kept``, the next text costs what its changes
    concern. ``rules`` None: all installed ones. Raises WrongPlugin, RuleFailed."""
    run = Compilation("policy", path, text, options or Options(err_unref=False))
    if kept is not None:
        run.known, run.token_cache = kept.known, kept.tokens
    run_stages(run, CHECK)
    if run.checked is None or run.failed:
        return run, []
    chosen = installed_rules() if rules is None else rules
    return run, lint(run.checked, chosen, settings, None if kept is None else kept.memory)
