"""The shard director, compared with a model of its ring in Python, and where its parameters may be set."""

from __future__ import annotations

import bisect
import hashlib
import random
from pathlib import Path

import pytest
from support.language import Harness, compile_text, policy

from vernis.ir.ir import Msg

NAMES = ("one", "two", "three", "four", "five")
BACKENDS = "".join(f'backend {name} {{ .host = "127.0.0.1"; .port = "1"; }}\n' for name in NAMES)
WEIGHTS = {"one": 1, "two": 1, "three": 2.5, "four": 1, "five": 1}
IDENTS = {"four": "vier"}
REPLICAS = 25


def hash32(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[-4:], "little")


def ring() -> list[tuple[int, str]]:
    return sorted((hash32(f"{IDENTS.get(name, name)}{n}"), name) for name in NAMES for n in range(int(REPLICAS * WEIGHTS[name])))


def backends_for(key: int) -> list[str]:
    """All backends in the order in which the ring tries them for a key. A key after the last point belongs to
    the last point, not to the first."""
    points = ring()
    start = min(bisect.bisect_left(points, (key, "")), len(points) - 1)
    return list(dict.fromkeys(name for _, name in points[start:] + points[:start]))


def build(extra: str = "") -> str:
    adds = ""
    for name in NAMES:
        ident = f', ident="{IDENTS[name]}"' if name in IDENTS else ""
        weight = f", weight={WEIGHTS[name]}" if WEIGHTS[name] != 1 else ""
        adds += f"d.add_backend({name}{ident}{weight}); "
    return f"new d = directors.shard(); {adds} d.reconfigure({REPLICAS}); {extra}"


def test_backends_of_keys_agree_with_the_model(loaded) -> None:  # type: ignore[no-untyped-def]
    """Also the backends tried next, if the first one or two are skipped."""
    made = loaded(policy(declarations=BACKENDS, init=build(), recv="""
        set req.http.first = d.backend(by=KEY, key=std.integer(req.http.key));
        set req.http.second = d.backend(by=KEY, key=std.integer(req.http.key), alt=1);
        set req.http.third = d.backend(by=KEY, key=std.integer(req.http.key), alt=2, healthy=IGNORE);
        set req.http.last = d.backend(by=KEY, key=std.integer(req.http.key), alt=99);"""))
    rng = random.Random(7)
    points = [point for point, _ in ring()]
    edges = [0, 1, 2**32 - 1, points[0], points[0] + 1, points[-1], points[-1] + 1, points[40], points[40] - 1]
    for key in [*edges, *(rng.randrange(2**32) for _ in range(300))]:
        made.reset()
        made.add(Msg.REQ, b"key", str(key).encode())
        made.run("vcl_recv")
        expected = backends_for(key)
        assert [made.field(Msg.REQ, name) for name in ("first", "second", "third", "last")] == \
            [expected[0], expected[1], expected[2], expected[4]], key


def test_a_key_is_made_of_text_blob_or_url(loaded) -> None:  # type: ignore[no-untyped-def]
    made = loaded(policy(declarations=BACKENDS, init=build(), recv="""
        set req.http.number = d.key("/some" + "/path");
        set req.http.by-url = d.backend(by=URL);
        set req.http.by-key = d.backend(by=KEY, key=d.key(req.url));
        set req.http.by-blob = d.backend(by=BLOB, key_blob=blob.decode(HEX, encoded="00ff00ff99"));
        set req.http.short = d.backend(by=BLOB, key_blob=blob.decode(HEX, encoded="ff"));"""))
    made.request(url=b"/some/path")
    made.run("vcl_recv")
    assert made.field(Msg.REQ, "number") == str(hash32("/some/path"))
    assert made.field(Msg.REQ, "by-url") == made.field(Msg.REQ, "by-key") == backends_for(hash32("/some/path"))[0]
    assert made.field(Msg.REQ, "by-blob") == backends_for(0x00ff00ff)[0]
    assert made.field(Msg.REQ, "short") == backends_for(0xff)[0]


def test_backends_can_be_added_and_removed(loaded) -> None:  # type: ignore[no-untyped-def]
    """Changes take effect at reconfigure(), also for later transactions. A second add of the same backend
    changes nothing."""
    made = loaded(policy(declarations=BACKENDS, init="new d = directors.shard();", recv="""
        set req.http.none = d.backend(by=KEY, key=1);
        d.add_backend(one); d.add_backend(one); d.add_backend(two, ident="zwei");
        d.remove_backend(one);
        set req.http.early = d.backend(by=KEY, key=1);
        if (d.reconfigure()) { set req.http.two = d.backend(by=KEY, key=1); }
        d.remove_backend(ident="zwei");
        if (!d.reconfigure()) { set req.http.empty = d.backend(by=KEY, key=1); }
        d.add_backend(one); d.clear(); d.add_backend(five);
        set req.http.late = d.backend(by=KEY, key=1);
        set req.http.said = d.reconfigure(0);""", backend_fetch="set bereq.http.next = d.backend(by=KEY, key=1);"))
    made.run("vcl_recv")
    wanted = {"none": "", "early": "", "two": "two", "empty": "", "late": "", "said": "false"}
    assert {name: made.field(Msg.REQ, name) for name in wanted} == wanted
    made.run("vcl_backend_fetch")
    assert made.field(Msg.BEREQ, "next") == "five"


