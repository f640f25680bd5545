"""Each fact is written once. Each test looks for a second copy of one fact in the sources.

These tests cannot find a copy in other words, such as a rule that a second comment explains again.
"""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from vernis.observe.reason_texts import BUILTIN, LOG_REASONS, REASONS
from vernis.semantics.phrases import PHRASES
from vernis.version import VERSION

ROOT = Path(__file__).resolve().parents[1]
METRICS = ROOT / "runtime/log/metrics.toml"
CODE = re.compile(r"V\d{3}")
SERIES = re.compile(r"V\d{1,3}")


def tracked(*suffixes: str, under: str = "") -> list[Path]:
    """Files of the repository, without the code that ANTLR generates."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", under or "."], cwd=ROOT, capture_output=True, text=True,
                            check=True).stdout.split("\n")
    return [ROOT / name for name in listed if name.endswith(suffixes) and "/generated/" not in name and (ROOT / name).is_file()]


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


# ---- the version -------------------------------------------------------------------------------------------


def test_the_version_stands_in_one_file() -> None:
    literal = re.compile(rf'"{re.escape(VERSION)}"|vernis[- ]{re.escape(VERSION)}')
    files = tracked(".py", ".c", ".h", ".mk", ".toml", ".sh", "Makefile", ".md")
    assert [relative(path) for path in files if literal.search(path.read_text())] == ["compiler/version.py"]


# ---- codes of diagnostics ----------------------------------------------------------------------------------


def strings(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def decisions(tree: ast.AST) -> Iterator[ast.AST]:
    """Expressions that decide by the value of a string: comparisons, patterns, sets, ``startswith`` and
    ``endswith``."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare() | ast.MatchValue() | ast.Set():
                yield node
            case ast.Call(func=ast.Name(id="frozenset" | "set")) | ast.Call(func=ast.Attribute(attr="startswith" | "endswith")):
                yield node


@pytest.mark.parametrize("text", [
    'item.code == "V222"', 'item.code in ("V224", "V225")', 'item.code < "V4"', 'item.code.startswith("V2")',
    'CONSEQUENCES = frozenset({"V302"})', 'match code:\n    case "V101":\n        pass',
])
def test_a_decision_by_code_is_found(text: str) -> None:
    assert any(SERIES.fullmatch(word) for node in decisions(ast.parse(text)) for word in strings(node))


def test_no_control_flow_depends_on_the_code_of_a_diagnostic() -> None:
    found = [f"{relative(path)}:{node.lineno}" for path in tracked(".py", under="compiler")       # type: ignore[attr-defined]
             for node in decisions(ast.parse(path.read_text()))
             if any(SERIES.fullmatch(word) for word in strings(node))]
    assert found == [], "a property of a diagnostic is a column of its code (syntax/codes.py, semantics/codes.py)"


def test_each_code_has_one_row() -> None:
    rows = [code for room in ("syntax", "semantics")
            for code in re.findall(r'^    "(V\d{3})": CodeInfo\(', (ROOT / f"compiler/{room}/codes.py").read_text(), re.M)]
    assert len(rows) > 100
    assert sorted(set(rows)) == sorted(rows)


# ---- metrics and counters ----------------------------------------------------------------------------------


def test_names_of_metrics_stand_in_the_table_of_metrics() -> None:
    names = tomllib.loads(METRICS.read_text())
    words = {names["prefix"] + "_", names["counter_suffix"], *(suffix["add"] for suffix in names["suffix"].values()),
             *(group["name"] for group in names["group"].values() if "_" in group["name"])}
    files = [ROOT / "runtime/manager/metrics_text.c", ROOT / "runtime/manager/metrics.c", ROOT / "compiler/observe/metrics.py"]
    assert [(relative(path), word) for path in files for word in words if f'"{word}"' in path.read_text()] == []


def test_no_other_file_maps_idents_to_groups() -> None:
    groups = tomllib.loads(METRICS.read_text())["group"]
    row = re.compile("|".join(rf'"{ident}"[,:] *[({{]?"{group["name"]}"' for ident, group in groups.items()))
    files = [*tracked(".c", ".h", under="runtime"), *tracked(".py", under="compiler")]
    assert [relative(path) for path in files if row.search(path.read_text())] == []


def test_no_other_file_declares_the_counters_of_the_worker() -> None:
    names = set(re.findall(r"^(?:OWN_|H2_)?COUNTER\((?:h2_)?(\w+),", (ROOT / "runtime/log/counter_rows.h").read_text(), re.M))
    assert len(names) > 100
    names.remove("uptime")          # the manager has its own
    row = re.compile(rf'"({"|".join(names)})", *VSC_|uint64_t[^;]*\b(esi_warnings|n_lru_nuked|exp_mailed)\b')
    assert [relative(path) for path in tracked(".c", ".h", under="runtime") if row.search(path.read_text())] == []


def test_no_tool_repeats_the_doc_of_a_counter() -> None:
    """Readers take the name, level and doc of a counter from shared memory."""
    docs = set(re.findall(r'"([^"]{12,})"\)$', (ROOT / "runtime/log/counter_rows.h").read_text(), re.M))
    assert len(docs) > 100
    said = {(relative(path), word) for path in tracked(".py", under="compiler") for word in strings(ast.parse(path.read_text()))
            if word in docs}
    assert said == set()


