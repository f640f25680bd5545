"""Functions of each op, made from the roles of its members (ir.py).

Their code is written out for each class, because a walk over members takes five times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from vernis.ir import ir

#: An expression by role, with {0} for the member of the op ``o``.
Expressions: TypeAlias = Mapping[str, str]


def roles_of(kind: type) -> dict[str, str]:
    """The role of each member, by its name."""
    return kind.__annotations__


#: The roles of all members.
ROLES = frozenset(role for kind in ir.OPS for role in roles_of(kind).values())


def with_role(kind: type, *roles: str) -> list[str]:
    """The members of these roles."""
    assert ROLES.issuperset(roles), "no op has a member of this role"
    return [name for name, role in roles_of(kind).items() if role in roles]


def constructors(expressions: Expressions) -> dict[type, Callable[[Any, Any], ir.Op]]:
    """For each op a function of it and ``s`` that makes the op with other members. A function of an op
    without members of these roles returns the op."""
    rows = {}
    for kind in ir.OPS:
        found = [expressions.get(role, "{0}").format(f"o.{name}") for name, role in roles_of(kind).items()]
        has_one = with_role(kind, *expressions)
        rows[kind] = f"{kind.__name__}({', '.join(found)})" if has_one else "o"
    return _Compiled("o, s", rows)


def tuples(expressions: Expressions, but: Mapping[type, str]) -> dict[type, Callable[[Any, Any], Any]]:
    """For each op a function of it and ``s`` that gives its number and its members as a tuple. An empty
    expression leaves a member out. ``but`` are the expressions of other ops."""
    assert ROLES.issuperset(expressions), "no op has a member of this role"
    rows = {}
    for kind, declared in ir.OPS.items():
        found = [expressions.get(role, "{0}").format(f"o.{name}") for name, role in roles_of(kind).items()]
        rows[kind] = but.get(kind) or f"({declared.number}, {', '.join(filter(None, found))})"
    return _Compiled("o, s", rows)


def used(role: str, several: str) -> dict[type, Callable[[Any], tuple[int, ...]]]:
    """For each op that has members of one of the roles, a function that gives them as a tuple."""
    rows = {}
    for kind in ir.OPS:
        names = with_role(kind, role, several)
        members = ["*" * (roles_of(kind)[name] == several) + f"o.{name}" for name in names]
        if members:
            alone = len(members) == 1 and members[0].startswith("*")
            rows[kind] = members[0][1:] if alone else f"({', '.join(members)},)"
    compiled = _Compiled("o", rows)
    return {kind: compiled[kind] for kind in rows}


class _Compiled(dict[type, Callable[..., Any]]):
    """The functions. Each is compiled when it is first asked for, because a compile needs few of them."""

    def __init__(self, params: str, rows: Mapping[type, str]) -> None:
        self.params, self.rows = params, rows

    def __missing__(self, kind: type) -> Callable[..., Any]:
        known = {kind.__name__: kind}
        made: Callable[..., Any] = eval(f"lambda {self.params}: {self.rows[kind]}", known)
        self[kind] = made
        return made
