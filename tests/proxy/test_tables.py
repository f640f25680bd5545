"""Tables of a policy in a daemon: commands that list, show, compare and replace them, and transactions while
they are replaced."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Client
from proxy.serve import serving
from support.folders import open_to_everybody
from vernis.ir import ir
from vernis.ir.builder import FunctionBuilder, fill_hooks
from vernis.ir.externs import internal, return_arguments
from vernis.ir.ir import Action, Type
from vernis.ir.passes import run_passes
from vernis.native import Options, compile_module

BOOT = 'vcl 4.1; backend default none; sub vcl_recv { return (synth(200)); }'


def build(image: Path, table: ir.TableDecl, keys: Sequence[bytes] = ()) -> None:
    """A policy that answers with a status 200 and, as the reason, the row of the URL and of each of ``keys``,
    one look-up after the other."""
    b = FunctionBuilder("vcl_recv")
    url = b.call(ir.Extern("get_req_url", (), Type.STRING))
    texts = []
    for key in (url, *map(b.text, keys)):
        row = b.call(internal("table_find"), b.const(Type.INT, 0), key)
        texts += [b.call(internal("table_text"), b.const(Type.INT, 0), row), b.text(b";")]
    synth = return_arguments("synth")
    assert synth is not None
    b.call(synth, b.const(Type.INT, 200), b.concat(*texts))
    b.ret(Action["SYNTH"])
    module = ir.Module("tables", sources=[ir.Source("tables.vcl", b"")], sites=[ir.Site(0, 1, 1)], tables=[table])
    module.functions["vcl_recv"] = b.function
    for hook, action in (("vcl_hash", "LOOKUP"), ("vcl_synth", "DELIVER")):
        other = FunctionBuilder(hook)
        other.ret(Action[action])
        module.functions[hook] = other.function
    fill_hooks(module)
    compile_module(run_passes(module), image, Options(verify=True))
    image.chmod(0o755)


@pytest.fixture
def d() -> Iterator[Daemon]:
    with serving(BOOT) as daemon:
        yield daemon


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    open_to_everybody(tmp_path)
    return tmp_path


def load(d: Daemon, folder: Path, rows: str, kind: str = "exact", name: str = "p", keys: Sequence[bytes] = ()) -> Path:
    """A policy with table ``moved`` over a file, which becomes the active one. Returns the file."""
    file, image = folder / f"{name}.csv", folder / f"{name}.so"
    file.write_text(rows)
    build(image, ir.TableDecl("moved", kind, Type.STRING, file=str(file)), keys)
    d.ok(f"vernis.load_image {name} {image}")
    d.use(name)
    return file


def reason(d: Daemon, url: str) -> str:
    with Client(d.port) as c:
        return c.request(url).reason


def test_a_policy_reads_the_rows_of_its_file(d: Daemon, folder: Path) -> None:
    load(d, folder, "/old,/new\n/a,/b\n")
    assert reason(d, "/old") == "/new;"
    assert reason(d, "/a") == "/b;"
    assert reason(d, "/c") == ";"


def test_a_bad_file_names_its_line(d: Daemon, folder: Path) -> None:
    file, image = folder / "p.csv", folder / "p.so"
    file.write_text("/old,/new\n/a\n")
    build(image, ir.TableDecl("moved", "exact", Type.STRING, file=str(file)))
    status, text = d.cli(f"vernis.load_image p {image}")
    assert status == 106 or status == 300
    assert f'table "moved": {file}:2:1: the line has 1 column instead of 2' in text


def test_replace_reports_what_changed(d: Daemon, folder: Path) -> None:
    file = load(d, folder, "/old,/new\n/a,/b\n/same,/x\n")
    file.write_text("/old,/newer\n/same,/x\n/c,/d\n/e,/f\n")
    assert reason(d, "/old") == "/new;"
    text = d.ok(f"table.replace moved {file}")
    assert text.startswith("moved: 4 rows, 2 added, 1 removed, 1 changed, live on ") and text.endswith(" s\n")
    assert [reason(d, url) for url in ("/old", "/a", "/c")] == ["/newer;", ";", "/d;"]
    told = json.loads(d.ok(f"table.replace -j p.moved {file}"))[3]
    assert (told["table"], told["rows"], told["added"], told["removed"], told["changed"]) == ("moved", 4, 0, 0, 0)
    assert told["loops"] >= 1


def test_a_replacement_that_does_not_fit_changes_nothing(d: Daemon, folder: Path) -> None:
    load(d, folder, "/old,/new\n")
    other = folder / "other.json"
    for content, error in (("{", "1:1: JSON: "), ('{"/old": 1}', "1:2: the value is a number, not a text"),
                           ('{"/a": "1",\n"/a": "2"}', "2:4: the key occurs twice")):
        other.write_text(content)
        status, text = d.cli(f"table.replace moved {other}")
        assert status == 300
        assert text.startswith(f"{other}:{error}") and text.endswith("; the table stays as it is\n")
        assert reason(d, "/old") == "/new;"
    assert d.cli(f"table.replace moved {folder}/missing.csv")[0] == 106
    assert "has no table shop" in d.cli(f"table.replace shop {other}")[1]
    assert "no policy named q" in d.cli(f"table.replace q.moved {other}")[1]
    other.write_text('{"/old": "/json"}')
    d.ok(f"table.replace moved {other}")
    assert reason(d, "/old") == "/json;"


def test_rows_of_a_policy_cannot_be_replaced(d: Daemon, folder: Path) -> None:
    image, file = folder / "p.so", folder / "rows.csv"
    file.write_text("/a,1\n")
    build(image, ir.TableDecl("moved", "exact", Type.STRING, ((b"/old", b"/new"),)))
    d.ok(f"vernis.load_image p {image}")
    d.use("p")
    assert reason(d, "/old") == "/new;"
    assert d.cli(f"table.replace moved {file}") == (300, "The rows of table moved are in the policy, not in a file\n")


def test_diff_shows_the_rows_and_changes_nothing(d: Daemon, folder: Path) -> None:
    file = load(d, folder, "/old,/new\n/a,/b\n")
    file.write_text("/old,/newer\n/c,/d\n")
    assert d.ok(f"table.diff moved {file}") == ("2 rows, 1 added, 1 removed, 1 changed\n~ /old  /new -> /newer\n+ /c  /d\n- /a  /b\n")
    told = json.loads(d.ok(f"table.diff -j moved {file}"))[3]
    assert told["differences"] == [{"key": "/old", "old": "/new", "new": "/newer"}, {"key": "/c", "new": "/d"}, {"key": "/a", "old": "/b"}]
    assert reason(d, "/old") == "/new;"
    file.write_text("".join(f"/{i},{i}\n" for i in range(1000)))
    assert d.ok(f"table.diff moved {file}").endswith("\nand 952 more differences\n")


def test_diff_finds_rows_in_another_order(d: Daemon, folder: Path) -> None:
    file = load(d, folder, "/a,1\n/b,2\n/c,3\n/d,4\n/e,5\n")
    file.write_text("/e,5\n/a,1\n/x,9\n/c,3\n/d,0\n")
    assert d.ok(f"table.diff moved {file}") == "5 rows, 1 added, 1 removed, 1 changed\n+ /x  9\n~ /d  4 -> 0\n- /b  2\n"


def test_list_and_show(d: Daemon, folder: Path) -> None:
    file = load(d, folder, "example.com,1\nshop.example.com,2\n", "suffix")
    listed = json.loads(d.ok("table.list -j"))[3]
    assert [(row["policy"], row["table"], row["kind"], row["type"], row["rows"], row["file"]) for row in listed] == [
        ("p", "moved", "suffix", "STRING", 2, str(file))]
    assert "p.moved" in d.ok("table.list") and str(file) in d.ok("table.list")
    assert d.ok("table.show moved") == "example.com\t1\nshop.example.com\t2\n"
    assert d.ok("table.show moved eu.shop.example.com") == "shop.example.com\t2\n"
    assert json.loads(d.ok("table.show -j moved a.example.com"))[3] == {"key": "example.com", "value": "1"}
    assert d.cli("table.show moved example.org") == (106, "No row of moved is for example.org\n")
    assert json.loads(d.ok("table.show -j moved example.org"))[3] is None


def test_the_next_worker_gets_the_same_rows(start_daemon: Callable[..., Daemon], folder: Path) -> None:
    d = start_daemon(BOOT)
    file = load(d, folder, "/old,1\n")
    other = folder / "other.csv"
    load(d, folder, "/old,first\n", name="q")
    other.write_text("/old,2\n")
    d.ok(f"table.replace p.moved {other}")
    other.unlink()
    file.write_text("no table\n")           # the worker of policy p has read other rows
    (folder / "q.csv").write_text("no table either\n")
    before = d.worker_pid
    d.cli("debug.panic.worker")
    wait_until(lambda: d.state == "running" and d.worker_pid != before, "another worker runs")
    wait_until(lambda: reason(d, "/old") == "first;", "policy q has the rows that it was loaded with")
    d.use("p")
    assert reason(d, "/old") == "2;"
    assert str(other) in d.ok("table.list")


def test_a_watched_file_replaces_the_rows(d: Daemon, folder: Path) -> None:
    file = load(d, folder, "/old,1\n")
    d.ok("param.set table_watch on")
    file.write_text("/old,22\n")
    wait_until(lambda: reason(d, "/old") == "22;", "the rows are those of the changed file")
    (folder / "wrong.csv").write_text("no table\n")
    (folder / "wrong.csv").rename(file)             # in one step: an empty file would be a table
    wait_until(lambda: f"table_watch: {file}:1:1: the line has 1 column instead of 2; the table stays as it is" in d.logs,
               "the refusal is logged")
    assert reason(d, "/old") == "22;"
    (folder / "new.csv").write_text("/old,333\n")
    (folder / "new.csv").rename(file)
    wait_until(lambda: reason(d, "/old") == "333;", "a file that was renamed into its place is read")


def test_a_file_is_not_watched_by_default(d: Daemon, folder: Path) -> None:
    file = load(d, folder, "/old,1\n")
    file.write_text("/old,22\n")
    time.sleep(2.5)     # a watch would have seen it
    assert reason(d, "/old") == "1;"


def test_the_commands_of_vernis(d: Daemon, folder: Path) -> None:
    file = load(d, folder, "/old,/new\n")
    file.write_text("/old,/newer\n")

    def vernis(*words: str) -> str:
        command = [ROOT / "build/bin/vernis", "table", *words, "-n", d.workdir]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    assert "p.moved" in vernis("list")
    assert vernis("diff", "moved", str(file)) == "1 row, 0 added, 0 removed, 1 changed\n~ /old  /new -> /newer\n"
    assert json.loads(vernis("show", "moved", "/old", "--json")) == {"key": "/old", "value": "/new"}
    assert vernis("replace", "moved", str(file)).startswith("moved: 1 row, 0 added, 0 removed, 1 changed, live on ")
    assert vernis("show", "moved") == "/old\t/newer\n"


THREADS, REPLACEMENTS = 4, 40


def test_requests_see_one_state_of_a_table_while_it_is_replaced(folder: Path) -> None:
    """Each version of the file has the same value in every row, and a request looks up several rows."""
    keys = [b"/k%d" % i for i in range(1, 8)]

    def rows(version: int) -> str:
        return "".join(f"/k{i},v{version}\n" for i in range(2000))

    with serving(BOOT, sanitized=True) as d:
        file = load(d, folder, rows(0), keys=keys)
        seen: list[str] = []
        stop = threading.Event()

        def ask() -> None:
            with Client(d.port) as c:
                while not stop.is_set():
                    response = c.request("/k0")
                    seen.append(response.reason if response.status == 200 else f"status {response.status}")

        threads = [threading.Thread(target=ask) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for version in range(1, REPLACEMENTS + 1):
            file.write_text(rows(version))
            before = len(seen)
            d.ok(f"table.replace moved {file}")
            assert reason(d, "/k0").startswith(f"v{version};")      # live when the command has answered
            wait_until(lambda before=before: len(seen) > before, "requests go on")  # type: ignore[misc]
        stop.set()
        for thread in threads:
            thread.join()
    wrong = [text for text in seen if len(set(text.rstrip(";").split(";"))) != 1 or not text.startswith("v")]
    assert wrong == []
    assert len(set(seen)) > 2


# ---- in the language ---------------------------------------------------------------------------------------

LANGUAGE = """vcl 5.0;
backend eu { .host = "127.0.0.1"; .port = "81"; }
backend us { .host = "127.0.0.1"; .port = "82"; }
table moved : STRING by exact ["/old" => "/new", "/empty" => ""];
table shop : INT by prefix ["/shop/" => 1, "/shop/eu/" => 2, default => 0];
table tenant : STRING by suffix from "tenants.csv";
table limit : INT by exact from "limits.json";
table near : BACKEND by exact ["de" => eu, default => us];
table net : STRING by ip ["127.0.0.0"/8 => "local", "127.0.0.1" => "this", "2001:db8::"/32 => "six"];
table size : BYTES by exact ["a" => 1KB];
table wait : DURATION by exact ["a" => 90s];
table flag : BOOL by exact ["a" => true];
table share : REAL by exact ["a" => 0.5];

