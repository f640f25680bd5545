"""The Grafana dashboard of examples/grafana: its queries find metrics on a daemon's own page, and on the page
of the exporter for Varnish."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Client, Origin, Reply
from proxy.test_exporter import EXPORTER, answer_at, exporting
from support.ports import free_port

Start = Callable[..., Daemon]

DASHBOARD = json.loads((ROOT / "examples/grafana/vernis.json").read_text())
QUERIES = {
    f"{panel['title']}: {target['legendFormat']}": str(target["expr"])
    for panel in DASHBOARD["panels"]
    for target in panel["targets"]
}
#: A metric and the labels it is selected by.
SELECTOR = re.compile(r"\b((?:vernis|varnish)_\w+)\{([^}]*)\}")
CONDITION = re.compile(r'(\w+)(=~|!=|=)"([^"]*)"')
GROUPED = re.compile(r"sum by \(([^)]+)\) \(rate\((\w+)")
BY_PROMETHEUS = {"instance"}  # labels that it adds
GUIDE = (ROOT / "docs/guides/metrics.md").read_text()
POLICY = 'vcl 4.1; backend origin {{ .host = "127.0.0.1"; .port = "{port}"; }}'
OURS, EXPORTERS = "vernis_", "varnish_"


@contextmanager
def site(start_daemon: Start) -> Iterator[tuple[Daemon, int]]:
    """A daemon that has served requests, and the port of its metrics."""
    with Origin(lambda _: Reply(body=b"x")) as origin:
        d = start_daemon(POLICY.format(port=origin.port), ["-p", "metrics_listen=127.0.0.1:0"])
        with Client(d.port) as c:
            for _ in range(3):
                assert c.request("/").status == 200
        wait_until(lambda: d.status["counters"]["MAIN.client_req"] == 3, "all requests are counted")
        yield d, int(re.findall(r"metrics at http://127.0.0.1:(\d+)/", d.logs)[0])


def samples(page: str) -> list[tuple[str, dict[str, str]]]:
    rows = re.findall(r"^(\w+)(?:\{(.*)\})? \S+$", page, re.M)
    return [(name, dict(re.findall(r'(\w+)="([^"]*)"', labels))) for name, labels in rows]


def meets(labels: dict[str, str], label: str, operator: str, value: str) -> bool:
    """A label that a metric lacks fails every condition, although `!=` would hold."""
    if label in BY_PROMETHEUS:
        return True
    assert operator != "=~", "patterns are not evaluated here"
    return label in labels and (labels[label] == value) == (operator == "=")


def labels_of(page: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, labels in samples(page):
        found.setdefault(name, set()).update(labels)
    return found


def missing(page: str, prefix: str) -> list[str]:
    """Selectors of the dashboard for which the page has no sample."""
    found = samples(page)
    wanted = {
        selector
        for query in QUERIES.values()
        for selector in SELECTOR.findall(query)
        if selector[0].startswith(prefix)
    }
    assert len(wanted) > 20
    return [
        f"{name}{{{labels}}}"
        for name, labels in sorted(wanted)
        if not any(
            name == sample and all(meets(at, *condition) for condition in CONDITION.findall(labels))
            for sample, at in found
        )
    ]


def test_queries_find_the_metrics_of_the_daemon(start_daemon: Start) -> None:
    with site(start_daemon) as (_, port):
        page = wait_until(
            lambda: answer_at(f"http://127.0.0.1:{port}/metrics"), "the daemon shows its metrics"
        )
    assert missing(page, OURS) == []
    labels = labels_of(page)
    grouped = [(name, by) for query in QUERIES.values() for by, name in GROUPED.findall(query)]
    of_ours = [(name, set(by.split(", "))) for name, by in grouped if name.startswith(OURS)]
    assert of_ours and [(name, by) for name, by in of_ours if not by <= labels[name]] == []
    alerts = re.findall(r"\b(vernis_\w+)", "".join(re.findall(r"expr: (.+)", GUIDE)))
    assert len(alerts) > 5 and [name for name in alerts if name not in labels] == []


def test_each_label_of_a_legend_comes_from_a_metric_of_its_query(start_daemon: Start) -> None:
    """`type` is a label of the exporter's storages, whose metrics the query names, too."""
    with site(start_daemon) as (_, port):
        page = wait_until(
            lambda: answer_at(f"http://127.0.0.1:{port}/metrics"), "the daemon shows its metrics"
        )
    labels = labels_of(page)
    wanted = {
        (label, name)
        for title, query in QUERIES.items()
        for label in re.findall(r"{{(\w+)}}", title)
        for name, _ in SELECTOR.findall(query)
        if name.startswith(OURS)
    }
    assert {(label, name) for label, name in wanted if label not in labels[name]} == {
        ("type", "vernis_storage_g_bytes")
    }


