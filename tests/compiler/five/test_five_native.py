"""Native code of vcl 5.0 gives what tests/compiler/five/test_five_values.py expects, with and without optimisation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from five_helpers import lowered, recv
from harness import Harness
from support.library import library_path, runtime_library
from test_five_values import CONDITIONS, DECLARATIONS, VALUES, YES_NO

from vernis.ir.ir import Action, Msg
from vernis.ir.passes import run_passes
from support.reference.verify import check_module
from support.reference.world import World
from support.reference.functions import json_text
from vernis.native.compile import Options, compile_module

FIELDS: list[dict[str, str]] = [{"A": "a"}, {"A": "b"}, {}]


@pytest.fixture(scope="module")
def harness() -> Iterator[Harness]:
    made = Harness(runtime_library())
    yield made
    made.close()


def loaded(harness: Harness, text: str, folder: Path, level: int) -> None:
    out = folder / "policy.so"
    module = run_passes(lowered(text), after_each=check_module)
    compile_module(module, out, Options(folder=library_path().parent, level=level, verify=True))
    harness.load(out)
    out.unlink()


def request(harness: Harness, fields: dict[str, str]) -> Action:
    headers = [(Msg["REQ"], name.encode(), value.encode("latin-1")) for name, value in fields.items()]
    harness.begin(b"GET", b"/", headers, b"\xc0\x00\x02\x01")
    return harness.run("vcl_recv")


def fields_of(harness: Harness) -> dict[str, str]:
    return {name.decode(): value.decode("latin-1") for name, value in harness.headers(Msg["REQ"])}


@pytest.mark.parametrize("level", [0, 2])
def test_conditions(harness: Harness, tmp_path: Path, level: int) -> None:
    """All conditions in one hook: each sets a field of its own."""
    bodies = [(YES_NO % row[0]).replace("http.X ", f"http.X-{n} ") for n, row in enumerate(CONDITIONS)]
    loaded(harness, recv("".join(f"{{ {body} }}" for body in bodies)), tmp_path, level)
    for column, fields in enumerate(FIELDS, 1):
        request(harness, fields)
        found = fields_of(harness)
        assert [found[f"X-{n}"] for n in range(len(CONDITIONS))] == [row[column] for row in CONDITIONS]


@pytest.mark.parametrize("level", [0, 2])
def test_values(harness: Harness, tmp_path: Path, level: int) -> None:
    differ = []
    for body, fields, wanted in VALUES:
        loaded(harness, recv(body, DECLARATIONS), tmp_path, level)
        action = request(harness, fields)
        found = "fail" if action is Action["FAIL"] else fields_of(harness).get("X")
        if found != wanted:
            differ.append((body, found, wanted))
    assert differ == []


LOGGED = [b"", b"plain", b'a"b\\c', b"tab\there", b"\xff", b"\xc3\xa4", b"\xed\xa0\x80", b"\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xe2\x82"]


def test_a_log_record_is_that_of_the_interpreter(harness: Harness, tmp_path: Path) -> None:
    loaded(harness, recv("log { a = req.http.A, none = req.http.None, n = 1 };"), tmp_path, 2)
    for text in LOGGED:
        harness.begin(b"GET", b"/", [(Msg["REQ"], b"A", text)], b"\xc0\x00\x02\x01")
        harness.run("vcl_recv")
        wanted = json_text(World(), text)
        assert wanted is not None and b'{"a":' + wanted + b',"none":null,"n":1}' in (harness.text("log") or b"")
