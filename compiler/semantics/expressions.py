"""Expressions: their types, and what is converted into what.

Meaning follows the expected type (``want``): in text ``now + 5`` joins and ``now + 5s`` adds; ``5m`` is a size where one is
wanted; ``default`` is a probe or a backend. :func:`infer` gives an expression the type it has by itself in such a place,
:func:`value` then converts it to the wanted one. What was reported once is :class:`Bad` and is silent from there on.
"""

from __future__ import annotations

from typing import assert_never

from vernis.semantics import calls, literals, names
from vernis.semantics.context import Context, phase_help, require_phase
from vernis.semantics.report import certain, did_you_mean, nearest
from vernis.semantics.resolve import Kind, Symbol
from vernis.semantics.typed import (AllOf, AnyOf, Bad, Chain, Comparison, Convert, Declared, Expr, Field, InAcl, Invoke, Join,
                                    Literal, Matches, Message, Negation, Step, SubRef, Variable)
from vernis.semantics.types import (COMPARISONS, NEGATIVE, NUMERIC, OPERATORS, TO_BOOL, TO_STRING, Type)
from vernis.semantics.vocabulary import ALL_HOOKS, Param
from vernis.syntax import nodes

STRING, BOOL, ERROR = Type.STRING, Type.BOOL, Type.ERROR

# Left operands beside which the right one is read as their type.
BESIDE = NUMERIC | {ERROR}

# How to get from a type to the one that is wanted, where there is a way.
CONVERSION_HELP: dict[tuple[Type, Type], str] = {
    (Type.INT, Type.DURATION): "a duration has a unit: 5s, 2m, 1h",
    (Type.REAL, Type.DURATION): "a duration has a unit: 1.5s",
    (Type.INT, Type.REAL): "std.real(integer = ...) makes a REAL of an INT",
    (Type.REAL, Type.INT): "std.integer(real = ...) makes an INT of a REAL",
    (Type.INT, Type.BYTES): "std.bytes(integer = ...) makes a size of an INT",
    (Type.STRING, Type.INT): "std.integer(text, fallback) reads a number from text",
    (Type.STRING, Type.REAL): "std.real(text, fallback) reads a number from text",
    (Type.STRING, Type.DURATION): "std.duration(text, fallback) reads a duration from text",
    (Type.STRING, Type.TIME): "std.time(text, fallback) reads a time from text",
    (Type.STRING, Type.BYTES): "std.bytes(text, fallback) reads a size from text",
    (Type.STRING, Type.IP): "std.ip(text, fallback) reads an address from text",
    (Type.STRING, Type.BACKEND): "write the name of a backend without quotes",
    (Type.STRING, Type.STEVEDORE): "write storage.NAME without quotes",
    (Type.STRING, Type.ACL): "an address is compared with ==, or matched with the name of an acl",
    (Type.TIME, Type.DURATION): "the difference of two times is a duration: ... - now",
    (Type.DURATION, Type.TIME): "a time plus a duration is a time: now + ...",
    (Type.TIME, Type.BOOL): "compare it with another time",
    (Type.REAL, Type.BOOL): "compare it: ... > 0",
    (Type.IP, Type.BOOL): "match it with an acl: ... ~ name",
}


def value(cx: Context, node: nodes.Expr, want: Type) -> Expr:
    """An expression as the wanted type; reports what cannot be one."""
    return coerce(cx, infer(cx, node, want), want, node.at)


def coerce(cx: Context, expr: Expr, want: Type, at: nodes.At) -> Expr:
    """Converts by itself what does so, and reports what does not."""
    have = expr.type
    if have is want or have is ERROR:
        return expr
    if want is STRING and have in TO_STRING or want is BOOL and have in TO_BOOL:
        return Convert(want, expr)
    cx.report.error("V301", at, f"{have.value} is not {want.value}", _conversion_help(cx, expr, want))
    return Bad()


def _conversion_help(cx: Context, expr: Expr, want: Type) -> str:
    if isinstance(expr, Declared) and expr.type is Type.INSTANCE and want is Type.BACKEND:
        return f"{cx.checked.instances[expr.index].name}.backend() is the backend a director stands for"
    if want is STRING:
        return f"{expr.type.value} has no text form"
    if isinstance(expr, Literal) and expr.type is STRING and want in NUMERIC:
        return f"{want.value} is written without quotes"
    return CONVERSION_HELP.get((expr.type, want), "")


