"""The image of a policy: the file's contents, the loader's view of it, and both linkers."""

from __future__ import annotations

import ctypes
import hashlib
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from native_bench import ROOT
from vernis.ir import ir
from vernis.ir.builder import FunctionBuilder, fill_hooks
from vernis.ir.ir import Action, Extern, Msg, Type
from vernis.native import Options, abi, compile_module, link, optimise, origins
from vernis.native.codegen import generate, parts_of_policy
from vernis.native.elf import Input, link_objects
from vernis.native.objects import ElfError, read_object
from vernis.native.optimise import Emitter
from vernis.native.stages import Stages
from vernis.native.tables import Tables
from vernis.record import replace as changed
from vernis.semantics.backends import BACKEND_PROPERTIES, PROBE_PROPERTIES

T = Type
LAYOUTS = abi.load_contract().layouts
GET_URL = Extern("get_req_url", (), T.STRING)


def policy(rules: int = 3) -> ir.Module:
    b = FunctionBuilder("vcl_recv")
    for number in range(rules):
        b.mark(number % 3)
        then, on = b.block(), b.block()
        condition = b.match(0, b.call(GET_URL)) if number % 2 else b.compare("<", b.header_get(Msg.REQ, 0), b.text(b"literal"))
        b.branch(condition, then, on)
        b.at = then
        b.header_set(Msg.REQ, 1, b.concat(b.header_get(Msg.REQ, 0), b.text(b"more")))
        b.jump(on)
        b.at = on
    b.acl_match(0, b.const(T.IP, b"\x04\x7f\0\0\1"))
    b.compare("==", b.const(T.IP, b"\x04\x7f\0\0\1"), b.const(T.IP, None))
    b.ret(Action.HASH)
    module = ir.Module(
        "shop", sources=[ir.Source("shop.vcl", b"vcl 4.1;\n\"\xff\\\n"), ir.Source("builtin.vcl", b"")],
        sites=[ir.Site(0, 1, 2), ir.Site(1, 30000, 4), ir.Site(0, 5, 6)], names=["X-Foo", "host"], regexes=[b"^/[a-z]\\.x"],
        probes=[ir.Probe("p", url="/ok", request=b"GET / HTTP/1.1\r\n\r\n", timeout=0.5, window=9)],
        backends=[ir.Backend("default", host="127.0.0.1", port="8080", connect_timeout=1.5, probe=0, site=2),
                  ir.Backend("sick", none=True, max_connections=7), ir.Backend("unix", path="/run/x", preamble=b"\0a")],
        acls=[ir.AclDecl("local", (ir.AclEntryDecl(b"\x7f\0\0\1", 8, True, "127.0.0.1/8"), ir.AclEntryDecl(bytes(16), 0, False, "::/0")),
                         log=True)],
        instances=[ir.InstanceDecl("www", "directors.round_robin", "directors_choice_fini", 1)], storages=["s0", "Transient"],
        subs=[ir.SubDecl("clean", "Clean", 1 << 9 | 1), ir.SubDecl("gone", "gone", 0)],
        default_backend=0,
        effects={"vcl_recv": ir.Effects(frozenset(("req.url", "req:x-foo")), frozenset(("req:*",)), frozenset((Action.HASH, Action.FAIL)), True)})
    module.functions["vcl_recv"] = b.function
    fill_hooks(module)
    return module


@pytest.fixture
def image(tmp_path: Path) -> Path:
    return compile_module(policy(), tmp_path / "shop.so", Options()).path


# ---- the file ----------------------------------------------------------------------------------------------


def segments(data: bytes) -> list[tuple[int, ...]]:
    at, size, count = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
    return [struct.unpack_from("<IIQQQQQQ", data, at + i * size) for i in range(count)]


def dynamic(data: bytes) -> dict[int, int]:
    _, _, offset, _, _, size, *_ = next(s for s in segments(data) if s[0] == 2)
    return dict(struct.iter_unpack("<QQ", data[offset:offset + size]))


