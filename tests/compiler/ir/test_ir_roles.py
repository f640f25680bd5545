"""Each op declares the roles of its members, a number and a text."""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any, get_args

import pytest

from vernis.ir import ir
from vernis.ir.flow import Rewriter, defined, targets, uses
from vernis.ir.roles import roles_of
from vernis.native import numbers

NATIVE = Path(__file__).resolve().parents[3] / "compiler/native/ops.py"
#: Roles of members that are neither values nor indices.
PLAIN = {"Type", "ConstValue", "Extern", "Msg", "Action", "str", "bool", "int | None"}
#: Ops of which pretty.py writes the text, and ops whose rows numbers.py writes.
OWN_TEXT = {ir.Const, ir.Ref, ir.Call, ir.NewInstance, ir.SiteMark}
OWN_ROW = {ir.Const, ir.Switch}


class Anything:
    """An input of the rows of numbers.py."""

    def __getattr__(self, name: str) -> Any:
        return self

    def __getitem__(self, key: object) -> Any:
        return self

    def __call__(self, *args: object) -> Any:
        return self

    def __mul__(self, other: object) -> Any:
        return self

    def __radd__(self, other: object) -> Any:
        return self

    def __iter__(self) -> Any:
        return iter(())


def made(kind: type, **members: Any) -> Any:
    """An op with a number of its own for each member."""
    place = {name: number for number, name in enumerate(roles_of(kind), 10)}
    several = ("Values", "BlockIds")
    return kind(**{name: (place[name], place[name] + 100) if role in several else place[name] for name, role in roles_of(kind).items()}
                | members)


def test_the_union_has_each_op() -> None:
    missing = [kind.__name__ for kind in ir.OPS if kind not in get_args(ir.Op)]
    assert not missing, f"compiler/ir/ir.py: the union Op lacks {', '.join(missing)}"


@pytest.mark.parametrize("kind", ir.OPS)
def test_an_op_has_native_code(kind: type) -> None:
    assert f"ir.{kind.__name__}()" in NATIVE.read_text(), f"compiler/native/ops.py has no code of {kind.__name__}"


def test_no_two_kinds_of_rows_have_one_number() -> None:
    found = [declared.number for declared in ir.OPS.values()] + [numbers.SWITCH_BY_TABLE]
    assert sorted(found) == sorted(set(found))


@pytest.mark.parametrize("kind", [kind for kind in ir.OPS if kind not in OWN_ROW])
def test_a_row_begins_with_the_number_of_its_op(kind: type) -> None:
    row = numbers._ROWS[kind](kind(*(Anything() for _ in roles_of(kind))), Anything())
    assert row[0] == ir.OPS[kind].number


@pytest.mark.parametrize("kind", ir.OPS)
def test_a_member_has_a_role_that_the_ir_names(kind: type) -> None:
    assert [role for role in roles_of(kind).values() if role not in PLAIN and not hasattr(ir, role)] == []


@pytest.mark.parametrize("kind", [kind for kind in ir.OPS if kind not in OWN_TEXT])
def test_a_text_has_each_member(kind: type) -> None:
    named = {name for _, name, _, _ in string.Formatter().parse(ir.OPS[kind].text) if name}
    missing = set(roles_of(kind)) - {"dst", "site", "type"} - named                  # the type is that of dst
    assert not missing, f"compiler/ir/ir.py: the text of {kind.__name__} lacks {', '.join(missing)}"


@pytest.mark.parametrize("kind", ir.OPS)
def test_values_blocks_and_slots_are_found_and_renumbered(kind: type) -> None:
    op = made(kind)
    again = Rewriter(value=lambda v: v + 1000, block=lambda b: b + 2000, made=lambda v: v + 3000, slot=lambda s: s + 4000).op(op)
    by = {"Value": 1000, "Values": 1000, "BlockId": 2000, "BlockIds": 2000, "Made": 3000, "MadeIfAny": 3000, "SlotId": 4000}
    for name, role in roles_of(kind).items():
        before, after = getattr(op, name), getattr(again, name)
        assert after == (tuple(one + by[role] for one in before) if isinstance(before, tuple) else before + by.get(role, 0)), name
    found = [one for name, role in roles_of(kind).items() if role in ("Value", "Values")
             for one in (getattr(op, name) if role == "Values" else [getattr(op, name)])]
    assert list(uses(op)) == found
    assert [value - 1000 for value in uses(again)] == found
    assert [target - 2000 for target in targets(again)] == list(targets(op))
    assert (defined(op) is None) == ("dst" not in roles_of(kind))


def test_a_misspelt_role_is_refused() -> None:
    from vernis.ir.roles import constructors, used
    with pytest.raises(AssertionError):
        constructors({"Valu": "{0}"})
    with pytest.raises(AssertionError):
        used("Valu", "Values")
