"""Prints the IR: one line per op, in a stable form for golden tests and for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from vernis.ir import ir
from vernis.ir.ir import Type


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
        name = _name(module, change.msg, change.name)
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


def _arguments(op: ir.Call | ir.NewInstance) -> str:
    shown = [
        f"v{a}" if op.given is None or i not in op.extern.optional or op.given >> i & 1 else "-"
        for i, a in enumerate(op.args)
    ]
    return f"{op.extern.symbol}({', '.join(shown)})"


def op_text(module: ir.Module, function: ir.Function, op: ir.Op) -> str:
    dst = getattr(op, "dst", None)
    left = "" if dst is None else f"v{dst} {function.types[dst].value} = "
    return left + _right(module, op)


def _name(module: ir.Module, msg: ir.Msg, name: int) -> str:
    return f"{msg.name.lower()}.http.{module.names[name] if name < len(module.names) else name}"


def _right(module: ir.Module, op: ir.Op) -> str:
    match op:
        case ir.Const():
            return _constant(op.type, op.value)
        case ir.Ref():
            return f"ref {op.index if op.type is not Type.HTTP else ir.Msg(op.index).name.lower()}"
        case ir.Arith():
            return f"v{op.a} {op.op}{' checked' * op.checked} v{op.b}"
        case ir.CompareOp():
            return f"v{op.a} {op.op} v{op.b}"
        case ir.Convert():
            return f"convert v{op.a}"
        case ir.NotOp():
            return f"not v{op.a}"
        case ir.Concat():
            return f"concat({', '.join(f'v{p}' for p in op.parts)})"
        case ir.HeaderGet():
            return f"get {_name(module, op.msg, op.name)}"
        case ir.HeaderSet():
            return f"set {_name(module, op.msg, op.name)} = v{op.value}"
        case ir.HeaderUnset():
            return f"unset {_name(module, op.msg, op.name)}"
        case ir.Match():
            return f"v{op.subject} ~ regex {op.regex} {quoted(module.regexes[op.regex])}"
        case ir.PatternTest():
            pattern = _pattern(module, module.patterns[op.pattern])
            return f"v{op.subject} ~ pattern {op.pattern} of set {op.set} {pattern}"
        case ir.PatternSub():
            args = ", ".join(f"v{arg}" for arg in op.args)
            return f"{op.extern.symbol}({args}) unless pattern {op.pattern} of set {op.set} has no match"
        case ir.NextMatch():
            subjects = ", ".join(f"v{subject}" for subject in op.subjects)
            return f"next of chain {op.chain} from v{op.start} of {subjects}"
        case ir.AclMatch():
            return f"v{op.ip} ~ acl {module.acls[op.acl].name}"
        case ir.Call():
            return _arguments(op)
        case ir.NewInstance():
            return f"new {module.instances[op.instance].name} = {_arguments(op)}"
        case ir.CallSub():
            return f"call {op.sub}"
        case ir.Load():
            return f"load s{op.slot}"
        case ir.Store():
            return f"store s{op.slot} = v{op.a}"
        case ir.Count():
            return f"count rule {op.rule}"
        case ir.SiteMark():
            site = module.sites[op.site] if op.site < len(module.sites) else None
            return f"site {op.site}" + ("" if site is None else f" {site.file}:{site.line}:{site.column}")
        case ir.Jump():
            return f"jump b{op.target}"
        case ir.Branch():
            return f"branch v{op.cond} b{op.then} b{op.other}"
        case ir.Switch():
            return f"switch v{op.value} {' '.join(f'b{target}' for target in op.targets)} else b{op.other}"
        case ir.ReturnAction():
            return f"return {op.action.name.lower()}"
        case ir.ReturnValue():
            return f"return v{op.a}"
        case _:
            assert_never(op)
