"""`check`, `lint` and `build` find in the files of tables what a daemon refuses, with the same words and places."""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from vernis.commands.table_files import report_table_files
from vernis.pipeline import CHECK, COMPILE, Compilation, Options, run_stages
from vernis.trial.world import Host, WorldError

ROOT = Path(__file__).resolve().parents[3]
HEAD = 'vcl 5.0;\nbackend b { .host = "192.0.2.1"; }\n'
#: A use of a table's value as text, by type.
USES = {"STRING": 't[req.url] ?? ""', "BOOL": 'text(t[req.url] ?? true)', "BACKEND": '"" + (t[req.url] ?? b)', "IP": "text(t[req.url] ?? client.ip)"}
TYPES = {"INT": "0", "REAL": "0.0", "DURATION": "0s", "BYTES": "0B"}


def policy(declared: str) -> str:
    type = declared.split()[0]
    by_address = "client.ip" if "by ip" in declared else "req.url"
    use = USES.get(type, f"text(t[req.url] ?? {TYPES.get(type)})").replace("req.url", by_address)
    return f"{HEAD}table t : {declared};\nsub vcl_recv {{ set req.http.X = {use}; }}\n"


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    made = Host()
    yield made
    made.close()


def refused(host: Host, image: Path, file: Path) -> str:
    """The place and the message of the daemon's reader; empty if it takes the file."""
    try:
        with host.world(image):
            return ""
    except WorldError as error:
        return str(error).replace(f'table "t": {file}:', "").replace(f'table "t": {file}', "")


def found(folder: Path) -> str:
    return found_in(run_stages(Compilation("p", str(folder / "p.vcl"), options=Options(err_unref=False)), CHECK))


def found_in(run: Compilation) -> str:
    """The finding about the file as it is now."""
    run.diagnostics.items.clear()
    report_table_files(run)
    if not run.diagnostics.items:
        return ""
    [item] = run.diagnostics.items
    file = run.sources.files[item.span.file]
    line = file.line_of(item.span.start)
    column = item.span.start - file.line_starts[line - 1] + 1       # the daemon counts bytes
    return f"{line}:{column}: {item.message.removeprefix('table t: ')}"


def image_of(folder: Path, declared: str) -> Path:
    (folder / "p.vcl").write_text(policy(declared))
    image = folder / "p.so"
    run = run_stages(Compilation("p", str(folder / "p.vcl"), options=Options(err_unref=False), image=image), COMPILE)
    assert not run.failed, run.diagnostics.items
    return image


CSV = [b"", b"\n\r\n", b"/a,1\n", b"/a,1\n\n/b,2\r\n", b"\xef\xbb\xbf/a,1", b'"/a,b",1\n', b'"/a""b",1\n/c,x\n', b'"/a\nb",1\n/c,x\n', b"/a\n",
       b"/a,1,2\n", b'/a,1\n/c,"1\n\n', b'/a,1\n/c,"1"e\n', b'/a,1"2"\n', b"/a\rb,1\n", b"/a,\xff\n", b"\xc3\xa4,1\n/b,\xc0\x80\n", b"/a,1\n/b,2\n/a,3\n",
       b"/a,1\r", b"/a,", b",", b"/a,1\n\n\n/b,x", b"," * 70, b"/a,12345678901234567890\n"]
KEYS = [b"192.0.2.1,a\n2001:db8::1,b\n", b"192.0.2.9/24,a\n", b"192.0.2.0/33,a\n", b"192.0.2,a\n", b"2001:db8::/129,a\n", b"192.0.2.0/,a\n",
        b"192.0.2.0/24,a\n192.0.2.0/24,b\n", b"192.0.2.0/24,a\n192.0.2.0/25,b\n", b"::/0,a\n0.0.0.0/0,b\n"]
VALUES = [b"/a,%s\n" % value for value in (b"1", b"-1", b"1.5", b"1.", b".5", b"+1", b"1s", b"1S", b"1.5h", b"1ms", b"1KB", b"1kb", b"1.5B", b"-1B", b"1", b"",
                                            b"true", b"True", b"false", b"192.0.2.1", b"::1", b"192.0.2", b"b", b"B", b"x", b" 1", b"999999999999999")]
JSON = [b"{}", b'{"/a": 1}', b'{"/a": "1"}', b'{"/a": 1, "/b": "x"}', b'{"/a": null}', b'{"/a": [1]}', b'{"/a": {}}', b'{"/a": {"/b": 1}, "/c": "x"}',
        b"[]", b'{"/a": true}', b'{"/a": 1.5}', b'{"/a,{": 2, "/b\\"": 3,\n "/c": "x"}']


