"""Writes the run-time parameters from the rooms' ``params.toml`` to C. A parameter needs one row there, and
the code that uses it.

``mk/params.mk`` runs it as a plain script. It writes ``param_values.h`` (struct params, which
``base/params.h`` includes), ``param_defaults.h`` (its first values, for ``base/params.c``) and
``param_rows.h`` (the rows that ``daemon/params.c`` walks).

A row is a TOML table with the parameter's name:

| key | meaning |
|---|---|
| ``kind`` | ``bool``, ``uint``, ``real``, ``bytes``, ``duration``, ``text``, ``pool`` or ``bits`` |
| ``default`` | in the operator's notation; ``@cpus``: the number of CPUs this process may use |
| ``min``, ``max`` | in the same notation; ``@name``, ``@95% name``: a share of another parameter |
| ``unit`` | for ``uint``, ``real``, ``text`` and ``pool``; ``bool``, ``bytes`` and ``duration`` imply it |
| ``flags`` | names in ``FLAGS``; ``hidden``: a value without a row, which no operator sets |
| ``bits``, ``bits_from`` | names of the bits, the lowest first, or a C expression for a NULL-ended list |
| ``field`` | only for ``bits``: name of the value in struct params; also defines ``NAME_BIT`` for each bit |
| ``wide`` | a size that may not fit into 32 bits |
| ``no_effect`` | the parameter has no effect; the value is its group in ``grammar/no_effect.toml`` |
| ``no_effect_bits`` | bits without effect: a table, group to names |
| ``check`` | only for ``text``: a C function that returns why a text is refused, or NULL |
| ``doc`` | one or two sentences for the operator |

C code reads a number as ``params.NAME``, with the suffix ``_s`` for a duration and ``_bytes`` for a size. It
reads texts, and bits without a ``field``, by name (``param_text``, ``param_bit``).
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

UNSIGNED_MAX = 2**32 - 1
BITS_MAX = 32
SUFFIXES = {"duration": "_s", "bytes": "_bytes"}
NUMBERS = {"bool": "bool", "uint": "uint32_t", "real": "double", "bytes": "uint32_t", "duration": "double"}
KINDS = (*NUMBERS, "text", "pool", "bits")
FLAGS = (
    "must_restart",
    "obj_sticky",
    "delayed",
    "experimental",
    "must_reload",
    "unavailable",
    "ours",
    "or_zero",
    "hidden",
)
KEYS = {
    "kind",
    "default",
    "min",
    "max",
    "unit",
    "flags",
    "bits",
    "bits_from",
    "field",
    "wide",
    "check",
    "doc",
    "no_effect",
    "no_effect_bits",
}
UNITS = {"b": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
CPUS = "@cpus"


@dataclass(slots=True)
class Param:
    """A checked row."""

    name: str
    room: str
    row: dict[str, object]

    @property
    def kind(self) -> str:
        return str(self.row["kind"])

    @property
    def flags(self) -> list[str]:
        flags = self.row.get("flags", [])
        assert isinstance(flags, list)
        return flags

    @property
    def bits(self) -> list[str]:
        bits = self.row.get("bits", [])
        assert isinstance(bits, list)
        return bits

    @property
    def no_effect_bits(self) -> list[tuple[str, str]]:
        """Bits without effect, each with its group."""
        groups = self.row.get("no_effect_bits", {})
        assert isinstance(groups, dict)
        return [(bit, group) for group, bits in groups.items() for bit in bits]

    @property
    def field(self) -> str | None:
        """The member of struct params; None if C reads the parameter by name, or not at all."""
        if "field" in self.row:
            return str(self.row["field"])
        if self.kind not in NUMBERS or "no_effect" in self.row:
            return None
        return self.name + SUFFIXES.get(self.kind, "")

    @property
    def c_type(self) -> str:
        largest = self.row.get("max", "0b")
        wide = self.kind == "bytes" and (self.row.get("wide") or size(str(largest)) > UNSIGNED_MAX)
        return "uint64_t" if wide else NUMBERS.get(self.kind, "uint32_t")

    @property
    def first_value(self) -> str:
        """The default as a C constant."""
        text = str(self.row["default"])
        if text == CPUS:
            return "1"
        if self.kind == "bool":
            return "true" if text == "on" else "false"
        if self.kind == "bytes":
            return str(size(text))
        if self.kind == "bits":
            on = [part[1:] for part in text.split(",") if part.startswith("+")]
            return " | ".join(self.bit(name) for name in on) or "0"
        return text

    def bit(self, name: str) -> str:
        return f"{self.name}_{name}".upper()


def size(text: str) -> int:
    return int(float(text.rstrip("bkmgt")) * UNITS[text[-1]]) if text[-1] in UNITS else int(text)


Groups = dict[str, dict[str, object]]


def anchor(title: object) -> str:
    """The anchor of a heading in a page."""
    return "".join(c for c in str(title).lower().replace(" ", "-") if c.isalnum() or c == "-")


def mistakes(param: Param, groups: Groups) -> list[str]:
    """Mistakes in a row, as messages to its author."""
    row = param.row
    said = [f"unknown key {key}" for key in row.keys() - KEYS]
    said += [f"no {key}" for key in ("kind", "default", "doc") if key not in row]
    if said:
        return said
    if param.kind not in KINDS:
        said.append(f"kind {param.kind} is none of {', '.join(KINDS)}")
    said += [f"unknown flag {flag}" for flag in param.flags if flag not in FLAGS]
    if param.kind == "bits" and ("bits" in row) == ("bits_from" in row):
        said.append("bits need either `bits` or `bits_from`")
    if "field" in row and (not param.bits or len(param.bits) > BITS_MAX):
        said.append(f"`field` is for a list of at most {BITS_MAX} `bits`")
    named = [str(row["no_effect"])] if "no_effect" in row else [group for _, group in param.no_effect_bits]
    said += [f"no group {group} in no_effect.toml" for group in sorted(set(named) - groups.keys())]
    if param.bits:
        said += [
            f"no_effect_bits names {bit}, which is no bit"
            for bit, _ in param.no_effect_bits
            if bit not in param.bits
        ]
    if "check" in row and param.kind != "text":
        said.append("`check` is for a text")
    if param.kind == "bool" and row["default"] not in ("on", "off"):
        said.append("a bool is on or off")
    return said


def read(runtime: Path, groups: Groups) -> list[Param]:
    """The rows of all rooms, by name. Exits with a line for each mistake."""
    params, said = [], []
    for path in sorted(runtime.glob("*/params.toml")):
        rows = tomllib.loads(path.read_text())
        params += [Param(name, path.parent.name, row) for name, row in rows.items()]
    params.sort(key=lambda param: param.name)
    for param in params:
        said += [
            f"runtime/{param.room}/params.toml: {param.name}: {text}" for text in mistakes(param, groups)
        ]
    for first, second in zip(params, params[1:]):
        if first.name == second.name:
            said.append(f"parameter {first.name} is in the rooms {first.room} and {second.room}")
    if said:
        sys.exit("\n".join(said))
    return params


HEAD = "/* Made by mk/params.py from the rooms' params.toml. */\n"


def values_text(params: list[Param]) -> str:
    """The text of param_values.h: struct params, and names of bits."""
    lines = [
        HEAD,
        "#ifndef VERNIS_GEN_PARAM_VALUES_H\n#define VERNIS_GEN_PARAM_VALUES_H\n\n"
        "#include <stdbool.h>\n#include <stdint.h>\n\n",
    ]
    for param in params:
        if param.field is not None:
            lines += [f"#define {param.bit(bit)} (1u << {i})\n" for i, bit in enumerate(param.bits)]
    lines.append("\nstruct params {\n")
    for room in sorted({param.room for param in params}):
        fields = [param for param in params if param.room == room and param.field is not None]
        lines.append(f"    /* {room} */\n" if fields else "")
        lines += [f"    {param.c_type} {param.field};\n" for param in fields]
    return "".join(lines) + "};\n\n#endif\n"


def defaults_text(params: list[Param]) -> str:
    return HEAD + "".join(
        f".{param.field} = {param.first_value},\n" for param in params if param.field is not None
    )


def c_text(value: object) -> str:
    return "NULL" if value is None else json.dumps(value)


def note(groups: Groups, group: object) -> str:
    """The advice for something without effect: another way, and the page to read."""
    row = groups[str(group)]
    return f"{row['instead']} (docs/no_effect.md#{anchor(row['title'])})"


def idle_text(param: Param, groups: Groups) -> str:
    """The table of a parameter's bits without effect."""
    rows = [
        f"    {{ {c_text(bit)}, {'true' if bit in always_on(groups, group) else 'false'}, "
        f"{c_text(note(groups, group))} }},\n"
        for bit, group in param.no_effect_bits
    ]
    return (
        f"static const struct param_idle_bit {param.name}_idle[] = {{\n"
        f"{''.join(rows)}    {{ NULL, false, NULL }}\n}};\n"
        if rows
        else ""
    )


