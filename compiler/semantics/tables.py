"""Tables of vcl 5.0: their rows, and look-ups ``table[key]``. Also the other values with an index: matches
and parsed views."""

from __future__ import annotations

from vernis.semantics import constants, expressions, literals, locals, views
from vernis.semantics.context import Context
from vernis.semantics.frame import Match
from vernis.semantics.report import certain, did_you_mean, nearest
from vernis.semantics.resolve import Kind
from vernis.semantics.typed import Bad, Declared, Expr, Literal, Lookup, Table
from vernis.semantics.types import Type
from vernis.syntax import nodes

KINDS = ("exact", "prefix", "suffix", "ip")
ROWS_MAX = 100_000  # in the text of a policy; a file has no such limit
ROW_TYPES = constants.CONSTANT_TYPES | {Type.BACKEND}


def index(cx: Context, node: nodes.Index) -> Expr:
    """Checks ``value[key]``."""
    receiver = node.receiver
    if (part := views.indexed(cx, node)) is not None:
        return part
    if isinstance(receiver, nodes.NameExpr):
        if len(receiver.name.parts) == 1:
            local = cx.frame.find(receiver.name.text)
            if isinstance(local, Match):
                return locals.group(cx, node, local)
            symbol = cx.scope.symbols.get(receiver.name.text.lower())
            if symbol is not None and isinstance(symbol.node, nodes.Table):
                symbol.used = True
                return _look_up(cx, node, symbol.index)
            if local is None and symbol is None:
                near = nearest(receiver.name.text, [*cx.scope.names(Kind.TABLE), *cx.frame.names()])
                cx.report.error(
                    "V302",
                    receiver.at,
                    f"there is no table {receiver.name.text}",
                    did_you_mean(
                        near, f'declare it: table {receiver.name.text} : STRING by exact ["k" => "v"];'
                    ),
                    replace=certain(receiver.name.text, near),
                )
                return Bad()
    found = expressions.infer(cx, receiver, Type.STRING)
    if found.type is not Type.ERROR:
        meant = views.indexed_field(found)
        help_ = f"write {meant}[...]" if meant else "tables, matches and parsed views have one"
        cx.report.error("V756", node.at, f"{found.type.value} has no index", help_)
    return Bad()


def _look_up(cx: Context, node: nodes.Index, number: int) -> Expr:
    if number >= len(cx.checked.tables):
        return Bad()
    table = cx.checked.tables[number]
    wanted = Type.IP if table.kind == "ip" else Type.STRING
    key = expressions.infer(cx, node.key, wanted)
    key = expressions.converted(cx, key, wanted, node.key.at, optional=True)
    if key.type is Type.ERROR or table.type is Type.ERROR:
        return Bad()
    return Lookup(table.type, number, key, _value(table.type, table.default) if table.has_default else None)


def _value(type: Type, value: bytes | int | float | bool | None) -> Expr:
    if type is Type.BACKEND:
        assert isinstance(value, int)
        return Declared(type, value)
    return Literal(type, value)


def check_table(cx: Context, node: nodes.Table) -> Table:
    """Checks a declaration. Returns a table without the rows that were reported."""
    type = constants.type_of(cx, node.type, ROW_TYPES)
    if node.type.optional:
        cx.report.error("V735", node.type.at, "the rows of a table have values", "remove the ?")
    kind = node.kind.text
    if kind not in KINDS:
        near = nearest(kind, KINDS)
        cx.report.error(
            "V757",
            node.kind.at,
            f"there is no table by {kind}",
            did_you_mean(near, f"the kinds: {', '.join(KINDS)}"),
            replace=certain(kind, near),
        )
    if len(node.rows) > ROWS_MAX:
        cx.report.error("V757", node.at, f"more than {ROWS_MAX} rows", 'move them to a file: from "..."')
        return Table(node.name, node.at, kind, type, (), None, False)
    rows: dict[bytes, tuple[nodes.At, bytes | int | float | bool | None]] = {}
    default: list[bytes | int | float | bool | None] = []
    for row in node.rows:
        _check_row(cx, node, row, kind, type, rows, default)
    path = None if node.path is None else node.path.value
    return Table(
        node.name,
        node.at,
        kind,
        type,
        tuple((key, value) for key, (_, value) in rows.items()),
        default[0] if default else None,
        bool(default),
        path,
        node.columns,
    )


def _check_row(
    cx: Context,
    node: nodes.Table,
    row: nodes.Row,
    kind: str,
    type: Type,
    rows: dict[bytes, tuple[nodes.At, bytes | int | float | bool | None]],
    default: list[bytes | int | float | bool | None],
) -> None:
    value = expressions.infer(cx, constants.folded(cx, row.value), type)
    value = expressions.converted(cx, value, type, row.value.at)
    if not isinstance(value, (Literal, Declared)):
        if value.type is not Type.ERROR:
            cx.report.error(
                "V736", row.value.at, "the value of a row is constant", "write a literal, or a constant"
            )
        return
    constant = value.index if isinstance(value, Declared) else value.value
    if row.key is None:
        if default:
            cx.report.error("V758", row.at, "the table has a default already", "remove one of the two")
        default.append(constant)
        return
    key = _key(cx, row, kind)
    if key is None:
        return
    if key in rows:
        cx.report.error(
            "V758",
            row.at,
            "the table has this key already",
            "remove one of the two",
            labels=[(rows[key][0], "here")],
        )
        return
    rows[key] = (row.at, constant)


def _key(cx: Context, row: nodes.Row, kind: str) -> bytes | None:
    """Returns the key of a row: its text, or the number of bits and the address."""
    assert row.key is not None
    if kind != "ip":
        if row.bits is not None:
            cx.report.error("V758", row.at, "only a table by ip has masks", "remove the mask")
            return None
        if not row.key and kind != "prefix":
            cx.report.error("V758", row.at, "a key is not empty", "write `default` for all other keys")
            return None
        if kind == "suffix" and row.key.startswith("."):
            help_ = f'write "{row.key.lstrip(".")}", which stands for the host and all hosts below it'
            cx.report.error("V758", row.at, "a host does not begin with a dot", help_)
            return None
        return row.key.encode("latin-1")
    address = literals.parse_ip(row.key)
    if address is None:
        cx.report.error("V317", row.at, f'"{row.key}" is not an address', "write a numeric address")
        return None
    width = 8 * len(address)
    bits = width if row.bits is None else row.bits
    if bits > width:
        cx.report.error(
            "V758", row.at, f"the mask has {bits} bits, the address {width}", f"write 0 to {width}"
        )
        return None
    number = int.from_bytes(address, "big")
    if number & (1 << width - bits) - 1:
        cx.report.error(
            "V758", row.at, "the address has bits behind its mask", "clear them, or widen the mask"
        )
        return None
    return bytes([bits]) + address