def infer(cx: Context, node: nodes.Expr, want: Type) -> Expr:
    """An expression with the type it has where ``want`` is expected."""
    match node:
        case nodes.NameExpr():
            return _name(cx, node, want)
        case nodes.StringLit():
            return literals.ip(cx, node) if want is Type.IP else Literal(STRING, node.value.encode("latin-1"))
        case nodes.Compare():
            return _compare(cx, node, want)
        case nodes.CallExpr():
            return call(cx, node, want)
        case nodes.Sum():
            return _sum(cx, node, want)
        case nodes.NumberLit():
            return literals.number(cx, node, want)
        case nodes.And():
            return AllOf([_condition(cx, operand, want) for operand in node.operands])
        case nodes.Or():
            return AnyOf([_condition(cx, operand, want) for operand in node.operands])
        case nodes.Not():
            operand = _condition(cx, node.operand, want)
            return operand if operand.type is ERROR else Negation(operand)
        case nodes.Paren():
            return infer(cx, node.inner, want)
        case nodes.Product():
            return _product(cx, node, want)
        case nodes.Neg():
            return _minus(cx, node, want)
        case nodes.BlobLit():
            return literals.blob(node)
        case nodes.MemberExpr():
            return _attribute(cx, node)
        case nodes.Broken():
            cx.report.incomplete = True
            return Bad()
        case _:
            assert_never(node)


# ---- names -----------------------------------------------------------------------------------------------------------


def _name(cx: Context, node: nodes.NameExpr, want: Type) -> Expr:
    name = node.name
    found = names.find(cx, name)
    if isinstance(found, names.FoundVariable):
        return _read(cx, name, found)
    if isinstance(found, names.FoundStorage):
        return _storage(cx, name.at, found)
    if len(name.parts) == 1:
        return _word(cx, name, want)
    return _suffix(cx, name)


def _read(cx: Context, name: nodes.Name, found: names.FoundVariable) -> Expr:
    if not names.usable(cx, name.at, name, found, "read"):
        return Bad()
    row = found.row
    if found.field is not None:
        return Field(row.key.partition(".")[0], found.field)
    if row.type is Type.HTTP:
        return Message(row.key)
    return Variable(row.type, row)


def _storage(cx: Context, at: nodes.At, found: names.FoundStorage) -> Expr:
    storage = Declared(Type.STEVEDORE, cx.storage(found.name))
    return storage if found.row is None else _storage_attribute(cx, at, storage, found.row.name.rpartition(".")[2])


def _storage_attribute(cx: Context, at: nodes.At, storage: Expr, attribute: str) -> Expr:
    row = cx.scope.variables[f"storage.*.{attribute}"]
    if not require_phase(cx, "V401", at, row.read, f"storage attribute {attribute}", "read"):
        return Bad()
    cx.facts.reads.add(row.name)
    return Invoke(row.type, storage_function(row.name), [storage], receiver=Type.STEVEDORE)


def _word(cx: Context, name: nodes.Name, want: Type) -> Expr:
    """A name of one part which is no variable."""
    key = name.text.lower()
    if key in ("true", "false"):
        return Literal(BOOL, key == "true")
    if key == "default" and want in (Type.BACKEND, Type.PROBE, ERROR):
        return _default(cx, name, want) if want is not ERROR else Bad()
    symbol = cx.scope.symbols.get(key)
    if symbol is None:
        _report_unknown_word(cx, name, want)
        return Bad()
    symbol.used = True
    match symbol.kind:
        case Kind.BACKEND:
            return Declared(Type.BACKEND, symbol.index)
        case Kind.ACL:
            return Declared(Type.ACL, symbol.index)
        case Kind.PROBE:
            return Declared(Type.PROBE, symbol.index)
        case Kind.INSTANCE:
            return Declared(Type.INSTANCE, symbol.index)
        case Kind.SUB | Kind.MODULE:
            return _no_value(cx, name, symbol, want)
        case _:
            assert_never(symbol.kind)


