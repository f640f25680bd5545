"""The command line: stdout, stderr and exit codes. Each test runs build/bin/vernis."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from pages import commands
from support.lacking import assert_none_missing, assert_page

from vernis.commands.table import COMMANDS, GROUPS

ROOT = Path(__file__).resolve().parents[2]
VERNIS = ROOT / "build" / "bin" / "vernis"
QUICKSTART = ROOT / "examples" / "quickstart" / "quickstart.vcl"

BUILD_TIMES_MAX = 5     # of what the start of LLVM takes; 2.5 to 3.7 on 2026-11-28
START_LLVM = """import llvmlite.binding as llvm
llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
llvm.Target.from_default_triple().create_target_machine()
"""
PLACE = {"file", "line", "column", "end_line", "end_column", "start", "end"}

GOOD = """vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "80"; }
sub vcl_recv { set req.http.X = "a"; }
"""
UNKNOWN_VARIABLE = """vcl 4.1;
backend default { .host = "127.0.0.1"; }
sub vcl_recv { set req.nothing = "a"; }
"""
UNUSED_ACL = """vcl 4.1;
backend default { .host = "127.0.0.1"; }
acl office { "127.0.0.1"; }
"""

needs_build = pytest.mark.skipif(not VERNIS.exists(), reason="run make build first")
pytestmark = needs_build


def vernis(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("VERNIS_", "PYTHON"))}
    return subprocess.run([str(VERNIS), *map(str, arguments)], capture_output=True, text=True, timeout=60, cwd=cwd,
                          env=environment, check=False)


@pytest.fixture
def policy(tmp_path: Path):             # type: ignore[no-untyped-def]
    def write(text: str, name: str = "policy.vcl") -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path
    return write


# ---- the command itself ------------------------------------------------------------------------------------


def test_vernis_runs_from_any_directory_and_through_a_symbolic_link(tmp_path: Path) -> None:
    link = tmp_path / "v"
    link.symlink_to(VERNIS)
    (tmp_path / "json.py").write_text("raise SystemExit('a module of the current directory was imported')")
    done = subprocess.run([str(link), "check", "--format", "json", str(QUICKSTART)], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, '{\n "format_version": 1,\n "findings": []\n}\n', "")


def test_without_a_command_all_commands_are_listed() -> None:
    done = vernis()
    assert done.returncode == 2 and "compile-server" in done.stdout


@pytest.mark.parametrize(("words", "said"), [
    (["xyzzy"], "vernis: there is no command 'xyzzy' (vernis --help)"),
    (["sttaus"], "vernis: there is no command 'sttaus'; did you mean status? (vernis --help)"),
    (["stats"], "vernis: there is no command 'stats'; did you mean status or stat? (vernis --help)"),
    (["lint", "--fixx", "a.vcl"], "vernis lint: unknown argument '--fixx'; did you mean --fix? (vernis lint --help)"),
    (["-Z"], "vernis: unknown argument '-Z' (vernis --help)"),
])
def test_an_unknown_command_or_option_is_refused(words: list[str], said: str) -> None:
    done = vernis(*words)
    assert (done.returncode, done.stderr) == (2, said + "\n")


@pytest.mark.parametrize("words", [("--help",), ("-h",), ("help",), ("--color", "never", "--help")])
def test_the_overview_has_groups_of_commands(words: tuple[str, ...]) -> None:
    done = vernis(*words)
    assert done.returncode == 0 and done.stderr == ""
    heads = [line.removesuffix(":") for line in done.stdout.splitlines() if line and not line.startswith(" ") and line.endswith(":")]
    assert heads == [*GROUPS, "Before or behind the command"]
    assert [line for line in done.stdout.splitlines() if len(line) > 100] == []
    assert vernis("help", "ban").stdout == vernis("ban", "--help").stdout


def test_the_overview_names_each_command_once() -> None:
    grouped = [name for names in GROUPS.values() for name in names]
    missing = sorted(COMMANDS.keys() - set(grouped))
    assert missing == [], f"in no group: {', '.join(missing)}. Write each into GROUPS in compiler/commands/table/__init__.py"
    assert len(grouped) == len(set(grouped))


@pytest.mark.parametrize(("before", "behind"), [
    (("-n", "gone", "status"), ("status", "-n", "gone")),
    (("-ngone", "list"), ("list", "-n", "gone")),
    (("-T", "127.0.0.1:1", "-S", "secret", "-t", "3", "list"), ("list", "-T", "127.0.0.1:1", "-S", "secret", "-t", "3")),
    (("-n", "gone", "admin", "vcl.list", "-j"), ("admin", "-n", "gone", "vcl.list", "-j")),
    (("-n", "gone", "-t", "0", "log"), ("log", "-n", "gone", "-t", "0")),
    (("-n", "gone", "log", "-n", "other", "-t", "0"), ("log", "-n", "other", "-t", "0")),      # the last one counts
])
def test_options_of_the_daemon_may_stand_before_the_command(before: tuple[str, ...], behind: tuple[str, ...], tmp_path: Path) -> None:
    done, wanted = vernis(*before, cwd=tmp_path), vernis(*behind, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (wanted.returncode, wanted.stdout, wanted.stderr)
    assert done.returncode == 2 and ("gone" in done.stderr or "other" in done.stderr or "127.0.0.1:1" in done.stderr)


@pytest.mark.parametrize(("words", "said"), [
    (("-n", "gone"), "vernis: no command after -n gone (vernis --help)"),
    (("-n",), "vernis: unknown argument '-n' (vernis --help)"),
    (("-n", "gone", "sttaus"), "vernis: there is no command 'sttaus'; did you mean status? (vernis --help)"),
    (("-n", "gone", "lint", "a.vcl"), "vernis lint: -n before the command chooses the daemon, and this command has no such option"),
    (("-T", "127.0.0.1:1", "log"), "vernis log: -T before the command chooses the daemon, and this command has no such option"),  # -T is a time there
    (("vcl.list",), "vernis: `vernis admin vcl.list` sends this command to the daemon"),
])
def test_options_before_the_command_that_mean_nothing_are_refused(words: tuple[str, ...], said: str) -> None:
    done = vernis(*words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said + "\n")


# ---- check -------------------------------------------------------------------------------------------------


def test_a_valid_policy_gives_no_output(policy) -> None:         # type: ignore[no-untyped-def]
    done = vernis("check", policy(GOOD))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_error_is_shown_at_its_place(policy) -> None:        # type: ignore[no-untyped-def]
    path = policy(UNKNOWN_VARIABLE)
    done = vernis("check", path)
    assert done.returncode == 1
    first, line, carets, *_ = done.stdout.splitlines()
    assert first.startswith(f"{path}:3:20: error[V302]: ")
    assert line.endswith("sub vcl_recv { set req.nothing = \"a\"; }")
    assert carets.strip("| ") == "^" * len("req.nothing")


def test_warnings_do_not_fail_a_check(policy) -> None:         # type: ignore[no-untyped-def]
    path = policy(UNUSED_ACL)
    done = vernis("check", path)
    assert done.returncode == 0 and "warning[V602]" in done.stdout
    assert vernis("check", "--err-unref", path).returncode == 1     # a server's setting


def test_concise_prints_one_line_per_finding(policy) -> None:         # type: ignore[no-untyped-def]
    done = vernis("check", "--format", "concise", policy(UNKNOWN_VARIABLE), policy(GOOD, "good.vcl"))
    [line] = done.stdout.splitlines()
    assert "policy.vcl:3:20: error[V302] " in line


def test_json_names_the_bytes(policy) -> None:                  # type: ignore[no-untyped-def]
    path = policy(UNKNOWN_VARIABLE)
    [finding] = json.loads(vernis("check", "--format", "json", path).stdout)["findings"]
    assert finding["code"] == "V302" and finding["severity"] == "error"
    assert path.read_bytes()[finding["start"]:finding["end"]] == b"req.nothing"


def test_sarif_has_rule_place_and_level(policy) -> None:        # type: ignore[no-untyped-def]
    path = policy(UNKNOWN_VARIABLE)
    log = json.loads(vernis("check", "--format", "sarif", path, policy(UNUSED_ACL, "unused.vcl")).stdout)
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["V302", "V602"]
    first, second = run["results"]
    place = first["locations"][0]["physicalLocation"]
    assert (first["ruleId"], first["level"], place["artifactLocation"]["uri"]) == ("V302", "error", path.as_uri())
    assert place["region"]["startLine"] == 3 and place["region"]["startColumn"] == 20
    assert place["region"]["endColumn"] == 20 + len("req.nothing")
    assert (second["ruleIndex"], second["level"]) == (1, "warning")


def test_sarif_names_files_by_uris_and_columns_by_characters(policy) -> None:      # type: ignore[no-untyped-def]
    path = policy(GOOD + 'sub vcl_deliver { set resp.http.X = "\U0001f600" + req.urll; }\n', "a b:c%.vcl")
    log = json.loads(vernis("check", "--format", "sarif", path.name, cwd=path.parent).stdout)
    [run] = log["runs"]
    [result] = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b%3Ac%25.vcl"
    assert (run["columnKind"], place["region"]["startColumn"]) == ("unicodeCodePoints", 43)


def test_json_keeps_its_keys(policy) -> None:                   # type: ignore[no-untyped-def]
    [finding] = json.loads(vernis("check", "--format", "json", policy(GOOD + "acl a { }\nacl a { }\n", "p.vcl")).stdout)["findings"][:1]
    assert set(finding) == {*PLACE, "code", "name", "severity", "baseline", "message", "help", "varnish", "labels", "included_from", "fix", "edits"}
    [finding] = json.loads(vernis("check", "--format", "json", policy(GOOD + "sub vcl_deliver { unset resp.http.X }\n")).stdout)["findings"]
    [edit] = finding["edits"]
    assert set(edit) == {*PLACE, "text", "safe"} and edit["safe"] and edit["text"] == ";" and edit["start"] == edit["end"]


def test_a_policy_is_read_from_stdin() -> None:
    done = subprocess.run([str(VERNIS), "check", "--format", "concise", "-"], input=UNKNOWN_VARIABLE, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout.startswith("<stdin>:3:20: error[V302] ")


def test_closed_stdout_is_not_an_error(policy) -> None:                  # type: ignore[no-untyped-def]
    done = subprocess.run(["sh", "-c", f"{VERNIS} check {policy(UNKNOWN_VARIABLE)} >&-"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "")


def on_a_terminal(path: Path, **environment: str) -> str:
    """Output of `check` on a terminal."""
    ours, theirs = os.openpty()
    subprocess.run([str(VERNIS), "check", str(path)], stdout=theirs, timeout=60,
                   env={**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm", **environment})
    os.close(theirs)
    shown = b""
    while part := _read(ours):
        shown += part
    os.close(ours)
    return shown.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:             # on Linux, reading a terminal without a writer ends with this error
        return b""


def test_output_to_a_terminal_has_colours_and_a_count(policy) -> None:     # type: ignore[no-untyped-def]
    path = policy(UNKNOWN_VARIABLE)
    shown = on_a_terminal(path)
    assert "\x1b[1;31merror[V302]\x1b[0m: \x1b[1mthere is no variable" in shown and "1 error, 0 warnings" in shown


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_colours_can_be_turned_off(policy, environment: dict[str, str]) -> None:       # type: ignore[no-untyped-def]
    assert "\x1b" not in on_a_terminal(policy(UNKNOWN_VARIABLE), **environment)


def test_github_annotations_are_escaped(policy) -> None:        # type: ignore[no-untyped-def]
    path = policy(UNKNOWN_VARIABLE, "a,b.vcl")
    [line] = vernis("check", "--format", "github", path).stdout.splitlines()
    assert line.startswith(f"::error file={str(path).replace(',', '%2C')},line=3,col=20,title=V302::")


def test_a_host_that_does_not_resolve_is_a_warning(policy) -> None:     # type: ignore[no-untyped-def]
    done = vernis("check", "--format", "concise", policy('vcl 4.1;\nbackend shop { .host = "shop.invalid"; }\n'))
    assert done.returncode == 0
    assert 'policy.vcl:2:1: warning[V520] the host of backend shop, "shop.invalid", does not resolve here' in done.stdout


def test_all_files_are_checked_if_one_is_missing(policy) -> None:     # type: ignore[no-untyped-def]
    done = vernis("check", "/no/such.vcl", policy(UNKNOWN_VARIABLE))
    assert done.returncode == 2
    assert "cannot read /no/such.vcl: No such file or directory" in done.stderr
    assert "V302" in done.stdout


def test_syntax_errors_cause_no_follow_up_errors(policy) -> None:    # type: ignore[no-untyped-def]
    """The broken statement may contain the use of the acl, so an error about an unused acl would be a
    follow-up error."""
    done = vernis("check", "--format", "concise", policy(
        'vcl 4.1;\nbackend default { .host = "127.0.0.1"; }\nacl office { "127.0.0.1"; }\n'
        'sub vcl_recv { if (client.ip ~ ) { } set bereq.url = "a"; }\n'))
    codes = [line.partition("[")[2].partition("]")[0] for line in done.stdout.splitlines()]
    assert codes[0].startswith("V2") and "V602" not in codes and "V402" in codes


def codes_and_lines(path: Path, *more: str) -> list[str]:
    """``CODE:line`` of each finding, in order of output."""
    done = vernis("check", "--format", "concise", *more, path)
    return [re.sub(r"^.*?policy\.vcl:(\d+):\d+: \w+\[(V\d+)\].*$", r"\2:\1", line) for line in done.stdout.splitlines()]


ONE_MISTAKE = {     # a policy without its version line, and its findings
    "what a missing file may declare is not missed; a variable it cannot declare": (["V225:2", "V302:6"], """
