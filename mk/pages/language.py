"""docs/language.md, from grammar/vocabulary.toml."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from vernis.semantics.vocabulary import (
    ALL_HOOKS,
    SIDES,
    VERSIONS,
    VariableRow,
    Vocabulary,
    hook_names,
    load_vocabulary,
)

from pages import ROOT
from pages.modules import params

PAGE = ROOT / "docs/language.md"
HEAD = """# The language

After this page you know which hooks a policy has, what each may return, and where each variable can be read,
set and unset. `make docs` makes the page from [grammar/vocabulary.toml](../grammar/vocabulary.toml).

The language is VCL 4.0 and 4.1 of Varnish 7.1, with [differences](differences.md), and [VCL 5.0](vcl-5.md).
[modules.md](modules.md) has the functions that `import` adds.

```vcl
vcl 4.1;

backend default { .host = "127.0.0.1"; .port = "8080"; }

sub vcl_backend_response {
    if (bereq.url ~ "^/static/") {
        set beresp.ttl = 1d;
    }
}
```

The [built-in policy](../grammar/builtin.vcl) follows every policy: if a hook of yours returns nothing, the
built-in hook of the same name runs after it. Its steps are subs, such as `vcl_req_cookie`: statements of a sub of
yours with this name run before the step.
"""

GROUPS = {
    "req": "The request of the client",
    "req_top": "The request at the top of ESI includes",
    "bereq": "The request to the origin",
    "beresp": "The response of the origin",
    "obj": "The stored response",
    "resp": "The response to the client",
    "sess": "The connection of the client",
    "storage": "Storages",
    "": "Addresses, clock and server",
}


def page() -> str:
    vocabulary = load_vocabulary()
    return HEAD + "".join(
        [*_hooks(vocabulary), *_variables(vocabulary), *_functions(vocabulary), *_five(vocabulary)]
    )


def _hooks(vocabulary: Vocabulary) -> Iterator[str]:
    yield "\n## Hooks\n\n| hook | side | runs when | may return |\n|---|---|---|---|\n"
    for hook in vocabulary.hooks.values():
        actions = ", ".join(f"`{action}`" for action in hook.actions)
        yield f"| `{hook.name}` | {hook.side} | {hook.doc} | {actions} |\n"
    yield "\nThese actions take arguments; those in brackets may be left out:\n\n"
    for row in vocabulary.action_rows.values():
        if row.store is not None:
            yield f"* `return ({row.name}({params(row.store)}))`\n"


def _variables(vocabulary: Vocabulary) -> Iterator[str]:
    yield """
## Variables

`r`, `s`, `u`: the variable can be read, set, unset. "client" and "backend" are all hooks of that side, "all" all hooks;
other names are hooks without `vcl_`. A version follows the name of a variable that only it has. `NAME` is the name of a
field or storage.
"""
    groups: dict[str, list[VariableRow]] = {key: [] for key in GROUPS}
    for row in vocabulary.variables:
        family = row.name.partition(".")[0]
        groups[family if family in GROUPS else ""].append(row)
    for key, rows in groups.items():
        usual = Counter(mask for row in rows for mask in _letters(row)).most_common(1)[0][0]
        yield f"\n### {GROUPS[key]}\n\nIn {_where(vocabulary, usual)}, unless noted.\n\n| variable | type | use | |\n|---|---|---|---|\n"
        for row in rows:
            yield f"| {_name(row)} | {row.type.value} | {_uses(vocabulary, row, usual)} | {row.doc} |\n"


def _name(row: VariableRow) -> str:
    name = f"`{row.name.replace('*', 'NAME')}`"
    return (
        name
        if row.versions == (VERSIONS[0], VERSIONS[-1])
        else f"{name} ({row.versions[0][0]}.{row.versions[0][1]})"
    )


def _letters(row: VariableRow) -> dict[int, str]:
    """Letters of uses by the hooks that have them."""
    letters: dict[int, str] = {}
    for letter, mask in (("r", row.read), ("s", row.set), ("u", row.unset)):
        if mask:
            letters[mask] = letters.get(mask, "") + letter
    return letters


def _uses(vocabulary: Vocabulary, row: VariableRow, usual: int) -> str:
    """Letters of uses with the hooks that have them, but for the usual ones: ``rs client; u deliver``."""
    return "; ".join(
        f"`{uses}`" if mask == usual else f"`{uses}` {_where(vocabulary, mask)}"
        for mask, uses in _letters(row).items()
    )


def _where(vocabulary: Vocabulary, mask: int) -> str:
    """The hooks of a mask. Hooks of one side are listed by the side's name."""
    if mask == ALL_HOOKS:
        return "all"
    words, rest = [], mask
    for side in SIDES:
        whole = sum(1 << hook.bit for hook in vocabulary.hooks.values() if hook.side == side)
        if not whole & ~rest:
            words.append(side)
            rest &= ~whole
    return ", ".join([*words, *(name.removeprefix("vcl_") for name in hook_names(rest))])