def _no_value(cx: Context, name: nodes.Name, symbol: Symbol, want: Type) -> Expr:
    if symbol.kind is Kind.SUB and want is Type.SUB:
        return SubRef(symbol.name)
    cx.report.error("V323", name.at, f"{symbol.name} is a {symbol.kind.value}, not a value",
                    "`call` runs a sub" if symbol.kind is Kind.SUB else f"write {symbol.name}.function(...)")
    return Bad()


def _default(cx: Context, name: nodes.Name, want: Type) -> Expr:
    if want is Type.PROBE:
        if cx.scope.default_probe is not None:
            return Declared(Type.PROBE, cx.scope.default_probe.index)
        cx.report.error("V508", name.at, "no probe named default is declared", "declare it, or name another probe")
        return Bad()
    return Declared(Type.BACKEND, cx.checked.default_backend) if cx.checked.backends else Bad()


def _report_unknown_word(cx: Context, name: nodes.Name, want: Type) -> None:
    kinds = {Type.BACKEND: Kind.BACKEND, Type.ACL: Kind.ACL, Type.PROBE: Kind.PROBE, Type.SUB: Kind.SUB}
    kind = kinds.get(want)
    if kind is None:
        names.report_unknown(cx, name, "read")
        return
    known = cx.scope.names(kind)
    near = nearest(name.text, known)
    cx.report.error("V302", name.at, f"there is no {kind.value} {name.text}",
                    did_you_mean(near, f"there are: {', '.join(known)}" if known else f"declare {kind.value} {name.text}"),
                    replace=certain(name.text, near))


def _suffix(cx: Context, name: nodes.Name) -> Expr:
    """A dotted name that is no variable: perhaps an attribute of one."""
    owner = nodes.Name(name.at, name.parts[:-1], tuple(index for index in name.quoted if index < len(name.parts) - 1))
    found = names.find(cx, owner)
    symbol = cx.scope.symbols.get(name.parts[0].lower())
    if names.report_other_version(cx, name):
        return Bad()
    if found is None and symbol is None:
        names.report_unknown(cx, name, "read")
        return Bad()
    if found is None:
        if calls.find(cx, name) is not None:
            cx.report.error("V323", name.at, f"{name.text} is a function", "write its arguments in parentheses, or () for none")
        else:
            calls.report_unknown(cx, name)
        return Bad()
    if isinstance(found, names.FoundVariable) and (found.field is not None or found.row.type is Type.HTTP):
        names.report_unknown(cx, name, "read")
        return Bad()
    target = _name(cx, nodes.NameExpr(name.at, owner), STRING)
    return _attribute_of(cx, name.at, target, name.parts[-1])


def _attribute(cx: Context, node: nodes.MemberExpr) -> Expr:
    return _attribute_of(cx, node.at, infer(cx, node.receiver, STRING), node.attribute)


def _attribute_of(cx: Context, at: nodes.At, owner: Expr, attribute: str) -> Expr:
    if owner.type is ERROR:
        return owner
    if owner.type is Type.STEVEDORE and attribute.lower() in names.ATTRIBUTES:
        return _storage_attribute(cx, at, owner, attribute.lower())
    if (owner.type, attribute.lower()) in cx.scope.vocabulary.methods:
        cx.report.error("V322", at, f"{attribute} is a method", f"write {attribute}()")
        return Bad()
    known = list(names.ATTRIBUTES) if owner.type is Type.STEVEDORE else []
    cx.report.error("V322", at, f"{owner.type.value} has no attribute {attribute}",
                    did_you_mean(nearest(attribute, known), f"it has {', '.join(known)}" if known else ""))
    return Bad()


# ---- operators -------------------------------------------------------------------------------------------------------


def _sum(cx: Context, node: nodes.Sum, want: Type) -> Expr:
    """``a + b - c`` from left to right. Once text is joined, everything after is."""
    result = infer(cx, node.operands[0], want)
    parts: list[Expr] | None = None
    for op, operand in zip(node.ops, node.operands[1:]):
        right = infer(cx, operand, result.type if result.type in BESIDE else want)
        if result.type is ERROR or right.type is ERROR:
            result = Bad()
        elif parts is None and (result.type, op, right.type) in OPERATORS:
            result = _step(result, op, right)
        elif op == "+" and (result.type is STRING or want is STRING):
            part = coerce(cx, right, STRING, operand.at)
            if parts is None:
                parts = [coerce(cx, result, STRING, node.operands[0].at)]
                result = Bad() if parts[0].type is ERROR else Join(parts)
            parts.append(part)
            result = Bad() if part.type is ERROR else result
        else:
            result = _refuse_operator(cx, (node.operands[0].at[0], operand.at[1]), result.type, op, right.type)
    return result


