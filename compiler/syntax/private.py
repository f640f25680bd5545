"""``import "file.vcl" as lib`` of 5.0: the names that an imported file declares are its own.

The splicer puts the tokens of the file behind the import, as an include does, and notes the range. This stage
then renames in the tree: a name ``x`` that the file declares becomes ``lib.x``, where it is declared, where
the file uses it, and where the importing file writes ``lib.x``. The later stages see plain declarations whose
names have a dot, which no other declaration can have.

Hooks, variables and modules have no owner: the hooks of all files run in one order, as with ``include``.
"""

from __future__ import annotations

from typing import Any, TypeVar

from vernis.record import replace
from vernis.syntax import nodes as n
from vernis.syntax.diagnostics import Diagnostics, Label, Span
from vernis.syntax.splice import Region
from vernis.syntax.tokens import TokenTable

_DECLARATIONS = (n.Backend, n.Probe, n.Acl, n.Sub, n.Constant, n.Function, n.TextSet, n.Table, n.Counter)
# The member of a node that names a declaration. Other names are variables, words, labels and locals.
_REFERENCES = {
    n.NameExpr: "name",
    n.CallExpr: "name",
    n.CallSub: "name",
    n.Count: "name",
    n.New: "constructor",
}
_LEAVES = (str, int, bool, type(None), n.Name)

Node = TypeVar("Node")


def with_private_names(
    declarations: list[n.Decl], regions: list[Region], table: TokenTable, diags: Diagnostics
) -> list[n.Decl]:
    """Returns the declarations of a policy without its imports of files, and with the names of their files
    renamed. ``regions`` are in the order of the text."""
    declarations = [d for d in declarations if not (isinstance(d, n.Import) and not d.module)]
    if not regions:
        return declarations
    top = Region(0, len(table), "", Span(0, 0, 0))
    for region in regions:
        around = _innermost(regions, region.first, region)
        region.outer = around
        owner = top if around is None else around
        known = owner.inner.setdefault(region.alias.lower(), region)
        if known is not region:
            diags.error(
                "V238",
                region.asked,
                f"two imports have the name {region.alias}",
                "choose another name behind `as`",
                (Label(known.asked, "the first is here"),),
            )
    placed = [(d, _innermost(regions, d.at[0])) for d in declarations]
    for declaration, own in placed:
        if own is not None:
            own.names |= _declared(declaration)
    return [_renamed(d, top if own is None else own, own) for d, own in placed]


def _innermost(regions: list[Region], token: int, other_than: Region | None = None) -> Region | None:
    """The region of a token. A region that begins later is inside of the others."""
    for region in reversed(regions):
        if region is not other_than and region.first <= token < region.end:
            if other_than is None or region.end >= other_than.end:
                return region
    return None


def _declared(declaration: n.Decl) -> set[str]:
    """The names that a declaration gives to its file."""
    if isinstance(declaration, n.Sub) and _is_hook(declaration):
        return {node.name.lower() for node in _all_news(declaration)}
    return {declaration.name.lower()} if isinstance(declaration, _DECLARATIONS) else set()


def _is_hook(sub: n.Sub) -> bool:
    return sub.name.lower().startswith("vcl_")


def _all_news(node: Any) -> list[n.New]:
    if isinstance(node, tuple):
        return [found for part in node for found in _all_news(part)]
    if isinstance(node, _LEAVES):
        return []
    found = [node] if isinstance(node, n.New) else []
    return found + [one for name in node.__slots__ for one in _all_news(getattr(node, name))]


def _renamed(node: Node, scope: Region, own: Region | None) -> Node:
    """A node with the names that its file can use. ``own`` is the imported file that it belongs to."""
    if isinstance(node, tuple):
        parts = tuple(_renamed(part, scope, own) for part in node)
        same = all(new is old for new, old in zip(parts, node))
        return node if same else parts  # type: ignore[return-value]
    if isinstance(node, _LEAVES):
        return node
    if isinstance(node, n.CallSub) and isinstance(node.value, n.CallExpr):
        name = _meant(node.name, scope)
        if len(name.parts) == 1:  # lib.sub(...) is no method of an object
            args = _renamed(node.value.args, scope, own)
            return n.CallSub(node.at, name, None, args)  # type: ignore[return-value]
    changes: dict[str, Any] = {}
    reference = _REFERENCES.get(type(node))
    if isinstance(node, n.CallExpr) and node.receiver is not None:
        reference = None  # the name of a method
    for name in node.__slots__:  # type: ignore[attr-defined]
        old = getattr(node, name)
        new = _meant(old, scope) if name == reference else _renamed(old, scope, own)
        if new is not old:
            changes[name] = new
    if own is not None and _has_own_name(node):
        changes["name"] = own.prefix + node.name  # type: ignore[attr-defined]
    return replace(node, **changes) if changes else node


def _has_own_name(node: object) -> bool:
    if isinstance(node, n.Sub):
        return not _is_hook(node)
    return isinstance(node, (*_DECLARATIONS, n.New))


def _meant(name: n.Name, scope: Region) -> n.Name:
    """A name as the program knows it: of this file, or behind the name of an imported one."""
    prefix, parts = scope.prefix if scope.alias else "", name.parts
    if parts[0].lower() in scope.names:
        return n.Name(name.at, (prefix + parts[0], *parts[1:]), tuple(i for i in name.quoted if i > 0))
    imported = scope.inner.get(parts[0].lower())
    if imported is None or len(parts) < 2:
        return name
    return n.Name(
        name.at, (imported.prefix + parts[1], *parts[2:]), tuple(i - 1 for i in name.quoted if i > 1)
    )
