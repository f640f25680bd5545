"""Names as values: variables, declarations, storages and their attributes, and the words true, false and
default."""

from __future__ import annotations

from typing import assert_never

from vernis.semantics import absence, calls, constant_values, locals, names, safety, views
from vernis.semantics.context import Context, declared_before, require_phase
from vernis.semantics.report import certain, did_you_mean, nearest
from vernis.semantics.resolve import Kind, Symbol
from vernis.semantics.typed import Bad, Declared, Expr, Field, Invoke, Literal, Message, SubRef, Variable
from vernis.semantics.types import Type
from vernis.semantics.vocabulary import storage_function
from vernis.syntax import nodes
from vernis.syntax.stock import phrase


# Where one of these types is expected, a name may be declared after its use. ERROR: the type is unknown.
DECLARED_LATER = frozenset({Type.BACKEND, Type.ACL, Type.PROBE, Type.SUB, Type.ERROR})


# Kinds of names that may be declared after their use.
_ANYWHERE = frozenset(
    (Kind.SUB, Kind.MODULE, Kind.CONSTANT, Kind.FUNCTION, Kind.SET, Kind.TABLE, Kind.COUNTER)
)


def name_value(cx: Context, name: nodes.Name, want: Type) -> Expr:
    """Returns the value of a name where ``want`` is expected."""
    if cx.five and (local := cx.frame.find(name.text)) is not None:
        return locals.value_of(cx, name, local)
    if (part := views.read(cx, name)) is not None:
        return part
    found = names.find(cx, name)
    if isinstance(found, names.FoundVariable):
        return _read(cx, name, found, want)
    if isinstance(found, names.FoundStorage):
        return _storage(cx, name.at, found)
    if len(name.parts) == 1:
        return _word(cx, name, want)
    return _suffix(cx, name)


def _read(cx: Context, name: nodes.Name, found: names.FoundVariable, want: Type) -> Expr:
    row = found.row
    if not row.read and row.type is Type.BODY and want is not Type.ERROR:
        cx.report.error(
            "V401",
            name.at,
            f"{row.name} can never be read",
            "the server streams a body and does not keep it as a value",
            stock=phrase("type", have=row.type.value, want=want.value),
        )
        return Bad()
    if not names.usable(cx, name.at, name, found, "read"):
        return Bad()
    if safety.is_left_to_responses(cx, row, name.at):
        return Literal(Type.BOOL, False)
    if found.field is not None:
        field = Field(row.key.partition(".")[0], found.field)
        field.known = cx.five and absence.key_of(field) in cx.frame.known
        return field
    if row.type is Type.HTTP:
        return Message(row.key)
    return Variable(row.type, row)


def _storage(cx: Context, at: nodes.At, found: names.FoundStorage) -> Expr:
    storage = Declared(Type.STEVEDORE, cx.storage(found.name))
    return (
        storage
        if found.row is None
        else _storage_attribute(cx, at, storage, found.row.name.rpartition(".")[2])
    )


def _storage_attribute(cx: Context, at: nodes.At, storage: Expr, attribute: str) -> Expr:
    row = cx.scope.variables[f"storage.*.{attribute}"]
    if not require_phase(cx, "V401", at, row.read, f"storage attribute {attribute}", "read"):
        return Bad()
    cx.facts.reads.add(row.name)
    return Invoke(row.type, storage_function(row), [storage], receiver=Type.STEVEDORE)


def _word(cx: Context, name: nodes.Name, want: Type) -> Expr:
    """Returns the value of a name of one part that is not a variable."""
    key = name.text.lower()
    if key in ("true", "false"):
        return Literal(Type.BOOL, key == "true")
    if key == "default" and want in (Type.BACKEND, Type.PROBE, Type.ERROR):
        return _default(cx, name, want) if want is not Type.ERROR else Bad()
    symbol = cx.scope.symbols.get(key)
    if symbol is None and locals.unknown(cx, name):
        return Bad()
    if symbol is None:
        _report_unknown_word(cx, name, want)
        return Bad()
    symbol.used = True
    if want in DECLARED_LATER:
        symbol.mentioned = name.at[0] if symbol.mentioned is None else symbol.mentioned
    elif symbol.kind not in _ANYWHERE and not declared_before(cx, name.at, symbol, name.text):
        return Bad()
    match symbol.kind:
        case Kind.BACKEND:
            return Declared(Type.BACKEND, symbol.index)
        case Kind.ACL:
            return Declared(Type.ACL, symbol.index)
        case Kind.PROBE:
            return Declared(Type.PROBE, symbol.index)
        case Kind.INSTANCE:
            return Declared(Type.INSTANCE, symbol.index)
        case Kind.CONSTANT:
            return constant_values.value(cx, symbol, want)
        case Kind.FUNCTION | Kind.SET | Kind.TABLE | Kind.COUNTER:
            help_ = locals.KINDS_WITHOUT_VALUE[symbol.kind].format(symbol.name)
            cx.report.error("V323", name.at, f"{symbol.name} is {symbol.kind.one}, not a value", help_)
            return Bad()
        case Kind.SUB | Kind.MODULE:
            return _no_value(cx, name, symbol, want)
        case _:
            assert_never(symbol.kind)


def _no_value(cx: Context, name: nodes.Name, symbol: Symbol, want: Type) -> Expr:
    definitions = cx.scope.subs[symbol.name.lower()].definitions if symbol.kind is Kind.SUB else []
    if definitions and want is Type.SUB and definitions[0].params is None:
        return SubRef(cx.sub_values.setdefault(symbol.name.lower(), len(cx.sub_values)))
    cx.report.error(
        "V323",
        name.at,
        f"{symbol.name} is {symbol.kind.one}, not a value",
        "`call` runs a sub" if symbol.kind is Kind.SUB else f"write {symbol.name}.function(...)",
        stock=phrase("wrong kind", name=symbol.name, have=want.value.lower(), want=symbol.kind.value),
    )
    return Bad()


