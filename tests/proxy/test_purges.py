"""Purges that hold: of everything, with their positions, under many purges of other keys, and when they cannot be
recorded."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Origin, Reply, Request, fetch
from proxy.purge_receipts import load
from proxy.serve import serving

POLICY = """vcl 4.1;
import purge; import std; import xkey;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}
sub vcl_recv {{
    if (req.method == "PURGE") {{ return (purge); }}
    if (req.method == "XPURGE") {{ return (synth(200, xkey.purge("tag"))); }}
    if (req.method == "XSOFT") {{ return (synth(200, xkey.softpurge("tag"))); }}
    if (req.method == "STDBAN") {{
        if (std.ban("obj.http.kind == page")) {{ return (synth(200)); }}
        return (synth(500, std.ban_error()));
    }}
    if (req.method == "BAN") {{ ban("obj.http.kind == page"); return (synth(200)); }}
    if (req.method == "HARD" || req.method == "SOFT") {{ return (hash); }}
}}
sub vcl_purge {{ return (synth(299, "Purged")); }}
sub by_vmod {{
    if (req.method == "HARD") {{ purge.hard(); return (synth(200)); }}
    if (req.method == "SOFT") {{ purge.soft(0s); return (synth(200)); }}
}}
sub vcl_hit {{ call by_vmod; }}
sub vcl_miss {{ call by_vmod; }}
sub vcl_backend_response {{ set beresp.grace = 100s; }}
"""


class Numbered:
    """Responses "1", "2", ...; those of /slow wait for the gate."""

    def __init__(self) -> None:
        self.n = 0
        self.lock = threading.Lock()
        self.gate = threading.Event()

    def __call__(self, request: Request) -> Reply:
        with self.lock:
            self.n += 1
            number = self.n
        if request.url.startswith("/slow"):
            assert self.gate.wait(60)
        headers = {"Cache-Control": "max-age=100", "xkey": "tag", "kind": "page"}
        return Reply(body=f"{number}".encode(), headers=headers)


Site = tuple[Daemon, Origin, Numbered]


@pytest.fixture
def site() -> Iterator[Site]:
    answers = Numbered()
    with Origin(answers) as origin, serving(POLICY.format(port=origin.port)) as d:
        try:
            yield d, origin, answers
        finally:
            answers.gate.set()


@pytest.fixture
def restarted(tmp_path: Path) -> Iterator[Site]:
    """A daemon whose worker a test may stop and start."""
    answers = Numbered()
    with Origin(answers) as origin, Daemon(tmp_path, POLICY.format(port=origin.port)) as d:
        yield d, origin, answers


def get(d: Daemon, url: str = "/", method: str = "GET") -> bytes:
    return fetch(d.port, url, method=method).body


def vernis(d: Daemon, *words: str, code: int = 0) -> str:
    done = subprocess.run(
        ["build/bin/vernis", words[0], "-n", str(d.workdir), *words[1:]],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def told(d: Daemon, *words: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(vernis(d, *words, "--json"))
    return answer


def position(answer: dict[str, Any]) -> tuple[int, int]:
    return answer["position"]["epoch"], answer["position"]["sequence"]


def counter(d: Daemon, name: str) -> int:
    return int(dict(line.split() for line in d.ok("vernis.counters").splitlines())[name])


# ---- everything --------------------------------------------------------------------------------------------


def test_a_purge_of_everything(site: Site) -> None:
    d, _, _ = site
    assert [get(d, f"/{n}") for n in range(3)] == [b"1", b"2", b"3"]
    assert vernis(d, "purge", "--all") == "3 stored responses removed\n"
    assert [get(d, f"/{n}") for n in range(3)] == [b"4", b"5", b"6"]
    assert [get(d, f"/{n}") for n in range(3)] == [b"4", b"5", b"6"]
    wait_until(lambda: counter(d, "MAIN.n_object") == 3, "the removed objects are freed")
    assert [get(d, f"/{n}") for n in range(3)] == [b"4", b"5", b"6"]
    assert d.ok("vernis.purge_all") == "3 stored responses removed"
    assert get(d, "/0") == b"7"


def test_a_soft_purge_of_everything_serves_in_grace(site: Site) -> None:
    d, origin, _ = site
    assert get(d) == b"1"
    answer = told(d, "purge", "--all", "--soft")
    assert (answer["purged"], answer["soft"]) == (1, True)
    assert get(d) == b"1"
    wait_until(lambda: origin.count("/") == 2, "a background fetch has begun")
    wait_until(lambda: get(d) == b"2", "the new response is served")


def test_a_response_being_fetched_is_not_served_after_a_purge_of_everything(site: Site) -> None:
    d, origin, answers = site
    first: list[bytes] = []
    thread = threading.Thread(target=lambda: first.append(get(d, "/slow")))
    thread.start()
    wait_until(lambda: origin.count("/slow") == 1, "the origin was asked")
    vernis(d, "purge", "--all")
    later = threading.Thread(target=lambda: first.append(get(d, "/slow")))
    later.start()
    wait_until(lambda: origin.count("/slow") == 2, "a later request does not wait for the old response")
    answers.gate.set()
    thread.join(20)
    later.join(20)
    assert sorted(first) == [b"1", b"2"]
    assert get(d, "/slow") == b"2"


@pytest.mark.parametrize("words", [["http://h/"], ["--key", "k"], ["-X", "HEAD"], ["-H", "Host: h"]])
def test_a_purge_of_everything_takes_nothing_else(site: Site, words: list[str]) -> None:
    assert "takes no request and no key" in vernis(site[0], "purge", "--all", *words, code=2)


def test_the_reason_of_a_miss_after_a_purge_of_everything(site: Site) -> None:
    d, _, _ = site
    get(d)
    vernis(d, "purge", "--all")
    shown = vernis(d, "explain-key", f"http://127.0.0.1:{d.port}/")
    assert "purged: no look-up finds it" in shown or "stored    nothing" in shown


# ---- positions ---------------------------------------------------------------------------------------------


def test_positions_grow_in_the_answers_of_each_kind(site: Site) -> None:
    d, _, _ = site
    get(d)
    answers = [
        told(d, "purge", f"http://127.0.0.1:{d.port}/"),
        told(d, "purge", f"http://127.0.0.1:{d.port}/", "--soft"),
        told(d, "purge", "--key", "tag"),
        told(d, "ban", "obj.status == 200"),
        told(d, "purge", "--all"),
    ]
    positions = [position(answer) for answer in answers]
    assert positions == sorted(set(positions))
    assert {epoch for epoch, _ in positions} == {1}
    assert "position" not in told(d, "ban", "--dry-run", "obj.status == 200")


def test_each_start_of_a_worker_has_an_epoch_of_its_own(restarted: Site) -> None:
    d, _, _ = restarted
    before = position(told(d, "purge", "--all"))
    d.ok("stop")
    d.ok("start")
    after = position(told(d, "purge", "--all"))
    assert (before[0], after[0]) == (1, 2)
    assert (d.workdir / "_.epoch").read_text() == "00000002\n"


def test_an_epoch_file_that_is_damaged_is_named_and_replaced(restarted: Site) -> None:
    d, _, _ = restarted
    path = d.workdir / "_.epoch"
    for text in ("", "7", "0000000x\n", "00000000\n", "99999999\n", "000000012\n"):
        path.write_text(text)
        last = position(told(d, "purge", "--all"))[0]
        d.ok("stop")
        d.ok("start")
        assert position(told(d, "purge", "--all"))[0] == last + 1
        assert path.read_text() == f"{last + 1:08}\n"
    assert d.heard.count("_.epoch is damaged") == 5    # an empty file is a new one


def test_a_worker_without_an_epoch_file_serves_and_the_log_says_so(restarted: Site) -> None:
    d, _, _ = restarted
    path = d.workdir / "_.epoch"
    d.ok("stop")
    path.unlink()
    path.mkdir()
    d.ok("start")
    assert get(d) == b"1"
    assert position(told(d, "purge", "--all"))[0] == 2
    assert "Cannot open" in d.heard and "_.epoch" in d.heard


# ---- purges of other keys ----------------------------------------------------------------------------------


def test_purges_of_other_keys_keep_no_response_out(site: Site) -> None:
    d, origin, answers = site
    got: list[bytes] = []
    threads = [threading.Thread(target=lambda n=n: got.append(get(d, f"/slow/{n}"))) for n in range(8)]
    for thread in threads:
        thread.start()
    wait_until(lambda: sum(origin.count(f"/slow/{n}") for n in range(8)) == 8, "the origin was asked for each")
    for batch in range(700):
        d.ok("vernis.purge_key " + " ".join(f"other-{batch}-{n}" for n in range(100)))
    assert 70000 * 36 < memory_of_purges(d) < 70000 * 40
    answers.gate.set()
    for thread in threads:
        thread.join(20)
    assert sorted(get(d, f"/slow/{n}") for n in range(8)) == sorted(got)
    wait_until(lambda: memory_of_purges(d) == 0, "no fetch needs them any more")


def memory_of_purges(d: Daemon) -> int:
    line = vernis(d, "stat", "-1", "-I", "MEMORY.s0.g_purges")
    return int(line.split()[1])


def test_no_answer_after_a_receipt_is_older_with_many_loops() -> None:
    """Each loop keeps the keys near, and four clients remove them in all ways at once."""
    done = load(3000, loops=16)
    assert done.answers >= 3000
    assert done.older == []
