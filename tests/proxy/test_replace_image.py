"""The code of a loaded policy is replaced under traffic by the same policy compiled at another level, and its
state stays."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving
from support.folders import open_to_everybody

BOOT = 'vcl 4.1; backend default none; sub vcl_recv { return (synth(200)); }'


def policy(one: int, two: int) -> str:
    return f"""vcl 4.1;
    import directors;
    probe often {{ .url = "/probe"; .interval = 0.1s; .timeout = 20s; .window = 8; .threshold = 3; .initial = 0; }}
    backend one {{ .host = "127.0.0.1"; .port = "{one}"; .probe = often; }}
    backend two {{ .host = "127.0.0.1"; .port = "{two}"; .probe = often; }}
    sub vcl_init {{ new both = directors.round_robin(); both.add_backend(one); both.add_backend(two); }}
    sub vcl_recv {{ set req.backend_hint = both.backend(); if (req.url != "/cached") {{ return (pass); }} return (hash); }}
    sub vcl_deliver {{ set resp.http.X-Hits = obj.hits; }}"""


def build(directory: Path, text: str) -> list[Path]:
    (directory / "p.vcl").write_text(text)
    images = []
    for level in ("-O0", "-O2"):
        image = directory / f"p{level}.so"
        subprocess.run([ROOT / "build/bin/vernis", "build", level, "--name", "p", "-o", image, directory / "p.vcl"], check=True)
        images.append(image)
    assert images[0].read_bytes() != images[1].read_bytes()
    return images


def health(d: Daemon) -> dict[str, list[object]]:
    """Probe results by backend: [good, window, state]."""
    listed = json.loads(d.ok("backend.list -j p.*"))[3]
    return {name.split(".", 1)[1]: row["probe_message"] for name, row in listed.items() if row["type"] == "backend"}


def replace(d: Daemon, directory: Path, image: Path, turn: int) -> None:
    """Uses a new file name: the loader identifies a file by its inode."""
    copy = directory / f"turn{turn}.so"
    shutil.copyfile(image, copy)
    copy.chmod(0o755)
    d.ok(f"vernis.replace_image p {copy}")


def test_state_survives_new_code(tmp_path: Path) -> None:
    open_to_everybody(tmp_path)
    names = {}

    def answer(r: Request) -> Reply:
        return Reply(body=b"ok", headers={"Cache-Control": "max-age=3600"}, close=r.url == "/probe")

    with Origin(answer) as one, Origin(answer) as two, serving(BOOT, sanitized=True) as d:
        names = {one.port: "one", two.port: "two"}
        images = build(tmp_path, policy(one.port, two.port))
        d.ok(f"vernis.load_image p {images[0]}")
        d.use("p")
        wait_until(lambda: all(row[0] >= 8 for row in health(d).values()), "both backends have a full window of good probes")
        with Client(d.port) as c:
            c.request("/cached")
            order = []
            for turn in range(8):
                before = (len(one.seen("/x")), len(two.seen("/x")))
                assert c.request("/x").status == 200
                order.append("one" if len(one.seen("/x")) > before[0] else "two")
                replace(d, tmp_path, images[(turn + 1) % 2], turn)
                assert all(row[0] >= 7 for row in health(d).values()), "the probe history was lost"
            # round robin keeps its position across the swaps
            assert order in (["one", "two"] * 4, ["two", "one"] * 4), order
            assert int(c.request("/cached").get("X-Hits")) == 1         # stored responses stay, too
        assert names


def test_swaps_under_load_lose_nothing(tmp_path: Path) -> None:
    if shutil.which("wrk") is None:
        pytest.skip("wrk is not installed")
    open_to_everybody(tmp_path)

    def answer(r: Request) -> Reply:
        return Reply(body=b"ok", headers={"Cache-Control": "max-age=3600"}, close=r.url == "/probe")

    with Origin(answer) as one, Origin(answer) as two, serving(BOOT, sanitized=False) as d:
        images = build(tmp_path, policy(one.port, two.port))
        d.ok(f"vernis.load_image p {images[0]}")
        d.use("p")
        wait_until(lambda: all(row[0] >= 3 for row in health(d).values()), "both backends are healthy")
        command = ["wrk", "-t1", "-d300s", "--timeout", "60s"]
        loads = [subprocess.Popen([*command, f"-c{clients}", f"http://127.0.0.1:{d.port}{url}"], stdout=subprocess.PIPE, text=True)
                 for clients, url in ((50, "/cached"), (10, "/pass"))]
        end = time.monotonic() + 5
        turn = 0
        while turn <= 20 or time.monotonic() < end:
            turn += 1
            replace(d, tmp_path, images[turn % 2], turn)
        for wrk in loads:
            wrk.send_signal(signal.SIGINT)
        for said in [wrk.communicate(timeout=20)[0] for wrk in loads]:
            assert "Socket errors" not in said and "Non-2xx" not in said, said
            assert int(re.search(r"(\d+) requests in", said)[1]) > 100
        # Both backends were used evenly, although the code that calls the director changed all the time.
        served = (len(one.seen("/pass")), len(two.seen("/pass")))
        assert abs(served[0] - served[1]) <= 12, served

        def mapped() -> set[str]:
            return {line.split()[-1] for line in Path(f"/proc/{d.worker_pid}/maps").read_text().splitlines() if "turn" in line}
        wait_until(lambda: len(mapped()) <= 2, "old images are unmapped")