def _product(cx: Context, node: nodes.Product, want: Type) -> Expr:
    """``a * b / c`` from left to right."""
    result = infer(cx, node.operands[0], want)
    for op, operand in zip(node.ops, node.operands[1:]):
        as_real = result.type is Type.REAL and op != "%"
        right = infer(cx, operand, Type.REAL if as_real else ERROR if result.type is ERROR else Type.INT)
        if result.type is ERROR or right.type is ERROR:
            result = Bad()
        elif (result.type, op, right.type) in OPERATORS:
            result = _step(result, op, right)
        else:
            result = _refuse_operator(cx, (node.operands[0].at[0], operand.at[1]), result.type, op, right.type)
    return result


def _step(left: Expr, op: str, right: Expr) -> Chain:
    """One more step of a chain; a chain on the left is continued, which keeps long ones flat."""
    result = OPERATORS[left.type, op, right.type]
    chain = left if isinstance(left, Chain) else Chain(result, left, [])
    chain.steps.append(Step(op, right, result))
    chain.type = result
    return chain


def _refuse_operator(cx: Context, at: nodes.At, left: Type, op: str, right: Type) -> Bad:
    rows = [f"{a.value} {o} {b.value}" for a, o, b in OPERATORS if a is left and o == op]
    if left is STRING:
        help_ = "text is joined with +"
    elif (right, op, left) in OPERATORS:
        help_ = f"write the {right.value} first"
    else:
        help_ = f"what works is {', '.join(rows)}" if rows else f"{op} does not work on {left.value}"
    cx.report.error("V303", at, f"{left.value} {op} {right.value} is not possible", help_)
    return Bad()


def _minus(cx: Context, node: nodes.Neg, want: Type) -> Expr:
    if want in (BOOL, Type.BYTES):
        help_ = "turn the comparison round: x > -5s" if want is BOOL else "a size is never negative"
        cx.report.error("V309", node.at, f"- cannot stand where {want.value} is expected", help_)
        return Bad()
    operand = infer(cx, node.operand, want)
    if operand.type is ERROR:
        return operand
    if operand.type not in NEGATIVE:
        cx.report.error("V309", node.at, f"{operand.type.value} has no negative", "INT, REAL and DURATION have one")
        return Bad()
    if isinstance(operand, Literal):
        assert isinstance(operand.value, (int, float))
        return Literal(operand.type, -operand.value)
    zero = Literal(operand.type, 0 if operand.type is Type.INT else 0.0)
    return Chain(operand.type, zero, [Step("-", operand, operand.type)])


def _condition(cx: Context, node: nodes.Expr, want: Type) -> Expr:
    """An operand of a condition. Inside text, operands are read as text is: they join."""
    return coerce(cx, infer(cx, node, STRING if want is STRING else BOOL), BOOL, node.at)


def _compare(cx: Context, node: nodes.Compare, want: Type) -> Expr:
    left = infer(cx, node.left, STRING if want is STRING else BOOL)
    if node.op in ("~", "!~"):
        return _match(cx, node, left)
    right = infer(cx, node.right, left.type)
    if ERROR in (left.type, right.type):
        return Bad()
    if node.op not in COMPARISONS.get(left.type, ()):
        known = COMPARISONS.get(left.type)
        help_ = f"{left.type.value} compares with {' and '.join(known)}" if known else ""
        cx.report.error("V304", node.at, f"{left.type.value} does not compare with {node.op}", help_)
        return Bad()
    if left.type is not right.type:
        cx.report.error("V304", node.at, f"{left.type.value} {node.op} {right.type.value}: the two sides have different types",
                        _comparison_help(cx, left, right))
        return Bad()
    return Comparison(node.op, left, right)


def _comparison_help(cx: Context, left: Expr, right: Expr) -> str:
    if left.type is STRING and right.type in TO_STRING:
        return 'compare text with text: ... == "" + x'
    return _conversion_help(cx, right, left.type) or "convert one of them"


