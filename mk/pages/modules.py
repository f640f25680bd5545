"""The lists of functions in docs/modules.md, from the vocabulary."""

from __future__ import annotations

from collections import Counter

from vernis.semantics.vocabulary import ALL_HOOKS, FunctionRow, ModuleRow, Param, hook_names, load_vocabulary

from pages import ROOT

PAGE = ROOT / "docs/modules.md"
OPTIONS = "OPTIONS"
#: So many parameters that so many functions of a module have are written once.
COMMON_MIN, COMMON_FUNCTIONS_MIN = 6, 3
#: So are the values of an ENUM that so many parameters have.
VALUES_MIN, ENUMS_MIN = 3, 3
MARK = "## The modules that come with the server\n"


def tables() -> str:
    return "".join(_module(row) for _, row in sorted(load_vocabulary().modules.items()))


def _module(row: ModuleRow) -> str:
    """A list, with what all functions have in common, and parameters that several take, in front of it."""
    called = [
        *row.functions.values(),
        *(method for made in row.objects.values() for method in made.methods.values()),
    ]
    counts = Counter(map(_where, called))
    where, most = counts.most_common(1)[0]
    if most * 2 <= len(called):
        where = ""
    spoken = where.replace(".", ", unless noted.") if len(counts) > 1 else where
    common = _common([*called, *(made.constructor for made in row.objects.values())])
    lines = [
        _line(f"{row.name}.{function.name}", function, where, common) for function in row.functions.values()
    ]
    for made in row.objects.values():
        form = f"new x = {row.name}.{made.name}({_params(made.constructor, common)})"
        lines.append(f"* `{form}`: {made.doc}\n")
        lines += [_line(f"x.{method.name}", method, where, common) for method in made.methods.values()]
    options = f"\n`{OPTIONS}`: `{', '.join(common)}`.\n" if common else ""
    listed, enums = _with_enums_once(
        "".join(_methods_once(lines)), [*called, *(made.constructor for made in row.objects.values())]
    )
    return f"\n### {row.name}\n\n{' '.join(filter(None, (row.doc, spoken)))}\n{options}{enums}\n{listed}"


def _methods_once(lines: list[str]) -> list[str]:
    """Methods that an object has in the same words as one before it are named in one line."""
    known: set[str] = set()
    written: list[str] = []
    again: list[str] = []
    for line in [*lines, "* `new "]:
        if line in known:
            again.append(line)
            continue
        if again and line.startswith("* `new "):
            names = ", ".join(f"`{one.partition('(')[0].split()[-1]}()`" for one in again)
            written.append(f"* {names}: as above.\n")
            again = []
        known.add(line)
        written.append(line)
    return written[:-1]


def _with_enums_once(text: str, rows: list[FunctionRow]) -> tuple[str, str]:
    """The list with names in place of long sets of values, and the lines that explain these names."""
    sets = [(param.values, param.name) for row in rows for param in row.params if param.values]
    enums = ""
    for values, count in Counter(values for values, _ in sets).items():
        if len(values) < VALUES_MIN or count < ENUMS_MIN:
            continue
        name = next(name for found, name in sets if found == values).upper()
        text = text.replace("{" + ", ".join(values) + "}", name)
        enums += f"\n`{name}`: `{', '.join(values)}`.\n"
    return text, enums


def _common(rows: list[FunctionRow]) -> list[str]:
    """Parameters that several functions with many defaults have."""
    defaults = [[_param(param) for param in row.params if param.has_default] for row in rows]
    counts = Counter(form for forms in defaults if len(forms) >= COMMON_MIN for form in forms)
    common = [form for form, count in counts.items() if count >= COMMON_FUNCTIONS_MIN]
    return common if len(common) >= COMMON_MIN else []


def _params(row: FunctionRow, common: list[str]) -> str:
    forms = [_param(param) for param in row.params]
    if len(set(forms) & set(common)) < COMMON_MIN:
        return ", ".join(forms)
    lacking = [form.split()[1] for form in common if form not in forms]
    options = OPTIONS + (f" without {', '.join(lacking)}" if lacking else "")
    return ", ".join([*(form for form in forms if form not in common), options])


def _line(name: str, row: FunctionRow, where: str, common: list[str]) -> str:
    notes = [] if _where(row) == where else [_where(row) or "In all hooks."]
    if row.may_wait:
        notes.append("May wait.")
    return f"* `{row.result.value} {name}({_params(row, common)})`: {' '.join([row.doc, *notes])}\n"


def _where(row: FunctionRow) -> str:
    """The hooks in which a function may be called; empty for all hooks. Hooks of one side are listed by the
    side's name."""
    if row.where == ALL_HOOKS:
        return ""
    hooks = load_vocabulary().hooks
    words, rest = [], row.where
    for sides, spoken in (
        (("client", "backend"), "transactions"),
        (("client",), "client hooks"),
        (("backend",), "backend hooks"),
    ):
        mask = sum(1 << hook.bit for hook in hooks.values() if hook.side in sides)
        if not mask & ~rest:
            words.append(spoken)
            rest &= ~mask
    words += [f"`{name}`" for name in hook_names(rest)]
    return f"Only in {' and '.join(filter(None, (', '.join(words[:-1]), words[-1])))}."


def params(row: FunctionRow) -> str:
    return ", ".join(_param(param) for param in row.params)


def _param(param: Param) -> str:
    kind = "{" + ", ".join(param.values) + "}" if param.values else param.type.value
    if param.optional:
        return f"[{kind} {param.name}]"
    return f"{kind} {param.name}" + (f" = {_literal(param.default)}" if param.has_default else "")


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) and not value.isupper() else str(value)


def page() -> str:
    before, _, behind = PAGE.read_text().partition(MARK)
    introduction = behind.partition("\n### ")[0].rstrip("\n")
    return f"{before}{MARK}{introduction}\n{tables()}"
