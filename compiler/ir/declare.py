"""How the IR declares an op: the roles of its members, its text, its work and what it changes (ir.py)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar, dataclass_transform

from vernis.semantics.types import Type

Value: TypeAlias = int  # index into Function.types
BlockId: TypeAlias = int  # index into Function.blocks
ConstValue: TypeAlias = bytes | int | float | bool | None

# Roles of the members of an op, by which roles.py, pretty.py and native/numbers.py read all ops alike. A
# Value is one that the op uses, Made one that it defines. The others are indices into tables of the module.
Made: TypeAlias = Value
MadeIfAny: TypeAlias = Value | None
Values: TypeAlias = tuple[Value, ...]
BlockIds: TypeAlias = tuple[BlockId, ...]
SlotId: TypeAlias = int
SiteId: TypeAlias = int
NameId: TypeAlias = int
RegexId: TypeAlias = int
RuleId: TypeAlias = int
AclId: TypeAlias = int
InstanceId: TypeAlias = int
SetId: TypeAlias = int
PatternId: TypeAlias = int
ChainId: TypeAlias = int
SubName: TypeAlias = str
DeclaredId: TypeAlias = int  # of the table that the type of the op names

# Work of an op, for budget.py. One processor operation is 1; the others are typical costs relative to it.
CALL_WORK = 10  # a function of the runtime, a field
ACL_WORK = 20
PATTERN_WORK = 100  # a regular expression


T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def immutable(cls: type[T]) -> type[T]:
    """A dataclass that never changes. Only mypy sees to this: a frozen dataclass takes three times as long to
    make, and a compile makes ten thousand of them."""
    return dataclass(slots=True, unsafe_hash=True)(cls)


@dataclass(slots=True, frozen=True)
class Declared:
    """The declaration of an op, without its members. ``number`` stands for the op in digests. ``text`` is
    its text for people, with the members in braces; without it pretty.py has a function. ``changes`` is what
    known results no longer hold after it: of its "slot", of its "field", or of "anything"."""

    number: int
    text: str
    work: int
    changes: str


#: All ops.
OPS: dict[type, Declared] = {}


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def op(text: str = "", work: int = 1, changes: str = "") -> Callable[[type[T]], type[T]]:
    """An op. The annotation of each member is its role."""

    def declared(cls: type[T]) -> type[T]:
        made = immutable(cls)
        OPS[made] = Declared(len(OPS) + 1, text, work, changes)
        return made

    return declared


def members(item: object) -> tuple[str, ...]:
    """The names of the members of an op or a declaration."""
    return type(item).__slots__  # type: ignore[attr-defined, no-any-return]


@immutable
class Extern:
    """A runtime function of the policy contract.

    ``symbol`` is its name in the import table. ``params`` are machine types in order, without the ``struct
    policy_ctx *`` that every function takes first. ``optional`` are the indices of parameters that may be
    absent. A call of such a function carries a leading INT bit mask of the given ones (bit i = params[i]);
    absent ones get a zero value. ``may_fail``: it may set ``ctx->failed``, which ends the hook with FAIL.
    ``pure``: it has no effect and gives the same result for the same arguments within one hook, so an unused
    call may be dropped. ``may_wait``: it may suspend."""

    symbol: str
    params: tuple[Type, ...]
    result: Type
    optional: tuple[int, ...] = ()
    may_fail: bool = False
    pure: bool = False
    may_wait: bool = False