def _default(cx: Context, name: nodes.Name, want: Type) -> Expr:
    if want is Type.PROBE:
        if cx.scope.default_probe is not None:
            return Declared(Type.PROBE, cx.scope.default_probe.index)
        cx.report.error(
            "V508",
            name.at,
            "no probe named default is declared",
            "declare it, or name another probe",
            stock=phrase("no default probe"),
        )
        return Bad()
    return Declared(Type.BACKEND, cx.checked.default_backend) if cx.checked.backends else Bad()


def _report_unknown_word(cx: Context, name: nodes.Name, want: Type) -> None:
    kinds = {Type.BACKEND: Kind.BACKEND, Type.ACL: Kind.ACL, Type.PROBE: Kind.PROBE, Type.SUB: Kind.SUB}
    kind = kinds.get(want)
    if want is Type.BOOL and _is_truth(cx, name):
        return
    if kind is None:
        names.report_unknown(cx, name, "read")
        return
    known = [name for name in cx.scope.names(kind) if not name.startswith("vcl_")]
    has_default = bool(cx.checked.backends) if kind is Kind.BACKEND else cx.scope.lookup("default", kind)
    near = nearest(name.text, [*known, "default"] if has_default and "default" not in known else known)
    if near and near[0].lower() in cx.scope.symbols:
        cx.scope.symbols[
            near[0].lower()
        ].used = True  # the misspelt name may mean this one, so do not also report it as unused
    cx.report.error(
        "V302",
        name.at,
        f"there is no {kind.value} {name.text}",
        did_you_mean(near, f"known: {', '.join(known)}" if known else f"declare {kind.value} {name.text}"),
        replace=certain(name.text, near),
        stock=_stock_of_unknown(name.text, kind),
    )


def _is_truth(cx: Context, name: nodes.Name) -> bool:
    """Reports another spelling of true or false, such as yes. Returns whether it did."""
    from vernis.semantics.elsewhere import BOOL_WORDS

    near = nearest(name.text, ("true", "false"))
    meant = BOOL_WORDS.get(name.text.lower()) or (near[0] if near else None)
    if meant is None:
        return False
    cx.report.error(
        "V302",
        name.at,
        f"there is no variable or declaration {name.text}",
        f"write {meant}",
        replace=meant,
        stock=phrase("not found", name=name.text),
        sure=True,
    )
    return True


def _stock_of_unknown(name: str, kind: Kind) -> str:
    if name.lower().startswith("vcl_"):
        return phrase("reserved vcl")
    if name == "default":
        return phrase("reserved", name=name)
    return phrase("undefined", kind=kind.value, name=name)


def _suffix(cx: Context, name: nodes.Name) -> Expr:
    """Returns the value of a dotted name that is not a variable: perhaps an attribute of a variable."""
    owner = nodes.Name(
        name.at, name.parts[:-1], tuple(index for index in name.quoted if index < len(name.parts) - 1)
    )
    found = names.find(cx, owner)
    symbol = cx.scope.symbols.get(name.parts[0].lower())
    if views.report_unknown(cx, name) or names.report_elsewhere(cx, name):
        return Bad()
    if found is None and symbol is None:
        names.report_unknown(cx, name, "read")
        return Bad()
    if found is None:
        if calls.find(cx, name) is not None:
            cx.report.error(
                "V323",
                name.at,
                f"{name.text} is a function",
                "write its arguments in parentheses, or ()",
                replace=_called(cx, name),
            )
        else:
            calls.report_unknown(cx, name)
        return Bad()
    if isinstance(found, names.FoundVariable) and (found.field is not None or found.row.type is Type.HTTP):
        names.report_unknown(cx, name, "read")
        return Bad()
    target = name_value(cx, owner, Type.STRING)
    return attribute_of(cx, name.at, target, name.parts[-1])


def _called(cx: Context, name: nodes.Name) -> str | None:
    """Returns the text of a call if the function needs no arguments, else None."""
    callee = calls.find(cx, name)
    needs = callee is None or any(
        not param.has_default and not param.optional for param in callee.function.params
    )
    return None if needs else f"{name.text}()"


def attribute_of(cx: Context, at: nodes.At, owner: Expr, attribute: str) -> Expr:
    if owner.type is Type.ERROR:
        return owner
    if owner.type is Type.STEVEDORE and attribute.lower() in names.ATTRIBUTES:
        return _storage_attribute(cx, at, owner, attribute.lower())
    methods = cx.scope.vocabulary.methods_five if cx.five else cx.scope.vocabulary.methods
    if (owner.type, attribute.lower()) in methods:
        cx.report.error("V322", at, f"{attribute} is a method", f"write {attribute}()")
        return Bad()
    if isinstance(owner, Literal) and owner.type is Type.STRING:
        cx.report.error("V322", at, "text has no attributes", "join texts with '+'")
        return Bad()
    if owner.type is Type.BACKEND and attribute.lower() == "healthy":
        cx.report.error("V322", at, "BACKEND has no attribute healthy", "write std.healthy(...)")
        return Bad()
    known = names.ATTRIBUTES if owner.type is Type.STEVEDORE else []
    cx.report.error(
        "V322",
        at,
        f"{owner.type.value} has no attribute {attribute}",
        did_you_mean(nearest(attribute, known), f"it has {', '.join(known)}" if known else ""),
    )
    return Bad()
