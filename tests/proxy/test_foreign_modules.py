"""Third-party modules in a running daemon: the example module, built with nothing but the header, and modules
that cannot be loaded."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from proxy.daemon import ROOT, Daemon, wait_until

EXAMPLE = ROOT / "examples" / "module"
HEADER = ROOT / "runtime" / "module_abi.h"

Start = Callable[..., Daemon]

POLICY = """vcl 4.1;
import canary;
backend default none;
sub vcl_init {{
    new releases = canary.split();
    releases.add("a", 3);
    releases.add("b");
}}
sub vcl_recv {{
    if (canary.halted("{flag}")) {{ return (synth(200, "halted")); }}
    canary.mark(req.http.X-Release, releases.pick(req.url));
    canary.mark(req.http.X-Release, "again");
    return (synth(200, req.http.X-Release));
}}
"""

#: A module with one function, which returns the macros it was compiled with.
SMALL = """#include "module_abi.h"
static const struct vernis_api *api;
static struct vernis_text word(struct vernis_ctx *ctx) { return (struct vernis_text){ WORD, sizeof WORD - 1 }; }
static const char *load(const struct vernis_api *given) { api = given; return REFUSAL; }
static const struct vernis_row rows[] = { { "word", SIGNATURE, (vernis_function *)word } };
VERNIS_MODULE_EXPORT const struct vernis_module vernis_module = {
    .abi = ABI, .name = NAME, .rows = rows, .n_rows = 1, .load = load };
"""
SMALL_TOML = """abi = 1
[[module]]
name = "small"
doc = "For tests."
function = [{ name = "word", symbol = "word", result = "STRING", params = [], doc = "A word." }]
"""
SMALL_POLICY = 'vcl 4.1; import small; backend default none; sub vcl_recv { return (synth(200, small.word())); }'


@pytest.fixture(scope="module")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example, built in a copy that contains only the header of ours."""
    folder = tmp_path_factory.mktemp("canary")
    copy = folder / "source"
    shutil.copytree(EXAMPLE, copy)
    shutil.copy(HEADER, copy)
    subprocess.run(["make", "-s", "install", "INCLUDE=.", f"MODULES={folder}", "CFLAGS=-O1 -Wextra -Wno-unused-parameter -Werror"],
                   cwd=copy, check=True)
    return folder


def build_small(folder: Path, **macros: str) -> None:
    """Installs the small module as `make install` does: a new file replaces the old one."""
    known = {"WORD": '"one"', "REFUSAL": "0", "SIGNATURE": '"STRING()"', "ABI": "VERNIS_MODULE_ABI", "NAME": '"small"'} | macros
    (folder / "small.c").write_text(SMALL)
    new = folder / "new.so"
    subprocess.run(["cc", "-O0", "-fPIC", "-shared", f"-I{HEADER.parent}", *[f"-D{name}={value}" for name, value in known.items()],
                    "-o", str(new), str(folder / "small.c")], check=True)
    new.rename(folder / "libvmod_small.so")
    (folder / "small.toml").write_text(SMALL_TOML)


def mapped(daemon: Daemon, name: str) -> bool:
    return f"/{name}" in Path(f"/proc/{daemon.worker_pid}/maps").read_text()


def test_the_example_works_in_a_live_daemon(start_daemon: Start, canary: Path, tmp_path: Path) -> None:
    flag = tmp_path / "halt"
    daemon = start_daemon(POLICY.format(flag=flag), ["-p", f"vmod_path=/nowhere:{canary}"])
    answers = [daemon.get(f"/{n}")[1] for n in range(60)]
    assert answers == [daemon.get(f"/{n}")[1] for n in range(60)], "a visitor keeps its release"
    assert 30 <= answers.count("a") <= 57 and answers.count("a") + answers.count("b") == 60
    flag.touch()
    assert daemon.get("/1") == (200, "halted")


def test_the_suite_of_the_example_passes(canary: Path) -> None:
    def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
        command = [str(ROOT / "build/bin/vernis"), "test", "--vmod-path", str(canary), *options, str(folder)]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    for options in ((), ("--policy", str(EXAMPLE / "canary5.vcl"))):
        done = run(EXAMPLE, *options)
        assert (done.returncode, "7 passed, 0 failed" in done.stdout) == (0, True), done.stdout + done.stderr
    changed = canary / "changed"
    shutil.copytree(EXAMPLE, changed)
    policy = (EXAMPLE / "canary.vcl").read_text()
    (changed / "canary.vcl").write_text(policy.replace("hash_data(req.http.X-Release);", ""))
    done = run(changed)
    assert done.returncode == 1 and "FAILED" in done.stdout, "releases that share pages are noticed"


