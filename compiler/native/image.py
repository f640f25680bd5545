"""The constants of an image: ``struct policy_image`` and everything it points at. Read-only; only addresses need relocation."""

from __future__ import annotations

import hashlib
import struct

from vernis.ir import ir
from vernis.native import abi
from vernis.native.ops import Unit
from vernis.native.text import NULL_SPAN, bytes_literal, double_literal, symbol

_UNSET_SECONDS = -1.0       # "the parameter's value"


def source_digest(module: ir.Module) -> bytes:
    digest = hashlib.sha256()
    for source in module.sources:
        name = source.name.encode("utf-8", "surrogateescape")
        digest.update(struct.pack("<QQ", len(name), len(source.text)))
        digest.update(name)
        digest.update(source.text)
    return digest.digest()


def interface_digest(module: ir.Module) -> bytes:
    """Over all that a policy's state in the runtime is made from. Equal ones may take over each other's state. Where a thing
    was declared (``site``) is left out: moving a line changes no state."""
    digest = hashlib.sha256()
    tables: tuple[tuple[str, list[object]], ...] = (
        ("names", [*module.names]), ("regexes", [*module.regexes]), ("storages", [*module.storages]),
        ("probes", [*module.probes]), ("acls", [*module.acls]),
        ("backends", [_without_site(b) for b in module.backends]),
        ("instances", [_without_site(i) for i in module.instances]),
        ("default", [module.default_backend]),
        ("init", [_code_of(module, name) for name in ("vcl_init", "vcl_fini")]))
    for name, rows in tables:
        digest.update(f"{name} {len(rows)}\n".encode())
        for row in rows:
            text = repr(row).encode("utf-8", "surrogateescape")
            digest.update(struct.pack("<Q", len(text)) + text)
    return digest.digest()


def _without_site(declaration: ir.BackendDecl | ir.InstanceDecl) -> tuple[object, ...]:
    names = [n for n in type(declaration).__slots__ if n != "site"]
    return tuple(getattr(declaration, n) for n in names)


def _code_of(module: ir.Module, name: str) -> object:
    """Constructor calls and their arguments: what init makes is state too. Sites and interned order do not count."""
    function = module.functions.get(name)
    if function is None:
        return ()
    return tuple(tuple(_without_mark(op) for op in block.ops if not isinstance(op, ir.SiteMark)) for block in function.blocks)


def _without_mark(op: ir.Op) -> tuple[object, ...]:
    return (type(op).__name__, *(getattr(op, n) for n in type(op).__slots__ if n != "site"))


# ---- rows --------------------------------------------------------------------------------------------------------------


def _seconds(value: float | None) -> str:
    return "double " + double_literal(_UNSET_SECONDS if value is None else value)


def _digest(data: bytes) -> str:
    return f"[32 x i8] {bytes_literal(data)}"


def _backend(unit: Unit, b: ir.BackendDecl) -> str:
    span = unit.pool.span
    return (f"%image_backend {{ {span(b.name)}, {span(b.host)}, {span(b.port)}, {span(b.path)}, {span(b.host_header)}, "
            f"{span(b.preamble)}, {_seconds(b.connect_timeout)}, {_seconds(b.first_byte_timeout)}, "
            f"{_seconds(b.between_bytes_timeout)}, i32 {-1 if b.probe is None else b.probe}, i32 {b.max_connections}, "
            f"i32 {b.proxy_header}, i32 {int(b.none)}, i32 {b.site} }}")


def _probe(unit: Unit, p: ir.ProbeDecl) -> str:
    span = unit.pool.span
    return (f"%image_probe {{ {span(p.name)}, {span(p.url)}, {span(p.request)}, i32 {p.expected_response}, i32 {p.window}, "
            f"i32 {p.threshold}, i32 {p.initial}, {_seconds(p.timeout)}, {_seconds(p.interval)} }}")


def _acl(unit: Unit, acl: ir.AclDecl) -> str:
    entries = [f"%image_acl_entry {{ i8 {4 if len(e.address) == 4 else 6}, i8 {e.bits}, i8 {int(e.negated)}, i8 0, "
               f"[16 x i8] {bytes_literal(e.address.ljust(16, bytes(1)))}, {unit.pool.span(e.text)} }}"
               for e in acl.entries]
    return (f"%image_acl {{ {unit.pool.span(acl.name)}, ptr {unit.pool.table('%image_acl_entry', entries)}, "
            f"i32 {len(entries)}, i32 {int(acl.log)} }}")