include "none.vcl";
sub vcl_recv {
 call a;
 std.log(req.htp);
 set req.url = req.urll;
 if (client.ip ~ office) { }
}
"""),
    "a broken value hides no sub": (["V223:4", "V302:5"], """
backend b none;
sub vcl_recv {
 set req.url = ;
 call a;
}
"""),
    "a broken new may hide an object": (["V244:5"], """
import directors;
backend b none;
sub vcl_init {
 new d = ;
}
sub vcl_recv {
 set req.backend_hint = d.backend();
}
"""),
    "what Fastly's declare declares is not missed": (["V239:4", "V302:6"], """
backend b none;
sub vcl_recv {
 declare local var.path STRING;
 set var.path = "/";
 set req.http.A = req.htp.A;
}
"""),
    "in the order of the text, errors first": (["V302:5", "V302:6", "V302:9", "V323:12", "V602:8"], """
backend b none;
sub vcl_init { }
sub vcl_recv {
 call a;
 if (req.urll) { }
}
sub c {
 set beresp.ttl = a;
}
sub vcl_hash {
 call b;
}
"""),
    "the functions of a misspelt module are known": (["V513:2", "V513:3", "V515:7", "V322:8"], """
import directrs;
import stdd;
backend b none;
sub vcl_init {
 new d = directors.random();
 new e = directors.rondom();
 std.lg("a");
}
"""),
    "a misspelt property is not missing as well": (["V503:2", "V503:5", "V602:3"], """