@pytest.mark.skipif(shutil.which(EXPORTER) is None, reason=f"needs Debian's {EXPORTER}")
def test_queries_find_the_metrics_of_the_exporter(start_daemon: Start) -> None:
    with site(start_daemon) as (d, _), exporting(d.workdir) as url:
        page = wait_until(lambda: answer_at(url), "the exporter answers")
    assert missing(page, EXPORTERS) == []


def test_a_metric_that_nobody_has_is_found() -> None:
    assert len(missing("vernis_main_client_req_total 3\n", OURS)) > 20


def test_a_label_that_a_metric_lacks_is_found() -> None:
    selector = 'vernis_storage_g_bytes{instance=~"$instance",storage!="Transient"}'
    assert selector in missing("vernis_storage_g_bytes 3\n", OURS)
    assert selector in missing('vernis_storage_g_bytes{storage="Transient"} 3\n', OURS)
    assert selector not in missing('vernis_storage_g_bytes{storage="s0"} 3\n', OURS)


def test_each_query_asks_both_sources() -> None:
    assert {
        title
        for title, query in QUERIES.items()
        if {OURS, EXPORTERS} - {n.split("_")[0] + "_" for n, _ in SELECTOR.findall(query)}
    } == set()


# ---- Prometheus evaluates the queries ----------------------------------------------------------------------


def results(port: int, query: str) -> list[Any]:
    query = query.replace("$__rate_interval", "30s").replace("$instance", ".*")
    url = f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": query})
    with urllib.request.urlopen(url, timeout=10) as response:
        return list(json.load(response)["data"]["result"])


@contextmanager
def prometheus(tmp_path: Path, scraped: int) -> Iterator[int]:
    """A Prometheus that reads the metrics of port ``scraped`` each second. Yields its port."""
    port = free_port()
    (tmp_path / "prometheus.yml").write_text(
        "scrape_configs: [{job_name: site, scrape_interval: 1s, scrape_timeout: 1s, "
        f"static_configs: [{{targets: ['127.0.0.1:{scraped}']}}]}}]\n"
    )
    command = [
        "prometheus",
        f"--config.file={tmp_path}/prometheus.yml",
        f"--storage.tsdb.path={tmp_path}/data",
        f"--web.listen-address=127.0.0.1:{port}",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(
            lambda: answer_at(f"http://127.0.0.1:{port}/-/ready") == "Prometheus Server is Ready.\n",
            "Prometheus is ready",
        )
        yield port
    finally:
        process.terminate()
        process.wait()


@pytest.mark.skipif(shutil.which("prometheus") is None, reason="needs Debian's prometheus")
@pytest.mark.parametrize("source", [OURS, EXPORTERS])
def test_prometheus_answers_every_query(start_daemon: Start, tmp_path: Path, source: str) -> None:
    if source == EXPORTERS and shutil.which(EXPORTER) is None:
        pytest.skip(f"needs Debian's {EXPORTER}")
    with site(start_daemon) as (d, metrics), exporting(d.workdir) as url:
        with prometheus(
            tmp_path, metrics if source == OURS else int(url.rsplit(":", 1)[1].split("/")[0])
        ) as port:
            uptime = "count_over_time(vernis_main_uptime_seconds_total[30s]) or count_over_time(varnish_main_uptime[30s])"
            wait_until(
                lambda: (r := results(port, uptime)) and int(r[0]["value"][1]) >= 3,
                "Prometheus has read three times",
            )
            assert {title for title, query in QUERIES.items() if not results(port, query)} == set()


@pytest.mark.skipif(shutil.which("promtool") is None, reason="needs Debian's prometheus")
def test_prometheus_accepts_the_files_of_the_guide(tmp_path: Path) -> None:
    for name, text in re.findall(r"```yaml (\S+)\n(.*?)^```", GUIDE, re.M | re.S):
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        ["promtool", "check", "config", "prometheus.yml"], cwd=tmp_path, capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode()
    assert b"SUCCESS: 6 rules found" in done.stdout
