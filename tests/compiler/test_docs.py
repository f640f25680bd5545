"""Commands, options, parameters and make targets in the documents exist, and so do the files of the "Where is
X" table.

tests/test_links.py checks links and paths.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from pages import hardening, language, lint, options, params, test
from support.lacking import assert_none_missing, assert_page

from vernis.commands.table import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "examples").rglob("*.md"))]


def test_files_of_the_table_exist() -> None:
    table = (ROOT / "docs" / "architecture.md").read_text().partition("## Where is X")[2].partition("\n## ")[0]
    missing = []
    for row in table.splitlines():
        folder = ""
        for name in re.findall(r"`([^`]+)`", row.rpartition("|")[0].rpartition("|")[2]):
            if "." not in name and "/" not in name or name.startswith("vernis "):
                continue
            path = name if "/" in name or name == "Makefile" else folder + name
            folder = path.rpartition("/")[0] + "/"
            if not list(ROOT.glob(path)):
                missing.append(path)
    assert missing == []


def test_commands_of_the_readme_are_known() -> None:
    readme = (ROOT / "README.md").read_text()
    named = set(re.findall(r"^    build/bin/vernis ([a-z-]+)", readme, re.M))
    assert named
    for command in named:
        done = subprocess.run([str(ROOT / "build/bin/vernis"), command, "--help"], capture_output=True, text=True)
        assert done.returncode == 0, command


def options_of(command: str) -> set[str]:
    parser = argparse.ArgumentParser()
    COMMANDS[command].options(parser)
    return {option for action in parser._actions for option in action.option_strings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_options_of_commands_are_known(document: Path) -> None:
    """An option follows a command in an indented line or between backticks. Arguments of `admin` are commands
    of the daemon, so they do not count."""
    written = re.findall(r"(?:^ {4}.*?|`)(?:build/bin/)?vernis ([a-z-]+)((?: [^`\n|;]*)?)", document.read_text(), re.M)
    unknown = [(command, option) for command, words in written if command in COMMANDS and command != "admin"
               for option in re.findall(r"(?<![\w'-])(--?[A-Za-z0-9][\w-]*)", re.sub(r"'[^']*'", "", words))
               if option not in options_of(command)]
    assert unknown == []


@pytest.fixture(scope="module")
def rules_of_make() -> dict[str, str]:
    """All targets with what they need."""
    done = subprocess.run(["make", "-pnq", "SKIP_PACKAGES=1", "help"], cwd=ROOT, capture_output=True, text=True)
    return dict(re.findall(r"^([\w./-]+):(?![=:])(.*)$", done.stdout, re.M))


def commands_in(document: Path) -> list[str]:
    """The lines of indented blocks, and what is between backticks."""
    text = document.read_text()
    blocks = re.findall(r"\n\n((?: {4}.*\n+)+)", text)
    lines = [line for block in blocks for line in block.splitlines()] + re.findall(r"`([^`\n]+)`", text)
    return [line.partition("  #")[0].strip() for line in lines]


@pytest.mark.parametrize("document", [*DOCUMENTS, ROOT / "CONTRIBUTING.md"], ids=lambda path: str(path.relative_to(ROOT)))
def test_make_targets_in_documents_exist(document: Path, rules_of_make: dict[str, str]) -> None:
    named = {match[1] for command in commands_in(document) for match in re.finditer(r"(?:^|&& )make(?: -j\d*)? ([a-z][\w./-]*)", command)}
    assert_none_missing(sorted(named - rules_of_make.keys()), f"{document.relative_to(ROOT)} names targets that make does not have",
                        "Mend the page, or write the target into Makefile or mk/.")


def make_commands() -> dict[str, None]:
    """Those of CONTRIBUTING.md, and of the README's targets, each once: a dry run takes seconds."""
    of_readme = [f"make {target}" for target in re.findall(r"`?make ([a-z]+)", (ROOT / "README.md").read_text()) if target != "help"]
    return dict.fromkeys([*(c for c in commands_in(ROOT / "CONTRIBUTING.md") if c.startswith("make ")), *of_readme])


@pytest.mark.parametrize("command", make_commands())
def test_make_commands_can_be_typed_as_they_are(command: str) -> None:
    done = subprocess.run([*shlex.split(command), "-n", "SKIP_PACKAGES=1"], cwd=ROOT, capture_output=True, text=True)
    # make reads build/aarch64-linux-gnu while it runs, and a dry run does not make it
    assert done.returncode == 0 or "aarch64" in command and "No rule" not in done.stderr, done.stderr


