"""RE: patterns on which one value costs very many steps."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.ambiguity import Attack, attack_on, may_exceed_square
from vernis.lint.rule import Finding, Rule
from vernis.lint.uses import uses_of
from vernis.lint.view import View
from vernis.syntax.diagnostics import Severity

POWER_MIN = 3  # a quadratic pattern reaches no limit within a usual URL
_SHOWN_TIMES = 12
_SHOWN_MAX = 60  # bytes of an example


def _example(attack: Attack) -> str:
    text = attack.text(_SHOWN_TIMES).decode("latin-1")
    text = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
    return text if len(text) <= _SHOWN_MAX else text[: _SHOWN_MAX - 3] + "..."


class _Backtracking(Rule):
    source = "https://github.com/varnishcache/varnish-cache/issues/2214"
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        for use in uses_of(view):
            attack = attack_on(use.text, use.alphabet) if may_exceed_square(use.text) else None
            if attack is not None:
                message = self.message(attack)
                if message is not None:
                    yield Finding(use.span, f"{message}, such as {_example(attack)}")

    def message(self, attack: Attack) -> str | None:
        raise NotImplementedError


class Backtracking(_Backtracking):
    id = "RE003"
    name = "exponential-backtracking"
    severity = Severity.ERROR
    what = "A repeat inside a repeat can read the same text in two ways, and the end of the pattern can fail."
    why = (
        "PCRE2 then tries all ways before it gives up, and each further byte doubles them. A request with a "
        "short value made for it keeps a thread busy until pcre2_match_limit, and then fails."
    )
    remedy = "let each byte have one place in the pattern: (a+)+ is a+, and (\\w+\\.?)+ is \\w[\\w.]*"
    bad = 'sub vcl_recv { if (req.url ~ "^/(\\w+/?)+$") { return (pass); } }'
    good = 'sub vcl_recv { if (req.url ~ "^/\\w[\\w/]*$") { return (pass); } }'

    def message(self, attack: Attack) -> str | None:
        return "each repetition doubles the steps for a value" if attack.power is None else None


class PolynomialBacktracking(_Backtracking):
    id = "RE011"
    name = "polynomial-backtracking"
    severity = Severity.WARNING
    what = "Three or more repeats in a row can read the same text."
    why = (
        "PCRE2 tries all ways to share a text between them before it gives up: ten times the length costs a "
        "thousand times the steps. A request with a long value reaches pcre2_match_limit, and fails."
    )
    remedy = "exclude the byte behind a repeat from it: [^/]*/ instead of .*/"
    bad = 'sub vcl_recv { if (req.url ~ "/.*/.*/.*/edit$") { return (pass); } }'
    good = 'sub vcl_recv { if (req.url ~ "/[^/]*/[^/]*/[^/]*/edit$") { return (pass); } }'

    def message(self, attack: Attack) -> str | None:
        if attack.power is None or attack.power < POWER_MIN:
            return None
        return f"the steps for a value grow with power {attack.power} of its length"