def test_kinds_of_log_records_stand_in_one_file() -> None:
    """Finds the list in the order of its numbers. A program may name one kind; five in that order are a copy
    of the list."""
    kinds = [row for row in (ROOT / "runtime/log/tags.txt").read_text().split("\n") if re.fullmatch(r"\w+", row)]
    assert len(kinds) > 50
    copy = re.compile("|".join(r"\b\W+".join(kinds[i:i + 5]) + r"\b" for i in range(len(kinds) - 4)))
    files = [*tracked(".c", ".h", under="runtime"), *tracked(".py", under="compiler")]
    assert [relative(path) for path in files if copy.search(path.read_text())] == []


# ---- reasons -----------------------------------------------------------------------------------------------


def test_sentences_of_reasons_stand_in_the_table_of_reasons() -> None:
    table = ROOT / "compiler/observe/reason_texts.py"
    texts = [text for text in strings(ast.parse(table.read_text())) if "{about}" in text or len(text) > 30]
    parts = {max(text.split("{about}"), key=len).strip(" (") for text in texts if "\n" not in text}
    assert len(parts) > 30
    files = [path for path in (*tracked(".c", ".h", ".js", ".html", under="runtime"), *tracked(".py", under="compiler")) if path != table]
    assert [(relative(path), part) for path in files for part in parts if len(part) > 15 and part in path.read_text()] == []


# ---- statuses ----------------------------------------------------------------------------------------------


def test_phrases_of_statuses_stand_in_one_table() -> None:
    """A program may have a phrase of its own; eight are a copy of the table."""
    phrases = {f'"{phrase}"' for phrase in PHRASES.values()}
    copies = [relative(path) for path in (*tracked(".c", ".h", under="runtime"), *tracked(".py", under="compiler"))
              if sum(phrase in path.read_text() for phrase in phrases) >= 8]
    assert copies == ["compiler/semantics/phrases.py"]


def ids_of_calls(path: Path, name: str) -> set[str]:
    """The reasons that a file gives: constant second arguments of calls of this name."""
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call) and len(node.args) > 1]
    named = [call for call in calls if getattr(call.func, "attr", getattr(call.func, "id", "")) == name]
    return {str(call.args[1].value) for call in named if isinstance(call.args[1], ast.Constant)}


def test_the_reason_of_a_decision_is_decided_in_one_place() -> None:
    """The worker decides, in proxy/. Readers look the id up: they know no rule and no sub of the built-in policy."""
    ids = {*REASONS, *LOG_REASONS} - {"unknown"}
    constant = re.compile(rf"\bREASON_({'|'.join(id.upper().replace('-', '_') for id in ids)})\b")
    deciding = {relative(path).split("/")[1] for path in tracked(".c", ".h", under="runtime") if constant.search(path.read_text())}
    assert deciding == {"proxy"}
    subs = re.compile("|".join(sorted({sub for sub, _ in BUILTIN})))
    files = [path for path in (*tracked(".c", ".h", under="runtime"), *tracked(".py", under="compiler")) if subs.search(path.read_text())]
    readers = [relative(path) for path in files if not relative(path).startswith(("compiler/lint/", "compiler/semantics/"))]
    assert readers == ["compiler/observe/reason_texts.py"]
    certain = {"policy-failed", "fresh", "stale", "policy-hit-for-pass", "unknown"}     # what the records of any log say
    assert ids_of_calls(ROOT / "compiler/observe/reasons.py", "Reason") == certain
    before = {"first-request", "other-key", *(id for id in REASONS if id.startswith("earlier-"))}    # what requests before lacked
    assert ids_of_calls(ROOT / "compiler/why/reasons.py", "verdict") <= {*before, "absent", "fetch-failed", "unknown"}
    judges = [relative(path) for path in tracked(".py", under="compiler") if re.search(r"\b(Reason|verdict)\(", path.read_text())]
    assert judges == ["compiler/observe/reasons.py", "compiler/why/reasons.py"]


# ---- the command line --------------------------------------------------------------------------------------


def test_options_of_commands_stand_in_the_table_of_commands() -> None:
    declaring = [relative(path) for path in tracked(".py", under="compiler") if ".add_argument(" in path.read_text()]
    scripts = {"compiler/native/digest.py", "compiler/semantics/frozen.py"}         # programs of the build
    tables = {name for name in declaring if name.startswith("compiler/commands/table/")}
    assert tables and set(declaring) - scripts - tables == {"compiler/cli.py"}


# ---- the parsers -------------------------------------------------------------------------------------------


RECOVERING = re.compile(r"\b(SEMI|LBRACE|RBRACE|ELSEIF|RULE_[a-z]\w+|VclParser::Rule\w+)\b")


def test_only_the_driver_decides_how_the_parsers_recover() -> None:
    """Both engines name no token and no rule of the grammar: only ``syntax/driver.py`` does."""
    engines = [ROOT / "compiler/syntax/fallback.py", *sorted((ROOT / "compiler/syntax/ext").glob("*.[ch]*"))]
    assert [(relative(path), match) for path in engines for match in RECOVERING.findall(path.read_text())] == []