def section_names(data: bytes) -> list[str]:
    at = struct.unpack_from("<Q", data, 40)[0]
    size, count, names = struct.unpack_from("<HHH", data, 58)
    rows = [struct.unpack_from("<IIQQQQ", data, at + i * size) for i in range(count)]
    start = rows[names][4]
    return [data[start + row[0]:data.index(b"\0", start + row[0])].decode() for row in rows]


def test_nothing_is_writable_after_relocation(image: Path) -> None:
    data = image.read_bytes()
    relro = next(s for s in segments(data) if s[0] == 0x6474E552)
    writable = [s for s in segments(data) if s[0] == 1 and s[1] & 2]
    assert len(writable) == 1
    assert relro[3] == writable[0][3]                                       # has the same beginning
    assert relro[3] + relro[6] >= writable[0][3] + writable[0][5]  # and covers all bytes that the file fills
    assert not {".data", ".bss", ".tdata", ".tbss", ".got.plt"} & set(section_names(data))
    library = ctypes.CDLL(str(image))
    maps = [line.split() for line in Path("/proc/self/maps").read_text().splitlines() if line.endswith(str(image))]
    assert maps and not any("w" in line[1] for line in maps)
    assert library[abi.SYMBOL] is not None


def test_no_segment_is_writable_and_executable_and_no_stack_is_executable(image: Path) -> None:
    data = image.read_bytes()
    assert not any(s[1] & 3 == 3 for s in segments(data))
    assert [s[1] & 1 for s in segments(data) if s[0] == 0x6474E551] == [0]


def test_an_image_runs_no_code_at_load_and_needs_no_library(image: Path) -> None:
    tags = set(dynamic(image.read_bytes()))
    needed, init, fini, init_array, fini_array, textrel = 1, 12, 13, 25, 26, 22
    assert not tags & {needed, init, fini, init_array, fini_array, textrel}


def test_an_image_exports_one_symbol_and_imports_none(image: Path) -> None:
    data = image.read_bytes()
    tags = dynamic(data)
    (count,) = struct.unpack_from("<I", data, tags[4] + 4)                  # DT_HASH has one chain per symbol
    strings = tags[5]
    every = [struct.unpack_from("<IBBHQQ", data, tags[6] + 24 * i) for i in range(1, count)]
    symbols = [s for s in every if s[1] >> 4]       # ld for aarch64 lists the local one of a section, too
    names = [data[strings + s[0]:data.index(b"\0", strings + s[0])].decode() for s in symbols]
    assert names == [abi.SYMBOL]
    assert symbols[0][3] != 0 and symbols[0][5] == LAYOUTS.sizes["policy_image"]


def test_code_can_be_unwound(image: Path) -> None:
    data = image.read_bytes()
    header = next(s for s in segments(data) if s[0] == 0x6474E550)
    version, _, _, _, _, count = struct.unpack_from("<4BiI", data, header[2])
    assert version == 1 and count >= len(ir.HOOKS)
    starts = [struct.unpack_from("<ii", data, header[2] + 12 + 8 * i)[0] + header[3] for i in range(count)]
    code = next(s for s in segments(data) if s[0] == 1 and s[1] & 1)
    assert starts == sorted(starts) and all(code[3] <= at < code[3] + code[6] for at in starts)


def test_each_image_is_a_new_file(tmp_path: Path) -> None:
    out = tmp_path / "x.so"
    numbers = {compile_module(policy(), out).path.stat().st_ino for _ in range(1)}
    with out.open("rb"):    # keeps the old file's inode in use
        numbers.add(compile_module(policy(), out).path.stat().st_ino)
    assert len(numbers) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["x.so"]


# ---- what the loader finds ---------------------------------------------------------------------------------