def always_on(groups: Groups, group: str) -> list[object]:
    states = groups[group].get("states", [])
    assert isinstance(states, list)
    return states


def options_text(groups: Groups) -> str:
    """The options of the daemon without effect."""
    rows = [
        (option, note(groups, group))
        for group, row in groups.items()
        for option in _list(row.get("options", []))
    ]
    lines = [f"    {{ '{option[1]}', {c_text(text)} }},\n" for option, text in rows]
    return f"\nconst struct option_idle idle_options[] = {{\n{''.join(lines)}    {{ 0, NULL }}\n}};\n"


def _list(value: object) -> list[str]:
    assert isinstance(value, list)
    return value


def row_text(param: Param, groups: Groups) -> str:
    row = param.row
    flags = " | ".join(f"PARAM_{flag.upper()}" for flag in param.flags) or "0"
    default = None if row["default"] == CPUS else row["default"]
    place = "NO_FIELD" if param.field is None else f"FIELD({param.field})"
    bits = row.get("bits_from", f"{param.name}_bits" if param.bits else "NULL")
    texts = ", ".join(c_text(value) for value in (default, row.get("min"), row.get("max"), row.get("unit")))
    idle = c_text(note(groups, row["no_effect"]) if "no_effect" in row else None)
    idle_bits = f"{param.name}_idle" if param.no_effect_bits else "NULL"
    return (
        f"    {{ {c_text(param.name)}, PARAM_{param.kind.upper()}, {flags}, {texts}, {place},\n"
        f"      {bits}, {c_text(row['doc'])},\n"
        f"      {idle}, {idle_bits}, {row.get('check', 'NULL')} }},\n"
    )


def rows_text(params: list[Param], groups: Groups) -> str:
    shown = [param for param in params if "hidden" not in param.flags]
    lines = [HEAD]
    for param in shown:
        if param.bits:
            names = ", ".join(c_text(bit) for bit in param.bits)
            lines.append(f"static const char *const {param.name}_bits[] = {{ {names}, NULL }};\n")
        lines.append(idle_text(param, groups))
    lines.append("\nconst struct param_row param_rows[] = {\n")
    return "".join(lines + [row_text(param, groups) for param in shown]) + "};\n" + options_text(groups)


def write_if_changed(path: Path, text: str) -> None:
    """Leaves an unchanged header alone, so that make does not rebuild its users."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main() -> int:
    parser = argparse.ArgumentParser(description="parameters from TOML to C")
    parser.add_argument("--runtime", type=Path, required=True)
    parser.add_argument("--groups", type=Path, required=True, help="grammar/no_effect.toml")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    groups = tomllib.loads(args.groups.read_text())
    params = read(args.runtime, groups)
    for name, text in (
        ("values", values_text(params)),
        ("defaults", defaults_text(params)),
        ("rows", rows_text(params, groups)),
    ):
        write_if_changed(args.out / f"param_{name}.h", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
