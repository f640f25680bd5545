"""Each name of Varnish 9.0 is known here, or tests/data/varnish9.toml says why not."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
TABLE = tomllib.loads((ROOT / "tests/data/varnish9.toml").read_text())
VOCABULARY = tomllib.loads((ROOT / "grammar/vocabulary.toml").read_text())
EXPLAINED = TABLE["later"] | TABLE["meant"]
SIDES = {"all": None, "client": "client", "backend": "backend"}
VERNISD = ROOT / "build/bin/vernisd"


def hooks(words: list[str]) -> set[str]:
    """The hooks that a side or a name stands for."""
    found = set()
    for hook in VOCABULARY["hook"]:
        name, side = hook["name"].removeprefix("vcl_"), hook["side"]
        if any(word in (name, side) or word == "all" for word in words):
            found.add(name)
    return found


def lacking(name: str, wanted: str) -> str:
    """The rights and the type that the manual gives a variable and we do not. "": all are there."""
    name, _, version = name.partition(" ")
    rows: list[dict[str, Any]] = [row for row in VOCABULARY["variable"] if row["name"] == name
                                  and (not version or row["versions"] in (version, "4.0-4.1"))]
    if not rows:
        return "unknown"
    row, said = rows[-1], []
    type_, *words = wanted.split()
    if row["type"] != type_:
        said.append(f"is {row['type']}, not {type_}")
    for use, of in zip(words[::2], words[1::2]):
        missing = hooks(of.split(",")) - hooks(row[use])
        said += [f"no {use} in {hook}" for hook in sorted(missing)]
    return "; ".join(said)


@pytest.mark.parametrize("name", TABLE["variable"])
def test_each_variable_has_the_type_and_the_rights_of_the_manual(name: str) -> None:
    assert (lacking(name, TABLE["variable"][name]) != "") == (name in EXPLAINED), lacking(name, TABLE["variable"][name])


@pytest.mark.parametrize("hook", TABLE["hook"])
def test_each_hook_has_the_actions_of_the_manual(hook: str) -> None:
    ours = {action for row in VOCABULARY["hook"] if row["name"] == hook for action in row["actions"]}
    missing = sorted(set(TABLE["hook"][hook]) - ours)
    assert bool(missing) == (hook in EXPLAINED), missing


def known(kind: str) -> set[str]:
    if kind == "option":
        usage = subprocess.run([VERNISD, "-?"], capture_output=True, text=True).stdout
        return set(re.findall(r"^  -(.)", usage, re.M))
    if kind == "command":
        listed = subprocess.run([VERNISD, "-x", "cli"], capture_output=True, text=True).stdout
        return set(re.findall(r"^([a-z][a-z_.]+)", listed, re.M))
    listed = subprocess.run([VERNISD, "-x", "parameter"], capture_output=True, text=True).stdout
    aliases = re.findall(r'\{ "(\w+)", "\w+" \}', (ROOT / "runtime/daemon/params.c").read_text())
    return set(re.findall(r"^([a-z][a-z0-9_]+)$", listed, re.M)) | set(aliases)


@pytest.mark.parametrize("kind", ["parameter", "command", "option"])
def test_each_name_is_known(kind: str) -> None:
    assert sorted(set(TABLE["names"][kind]) - known(kind) - set(EXPLAINED)) == []


def test_no_explanation_is_out_of_date() -> None:
    names = set(TABLE["variable"]) | set(TABLE["hook"]) | {name for row in TABLE["names"].values() for name in row}
    assert sorted(set(EXPLAINED) - names) == []
    for kind, row in TABLE["names"].items():
        assert sorted(known(kind) & set(EXPLAINED) & set(row)) == [], kind