def test_commands_for_developers_install_what_they_need(rules_of_make: dict[str, str]) -> None:
    """After `make build` alone neither pytest nor the formatters are there."""
    commands = commands_in(ROOT / "CONTRIBUTING.md")
    pytest_at = next(i for i, command in enumerate(commands) if " -m pytest " in command)
    assert "make test-tools" in commands[:pytest_at], "CONTRIBUTING.md runs pytest before `make test-tools` installs it"
    installed = {name for name, needs in rules_of_make.items() if ".requirements-check" in needs}
    assert_none_missing({"format", "check-format", "check-ruff", "check-mypy"} - installed, "targets run tools that nothing installs",
                        "Write `| $(B)/venv/.requirements-check` behind each in mk/check.mk.")


def test_the_manual_has_the_parameters_of_the_daemon() -> None:
    assert_page(params.PAGE, params.page())


def test_the_page_of_the_language_is_made_from_the_vocabulary() -> None:
    assert_page(language.PAGE, language.page())


def test_the_log_page_names_each_counter_of_ours() -> None:
    rows = re.findall(r"^(?:OWN_COUNTER\(|H2_COUNTER\(h2_)(\w+)", (ROOT / "runtime/log/counter_rows.h").read_text(), re.M)
    page = (ROOT / "docs/logging.md").read_text()
    assert rows
    assert_none_missing([name for name in rows if f"`{name}`" not in page], "docs/logging.md does not name counters of ours",
                        "Write its name into the row of `VERNIS.*` or `H2.*`, or into a text of its own.")


def test_the_manual_names_each_command_of_the_daemon() -> None:
    rows = [name for path in (ROOT / "runtime/manager/cli").glob("*.c") for name in re.findall(r'^    \{ "([a-z_.]+)", "', path.read_text(), re.M)]
    table = (ROOT / "docs/daemon.md").read_text()
    assert len(rows) > 50
    assert_none_missing([name for name in rows if not re.search(rf"`{re.escape(name)}[ `]", table)],
                        "docs/daemon.md does not name commands of the daemon", "Write it into the table of the daemon's commands there.")


def test_the_hardening_in_the_manual_is_that_of_the_binaries() -> None:
    assert_page(hardening.PAGE, hardening.page())


def test_release_binaries_are_hardened() -> None:
    found = hardening.properties(hardening.DAEMON)
    assert found == {**dict.fromkeys(hardening.COLUMNS, "yes"), "RELRO": "full", "landing pads": "no"}


def test_options_in_the_manual_are_those_of_the_daemon() -> None:
    """The table of docs/daemon.md, `vernisd --help`, and the string that getopt gets."""
    assert_page(options.PAGE, options.page())
    rows = options.options()
    daemon = str(ROOT / "build/bin/vernisd")
    usage = re.findall(r"^  -(.)(?:, --(\w+))? (.*)$", subprocess.run([daemon, "--help"], capture_output=True, text=True).stdout, re.M)
    taken = dict(re.findall(r"(.)(:?)", subprocess.run([daemon, "--optstring"], capture_output=True, text=True).stdout.strip()))
    assert [(letter, name, text) for letter, name, text in usage] == [(row["letter"], row.get("long", ""), " | ".join(row["forms"])) for row in rows]
    assert taken == {row["letter"]: ":" if row["forms"] else "" for row in rows}


def differences() -> list[list[str]]:
    """Rows of the table of intended differences: Varnish, Vernis, reason, test."""
    lines = (ROOT / "docs" / "differences.md").read_text().splitlines()
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines if line.startswith("| ")]
    return [row for row in rows if row[-1] != "Test"]


@pytest.mark.parametrize("row", differences(), ids=lambda row: row[0][:50])
def test_each_difference_has_a_reason_and_a_test_that_exists(row: list[str]) -> None:
    assert len(row) == 4 and all(row)
    named = re.fullmatch(r"`(tests/[^`:]+)(?:::(\w+))?`", row[3])
    assert named is not None, f"no test: {row[3]}"
    path = ROOT / named[1]
    assert path.is_file()
    if named[2] is not None:
        defined = rf"^def {named[2]}\(" if path.suffix == ".py" else rf"^{named[2]}\(void\)"
        assert re.search(defined, path.read_text(), re.M), f"{named[1]} has no test {named[2]}"


def test_the_page_of_tests_has_every_statement_and_fact() -> None:
    assert_page(test.PAGE, test.page())


def test_the_page_of_lint_has_every_rule() -> None:
    assert_page(lint.PAGE, lint.page())
