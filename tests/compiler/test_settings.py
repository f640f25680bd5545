"""vernis.toml: where it is found, and its mistakes with their lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from vernis import settings

GOOD = Path(__file__).resolve().parents[1] / "data" / "settings" / "vernis.toml"


@pytest.fixture(autouse=True)
def few_frames() -> Iterator[None]:
    """As in a new process: the parser of policies raises the limit (syntax/frames.py)."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    yield
    sys.setrecursionlimit(before)



def test_the_file_of_the_folder_or_of_one_above_is_found(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "vernis.toml").write_text("")
    assert settings.find(str(inner)) == str(tmp_path / "vernis.toml")
    (tmp_path / "a" / "vernis.toml").write_text("")
    assert settings.find(str(inner)) == str(tmp_path / "a" / "vernis.toml")


def test_a_folder_of_that_name_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "a" / "vernis.toml").mkdir(parents=True)
    (tmp_path / "vernis.toml").write_text("")
    assert settings.find(str(tmp_path / "a")) == str(tmp_path / "vernis.toml")


def test_the_tables_are_read() -> None:
    assert settings.read(str(GOOD)) == {
        "format": {"line-width": 90},
        "lint": {"select": ["recommended", "SEC"], "per-file-ignores": {"old/*.vcl": ["SEC"]}, "severity": {"SEC001": "warning"}},
    }


@pytest.mark.parametrize(("text", "message"), [
    ("[lint]\n\nselct = []\n", ":3: unknown key 'selct' in [lint]; did you mean 'select'?"),
    ("[format]\n'indent' = 99\n", ":2: 'indent' wants a whole number from 1 to 16, not 99"),
    ("[format]\nindent = true\n", ":2: 'indent' wants a whole number from 1 to 16, not True"),
    ("\n[lnt]\n", ":2: unknown table [lnt]; did you mean 'lint'?"),
    ("select = []\n", ":1: 'select' is not in a table; there is format, lint"),
    ("\nlint.ignore = 'SEC'\n", ":2: 'ignore' wants a list of rules, not 'SEC'"),
    ("[lint]\nignore = [1]\n", ":2: 'ignore' wants a list of rules, not [1]"),
    ("[lint]\nignore = [\n 'a = b',\n]\nseverity = 'error'\n", ":5: 'severity' wants a table, not 'error'"),
    ("[lint.severity]\nSEC = 'error'\nFL001 = 'warn'\n",
     ":3: 'FL001' wants 'error' or 'warning' or 'note', not 'warn'; did you mean 'warning'?"),
    ("[lint]\nseverity = { SEC = 'warning', FL = 1 }\n", ":2: 'FL' wants 'error' or 'warning' or 'note', not 1"),
    ("[lint.per-file-ignores]\n'a=b.vcl' = 1\n", ":2: 'a=b.vcl' wants a list of rules, not 1"),
    ("[[lint]]\nselect = []\n", ":1: 'lint' is not in a table"),
    ("[lint]\nselect = [\n", ":"),
    ("[lint]\nselect = 1 2\n", ":2: Expected newline or end of document after a statement"),
    ("a = " + "[" * 5000, ": nested too deeply"),
    ("# " + "x" * settings.BYTES_MAX, ": larger than 1048576 bytes"),
])
def test_a_mistake_names_file_line_and_what_was_meant(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "vernis.toml"
    path.write_text(text)
    with pytest.raises(settings.WrongSettings) as caught:
        settings.read(str(path))
    assert str(caught.value).startswith(f"{path}{message}")


def test_bytes_that_are_no_utf8_and_a_missing_file_are_named(tmp_path: Path) -> None:
    path = tmp_path / "vernis.toml"
    with pytest.raises(settings.WrongSettings, match=r"cannot read .*vernis\.toml: No such file"):
        settings.read(str(path))
    path.write_bytes(b"# \xff")
    with pytest.raises(settings.WrongSettings, match=r"vernis\.toml: not UTF-8"):
        settings.read(str(path))


def test_a_word_of_a_list_has_a_line(tmp_path: Path) -> None:
    path = tmp_path / "vernis.toml"
    path.write_text('[lint]\nselect = [\n  "SEC",\n  "FL001",\n]\n\n[lint.severity]\n"FL001" = "note"\n')
    assert settings.place(str(path), ("lint", "select"), "FL001") == f"{path}:4"
    assert settings.place(str(path), ("lint", "severity", "FL001")) == f"{path}:8"
    path.unlink()
    assert settings.place(str(path), ("lint", "select"), "FL001") == str(path)
