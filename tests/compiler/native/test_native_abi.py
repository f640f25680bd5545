"""The layout of runtime/policy_abi.h, which the build measured with one C compiler, is the same with the
runtime's compiler."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from vernis.ir import ir
from vernis.native import abi, origins

ROOT = Path(__file__).resolve().parents[3]
HEADER = (ROOT / "runtime/policy_abi.h").read_text()


def c_output(tmp_path: Path, statements: list[str]) -> dict[str, int]:
    source = tmp_path / "layout.c"
    source.write_text('#include <stddef.h>\n#include <stdio.h>\n#include "http/message.h"\n#include "policy_abi.h"\n'
                      "int main(void) {\n" + "\n".join(statements) + "\nreturn 0; }\n")
    program = tmp_path / "layout"
    subprocess.run(["cc", "-std=gnu11", f"-I{ROOT / 'runtime'}", f"-I{ROOT / 'build/gen'}", str(source), "-o", str(program)], check=True)
    lines = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: int(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def say(name: str, expression: str) -> str:
    return f'printf("%s %lld\\n", "{name}", (long long)({expression}));'


def test_layouts_are_the_same_with_the_runtime_compiler(tmp_path: Path) -> None:
    layouts = abi.load_contract().layouts
    expected = dict(layouts.sizes)
    expected |= {f"{name}.{member}": offset for (name, member), offset in layouts.offsets.items()}
    found = c_output(tmp_path, [
        say(name, f"offsetof(struct {name.split('.')[0]}, {name.split('.')[1]})" if "." in name else f"sizeof(struct {name})")
        for name in expected])
    assert found == expected


def test_every_structure_of_the_header_is_measured() -> None:
    defined = re.findall(r"^struct (\w+) \{", HEADER, re.M)
    assert set(defined) == set(abi.load_contract().layouts.sizes) - {"span", *origins.STRUCTURES}


def test_a_packed_structure_has_the_bytes_of_memory() -> None:
    packed = abi.load_contract().layouts.packed("image_acl_entry")
    assert packed.whole.size == 40
    assert packed.whole.pack(6, 0, 1, 0, b"a" * 16, 5, 7) == b"\6\0\1\0" + b"a" * 16 + bytes(4) + b"\5" + bytes(7) + b"\7" + bytes(7)


def enum_names(prefix: str, members: list[str]) -> list[str]:
    return [say(m, f"{prefix}_{m}") for m in members]


def test_actions_messages_and_hooks_have_the_values_of_the_header(tmp_path: Path) -> None:
    actions = {a.name: a.value for a in ir.Action}
    assert c_output(tmp_path, enum_names("ACTION", [*actions, "COUNT"])) == actions | {"COUNT": len(actions)}
    messages = {m.name: m.value for m in ir.Msg}
    assert c_output(tmp_path, enum_names("MSG", [*messages, "COUNT"])) == messages | {"COUNT": len(messages)}
    hooks = {h.removeprefix("vcl_").upper(): i for i, h in enumerate(ir.HOOKS)}
    assert c_output(tmp_path, enum_names("HOOK", [*hooks, "COUNT"])) == hooks | {"COUNT": len(hooks)}


@pytest.mark.parametrize(("data", "value"), [(b"", 0xCBF29CE484222325), (b"a", 0xAF63DC4C8601EC8C)])
def test_signature_hash_is_fnv1a(data: bytes, value: int) -> None:
    assert abi.fnv1a64(data) == value


def test_signature_text_marks_optional_parameters() -> None:
    extern = ir.Extern("std_x", (ir.Type.STRING, ir.Type.INT), ir.Type.BOOL, optional=(1,))
    assert abi.signature_text(extern) == "std_x:BOOL(STRING,INT?)"


def test_digest_of_both_sides_is_the_same() -> None:
    contract = abi.load_contract()
    header = (ROOT / "build/gen/abi_digest.h").read_text()
    assert bytes(int(b, 16) for b in re.findall(r"0x([0-9a-f]{2})", header)) == contract.digest
