"""Shapes of functions: two functions share an object only if their code is the same. Each seeded mistake leaves
one input of the code out of the digest, and gives a policy the object of another one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from native_bench import ROOT
from test_native_objects import HEAD, Objects, compiled
from vernis.ir import ir
from vernis.ir.plain import plain_pattern
from vernis.native import numbers
from vernis.native.link import LinkError

pytestmark = pytest.mark.skipif(not (ROOT / "build" / "lib" / "abi.json").exists(), reason="run make build first")
Walk = numbers._Walk


def row(kind: type, wrong: Callable[..., tuple[object, ...]]) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setitem(numbers._ROWS, kind, wrong)


def method(name: str, wrong: Callable[..., object]) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setattr(Walk, name, wrong)


def no_durations(walk: Walk, op: ir.Const) -> tuple[object, ...]:
    value = None if op.type is ir.Type.DURATION else op.value
    return 1, walk.values[op.dst], op.type.value, walk.text(op.dst, value) if isinstance(value, bytes) else value


def no_places(walk: Walk, op: ir.Match) -> object:
    plain = plain_pattern(walk.module.regexes[op.regex])
    return walk.numbers.own("regex", op.regex) if plain is None else walk.text(op.dst, plain.text)


def no_empty_texts(walk: Walk, value: ir.Value, text: bytes) -> object:
    walk.numbers.own_text(value, text)
    return 0


# Two bodies of vcl_recv, and the mistake that takes them for one.
SHAPES: dict[str, tuple[str, str, Callable[[pytest.MonkeyPatch], None]]] = {
    "operator": ('if (req.restarts > 1) { set req.http.a = "1"; }', 'if (req.restarts < 1) { set req.http.a = "1"; }',
                 row(ir.CompareOp, lambda o, w: (5, w.values[o.dst], w.values[o.a], w.values[o.b]))),
    "place of a plain pattern": ('if (req.url ~ "^/x") { set req.http.a = "1"; }', 'if (req.url ~ "/x$") { set req.http.a = "1"; }',
                                 method("pattern", no_places)),
    "number": ("set req.grace = 10s;", "set req.grace = 20s;", method("const", no_durations)),
    "empty text": ('set req.http.a = "x";', 'set req.http.a = "";', method("text", no_empty_texts)),
    "action": ("return (pass);", "return (pipe);", row(ir.ReturnAction, lambda o, w: (21,))),
    "function of the runtime": ('set req.url = "x";', 'set req.method = "x";', method("extern", lambda w, extern: "")),
}


def image(body: str, folder: Path, objects: Objects | None) -> tuple[int, bytes]:
    return compiled(HEAD + f"sub vcl_recv {{\n{body}\n}}\n", folder, objects)


@pytest.mark.parametrize("case", SHAPES)
def test_other_code_is_another_object(case: str, tmp_path: Path) -> None:
    one, other, _ = SHAPES[case]
    objects = Objects()
    image(one, tmp_path, objects)
    count, warm = image(other, tmp_path, objects)
    assert count == 1
    assert warm == image(other, tmp_path, None)[1]


@pytest.mark.parametrize("case", SHAPES)
def test_a_shape_that_leaves_out_an_input_is_found(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other, mistake = SHAPES[case]
    expected = image(other, tmp_path, None)[1]
    mistake(monkeypatch)
    objects = Objects()
    image(one, tmp_path, objects)
    try:
        assert image(other, tmp_path, objects)[1] != expected
    except LinkError:
        pass


@pytest.mark.parametrize("same", [
    ('set req.http.a = "x";', 'set req.http.bc = "xyz";'),
    ('if (req.url ~ "^/x") { return (pass); }', 'if (req.url ~ "^/longer") { return (pass); }'),
    ('set req.http.a = "1" + req.url + "1";', 'set req.http.a = "1" + req.url + "23";'),
    ('set req.url = regsub(req.url, "a+", "b");', 'set req.url = regsub(req.url, "[0-9]", "cc");'),
])
def test_texts_patterns_and_fields_are_no_part_of_a_shape(same: tuple[str, str], tmp_path: Path) -> None:
    objects = Objects()
    image(same[0], tmp_path, objects)
    count, warm = image(same[1], tmp_path, objects)
    assert count == 0
    assert warm == image(same[1], tmp_path, None)[1]
