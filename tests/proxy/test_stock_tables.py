"""Conversions, addresses in acls and module cookie give the answers of Varnish 7.1.1, or the intended other
answers in the tables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proxy.daemon import Daemon
from proxy.stock_tables import TABLES, Row, ask, policy, read

NAMES = [path.stem for path in sorted(TABLES.glob("*.tsv"))]


@pytest.fixture(scope="module")
def daemon_with_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with Daemon(tmp_path_factory.mktemp("tables"), policy(NAMES[0], read(NAMES[0])), ["-a", "127.0.0.1:0,PROXY"]) as daemon:
        yield daemon


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_the_same_as_in_varnish(daemon_with_proxy: Daemon, name: str) -> None:
    rows = read(name)
    daemon_with_proxy.serve(name, policy(name, rows))
    plain, proxy = (int(listen.rsplit(":", 1)[1]) for listen in daemon_with_proxy.status["listens"])
    differ = differences(rows, ask(rows, plain, proxy))
    assert not differ, "\n".join(differ)


def differences(rows: list[Row], answers: list[str]) -> list[str]:
    return [f"{row.case}: {now!r}, not {row.wanted!r}" for row, now in zip(rows, answers, strict=True) if now != row.wanted]


def test_each_intended_difference_has_its_reason() -> None:
    for name in NAMES:
        rows = read(name)
        assert len({row.case for row in rows}) == len(rows) >= 60
        for row in rows:
            assert row.ours is None or (row.ours != row.stock and row.reason.strip()), row.case
