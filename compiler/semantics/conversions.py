"""Automatic conversions between types, and the help where there is none."""

from __future__ import annotations

from vernis.semantics import absence
from vernis.semantics.context import Context
from vernis.semantics.moves import Difference, Move
from vernis.semantics.resolve import Kind
from vernis.semantics.typed import AnyOf, Bad, Convert, Declared, Expr, Join, Literal
from vernis.semantics.types import NUMERIC, TO_BOOL, TO_STRING, Type
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Span
from vernis.syntax.stock import phrase

# Help for a conversion that the policy must write, by (type, expected type).
CONVERSION_HELP: dict[tuple[Type, Type], str] = {
    (Type.INT, Type.DURATION): "a duration has a unit: 5s, 2m, 1h; for a number of seconds write 1s * ...",
    (Type.REAL, Type.DURATION): "a duration has a unit: 1.5s; for a number of seconds write 1s * ...",
    (Type.INT, Type.REAL): "std.real(integer = ...) converts an INT to REAL",
    (Type.REAL, Type.INT): "std.integer(real = ...) converts a REAL to INT",
    (Type.INT, Type.BYTES): "std.bytes(integer = ...) converts an INT to BYTES",
    (Type.STRING, Type.INT): "std.integer(text, fallback) reads a number from text",
    (Type.STRING, Type.REAL): "std.real(text, fallback) reads a number from text",
    (Type.STRING, Type.DURATION): "std.duration(text, fallback) reads a duration from text",
    (Type.STRING, Type.TIME): "std.time(text, fallback) reads a time from text",
    (Type.STRING, Type.BYTES): "std.bytes(text, fallback) reads a size from text",
    (Type.STRING, Type.IP): "std.ip(text, fallback) reads an address from text",
    (Type.STRING, Type.BACKEND): "write the name of a backend without quotes",
    (Type.STRING, Type.STEVEDORE): "write storage.NAME without quotes",
    (Type.STRING, Type.ACL): "compare an address with ==, or match it with the name of an ACL",
    (Type.TIME, Type.DURATION): "the difference of two times is a duration: ... - now",
    (Type.DURATION, Type.TIME): "a time plus a duration is a time: now + ...",
    (Type.TIME, Type.BOOL): "compare it with another time",
    (Type.REAL, Type.BOOL): "compare it: ... > 0",
    (Type.IP, Type.BOOL): "match it with an ACL: ... ~ name",
    (Type.ACL, Type.BOOL): "match an address with it: client.ip ~ name",
}


# The same in 5.0, which has functions of its own. Each gives a value that may be absent.
READ_FROM_TEXT = {
    Type.INT: "int",
    Type.REAL: "real",
    Type.DURATION: "duration",
    Type.BYTES: "bytes",
    Type.TIME: "time",
    Type.IP: "ip",
}

# These functions read text, and values whose text is such a number.
_NUMBERS = frozenset((Type.STRING, Type.ERROR, Type.INT, Type.BYTES))
_TEXT = frozenset((Type.STRING, Type.ERROR))
READABLE = {
    Type.INT: _NUMBERS,
    Type.REAL: _NUMBERS,
    Type.BYTES: _NUMBERS,
    Type.DURATION: _TEXT,
    Type.TIME: _TEXT,
    Type.IP: _TEXT,
}

# Functions of std that make one number of another, with the types that they take.
_OF_NUMBERS = {
    Type.INT: ("integer", (Type.BOOL, Type.DURATION, Type.REAL, Type.TIME)),
    Type.REAL: ("real", (Type.BOOL, Type.DURATION, Type.TIME)),
    Type.DURATION: ("duration", (Type.INT, Type.REAL)),
    Type.BYTES: ("bytes", (Type.REAL,)),
    Type.TIME: ("time", (Type.DURATION, Type.INT, Type.REAL)),
}
_WORDS = {Type.INT: "integer"}


# Functions of std that read text, and what they make of it.
READERS_OF_STD = {
    "std.integer": Type.INT,
    "std.real": Type.REAL,
    "std.duration": Type.DURATION,
    "std.bytes": Type.BYTES,
    "std.time": Type.TIME,
    "std.ip": Type.IP,
}