def test_the_description_checks_policies(start_daemon: Start, canary: Path) -> None:
    daemon = start_daemon(None, ["-p", f"vmod_path={canary}"])
    daemon.load("example", (EXAMPLE / "canary.vcl").read_text())
    status, text = daemon.cli('vcl.inline p "vcl 4.1; import canary; backend default none; '
                              'sub vcl_deliver { canary.mark(resp.http.A, 1, 2); canary.markk(); }"')
    assert status == 106 and "error[V31" in text and "did you mean canary.mark?" in text


def test_a_failure_in_a_module_fails_the_hook(start_daemon: Start, canary: Path) -> None:
    daemon = start_daemon(POLICY.format(flag=""), ["-p", f"vmod_path={canary}"])
    assert daemon.get("/")[0] == 503
    status, text = daemon.cli('vcl.inline p "vcl 4.1; import canary; backend default none; '
                              'sub vcl_init { new s = canary.split(); s.add(\\"\\"); }"')
    assert status == 300 and "one without a name" in text
    assert daemon.get("/")[0] == 503, "the worker has survived"


def test_a_module_is_unloaded_with_its_last_policy(start_daemon: Start, tmp_path: Path) -> None:
    build_small(tmp_path)
    daemon = start_daemon(SMALL_POLICY, ["-p", f"vmod_path={tmp_path}"])
    daemon.load("second", SMALL_POLICY)
    daemon.serve("none", "vcl 4.1; backend default none;")
    daemon.ok("vcl.discard boot")
    assert mapped(daemon, "libvmod_small.so"), "another policy uses it"
    assert f'    1 small (path="{tmp_path}/libvmod_small.so")\n' in daemon.ok("debug.vmod")
    daemon.ok("vcl.discard second")
    wait_until(lambda: not mapped(daemon, "libvmod_small.so"), "the library is unloaded")


def test_a_new_version_serves_new_policies_only(start_daemon: Start, tmp_path: Path) -> None:
    build_small(tmp_path)
    daemon = start_daemon(SMALL_POLICY, ["-p", f"vmod_path={tmp_path}"])
    build_small(tmp_path, WORD='"two"')
    daemon.load("new", SMALL_POLICY)
    assert daemon.get("/") == (200, "one")
    daemon.use("new")
    assert daemon.get("/") == (200, "two")


@pytest.mark.parametrize(("macros", "why"), [
    ({"ABI": "2"}, "it is made for version 2 of the module contract, this runtime has version 1"),
    ({"NAME": '"other"'}, "it is module other"),
    ({"REFUSAL": '"no licence"'}, "it says: no licence"),
    ({"SIGNATURE": '"INT()"'}, 'module small has "word" as INT(), which is not what its description says'),
])
def test_an_incompatible_library_is_refused(start_daemon: Start, tmp_path: Path, macros: dict[str, str], why: str) -> None:
    build_small(tmp_path)
    daemon = start_daemon(SMALL_POLICY, ["-p", f"vmod_path={tmp_path}"])
    build_small(tmp_path, **macros)
    status, text = daemon.cli(f"vcl.inline new << %E\n{SMALL_POLICY}\n%E")
    assert status == 300 and why in text
    assert daemon.get("/") == (200, "one") and "new" not in daemon.ok("vcl.list")


def test_a_missing_library_is_named(start_daemon: Start, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL_TOML)
    daemon = start_daemon("vcl 4.1; backend default none;", ["-p", f"vmod_path={tmp_path}"])
    status, text = daemon.cli(f"vcl.inline new << %E\n{SMALL_POLICY}\n%E")
    assert status == 300 and f"cannot use module small from {tmp_path}/libvmod_small.so: No such file" in text