def structure(name: str) -> type[ctypes.Structure]:
    kinds = {"ptr": ctypes.c_void_p, "u64": ctypes.c_uint64, "f64": ctypes.c_double, "u32": ctypes.c_int32, "u16": ctypes.c_uint16,
             "u8": ctypes.c_uint8}

    def kind_of(kind: str) -> type:
        base, _, count = kind.partition("*")
        found = kinds.get(base) or structure(base)
        return found * int(count) if count else found

    return type(name, (ctypes.Structure,), {"_fields_": [(m.name, kind_of(m.kind)) for m in LAYOUTS.members[name]]})


def rows(struct_name: str, address: int, count: int) -> Iterator[ctypes.Structure]:
    kind = structure(struct_name)
    return iter((kind * count).from_address(address)) if count else iter(())


def text(span: ctypes.Structure) -> bytes | None:
    return None if span.ptr is None else ctypes.string_at(span.ptr, span.len)


def test_image_holds_the_declarations(image: Path) -> None:
    library = ctypes.CDLL(str(image))
    found = structure("policy_image").in_dll(library, abi.SYMBOL)
    assert (found.magic, found.abi_version, found.default_backend) == (abi.MAGIC, abi.ABI_VERSION, 0)
    assert bytes(found.abi_digest) == abi.load_contract().digest
    assert text(found.name) == b"shop"
    assert all(found.hooks)
    assert [(text(s.name), text(s.text)) for s in rows("image_source", found.sources, found.n_sources)] == [
        (b"shop.vcl", b"vcl 4.1;\n\"\xff\\\n"), (b"builtin.vcl", b"")]
    assert [(s.file, s.line, s.column) for s in rows("image_site", found.sites, found.n_sites)] == [(0, 1, 2), (1, 30000, 4), (0, 5, 6)]
    assert [text(n) for n in rows("span", found.names, found.n_names)] == [b"X-Foo", b"host"]
    assert [text(n) for n in rows("span", found.regexes, found.n_regexes)] == [b"^/[a-z]\\.x"]
    assert [text(n) for n in rows("span", found.storages, found.n_storages)] == [b"s0", b"Transient"]
    backends = list(rows("image_backend", found.backends, found.n_backends))
    assert [(text(b.name), text(b.host), text(b.path), b.probe, b.none, b.max_connections) for b in backends] == [
        (b"default", b"127.0.0.1", None, 0, 0, 0), (b"sick", None, None, -1, 1, 7), (b"unix", None, b"/run/x", -1, 0, 0)]
    assert (backends[0].connect_timeout_s, backends[0].first_byte_timeout_s, text(backends[2].preamble)) == (1.5, -1.0, b"\0a")
    (probe,) = rows("image_probe", found.probes, found.n_probes)
    assert (text(probe.url), text(probe.request), probe.window, probe.timeout_s) == (b"/ok", b"GET / HTTP/1.1\r\n\r\n", 9, 0.5)
    (acl,) = rows("image_acl", found.acls, found.n_acls)
    entries = list(rows("image_acl_entry", acl.entries, acl.n_entries))
    assert [(e.family, e.bits, e.negated, bytes(e.addr)[:4], text(e.text)) for e in entries] == [
        (4, 8, 1, b"\x7f\0\0\1", b"127.0.0.1/8"), (6, 0, 0, bytes(4), b"::/0")]
    (instance,) = rows("image_instance", found.instances, found.n_instances)
    imports = list(rows("image_import", found.imports, found.n_imports))
    assert text(imports[instance.fini_import].name) == b"directors_choice_fini"
    assert imports[instance.fini_import].signature == abi.fnv1a64(b"directors_choice_fini:VOID(INSTANCE)")
    assert [(text(s.name), s.hooks) for s in rows("image_sub", found.subs, found.n_subs)] == [(b"Clean", 1 << 9 | 1), (b"gone", 0)]
    recv = found.effects[0]
    assert (recv.actions, recv.flags) == (1 << Action.HASH.value | 1 << Action.FAIL.value, abi.EFFECT_MAY_WAIT)
    assert [text(r) for r in rows("span", recv.reads, recv.n_reads)] == [b"req.http.x-foo", b"req.url"]
    assert [text(r) for r in rows("span", recv.writes, recv.n_writes)] == [b"req.http.*"]
    assert found.effects[1].flags & abi.EFFECT_UNKNOWN and found.effects[1].actions == 2 ** 64 - 1