def reads_text(cx: Context, function: str, text: Expr, want: Type, at: nodes.At) -> bool:
    """Whether a function that reads text gets a text, or a value whose text it can read. Reports other
    values: the text of a duration is no number, so ``text(...)`` around it would compile and give nothing."""
    if text.type in READABLE[want]:
        return True
    message = f"{function}() reads text, and this is {text.type.value}"
    cx.report.error("V754", at, message, _converting_help(text.type, want, function))
    return False


def can_read(cx: Context, function: str, text: Expr, at: nodes.At) -> bool:
    """The same for functions of std. A migration keeps what 4.x did: the function reads the value's text."""
    want = READERS_OF_STD.get(function)
    if want is None or cx.moves is not None or text.type not in WRITTEN_AS_TEXT:
        return True
    return reads_text(cx, function, text, want, at)


def _converting_help(have: Type, want: Type, function: str) -> str:
    if have is want:
        return f"it is {want.value} already: leave {function}(...) out"
    name, takes = _OF_NUMBERS.get(want, ("", ()))
    if have in takes:
        word = _WORDS.get(have, have.value.lower())
        imported = "" if function in READERS_OF_STD else "import std; and "
        return f"{imported}write std.{name}({word} = ...)"
    return f"it takes a text that is {EXAMPLES.get(want, 'an address')}"


EXAMPLES = {
    Type.INT: "a whole number",
    Type.REAL: "a number such as 1.5",
    Type.DURATION: "a duration such as 5s",
    Type.BYTES: "a size such as 10MB",
    Type.TIME: "a time, such as now + 5s",
}


def coerce(cx: Context, expr: Expr, want: Type, at: nodes.At) -> Expr:
    """Converts an expression to the expected type, and reports one that has no automatic conversion."""
    have = expr.type
    if cx.five and not _as_in_five(cx, expr, want, at):
        return Bad()
    if have is want or have is Type.ERROR:
        return expr
    if want is Type.BOOL and isinstance(expr, Join):
        return AnyOf(
            [Convert(want, part) for part in expr.parts]
        )  # joined text is set if any of its parts is
    if want is Type.STRING and have in TO_STRING or want is Type.BOOL and have in TO_BOOL:
        return Convert(want, expr)
    cx.report.error(
        "V301",
        at,
        f"{have.value} is not {want.value}",
        conversion_help(cx, expr, want),
        stock=_stock(cx, expr, want),
        edits=unquoted_edit(cx, expr, want, at),
    )
    return Bad()


def _as_in_five(cx: Context, expr: Expr, want: Type, at: nodes.At) -> bool:
    """Whether 5.0 takes the value here; reports one that may be absent, and conversions that 5.0 makes only
    when they are written."""
    have = expr.type
    if have is Type.ERROR:
        return True
    if want is Type.BOOL and have is not Type.BOOL:
        _refuse_condition(cx, expr, at)
        return False
    if want is Type.STRING and have in WRITTEN_AS_TEXT:
        function = "http_date" if have is Type.TIME else "text"
        cx.report.error(
            "V754",
            at,
            f"{have.value} does not become text by itself",
            f"write {function}(...)",
            edits=cx.report.around(at, f"{function}(", ")"),
        )
        return False
    return absence.required(cx, expr, at)


def _refuse_condition(cx: Context, expr: Expr, at: nodes.At) -> None:
    have = expr.type
    tests = {
        Type.STRING: ("", " is set") if absence.may_be_absent(expr) else ("!(", " is empty)"),
        Type.INT: ("", " != 0"),
        Type.DURATION: ("", " > 0s"),
    }
    before, after = tests.get(have, ("", ""))
    if cx.moves is not None and have is Type.STRING:
        before, after = "", " is set"
        if not absence.may_be_absent(expr) and not absence.key_of(expr):
            cx.moves.append(Move(Difference.ALWAYS_SET, at))
    help_ = f"write {before}...{after}" if after else CONVERSION_HELP.get((have, Type.BOOL), "compare it")
    is_constant = isinstance(expr, Literal)  # nobody means a condition that is always true
    edits = () if is_constant else _tested(cx, at, before, after)
    cx.report.error("V755", at, f"{have.value} is no condition", help_, edits=edits)


# The test of a value behind a `!`.
_OPPOSITES = {" is set": " is not set", " != 0": " == 0", " > 0s": " <= 0s"}


