"""SEC: what a request carries to the origin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vernis.lint.repairs import behind_brace
from vernis.lint.rule import Finding, Fix, Rule
from vernis.lint.view import View, expressions_of, parts_of
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_CGI = later(r"php|cgi|fpm", re.I)
_PROXY = ("req.http.proxy", "bereq.http.proxy")


class Httpoxy(Rule):
    id = "SEC013"
    name = "httpoxy"
    severity = Severity.NOTE
    what = "The policy speaks of PHP or CGI, and lets the field Proxy of a request through."
    why = "CGI makes HTTP_PROXY of Proxy, and libraries take that for the proxy of their own requests."
    remedy = "unset req.http.Proxy at the begin of vcl_recv: no honest client sends it"
    changes = "the field Proxy of a client is removed"
    source = "https://github.com/httpoxy/httpoxy-org/pull/6"
    bad = r'sub vcl_recv { if (req.url ~ "\.php") { return (pass); } }'
    good = r'sub vcl_recv { unset req.http.Proxy; if (req.url ~ "\.php") { return (pass); } }'
    profiles = ("security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        definitions = view.defines("vcl_recv")
        if definitions and _speaks_of_cgi(view) and not _clears_proxy(view):
            edit = behind_brace(view, definitions[0], "unset req.http.Proxy;")
            yield Finding(
                view.tokens.span(definitions[0].name_at),
                "the origin gets the field Proxy as the client sent it",
                fix=Fix("remove the field", (edit,), safe=True),
            )


def _clears_proxy(view: View) -> bool:
    return any(
        isinstance(place.statement, nodes.Set | nodes.Unset) and view.name(place.statement.target) in _PROXY
        for place in view.places
    )


def _speaks_of_cgi(view: View) -> bool:
    """Whether a test compares a URL with a text that names CGI."""
    return any(
        isinstance(part, nodes.Compare)
        and view.variable(part.left) in ("req.url", "bereq.url")
        and _CGI.search(view.text(part.right) or "") is not None
        for place in view.places
        for expr in expressions_of(place.statement)
        for part in parts_of(expr)
    )
