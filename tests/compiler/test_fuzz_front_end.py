"""The fuzz test of the front end (`make fuzz-front-end`): a short run finds nothing, and seeded mistakes are
found."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fuzz import front_end


def fuzz(monkeypatch: pytest.MonkeyPatch, finds: Path, mutants: int, *more: str) -> int:
    monkeypatch.setattr(sys, "argv", ["front_end.py", "--mutants", str(mutants), "--finds", str(finds), *more])
    return front_end.main()


def test_a_short_run_finds_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert fuzz(monkeypatch, tmp_path / "finds", 300) == 0
    assert not (tmp_path / "finds").exists()


def test_a_run_ends_in_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz(monkeypatch, tmp_path / "finds", 10**9, "--seconds", "0") == 0
    assert "front_end: 0 mutants" in capsys.readouterr().out


def test_seeds_have_the_forms_of_five() -> None:
    texts = front_end.texts_of_five()
    assert all(text.startswith(b"vcl 5.0;") for text in texts)
    assert all(any(form in text for text in texts) for form in (b"switch (", b"if (let ", b"table ", b"fn ", b"allow (", b"as m"))


def spin(text: bytes, builtin: bool) -> int:
    while True:
        pass


def crash(text: bytes, builtin: bool) -> int:
    import ctypes

    ctypes.string_at(0)
    return 3


def fail(text: bytes, builtin: bool) -> int:
    raise KeyError("a seeded mistake")


@pytest.mark.parametrize(("mistake", "why"), [(spin, "SIGPROF"), (crash, "SIGSEGV"), (fail, "a seeded mistake")])
def test_a_seeded_mistake_is_found(mistake: Callable[[bytes, bool], int], why: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(front_end, "run_front_end", mistake)
    monkeypatch.setattr(front_end, "SECONDS_MAX", 0.1)
    assert fuzz(monkeypatch, tmp_path, 2) == 1
    assert why in (tmp_path / "0.txt").read_text() and why in (tmp_path / "1.txt").read_text()
    assert (tmp_path / "0.vcl").read_bytes() != (tmp_path / "1.vcl").read_bytes()