def _tested(cx: Context, at: nodes.At, before: str, after: str) -> tuple[Edit, ...]:
    """Returns the edits that make a condition of a value: `!x` becomes `x is not set`, and so does `!(x)`."""
    from vernis.syntax.generated.token_types import T

    if not after:
        return ()
    types = cx.report.program.tokens.types  # type: ignore[attr-defined]
    (first, last), (left, right) = at, at
    while types[first] == T.LPAREN and not absence.needs_parentheses(types[first + 1 : last]):
        first, last = first + 1, last - 1
    while types[left - 1] == T.LPAREN and types[right + 1] == T.RPAREN and types[left - 2] == T.NOT:
        left, right = left - 1, right + 1
    is_negated = types[left - 1] == T.NOT and types[left - 2] != T.NOT and after in _OPPOSITES
    left, right = (left - 1, right) if is_negated else at
    value, whole = cx.report.span((first, last)), cx.report.span((left, right))
    if value.file != whole.file or (left, right) == (first, last):
        return cx.report.around(at, before, after)
    return (
        Edit(Span(value.file, whole.start, value.start), before),
        Edit(Span(value.file, value.end, whole.end), _OPPOSITES[after] if is_negated else after),
    )


# Types whose text form 5.0 wants written: each has several.
WRITTEN_AS_TEXT = frozenset((Type.DURATION, Type.TIME, Type.REAL, Type.IP))


def _unquoted(cx: Context, expr: Expr, want: Type) -> str:
    """Returns the content of a quoted text if it is a constant or name of the expected type, else an empty
    text."""
    if not isinstance(expr, Literal) or expr.type is not Type.STRING or not isinstance(expr.value, bytes):
        return ""
    from vernis.semantics.elsewhere import CONSTANTS

    text = expr.value.decode("latin-1")
    if want is Type.BACKEND:
        symbol = cx.scope.symbols.get(text.lower())
        return text if symbol is not None and symbol.kind is Kind.BACKEND else ""
    return text if want in CONSTANTS and CONSTANTS[want].fullmatch(text) else ""


def unquoted_edit(cx: Context, expr: Expr, want: Type, at: nodes.At) -> tuple[Edit, ...]:
    """Returns the edit that removes the quotes if they are the only error."""
    text = _unquoted(cx, expr, want)
    return (Edit(cx.report.span(at), text),) if text and at[0] == at[1] else ()


def _stock(cx: Context, expr: Expr, want: Type) -> str:
    """Returns the phrase of Varnish, which names a declaration by its name and an object by its module
    type."""
    have = expr.type.value
    if isinstance(expr, Declared) and want is Type.ACL:
        if expr.type is Type.INSTANCE:
            have = cx.checked.instances[expr.index].kind or have
        elif expr.type is Type.BACKEND:
            return phrase("must be", name=cx.scope.backends[expr.index].name, type="acl")
        elif expr.type is Type.PROBE:
            return phrase("must be", name=cx.scope.probes[expr.index].name, type="acl")
    return phrase("type", have=have, want=want.value)


def conversion_help(cx: Context, expr: Expr, want: Type) -> str:
    if isinstance(expr, Declared) and expr.type is Type.INSTANCE and want is Type.BACKEND:
        return f"{cx.checked.instances[expr.index].name}.backend() is the backend of the director"
    if want is Type.STRING:
        return f"{expr.type.value} has no text form"
    if isinstance(expr, Literal) and expr.type is Type.STRING and want in NUMERIC:
        return (
            f"{want.value} is written without quotes"
            if _unquoted(cx, expr, want)
            else f"write {EXAMPLES[want]}, without quotes"
        )
    if (
        isinstance(expr, Literal)
        and isinstance(expr.value, int)
        and expr.type is Type.INT
        and want is Type.DURATION
    ):
        return f"a duration has a unit: {expr.value}s is {expr.value} seconds"
    if cx.five and expr.type is Type.STRING and want in READ_FROM_TEXT:
        return (
            f"{READ_FROM_TEXT[want]}(text) reads it from text, and is absent if the text is none: ... ?? ..."
        )
    return CONVERSION_HELP.get((expr.type, want)) or (f"write {EXAMPLES[want]}" if want in EXAMPLES else "")