def _functions(vocabulary: Vocabulary) -> Iterator[str]:
    yield "\n## Functions\n\n| function | where | |\n|---|---|---|\n"
    for row in vocabulary.functions.values():
        form = f"{row.name}({params(row)})"
        result = "" if row.statement else f"{row.result.value} "
        yield f"| `{result}{form}` | {_where(vocabulary, row.where)} | {row.doc} |\n"
    yield "\n## Methods of values\n\n"
    for (type, _), row in vocabulary.methods.items():
        yield f"* `{row.result.value} {type.value}.{row.name}({params(row)})`: {row.doc}\n"


FIVE = """
## Parts of variables in 5.0

A policy of `vcl 5.0` reads and changes parts of a URL, of Cookie and of Cache-Control by name. To change one
is to change its variable, so it needs a hook where the variable can be set.

```vcl
vcl 5.0;

backend default { .host = "127.0.0.1"; .port = "8080"; }

sub vcl_recv {
    req.url.query.remove("utm_*", "gclid");
    req.url.query.sort();
    if (req.cookie["session"] is set) {
        return (pass);
    }
    req.cookie.keep("lang");
    if (req.url.path.before("/") is set && req.url.ext in ["css", "js"]) {
        unset req.http.Cookie;
    }
    set req.http.X-Page = text(int(req.url.query["page"]) ?? 1);
}
```

* A part without `=` is there, and empty. Of several with one name the first counts.
* Nothing is decoded: `urlcode.decode(...)` does. A name is compared byte by byte (that of a directive in any case).
* `keep`, `remove` and `has` (is one of them there?) take constant names, with `*` at the start or the end for any
  bytes, but for directives. What stays keeps its bytes and its order. An empty query loses its `?`, an empty Cookie is
  unset, and empty parameters, as in `?a&&b`, go.
* `sort` orders parameters by name. Those of one name keep their order.
* An edit that changes nothing of a URL sets nothing, so the log has no record of it.
* `set req.url.path = ...;` keeps the query. A path that is empty or has a `?` fails the transaction.
"""


def _five(vocabulary: Vocabulary) -> Iterator[str]:
    yield FIVE + "\n| part | of | |\n|---|---|---|\n"
    rows: dict[str, tuple[list[str], list[str]]] = {}
    for view in vocabulary.views.values():
        name = f'{view.name}["NAME"]' if view.indexed else view.name
        edits = [
            word for word, row in (("keep", view.select), ("remove", view.select), ("sort", view.sort)) if row
        ]
        asks = " `has` asks." if view.has else ""
        uses = (
            f" Edits: {', '.join(f'`{word}`' for word in edits)}."
            if edits
            else " Can be set."
            if view.replace
            else ""
        )
        names, of = rows.setdefault(f"{view.doc}{asks}{uses}", ([], []))
        names.append(f"`{name}`")
        of.append(f"`{view.of}`")
    for text, (names, of) in rows.items():
        yield f"| {', '.join(names)} | {', '.join(of)} | {text} |\n"
    yield "\n## Functions and methods of 5.0\n\nThe result of a method is absent if its value is absent. `T?` is a value that may be absent.\n\n"
    for row in vocabulary.functions_five.values():
        yield f"* `{row.result.value}{'?' * row.absent} {row.name}(STRING? text)`: {row.doc}\n"
    yield "* `STRING text(value)`: The text of a value, as 4.1 prints it; a DURATION is seconds with three decimals.\n"
    yield "* `STRING http_date(TIME value)`: The time as an HTTP date.\n"
    for (type, name), row in vocabulary.methods_five.items():
        if vocabulary.methods.get((type, name)) is not row:
            yield f"* `{row.result.value}{'?' * row.absent} {type.value}.{row.name}({params(row)})`: {row.doc}\n"
