"""Variables by name: the row of a dotted name, and the hooks where its use is legal."""

from __future__ import annotations

from typing import TypeAlias

from vernis.record import record
from vernis.semantics.context import Context, first_outside, phase_help, require_phase
from vernis.semantics.report import certain, did_you_mean, nearest, joined_names
from vernis.semantics.resolve import Kind
from vernis.semantics.vocabulary import (
    STORAGE_FAMILY,
    VERSIONS,
    HookMask,
    VariableRow,
    hook_names,
    load_vocabulary,
)
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit
from vernis.syntax.stock import phrase

HEADER_NAME_MAX = 126  # the limit of Varnish, which stores the length with the colon in one signed byte
HEADER_CHARACTERS = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
ATTRIBUTES = [
    row.name.removeprefix(STORAGE_FAMILY)
    for row in load_vocabulary().variables
    if row.name.startswith(STORAGE_FAMILY)
]

# Variables of VCL 3 and older, with the variable or the expression that replaces each.
OLD_VARIABLES = {
    "req.request": "req.method",
    "bereq.request": "bereq.method",
    "req.backend": "req.backend_hint",
    "beresp.response": "beresp.reason",
    "obj.response": "resp.reason",
    "resp.response": "resp.reason",
}
OLD_FORMS = {
    "req.backend.healthy": "std.healthy(req.backend_hint)",
    "client.port": "std.port(client.ip)",
    "server.port": "std.port(server.ip)",
    "beresp.saintmode": "return (retry)",
    "beresp.cacheable": "beresp.uncacheable, which has the opposite meaning",
}

# Help for variables of VCL 4.0 that VCL 4.1 does not have.
IN_OTHER_VERSIONS = {
    "req.esi": "use resp.do_esi in vcl_deliver since vcl 4.1",
    "beresp.storage_hint": "use beresp.storage = storage.NAME since vcl 4.1",
}

USES = {"read": "V401", "set": "V402", "unset": "V403"}


@record
class FoundVariable:
    """A variable row. ``field`` is the name of the header field if the row is a family of fields."""

    row: VariableRow
    field: str | None = None

    @property
    def name(self) -> str:
        return self.row.name if self.field is None else self.row.name[:-1] + self.field


@record
class FoundStorage:
    """``storage.NAME``, with the row of its attribute if the name has one."""

    name: str
    row: VariableRow | None


Found: TypeAlias = FoundVariable | FoundStorage


def find(cx: Context, name: nodes.Name) -> Found | None:
    """Returns the variable of a name, or None without a report."""
    parts = name.parts
    key = name.text.lower()
    row = cx.scope.variables.get(key)
    if row is not None and not name.quoted:
        return FoundVariable(row)
    if len(parts) < 2:
        return None
    head = parts[0].lower()
    if parts[1].lower() == "http" and len(parts) == 3:
        family = cx.scope.variables.get(f"{head}.http.")
        return FoundVariable(family, parts[2]) if family else None
    if head == "storage" and len(parts) == 2:
        return FoundStorage(parts[1], None)
    if head == "storage" and len(parts) == 3:
        attribute = cx.scope.variables.get(f"storage.*.{parts[2].lower()}")
        return FoundStorage(parts[1], attribute) if attribute else None
    return None


def usable(cx: Context, at: nodes.At, name: nodes.Name, found: FoundVariable, use: str) -> bool:
    """Whether the hooks of this sub may read, set or unset (``use``) a variable. Reports an illegal use and
    records a legal one."""
    row = found.row
    if cx.function is not None:
        cx.report.error(
            "V753",
            at,
            f"a function cannot use {found.name}",
            "its result depends on its arguments alone; pass the value as an argument",
        )
        return False
    mask = row.read if use == "read" else row.set if use == "set" else row.unset
    if found.field is not None and not _field_name_legal(cx, at, name, found.field):
        return False
    if not cx.legal_here(mask):
        help_, edits = _alternative(cx, row, name, use, mask)
        require_phase(
            cx,
            USES[use],
            at,
            mask,
            found.name,
            use,
            help_,
            stock=_stock_of_phase(cx, row, use, mask),
            edits=edits,
        )
        return False
    if not mask and not _sub_is_reached(cx):
        help_, _ = _alternative(cx, row, name, use, mask)
        cx.report.error(
            USES[use], at, f"{found.name} can never be {use}", help_ or "", stock=phrase("impossible")
        )
        return False
    cx.narrow(mask)
    touched = cx.facts.reads if use == "read" else cx.facts.writes
    touched.add(row.name if found.field is None else row.key + found.field.lower())
    return True