@pytest.mark.parametrize(("declared", "contents"), [
    ('INT by exact from "t.csv"', CSV),
    ('STRING by exact from "t.csv" columns (host, shop)', [b"host,shop\na,1\n", b"host,shop\n", b"", b"host,stop\n", b"host,shop,note\na,1\n", b"shop,host\n1,a\n2,b\n3,a\n"]),
    ('STRING by suffix from "t.csv"', [b"a,1\n", b".a,1\n", b",1\n", b"a,1\nb,1\n"]),
    ('STRING by prefix from "t.csv"', [b",1\n", b"a,1\n"]),
    ('STRING by ip from "t.csv"', KEYS),
    *((f'{type} by exact from "t.csv"', VALUES) for type in ("STRING", "INT", "REAL", "DURATION", "BYTES", "BOOL", "IP", "BACKEND")),
    ('INT by exact from "t.json"', JSON),
    ('STRING by exact from "t.json"', JSON),
])
def test_the_checker_refuses_what_the_daemon_refuses(host: Host, tmp_path: Path, declared: str, contents: list[bytes]) -> None:
    image = image_of(tmp_path, declared)
    file = tmp_path / declared.split('"')[1]
    for content in contents:
        file.write_bytes(content)
        assert found(tmp_path) == refused(host, image, file), content


N_FILES = 300      # of each of seven tables
PIECES = [b"/a", b"/b", b"1", b"22", b",", b",", b",", b"\n", b"\n", b"\r\n", b'"', b'""', b"\r", b"\xc3\xa4", b"\xff", b"\0"]
TEXTS = [b"192.0.2.%d" % n for n in range(4)] + [b"192.0.2.0/24", b"192.0.2.0/33", b"2001:db8::/32", b"::1", b"::ffff:1.2.3.4", b"1.2.3", b"1s", b"1.5", b"-2", b"1KB", b"true", b"a.b", b".a", b""]
#: What a table takes, the rows of a good file, and the name of the file.
RANDOM = {
    'INT by exact from "t.csv"': (lambda rng: b"/%d,%d\n" % (rng.randrange(9), rng.randrange(9))),
    'DURATION by ip from "t.csv"': (lambda rng: b"192.0.2.%d,%ds\n" % (rng.randrange(9), rng.randrange(9))),
    'STRING by suffix from "t.csv" columns (host, shop)': (lambda rng: b"a%d,x\n" % rng.randrange(9)),
    'REAL by prefix from "t.csv"': (lambda rng: b"/%d,%d.5\n" % (rng.randrange(9), rng.randrange(9))),
}


@pytest.mark.parametrize("declared", list(RANDOM))
def test_random_files(host: Host, tmp_path: Path, declared: str) -> None:
    image = image_of(tmp_path, declared)
    run = run_stages(Compilation("p", str(tmp_path / "p.vcl"), options=Options(err_unref=False)), CHECK)
    rng = random.Random(1)
    file = tmp_path / "t.csv"
    n_good = 0
    for _ in range(N_FILES):
        rows = [b"host,shop\n"] * ("columns" in declared) + [RANDOM[declared](rng) for _ in range(rng.randrange(3))]
        odd = [rng.choice(PIECES) if rng.random() < 0.8 else rng.choice(TEXTS) for _ in range(rng.randrange(6))]
        values = [b"%s,%s\n" % (rng.choice(TEXTS), rng.choice(TEXTS)) for _ in range(rng.random() < 0.3)]
        content = b"".join(rows + values + odd)
        file.write_bytes(content)
        said = re.sub('\0[^"]*', "", found_in(run))      # the daemon shows a value up to a NUL byte
        n_good += said == ""
        assert said == refused(host, image, file), content
    assert 20 < n_good < N_FILES - 20


JSON_KEYS = [b"/a", b"/b", b"", b"\\u0041", b"\\u0000", b"\\ud800", b"\\ud83d\\ude00", b"\xc3\xa4", b"\xff", b"\n", b"\\/", b"\\x"]
JSON_ODD = [b"-0", b"01", b"1e3", b"1.50", b"1e400", b"1e-9", b"999999999999999", b"1000000000000000", b"12345678901234567890", b"-1.0", b"1e2", b"0.1", b"123456789012345678.5", b"true", b"null",
            b"[1]", b'{"/c": 2}', b'{"/c": 2, "/c": 3}', b"NaN", b"Infinity", *(b'"%s"' % key for key in JSON_KEYS)]
