"""Each variable (read, set, unset), parameter, bit and option either has a test that shows its effect, or
warns.

tests/data/effects.toml names the tests. The rows without effect are in grammar/no_effect.toml;
tests/proxy/test_set_in_vain.py shows that they warn.
"""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest
from support.lacking import assert_none_missing

ROOT = Path(__file__).resolve().parents[1]
TABLE = tomllib.loads((ROOT / "tests/data/effects.toml").read_text())
ROWS = [(kind, name, test) for kind, rows in TABLE.items() for test, names in rows.items() for name in names]


def parameters() -> dict[str, dict[str, object]]:
    rows: dict[str, dict[str, object]] = {}
    for path in (ROOT / "runtime").glob("*/params.toml"):
        rows |= {name: row for name, row in tomllib.loads(path.read_text()).items() if "hidden" not in row.get("flags", [])}
    return rows


def with_effect() -> set[tuple[str, str]]:
    """Everything that has an effect. Log records are not parameters: tests/observe and
    tests/proxy/test_log_*.py show each."""
    found = set()
    for row in tomllib.loads((ROOT / "grammar/vocabulary.toml").read_text())["variable"]:
        found |= {(use, row["name"]) for use in ("read", "set", "unset") if row[use]}
    for name, param in parameters().items():
        if "no_effect" in param:
            continue
        bits, idle = param.get("bits"), param.get("no_effect_bits", {})
        assert isinstance(idle, dict)
        if isinstance(bits, list):
            found |= {("bit", f"{name}.{bit}") for bit in set(bits) - {bit for group in idle.values() for bit in group}}
        else:
            found.add(("parameter", name))
    usage = subprocess.run([str(ROOT / "build/bin/vernisd"), "-?"], capture_output=True, text=True).stdout
    groups = tomllib.loads((ROOT / "grammar/no_effect.toml").read_text())
    idle_options = {option for group in groups.values() for option in group.get("options", [])}
    return found | {("option", option) for option in re.findall(r"^  (-.)", usage, re.M) if option not in idle_options}


def test_the_table_names_everything_with_an_effect_once() -> None:
    named = [(kind, name) for kind, name, _ in ROWS]
    acting = with_effect()
    assert_none_missing([f'"{name}" under [{kind}]' for kind, name in sorted(acting - set(named))],
                        "tests/data/effects.toml has no test for", "Write the test that shows its effect, and a row there: "
                        '"proxy/test_FILE.py::test_NAME" = ["NAME"]. If it acts on nothing, say so with `no_effect` in its params.toml.')
    assert_none_missing([f"{name} under [{kind}]" for kind, name in sorted(set(named) - acting)],
                        "tests/data/effects.toml names what nothing declares", "Delete these names there.")
    assert_none_missing([name for name in named if named.count(name) > 1], "tests/data/effects.toml names twice",
                        "Keep one of the rows.")


@cache
def text_of(path: str) -> str:
    return (ROOT / path).read_text()


def source_of(test: str) -> str:
    """A test with its decorators and its file's constants and helpers. Empty if the test does not exist."""
    path, _, name = test.partition("::")
    text = text_of(f"tests/{path}")
    if path.endswith(".vtc"):
        return text                     # a whole scenario is one test
    if path.endswith(".c"):
        found = re.search(rf"^static void\n{name}\(void\)\n{{.*?^}}", text, re.M | re.S)
        return found[0] if found else ""
    tree = ast.parse(text)
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    lines, kept = text.splitlines(), ""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and (node.name.startswith("test_") and node.name != name or node.name not in functions):
            continue
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        kept += "\n".join(lines[first - 1:node.end_lineno]) + "\n"
    return kept if name in functions else ""


@pytest.mark.parametrize(("kind", "name", "test"), ROWS)
def test_the_named_test_exists_and_mentions_the_name(kind: str, name: str, test: str) -> None:
    source = source_of(test)
    assert source, f"no test {test}"
    word = name.partition("*")[0] if ".http." in name else name if kind in ("parameter", "option") else name.rpartition(".")[2]
    assert word in source
