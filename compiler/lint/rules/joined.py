"""CK: keys that join texts, so that two requests can have one key."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.rule import Finding, Fix, Rule
from vernis.lint.rules.hashing import hashed_names
from vernis.lint.view import View, bare, expressions_of, field_of, flat
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Severity, Span

_ADDRESSES = frozenset(("client.ip", "remote.ip", "local.ip", "server.ip"))
_FROM_CLIENT = ("req.http.", "cookie.", "client.")
_KEEPS_START = frozenset(("std.querysort", "std.tolower", "std.toupper", "querystring.sort"))
_FIXED_LENGTH = later(r"digest|hash|uuid|hmac")
_BETWEEN = later(r'((?:\s*\?\?\s*"[^"]*")?)\s*\+\s*')  # two texts; the first one may have a default


class KeyPartsJoined(Rule):
    id = "CK014"
    name = "key-parts-joined"
    severity = Severity.WARNING
    what = "One text of the cache key joins two inputs, and nothing stands between them."
    why = (
        "`ab` + `c` and `a` + `bc` make the same key: a client gets the response to another "
        "request. Each hash_data() ends its text with a byte that no input has."
    )
    remedy = "call hash_data() once for each input"
    changes = "each input is a text of its own in the key, so that the cache fetches these pages again"
    source = "https://varnish-cache.org/docs/trunk/users-guide/vcl-hashing.html"
    bad = "sub vcl_hash { hash_data(req.http.X-Shop + req.http.X-Currency); }"
    good = "sub vcl_hash { hash_data(req.http.X-Shop); hash_data(req.http.X-Currency); }"
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        if not view.where.has_any("hash_data()"):
            return
        hashed = hashed_names(view)
        for place in view.places:
            statement = place.statement
            if isinstance(statement, nodes.Set):
                name = view.name(statement.target)
                if name in hashed and field_of(name) is not None:
                    own = (
                        [nodes.NameExpr(statement.target.at, statement.target)]
                        if statement.op == "+="
                        else []
                    )
                    yield from _joined(view, [*own, *flat(statement.value, nodes.Sum)], None)
            elif view.call_of(statement) == "hash_data":
                call = next(expressions_of(statement))
                assert isinstance(call, nodes.CallExpr)
                value = call.args[0].value
                plain = value if isinstance(value, nodes.Sum) else None
                yield from _joined(view, list(flat(value, nodes.Sum)), plain)


def _joined(view: View, operands: list[nodes.Expr], whole: nodes.Sum | None) -> Iterator[Finding]:
    """The first place where two texts meet. ``whole`` is the argument of hash_data(), if it is this sum."""
    texts = [one for one in operands if view.text(one) != ""]
    for one, other in zip(texts, texts[1:], strict=False):
        if _is_ambiguous(view, one, other):
            said = " and ".join(" ".join(view.written(text).split()) for text in (one, other))
            yield Finding(
                view.span(other), f"nothing separates {said} in the key", fix=_apart(view, one, other, whole)
            )
            return


def _apart(view: View, one: nodes.Expr, other: nodes.Expr, whole: nodes.Sum | None) -> Fix | None:
    if whole is None or one not in whole.operands or other not in whole.operands:
        return None
    first, second = view.span(one), view.span(other)
    if first.file != second.file:
        return None
    between = _BETWEEN.fullmatch(view.sources.text(Span(first.file, first.end, second.start)))
    if between is None:
        return None
    file = view.sources.files[first.file]
    line = file.text[file.line_starts[file.line_of(view.span(whole).start) - 1] : first.start]
    indent = line[: len(line) - len(line.lstrip())]
    gap = "\n" + indent if line.lstrip().startswith("hash_data") else " "
    edit = Edit(Span(first.file, first.end + between.end(1), second.start), f");{gap}hash_data(")
    return Fix("hash each of them", (edit,), safe=False)


def _is_ambiguous(view: View, one: nodes.Expr, other: nodes.Expr) -> bool:
    """Whether other values of both can make the same text. A host or an address before a path cannot: it has
    no slash, and the path begins with one."""
    if not _is_free(view, other) or _has_constant(view, other, 0):
        return False
    if _begins_with_slash(view, other) and _has_no_slash(view, one):
        return False
    own = _own_values(view, one)
    if own is not None:
        return any(a != b and b.startswith(a) for a in own if a for b in own)
    return _is_free(view, one) and not _has_constant(view, one, -1)


def _is_free(view: View, text: nodes.Expr) -> bool:
    """Whether a client has a part in a text, so that it can have any length."""
    if view.text(text) is not None or _own_values(view, text) is not None:
        return False
    if isinstance(text, nodes.CallExpr) and _FIXED_LENGTH.search(view.name(text.name)):
        return False
    return any(
        name == "req.url" or name in _ADDRESSES or name.startswith(_FROM_CLIENT)
        for name, _ in view.reads(text)
    )


def _has_constant(view: View, text: nodes.Expr, at: int) -> bool:
    """Whether each value that a field gets has a constant at its end (-1) or begin (0)."""
    sets = view.sets.get(view.variable(text) or "", ())
    return bool(sets) and all(view.text(list(flat(one.value, nodes.Sum))[at]) for _, one in sets)


def _own_values(view: View, text: nodes.Expr) -> frozenset[str] | None:
    """The values of a field that the policy sets to nothing but constants."""
    sets = view.sets.get(view.variable(text) or "", ())
    values = [view.text(statement.value) if statement.op == "=" else None for _, statement in sets]
    known = frozenset(value for value in values if value is not None)
    return known if values and None not in values else None


def _begins_with_slash(view: View, text: nodes.Expr) -> bool:
    text = bare(text)
    if isinstance(text, nodes.CallExpr) and view.name(text.name) in _KEEPS_START and text.args:
        return _begins_with_slash(view, text.args[0].value)
    return view.variable(text) == "req.url"


def _has_no_slash(view: View, text: nodes.Expr) -> bool:
    """Whether a text is a host or an address."""
    names = {name for name, _ in view.reads(text) if not name.endswith("()")}
    return bool(names) and names <= _ADDRESSES | view.derived_from("req.http.host")
