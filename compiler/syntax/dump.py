"""Prints a tree as compact text: one line per declaration, statement or arm; expressions as s-expressions.

Used by ``vernis parse`` and by tests, as golden text. The nesting limit bounds the depth of the output;
chains are flat.
"""

from __future__ import annotations

from typing import Any

from vernis.syntax import nodes as n
from vernis.syntax.frames import enough_frames


def dump(program: n.Program, builtin: bool = False) -> str:
    """Prints the declarations of a policy, and with ``builtin`` those of the builtin policy too."""
    enough_frames()
    end = len(program.declarations) if builtin else program.builtin_from
    lines: list[str] = []
    for declaration in program.declarations[:end]:
        _declaration(declaration, lines)
    return "\n".join(lines) + "\n" if lines else ""


def _declaration(d: Any, out: list[str]) -> None:
    match d:
        case n.Version():
            out.append(f"(vcl {d.number})")
        case n.Caching():
            out.append(f"(caching {d.number})")
        case n.Unused():
            out.append(f"(unused {d.name})")
        case n.Import():
            alias = f" as={d.alias}" if d.alias else ""
            path = f" from={_text(d.path)}" if d.path is not None else ""
            out.append(f"(import {d.module}{alias}{path})")
        case n.Backend():
            out.append(f"(backend {d.name}{' none' if d.none else ''})")
            _properties(d.properties, out, 1)
        case n.Probe():
            out.append(f"(probe {d.name})")
            _properties(d.body.properties, out, 1)
        case n.Acl():
            out.append(f"(acl {' '.join((d.name, *d.flags))})")
            out.extend("  " + _acl_entry(entry) for entry in d.entries)
        case n.Sub():
            out.extend(_annotation(a) for a in d.annotations)
            out.append(f"(sub {d.name}{_params(d.params)})")
            _block(d.body, out, 1)
        case n.InlineC():
            out.append("(inline-c)")
        case n.Broken():
            out.append("(broken)")
        case n.Constant():
            word = "param" if d.given else "const"
            out.append(f"({word} {d.name}{_typed(d.type)} {expression(d.value)})")
        case n.Function():
            out.append(f"(fn {d.name}{_params(d.params)}{_typed(d.result)})")
            _block(d.body, out, 1)
        case n.TextSet():
            out.append(f"(set {d.name} [{' '.join(map(expression, d.items))}])")
        case n.Table():
            source = "" if d.path is None else f" from={_text(d.path.value)}"
            columns = "" if d.columns is None else f" columns={','.join(d.columns)}"
            out.append(f"(table {d.name}{_typed(d.type)} {name(d.kind)}{source}{columns})")
            out.extend("  " + _row(row) for row in d.rows)
        case n.Counter():
            out.append(f"(counter {' '.join((d.name, *map(name, d.labels)))})")
        case n.Budget():
            out.append(f"(budget {' '.join(f'{word}={number}' for _, word, number in d.limits)})")
        case _:
            raise AssertionError(f"no dump for {type(d).__name__}")


def _typed(t: n.TypeName | None) -> str:
    return "" if t is None else f" :{t.name}{'?' * t.optional}"


def _params(params: tuple[n.Parameter, ...] | None) -> str:
    return "" if params is None else f"({', '.join(name(p.name) + _typed(p.type) for p in params)})"


def _row(row: n.Row) -> str:
    key = "default" if row.key is None else _text(row.key) + ("" if row.bits is None else f"/{row.bits}")
    return f"{key} => {expression(row.value)}"


def _annotation(a: n.Annotation) -> str:
    return f"(@{_call(None, a.name, a.args)[6:]}"


def _acl_entry(entry: n.AclEntry) -> str:
    host = _text(entry.host) + ("" if entry.bits is None else f"/{entry.bits}")
    return ("! " if entry.negated else "") + (f"({host})" if entry.optional else host)


def _properties(properties: tuple[n.Property, ...], out: list[str], depth: int) -> None:
    for p in properties:
        indent = "  " * depth
        if isinstance(p.value, n.ProbeBody):
            out.append(f"{indent}.{p.name} =")
            _properties(p.value.properties, out, depth + 1)
        elif isinstance(p.value, tuple):
            out.append(f"{indent}.{p.name} = [{' '.join(_text(s.value) for s in p.value)}]")
        else:
            out.append(f"{indent}.{p.name} = {expression(p.value)}")


def _block(block: n.Block, out: list[str], depth: int) -> None:
    for s in block.statements:
        _statement(s, out, depth)