def _instance(unit: Unit, instance: ir.InstanceDecl) -> str:
    fini = ir.Extern(instance.fini, (ir.Type.INSTANCE,), ir.Type.VOID)
    return (f"%image_instance {{ {unit.pool.span(instance.name)}, {unit.pool.span(instance.kind)}, "
            f"i32 {unit.extern_index(fini)}, i32 {instance.site} }}")


def _sites(unit: Unit) -> str:
    """As bytes: LLVM reads one long text quicker than thousands of rows."""
    sites = unit.module.sites
    if not sites:
        return "null"
    data = b"".join(struct.pack("<III", s.file, s.line, s.column) for s in sites)
    return unit.pool.constant(f"[{len(data)} x i8] {bytes_literal(data)}")


def _variable_name(effect: str) -> str:
    """``resp:x-foo`` and ``resp:*`` are ``resp.http.x-foo`` and ``resp.http.*`` in the image."""
    message, colon, name = effect.partition(":")
    return f"{message}.http.{name}" if colon else effect


def _effects(unit: Unit, hook: str) -> str:
    effects = unit.module.effects.get(hook)
    if effects is None:
        return f"%image_effects {{ i64 -1, i32 {abi.EFFECT_UNKNOWN | abi.EFFECT_MAY_WAIT}, i32 0, i32 0, ptr null, ptr null }}"
    actions = sum(1 << action.value for action in effects.actions)
    flags = abi.EFFECT_MAY_WAIT * effects.may_wait | abi.EFFECT_UNKNOWN * effects.unknown
    reads, writes = ([unit.pool.span(name) for name in sorted(map(_variable_name, names))]
                     for names in (effects.reads, effects.writes))
    return (f"%image_effects {{ i64 {actions}, i32 {flags}, i32 {len(reads)}, i32 {len(writes)}, "
            f"ptr {unit.pool.table('%span', reads)}, ptr {unit.pool.table('%span', writes)} }}")


# ---- the image -----------------------------------------------------------------------------------------------------------


def write_image(unit: Unit, contract: abi.Contract) -> list[str]:
    """Lines that define everything but the functions. Call it last: it lists the imports the functions asked for."""
    module, pool = unit.module, unit.pool
    span = pool.span
    tables = {
        "sources": ("%image_source", [f"%image_source {{ {span(s.name)}, {span(s.text)} }}" for s in module.sources]),
        "names": ("%span", [span(n) for n in module.names]),
        "regexes": ("%span", [span(r) for r in module.regexes]),
        "backends": ("%image_backend", [_backend(unit, b) for b in module.backends]),
        "probes": ("%image_probe", [_probe(unit, p) for p in module.probes]),
        "acls": ("%image_acl", [_acl(unit, a) for a in module.acls]),
        "instances": ("%image_instance", [_instance(unit, i) for i in module.instances]),
        "storages": ("%span", [span(s) for s in module.storages]),
    }
    tables["imports"] = ("%image_import", [
        f"%image_import {{ {span(i.symbol)}, i64 {abi.fnv1a64(i.signature.encode())} }}" for i in unit.signatures])
    members: dict[str, str] = {f"n_{name}": str(len(rows)) for name, (_, rows) in tables.items()}
    members |= {name: pool.table(element, rows) for name, (element, rows) in tables.items()}
    hooks = ", ".join(f"ptr {symbol(hook)}" for hook in ir.HOOKS)
    effects = ", ".join(_effects(unit, hook) for hook in ir.HOOKS)
    members |= {
        "magic": str(abi.MAGIC), "abi_version": str(abi.ABI_VERSION), "optimisation": str(unit.level),
        "sites": _sites(unit), "n_sites": str(len(module.sites)), "default_backend": str(module.default_backend),
        "hooks": f"[{hooks}]", "traced_hooks": "zeroinitializer", "effects": f"[{effects}]"}
    whole = {"name": span(module.name) if module.name else NULL_SPAN, "abi_digest": _digest(contract.digest),
             "source_digest": _digest(source_digest(module)), "interface_digest": _digest(interface_digest(module))}
    row = ", ".join(whole.get(name) or f"{abi.llvm_type(kind)} {members[name]}"
                    for name, kind in abi.STRUCTS["policy_image"])
    return [*pool.lines, f"@{abi.SYMBOL} = constant %policy_image {{ {row} }}, align 16"]


def struct_types() -> list[str]:
    return [f"%{name} = type {{ {', '.join(abi.llvm_type(kind) for _, kind in members)} }}"
            for name, members in abi.STRUCTS.items()]
