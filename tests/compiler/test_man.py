"""The manual pages have every option, command, parameter, counter and error code, and no mistakes of roff."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from pages import options, params

from proxy.daemon import SYNTH, Daemon
from vernis.commands.table import COMMANDS
from vernis.lint.plugins import installed_rules
from vernis.semantics.codes import ALL_CODES

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "build/man").glob("*.[17]"))

pytestmark = pytest.mark.skipif(not PAGES, reason="run make build first")


def text(name: str) -> str:
    """A page without the marks of fonts and escapes."""
    [path] = [path for path in PAGES if path.stem == name]
    return re.sub(r"\\f[BRI]", "", path.read_text()).replace("\\-", "-").replace("\\:", "").replace("\\(aq", "'").replace("\\e", "\\")


def after(request: str, name: str) -> set[str]:
    """The lines that follow this request, or its argument."""
    found = re.findall(rf'^\.{request}(?: "(.*)"|\n(.*))$', text(name), re.M)
    return {one or other for one, other in found}


def test_every_command_and_its_options_have_an_entry() -> None:
    sections = {head.split()[1]: body for head, body in re.findall(r'^\.SS "(vernis .*)"\n((?:(?!\.S[SH]).*\n)*)', text("vernis"), re.M)}
    assert sections.keys() == COMMANDS.keys()
    for name, row in COMMANDS.items():
        parser = argparse.ArgumentParser(add_help=False)
        row.options(parser)
        entries = re.findall(r"^\.TP\n(.*)$", sections[name], re.M)
        for action in parser._actions:
            assert action.help == argparse.SUPPRESS or any(
                set(action.option_strings) <= set(re.split(r"[ ,]+", entry)) for entry in entries), (name, action)


def test_every_option_of_the_daemon_has_an_entry() -> None:
    entries = after("TP", "vernisd")
    for row in options.options():
        assert any(entry.startswith(f"-{row['letter']}") for entry in entries), row["letter"]
        assert "long" not in row or any(f"--{row['long']}" in entry for entry in entries)


def test_every_parameter_has_a_section() -> None:
    assert after("SS", "vernis-params") == params.parameters().keys()


def test_every_command_of_the_command_line_has_an_entry() -> None:
    said = subprocess.run([ROOT / "build/bin/vernisd", "-x", "cli"], capture_output=True, text=True, check=True).stdout
    names = set(re.findall(r"^(\S+)", said, re.M))
    assert names and {entry.split()[0] for entry in after("TP", "vernis-cli")} == names


def test_every_code_and_rule_has_a_section() -> None:
    heads = {head.partition(":")[0] for head in after("SS", "vernis-errors")}
    assert heads == ALL_CODES.keys() | {rule.id for rule in installed_rules()}


def test_every_counter_of_a_running_daemon_has_an_entry(tmp_path: Path) -> None:
    """Also those of backends, probes, storages, keys and locks."""
    policy = SYNTH.format(word="x").replace("vcl 4.1;", 'vcl 4.1; import xkey; backend b { .host = "127.0.0.1"; .port = "1"; }') + \
        ' sub vcl_hit { if (req.url == "/k") { set req.http.n = xkey.purge("k"); } } sub vcl_miss { set req.backend_hint = b; }'
    with Daemon(tmp_path, policy) as daemon:
        said = subprocess.run([ROOT / "build/bin/vernis", "stat", "-1", "-n", daemon.workdir], capture_output=True, text=True, check=True).stdout
    shown = {line.split()[0] for line in said.splitlines()}
    kinds = {re.sub(r"^(VBE|SMA|MEMORY|MEMPOOL|LCK)\..*\.", r"\1.*.", name) for name in shown}
    assert {"MAIN", "VERNIS", "MGT", "VBE", "SMA", "MEMORY", "LCK", "MEMPOOL"} <= {kind.partition(".")[0] for kind in kinds}
    assert kinds - after("TP", "vernis-counters") == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
@pytest.mark.parametrize("checker", [["man", "--warnings", "-l"], ["mandoc", "-Tlint"]], ids=lambda words: words[0])
def test_the_page_is_free_of_mistakes(page: Path, checker: list[str]) -> None:
    if shutil.which(checker[0]) is None:
        pytest.skip(f"needs {checker[0]}")
    done = subprocess.run([*checker, str(page)], capture_output=True, text=True, check=False)
    said = done.stderr if checker[0] == "man" else done.stdout + done.stderr
    assert (done.returncode, said) == (0, "")
