"""The constants of an image: ``struct policy_image`` and everything it points at. Read-only; only addresses need relocation."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

from vernis.ir import ir
from vernis.native import abi
from vernis.native.tables import NULL, Leaf, Place, Tables

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
        ("probes", [*module.probes]), ("acls", [*module.acls]), ("modules", [*module.modules]),
        ("subs", [*module.subs]),
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


def _seconds(value: float | None) -> float:
    return _UNSET_SECONDS if value is None else float(value)


def _backend(tables: Tables, b: ir.BackendDecl) -> list[Leaf]:
    span = tables.span
    return [*span(b.name), *span(b.host), *span(b.port), *span(b.path), *span(b.host_header), *span(b.preamble),
            _seconds(b.connect_timeout), _seconds(b.first_byte_timeout), _seconds(b.between_bytes_timeout),
            -1 if b.probe is None else b.probe, b.max_connections, b.proxy_header, int(b.none), b.site]


def _probe(tables: Tables, p: ir.ProbeDecl) -> list[Leaf]:
    span = tables.span
    return [*span(p.name), *span(p.url), *span(p.request), p.expected_response, p.window, p.threshold, p.initial,
            _seconds(p.timeout), _seconds(p.interval)]


def _acl(tables: Tables, acl: ir.AclDecl) -> list[Leaf]:
    entries = [[4 if len(e.address) == 4 else 6, e.bits, int(e.negated), 0, e.address.ljust(16, bytes(1)), *tables.span(e.text)]
               for e in acl.entries]
    return [*tables.span(acl.name), tables.table("image_acl_entry", entries), len(entries), int(acl.log)]


def _instance(tables: Tables, imports: Imports, instance: ir.InstanceDecl) -> list[Leaf]:
    fini = abi.import_of(ir.Extern(instance.fini, (ir.Type.INSTANCE,), ir.Type.VOID))
    return [*tables.span(instance.name), *tables.span(instance.kind), imports.index(fini.signature), instance.site]


def _sites(tables: Tables, sites: list[ir.Site]) -> Leaf:
    if not sites:
        return NULL
    return tables.bytes(b"".join(struct.pack("<III", s.file, s.line, s.column) for s in sites), align=4)


def _variable_name(effect: str) -> str:
    """``resp:x-foo`` and ``resp:*`` are ``resp.http.x-foo`` and ``resp.http.*`` in the image."""
    message, colon, name = effect.partition(":")
    return f"{message}.http.{name}" if colon else effect


def _effects(tables: Tables, effects: ir.Effects | None) -> list[Leaf]:
    if effects is None:
        return [-1, abi.EFFECT_UNKNOWN | abi.EFFECT_MAY_WAIT, 0, 0, NULL, NULL]
    actions = sum(1 << action.value for action in effects.actions)
    flags = abi.EFFECT_MAY_WAIT * effects.may_wait | abi.EFFECT_UNKNOWN * effects.unknown
    reads, writes = ([tables.span(name) for name in sorted(map(_variable_name, names))] for names in (effects.reads, effects.writes))
    return [actions, flags, len(reads), len(writes), tables.table("span", reads), tables.table("span", writes)]


# ---- the image -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Imports:
    """The table of functions the policy asks its loader for: by signature, in the order they were first asked for."""

    indices: dict[str, int] = field(default_factory=dict)

    def index(self, signature: str) -> int:
        return self.indices.setdefault(signature, len(self.indices))


def image_object(module: ir.Module, level: int, contract: abi.Contract, imports: Imports) -> bytes:
    """The object with everything but code. ``imports`` are those of the code; destructors of instances are added."""
    tables = Tables()
    span = tables.span
    rows: dict[str, tuple[str, list[Sequence[Leaf]]]] = {
        "sources": ("image_source", [[*span(s.name), *span(s.text)] for s in module.sources]),
        "names": ("span", [span(n) for n in module.names]),
        "regexes": ("span", [span(r) for r in module.regexes]),
        "backends": ("image_backend", [_backend(tables, b) for b in module.backends]),
        "probes": ("image_probe", [_probe(tables, p) for p in module.probes]),
        "acls": ("image_acl", [_acl(tables, a) for a in module.acls]),
        "instances": ("image_instance", [_instance(tables, imports, i) for i in module.instances]),
        "subs": ("image_sub", [[*span(s.name), s.hooks] for s in module.subs]),
        "storages": ("span", [span(s) for s in module.storages]),
        "modules": ("image_module", [[*span(m.name), *span(m.library)] for m in module.modules]),
    }
    rows["imports"] = ("image_import", [[*span(signature.partition(":")[0]), abi.fnv1a64(signature.encode())]
                                        for signature in imports.indices])
    members: dict[str, list[Leaf]] = {f"n_{name}": [len(found)] for name, (_, found) in rows.items()}
    members |= {name: [tables.table(kind, found)] for name, (kind, found) in rows.items()}
    members |= {
        "magic": [abi.MAGIC], "abi_version": [abi.ABI_VERSION], "optimisation": [level], "abi_digest": [contract.digest],
        "source_digest": [source_digest(module)], "interface_digest": [interface_digest(module)],
        "name": [*span(module.name or None)], "sites": [_sites(tables, module.sites)], "n_sites": [len(module.sites)],
        "hooks": [tables.function(hook) for hook in ir.HOOKS], "traced_hooks": [NULL] * abi.HOOK_COUNT,
        "default_backend": [module.default_backend], "syntax": [module.syntax],
        "effects": [leaf for hook in ir.HOOKS for leaf in _effects(tables, module.effects.get(hook))]}
    row = [leaf for name, _ in abi.STRUCTS["policy_image"] for leaf in members[name]]
    place = tables.table("policy_image", [row])
    assert isinstance(place, Place)
    return tables.object_code(abi.SYMBOL, place, abi.struct_size("policy_image"))