@pytest.mark.parametrize(("declared", "kind", "name"), [
    *((ir.Backend("b"), "image_backend", name) for name in BACKEND_PROPERTIES),
    *((ir.Probe("p"), "image_probe", name) for name in PROBE_PROPERTIES)])
def test_each_property_has_its_member_of_the_image(declared: ir.Backend | ir.Probe, kind: str, name: str) -> None:
    def row(declared: ir.Backend | ir.Probe) -> dict[str, Any]:
        return dict(origins.row(Tables(LAYOUTS, abi.load_contract().target), declared))

    value: Any = getattr(declared, name)
    other = changed(declared, **{name: value + 1 if isinstance(value, (int, float)) else 3 if name in ("probe", "via") else
                                 7.5 if name.endswith("timeout") else b"xyz"})
    before, after = row(declared), row(other)
    assert set(before) == {member.name for member in LAYOUTS.members[kind]}
    assert [member for member in before if before[member] != after[member]] == [name + "_s" * (name + "_s" in before)]


def test_image_tells_the_hooks_that_only_return(tmp_path: Path) -> None:
    def constant(name: str, *ops: ir.Op) -> ir.Function:
        return ir.Function(name, [], [], [ir.Block([*ops, ir.ReturnAction(Action.DELIVER, 0)])])

    module = policy()
    module.functions["vcl_hit"] = constant("vcl_hit", ir.SiteMark(0), ir.SiteMark(1))
    module.functions["vcl_deliver"] = constant("vcl_deliver", ir.Count(0, 0))
    library = ctypes.CDLL(str(compile_module(module, tmp_path / "constant.so").path))
    found = structure("policy_image").in_dll(library, abi.SYMBOL).effects
    assert found[ir.HOOKS.index("vcl_hit")].constant == Action.DELIVER.value
    assert found[ir.HOOKS.index("vcl_deliver")].constant == Action.NONE.value
    assert found[ir.HOOKS.index("vcl_recv")].constant == Action.NONE.value


def digests(module: ir.Module, folder: Path) -> tuple[bytes, bytes]:
    """Digests of the sources and of the interface."""
    # each image has its own name: the loader identifies files by name too
    name = f"digest{len(list(folder.iterdir()))}.so"
    path = compile_module(module, folder / name, Options(level=0)).path
    found = structure("policy_image").in_dll(ctypes.CDLL(str(path)), abi.SYMBOL)
    return bytes(found.source_digest), bytes(found.interface_digest)


def test_digests_change_with_their_input(tmp_path: Path) -> None:
    source, interface = digests(policy(), tmp_path)
    assert (source, interface) == digests(policy(), tmp_path)
    more_code = digests(replace(policy(5), sources=[ir.Source("shop.vcl", b"other")]), tmp_path)
    assert more_code[0] != source and more_code[1] == interface    # code can be replaced and keep its state
    moved = policy()
    moved.backends[0] = changed(moved.backends[0], site=1)
    assert digests(moved, tmp_path)[1] == interface
    for change in ({"names": ["X-Foo", "hosts"]}, {"regexes": [b"^/[a-z]\\.y"]}, {"storages": ["s0"]}, {"default_backend": 1}, {"subs": []},
                   {"backends": [changed(policy().backends[0], port="81"), *policy().backends[1:]]}):
        assert digests(replace(policy(), **change), tmp_path)[1] != interface, change


# ---- linking -----------------------------------------------------------------------------------------------