def test_arguments_of_the_call_override_parameters_of_the_object(loaded) -> None:  # type: ignore[no-untyped-def]
    made = loaded(policy(declarations=BACKENDS, init=build("new p = directors.shard_param(); p.set(by=KEY, key=1000000000, alt=1);"
                                                          "d.associate(p.use()); new q = directors.shard_param();"), recv="""
        set req.http.object = d.backend();
        set req.http.both = d.backend(alt=0);
        set req.http.call = d.backend(by=KEY, key=77, alt=0);
        set req.http.other = d.backend(param=q.use(), by=KEY, key=77);
        set req.http.read = p.get_by() + " " + p.get_key() + " " + p.get_alt() + " " + p.get_healthy() + " " + q.get_by() + " "
            + q.get_rampup() + " " + q.get_warmup();"""))
    made.run("vcl_recv")
    of_object = backends_for(1000000000)
    assert made.field(Msg.REQ, "object") == of_object[1]
    assert made.field(Msg.REQ, "call") == made.field(Msg.REQ, "other") == backends_for(77)[0]
    assert made.field(Msg.REQ, "read") == "KEY 1000000000 1 CHOSEN HASH true -1.000"
    assert made.field(Msg.REQ, "both") == of_object[0]


def test_a_fetch_sets_parameters_for_itself_only(loaded) -> None:  # type: ignore[no-untyped-def]
    made = loaded(policy(declarations=BACKENDS, init=build("new p = directors.shard_param(); p.set(by=KEY, key=1);"),
                         recv="set req.http.x = p.get_key();",
                         backend_fetch="p.set(by=KEY, key=5); set bereq.http.x = p.get_key(); set bereq.backend = d.backend(resolve=LAZY);"
                                       " set bereq.http.name = bereq.backend; p.clear(); set bereq.http.y = p.get_key();"))
    made.run("vcl_backend_fetch")
    made.run("vcl_recv")
    assert [made.field(Msg.BEREQ, name) for name in "xy"] == ["5", "1"]
    assert made.field(Msg.BEREQ, "name") == "d"
    assert made.field(Msg.REQ, "x") == "1"    # another transaction sees the parameters of the policy


INIT = "new d = directors.shard(); new p = directors.shard_param();"
INVALID = [
    ("d.associate(blob.decode(encoded=\"\"));", "vmod_directors: shard d: shard .associate param invalid"),
    ("p.set(by=KEY);", "vmod_directors: shard p: shard_param.set() missing key argument with by=KEY"),
    ("p.set(by=KEY, key=-5);", "invalid key argument -5 with by=KEY"),
    ("p.set(by=KEY, key=4294967296);", "invalid key argument 4294967296 with by=KEY"),
    ("p.set(by=BLOB);", "missing key_blob argument with by=BLOB"),
    ("p.set(key=1);", "key and key_blob arguments are invalid with by=HASH"),
    ("p.set(by=URL, key=1);", "key and key_blob arguments are invalid with by=URL"),
    ("p.set(alt=-1);", "invalid alt argument -1"),
    ("p.set(warmup=1.5);", "invalid warmup argument 1.5"),
    ("d.add_backend(nothing);", "shard d: None backend cannot be added"),
    ("d.add_backend(d.backend());", "shard d: the backend to add contains this director"),
    ("d.remove_backend();", "shard d: .remove_backend(): either backend or ident are required"),
    ("if (d.backend(resolve=NOW)) { }", ".backend(resolve=NOW) can not be used in vcl_init{}/vcl_fini{}"),
    ("if (d.backend(resolve=LAZY, by=URL)) { }", "with other parameters can only be used in backend/pipe context"),
    ("new r = directors.random(); r.add_backend(nothing, 1);", "r: None backend cannot be added"),
    ('new b = blob.blob(HEX, "xx");', 'vmod blob error: cannot create blob b, illegal encoding beginning with "xx"'),
]


@pytest.mark.parametrize(("statement", "message"), INVALID, ids=[message for _, message in INVALID])
def test_invalid_arguments_fail_the_load(harness: Harness, tmp_path: Path, statement: str, message: str) -> None:
    text = policy(declarations="import blob; backend nothing none;", init=INIT + statement).replace("import blob;\nimport", "import")
    error = harness.load(compile_text(text, tmp_path))
    assert 'VCL "' in error and "Failed initialization" in error
    assert message in error


def test_parameters_cannot_be_set_on_the_client_side(loaded) -> None:  # type: ignore[no-untyped-def]
    made = loaded(policy(init=INIT, recv="p.set(alt=1);"))
    assert made.run("vcl_recv") == "fail"
    assert "shard_param.set() may only be used in vcl_init and in backend/pipe context" in (made.text("failed_why") or "")
