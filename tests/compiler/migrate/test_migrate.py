"""`vernis fix --migrate`: rewritten forms, included files, notes, and the same behaviour on random requests."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(HERE.parent / "native")]
from random_language import random_policy  # noqa: E402
from same_behaviour import difference  # noqa: E402

from vernis.ir.lower import lower  # noqa: E402
from vernis.commands.migrate import Migration, migrate  # noqa: E402
from vernis.syntax.diagnostics import Severity  # noqa: E402
from vernis.pipeline import CHECK, Compilation, Options, run_stages  # noqa: E402

HEAD = 'import std; import cookie; backend b { .host = "192.0.2.1"; }\n'


def compilation(path: Path, changed: Mapping[str, bytes]) -> Compilation:
    return Compilation("policy", str(path), options=Options(err_unref=False, vcl_path=(str(path.parent),)), changed=changed)


def migrated(path: Path) -> Migration:
    return migrate(lambda changed: compilation(path, changed))


def moved(tmp_path: Path, hook: str, body: str) -> tuple[str, list[str]]:
    """The body of a hook after migration, and the notes."""
    path = tmp_path / "p.vcl"
    path.write_text(f"vcl 4.1;\n{HEAD}sub {hook} {{ {body} }}\n")
    made = migrated(path)
    assert made.refused is None, made.refused.diagnostics.items
    text = made.texts[str(path)].decode()
    assert text.startswith(f"vcl 5.0;\ncaching 4.1;\n{HEAD}")
    first, *notes = [note.text for note in made.notes]
    assert first.startswith("caching 4.1 keeps")
    after = run_stages(compilation(path, made.texts), CHECK)
    assert [item.code for item in after.diagnostics.items if item.code != "V602"] == []     # no warning, too
    return text.partition(f"sub {hook} {{ ")[2].removesuffix(" }\n"), notes


PASS = "{ return (pass); }"
FORMS = [  # hook, statements of 4.1, statements of 5.0
    ("vcl_recv", f"if (req.http.A) {PASS}", f"if (req.http.A is set) {PASS}"),
    ("vcl_recv", f"if (!req.http.A) {PASS}", f"if (req.http.A is not set) {PASS}"),
    ("vcl_recv", f"if (req.http.A && req.url) {PASS}", f"if (req.http.A is set) {PASS}"),
    ("vcl_recv", f"if (req.url && req.http.A) {PASS}", f"if (req.http.A is set) {PASS}"),
    ("vcl_recv", f"if (req.url) {PASS}", "return (pass);"),
    ("vcl_recv", f"if (!(req.http.A) && (req.http.B)) {PASS}", f"if (req.http.A is not set && req.http.B is set) {PASS}"),
    ("vcl_recv", f"if (!(!req.http.A)) {PASS}", f"if (!(req.http.A is not set)) {PASS}"),
    ("vcl_recv", f"if (!(req.http.A || req.http.B)) {PASS}", f"if (!(req.http.A is set || req.http.B is set)) {PASS}"),
    ("vcl_recv", f"if (!req.restarts) {PASS}", f"if (req.restarts == 0) {PASS}"),
    ("vcl_backend_response", "if (!beresp.ttl) { set beresp.ttl = 1s; }", "if (beresp.ttl <= 0s) { set beresp.ttl = 1s; }"),
    ("vcl_recv", f'if (cookie.get("a")) {PASS}', f'if (cookie.get("a") is set) {PASS}'),
    ("vcl_recv", f"if (req.restarts) {PASS}", f"if (req.restarts != 0) {PASS}"),
    ("vcl_recv", 'if (req.http.A == "b") { return (pass); }', 'if (req.http.A == "b") { return (pass); }'),
    ("vcl_recv", f'if (req.http.A < "b") {PASS}', f'if (req.http.A < "b") {PASS}'),
    ("vcl_recv", f'if (req.http.A > "b") {PASS}', f'if (!(req.http.A <= "b")) {PASS}'),
    ("vcl_recv", f'if (req.http.A /* > */ >= "b") {PASS}', f'if (!(req.http.A /* > */ < "b")) {PASS}'),
    ("vcl_recv", f'if (req.http.A == "" + req.http.B) {PASS}', f'if ((req.http.A ?? "") == "" + (req.http.B ?? "")) {PASS}'),
    ("vcl_recv", f'if (req.http.A ~ "^x?") {PASS}', f'if ((req.http.A ?? "") ~ "^x?") {PASS}'),
    ("vcl_recv", f'if (req.http.A ~ "x") {PASS}', f'if (req.http.A ~ "x") {PASS}'),
    ("vcl_recv", "set req.http.A = req.http.B;", 'set req.http.A = req.http.B ?? "";'),
    ("vcl_recv", "if (req.http.B) { set req.http.A = req.http.B; }", "if (req.http.B is set) { set req.http.A = req.http.B; }"),
    ("vcl_recv", "set req.http.A = req.http.B + req.url;", 'set req.http.A = (req.http.B ?? "") + req.url;'),
    ("vcl_recv", "set req.url = req.http.B;", 'set req.url = req.http.B ?? "";'),
    ("vcl_recv", 'set req.http.A = regsub(req.http.B, "a", "b");', 'set req.http.A = regsub(req.http.B ?? "", "a", "b");'),
    ("vcl_recv", "std.log(req.http.A); /* why */", 'std.log(req.http.A ?? ""); /* why */'),
    ("vcl_synth", 'synthetic("<" + req.http.A);', 'synthetic("<" + (req.http.A ?? "(null)"));'),
    ("vcl_recv", "return (synth(301, req.http.A));", 'return (synth(301, req.http.A ?? "Moved Permanently"));'),
    ("vcl_recv", 'return (synth(301, "a" + req.http.A));', 'return (synth(301, "a" + (req.http.A ?? "")));'),
    ("vcl_recv", "return (fail(req.http.A));", 'return (fail(req.http.A ?? "Failed from VCL"));'),
    ("vcl_recv", 'return (fail("a" + req.http.A));', 'return (fail("a" + (req.http.A ?? "")));'),
    ("vcl_recv", "return (hash);", "return (hash);"),
    ("vcl_backend_response", "return (deliver);", "return (deliver);"),
    ("vcl_recv", "set req.url = std.querysort(req.url);", "req.url.query.sort();"),
    ("vcl_backend_fetch", "set bereq.url = std.querysort(bereq.url);", "bereq.url.query.sort();"),
    ("vcl_recv", "set req.url = std.querysort(req.http.A);", 'set req.url = std.querysort(req.http.A ?? "") ?? "";'),
    ("vcl_recv", 'set req.http.A = regsub(req.http.A, "a", ""); set req.http.A = regsub(req.http.A, "b", "");',
     'set req.http.A = regsub(req.http.A ?? "", "a", ""); set req.http.A = regsub(req.http.A, "b", "");'),
    ("vcl_recv", 'set req.http.A = req.http.A + "a"; set req.http.A = req.http.A + "b" + req.http.A;',
     'set req.http.A = (req.http.A ?? "") + "a"; set req.http.A = req.http.A + "b" + req.http.A;'),
    ("vcl_deliver", "return (deliver);", "return (deliver);"),
    ("vcl_deliver", "return (restart);", "if (req.restarts <= 4) { return (restart); }"),
    ("vcl_deliver", "if (req.restarts < 2) { return (restart); }", "if (req.restarts < 2) { return (restart); }"),
    ("vcl_backend_error", "return (retry);", "if (bereq.retries <= 4) { return (retry); }"),
    ("vcl_deliver", "set resp.http.A = now;", "set resp.http.A = http_date(now);"),
    ("vcl_deliver", 'set resp.http.A = "a" + now + obj.hits;', 'set resp.http.A = "a" + http_date(now) + obj.hits;'),
    ("vcl_backend_response", "set beresp.http.A = beresp.ttl;", "set beresp.http.A = text(beresp.ttl);"),
    ("vcl_recv", "set req.http.A = client.ip;", "set req.http.A = text(client.ip);"),
]


@pytest.mark.parametrize(("hook", "before", "after"), FORMS, ids=[row[1] for row in FORMS])
def test_forms(tmp_path: Path, hook: str, before: str, after: str) -> None:
    assert moved(tmp_path, hook, before)[0] == after


NOTES = [  # hook, statements, the beginnings of the notes
    ("vcl_recv", "return (hash);", []),
    ("vcl_recv", "set req.url = std.querysort(req.url);", ["behaves differently: parameters of one name keep their order; GET /?a=2"]),
    ("vcl_deliver", "return (restart);", ["the bound is the default"]),
    ("vcl_recv", "set req.http.A = req.http.B;", ["in 4.x an absent value makes an empty field"]),
    ("vcl_recv", 'if (req.http.A ~ "x?") { return (pass); }', ["in 4.x this pattern also matches"]),
    ("vcl_recv", "if (req.url) { return (pass); }", ["may behave differently"]),
    ("vcl_recv", "return (hash); } sub vcl_req_cookie { unset req.http.A;", []),
    ("vcl_recv", 'if (req.http.A ~ "x") { return (pass); }', []),
    ("vcl_recv", 'cookie.set("a", req.http.A);', ["may behave differently: the module gets an empty text"]),
    ("vcl_recv", 'if (req.http.A) { cookie.set("a", req.http.A); }', []),
    ("vcl_recv", 'cookie.set("a", "x" + req.http.A);', []),         # joined texts are set in both versions
    ("vcl_recv", "cookie.parse(req.http.Cookie);", []),              # takes both alike
    ("vcl_recv", "std.log(req.http.A);", []),
    ("vcl_recv", 'set req.http.X = regsub(req.http.A, "a", "b");', []),
    ("vcl_recv", "if (std.integer(req.http.A, 0) * std.integer(req.http.B, 0) > 9) { return (pass); }", ["may behave differently: a whole number"]),
    ("vcl_recv", "if (std.integer(req.http.A, 0) * 1000 + 7 > 9) { return (pass); }", []),         # has 18 digits at most
    ("vcl_recv", "if (req.restarts + 1 > 3) { return (pass); }", []),
    ("vcl_recv", 'if (std.integer(bytes = std.bytes("8EB", 0B)) + 1 > 9) { return (pass); }', ["may behave differently: a whole number"]),
    ("vcl_backend_response", "set beresp.ttl = 1s * std.integer(beresp.http.A, 0) * std.integer(beresp.http.B, 0);", []),     # a DURATION
]


@pytest.mark.parametrize(("hook", "statements", "notes"), NOTES, ids=[row[1] for row in NOTES])
def test_notes(tmp_path: Path, hook: str, statements: str, notes: list[str]) -> None:
    found = moved(tmp_path, hook, statements)[1]
    assert len(found) == len(notes) and all(map(str.startswith, found, notes)), found


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(ROOT / "build/bin/vernis"), "fix", *words], capture_output=True, text=True, check=False, timeout=60)


def test_included_files_move_with_the_policy(tmp_path: Path) -> None:
    main, part, lines = tmp_path / "p.vcl", tmp_path / "part.vcl", tmp_path / "lines.vcl"
    main.write_text(f'vcl 4.1;\r\n{HEAD}include "./part.vcl";\nsub vcl_recv {{ include "./lines.vcl"; }}\n', newline="")
    part.write_text("# ours\nvcl 4.0;\nsub vcl_deliver { if (req.http.A) { set resp.http.A = req.http.A; } }\n")
    lines.write_text("set req.http.B = req.http.C;\n")
    assert command("--migrate", str(main)).returncode == 0
    assert main.read_bytes().startswith(b"vcl 5.0;\r\ncaching 4.1;\r\n")
    assert part.read_text() == "# ours\nvcl 5.0;\nsub vcl_deliver { if (req.http.A is set) { set resp.http.A = req.http.A; } }\n"
    assert lines.read_text() == 'set req.http.B = req.http.C ?? "";\n'
    assert command("--migrate", "--check", str(main)).returncode == 0        # nothing is left to do


def test_a_file_outside_of_the_folder_keeps_its_version(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    inside = tmp_path / "in"
    inside.mkdir()
    (other / "lib.vcl").write_text("vcl 4.1;\nsub vcl_deliver { if (req.http.A) { return (deliver); } }\n")
    main = inside / "p.vcl"
    main.write_text(f'vcl 4.1;\n{HEAD}include "{other}/lib.vcl";\n')
    assert command("--migrate", str(main)).returncode == 0
    assert main.read_text().startswith("vcl 5.0;") and (other / "lib.vcl").read_text().startswith("vcl 4.1;")


def test_definitions_of_one_hook_become_parts(tmp_path: Path) -> None:
    path = tmp_path / "p.vcl"
    path.write_text(f"vcl 4.1;\n{HEAD}sub vcl_recv {{ }}\nsub vcl_recv {PASS}\n")
    assert migrated(path).texts[str(path)].decode() == f"vcl 5.0;\ncaching 4.1;\n{HEAD}@part\nsub vcl_recv {{ }}\n@part\nsub vcl_recv {PASS}\n"


def test_diff_and_check_write_nothing(tmp_path: Path) -> None:
    path = tmp_path / "p.vcl"
    text = f"vcl 4.1;\n{HEAD}sub vcl_recv {{ if (req.http.A) {PASS} }}\n"
    path.write_text(text)
    done = command("--migrate", "--diff", str(path))
    assert done.returncode == 1 and f"+sub vcl_recv {{ if (req.http.A is set) {PASS} }}\n" in done.stdout
    done = command("--migrate", "--check", str(path))
    assert (done.returncode, done.stdout) == (1, f"would migrate {path}\n")
    assert path.read_text() == text


REFUSED = [  # a policy, a part of the message
    (f"vcl 4.1;\n{HEAD}sub vcl_recv {{ if (req.backend_hint) {PASS} }}\n", "V755"),      # 5.0 has no test for it
    (f"vcl 4.1;\n{HEAD}sub vcl_recv {{ nonsense; }}\n", "error"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_a_refused_policy_stays_as_it_is(tmp_path: Path, text: str, message: str) -> None:
    good, bad = tmp_path / "good.vcl", tmp_path / "bad.vcl"
    good.write_text(f"vcl 4.1;\n{HEAD}")
    bad.write_text(text)
    done = command("--migrate", str(good), str(bad))
    assert done.returncode == 2 and message in done.stderr and "nothing is written" in done.stderr
    assert good.read_text().startswith("vcl 4.1;") and bad.read_text() == text


def behaviour_of_both(path: Path, requests: int, seed: int) -> str:
    """The first difference between a policy and its migration; empty if there is none."""
    made = migrated(path)
    assert made.refused is None, made.refused.diagnostics.items
    before, after = (run_stages(compilation(path, changed), CHECK) for changed in ({}, made.texts))
    assert before.checked is not None and after.checked is not None and not after.failed
    found = difference(lower(before.checked), lower(after.checked), requests, random.Random(seed))
    return str(found or "")


POLICIES = ["examples/quickstart/quickstart.vcl", "examples/site/site.vcl", "packaging/default.vcl"]


@pytest.mark.parametrize("name", POLICIES)
def test_our_policies_behave_the_same(name: str) -> None:
    assert behaviour_of_both(ROOT / name, requests=100, seed=1) == ""


#: What 5.0 cannot say: a backend as a condition; variables that only 4.0 has, or can set; a return that only one of
#: the hooks of a sub checks.
NO_FORM = {"V755", "V311", "V402", "V790"}


def test_random_policies_behave_the_same(tmp_path: Path) -> None:
    path = tmp_path / "p.vcl"
    compared = 0
    for seed in range(60):
        path.write_text(random_policy(random.Random(seed)).text)
        if run_stages(compilation(path, {}), CHECK).failed:
            continue
        made = migrated(path)
        if made.refused is not None:
            errors = {item.code for item in made.refused.diagnostics.items if item.severity is Severity.ERROR}
            assert errors & NO_FORM, (seed, errors)
            continue
        compared += 1
        assert behaviour_of_both(path, requests=20, seed=seed) == "", seed
    assert compared >= 20


def test_a_difference_is_found(tmp_path: Path) -> None:
    texts = [f"vcl 4.1;\n{HEAD}sub vcl_recv {{ if (req.http.A == {value}) {PASS} }}\n" for value in ('"a"', '"b"')]
    modules = []
    for number, text in enumerate(texts):
        path = tmp_path / f"{number}.vcl"
        path.write_text(text)
        checked = run_stages(compilation(path, {}), CHECK).checked
        assert checked is not None
        modules.append(lower(checked))
    found = difference(modules[0], modules[1], 1000, random.Random(1))
    assert found is not None and found.hook == "vcl_recv" and "action" in str(found)




def test_the_line_of_caching_stands_below_the_version(tmp_path: Path) -> None:
    path = tmp_path / "p.vcl"
    texts = {
        f"vcl 4.1;\n{HEAD}": f"vcl 5.0;\ncaching 4.1;\n{HEAD}",
        f"# top\nvcl 4.0; // ours\n\n{HEAD}": f"# top\nvcl 5.0; // ours\ncaching 4.1;\n\n{HEAD}",
        f"vcl 4.1; {HEAD}": f"vcl 5.0;\ncaching 4.1;\n{HEAD}",
    }
    for before, after in texts.items():
        path.write_text(before)
        made = migrated(path)
        assert made.texts[str(path)].decode() == after
        assert [(note.line, note.text[:17]) for note in made.notes] == [(after[: after.index("caching")].count("\n") + 1, "caching 4.1 keeps")]


def test_notes_and_errors_have_the_lines_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "p.vcl"
    path.write_text(f"vcl 4.1; {HEAD}sub vcl_recv {{\n    if (req.url) {{\n        set req.http.A = req.http.B;\n    }}\n    set req.http.C = req.http.D;\n}}\n")
    made = migrated(path)
    lines = made.texts[str(path)].decode().splitlines()
    marked = [lines[note.line - 1].strip() for note in made.notes]
    assert marked == ["caching 4.1;", 'set req.http.A = req.http.B ?? "";', 'set req.http.A = req.http.B ?? "";', 'set req.http.C = req.http.D ?? "";']
    assert lines[4] == '    set req.http.A = req.http.B ?? "";'      # in the column of the test that is gone
    path.write_text(f"vcl 4.1; {HEAD}sub vcl_recv {{\n    if (req.backend_hint) {PASS}\n}}\n")
    refused = migrated(path).refused
    assert refused is not None and refused.sources.place(refused.diagnostics.items[0].span)[1] == 3


def test_all_absent_parts_of_a_long_text_move(tmp_path: Path) -> None:
    path = tmp_path / "p.vcl"
    parts = [f"req.http.A{number}" for number in range(400)]
    path.write_text(f"vcl 4.1;\n{HEAD}sub vcl_recv {{ set req.http.X = {' + '.join(parts)}; }}\n")
    assert migrated(path).texts[str(path)].decode().count('?? "")') == 400


def test_an_included_file_that_is_a_policy_has_the_line_too(tmp_path: Path) -> None:
    main, part = tmp_path / "p.vcl", tmp_path / "part.vcl"
    main.write_text(f'vcl 4.1;\n{HEAD}include "./part.vcl";\n')
    part.write_text("vcl 4.1;\nbackend c none;\n")
    assert command("--migrate", str(main)).returncode == 0
    assert part.read_text() == "vcl 5.0;\nbackend c none;\n"
    for file in (main, part):
        file.write_text(file.read_text().replace("vcl 5.0;\n", "vcl 4.1;\n").replace("caching 4.1;\n", ""))
    done = command("--migrate", "--no-err-unref", str(main), str(part))
    assert done.returncode == 0, done.stderr
    assert all("caching 4.1;\n" in file.read_text() for file in (main, part))
