"""The command of the founding benchmarks runs, and says where Vernis is behind."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from proxy.daemon import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))
import founding_load as load
import founding_report as report
import founding_tables as tables

SERVERS = ["vernis", "nginx"]
NEEDED = ("nginx", "gcc")


def sample(server: str, cpu_us: float, speed: float, share: float = 0.5, failures: int = 0) -> load.Sample:
    figures = load.Figures(100, failures, speed, 1.0, 1.0, 1.0, 1.0)
    return load.Sample("A", "cell", server, 0, figures, 1.0, cpu_us, cpu_us, 1, share)


def missed(*samples: load.Sample) -> list[str]:
    return report.missed(tables.table_a(), report.rows_of(list(samples), "cell", SERVERS))


def test_a_cell_is_lost_by_cpu_or_by_requests() -> None:
    assert missed(sample("vernis", 9, 11), sample("nginx", 10, 10)) == []
    assert missed(sample("vernis", 11, 11), sample("nginx", 10, 10)) == ["A, cell: behind nginx in CPU"]
    assert missed(sample("vernis", 9, 9), sample("nginx", 10, 10)) == ["A, cell: behind nginx in requests/s"]


def test_requests_do_not_count_where_the_generator_is_the_limit() -> None:
    assert missed(sample("vernis", 9, 9, share=0.95), sample("nginx", 10, 10)) == []


def test_a_failed_request_is_not_allowed() -> None:
    lines = missed(sample("vernis", 9, 11, failures=1), sample("nginx", 10, 10))
    assert lines == ["A, cell: 1 failed requests"]


def test_a_peer_that_completed_no_request_has_no_ratio() -> None:
    rows = report.rows_of([sample("vernis", 9, 11), sample("nginx", 10, 0, failures=100)], "cell", SERVERS)
    assert [row.cpu_ratio for row in rows] == [None, None]
    assert rows[1].failures == 100 and report.missed(tables.table_a(), rows) == []


def test_the_tables_have_the_cells_of_the_originals() -> None:
    cells = {letter: [len(make().cells) for make in makers] for letter, makers in tables.TABLES.items()}
    assert cells == {"A": [42], "B": [6], "C": [2], "D": [101], "E": [8, 4]}


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/page" else 404)
        self.send_header("Content-Length", "4")
        self.end_headers()
        self.wfile.write(b"page")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.mark.skipif(shutil.which("ab") is None, reason="needs ab")
def test_the_report_of_ab_is_read() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        good, bad = (load.ab(server.server_port, target, 2, 20) for target in ("/page", "/none"))
        server.shutdown()
    assert (good.requests, good.failures) == (20, 0), good.said
    assert bad.failures == 20
    assert good.requests_per_s > 0 and 0 < good.mean_us and 0 < good.p99_us


@pytest.mark.skipif(not all(map(shutil.which, NEEDED)), reason=f"needs {', '.join(NEEDED)}")
def test_a_quick_run_has_no_failure(tmp_path: Path) -> None:
    command = [sys.executable, ROOT / "benchmarks/founding.py", "--quick", "--tables", "B", "--out", tmp_path]
    command += ["--servers", ",".join(SERVERS), "--share", "0.005"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads((tmp_path / "founding.json").read_text())["B"]["rows"]
    assert [row["server"] for row in rows] == SERVERS
    assert all(row["failures"] == 0 and row["figures"]["requests_per_s"] > 0 for row in rows), rows
