"""Statements that make a request a hit if a hook of the policy begins or ends with them."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.record import record
from vernis.syntax import nodes
from vernis.syntax.tokens import TokenTable
from vernis.why.play import Policy

UNSHARED = "The origin says that the answer is not for all."
NO_COOKIE = "Visitors no longer get this cookie from cached responses."
_FIVE = (5, 0)

# Statements that help by reason: the hook, the statements, and the danger.
_ADDED: dict[str, tuple[tuple[str, str, str], ...]] = {
    "pass-cookie": (("vcl_recv", "unset req.http.Cookie;", "The origin no longer sees cookies."),),
    "pass-authorization": (
        (
            "vcl_recv",
            "unset req.http.Authorization;",
            "The origin no longer sees who asks: all get one answer.",
        ),
    ),
    "set-cookie": (("vcl_backend_response", "unset beresp.http.Set-Cookie;", NO_COOKIE),),
    "vary-star": (("vcl_backend_response", "unset beresp.http.Vary;", "All requests share one answer."),),
    "cache-control": (
        (
            "vcl_backend_response",
            "unset beresp.http.Cache-Control; unset beresp.http.Surrogate-Control; set beresp.ttl = 120s;",
            UNSHARED,
        ),
    ),
    "no-lifetime": (("vcl_backend_response", "set beresp.ttl = {seconds}s;", ""),),
    "expired": (("vcl_backend_response", "set beresp.ttl = {seconds}s;", ""),),
    "over-req-grace": (("vcl_backend_response", "set beresp.ttl = {seconds}s;", ""),),
    "stale": (("vcl_backend_response", "set beresp.ttl = {seconds}s;", ""),),
    "other-variant": (("vcl_backend_response", "unset beresp.http.Vary;", "All requests share one answer."),),
    "other-key": (
        ("vcl_recv", 'set req.url = regsub(req.url, "[?].*$", "");', "The origin no longer sees the query."),
        ("vcl_recv", "set req.http.Host = req.http.Host.lower();", ""),
        ("vcl_recv", 'set req.http.Host = regsub(req.http.Host, "^www[.]", "");', ""),
    ),
}
# 5.0 has checks before `hash` and `deliver` besides, which can be waived.
_ALLOWED = {
    "pass-cookie": ("vcl_recv", "allow (cookie);", "Visitors with different cookies get one answer."),
    "pass-authorization": (
        "vcl_recv",
        "allow (authorization);",
        "All users get the answer of the first one.",
    ),
    "set-cookie": ("vcl_backend_response", "allow (set_cookie);", "All visitors get this cookie."),
    "cache-control": ("vcl_backend_response", "allow (private);", UNSHARED),
}
# Parts of statements of 4.x, and what 5.0 has in their place.
_IN_FIVE = (
    ('regsub(req.url, "[?].*$", "")', "req.url.path"),
    ("regsub(req.http.Host,", 'regsub(req.http.Host ?? "",'),
)


@record(frozen=True)
class Addition:
    """``code`` to insert at a byte of the policy's own file. ``caution``: a danger; "" if there is none."""

    what: str
    at: int
    code: str
    caution: str


def additions(policy: Policy, text: bytes, reason: str, seconds: int) -> Iterator[Addition]:
    """The additions that may help against a reason. ``seconds`` is a lifetime that is long enough."""
    program = policy.run.program
    assert program is not None
    rows = _ADDED.get(reason, ())
    if program.version < _FIVE:
        for hook, statements, caution in rows:
            yield from _subs(policy, text, f"sub {hook} {{ {statements.format(seconds=seconds)} }}", caution)
        return
    for hook, statements, caution in (*rows, *([_ALLOWED[reason]] if reason in _ALLOWED else ())):
        statements = statements.format(seconds=seconds)
        for old, new in _IN_FIVE:
            statements = statements.replace(old, new)
        own = [
            one
            for one in program.declarations[: program.builtin_from]
            if isinstance(one, nodes.Sub) and one.name == hook
        ]
        if not own:
            yield from _subs(policy, text, f"sub {hook} {{ {statements} }}", caution)
        elif table_of(policy).files[own[0].at[0]] == 0:
            body = table_of(policy).span(own[0].body.at)
            yield Addition(
                f"at the start of {hook}, add: {statements}", body.start + 1, f"\n    {statements}", caution
            )
            yield Addition(
                f"at the end of {hook}, add: {statements}", body.end - 1, f"{statements}\n", caution
            )


def _subs(policy: Policy, text: bytes, code: str, caution: str) -> Iterator[Addition]:
    """A sub behind the version line, or at the end."""
    at = _after_version(policy)
    line = text.count(b"\n", 0, at) + 1
    yield Addition(f"behind line {line}, add: {code}", at, f"\n{code}", caution)
    yield Addition(f"at the end, add: {code}", len(text), f"\n{code}\n", caution)


def table_of(policy: Policy) -> TokenTable:
    assert policy.run.program is not None and isinstance(policy.run.program.tokens, TokenTable)
    return policy.run.program.tokens


def _after_version(policy: Policy) -> int:
    """Behind ``vcl 4.1;``."""
    assert policy.run.program is not None
    for decl in policy.run.program.declarations:
        if isinstance(decl, nodes.Version):
            return table_of(policy).span(decl.at).end
    return 0
