"""Records behave like data classes."""

from __future__ import annotations

import pytest

from vernis.record import field, fields, record, replace


@record
class Open:
    name: str
    items: list[int] = field(default_factory=list)
    size: int = 3

    @property
    def whole(self) -> str:
        return f"{self.name}{self.size}"


@record(frozen=True)
class Frozen:
    """A docstring of its own."""

    name: str
    size: int = 3


def test_fields_are_positional_or_named_and_have_defaults() -> None:
    item = Open("a", size=4)
    assert (item.name, item.items, item.size, item.whole) == ("a", [], 4, "a4")
    assert fields(item) == ("name", "items", "size")
    with pytest.raises(TypeError):
        Open()      # type: ignore[call-arg]


def test_defaults_from_a_factory_are_not_shared() -> None:
    assert Open("a").items is not Open("a").items


def test_an_open_record_can_change_and_has_only_its_fields() -> None:
    item = Open("a")
    item.size = 9
    assert item == Open("a", [], 9)
    with pytest.raises(AttributeError):
        item.other = 1      # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        hash(item)


def test_a_frozen_record_never_changes() -> None:
    item = Frozen("a")
    with pytest.raises(AttributeError, match="size of a Frozen never changes"):
        item.size = 4       # type: ignore[misc]
    with pytest.raises(AttributeError):
        del item.size
    assert item.size == 3


def test_records_are_equal_if_class_and_fields_are_equal() -> None:
    assert Frozen("a") == Frozen("a", 3) and hash(Frozen("a")) == hash(Frozen("a", 3))
    assert Frozen("a") != Frozen("b") and Frozen("a") != Open("a") and Frozen("a") != ("a", 3)


def test_repr_and_patterns_use_the_fields() -> None:
    assert repr(Frozen("a")) == "Frozen(name='a', size=3)" and Frozen.__doc__ == "A docstring of its own."
    match Frozen("a", 5):
        case Frozen(name, size=size):
            assert (name, size) == ("a", 5)
        case _:
            raise AssertionError


def test_a_changed_copy_leaves_the_original_alone() -> None:
    first = Frozen("a")
    assert replace(first, size=7) == Frozen("a", 7) and first.size == 3