def object_of(lines: str) -> bytes:
    contract = abi.load_contract()
    return Emitter(0, contract, Stages()).object_code(f'target triple = "{contract.target.triple}"\n{lines}\n')


POLICY_LINE = "@vernis_policy = constant i64 1\n"


@pytest.mark.parametrize(("lines", "message"), [
    ("@x = global i32 1\n" + POLICY_LINE, "writable data in .data"),
    ("@x = global i32 0\n" + POLICY_LINE, "writable data in .bss"),
    ("declare void @puts()\ndefine void @f() { call void @puts()\n ret void }\n" + POLICY_LINE, "undefined symbol puts"),
    ("@x = constant i64 1\n", "no vernis_policy"),
    ("@x = thread_local global i32 1\n" + POLICY_LINE, "writable data in .tdata"),
    ("@g = external global i32\ndefine i32 @f() { %v = load i32, ptr @g\n ret i32 %v }\n" + POLICY_LINE, "undefined symbol g"),
])
def test_unsupported_sections_and_symbols_are_errors(lines: str, message: str) -> None:
    with pytest.raises(ElfError, match=message):
        link_objects([Input(read_object(object_of(lines)))], abi.load_contract().support, {})


def test_support_functions_are_linked_when_code_calls_them(tmp_path: Path) -> None:
    code = object_of("declare i32 @bcmp(ptr, ptr, i64)\n"
                     "define i32 @f(ptr %a, ptr %b, i64 %n) { %r = call i32 @bcmp(ptr %a, ptr %b, i64 %n)\n ret i32 %r }\n"
                     "@vernis_policy = constant ptr @f\n")
    path = tmp_path / "support.so"
    path.write_bytes(link_objects([Input(read_object(code))], abi.load_contract().support, {}))
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)
    call = function(ctypes.c_void_p.in_dll(ctypes.CDLL(str(path)), abi.SYMBOL).value)
    left = b"0123456789abcdef!"
    assert [call(left, left, 17), call(left, left[:16] + b"?", 17), call(left, left[:16] + b"?", 16), call(b"x", b"y", 1)] == [0, 1, 0, 1]


NUMBERS = {f"n{i}": 10 ** i for i in range(6)}


def digits(metadata: str) -> bytes:
    """An object whose function adds six numbers that it receives in six registers."""
    arguments = ", ".join(f"i64 ptrtoint (ptr @n{i} to i64)" for i in range(6))
    parameters = ", ".join(f"i64 %v{i}" for i in range(6))
    sums = "".join(f"%s{i} = add i64 %v{i}, {f'%s{i - 1}' if i else '0'}\n" for i in range(6))
    return object_of("".join(f"@n{i} = external hidden global [0 x i8]{metadata}\n" for i in range(6))
                     + f"define internal i64 @g({parameters}) noinline {{ {sums} ret i64 %s5 }}\n"
                     f"define i64 @f() {{ %r = call i64 @g({arguments})\n ret i64 %r }}\n@vernis_policy = constant ptr @f\n"
                     "!0 = !{ i64 0, i64 1073741824 }")


@pytest.mark.parametrize("metadata", ["", ", !absolute_symbol !0"])
def test_numbers_are_filled_in(metadata: str, tmp_path: Path) -> None:
    path = tmp_path / "numbers.so"
    path.write_bytes(link_objects([Input(read_object(digits(metadata)))], b"", NUMBERS))
    function = ctypes.CFUNCTYPE(ctypes.c_int64)(ctypes.c_void_p.in_dll(ctypes.CDLL(str(path)), abi.SYMBOL).value)
    assert function() == 111111