sub vcl_recv {
    if (let to = moved[req.url]) { return (synth(301, to)); }
    set req.http.Shop = shop[req.url];
    set req.http.Tenant = tenant[req.http.Host] ?? "none";
    set req.http.Limit = limit[req.http.Tenant] ?? 7;
    set req.backend_hint = near[req.http.X-Country];
    set req.http.Net = net[client.ip] ?? "far";
    set req.http.Big = size[req.http.Key] ?? 0B > 1000B;
    set req.http.Long = wait[req.http.Key] ?? 0s > 1m;
    set req.http.On = flag[req.http.Key] ?? false;
    set req.http.Half = share[req.http.Key] ?? 1.0 < 0.75;
    return (synth(200, req.http.Shop + " " + req.http.Tenant + " " + req.http.Limit + " " + req.backend_hint + " " + req.http.Net
        + " " + req.http.Big + req.http.Long + req.http.On + req.http.Half));
}
"""


def test_tables_of_the_language(d: Daemon, folder: Path) -> None:
    (folder / "tenants.csv").write_text("a.example,one\nshop.a.example,two\n")
    (folder / "limits.json").write_text('{"one": 10, "two": 20}')
    (folder / "p.vcl").write_text(LANGUAGE)
    d.ok(f"vcl.load p {folder}/p.vcl")
    d.use("p")

    def ask(url: str, **fields: str) -> str:
        with Client(d.port) as c:
            response = c.request(url, headers={"Host": "b.example", **fields})
            return f"{response.status} {response.reason}"

    assert ask("/old") == "301 /new"
    assert ask("/") == "200 0 none 7 us this falsefalsefalsefalse"
    assert ask("/shop/us", Host="www.a.example") == "200 1 one 10 us this falsefalsefalsefalse"
    assert ask("/shop/eu/1", Host="eu.shop.a.example", Key="a", **{"X-Country": "de"}) == "200 2 two 20 eu this truetruetruetrue"
    (folder / "limits.json").write_text('{"one": 11}')
    d.ok(f"table.replace limit {folder}/limits.json")
    assert ask("/", Host="a.example").startswith("200 0 one 11 ")
    assert ask("/", Host="shop.a.example").startswith("200 0 two 7 ")
    status, text = d.cli(f"table.replace limit {folder}/tenants.csv")
    assert (status, text) == (300, f'{folder}/tenants.csv:1:11: value "one" is not an INT: up to 15 digits; the table stays as it is\n')
