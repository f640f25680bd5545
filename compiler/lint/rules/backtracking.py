"""RE: patterns on which one value costs very many steps."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.ambiguity import Attack, attack_on, may_exceed_square
from vernis.lint.rule import Finding, Rule
from vernis.lint.steps import times_to_limit
from vernis.lint.uses import Use, uses_of
from vernis.lint.view import View
from vernis.syntax.diagnostics import Severity

POWER_MIN = 3  # a quadratic pattern reaches no limit within a usual URL
# Few honest values are longer. A longer one is made on purpose, and costs only the request that sends it: the
# steps up to the limit take a tenth of a millisecond.
USUAL_MAX = 500  # bytes
_SHOWN_MAX = 60  # bytes of an example


def _example(text: bytes) -> str:
    shown = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text.decode("latin-1"))
    return shown if len(shown) <= _SHOWN_MAX else shown[: _SHOWN_MAX - 3] + "..."


class _Backtracking(Rule):
    source = "https://github.com/varnishcache/varnish-cache/issues/2214"
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        for use in uses_of(view):
            attack = attack_on(use.text, use.alphabet) if may_exceed_square(use.text) else None
            if attack is not None:
                yield from self.found(view, use, attack)

    def found(self, view: View, use: Use, attack: Attack) -> Iterator[Finding]:
        raise NotImplementedError


def _cost(text: bytes) -> str:
    return f"{len(text)} bytes reach pcre2_match_limit, such as {_example(text)}"


class Backtracking(_Backtracking):
    id = "RE003"
    name = "exponential-backtracking"
    severity = Severity.ERROR
    what = "A repeat inside a repeat can read the same text in two ways, and the end of the pattern can fail."
    why = (
        "PCRE2 tries all ways before it gives up, and each repetition doubles them: a short value "
        "keeps a thread busy until pcre2_match_limit, and the request fails."
    )
    remedy = "let each byte have one place in the pattern: (a+)+ is a+, and (\\w+\\.?)+ is \\w[\\w.]*"
    bad = 'sub vcl_recv { if (req.url ~ "^/(\\w+/?)+$") { return (pass); } }'
    good = 'sub vcl_recv { if (req.url ~ "^/\\w[\\w/]*$") { return (pass); } }'

    def found(self, view: View, use: Use, attack: Attack) -> Iterator[Finding]:
        times = times_to_limit(use.text, attack) if attack.power is None else None
        if times is not None:
            message = f"each repetition doubles the steps for a value: {_cost(attack.text(times))}"
            yield Finding(use.span(view), message)


class PolynomialBacktracking(_Backtracking):
    id = "RE011"
    name = "polynomial-backtracking"
    severity = Severity.WARNING
    what = "Three or more repeats in a row can read the same text."
    why = (
        "PCRE2 tries all ways to share a text between them: ten times the length costs a thousand "
        "times the steps, up to pcre2_match_limit. A note if 500 bytes do not reach it."
    )
    remedy = "exclude the byte behind a repeat from it: [^/]*/ instead of .*/"
    bad = 'sub vcl_recv { if (req.url ~ "/.*/.*/.*/edit$") { return (pass); } }'
    good = 'sub vcl_recv { if (req.url ~ "/[^/]*/[^/]*/[^/]*/edit$") { return (pass); } }'

    def found(self, view: View, use: Use, attack: Attack) -> Iterator[Finding]:
        is_steep = attack.power is not None and attack.power >= POWER_MIN
        times = times_to_limit(use.text, attack) if is_steep else None
        if times is not None:
            text = attack.text(times)
            message = f"the steps for a value grow with power {attack.power} of its length: {_cost(text)}"
            yield Finding(use.span(view), message, severity=Severity.NOTE if len(text) > USUAL_MAX else None)