def _statement(s: Any, out: list[str], depth: int) -> None:
    indent = "  " * depth
    match s:
        case n.Set():
            out.append(f"{indent}(set {name(s.target)} {s.op} {expression(s.value)})")
        case n.Unset():
            out.append(f"{indent}(unset {name(s.target)})")
        case n.CallSub():
            args = "" if s.args is None else f"({', '.join(expression(a.value) for a in s.args)})"
            out.append(f"{indent}(call {expression(s.value) if s.value is not None else name(s.name)}{args})")
        case n.Return():
            out.append(indent + _return(s))
        case n.If():
            for i, arm in enumerate(s.arms):
                word = "if" if i == 0 else "elseif"
                out.append(
                    f"{indent}(else)"
                    if arm.condition is None
                    else f"{indent}({word}{_let(arm.binding)} {expression(arm.condition)})"
                )
                _block(arm.body, out, depth + 1)
        case n.New():
            out.append(f"{indent}(new {s.name} {_call(None, s.constructor, s.args)})")
        case n.CallStmt():
            out.append(indent + expression(s.call))
        case n.Block():
            out.append(f"{indent}(block)")
            _block(s, out, depth + 1)
        case n.InlineC():
            out.append(f"{indent}(inline-c)")
        case n.Broken():
            out.append(f"{indent}(broken)")
        case _:
            _statement_of_five(s, out, depth)


def _statement_of_five(s: Any, out: list[str], depth: int) -> None:
    indent = "  " * depth
    match s:
        case n.Let():
            mut = " mut" * s.mutable
            out.append(f"{indent}(let{mut} {name(s.name)}{_typed(s.type)} {expression(s.value)})")
        case n.Give():
            out.append(f"{indent}(give {expression(s.value)})")
        case n.Switch():
            out.append(f"{indent}(switch {expression(s.subject)})")
            for case in s.cases:
                labels = " ".join("~ " * c.is_pattern + expression(c.value) for c in case.labels)
                out.append(f"{indent}({'case ' + labels if labels else 'default'})")
                _block(case.body, out, depth + 1)
        case n.For():
            out.append(f"{indent}(for {name(s.name)} {expression(s.items)})")
            _block(s.body, out, depth + 1)
        case n.Count():
            out.append(indent + _call(None, s.name, s.args).replace("(call", "(count", 1))
        case n.Log():
            out.append(f"{indent}(log {' '.join(f'{name(k)}={expression(v)}' for k, v in s.pairs)})")
        case n.Allow():
            out.append(f"{indent}(allow {' '.join(map(name, s.words))})")
        case n.RunBuiltin():
            out.append(f"{indent}(builtin)")
        case n.Invariant():
            out.append(f"{indent}(invariant {_text(s.text)} {expression(s.condition)})")
        case n.Labelled():
            out.append(indent + _annotation(s.annotation))
            _statement(s.statement, out, depth)
        case _:
            raise AssertionError(f"no dump for {type(s).__name__}")


def _let(binding: n.Name | None) -> str:
    return "" if binding is None else f" let {name(binding)}"


def _return(s: n.Return) -> str:
    if s.action is None:
        return "(return)"
    args = f"({' '.join(expression(a) for a in s.args)})" if s.has_args else ""
    return f"(return {name(s.action)}{args})"


def name(value: n.Name) -> str:
    return ".".join(_text(part) if i in value.quoted else part for i, part in enumerate(value.parts))


def expression(e: Any) -> str:
    """Prints an expression on one line."""
    match e:
        case n.StringLit():
            return _text(e.value)
        case n.NumberLit():
            return e.digits + (e.unit or "")
        case n.BlobLit():
            return f":{e.text}:"
        case n.NameExpr():
            return name(e.name)
        case n.CallExpr():
            return _call(e.receiver, e.name, e.args)
        case n.MemberExpr():
            return f"(member {expression(e.receiver)} {e.attribute})"
        case n.Paren():
            return f"(paren {expression(e.inner)})"
        case n.Neg():
            return f"(- {expression(e.operand)})"
        case n.Product() | n.Sum():
            parts = [expression(e.operands[0])]
            for op, operand in zip(e.ops, e.operands[1:]):
                parts += (op, expression(operand))
            return f"[{' '.join(parts)}]"
        case n.Compare():
            return f"({e.op} {expression(e.left)} {expression(e.right)})"
        case n.Not():
            return f"(! {expression(e.operand)})"
        case n.And():
            return f"(&& {' '.join(map(expression, e.operands))})"
        case n.Or():
            return f"(|| {' '.join(map(expression, e.operands))})"
        case n.Index():
            return f"(index {expression(e.receiver)} {expression(e.key)})"
        case n.Coalesce():
            return f"(?? {' '.join(map(expression, e.operands))})"
        case n.Presence():
            return f"(is-{e.word} {expression(e.operand)})"
        case n.Captured():
            return f"(as {name(e.name)} {expression(e.test)})"
        case n.ListExpr():
            return f"(list {' '.join(map(expression, e.items))})"
        case n.Broken():
            return "(broken)"
        case _:
            raise AssertionError(f"no dump for {type(e).__name__}")


def _call(receiver: Any, callee: n.Name, args: tuple[n.Argument, ...]) -> str:
    words = ["call" if receiver is None else "method", name(callee)]
    if receiver is not None:
        words.insert(1, expression(receiver))
    words += [(f"{a.name}=" if a.name else "") + expression(a.value) for a in args]
    return f"({' '.join(words)})"


def _text(value: str) -> str:
    escaped = "".join(c if " " <= c <= "~" and c not in '"\\' else f"\\x{ord(c):02x}" for c in value)
    return f'"{escaped}"'