JSON_PIECES = [b'"/a"', b'"/b": "x"', b":", b",", b"1", b"\n", b"}", b"{", b"\xef\xbb\xbf"]


@pytest.mark.parametrize("type", ["INT", "STRING", "REAL"])
def test_random_json(host: Host, tmp_path: Path, type: str) -> None:
    """The words about malformed JSON are those of two libraries, of which the daemon's also finds keys that occur twice, behind the second one. What
    is refused, and words about rows, are the same."""
    image = image_of(tmp_path, f'{type} by exact from "t.json"')
    run = run_stages(Compilation("p", str(tmp_path / "p.vcl"), options=Options(err_unref=False)), CHECK)
    rng = random.Random(1)
    file = tmp_path / "t.json"
    n_good = 0
    for _ in range(N_FILES):
        members = []
        for number in range(rng.randrange(4)):
            key = rng.choice(JSON_KEYS) if rng.random() < 0.2 else b"/%d" % number
            value = rng.choice(JSON_ODD) if rng.random() < 0.3 else rng.choice([b"1", b'"2"', b'"x"', b"1.5", b"7"])
            members.append(b'"%s": %s' % (key, value))
        inside = b", ".join(members) + b"".join(rng.choice(JSON_PIECES) for _ in range(rng.choice([0, 0, 0, 0, 1, 2])))
        content = b"{" + inside + b"}"
        file.write_bytes(content)
        said, wanted = found_in(run), refused(host, image, file)
        n_good += said == ""
        assert (said == "") == (wanted == ""), (content, said, wanted)
        if "JSON" not in wanted and "twice" not in wanted:
            assert said == wanted, content
    assert 20 < n_good < N_FILES - 20


def test_wrong_json_has_its_place(tmp_path: Path) -> None:
    (tmp_path / "p.vcl").write_text(policy('INT by exact from "t.json"'))
    for content, place in ((b'{"/a": 1,\n "/b" 2}', "2:7: JSON: "), (b'{"/a": NaN}', "1:1: JSON: "), (b'{"\xff": 1}', "1:1: JSON: "),
                           (b'{"/a": 1,\n "/a": 2}', "2:2: the key occurs twice")):
        (tmp_path / "t.json").write_bytes(content)
        assert found(tmp_path).startswith(place), content


def test_half_of_a_surrogate_pair_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "p.vcl").write_text(policy('STRING by exact from "t.json"'))
    for content in (b'{"/a": "x", "\\ud800": "y"}', b'{"/a": "x", "/b": "\\udc00"}'):
        (tmp_path / "t.json").write_bytes(content)
        assert found(tmp_path) == "1:13: JSON: half of a surrogate pair"


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(ROOT / "build/bin/vernis"), *words], cwd=folder, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("words", [("check", "p.vcl"), ("lint", "p.vcl"), ("build", "p.vcl", "-o", "p.so")])
def test_each_command_looks_into_files(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "p.vcl").write_text(policy('INT by exact from "t.csv"'))
    done = command(tmp_path, *words)
    assert done.returncode == 1 and not (tmp_path / "p.so").exists()
    assert "p.vcl:3:1: error[V768]: cannot read the rows of t from t.csv: No such file or directory" in done.stdout + done.stderr
    (tmp_path / "t.csv").write_text("/a,5\n/b,five\n")
    done = command(tmp_path, *words)
    assert done.returncode == 1 and 't.csv:2:4: error[V768]: table t: value "five" is not an INT' in done.stdout + done.stderr
    (tmp_path / "t.csv").write_text("/a,5\n")
    assert command(tmp_path, *words).returncode == 0


@pytest.mark.parametrize("name", ["check", "lint"])
def test_formats_name_the_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "p.vcl").write_text(policy('INT by exact from "t.csv"'))
    (tmp_path / "t.csv").write_text("/a,5\n/b,five\n")
    [one] = json.loads(command(tmp_path, name, "--format", "json", "p.vcl").stdout)["findings"]
    assert (one["file"], one["line"], one["column"], one["end_column"], one["code"]) == ("t.csv", 2, 4, 8, "V768")
    assert one["included_from"][0]["line"] == 3


def test_a_file_is_beside_the_policy_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "p.vcl").write_text(policy('INT by exact from "t.csv"'))
    (tmp_path / "site" / "t.csv").write_text("/a,5\n")
    assert command(tmp_path, "check", "site/p.vcl").returncode == 0
    (tmp_path / "site" / "t.csv").unlink()
    (tmp_path / "site" / "t.csv").mkdir()
    assert "cannot read the rows of t from site/t.csv: Is a directory" in command(tmp_path, "check", "site/p.vcl").stdout