def _sub_is_reached(cx: Context) -> bool:
    """Whether a hook calls this sub by name. Other subs are unused, or used as values."""
    return cx.sub is not None and cx.sub.reach != 0


def _alternative(
    cx: Context, row: VariableRow, name: nodes.Name, use: str, mask: HookMask
) -> tuple[str | None, tuple[Edit, ...]]:
    """Returns the help and the edits for a variable that cannot be used here."""
    from vernis.semantics.elsewhere import WRITTEN, counterparts

    there = [other.text for other in counterparts(cx, row, name, use)]
    if there:
        where = f"; {name.text} can be {use} in {', '.join(hook_names(mask))}" if mask else ""
        is_certain = len(there) == 1 and not name.quoted
        edits = (Edit(cx.report.span(name.at), there[0]),) if is_certain else ()
        return f"write {' or '.join(there)}{where}", edits
    if mask:
        return None, ()
    if use == "set" and row.key in WRITTEN:
        return WRITTEN[row.key], ()
    for before in counterparts(cx, row, name, use, anywhere=True)[:1]:
        hooks = joined_names(hook_names(before.row.set if use == "set" else before.row.unset))
        return f"{phase_help(mask, use)}; {before.text} can be, in {hooks}", ()
    return _help_of_other_version(cx, row, use), ()


def _help_of_other_version(cx: Context, row: VariableRow, use: str) -> str | None:
    """Returns the help for a variable that an older version could set or unset."""
    other = next(
        (
            o
            for o in cx.scope.vocabulary.variables
            if o.key == row.key and (o.set if use == "set" else o.unset)
        ),
        None,
    )
    if other is None or use == "read":
        return None
    return f"vcl {'.'.join(map(str, other.versions[1]))} could {use} it; later versions can only read it"


def _stock_of_phase(cx: Context, row: VariableRow, use: str, mask: HookMask) -> str:
    """Returns the phrase of Varnish for an illegal use. Varnish reports a use that is never legal first,
    unless the variable cannot be read here either."""
    assert cx.sub is not None
    where = first_outside(cx, mask)
    manner = "in" if cx.sub.hook and cx.sub.name == where else "from"
    if mask:
        return phrase(f"{use} {manner}", sub=where)
    if use == "set" and row.read and not cx.legal_here(row.read):
        return phrase(f"read {manner}", sub=first_outside(cx, row.read))
    return phrase("read only" if use == "set" and row.read else f"not {use}")


def _field_name_legal(cx: Context, at: nodes.At, name: nodes.Name, field: str) -> bool:
    if 2 in name.quoted and cx.checked.version < (4, 1):
        cx.report.error(
            "V311",
            at,
            "a header name in quotes needs vcl 4.1",
            "begin the policy with `vcl 4.1;`",
            stock=phrase("quoted header"),
        )
        return False
    if not field or not HEADER_CHARACTERS.issuperset(field):
        cx.report.error(
            "V321",
            at,
            f'"{field}" is not a header name',
            "a header name has letters, digits and !#$%&'*+-.^_`|~",
            stock=phrase("header character", character=_first_wrong(field)),
        )
        return False
    if len(field) > HEADER_NAME_MAX:
        cx.report.error(
            "V321",
            at,
            f"a header name has at most {HEADER_NAME_MAX} characters, this one has {len(field)}",
            "write a shorter name",
            stock=phrase("header too long", start=field),
        )
        return False
    return True


def _first_wrong(field: str) -> str:
    """Returns the first character that is illegal in header names, escaped as in C."""
    wrong = next((c for c in field if c not in HEADER_CHARACTERS), "")
    return wrong.encode("unicode_escape").decode()


