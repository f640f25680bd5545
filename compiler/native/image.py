"""Writes the constants of an image: ``struct policy_image`` and the tables it points to. All are read-only;
only addresses need relocation."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from vernis.ir import ir
from vernis.ir.externs import fini_of
from vernis.native import abi, origins
from vernis.native.tables import NULL, Leaf, Place, Row, Tables


def source_digest(module: ir.Module) -> bytes:
    digest = hashlib.sha256()
    for source in module.sources:
        name = source.name.encode("utf-8", "surrogateescape")
        digest.update(struct.pack("<QQ", len(name), len(source.text)))
        digest.update(name)
        digest.update(source.text)
    return digest.digest()


def interface_digest(module: ir.Module) -> bytes:
    """Digest over everything that determines a policy's state in the runtime. A policy with an equal digest
    can take over that state. The digest leaves out the position of a declaration (``site``), because moving a
    line does not change state."""
    digest = hashlib.sha256()
    tables: tuple[tuple[str, list[object]], ...] = (
        ("names", [*module.names]),
        ("regexes", [*module.regexes]),
        ("storages", [*module.storages]),
        ("probes", [_without_site(p) for p in module.probes]),
        ("acls", [*module.acls]),
        ("tables", [_state_of_table(t) for t in module.tables]),
        ("counters", [*module.counters]),
        ("modules", [*module.modules]),
        ("subs", [*module.subs]),
        ("patterns", [(pattern.regex, pattern.text) for pattern in module.patterns]),
        ("pattern_sets", [*module.pattern_sets]),
        ("backends", [_without_site(b) for b in module.backends]),
        ("instances", [_without_site(i) for i in module.instances]),
        ("default", [module.default_backend]),
        ("init", [_code_of(module, name) for name in ir.HOUSEKEEPING]),
    )
    for name, rows in tables:
        text = repr(rows).encode("utf-8", "surrogateescape")
        digest.update(f"{name} {len(text)}\n".encode() + text)
    return digest.digest()


def _without_site(declaration: ir.Backend | ir.Probe | ir.InstanceDecl) -> tuple[object, ...]:
    names = [n for n in ir.members(declaration) if n not in ("site", "at")]
    return tuple(getattr(declaration, n) for n in names)


def _state_of_table(t: ir.TableDecl) -> tuple[object, ...]:
    """A default is in the code. The rows of a file are no part of the policy."""
    return (t.name, t.kind, t.value.value, t.rows, t.file, t.columns)


def _code_of(module: ir.Module, name: str) -> object:
    """The ops of vcl_init or vcl_fini without sites. The objects that vcl_init makes are state too."""
    function = module.functions.get(name)
    if function is None:
        return ()
    return tuple(
        tuple(_without_mark(op) for op in block.ops if not isinstance(op, (ir.SiteMark, ir.Count)))
        for block in function.blocks
    )


def _without_mark(op: ir.Op) -> tuple[object, ...]:
    return (type(op).__name__, *(getattr(op, n) for n in ir.members(op) if n != "site"))


# ---- rows --------------------------------------------------------------------------------------------------


def _acl(tables: Tables, acl: ir.AclDecl) -> Row:
    entries = tables.table("image_acl_entry", [_acl_entry(tables, entry) for entry in acl.entries])
    return {
        "name": tables.span(acl.name),
        "entries": entries,
        "n_entries": len(acl.entries),
        "log": int(acl.log),
    }


def _acl_entry(tables: Tables, e: ir.AclEntryDecl) -> Row:
    family = 4 if len(e.address) == 4 else 6
    return {
        "family": family,
        "bits": e.bits,
        "negated": int(e.negated),
        "addr": e.address.ljust(16, bytes(1)),
        "text": tables.span(e.text),
    }


def _table(tables: Tables, t: ir.TableDecl) -> Row:
    key_column, value_column = t.columns or (None, None)
    return {
        "name": tables.span(t.name),
        "file": tables.span(t.file),
        "key_column": tables.span(key_column),
        "value_column": tables.span(value_column),
        "rows": tables.table("image_table_row", [_table_row(tables, t.value, row) for row in t.rows]),
        "n_rows": len(t.rows),
        "kind": ir.TABLE_KINDS.index(t.kind),
        "value": ir.TABLE_VALUES.index(t.value),
        "site": t.site,
    }


def _table_row(tables: Tables, type: ir.Type, row: tuple[bytes, ir.ConstValue]) -> Row:
    key, value = row
    is_real = type in (ir.Type.REAL, ir.Type.DURATION)
    return {
        "key": tables.span(key),
        "text": tables.span(value if isinstance(value, bytes) else None),
        "whole": int(value) if isinstance(value, int) and not is_real else 0,
        "real": float(value) if isinstance(value, (int, float)) and is_real else 0.0,
    }


def _counter(tables: Tables, counter: ir.CounterDecl) -> Row:
    return {
        "name": tables.span(counter.name),
        "labels": tables.spans(counter.labels),
        "n_labels": len(counter.labels),
    }


def _instance(tables: Tables, imports: Imports, instance: ir.InstanceDecl) -> Row:
    fini = abi.import_of(fini_of(instance.fini))
    return {
        "name": tables.span(instance.name),
        "kind": tables.span(instance.kind),
        "fini_import": imports.index(fini.signature),
        "site": instance.site,
    }


def _pattern(tables: Tables, pattern: ir.Pattern) -> Row:
    is_text = pattern.regex is None
    return {
        "regex": -1 if pattern.regex is None else pattern.regex,
        "text": tables.span(pattern.text if is_text else None),
    }


#: Flag of a place where a chain goes on, and the mark of a row that counts no rule: policy_abi.h.
_EXIT, _NO_RULE = 1 << 31, (1 << 32) - 1
_ROW_ALIGN = 4
_PADS = tuple(bytes(-length % _ROW_ALIGN) for length in range(_ROW_ALIGN))
_CHANGE_NUMBERS = {kind: number for number, kind in enumerate(ir.CHANGE_KINDS)}
_LINE_BYTES = 64  # of a processor's cache


def _chain(tables: Tables, module: ir.Module, chain: ir.Chain) -> Row:
    subjects = [
        {
            "set": subject.set,
            "place": subject.first - module.pattern_sets[subject.set].first,
            "tests": _numbers(tables, subject.tests),
            "n_tests": len(subject.tests),
        }
        for subject in chain.subjects
    ]
    rows = bytearray()
    head, change = (tables.layouts.packed(kind).whole.pack for kind in ("image_row", "image_change"))
    bodies = [
        _EXIT | body if isinstance(body, int) else _add_row(rows, _row(head, change, body, chain))
        for body in chain.bodies
    ]
    return {
        "subjects": tables.table("image_chain_subject", subjects),
        "tests": tables.leaves("image_chain_test", [*zip(chain.sites, bodies, strict=True)]),
        "rows": tables.text(bytes(rows), align=_LINE_BYTES),
        "n_subjects": len(chain.subjects),
        "n_tests": len(chain.sites),
        "n_exits": chain.n_exits,
        "rows_bytes": len(rows),
    }


def _add_row(rows: bytearray, row: bytes) -> int:
    """Adds a row; returns its offset. A row that fits into one cache line does not begin in the line
    before."""
    left = -len(rows) % _LINE_BYTES
    if left < len(row) <= _LINE_BYTES:
        rows += bytes(left)
    at = len(rows)
    rows += row
    return at


def _row(head: Callable[..., bytes], change_of: Callable[..., bytes], row: ir.Row, chain: ir.Chain) -> bytes:
    """``head`` and ``change_of`` make the structures. Written out, because policies have thousands."""
    if row.next is None:
        next = _EXIT | (row.exit or 0)
    else:
        next = _EXIT | chain.n_exits if row.next == len(chain.sites) else row.next
    rule = _NO_RULE if row.rule is None else row.rule
    parts = [head(rule, next, row.site, len(row.changes), 0)]
    for change in row.changes:
        length = len(change.text)
        kind, msg = _CHANGE_NUMBERS[change.kind], change.msg._value_  # ``value`` is a call
        parts += (
            change_of(change.site, change.name, length, msg, kind, 0),
            change.text,
            _PADS[length % _ROW_ALIGN],
        )
    return b"".join(parts)


def _numbers(tables: Tables, numbers: Sequence[int]) -> Leaf:
    """Address of an array of uint32_t."""
    return tables.text(struct.pack(f"<{len(numbers)}I", *numbers), align=4)


def _rules(tables: Tables, rules: Sequence[ir.Rule], names: Sequence[str]) -> Leaf:
    """Address of the rules. A name is its index in the table of names, from 1 on."""
    numbers = {name: number for number, name in enumerate(names, 1)}
    pack = _packer(tables, "image_rule", "site", "start", "length", "end_line", "end_column", "name")
    return _plain(
        tables,
        [pack(r.site, r.start, r.length, r.end_line, r.end_column, numbers.get(r.name, 0)) for r in rules],
    )


def _sites(tables: Tables, sites: Sequence[ir.Site]) -> Leaf:
    """Address of the sites."""
    pack = _packer(tables, "image_site", "file", "line", "column")
    return _plain(tables, [pack(site.file, site.line, site.column) for site in sites])


def _packer(tables: Tables, kind: str, *members: str) -> Callable[..., bytes]:
    """Makes a structure without addresses of its members, in the order of the structure. Written out for
    each kind, because there are many of these."""
    assert members == tuple(member.name for member in tables.layouts.members[kind])
    return tables.layouts.packed(kind).whole.pack


def _plain(tables: Tables, rows: Sequence[bytes]) -> Leaf:
    """Address of an array of structures without addresses."""
    return tables.text(b"".join(rows), align=4) if rows else NULL


def _variable_name(effect: str) -> str:
    """Turns ``resp:x-foo`` and ``resp:*`` into ``resp.http.x-foo`` and ``resp.http.*``, the form in the
    image."""
    message, colon, name = effect.partition(":")
    return f"{message}.http.{name}" if colon else effect


def _constant(function: ir.Function | None) -> ir.Action:
    """The action of a hook that does nothing but return it. NONE: the hook does more."""
    if function is None or len(function.blocks) != 1:
        return ir.Action["NONE"]
    *before, last = function.blocks[0].ops
    if isinstance(last, ir.ReturnAction) and all(isinstance(op, ir.SiteMark) for op in before):
        return last.action
    return ir.Action["NONE"]


def _effects(tables: Tables, effects: ir.Effects | None, function: ir.Function | None) -> Row:
    if effects is None:
        return {
            "actions": -1,
            "flags": abi.EFFECT_UNKNOWN | abi.EFFECT_MAY_WAIT,
            "constant": _constant(function).value,
            "n_reads": 0,
            "n_writes": 0,
            "reads": NULL,
            "writes": NULL,
        }
    reads, writes = (sorted(map(_variable_name, names)) for names in (effects.reads, effects.writes))
    return {
        "actions": sum(1 << action.value for action in effects.actions),
        "flags": abi.EFFECT_MAY_WAIT * effects.may_wait | abi.EFFECT_UNKNOWN * effects.unknown,
        "constant": _constant(function).value,
        "n_reads": len(reads),
        "n_writes": len(writes),
        "reads": tables.spans(reads),
        "writes": tables.spans(writes),
    }


# ---- the image ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Imports:
    """The table of imported functions: indices by signature, in the order of first use."""

    indices: dict[str, int] = field(default_factory=dict)

    def index(self, signature: str) -> int:
        return self.indices.setdefault(signature, len(self.indices))


@dataclass(slots=True)
class ImageTables:
    """Everything of an image but code and the table of imports, which grows with the code. So a compile
    writes the tables while the second process still makes code (compile.py)."""

    tables: Tables
    image: dict[str, Leaf | Sequence[Leaf]]

    def object_code(self, imports: Imports) -> bytes:
        """The object with everything but code. ``imports`` are complete."""
        tables = self.tables
        rows: list[Row] = [
            {"name": tables.span(signature.partition(":")[0]), "signature": abi.fnv1a64(signature.encode())}
            for signature in imports.indices
        ]
        imported = {"n_imports": len(rows), "imports": tables.table("image_import", rows)}
        place = tables.table("policy_image", [self.image | imported])
        assert isinstance(place, Place)
        return tables.object_code(abi.SYMBOL, place, tables.layouts.sizes["policy_image"])


def image_tables(module: ir.Module, level: int, contract: abi.Contract, imports: Imports) -> ImageTables:
    """The tables of an image. Adds the destructors of instances to ``imports``."""
    tables = Tables(contract.layouts, contract.target)
    span = tables.span
    rows: dict[str, tuple[str, list[Row]]] = {
        "sources": ("image_source", [{"name": span(s.name), "text": span(s.text)} for s in module.sources]),
        "backends": ("image_backend", [origins.row(tables, b) for b in module.backends]),
        "probes": ("image_probe", [origins.row(tables, p) for p in module.probes]),
        "acls": ("image_acl", [_acl(tables, a) for a in module.acls]),
        "tables": ("image_table", [_table(tables, t) for t in module.tables]),
        "counters": ("image_counter", [_counter(tables, c) for c in module.counters]),
        "instances": ("image_instance", [_instance(tables, imports, i) for i in module.instances]),
        "subs": ("image_sub", [{"name": span(s.name), "hooks": s.hooks} for s in module.subs]),
        "patterns": ("image_pattern", [_pattern(tables, p) for p in module.patterns]),
        "pattern_sets": (
            "image_pattern_set",
            [{"first": s.first, "n_patterns": s.n} for s in module.pattern_sets],
        ),
        "chains": ("image_chain", [_chain(tables, module, c) for c in module.chains]),
        "modules": (
            "image_module",
            [{"name": span(m.name), "path": span(m.library)} for m in module.modules],
        ),
    }
    rule_names = list(dict.fromkeys(rule.name for rule in module.rules if rule.name))
    texts: dict[str, Sequence[bytes | str]] = {
        "rule_names": rule_names,
        "names": module.names,
        "regexes": module.regexes,
        "storages": module.storages,
    }
    image: dict[str, Leaf | Sequence[Leaf]] = {
        "magic": abi.MAGIC,
        "abi_version": abi.ABI_VERSION,
        "optimisation": level,
        "abi_digest": contract.digest,
        "source_digest": source_digest(module),
        "interface_digest": interface_digest(module),
        "name": span(module.name or None),
        "sites": _sites(tables, module.sites),
        "n_sites": len(module.sites),
        "rules": _rules(tables, module.rules, rule_names),
        "n_rules": len(module.rules),
        "hooks": [tables.function(hook) for hook in ir.HOOKS],
        "default_backend": module.default_backend,
        "syntax": module.syntax,
        "follows_rfc9111": int(module.follows_rfc9111),
        "rules_left": module.rules_left,
        "effects": _all_effects(tables, module),
    }
    image |= {f"n_{name}": len(found) for name, (_, found) in rows.items()}
    image |= {f"n_{name}": len(listed) for name, listed in texts.items()}
    image |= {name: tables.table(kind, found) for name, (kind, found) in rows.items()}
    image |= {name: tables.spans(listed) for name, listed in texts.items()}
    return ImageTables(tables, image)


def _all_effects(tables: Tables, module: ir.Module) -> list[Leaf]:
    """The leaves of one ``image_effects`` per hook."""
    rows = [_effects(tables, module.effects.get(hook), module.functions.get(hook)) for hook in ir.HOOKS]
    return [leaf for row in rows for leaf in tables.flat("image_effects", row)]
