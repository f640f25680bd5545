"""Names and texts by others in the output of `vernis`: no control character reaches a terminal, no line is a command
for a CI runner, and each format stays what it is."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import pytest

from observe.logs import request, write_dump
from vernis import shown
from vernis.record import replace
from vernis.report.formats import FORMATS

VERNIS = Path(__file__).parents[2] / "build" / "bin" / "vernis"

HOSTILE = "\x1b]0;t\x07\r\n::error title=x::y\x9b31m\u202e\u2066\u2028%0A"
#: As the name of a file, as the name of a test, in the text of a policy, and as a value of a client.
NAMES = ("::add-mask::a::.vcl", f"a{HOSTILE}.vcl", "b##[group]\x7f&<>\"'.vcl", "c\udcff\udc9b.vcl")
POLICY = """vcl 4.1;
backend default none;
sub vcl_recv {
    set req.http.A = {"\x9b31m\u202e
::error title=z::z
##[group] "};
    if (req.url ~ "x") { return (purge); }
    return (synth(200, "\u2066"));
}
"""
TESTS = f'vcl 4.1;\ntest "{HOSTILE.replace(chr(10), "").replace(chr(13), "")}" {{ request("/a"); expect(resp.status == 404); }}\n'


@pytest.fixture(params=range(len(NAMES)))
def policy(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / NAMES[request.param]
    path.write_text(POLICY)
    return path


def ran(*words: str | Path, folder: Path) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run([VERNIS, *words], capture_output=True, cwd=folder, env=dict(os.environ, PYTHONUTF8="1"), timeout=120)
    assert b"Traceback" not in done.stderr, done.stderr
    return done


def is_clean(output: bytes, commands: int = 0, is_text: bool = True) -> None:
    """No character that a terminal obeys, and so many workflow commands. Terminals ignore DEL, and JSON has it."""
    text = output.decode().replace("\x7f", "")
    assert not {c for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")}
    assert sum(line.lstrip().startswith("::") for line in text.split("\n")) == commands
    assert commands or not is_text or "##[" not in text


@pytest.mark.parametrize("form", FORMATS)
def test_formats_of_findings(form: str, policy: Path) -> None:
    for path in (policy, policy.name):
        done = ran("lint", "--select", "all", "--format", form, "--", path, folder=policy.parent)
        assert done.returncode == 1
        n = len(json.loads(ran("lint", "--select", "all", "--format", "json", "--", path, folder=policy.parent).stdout)["findings"])
        assert n > 0
        is_clean(done.stdout, n if form == "github" else 0, form in ("text", "full", "concise"))
        is_clean(done.stderr)
        if form in ("junit", "checkstyle"):
            ElementTree.fromstring(done.stdout)
        elif form in ("json", "sarif", "gitlab", "rdjson"):
            json.loads(done.stdout)
        elif form == "json-lines":
            assert all(json.loads(line) for line in done.stdout.splitlines())


def test_other_tools(policy: Path) -> None:
    folder = policy.parent
    for words in (("check",), ("check", "--costs"), ("fmt", "--check"), ("ir",), ("parse",), ("fix", "--migrate", "--dry-run"), ("build", "-o", "x.so")):
        done = ran(*words, "--", policy, folder=folder)
        is_clean(done.stdout)
        is_clean(done.stderr)
    done = ran("check", "--", f"{policy}{HOSTILE}", folder=folder)
    assert done.returncode == 2 and b"cannot read" in done.stderr
    is_clean(done.stderr)
    for form in ("text", "json", "html"):
        done = ran("why", "--format", form, "-H", "X: \x9b\u202e", "--", policy, "http://h/a\x9b31m", folder=folder)
        is_clean(done.stdout, is_text=form == "text")
        is_clean(done.stderr)


def test_reports_of_tests(policy: Path) -> None:
    folder = policy.parent
    policy.with_name(policy.name.removesuffix(".vcl") + ".test.vcl").write_text(TESTS)
    reports = ("--junit", "j.xml", "--coverage", "--coverage-lcov", "l.info", "--coverage-xml", "c.xml", "--coverage-html", "html")
    done = ran("test", "-v", "--jobs", "1", *reports, "--", policy, folder=folder)
    assert done.returncode == 1 and b"FAILED" in done.stdout, done.stderr
    is_clean(done.stdout)
    is_clean(done.stderr)
    assert ElementTree.parse(folder / "j.xml").findtext(".//failure")
    assert ElementTree.parse(folder / "c.xml").find(".//class") is not None
    keys = {line.partition(":")[0] for line in (folder / "l.info").read_bytes().decode("utf-8", "surrogateescape").splitlines()}
    assert keys <= {"TN", "SF", "FN", "FNDA", "FNF", "FNH", "BRDA", "BRF", "BRH", "DA", "LF", "LH", "end_of_record"}
    for page in (folder / "html").iterdir():
        is_clean(page.read_bytes(), is_text=False)


def test_what_is_changed_and_what_is_not() -> None:
    assert shown.visible("añ\t中\udcff") == "añ\t中\udcff"
    assert shown.visible("a\nb\x9b\u202e\u2028") == "a·b···"
    assert shown.lines("a\n ::error::x\n::1\n::ffff:1.2.3.4\n a::b::c\n##[x]") == "a\n ·:error::x\n::1\n::ffff:1.2.3.4\n a::b::c\n#·[x]"
    assert shown.visible_bytes(b"a\xc2\x9b\x9b\xff\xc3\xa4\n") == b"a\xc2\xb7\xc2\xb7\xff\xc3\xa4\n"
    for text in ("\x9b\u202e\u2028\x7f\U000e0001 ä", ""):
        assert json.loads(shown.in_json(json.dumps(text, ensure_ascii=False))) == text
        assert shown.in_json(json.dumps(text, ensure_ascii=False)).isprintable()


def on_a_terminal(*words: str | Path) -> bytes:
    """The bytes that a terminal gets."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([VERNIS, *words], stdout=theirs, stdin=theirs, stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        found = b""
        while True:
            try:
                more = os.read(ours, 65536)
            except OSError:         # EIO: the program has ended
                break
            if not more:
                break
            found += more
    os.close(ours)
    assert process.returncode == 0
    return found.replace(b"\r\n", b"\n")


@pytest.mark.parametrize("words", [("log",), ("log", "-g", "raw"), ("log", "--format", "json"), ("log", "--format", "screen"), ("log", "--why"), ("top", "-1")])
def test_the_log_on_a_terminal(words: tuple[str, ...], tmp_path: Path) -> None:
    url = "/a\x9b31m\u202e\u2028".encode()
    transaction = request(2, 1, "/a")
    records = [replace(one, data=one.data.replace(b"/a", url + b"\x9b]")) for one in transaction]
    dump = write_dump(tmp_path / "dump", records)
    found = re.sub(rb"\x1b\[[0-9;]*m", b"", on_a_terminal(*words, "-r", dump))          # our own colours
    assert b"/a" in found
    assert b"\xc2\x9b" not in found and b"\x9b]" not in found
    is_clean(found, is_text=False)
