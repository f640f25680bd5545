"""Writes the language's tables as C headers to ``build/gen``.

``policy_numbers.h`` has the numbers and names that the compiler and the runtime share: hooks, actions and
messages of ``grammar/vocabulary.toml``, and the constants that identify an image (abi.py).
``policy_origins.h`` has the structures of backends and probes (origins.py), ``vcl_literals.h`` the units and
limits of literals (``semantics/types.py``), ``reason_phrases.h`` the phrases of status codes
(``semantics/phrases.py``). For each room that exports functions to policies, ``exports_ROOM.h`` has their
prototypes, so that the C compiler checks them, and ``exports_ROOM_rows.h`` has the rows of the room's table.
The symbol ``get_req_url`` is the C function ``vcl_get_req_url``.

    python -m vernis.native.headers FOLDER
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from vernis.ir import externs, ir
from vernis.ir.ir import Extern, Type
from vernis.ir.passes.pattern_sets import SUBJECTS_MAX
from vernis.native import abi, origins
from vernis.native.abi import signature_text
from vernis.native.digest import write_if_changed
from vernis.native.shapes import MASK, SHAPES
from vernis.semantics.counters import LABELS_MAX as COUNTER_LABELS_MAX
from vernis.semantics.phrases import PHRASES
from vernis.semantics.types import DURATION_UNITS, FRACTION_DIGITS, INT_DIGITS, REAL_DIGITS
from vernis.semantics.vocabulary import SIDES, Vocabulary, load_vocabulary

NOTE = "/* Made by compiler/native/headers.py. */\n"


def policy_numbers(vocabulary: Vocabulary) -> str:
    hooks = [name.removeprefix("vcl_").upper() for name in vocabulary.hooks]
    actions = ["none", *vocabulary.action_rows]
    sides = [
        (side, sum(1 << row.bit for row in vocabulary.hooks.values() if row.side == side)) for side in SIDES
    ]
    return (
        f"{NOTE}#ifndef VERNIS_GEN_POLICY_NUMBERS_H\n#define VERNIS_GEN_POLICY_NUMBERS_H\n\n"
        + _enum("vcl_hook", "HOOK", hooks)
        + "/* ACTION_NONE: a sub reached its end; a hook never returns it. */\n"
        + _enum("vcl_action", "ACTION", [name.upper() for name in actions])
        + _enum("vcl_msg", "MSG", [name.upper() for name in vocabulary.messages])
        + _enum("image_table_kind", "IMAGE_TABLE", [kind.upper() for kind in ir.TABLE_KINDS])
        + _enum("image_change_kind", "IMAGE_CHANGE", [kind.upper() for kind in ir.CHANGE_KINDS])
        + _enum("image_table_value", "IMAGE_TABLE_OF", [type.value for type in ir.TABLE_VALUES])
        + "/* Hooks of each side, a bit per enum vcl_hook. */\n"
        + "".join(f"#define HOOKS_{side.upper()} {mask:#x}u\n" for side, mask in sides)
        + "\n/* Initialisers of tables indexed by these numbers: names in policies, names of hooks\n"
        " * in the log, words of `allow`, prefixes of header field names. */\n"
        + _names("HOOK_NAMES", vocabulary.hooks)
        + _names("HOOK_LOG_NAMES", hooks)
        + _names("ACTION_NAMES", actions)
        + _names("SAFETY_NAMES", vocabulary.safety)
        + _names("MSG_FAMILIES", [f"{name}.http." for name in vocabulary.messages])
        + f'\n#define VERNIS_ABI_VERSION {abi.ABI_VERSION}u\n#define VERNIS_POLICY_SYMBOL "{abi.SYMBOL}"\n'
        f"#define VERNIS_POLICY_MAGIC {abi.MAGIC:#x}ull\n"
        "\n/* Bits of image_effects.flags. MAY_WAIT: a function that the hook reaches may suspend\n"
        " * the fiber. UNKNOWN: the lists are incomplete. */\n"
        f"#define EFFECT_MAY_WAIT {abi.EFFECT_MAY_WAIT}u\n#define EFFECT_UNKNOWN {abi.EFFECT_UNKNOWN}u\n"
        f"\n#define CHAIN_SUBJECTS_MAX {SUBJECTS_MAX}u /* of image_chain.n_subjects */\n"
        f"#define IMAGE_RULES_MAX {ir.RULES_MAX}u\n"
        f"#define COUNTER_LABELS_MAX {COUNTER_LABELS_MAX}u\n"
        f"#define COUNTER_SERIES_MAX {ir.COUNTER_SERIES_MAX}u\n"
        f"#define COUNTER_VALUE_MAX {ir.COUNTER_VALUE_MAX}u\n"
        f'#define COUNTER_OTHER "{ir.COUNTER_OTHER}"\n'
        "\n#endif\n"
    )


def policy_origins() -> str:
    """The structures of backends and probes."""
    return (
        f"{NOTE}#ifndef VERNIS_GEN_POLICY_ORIGINS_H\n#define VERNIS_GEN_POLICY_ORIGINS_H\n\n"
        f'#include <stdint.h>\n\n#include "base/span.h"\n\n{origins.structures()}\n#endif\n'
    )


def vcl_literals() -> str:
    """Units and limits of literals."""
    whole, fraction = "9" * REAL_DIGITS, "9" * FRACTION_DIGITS
    units = ", ".join(f'{{ "{unit}", {seconds} }}' for unit, seconds in DURATION_UNITS.items())
    return (
        f"{NOTE}#ifndef VERNIS_GEN_VCL_LITERALS_H\n#define VERNIS_GEN_VCL_LITERALS_H\n\n"
        "/* The largest numbers that have a text form (RFC 8941, 3.3.1 and 3.3.2). */\n"
        f"#define VCL_INT_MAX {'9' * INT_DIGITS}\n#define VCL_REAL_MAX {whole}.{fraction}\n"
        f"#define VCL_INT_DIGITS {INT_DIGITS}u\n"
        f"#define VCL_REAL_DIGITS {REAL_DIGITS}u /* before the point */\n\n"
        "/* Rows of a table: a unit of durations and its length in seconds, smallest unit first. */\n"
        f"#define VCL_DURATION_UNITS {units}\n\n#endif\n"
    )


def reason_phrases() -> str:
    guard = "VERNIS_GEN_REASON_PHRASES_H"
    rows = ", ".join(f'[{status}] = "{phrase}"' for status, phrase in PHRASES.items())
    return f"{NOTE}#ifndef {guard}\n#define {guard}\n\n#define REASON_PHRASES {{ {rows} }}\n\n#endif\n"


def _enum(name: str, prefix: str, members: Iterable[str]) -> str:
    lines = "".join(f"    {prefix}_{member},\n" for member in members)
    return f"enum {name} {{\n{lines}    {prefix}_COUNT\n}};\n\n"


def _names(macro: str, names: Iterable[str]) -> str:
    """An initialiser of spans."""
    return f"#define {macro} {{ " + ", ".join(f'{{ "{name}", {len(name)} }}' for name in names) + " }\n"


def exports_by_room(vocabulary: Vocabulary) -> dict[str, dict[str, Extern]]:
    """Exported functions by room: ``vmod`` has those of modules, ``policy`` those that need no import."""
    of_modules: dict[str, Extern] = {}
    for module in vocabulary.modules.values():
        for symbol, extern in externs.of_module(module).items():
            if signature_text(of_modules.setdefault(symbol, extern)) != signature_text(extern):
                raise ValueError(f"vocabulary.toml: {symbol} has two signatures")
    return {"policy": externs.of_language(vocabulary), "vmod": of_modules}


def prototypes(room: str, found: Iterable[Extern]) -> str:
    """The header of a room. Hidden visibility makes calls inside the library direct."""
    guard = f"VERNIS_GEN_EXPORTS_{room.upper()}_H"
    structs = sorted(
        {shape.c.removeprefix("const ").split(" *")[0] for shape in SHAPES.values() if "struct " in shape.c}
    )
    return (
        f'{NOTE}#ifndef {guard}\n#define {guard}\n\n#include "policy_abi.h"\n\n'
        + "".join(f"{name};\n" for name in structs)
        + "\n#pragma GCC visibility push(hidden)\n"
        + "".join(f"{prototype(extern)};\n" for extern in found)
        + "#pragma GCC visibility pop\n\n#endif\n"
    )


def prototype(extern: Extern) -> str:
    """The C prototype. The mask of given arguments follows the instance, if there is one."""
    params = [SHAPES[type].c for type in extern.params]
    if extern.optional:
        params.insert(int(extern.params[0] is Type.INSTANCE), MASK.c)
    return _declared(
        SHAPES[extern.result].c, f"vcl_{extern.symbol}({', '.join(('struct policy_ctx *', *params))})"
    )


def _declared(type: str, what: str) -> str:
    return type + what if type.endswith("*") else f"{type} {what}"


def rows(found: Iterable[Extern]) -> str:
    return NOTE + "".join(
        f'{{ "{extern.symbol}", "{signature_text(extern).partition(":")[2]}", '
        f"(export_fn *)vcl_{extern.symbol} }},\n"
        for extern in found
    )


def main(folder: Path) -> None:
    vocabulary = load_vocabulary()
    assert vocabulary is ir.VOCABULARY
    write_if_changed(folder / "policy_numbers.h", policy_numbers(vocabulary))
    write_if_changed(folder / "policy_origins.h", policy_origins())
    write_if_changed(folder / "vcl_literals.h", vcl_literals())
    write_if_changed(folder / "reason_phrases.h", reason_phrases())
    for room, found in exports_by_room(vocabulary).items():
        write_if_changed(folder / f"exports_{room}.h", prototypes(room, found.values()))
        write_if_changed(folder / f"exports_{room}_rows.h", rows(found.values()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