def report_unknown(cx: Context, name: nodes.Name, use: str) -> None:
    """Reports an unknown variable, and suggests names that are legal here."""
    if any(
        explain(cx, name)
        for explain in (
            report_other_version,
            _header_family_misused,
            _minus_swallowed,
            _old_variable,
            _foreign_variable,
            _field_misspelt,
        )
    ):
        return
    candidates = [
        row.name
        for row in cx.scope.variables.values()
        if "*" not in row.name
        and cx.legal_here(row.read if use == "read" else row.set if use == "set" else row.unset)
    ]
    if use == "read":
        candidates += cx.scope.names(Kind.BACKEND, Kind.ACL, Kind.PROBE, Kind.INSTANCE)
    if "." in name.parts[0]:  # a name of an imported file
        candidates = [symbol.name for symbol in cx.scope.symbols.values() if "." in symbol.name]
    near = nearest(name.text, candidates)
    symbol = cx.scope.symbols.get(name.parts[0].lower())
    if use != "read" and symbol is not None and len(name.parts) == 1:
        cx.report.error(
            "V323",
            name.at,
            f"{symbol.name} is {symbol.kind.one} and cannot be {use}",
            "only a variable can be",
            stock=phrase("not found", name=name.text),
        )
        return
    from vernis.semantics.elsewhere import about_word, function_named

    what = "variable" if use != "read" or len(name.parts) > 1 else "variable or declaration"
    about, meant = about_word(cx, name, use)
    help_ = about if meant else function_named(cx, name, use) or did_you_mean(near, _about(cx, name) or about)
    cx.report.error(
        "V302",
        name.at,
        f"there is no {what} {name.text}",
        help_,
        replace=meant or _only_reading(cx, name, certain(name.text, near)),
        stock=_stock_of_unknown(cx, name, use),
        sure=_belongs_to_the_language(cx, name),
    )


def _only_reading(cx: Context, name: nodes.Name, meant: str | None) -> str | None:
    """Returns the replacement unless another message has such a variable here, too: ``resp.ttl`` may be
    obj.ttl as well as req.ttl."""
    from vernis.semantics.elsewhere import COUNTERPARTS

    head, _, rest = name.text.lower().partition(".")
    if meant is None or head not in COUNTERPARTS or meant.lower().startswith(head + "."):
        return meant
    rows = [row for row in map(cx.scope.variables.get, (f"{other}.{rest}" for other in COUNTERPARTS)) if row]
    readable = [row.name for row in rows if cx.legal_here(row.read)]
    return meant if readable == [meant] else None


def report_elsewhere(cx: Context, name: nodes.Name) -> bool:
    """Reports a variable of another version or of another server. Returns whether it did."""
    return report_other_version(cx, name) or _foreign_variable(cx, name)


def _belongs_to_the_language(cx: Context, name: nodes.Name) -> bool:
    """Whether only VCL could declare this name, because it begins as its variables do."""
    head = name.parts[0].lower() + "."
    return len(name.parts) > 1 and any(key.startswith(head) for key in cx.scope.variables)


def _stock_of_unknown(cx: Context, name: nodes.Name, use: str) -> str:
    owner = cx.scope.variables.get(name.parts[0].lower())
    if use == "read" and len(name.parts) > 1 and owner is not None:
        return phrase("property", name=name.parts[1], type=owner.type.value)
    return phrase("not found", name=name.text)


def _about(cx: Context, name: nodes.Name) -> str:
    """Returns a help text about the first part of an unknown name."""
    head = name.parts[0].lower()
    if len(name.parts) > 1 and head in cx.scope.vocabulary.modules and head not in cx.scope.symbols:
        return f"for the module, add `import {head};` at the top"
    inside = [
        row.name
        for row in cx.scope.variables.values()
        if row.name.startswith(head + ".") and cx.legal_here(row.read)
    ]
    return f"known: {', '.join(inside)}" if inside and len(name.parts) > 1 else ""


def _old_variable(cx: Context, name: nodes.Name) -> bool:
    """Reports a variable of older versions with its replacement."""
    key = name.text.lower()
    renamed, form = OLD_VARIABLES.get(key), OLD_FORMS.get(key)
    if renamed is None and form is None:
        return False
    cx.report.error(
        "V302",
        name.at,
        f"there is no variable {name.text} since VCL 4",
        f"write {renamed or form}",
        replace=renamed,
        sure=True,
    )
    return True