@pytest.mark.parametrize(("lines", "numbers", "message"), [
    ("define i8 @f() { %v = load i8, ptr @n\n ret i8 %v }", {"n": 1}, "n is used as an address"),
    ("define ptr @f() { ret ptr @n }", {"n": 1 << 31}, "n is 2147483648, out of range"),
    ("define ptr @f() { ret ptr @n }", {"m": 1}, "undefined symbol n"),
])
def test_invalid_number_placeholders_are_errors(lines: str, numbers: dict[str, int], message: str) -> None:
    code = read_object(object_of("@n = external hidden global i8\n" + lines + "\n" + POLICY_LINE))
    with pytest.raises(ElfError, match=message):
        link_objects([Input(code)], abi.load_contract().support, numbers)


def test_linker_errors_name_the_input() -> None:
    with pytest.raises(link.LinkError, match="not a relocatable object"):
        link.read((ROOT / "build/lib/support.o").read_bytes()[:20] + bytes(100))
    with pytest.raises(link.LinkError, match="not a relocatable object"):
        link.read(b"\x7fELF")


# ---- inlining ----------------------------------------------------------------------------------------------


def recv_text(level: int, contract: abi.Contract) -> str:
    module = policy()
    return next(generate(module, part, level, contract) for part in parts_of_policy(module) if part.name == "vcl_recv")


@pytest.mark.parametrize("level", [0, 2])
def test_no_helper_call_is_left(level: int) -> None:
    """LLVM does not inline calls if the CPUs of helper and policy do not match, and reports nothing."""
    contract = abi.load_contract()
    text = recv_text(level, contract)
    assert "call i32 @helper_string_order" in text and "call i32 @helper_ip_eq" in text
    assert "@helper_" not in str(Emitter(level, contract, Stages()).optimised_module(text))


def test_inlining_check_can_fail() -> None:
    contract = abi.load_contract()
    text = recv_text(2, contract).replace("@helper_string_order(ptr", "@helper_string_ordre(ptr")
    assert "@helper_" in str(Emitter(2, contract, Stages()).optimised_module(text))


def test_helpers_are_parsed_once_and_only_used_ones_are_linked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each function of a policy used to parse them again, and later to copy them all, in half a millisecond."""
    parsed: list[bytes] = []
    parse = optimise.llvm.parse_bitcode
    monkeypatch.setattr(optimise.llvm, "parse_bitcode", lambda *a: parsed.append(a[0]) or parse(*a))
    contract = abi.load_contract()
    text = recv_text(0, contract)
    used = {name for name in contract.helpers if name.startswith("helper_") and f"@{name}(" in text}
    optimise._helper.cache_clear()
    codes = [Emitter(0, contract, Stages()).object_code(text) for _ in range(3)]
    assert len(parsed) == len(used) > 1 and len(set(codes)) == 1
    for name in used:
        module = optimise._helper(name, contract.bitcode, contract.target, contract.cpu)
        assert [f.name for f in module.functions if not f.is_declaration] == [name]


# ---- levels and time ---------------------------------------------------------------------------------------


def test_an_image_contains_its_level(tmp_path: Path) -> None:
    for level in (0, 2):
        path = compile_module(policy(), tmp_path / f"l{level}.so", Options(level=level)).path
        assert structure("policy_image").in_dll(ctypes.CDLL(str(path)), abi.SYMBOL).optimisation == level


def test_stages_are_timed(tmp_path: Path) -> None:
    compiled = compile_module(policy(), tmp_path / "t.so", Options(level=2))      # no function is shared
    assert set(compiled.times_ms) == {"digests", "text", "parse", "link in", "optimise", "emit", "second process", "tables", "link"}
    assert compiled.n_ops > 0 and compiled.n_compiled == compiled.n_functions == len(ir.HOOKS)


def test_source_digest_is_over_names_and_texts() -> None:
    from vernis.native.image import source_digest
    assert source_digest(ir.Module("x")) == hashlib.sha256().digest()
    one = ir.Module("x", sources=[ir.Source("ab", b"c")])
    other = ir.Module("x", sources=[ir.Source("a", b"bc")])
    assert source_digest(one) != source_digest(other)
