"""Prints the IR: one line per op, in a stable form for golden tests and for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from vernis.ir import ir
from vernis.ir.ir import Type
from vernis.ir.roles import roles_of


def module_text(module: ir.Module) -> str:
    """Declarations that are not empty, then functions in the module's order."""
    return "\n".join([*_declarations(module), *(function_text(module, f) for f in module.functions.values())])


def function_text(module: ir.Module, function: ir.Function) -> str:
    lines = [f"sub {function.name}"]
    if function.slots:
        lines.append("  slots " + " ".join(f"s{i}:{t.value}" for i, t in enumerate(function.slots)))
    for number, block in enumerate(function.blocks):
        lines.append(f"  b{number}:")
        lines += [f"    {op_text(module, function, op)}" for op in block.ops]
    return "\n".join(lines) + "\n"


def _declarations(module: ir.Module) -> Iterator[str]:
    yield f"module {module.name}"
    for number, name in enumerate(module.names):
        yield f"name {number} {name}"
    for number, pattern in enumerate(module.regexes):
        yield f"regex {number} {quoted(pattern)}"
    for number, backend in enumerate(module.backends):
        default = " default" if number == module.default_backend else ""
        where = "none" if backend.none else backend.path or f"{backend.host}:{backend.port or ''}"
        probe = "" if backend.probe is None else f" probe {backend.probe}"
        yield f"backend {number} {backend.name} {where}{probe}{default}"
    for number, declared in enumerate(module.probes):
        yield f"probe {number} {declared.name}"
    for number, acl in enumerate(module.acls):
        entries = ", ".join(("!" if e.negated else "") + e.text for e in acl.entries)
        yield f"acl {number} {acl.name} {{{entries}}}"
    for number, instance in enumerate(module.instances):
        yield f"instance {number} {instance.name} = {instance.kind}"
    for number, storage in enumerate(module.storages):
        yield f"storage {number} {storage}"
    for number, member in enumerate(module.patterns):
        yield f"pattern {number} {_pattern(module, member)}"
    for number, found in enumerate(module.pattern_sets):
        yield f"set {number} patterns {found.first} to {found.first + found.n - 1}"
    for number, chain in enumerate(module.chains):
        yield f"chain {number} {', '.join(_subject(subject) for subject in chain.subjects)}"
        for test, body in enumerate(chain.bodies):
            yield f"  {test}: {_row(module, body) if isinstance(body, ir.Row) else f'exit {body}'}"
    yield ""


def _pattern(module: ir.Module, pattern: ir.Pattern) -> str:
    if pattern.regex is None:
        return f"is {quoted(pattern.text)}"
    return f"regex {pattern.regex} {quoted(module.regexes[pattern.regex])}"


def _subject(subject: ir.ChainSubject) -> str:
    return f"tests {' '.join(map(str, subject.tests))} of set {subject.set} from pattern {subject.first}"


def _row(module: ir.Module, row: ir.Row) -> str:
    steps = [] if row.rule is None else [f"count rule {row.rule}"]
    for change in row.changes:
        name = f"{change.msg.name.lower()}.http.{module.names[change.name]}"
        text = quoted(change.text if change.kind == "set" else None)
        steps.append(f"unset {name}" if change.kind == "remove" else f"set {name} = {text}")
    return "; ".join([*steps, f"exit {row.exit}" if row.next is None else f"test {row.next}"])


def quoted(text: bytes | None) -> str:
    if text is None:
        return "unset"
    body = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\x{b:02x}" for b in text)
    return f'"{body}"'


def _constant(type: Type, value: ir.ConstValue) -> str:
    if isinstance(value, bytes) and type is not Type.STRING:
        return value.hex() or "empty"
    if value is None or isinstance(value, bytes):
        return quoted(value) if type is Type.STRING else "none"
    return str(value).lower() if isinstance(value, bool) else repr(value)


def op_text(module: ir.Module, function: ir.Function, op: ir.Op) -> str:
    dst = getattr(op, "dst", None)
    left = "" if dst is None else f"v{dst} {function.types[dst].value} = "
    return left + _right(module, op)


def _right(module: ir.Module, op: ir.Op) -> str:
    text = ir.OPS[type(op)].text.format_map(_Shown(module, op))
    match op:
        case ir.Const():
            return _constant(op.type, op.value)
        case ir.Ref():
            return f"ref {op.index if op.type is not Type.HTTP else ir.Msg(op.index).name.lower()}"
        case ir.PatternTest():
            return f"{text} {_pattern(module, module.patterns[op.pattern])}"
        case ir.Call():
            return _arguments(op)
        case ir.NewInstance():
            return f"new {module.instances[op.instance].name} = {_arguments(op)}"
        case ir.SiteMark():
            site = module.sites[op.site] if op.site < len(module.sites) else None
            return f"site {op.site}" + ("" if site is None else f" {site.file}:{site.line}:{site.column}")
    assert text, type(op)
    return text


def _arguments(op: ir.Call | ir.NewInstance) -> str:
    shown = [
        f"v{a}" if op.given is None or i not in op.extern.optional or op.given >> i & 1 else "-"
        for i, a in enumerate(op.args)
    ]
    return f"{op.extern.symbol}({', '.join(shown)})"


class _Shown(dict[str, str]):
    """The texts of an op's members, by their names."""

    def __init__(self, module: ir.Module, op: ir.Op) -> None:
        self.module, self.op = module, op

    def __missing__(self, name: str) -> str:
        member: Any = getattr(self.op, name)
        match roles_of(type(self.op))[name]:
            case "Value":
                return f"v{member}"
            case "Values":
                return ", ".join(f"v{value}" for value in member)
            case "BlockId":
                return f"b{member}"
            case "BlockIds":
                return " ".join(f"b{block}" for block in member)
            case "SlotId":
                return f"s{member}"
            case "NameId":
                return str(self.module.names[member] if member < len(self.module.names) else member)
            case "RegexId":
                return f"{member} {quoted(self.module.regexes[member])}"
            case "AclId":
                return str(self.module.acls[member].name)
            case "Extern":
                return str(member.symbol)
            case "Msg" | "Action":
                return str(member.name.lower())
            case "bool":
                return f" {name}" if member else ""
        return str(member)