def _foreign_variable(cx: Context, name: nodes.Name) -> bool:
    """Reports a variable of other servers with its replacement."""
    from vernis.semantics.elsewhere import form_of

    form = form_of(name.text)
    if form:
        cx.report.error(
            "V302",
            name.at,
            f"there is no variable {name.text}",
            f"write {form}" if "import" not in form else form,
            replace=form if form.lower() in cx.scope.variables or ".http." in form else None,
            sure=True,
        )
    return bool(form)


def _field_misspelt(cx: Context, name: nodes.Name) -> bool:
    """Reports ``req.htpp.X``, ``req.header.X`` and ``req.X-Name`` with the right form."""
    head, *rest = name.parts
    if f"{head.lower()}.http." not in cx.scope.variables or name.quoted:
        return False
    if len(rest) == 2 and (rest[0].lower() in ("header", "headers") or nearest(rest[0], ["http"])):
        meant = f"{head}.http.{rest[1]}"
        return _no_variable(cx, name, f"did you mean {meant}?", meant)
    if len(rest) == 1 and "-" in rest[0]:
        field = rest[0][4:] if rest[0].lower().startswith("http") else rest[0]
        meant = f"{head}.http.{field.lstrip('-')}"
        return _no_variable(cx, name, f"write a header field as {meant}", meant)
    return False


def _no_variable(cx: Context, name: nodes.Name, help_: str, meant: str) -> bool:
    """Reports a name that can only be a misspelt variable. Returns True."""
    cx.report.error("V302", name.at, f"there is no variable {name.text}", help_, replace=meant, sure=True)
    return True


def _minus_swallowed(cx: Context, name: nodes.Name) -> bool:
    """Reports ``beresp.ttl-5s`` if a variable precedes the minus. It is one name, because names may contain a
    minus."""
    before, minus, behind = name.text.partition("-")
    if f"{before}.{behind}".lower() in cx.scope.variables:
        meant = f"{before}.{behind}"
        return _no_variable(cx, name, f"did you mean {meant}?", meant)
    if not minus or not behind or before.lower() not in cx.scope.variables:
        return False
    meant = f"{before} - {behind}"
    return _no_variable(cx, name, f"put spaces around the minus: {meant}", meant)


def report_other_version(cx: Context, name: nodes.Name) -> bool:
    """Reports a variable that only another version has. Returns whether it did."""
    key = name.text.lower()
    row = next((row for row in cx.scope.vocabulary.variables if row.key == key), None)
    if row is None or key in cx.scope.variables:
        return False
    first, last = (".".join(map(str, version)) for version in row.versions)
    cx.report.error(
        "V311",
        name.at,
        f"{row.name} is in vcl {first if first == last else f'{first} to {last}'} only",
        IN_OTHER_VERSIONS.get(key) or f"this policy is vcl {cx.checked.version[0]}.{cx.checked.version[1]}",
        stock=phrase("not in version", name=row.name, range=_stock_range(row)),
    )
    return True


def _stock_range(row: VariableRow) -> str:
    first, last = (".".join(map(str, version)) for version in row.versions)
    lowest, highest = VERSIONS[0], VERSIONS[-1]
    return (
        (f"{first} <= " if row.versions[0] > lowest else "")
        + "VCL syntax"
        + (f" <= {last}" if row.versions[1] < highest else "")
    )


def _header_family_misused(cx: Context, name: nodes.Name) -> bool:
    parts = name.parts
    if len(parts) < 2 or parts[1].lower() != "http" or f"{parts[0].lower()}.http." not in cx.scope.variables:
        return False
    if len(parts) == 2:
        cx.report.error(
            "V302",
            name.at,
            f"{name.text} needs the name of a header field",
            f"write {name.text}.Some-Name",
            sure=True,
        )
    else:
        cx.report.error(
            "V302",
            name.at,
            f"{name.text} is not a variable",
            f'quote a header name that has a dot: {parts[0]}.http."{".".join(parts[2:])}"',
            sure=True,
        )
    return True
