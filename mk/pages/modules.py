"""The tables of docs/modules.md, from the vocabulary."""

from __future__ import annotations

from vernis.semantics.vocabulary import (
    ALL_HOOKS,
    FunctionRow,
    ModuleRow,
    ObjectRow,
    Param,
    hook_names,
    load_vocabulary,
)

from pages import ROOT

PAGE = ROOT / "docs/modules.md"
MARK = "## The modules that come with the server\n"


def tables() -> str:
    return "".join(_module(row) for _, row in sorted(load_vocabulary().modules.items()))


def _module(row: ModuleRow) -> str:
    lines = [_line(f"{row.name}.{function.name}", function) for function in row.functions.values()]
    for made in row.objects.values():
        lines += _object(row, made)
    return f"\n### {row.name}\n\n{row.doc}\n\n| | |\n|---|---|\n" + "".join(lines)


def _object(module: ModuleRow, row: ObjectRow) -> list[str]:
    form = f"new x = {module.name}.{row.name}({params(row.constructor)})"
    return [
        f"| `{form}` | {row.doc} |\n",
        *(_line(f"x.{method.name}", method) for method in row.methods.values()),
    ]


def _line(name: str, row: FunctionRow) -> str:
    notes = [_where(row)] if _where(row) else []
    if row.may_wait:
        notes.append("May wait.")
    return f"| `{row.result.value} {name}({params(row)})` | {' '.join([row.doc, *notes])} |\n"


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
