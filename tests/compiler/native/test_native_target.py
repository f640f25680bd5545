"""Code for another processor: calls, addresses and numbers. `make test-aarch64` also runs this code, under qemu, and compares images
that were compiled on both machines."""

from __future__ import annotations

import os
import struct
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from cross_images import LEVELS, POLICIES, image_of
from vernis.commands.table.policies import TARGETS as OPTIONS
from vernis.native import abi
from vernis.native.elf import Input, link_objects
from vernis.native.objects import EHDR, read_object
from vernis.native.optimise import Emitter
from vernis.native.shapes import TEXT
from vernis.native.stages import Stages
from vernis.native.target import AARCH64, TARGETS, X86_64, ElfError, Target

ROOT = Path(__file__).resolve().parents[3]
IMAGES = ROOT / "build/images"
POLICY_LINE = "@vernis_policy = constant i64 1\n"


def test_the_command_line_offers_each_target() -> None:
    assert OPTIONS == tuple(TARGETS)


# ---- calls -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("target", "kinds", "in_memory"), [
    (X86_64, [TEXT, TEXT, TEXT], [False, False, True]),                             # six registers, one has the context
    (AARCH64, [TEXT, TEXT, TEXT, TEXT], [False, False, False, True]),               # eight
    (X86_64, ["i64", TEXT, TEXT, TEXT, "i64"], [False, False, False, True, False]),
    (X86_64, [TEXT, TEXT, TEXT, "i64"], [False, False, True, False]),               # the fourth takes the last register
    (AARCH64, [TEXT, TEXT, TEXT, TEXT, TEXT], [False, False, False, True, True]),   # a text that has no room closes the registers
    (AARCH64, ["double", TEXT, TEXT, TEXT], [False] * 4),
])
def test_texts_without_registers_are_passed_in_memory(target: Target, kinds: list[str], in_memory: list[bool]) -> None:
    assert target.texts_by_memory(kinds, TEXT) == in_memory


# ---- code --------------------------------------------------------------------------------------------------


def object_for(target: Target, lines: str) -> bytes:
    cpu = {X86_64: "x86-64", AARCH64: "generic"}[target]
    contract = replace(abi.load_contract(), target=target, cpu=cpu)
    return Emitter(0, contract, Stages()).object_code(f'target triple = "{target.triple}"\n{lines}\n')


def words(image: bytes) -> list[int]:
    """The image as instructions of four bytes."""
    return list(struct.unpack(f"<{len(image) // 4}I", image[:len(image) // 4 * 4]))


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_images_name_their_processor(target: Target) -> None:
    image = link_objects([Input(read_object(object_for(target, POLICY_LINE)))], b"", {})
    assert EHDR.unpack_from(image)[2] == {X86_64: 62, AARCH64: 183}[target]


def test_numbers_become_two_moves_on_aarch64() -> None:
    code = read_object(object_for(AARCH64, "@n = external hidden global i8\ndefine ptr @f() { ret ptr @n }\n" + POLICY_LINE))
    found = words(link_objects([Input(code)], b"", {"n": 0x12345678}))
    at = found.index(0xD2A24680)                                # movz x0, #0x1234, lsl #16
    assert found[at:at + 3] == [0xD2A24680, 0xF28ACF00, 0xD65F03C0]  # movk x0, #0x5678; ret


def test_addresses_are_relative_to_pages_on_aarch64() -> None:
    code = read_object(object_for(AARCH64, "@x = hidden constant [5000 x i8] zeroinitializer\n@y = hidden constant [8 x i8] c\"abcdefgh\"\n"
                                  "define ptr @f() { ret ptr @y }\n" + POLICY_LINE))
    image = link_objects([Input(code)], b"", {})
    [at] = [i for i, word in enumerate(words(image)) if word & 0x9F00001F == 0x90000000]     # adrp x0
    adrp, add = words(image)[at:at + 2]
    pages = (adrp >> 29 & 3) + ((adrp >> 5 & 0x7FFFF) << 2) - (1 << 21)                     # the tables are before the code
    place = ((at * 4 >> 12) + pages << 12) + (add >> 10 & 0xFFF)
    assert place > 5000 and image[place:place + 8] == b"abcdefgh"


def test_objects_for_two_processors_are_not_linked() -> None:
    inputs = [Input(read_object(object_for(target, f"@{name} = constant i64 1"))) for target, name in
              ((X86_64, "vernis_policy"), (AARCH64, "other"))]
    with pytest.raises(ElfError, match="an object for aarch64-linux-gnu"):
        link_objects(inputs, b"", {})


def test_a_target_that_is_not_built_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abi, "host_name", lambda: "riscv64-linux-gnu")
    monkeypatch.setattr(abi.Path, "exists", lambda path: False)
    with pytest.raises(abi.MissingBuild, match="run `make cross TARGET=aarch64-linux-gnu` in a checkout"):
        abi.library_folder.__wrapped__("aarch64-linux-gnu")


# ---- the same images on both machines ----------------------------------------------------------------------


@pytest.mark.skipif(not IMAGES.exists(), reason="`make test-aarch64` makes them")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("policy", POLICIES)
def test_another_machine_makes_the_same_image(policy: str, level: int) -> None:
    assert image_of(policy, level) == (IMAGES / f"{Path(policy).stem}-{level}.so").read_bytes()


# ---- the build ---------------------------------------------------------------------------------------------


def test_make_knows_the_processor_before_gcc_is_installed() -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    done = subprocess.run(["make", "-s", "CC=/nowhere/gcc", "help"], cwd=ROOT, capture_output=True, text=True, env=kept, check=False)
    assert (done.returncode, done.stderr) == (0, "")