backend b { .hots = "127.0.0.1"; }
probe p {
 .window = 5;
 .treshold = 3;
}
"""),
    "what a misspelt name means is not unused": (["V302:5", "V302:6", "V402:8"], """
backend b none;
acl office { "127.0.0.1"; }
sub vcl_recv {
 if (client.ip ~ ofice) {
  call moov; }
}
sub move { set beresp.ttl = 1s; }
"""),
    "actions are judged although brackets were put in": (["V407:4", "V206:4"], """
backend b none;
sub vcl_recv {
 return (pipe(XXX);
}
"""),
    "types are not judged where brackets were put in": (["V206:4"], """
backend b none;
sub vcl_recv {
 if (req.url == ("a" ~ req.http.A) {
  return (pass);
 }
}
"""),
}


@pytest.mark.parametrize("case", ONE_MISTAKE)
def test_one_mistake_gives_one_finding(policy, case: str) -> None:        # type: ignore[no-untyped-def]
    found, text = ONE_MISTAKE[case]
    assert codes_and_lines(policy("vcl 4.1;" + text)) == found


def test_checking_loads_no_code_generator_and_nothing_of_the_network(policy) -> None:       # type: ignore[no-untyped-def]
    done = subprocess.run([str(VERNIS), "check", str(policy(GOOD))], capture_output=True, text=True,
                          env=os.environ | {"PYTHONPROFILEIMPORTTIME": "1"})
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert done.returncode == 0 and "vernis.semantics.check" in loaded
    assert not loaded & {"llvmlite", "_socket", "socket", "ssl", "select", "http", "urllib", "asyncio"}
    assert not loaded & {"dataclasses", "inspect", "tomllib", "json", "subprocess"}, "slow to load and not needed"


# ---- parse, ir, explain ------------------------------------------------------------------------------------


def test_parse_prints_the_tree(policy) -> None:                 # type: ignore[no-untyped-def]
    done = vernis("parse", policy(GOOD))
    assert done.returncode == 0
    assert done.stdout.splitlines()[-2:] == ["(sub vcl_recv)", '  (set req.http.X = "a")']


def test_ir_of_one_hook(policy) -> None:                        # type: ignore[no-untyped-def]
    done = vernis("ir", "--function", "vcl_recv", policy(GOOD))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("sub vcl_recv\n") and '"a"' in done.stdout


def test_ir_of_an_unknown_sub_names_the_known_ones(policy) -> None:        # type: ignore[no-untyped-def]
    done = vernis("ir", "--function", "nothing", policy(GOOD))
    assert done.returncode == 2 and "has no sub nothing" in done.stderr and "vcl_recv" in done.stderr


def test_explain_describes_a_code() -> None:
    done = vernis("explain", "v302")
    assert done.returncode == 0 and done.stdout.startswith("V302: unknown name\n") and "\nRight:\n" in done.stdout


def test_explain_of_an_unknown_code() -> None:
    done = vernis("explain", "V000")
    assert done.returncode == 2 and "there is no code V000" in done.stderr


# ---- build -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_build_writes_a_shared_object(tmp_path: Path, level: str) -> None:
    image = tmp_path / "q.so"
    done = vernis("build", QUICKSTART, "-o", image, level)
    assert done.returncode == 0, done.stderr
    assert image.read_bytes().startswith(b"\x7fELF")


def test_a_policy_with_errors_leaves_no_image(policy, tmp_path: Path) -> None:      # type: ignore[no-untyped-def]
    image = tmp_path / "p.so"
    done = vernis("build", policy(UNKNOWN_VARIABLE), "-o", image)
    assert done.returncode == 1 and "V302" in done.stderr and done.stdout == ""
    assert not image.exists()


def test_build_into_a_missing_directory(policy) -> None:          # type: ignore[no-untyped-def]
    done = vernis("build", policy(GOOD), "-o", "/no/such/p.so")
    assert done.returncode == 2 and "/no/such: no such directory" in done.stderr


def cpu_seconds(command: list[str | Path]) -> float:
    """The least of a few runs: the first one fills caches, and the machine may be busy."""
    def one() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([str(word) for word in command], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return min(one() for _ in range(5))


def test_a_cold_build_of_the_quickstart_takes_a_few_times_the_start_of_llvm(tmp_path: Path) -> None:
    build = cpu_seconds([VERNIS, "build", QUICKSTART, "-o", tmp_path / "q.so"])
    assert build < BUILD_TIMES_MAX * cpu_seconds([sys.executable, "-c", START_LLVM])


# ---- the table of commands ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_help(name: str) -> None:
    parser = argparse.ArgumentParser()
    COMMANDS[name].options(parser)
    assert_none_missing([action.dest for action in parser._actions if not action.help], f"options of `vernis {name}` without help",
                        "Give add_argument() a `help` in compiler/commands/table.")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_function(name: str) -> None:
    module, _, function = COMMANDS[name].run.partition(".")
    file = ROOT / f"compiler/commands/{module}.py"
    assert file.is_file(), f"`vernis {name}` has no function. Write {function}() in compiler/commands/{module}.py"
    found = getattr(importlib.import_module(f"vernis.commands.{module}"), function, None)
    assert callable(found), f"`vernis {name}` has no function. Write {function}() in compiler/commands/{module}.py"


def test_the_page_of_commands_is_made_from_the_table() -> None:
    assert_page(commands.PAGE, commands.page())


# ---- daemon commands without a daemon ----------------------------------------------------------------------


def long_text(parts: int) -> str:
    return " + ".join(f"req.http.A{i % 9}" for i in range(parts))


def test_a_long_join_is_built(policy, tmp_path: Path) -> None:      # type: ignore[no-untyped-def]
    path = policy(f"vcl 4.1; backend default none; sub vcl_recv {{ set req.http.X = {long_text(2500)}; }}")
    assert vernis("build", path, "-o", tmp_path / "x.so").returncode == 0


def test_a_sub_too_large_for_its_stack_is_an_error_of_the_policy(policy, tmp_path: Path) -> None:       # type: ignore[no-untyped-def]
    path = policy(f"vcl 4.1; backend default none; sub vcl_synth {{ synthetic({long_text(2500)}); return (deliver); }}")
    done = vernis("build", path, "-o", tmp_path / "x.so")
    assert done.returncode == 1 and "error[V908]: sub vcl_synth keeps" in done.stderr


@pytest.mark.parametrize("arguments", [
    ["status"], ["list"], ["use", "x"], ["load", "x", str(QUICKSTART)], ["reload", str(QUICKSTART)], ["discard", "x"],
    ["show"], ["params"], ["admin", "ping"]])
def test_a_missing_daemon_is_an_error(arguments: list[str], tmp_path: Path) -> None:
    done = vernis(arguments[0], "-n", tmp_path, *arguments[1:])
    assert done.returncode == 2
    assert f"no daemon answers at {tmp_path}/cli.sock" in done.stderr


def test_loading_a_missing_file(tmp_path: Path) -> None:
    done = vernis("load", "-n", tmp_path, "x", "/no/such.vcl")
    assert done.returncode == 2 and "cannot read /no/such.vcl: No such file" in done.stderr