def _match(cx: Context, node: nodes.Compare, left: Expr) -> Expr:
    """``text ~ "pattern"`` and ``address ~ acl``."""
    found: Expr
    if left.type is ERROR:
        return left
    if left.type is STRING:
        regex = literals.pattern(cx, node.right)
        if regex is None:
            return Bad()
        found = Matches(left, regex)
    elif left.type is Type.IP:
        acl = value(cx, node.right, Type.ACL)
        if acl.type is ERROR:
            return acl
        assert isinstance(acl, Declared)
        found = InAcl(left, acl.index)
    else:
        help_ = 'join it with text first: "" + ...' if left.type in TO_STRING else ""
        cx.report.error("V304", node.at, f"{node.op} takes text or an address, not {left.type.value}", help_)
        return Bad()
    return found if node.op == "~" else Negation(found)


# ---- calls -----------------------------------------------------------------------------------------------------------


def call(cx: Context, node: nodes.CallExpr, want: Type) -> Expr:
    """A call; gives VOID back where a function gives nothing and ``want`` is VOID."""
    if node.receiver is not None:
        return _method(cx, node, infer(cx, node.receiver, STRING), node.name.parts[0])
    callee = calls.find(cx, node.name)
    if callee is None:
        return _method_of_name(cx, node)
    if not _callable_here(cx, node, callee):
        return Bad()
    if callee.function.result is Type.VOID and want is not Type.VOID:
        cx.report.error("V319", node.at, f"{callee.name} gives no value", "let it stand as a statement of its own")
        return Bad()
    instance = callee.instance
    if instance is not None and not _made(cx, node.name.at, instance):
        return Bad()
    args = arguments(cx, callee.name, node.at, callee.function.params, node.args)
    if args is None:
        return Bad()
    _note_call(cx, callee.function)
    return Invoke(_value_type(callee.function.result), callee.function, args, instance.index if instance else None)


def _callable_here(cx: Context, node: nodes.CallExpr, callee: calls.Callee) -> bool:
    """Whether a function can be called here. One of a module that cannot fails the transaction when it is called, which is
    worth a warning and no more: the policy may know that it never comes so far."""
    where = callee.function.where
    if len(node.name.parts) == 1:
        return require_phase(cx, "V404", node.at, where, callee.name, "used")
    help_ = f"a call fails the transaction there; {phase_help(where, 'used')}"
    require_phase(cx, "V404", node.at, where, callee.name, "used", help_, warn=True)
    return True


def _note_call(cx: Context, function: calls.FunctionRow) -> None:
    """Adds what a function does to what the sub does."""
    facts = cx.facts
    facts.may_wait = facts.may_wait or function.may_wait
    facts.reads.update(function.reads)
    for name in function.writes:
        if name == "*":
            facts.unknown = True
        else:
            facts.writes.add(name)


def _value_type(declared: Type) -> Type:
    """The type a value has of which a row says ENUM or STRANDS."""
    return STRING if declared in (Type.ENUM, Type.STRANDS, Type.HEADER) else declared


def _made(cx: Context, at: nodes.At, instance: Symbol) -> bool:
    """Whether an object is there already: in vcl_init those come before their ``new``."""
    if cx.sub is None or cx.sub.name != "vcl_init" or instance.index in cx.made:
        return True
    cx.report.error("V519", at, f"{instance.name} is used before it is made", "move this behind its `new`",
                    labels=[(instance.at, "made here")])
    return False


def _method_of_name(cx: Context, node: nodes.CallExpr) -> Expr:
    """``req.url.upper()``: the name is a value and, behind the last dot, its method."""
    parts = node.name.parts
    if len(parts) > 1 and parts[0].lower() not in cx.scope.symbols:
        owner = nodes.Name(node.name.at, parts[:-1], tuple(index for index in node.name.quoted if index < len(parts) - 1))
        found = names.find(cx, owner)
        if found is not None:
            return _method(cx, node, _name(cx, nodes.NameExpr(owner.at, owner), STRING), parts[-1])
        if any(row.key.startswith(parts[0].lower() + ".") for row in cx.scope.variables.values()):
            names.report_unknown(cx, owner, "read")
            return Bad()
    symbol = cx.scope.symbols.get(parts[0].lower())
    if len(parts) == 2 and symbol is not None and symbol.kind is Kind.BACKEND:
        symbol.used = True
        return _method(cx, node, Declared(Type.BACKEND, symbol.index), parts[1])
    calls.report_unknown(cx, node.name)
    return Bad()


