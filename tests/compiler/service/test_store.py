"""The content-addressed store returns entries whole or not at all, and stays within its budget."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vernis.service.store import ContentStore, key_of


def key(number: int) -> str:
    return key_of(number.to_bytes(8, "little"))


def test_a_stored_entry_is_returned(tmp_path: Path) -> None:
    store = ContentStore(tmp_path)
    store.put(key(1), b"content")
    assert store.get(key(1)) == b"content"
    assert store.get(key(2)) is None


def test_entries_outlive_the_store(tmp_path: Path) -> None:
    ContentStore(tmp_path).put(key(1), b"content")
    again = ContentStore(tmp_path)
    assert again.get(key(1)) == b"content"
    assert again.bytes_used == len(b"content") + 32


@pytest.mark.parametrize("damage", [
    lambda data: data[:-1], lambda data: data[:10], lambda data: b"", lambda data: data[:-1] + bytes([data[-1] ^ 1])])
def test_a_damaged_entry_is_absent_and_removed(tmp_path: Path, damage) -> None:         # type: ignore[no-untyped-def]
    store = ContentStore(tmp_path)
    store.put(key(1), b"content")
    path = tmp_path / key(1)
    path.write_bytes(damage(path.read_bytes()))
    assert store.get(key(1)) is None
    assert not path.exists()
    assert store.bytes_used == 0


def test_an_incomplete_file_of_an_earlier_server_is_removed(tmp_path: Path) -> None:
    torn = tmp_path / f".{key(1)}.new"
    torn.write_bytes(b"half")
    assert ContentStore(tmp_path).get(key(1)) is None
    assert not torn.exists()


def test_the_least_recently_used_entry_is_removed_first(tmp_path: Path) -> None:
    store = ContentStore(tmp_path, bytes_max=3 * (32 + 8))
    for number in range(3):
        store.put(key(number), b"8 bytes.")
    store.get(key(0))
    store.put(key(3), b"8 bytes.")
    assert [store.get(key(number)) is not None for number in range(4)] == [True, False, True, True]


def test_an_entry_larger_than_the_budget_is_not_kept(tmp_path: Path) -> None:
    store = ContentStore(tmp_path, bytes_max=64)
    store.put(key(1), b"small")
    store.put(key(2), bytes(100))
    assert store.get(key(2)) is None and store.get(key(1)) == b"small"


def test_a_removed_directory_loses_only_its_entries(tmp_path: Path) -> None:
    directory = tmp_path / "store"
    store = ContentStore(directory)
    store.put(key(1), b"content")
    (directory / key(1)).unlink()
    directory.rmdir()
    assert store.get(key(1)) is None
    store.put(key(2), b"content")           # the entry cannot be stored, which is not an error
    assert store.get(key(2)) is None


@given(st.lists(st.binary(max_size=8), max_size=4), st.lists(st.binary(max_size=8), max_size=4))
def test_different_lists_of_parts_have_different_keys(left: list[bytes], right: list[bytes]) -> None:
    assert (key_of(*left) == key_of(*right)) == (left == right)
