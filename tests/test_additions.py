"""Who adds a row to a table and forgets the rest is told what is missing, in which file, and what to write there.

Each addition below is only the first step of CONTRIBUTING.md, "To add something". All of
them are made in one copy of the sources, and the tests that notice them run there.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@dataclass(slots=True, frozen=True)
class Addition:
    """``new`` goes before ``old`` in a file. ``words`` are what the tests say about it."""

    name: str
    file: str
    old: str
    new: str
    words: tuple[str, ...]


ADDITIONS = [
    Addition("a variable", "grammar/vocabulary.toml", '  { name = "req.xid",',
             '  { name = "req.flavour", type = "STRING", read = ["client"], set = [], unset = [], versions = "4.0-4.1", doc = "Its flavour." },\n',
             ("tests/data/effects.toml has no test for", '"req.flavour" under [read]',
              "docs/language.md is not what its tables make. Run `make docs`", "+ | `req.flavour` | STRING |")),
    Addition("a function of a module", "grammar/vocabulary.toml", '  { name = "querysort", symbol = "std_querysort"',
             '  { name = "flavour", symbol = "std_flavour", result = "STRING", where = ["all"], params = [{ name = "s", type = "STRING" }], '
             'doc = "Flavour of a text." },\n',
             ("docs/modules.md is not what its tables make. Run `make docs`",
              "functions take text and have no row in tests/runtime/vmod/test_worst_cases.py: std.flavour")),
    Addition("a rule of lint", "compiler/lint/rules/redundant.py", "class AclOverlap(Rule):", '''class Flavour(Rule):
    id = "UN007"
    name = "flavour"
    severity = Severity.NOTE
    what = "The policy has a flavour"
    why = "Nobody tastes it."
    remedy = "taste it"
    source = "https://example.org/"
    bad = 'sub vcl_recv { set req.http.X-Flavour = "1"; }'
    good = 'sub vcl_recv { set req.http.X-Other = "1"; }'

    def check(self, view: View) -> Iterator[Finding]:
        return iter(())


''', ("UN007 finds nothing in its own `bad`", "in compiler/lint/rules/redundant.py", "rules with the same id: UN007",
      "UN007 lacks: `what` and `why` as sentences", "docs/lint.md is not what its tables make. Run `make docs`")),
    Addition("an op of the IR", "compiler/ir/ir.py", "@op()\nclass Const:",
             '@op("flavour")\nclass Flavour:\n    taste: NameId\n    site: SiteId\n\n\n',
             ("compiler/ir/ir.py: the union Op lacks Flavour", "the text of Flavour lacks taste", "compiler/native/ops.py has no code of Flavour")),
    Addition("a parameter", "runtime/cache/params.toml", "[ban_lurker_age]",
             '[flavour_max]\nkind = "uint"\ndefault = "7"\ndoc = "Most flavours of an object."\n\n',
             ('"flavour_max" under [parameter]', '110 parameters are not marked as ours, and Varnish 7.1 has 109. Write flags = ["ours"]')),
    Addition("a counter", "runtime/log/counter_rows.h", "OWN_COUNTER(resp_3xx",
             'OWN_COUNTER(flavours, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Flavours tasted")\n',
             ("docs/logging.md does not name counters of ours: flavours. Write its name into the row of `VERNIS.*`",)),
    Addition("a command of the daemon", "runtime/manager/cli/commands.c", '    { "ping", "ping [-j]',
             '    { "flavour", "flavour", "Taste.", 0, 0, 0, command_ping },\n',
             ("docs/daemon.md does not name commands of the daemon: flavour. Write it into the table",)),
    Addition("a command of vernis", "compiler/commands/table/observing.py", '@command(ROWS, "stat",',
             '@command(ROWS, "flavour", "flavour.taste", "show flavours")\ndef _flavour(parser: argparse.ArgumentParser) -> None:\n'
             '    parser.add_argument("--sweet")\n\n\n',
             ("`vernis flavour` has no function. Write taste() in compiler/commands/flavour.py",
              "options of `vernis flavour` without help: sweet",
              "in no group: flavour. Write each into GROUPS in compiler/commands/table/__init__.py")),
    Addition("a diagnostic", "compiler/semantics/codes.py", '    "V602": CodeInfo(',
             '    "V699": CodeInfo("flavour", "A flavour.", "Nobody tastes it.", "sub a { }", "sub vcl_recv { }"),\n',
             ("compiler/semantics/codes.py has codes that nothing reports: V699", "the bad policy of V699 gives ['V602']. Mend `bad`")),
    Addition("a statement of tests", "compiler/trial/statements.py", '    "request": Statement(',
             '    "flavour": Statement("Tastes.", (), lambda run, call: None),\n',
             ("docs/test.md is not what its tables make. Run `make docs`",)),
]
NOTICED_BY = [
    "tests/test_effects_table.py::test_the_table_names_everything_with_an_effect_once",
    "tests/compiler/test_docs.py", "tests/compiler/test_module_docs.py", "tests/compiler/test_cli.py",
    "tests/compiler/ir/test_ir_roles.py", "tests/compiler/semantics/test_semantics_codes.py", "tests/compiler/lint/test_lint_rules.py",
    "tests/runtime/daemon/test_param_rows.py",
    "tests/runtime/vmod/test_worst_cases.py::test_each_function_that_takes_text_has_a_worst_case",
]
CHOSEN = ("everything_with_an_effect or made_from or names_each or page_of or UN007 or same_name or unique or lacks_is_marked or worst_case or "
          "union or Flavour or flavour or V699 or codes_of_this_room")


#: Files of a row that a hand writes, apart from tests.
FILES_MAX = 3


def rows_to_add() -> dict[str, list[str]]:
    """The table of CONTRIBUTING.md: the steps that are not tests or made by `make docs`, by what is added."""
    table = (ROOT / "CONTRIBUTING.md").read_text().partition("## To add something")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| a")]
    return {name.strip().replace("`", ""): [step for step in steps.split(";") if "make docs" not in step] for name, steps, _ in rows}


def test_an_addition_touches_few_files() -> None:
    rows = rows_to_add()
    assert {"a property of a backend or a probe", "an op of the IR", "a command of vernis", "a rule of lint", "a counter"} < rows.keys()
    assert {name: steps for name, steps in rows.items() if len(steps) > FILES_MAX} == {}


@pytest.mark.parametrize("addition", ADDITIONS, ids=lambda addition: addition.name)
def test_the_table_names_the_file_of_the_first_step(addition: Addition) -> None:
    steps = next(steps for name, steps in rows_to_add().items() if name.startswith(addition.name))
    assert any(addition.file.startswith(place) for place in re.findall(r"`([^`]+)`", steps[0])) or "params.toml" in steps[0]


def copy_of_the_sources(to: Path) -> None:
    """The tracked files, and the build: all of it but the links to the compiler is the same."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    (to / "build/py").mkdir(parents=True)
    (to / "build/py/vernis").symlink_to("../../compiler")
    for entry in (ROOT / "build").iterdir():
        if entry.name != "py":
            (to / "build" / entry.name).symlink_to(entry)


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Output of the tests in a copy with all additions."""
    copy = tmp_path_factory.mktemp("additions") / "tree"
    copy_of_the_sources(copy)
    for addition in ADDITIONS:
        text = (copy / addition.file).read_text()
        assert addition.old in text, addition
        (copy / addition.file).write_text(text.replace(addition.old, addition.new + addition.old, 1))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", *NOTICED_BY, "-k", CHOSEN]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=600, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"})
    return done.stdout + done.stderr


@pytest.mark.parametrize("addition", ADDITIONS, ids=lambda addition: addition.name)
def test_the_tests_say_what_is_missing(addition: Addition, said: str) -> None:
    assert [words for words in addition.words if words not in said] == [], said


@pytest.mark.parametrize("symbol, room, place", [
    ("vcl_get_req_flavour", "policy", "runtime/policy/vars_client.c"), ("vcl_set_beresp_flavour", "policy", "runtime/policy/vars_fetch.c"),
    ("vcl_urlcode_flavour", "vmod", "runtime/vmod/urlcode.c"), ("vcl_taste_flavour", "vmod", "a new file of runtime/vmod"),
])
def test_the_build_says_which_c_function_is_missing(symbol: str, room: str, place: str, tmp_path: Path) -> None:
    for name in ("policy", "vmod"):
        shutil.copy(ROOT / f"build/gen/exports_{name}.h", tmp_path)
    with (tmp_path / f"exports_{room}.h").open("a") as header:
        header.write(f"struct span {symbol}(struct policy_ctx *, struct span);\n")
    done = subprocess.run([sys.executable, "mk/undefined.py", str(tmp_path), "build/release"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{symbol} is missing: a row of grammar/vocabulary.toml needs it. Write it in {place}:\n"
                                  f"    struct span {symbol}(struct policy_ctx *, struct span)\n")
