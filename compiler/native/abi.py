"""The policy contract as the compiler sees it: struct layouts, import names and signatures, machine shapes of values.

Mirrors ``runtime/policy_abi.h``; a test compiles that header and compares every offset and enum value with this file.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from vernis.ir.ir import HOOKS, Extern, Type

ABI_VERSION = 1
MAGIC = 0x3153494E52455601
SYMBOL = "vernis_policy"
TRIPLE = "x86_64-pc-linux-gnu"

# ---- struct layouts: (member, kind). Kinds are the keys of KINDS, "name*count" for arrays, or another struct. ---------

SPAN = "span"
HOOK_COUNT = len(HOOKS)

STRUCTS: dict[str, tuple[tuple[str, str], ...]] = {
    "span": (("ptr", "ptr"), ("len", "u64")),
    "vcl_ip": (("family", "u8"), ("pad", "u8"), ("port", "u16"), ("addr", "u8*16")),
    "vcl_blob": (("ptr", "ptr"), ("len", "u64"), ("type", "u32")),
    "policy_return": (("status", "u64"), ("text", "span"), ("seconds", "f64")),
    "policy_ctx": (
        ("imports", "ptr"), ("names", "ptr"), ("msg", "ptr*6"), ("policy", "ptr"), ("client", "ptr"), ("fetch", "ptr"),
        ("obj", "ptr"), ("arena", "ptr"), ("log", "ptr"), ("ret", "policy_return"), ("now", "f64"), ("site", "u32"),
        ("failed", "u32"), ("hook", "u32"), ("failed_why", "ptr"), ("loop", "ptr"),
        ("joined", "ptr"), ("joined_first", "u64"), ("failed_site", "u32"),
        ("stack_low", "ptr"), ("subs_running", "ptr")),
    "image_import": (("name", "span"), ("signature", "u64")),
    "image_source": (("name", "span"), ("text", "span")),
    "image_site": (("file", "u32"), ("line", "u32"), ("column", "u32")),
    "image_probe": (
        ("name", "span"), ("url", "span"), ("request", "span"), ("expected_response", "u32"), ("window", "u32"),
        ("threshold", "u32"), ("initial", "u32"), ("timeout_s", "f64"), ("interval_s", "f64")),
    "image_backend": (
        ("name", "span"), ("host", "span"), ("port", "span"), ("path", "span"), ("host_header", "span"),
        ("preamble", "span"), ("connect_timeout_s", "f64"), ("first_byte_timeout_s", "f64"),
        ("between_bytes_timeout_s", "f64"), ("probe", "u32"), ("max_connections", "u32"), ("proxy_header", "u32"),
        ("none", "u32"), ("site", "u32")),
    "image_acl_entry": (
        ("family", "u8"), ("bits", "u8"), ("negated", "u8"), ("pad", "u8"), ("addr", "u8*16"), ("text", "span")),
    "image_acl": (("name", "span"), ("entries", "ptr"), ("n_entries", "u32"), ("log", "u32")),
    "image_instance": (("name", "span"), ("kind", "span"), ("fini_import", "u32"), ("site", "u32")),
    "image_sub": (("name", "span"), ("hooks", "u32")),
    "image_module": (("name", "span"), ("path", "span")),
    "image_effects": (
        ("actions", "u64"), ("flags", "u32"), ("n_reads", "u32"), ("n_writes", "u32"), ("reads", "ptr"),
        ("writes", "ptr")),
    "policy_image": (
        ("magic", "u64"), ("abi_version", "u32"), ("optimisation", "u32"), ("abi_digest", "u8*32"),
        ("source_digest", "u8*32"), ("interface_digest", "u8*32"), ("name", "span"), ("hooks", f"ptr*{HOOK_COUNT}"),
        ("traced_hooks", f"ptr*{HOOK_COUNT}"), ("imports", "ptr"), ("sources", "ptr"), ("sites", "ptr"),
        ("names", "ptr"), ("regexes", "ptr"), ("backends", "ptr"), ("probes", "ptr"), ("acls", "ptr"),
        ("instances", "ptr"), ("storages", "ptr"), ("modules", "ptr"), ("subs", "ptr"),
        ("n_imports", "u32"), ("n_sources", "u32"), ("n_sites", "u32"), ("n_names", "u32"),
        ("n_regexes", "u32"), ("n_backends", "u32"), ("n_probes", "u32"), ("n_acls", "u32"),
        ("n_instances", "u32"), ("n_storages", "u32"), ("n_modules", "u32"), ("n_subs", "u32"),
        ("default_backend", "u32"), ("syntax", "u32"),
        ("effects", f"image_effects*{HOOK_COUNT}")),
}

#: kind -> (size, LLVM type)
KINDS = {"ptr": (8, "ptr"), "u64": (8, "i64"), "f64": (8, "double"), "u32": (4, "i32"), "u16": (2, "i16"), "u8": (1, "i8")}

EFFECT_MAY_WAIT = 1
EFFECT_UNKNOWN = 2


def llvm_type(kind: str) -> str:
    base, _, count = kind.partition("*")
    text = KINDS[base][1] if base in KINDS else f"%{base}"
    return f"[{count} x {text}]" if count else text


def size_and_align(kind: str) -> tuple[int, int]:
    base, _, count = kind.partition("*")
    if base in KINDS:
        size = align = KINDS[base][0]
    else:
        size, align = struct_size(base), max(size_and_align(k)[1] for _, k in STRUCTS[base])
    return size * int(count or 1), align


def _padded(offset: int, align: int) -> int:
    return (offset + align - 1) // align * align


def offset_of(struct: str, member: str) -> int:
    offset = 0
    for name, kind in STRUCTS[struct]:
        size, align = size_and_align(kind)
        offset = _padded(offset, align)
        if name == member:
            return offset
        offset += size
    raise KeyError(member)


def struct_size(struct: str) -> int:
    last, kind = STRUCTS[struct][-1]
    end = offset_of(struct, last) + size_and_align(kind)[0]
    return _padded(end, max(size_and_align(k)[1] for _, k in STRUCTS[struct]))


CTX_IMPORTS = offset_of("policy_ctx", "imports")
CTX_MSG = offset_of("policy_ctx", "msg")
CTX_SITE = offset_of("policy_ctx", "site")
CTX_FAILED = offset_of("policy_ctx", "failed")
CTX_STACK_LOW = offset_of("policy_ctx", "stack_low")

# ---- functions of the runtime ----------------------------------------------------------------------------------------


@dataclass(slots=True, frozen=True)
class Import:
    """A function the policy asks its loader for. ``signature`` is text; the image carries its hash."""

    symbol: str
    signature: str


def signature_text(extern: Extern) -> str:
    params = ",".join(t.value + ("?" if i in extern.optional else "") for i, t in enumerate(extern.params))
    return f"{extern.symbol}:{extern.result.value}({params})"


#: Symbols an object asks its linker for: a number of the import table, or the distance of its pointer from the table's start. The
#: signature follows.
IMPORT_INDEX, IMPORT_PLACE = "import.", "place."


#: Functions of the bitcode: inlined everywhere, or one copy in the policy.
HELPER_PREFIX, LOCAL_PREFIX = "helper_", "local_"


@cache
def import_of(extern: Extern) -> Import:
    return Import(extern.symbol, signature_text(extern))


def fnv1a64(data: bytes) -> int:
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def _core(symbol: str, params: tuple[Type, ...], result: Type, may_fail: bool = False) -> Extern:
    return Extern(symbol, params, result, may_fail=may_fail)


#: Functions the operations of the IR need. ``concat`` has a shape of its own and is listed apart.
CORE: dict[str, Extern] = {e.symbol: e for e in (
    _core("fail_arith", (), Type.VOID),
    _core("fail_stack", (), Type.VOID),
    _core("header_get", (Type.INT, Type.INT), Type.STRING),
    _core("header_set", (Type.INT, Type.INT, Type.STRING), Type.VOID, may_fail=True),
    _core("header_unset", (Type.INT, Type.INT), Type.VOID),
    _core("regex_match", (Type.INT, Type.STRING), Type.BOOL, may_fail=True),
    _core("acl_match", (Type.INT, Type.IP), Type.BOOL),
    _core("ref_backend", (Type.INT,), Type.BACKEND),
    _core("ref_acl", (Type.INT,), Type.ACL),
    _core("ref_probe", (Type.INT,), Type.PROBE),
    _core("ref_regex", (Type.INT,), Type.REGEX),
    _core("ref_stevedore", (Type.INT,), Type.STEVEDORE),
    _core("ref_instance", (Type.INT,), Type.INSTANCE, may_fail=True),
    _core("set_instance", (Type.INT, Type.INSTANCE), Type.VOID, may_fail=True),
    _core("to_string_int", (Type.INT,), Type.STRING, may_fail=True),
    _core("to_string_real", (Type.REAL,), Type.STRING, may_fail=True),
    _core("to_string_duration", (Type.DURATION,), Type.STRING, may_fail=True),
    _core("to_string_time", (Type.TIME,), Type.STRING, may_fail=True),
    _core("to_string_bytes", (Type.BYTES,), Type.STRING, may_fail=True),
    _core("to_string_ip", (Type.IP,), Type.STRING),
    _core("to_string_backend", (Type.BACKEND,), Type.STRING),
    _core("to_string_acl", (Type.ACL,), Type.STRING),
    _core("to_string_probe", (Type.PROBE,), Type.STRING),
    _core("to_string_stevedore", (Type.STEVEDORE,), Type.STRING),
    _core("to_string_blob", (Type.BLOB,), Type.STRING),
)}
CONCAT = Import("concat", "concat:STRING(SPANS,INT)")

#: Machine type of a value at a call; STRING is two of them.
MACHINE: dict[Type, str] = {
    Type.INT: "i64", Type.BYTES: "i64", Type.REAL: "double", Type.DURATION: "double", Type.TIME: "double",
    Type.BOOL: "i32", Type.ACTION: "i32", Type.SUB: "i32", Type.VOID: "void",
    **dict.fromkeys((Type.IP, Type.BACKEND, Type.ACL, Type.PROBE, Type.STEVEDORE, Type.BLOB, Type.HTTP, Type.REGEX,
                     Type.INSTANCE), "ptr"),
}

#: Integer registers for arguments (System V x86-64); a text needs two of them or goes by memory as a whole.
INTEGER_REGISTERS = 6


def texts_by_memory(kinds: list[str]) -> list[bool]:
    """For the arguments of a call in order ("text", "i64", "i32", "double" or "ptr"; the context comes first, before
    these): whether each is a text that no longer fits into registers."""
    free = INTEGER_REGISTERS - 1
    result = []
    for kind in kinds:
        need = {"text": 2, "double": 0}.get(kind, 1)
        result.append(kind == "text" and need > free)
        if need <= free:
            free -= need
    return result


# ---- what the build left for us ----------------------------------------------------------------------------------------


class MissingBuild(Exception):
    """The bitcode or the digest of the contract is not where it should be."""


@dataclass(slots=True, frozen=True)
class Contract:
    digest: bytes
    cpu: str
    bitcode: bytes
    support: bytes          # object with what LLVM may call by itself


def library_folder() -> Path:
    """``build/lib`` of the checkout, or ``lib`` inside an installed package."""
    here = Path(__file__).resolve()
    for folder in (here.parents[1] / "lib", here.parents[2] / "build" / "lib"):
        if (folder / "abi.json").exists():
            return folder
    raise MissingBuild("abi.json, inline.bc and support.o are missing: run `make build`")


def load_contract(folder: Path | None = None) -> Contract:
    folder = folder or library_folder()
    try:
        facts = json.loads((folder / "abi.json").read_text())
        return Contract(bytes.fromhex(facts["abi_digest"]), facts["cpu"], (folder / "inline.bc").read_bytes(),
                        (folder / "support.o").read_bytes())
    except (OSError, ValueError, KeyError) as error:
        raise MissingBuild(f"{folder}: {error}") from error
