"""Look-ups in tables: native code over the runtime's tables beside the model over the declaration."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness import Harness
from support.library import runtime_library
from vernis.ir import ir
from vernis.ir.builder import FunctionBuilder, fill_hooks
from vernis.ir.externs import internal
from support.reference.interpret import run_hook
from vernis.ir.ir import Action, Msg, Type
from vernis.ir.passes import run_passes
from support.reference.verify import check_module, verify_module
from support.reference.world import World
from vernis.native import Options, compile_module
from vernis.native.image import interface_digest

HOOK = "vcl_recv"
GETTERS = {Type.STRING: "table_text", Type.INT: "table_int", Type.BYTES: "table_bytes", Type.REAL: "table_real",
           Type.DURATION: "table_duration", Type.BOOL: "table_bool", Type.IP: "table_ip", Type.BACKEND: "table_backend"}
BACKENDS = [ir.Backend("de", host="127.0.0.1", port="81"), ir.Backend("fr", host="127.0.0.1", port="82"),
            ir.Backend("nowhere", none=True)]

texts = st.text("ab./", min_size=1, max_size=7).map(str.encode)
hosts = texts.filter(lambda host: not host.startswith(b"."))
addresses = st.one_of(st.tuples(st.just(10), st.integers(0, 1), st.integers(0, 1), st.integers(0, 3)).map(bytes),
                      st.tuples(st.integers(0, 1), st.integers(0, 3)).map(lambda ends: bytes((32, 1, ends[0])) + bytes(12) + bytes((ends[1],))))


def network(address: bytes, bits: int) -> bytes:
    """A key without bits behind the prefix, so that equal networks are equal keys."""
    bits = min(bits, 8 * len(address))
    free = 8 * len(address) - bits
    number = int.from_bytes(address, "big") >> free << free
    return number.to_bytes(len(address), "big") + bytes((bits,))


VALUES: dict[Type, st.SearchStrategy[ir.ConstValue]] = {
    Type.STRING: st.sampled_from([b"", b"x", b"/new", b"y" * 40]), Type.INT: st.integers(-5, 5), Type.BYTES: st.integers(0, 1 << 40),
    Type.REAL: st.sampled_from([0.0, -1.5, 2.25]), Type.DURATION: st.sampled_from([0.0, 0.001, 3600.0]), Type.BOOL: st.booleans(),
    Type.IP: addresses.map(lambda address: bytes((4 if len(address) == 4 else 6,)) + address),
    Type.BACKEND: st.integers(0, len(BACKENDS) - 1)}


@st.composite
def tables(draw: st.DrawFn) -> ir.TableDecl:
    kind = draw(st.sampled_from(ir.TABLE_KINDS))
    type = draw(st.sampled_from(ir.TABLE_VALUES))
    one = st.builds(network, addresses, st.integers(0, 128)) if kind == "ip" else hosts if kind == "suffix" else texts
    keys = draw(st.lists(one, unique=True, max_size=12))
    return ir.TableDecl("t", kind, type, tuple((key, draw(VALUES[type])) for key in keys))


def policy(declared: list[ir.TableDecl], subjects: list[bytes]) -> ir.Module:
    """Puts whether each look-up finds a row, and the value, into a header of its own."""
    b = FunctionBuilder(HOOK)
    names = []
    for t, table in enumerate(declared):
        for subject in subjects:
            is_ip = table.kind == "ip"
            if is_ip != (subject[:1] in (b"\x04", b"\x06")):
                continue
            key = b.const(Type.IP, subject) if is_ip else b.text(subject)
            row = b.call(internal("table_find_ip" if is_ip else "table_find"), b.const(Type.INT, t), key)
            value = b.call(internal(GETTERS[table.value]), b.const(Type.INT, t), row)
            found = b.convert(Type.STRING, b.compare(">=", row, b.const(Type.INT, 0)))
            shown = value if table.value is Type.STRING else b.convert(Type.STRING, value)
            b.header_set(Msg.REQ, len(names), b.concat(found, b.text(b" "), shown))
            names.append(f"X-{len(names)}")
    b.ret(Action.HASH)
    module = ir.Module("tables", sources=[ir.Source("tables.vcl", b"")], sites=[ir.Site(0, 1, 1)], names=names, backends=BACKENDS,
                       tables=declared)
    module.functions[HOOK] = b.function
    fill_hooks(module)
    check_module(module)
    return module


@pytest.mark.slow
@given(declared=st.lists(tables(), min_size=1, max_size=3),
       subjects=st.lists(st.one_of(texts, VALUES[Type.IP]), min_size=1, max_size=14))  # type: ignore[arg-type]
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_native_look_ups_find_what_the_model_finds(declared: list[ir.TableDecl], subjects: list[bytes], tmp_path: Path) -> None:
    module = policy(declared, subjects)
    world = World()
    assert run_hook(module, HOOK, world).action is Action.HASH
    image = tmp_path / "tables.so"
    image.unlink(missing_ok=True)
    compile_module(run_passes(module), image, Options(verify=True))
    harness = Harness(runtime_library())
    try:
        harness.load(image)
        harness.begin(b"GET", b"/", [], b"192.0.2.1")
        assert harness.run(HOOK) is Action.HASH
        assert harness.headers(Msg.REQ) == world.messages[Msg.REQ].fields
    finally:
        harness.close()


def test_rows_and_files_of_tables_are_state_and_defaults_are_code() -> None:
    table = ir.TableDecl("t", "exact", Type.INT, ((b"a", 1),))
    module = policy([table], [b"a"])
    digest = interface_digest(module)
    module.tables = [ir.TableDecl("t", "exact", Type.INT, ((b"a", 1),), default=5, has_default=True, site=0)]
    assert interface_digest(module) == digest
    for other in (ir.TableDecl("u", "exact", Type.INT, ((b"a", 1),)), ir.TableDecl("t", "prefix", Type.INT, ((b"a", 1),)),
                  ir.TableDecl("t", "exact", Type.BYTES, ((b"a", 1),)), ir.TableDecl("t", "exact", Type.INT, ((b"a", 2),)),
                  ir.TableDecl("t", "exact", Type.INT, file="/a.csv"),
                  ir.TableDecl("t", "exact", Type.INT, file="/a.csv", columns=("k", "v"))):
        module.tables = [other]
        assert interface_digest(module) != digest


def test_the_verifier_refuses_rows_that_do_not_fit() -> None:
    for table in (ir.TableDecl("t", "exact", Type.INT, ((b"a", b"1"),)), ir.TableDecl("t", "exact", Type.INT, ((b"a", True),)),
                  ir.TableDecl("t", "exact", Type.STRING, ((b"a", 1),)), ir.TableDecl("t", "exact", Type.BACKEND, ((b"a", 3),)),
                  ir.TableDecl("t", "ip", Type.INT, ((b"\x0a\0\0\1", 1),)), ir.TableDecl("t", "ip", Type.INT, ((b"\x0a\0\0\1\x21", 1),)),
                  ir.TableDecl("t", "exact", Type.INT, ((b"a", 1),), file="/a.csv")):
        module = policy([], [])
        module.tables = [table]
        assert verify_module(module) == ["table t"]


def test_a_table_with_rows_in_a_file_reads_them_at_load(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("shop,host\n1,a.example\n2,b.example\n")
    module = policy([ir.TableDecl("t", "suffix", Type.INT, file=str(rows), columns=("host", "shop"))], [b"www.b.example", b"c.example"])
    image = tmp_path / "tables.so"
    compile_module(run_passes(module), image, Options(verify=True))
    harness = Harness(runtime_library())
    harness.load(image)
    harness.begin(b"GET", b"/", [], b"192.0.2.1")
    harness.run(HOOK)
    assert harness.headers(Msg.REQ) == [(b"X-0", b"true 2"), (b"X-1", b"false 0")]
    harness.close()
