"""The Prometheus exporter for Varnish of Debian: on our daemon it shows all metrics that it shows on Varnish."""

from __future__ import annotations

import re
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from proxy.daemon import Daemon, wait_until
from proxy.origin import Client, Origin, Reply
from support.ports import free_port
from support.stock import needs_before

Start = Callable[..., Daemon]

EXPORTER = "prometheus-varnish-exporter"
POLICY = 'vcl 4.1; backend origin {{ .host = "127.0.0.1"; .port = "{port}"; }}'
OURS = re.compile(r"varnish_main_(vernis|memory|xkey|h2|tls)_|varnish_backend_(ejected|healthy)$|varnish_mgt_syscall_deaths$")

VARNISHD_START_S = 120.0  # it compiles the policy with gcc

pytestmark = pytest.mark.skipif(shutil.which(EXPORTER) is None, reason=f"needs Debian's {EXPORTER}")


def answer_at(url: str) -> str | None:
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return str(response.read().decode())
    except urllib.error.HTTPError as error:
        return error.read().decode()
    except OSError:
        return None


@contextmanager
def exporting(workdir: Path) -> Iterator[str]:
    """Runs an exporter that reads the counters of this work directory. Yields the URL of its page."""
    port = free_port()
    exporter = subprocess.Popen(
        [EXPORTER, "-web.listen-address", f"127.0.0.1:{port}", "-n", str(workdir)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield f"http://127.0.0.1:{port}/metrics"
    finally:
        exporter.terminate()
        exporter.wait()


def exported(workdir: Path) -> str:
    with exporting(workdir) as url:
        return str(wait_until(lambda: answer_at(url), "the exporter answers"))


def kinds(page: str) -> dict[str, str]:
    return dict(re.findall(r"^# TYPE (\S+) (\w+)$", page, re.M))


@contextmanager
def varnish(tmp_path: Path, policy: str, *args: str) -> Iterator[tuple[Path, int]]:
    """Debian's varnishd with more options: its work directory and port. Its command line is on a free port."""
    (tmp_path / "stock.vcl").write_text(policy)
    port, workdir = free_port(), tmp_path / "stock"
    command = [
        "varnishd",
        "-F",
        "-n",
        str(workdir),
        "-a",
        f"127.0.0.1:{port}",
        "-T",
        "127.0.0.1:0",
        "-f",
        str(tmp_path / "stock.vcl"),
        "-j",
        "none",
        *args,
    ]
    daemon = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: answer_at(f"http://127.0.0.1:{port}/"), "varnishd serves", VARNISHD_START_S)
        yield workdir, port
    finally:
        daemon.terminate()
        daemon.wait()


@needs_before((7, 2), "varnishd has other counters")
def test_the_exporter_shows_each_metric_of_varnish_with_its_kind(start_daemon: Start, tmp_path: Path) -> None:
    with Origin(lambda _: Reply(body=b"x")) as origin:
        policy = POLICY.format(port=origin.port)
        with varnish(tmp_path, policy) as (workdir, _):
            stock = kinds(exported(workdir))
        d = start_daemon(policy)
        with Client(d.port) as c:
            assert c.request("/").status == 200
        ours = kinds(exported(d.workdir))
    assert len(stock) > 150
    assert {name: ours.get(name) for name in stock} == stock
    assert [name for name in ours if name not in stock and not OURS.match(name)] == []


def test_the_values_of_the_exporter_are_those_of_the_daemon(start_daemon: Start) -> None:
    with Origin(lambda _: Reply(body=b"x")) as origin:
        d = start_daemon(POLICY.format(port=origin.port))
        with Client(d.port) as c:
            for _ in range(3):
                assert c.request("/").status == 200
        with exporting(d.workdir) as url:
            for line in (
                "varnish_main_client_req 3",
                "varnish_main_cache_hit 2",
                'varnish_backend_req{backend="origin",server="unknown"} 1',
            ):
                wait_until(
                    lambda line=line: f"\n{line}\n" in (answer_at(url) or ""),  # type: ignore[misc]
                    f"the page has {line}",
                )