def _method(cx: Context, node: nodes.CallExpr, owner: Expr, name: str) -> Expr:
    if owner.type is ERROR:
        return owner
    methods = cx.scope.vocabulary.methods
    function = methods.get((owner.type, name.lower()))
    if function is None:
        known = [method for kind, method in methods if kind is owner.type]
        cx.report.error("V322", node.at, f"{owner.type.value} has no method {name}",
                        did_you_mean(nearest(name, known), f"it has {', '.join(known)}" if known else ""))
        return Bad()
    args = arguments(cx, name, node.at, function.params, node.args)
    if args is None:
        return Bad()
    _note_call(cx, function)
    return Invoke(_value_type(function.result), function, [owner, *args], receiver=owner.type)


def arguments(cx: Context, name: str, at: nodes.At, params: tuple[Param, ...],
              given: tuple[nodes.Argument, ...]) -> list[Expr | None] | None:
    """The values of the parameters in order, None for absent ones; None for all if something was reported."""
    bound = calls.bind(cx, name, at, params, given)
    if bound is None:
        return None
    values = [_argument(cx, param, arg) for param, arg in zip(params, bound)]
    return None if any(item is not None and item.type is ERROR for item in values) else values


def _argument(cx: Context, param: Param, arg: nodes.Argument | None) -> Expr | None:
    if arg is None:
        return Literal(_value_type(param.type), constant(param)) if param.has_default else None
    match param.type:
        case Type.ENUM:
            return _enum(cx, param, arg.value)
        case Type.REGEX:
            regex = literals.pattern(cx, arg.value)
            return Bad() if regex is None else Declared(Type.REGEX, regex)
        case Type.HEADER:
            return _header(cx, arg.value)
        case Type.HTTP:
            cx.facts.unknown = True
            return value(cx, arg.value, Type.HTTP)
    return value(cx, arg.value, _value_type(param.type))


def constant(param: Param) -> bytes | int | float | bool | None:
    """The default of a parameter as a constant."""
    if isinstance(param.default, str):
        return param.default.encode("latin-1")
    if param.type in (Type.REAL, Type.DURATION) and param.default is not None:
        return float(param.default)
    return param.default


def _enum(cx: Context, param: Param, node: nodes.Expr) -> Expr:
    word = node.name.text if isinstance(node, nodes.NameExpr) else ""
    if word in param.values:
        return Literal(STRING, word.encode())
    if isinstance(node, nodes.Broken):
        return Bad()
    help_ = f"write one of {', '.join(param.values)}, without quotes"
    near = nearest(word, param.values)
    cx.report.error("V316", node.at, f"{word or 'this'} is not a value of {param.name}", did_you_mean(near, help_),
                    replace=certain(word, near))
    return Bad()


def _header(cx: Context, node: nodes.Expr) -> Expr:
    """A header as itself: its name as text. What takes one reads and changes it."""
    field = infer(cx, node, STRING)
    if field.type is ERROR:
        return field
    if not isinstance(field, Field):
        cx.report.error("V301", node.at, f"{field.type.value} is not HEADER", "name a header: req.http.Cookie")
        return Bad()
    assert isinstance(node, nodes.NameExpr)
    found = names.find(cx, node.name)
    assert isinstance(found, names.FoundVariable)
    if found.row.set and not names.usable(cx, node.at, node.name, found, "set"):
        return Bad()
    return Literal(STRING, f"{field.message}.http.{field.name}".encode("latin-1"))


def storage_function(name: str) -> calls.FunctionRow:
    """The accessor of a storage attribute, which takes the storage."""
    attribute = name.rpartition(".")[2]
    return calls.FunctionRow(
        name=attribute, symbol=f"get_storage_{attribute}", result=names.ATTRIBUTES[attribute],
        params=(Param("storage", Type.STEVEDORE),), where=ALL_HOOKS, may_fail=False, pure=False, may_wait=False,
        statement=False, reads=(), writes=(), doc="")
