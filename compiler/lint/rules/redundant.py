"""UN: parts of a policy that change nothing.

Declarations that no hook uses are a finding of the checker (V602), so UN001 to UN006 do not exist here.
"""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.repairs import deleted
from vernis.lint.rule import Finding, Fix, Rule, finding
from vernis.lint.view import View, expressions_of
from vernis.semantics.acls import acl_text
from vernis.semantics.typed import Acl, AclEntry
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

ENTRIES_MAX = 400  # of an ACL
TEXT_MAX = 4000  # characters of a rule that is compared


class HeaderNeverRead(Rule):
    id = "UN007"
    name = "header-set-never-read"
    severity = Severity.NOTE
    what = "The policy sets a field of the request, never reads it, and removes it before the origin sees it."
    why = "Each request pays for it, and a reader looks for its use."
    remedy = "delete the statements"
    changes = "the request has no such field, which the origin of a pipe would have got"
    source = "https://github.com/ysugimoto/falco/blob/main/docs/rules.md"
    bad = 'sub vcl_recv { set req.http.X-Seen = "1"; } sub vcl_backend_fetch { unset bereq.http.X-Seen; }'
    good = (
        'sub vcl_recv { set req.http.X-Seen = "1"; } sub vcl_backend_fetch { if (bereq.http.X-Seen) '
        "{ set bereq.http.X-Via = bereq.http.X-Seen; } unset bereq.http.X-Seen; }"
    )
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        read = {
            name.partition(".http.")[2]
            for place in view.places
            for expression in expressions_of(place.statement)
            for name, _ in view.reads(expression)
        }
        unset = {
            view.name(place.statement.target)
            for place in view.places
            if isinstance(place.statement, nodes.Unset) and place.in_hook("vcl_backend_fetch")
        }
        for place in view.places:
            if isinstance(place.statement, nodes.Set):
                name = view.name(place.statement.target)
                if name.startswith("req.http.") and "be" + name in unset and name[9:] not in read:
                    fix = Fix("delete it", (deleted(view, place.statement),), safe=False)
                    yield finding(view, place.statement, f"nothing reads {name}", fix=fix)


class AclOverlap(Rule):
    id = "UN008"
    name = "acl-overlap"
    severity = Severity.NOTE
    what = "An entry of an ACL changes nothing: a wider entry has its addresses, or it excludes none."
    why = "A reader who deletes the other entry expects that these addresses change, and they do not."
    remedy = "delete the entry"
    source = "https://varnish-cache.org/docs/trunk/reference/vcl.html"
    bad = (
        'acl office { "10.0.0.0"/8; "10.1.0.0"/16; } '
        "sub vcl_recv { if (client.ip ~ office) { return (pass); } }"
    )
    good = (
        'acl office { "10.0.0.0"/8; ! "10.1.0.0"/16; } '
        "sub vcl_recv { if (client.ip ~ office) { return (pass); } }"
    )
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        for acl in view.checked.acls:
            node = view.acls.get(acl.name.lower())
            if node is None or len(acl.entries) > ENTRIES_MAX:
                continue
            places = {acl_text(entry): entry for entry in node.entries}
            for entry in acl.entries:
                at = places.get(("! " if entry.negated else "") + entry.text)
                message = _useless(acl, entry)
                if at is not None and message is not None:
                    fix = Fix("delete the entry", (deleted(view, at),), safe=True)
                    yield finding(view, at, message, fix=fix)


def _useless(acl: Acl, entry: AclEntry) -> str | None:
    """Why an entry changes nothing: the next wider entry decides the same."""
    wider = [other for other in acl.entries if other.bits < entry.bits and _includes(other, entry)]
    if not wider:
        return "this excludes addresses that no other entry includes" if entry.negated else None
    widest = max(wider, key=lambda other: other.bits)
    return f"{widest.text} has these addresses" if widest.negated == entry.negated else None


def _includes(wide: AclEntry, narrow: AclEntry) -> bool:
    if len(wide.address) != len(narrow.address):
        return False
    shift = 8 * len(wide.address) - wide.bits
    return int.from_bytes(wide.address) >> shift == int.from_bytes(narrow.address) >> shift


class DuplicateRule(Rule):
    id = "UN009"
    name = "duplicate-rule"
    severity = Severity.NOTE
    what = "The same test with the same statements comes twice in a sub."
    why = "The second does what the first did. Who changes one forgets the other."
    remedy = "delete one of them"
    source = "https://docs.astral.sh/ruff/rules/if-with-same-arms/"
    bad = (
        'sub vcl_recv { if (req.url ~ "^/a") { unset req.http.Cookie; } set req.http.X = "1"; '
        'if (req.url ~ "^/a") { unset req.http.Cookie; } }'
    )
    good = (
        'sub vcl_recv { if (req.url ~ "^/a") { unset req.http.Cookie; } set req.http.X = "1"; '
        'if (req.url ~ "^/b") { unset req.http.Cookie; } }'
    )
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        for block in view.blocks():
            seen: dict[str, nodes.Stmt] = {}
            for statement in block.statements:
                if isinstance(statement, nodes.If):
                    text = " ".join(view.written(statement).split())
                    if len(text) <= TEXT_MAX and statement.arms[0].body.statements:
                        first = seen.setdefault(text, statement)
                        if first is not statement:
                            yield Finding(
                                view.span(statement.arms[0].condition or statement),
                                "the same test and statements come before",
                                labels=((view.span(first), "here"),),
                            )
