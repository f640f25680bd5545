"""Reads ``vernis.toml``: the settings of a project, for the tools that work on its policies.

The file of a policy is the first ``vernis.toml`` in its folder or a folder above. Each tool has a table in
it. :data:`TABLES` has all tables with their keys, so that each tool reports the mistakes of the whole file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from vernis.record import record
from vernis.similar import similar, unreadable

NAME = "vernis.toml"
BYTES_MAX = 1 << 20


class Values(Protocol):
    """The values that a key accepts."""

    def refusal(self, value: object) -> str:
        """Says what is wrong with a value; empty if it is right."""


@record(frozen=True)
class WholeNumber:
    least: int
    most: int

    def refusal(self, value: object) -> str:
        if type(value) is int and self.least <= value <= self.most:
            return ""
        return f"wants a whole number from {self.least} to {self.most}, not {value!r}"


@record(frozen=True)
class Words:
    """A list of texts."""

    what: str

    def refusal(self, value: object) -> str:
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            return ""
        return f"wants a list of {self.what}, not {value!r}"


@record(frozen=True)
class OneOf:
    """One of some texts."""

    texts: tuple[str, ...]

    def refusal(self, value: object) -> str:
        if value in self.texts:
            return ""
        return f"wants {' or '.join(map(repr, self.texts))}, not {value!r}{meant(str(value), self.texts)}"


@record(frozen=True)
class TableOf:
    """A table with keys of the user's choice."""

    values: OneOf | Words

    def refusal(self, value: object) -> str:
        return "" if isinstance(value, dict) else f"wants a table, not {value!r}"


_RULES = Words("rules")
TABLES: dict[str, dict[str, Values]] = {
    "format": {"line-width": WholeNumber(20, 1000), "indent": WholeNumber(1, 16)},
    "lint": {
        "select": _RULES,
        "extend-select": _RULES,
        "ignore": _RULES,
        "per-file-ignores": TableOf(_RULES),
        "severity": TableOf(OneOf(("error", "warning", "note"))),
    },
}

Table = dict[str, Any]


class WrongSettings(Exception):
    """The text names the file, the line and the mistake."""


def find(folder: str) -> str | None:
    """Returns the path of the file for policies in ``folder``."""
    folder = os.path.abspath(folder)
    while True:
        path = os.path.join(folder, NAME)
        if os.path.isfile(path):
            return path
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def read(path: str) -> dict[str, Table]:
    """Returns the tables of a file with their values. Raises WrongSettings."""
    import tomllib

    text = _text(path)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise WrongSettings(_with_line(path, str(error))) from None
    except RecursionError:
        raise WrongSettings(f"{path}: nested too deeply") from None
    for table, values in tables.items():
        _check_table(path, text, table, values)
    return tables


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read(BYTES_MAX + 1)
        if len(data) > BYTES_MAX:
            raise WrongSettings(f"{path}: larger than {BYTES_MAX} bytes")
        return data.decode()
    except OSError as error:
        raise WrongSettings(unreadable(str(path), error)) from None
    except UnicodeDecodeError:
        raise WrongSettings(f"{path}: not UTF-8") from None


def _with_line(path: str, error: str) -> str:
    """Moves the place to the front: Python's reader of TOML writes it behind its message."""
    message, _, place = error.partition(" (at line ")
    line = place.partition(",")[0]
    return f"{path}:{line}: {message}" if line.isdecimal() else f"{path}: {error}"


def _check_table(path: str, text: str, table: str, values: Any) -> None:
    keys = TABLES.get(table)
    if keys is None or not isinstance(values, dict):
        what = f"unknown table [{table}]" if isinstance(values, dict) else f"{table!r} is not in a table"
        raise WrongSettings(f"{_place(path, text, (table,))}: {what}{meant(table, TABLES)}")
    for key, value in values.items():
        if key not in keys:
            place = _place(path, text, (table, key))
            raise WrongSettings(f"{place}: unknown key {key!r} in [{table}]{meant(key, keys)}")
        kind = keys[key]
        _check_value(path, text, (table, key), kind, value)
        if isinstance(kind, TableOf):
            for inner, inner_value in value.items():
                _check_value(path, text, (table, key, inner), kind.values, inner_value)


def _check_value(path: str, text: str, keys: tuple[str, ...], kind: Values, value: object) -> None:
    refusal = kind.refusal(value)
    if refusal:
        raise WrongSettings(f"{_place(path, text, keys)}: {keys[-1]!r} {refusal}")


def meant(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: the nearest known one, or all of a few."""
    known = list(known)
    near = similar(word, known)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; there is {', '.join(known)}" if len(known) <= 8 else ""


# ---- lines -------------------------------------------------------------------------------------------------


def place(path: str, keys: tuple[str, ...], word: str = "") -> str:
    """``file:line`` of a key, or of a word in its list."""
    try:
        return _place(path, _text(path), keys, word)
    except WrongSettings:
        return path  # the file has changed since


def _place(path: str, text: str, keys: tuple[str, ...], word: str = "") -> str:
    """Python's reader of TOML does not tell the lines of keys. For an inline table this is the line of the
    key that holds it."""
    line, fit = 1, 0
    for number, found in _lines_of_keys(text):
        if len(found) > fit and found == keys[: len(found)]:
            line, fit = number, len(found)
    lines = text.split("\n")
    if word:
        line = next(
            (n for n in range(line, len(lines) + 1) if f'"{word}"' in lines[n - 1].replace("'", '"')), line
        )
    return f"{path}:{line}"


def _lines_of_keys(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Heads of tables, and keys with those of their table before them."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if line.startswith("["):
            found = _keys_in(line)
            table = found or table
        else:
            found = next(filter(None, (_keys_in(f"{head} = 0") for head in _heads(line))), ())
            found = table + found if found else ()
        if found:
            yield number, found


def _heads(line: str) -> Iterator[str]:
    """The part of a line that may be its key. A quoted key can contain the sign."""
    at = line.find("=")
    while at > 0:
        yield line[:at]
        at = line.find("=", at + 1)


def _keys_in(line: str) -> tuple[str, ...]:
    """The keys of one line of TOML; empty if the line alone is not TOML, as inside of a list."""
    import tomllib

    try:
        value: object = tomllib.loads(line)
    except (tomllib.TOMLDecodeError, RecursionError):
        return ()
    keys: list[str] = []
    while value:
        if isinstance(value, list):
            value = value[0]
        elif isinstance(value, dict):
            key, value = next(iter(value.items()))
            keys.append(key)
        else:
            break
    return tuple(keys)