#: One function for each facility of the module interface: name, result, parameters, body.
WIDE = [
    ("address", "IP", ["STRING"], "const struct vernis_ip *", "struct vernis_text t", "return api->ip_of_text(ctx, t);"),
    ("shown", "STRING", ["IP"], "struct vernis_text", "const struct vernis_ip *ip", "return api->ip_text(ctx, ip);"),
    ("blob", "BLOB", ["STRING"], "const struct vernis_blob *", "struct vernis_text t", "return api->blob_of(ctx, t);"),
    ("bytes", "STRING", ["BLOB"], "struct vernis_text", "const struct vernis_blob *b", "return api->blob_bytes(b);"),
    ("name", "STRING", ["BACKEND"], "struct vernis_text", "struct vernis_backend *b", "return api->backend_name(b);"),
    ("healthy", "BOOL", ["BACKEND"], "int32_t", "struct vernis_backend *b", "return api->backend_healthy(ctx, b);"),
    ("matches", "BOOL", ["STRING", "REGEX"], "int32_t", "struct vernis_text t, const struct vernis_regex *re",
     "return api->regex_match(ctx, re, t);"),
    ("given", "INT", ["STRING?", "INT?"], "int64_t", "uint32_t given, struct vernis_text t, int64_t n", "return given * 100 + n;"),
    ("set", "VOID", ["HTTP", "STRING", "STRING"], "void", "struct vernis_message *m, struct vernis_text n, struct vernis_text v",
     "api->header_set(ctx, m, n, v);"),
    ("get", "STRING", ["HTTP", "STRING"], "struct vernis_text", "struct vernis_message *m, struct vernis_text n",
     "return api->header_get(ctx, m, n);"),
    ("remove", "VOID", ["STRING"], "void", "struct vernis_text n",
     "api->header_unset(ctx, api->message(ctx, VERNIS_REQ), n);"),
    ("age", "DURATION", ["TIME"], "double", "double t", "return api->now(ctx) - t;"),
]


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wide")
    functions = "".join(f"static {kind}\nf_{name}(struct vernis_ctx *ctx, {params})\n{{\n    {body}\n}}\n"
                        for name, _, _, kind, params, body in WIDE)
    rows = ",\n".join(f'{{ "{name}", "{result}({",".join(params)})", (vernis_function *)f_{name} }}'
                      for name, result, params, *_ in WIDE)
    (folder / "wide.c").write_text(
        '#include "module_abi.h"\nstatic const struct vernis_api *api;\n'
        f"{functions}static const char *load(const struct vernis_api *given) {{ api = given; return NULL; }}\n"
        f"static const struct vernis_row rows[] = {{ {rows} }};\n"
        "VERNIS_MODULE_EXPORT const struct vernis_module vernis_module = "
        f'{{ .abi = 1, .name = "wide", .rows = rows, .n_rows = {len(WIDE)}, .load = load }};\n')
    subprocess.run(["cc", "-Wall", "-Werror", "-fPIC", "-shared", f"-I{HEADER.parent}", "-o", str(folder / "libvmod_wide.so"),
                    str(folder / "wide.c")], check=True)
    described = ",\n".join(
        f'{{ name = "{name}", symbol = "{name}", result = "{result}", may_fail = true, doc = "-", params = ['
        + ", ".join(f'{{ name = "p{i}", type = "{kind.rstrip("?")}", optional = {str("?" in kind).lower()} }}'
                    for i, kind in enumerate(params)) + "] }" for name, result, params, *_ in WIDE)
    (folder / "wide.toml").write_text(f'abi = 1\n[[module]]\nname = "wide"\ndoc = "-"\nfunction = [\n{described}\n]\n')
    return folder


@pytest.mark.parametrize(("statements", "answer"), [
    ('set req.http.R = wide.shown(wide.address("2001:DB8::1")) + " " + wide.shown(client.ip);', "2001:db8::1 127.0.0.1"),
    ('if (!wide.shown(wide.address("no"))) { set req.http.R = "none"; }', "none"),
    ('set req.http.R = wide.bytes(wide.blob("abc"));', "abc"),
    ('set req.http.R = wide.name(req.backend_hint) + wide.healthy(req.backend_hint);', "defaulttrue"),
    ('set req.http.R = wide.matches("abc", "^a.c$") + " " + wide.matches("abc", "d");', "true false"),
    ('set req.http.R = wide.given() + " " + wide.given("x") + " " + wide.given("x", 7) + " " + wide.given(p1 = 5);', "0 100 307 205"),
    ('wide.set(req, "R", "a" + wide.get(req, "host")); wide.set(req, "S", "b"); wide.remove("S"); set req.http.R = req.http.R + req.http.S;',
     "atest"),
    ('set req.http.R = wide.age(now - 5s);', "5.000"),
])
def test_a_module_can_use_every_facility(start_daemon: Start, wide: Path, statements: str, answer: str) -> None:
    daemon = start_daemon('vcl 4.1; import wide; backend default { .host = "127.0.0.1"; .port = "1"; }'
                          f"sub vcl_recv {{ {statements} return (synth(200, req.http.R)); }}", ["-p", f"vmod_path={wide}"])
    assert daemon.get("/") == (200, answer)


@pytest.mark.parametrize("statement", ['wide.set(req, "a b", "c");', 'wide.set(req, "a", {"b\n\nc"});'])
def test_invalid_fields_fail_the_hook(start_daemon: Start, wide: Path, statement: str) -> None:
    daemon = start_daemon(f"vcl 4.1; import wide; backend default none; sub vcl_recv {{ {statement} return (synth(200)); }}",
                          ["-p", f"vmod_path={wide}"])
    assert daemon.get("/")[0] == 503
