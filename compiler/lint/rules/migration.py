"""DEP: forms that work and have a better successor.

The checker reports what the language has no more, with the new form: hooks, statements, variables and actions
of VCL 3 and 4.0 (V210, V228, V302, V401, V405, V406, V502). So DEP001 to DEP007 do not exist here.
"""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.rule import Finding, Rule
from vernis.lint.view import View, expressions_of, parts_of
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_REQUEST_TERM = later(r"(^|&&)\s*req\.")


class LurkerUnfriendlyBan(Rule):
    id = "DEP009"
    name = "lurker-unfriendly-ban"
    severity = Severity.NOTE
    what = "A ban compares with req.*, so that only a request for the object can test it."
    why = (
        "The ban lurker can neither remove objects for such a ban nor delete it: bans pile up, "
        "and each look-up tests more of them."
    )
    remedy = "copy the URL to beresp.http.X-Url in vcl_backend_response, and ban by obj.http.X-Url"
    source = "https://kly.no/posts/2010_07_28__Smart_bans_with_Varnish__.html"
    bad = 'sub vcl_recv { if (req.http.X-Ban) { ban("req.url ~ ^/news"); } }'
    good = 'sub vcl_recv { if (req.http.X-Ban) { ban("obj.http.X-Url ~ ^/news"); } }'
    profiles = ("strict", "migration")

    def check(self, view: View) -> Iterator[Finding]:
        for place in view.places:
            if view.call_of(place.statement) in ("ban", "std.ban"):
                texts = [
                    part
                    for expression in expressions_of(place.statement)
                    for part in parts_of(expression)
                    if isinstance(part, nodes.StringLit) and _REQUEST_TERM.search(part.value)
                ]
                if texts:
                    yield Finding(view.span(texts[0]), "the ban lurker cannot test this ban")
