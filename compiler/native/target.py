"""The processors that policies are compiled for: their names, their rules for calls, and how the linker fills
addresses and numbers into their code.

Relocation types are those of the psABI of x86-64 and of "ELF for the Arm 64-bit Architecture".
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

#: Encodes a value into an instruction: (instruction, value, address of the instruction) -> instruction.
Encoder = Callable[[int, int, int], int]

#: Prepares a use of a symbol for its number, and returns what to add to the number. Arguments: the code, the
#: place of the relocation in it, its type and the symbol's name.
ToNumber = Callable[[bytearray, int, int, str], int]


class ElfError(Exception):
    """The object holds something that an image cannot hold."""


@dataclass(slots=True, frozen=True, eq=False)
class Target:
    name: str  # as in `vernis build --target`
    triple: str  # LLVM's name
    features: str  # of every function; LLVM inlines no helper into a function with fewer features
    argument_registers: int  # for integers and addresses
    text_by_value: str  # LLVM type of a text that is passed in memory; empty: as `byval`
    fills_gaps: bool  # a later argument may take a register that a text was too long for
    machine: int  # e_machine
    page: int  # alignment of segments: the largest page of a kernel
    absolute: int  # relocation: a 64-bit address
    relative: int  # relocation of the loader: load address plus addend
    fields: Mapping[int, tuple[str, int]]  # relocation of data -> code of the module struct, bytes
    from_place: frozenset[int]  # relocations of data that hold the distance from their place
    to_number: ToNumber  # for relocations that are not in ``numbers``
    code: Mapping[int, Encoder] = field(default_factory=dict)  # relocations of instructions
    numbers: Mapping[int, Encoder] = field(default_factory=dict)  # the same, for symbols of numbers

    def texts_by_memory(self, kinds: list[str], text: str) -> list[bool]:
        """For each argument of a call: whether it is a text that is passed in memory because too few
        registers are free. ``kinds`` are machine types without the context, which takes the first register;
        ``text`` is that of a text."""
        free = self.argument_registers - 1
        result = []
        for kind in kinds:
            need = {text: 2, "double": 0}.get(kind, 1)
            result.append(kind == text and need > free)
            if need <= free:
                free -= need
            elif not self.fills_gaps:
                free = 0
        return result


# ---- x86-64 ------------------------------------------------------------------------------------------------

_X64_64, _X64_PC32, _X64_PLT32, _X64_32, _X64_32S, _X64_PC64 = 1, 2, 4, 10, 11, 24


def _x86_to_number(code: bytearray, at: int, type: int, name: str) -> int:
    """``lea symbol(%rip), %reg`` becomes ``mov $number, %reg``, which has the same length."""
    if type == _X64_PC32:
        prefix, operands = code[at - 3], code[at - 1]
        if prefix & 0xFB != 0x48 or code[at - 2] != 0x8D or operands & 0xC7 != 0x05:
            raise ElfError(f"{name} is used as an address")
        code[at - 3] = 0x48 | prefix >> 2 & 1
        code[at - 2] = 0xC7
        code[at - 1] = 0xC0 | operands >> 3 & 7
        return 4  # a PC-relative address counts from the end of the instruction
    if type not in (_X64_32, _X64_32S):
        raise ElfError(f"relocation {type} of {name}")
    return 0


X86_64 = Target(
    name="x86_64-linux-gnu",
    triple="x86_64-pc-linux-gnu",
    features="+cx8,+fxsr,+mmx,+sse,+sse2,+x87",
    argument_registers=6,
    text_by_value="",
    fills_gaps=True,
    machine=62,
    page=4 << 10,
    absolute=_X64_64,
    relative=8,
    fields={
        **dict.fromkeys((_X64_PC32, _X64_PLT32, _X64_32, _X64_32S), ("i", 4)),
        **dict.fromkeys((_X64_64, _X64_PC64), ("q", 8)),
    },
    from_place=frozenset((_X64_PC32, _X64_PLT32, _X64_PC64)),
    to_number=_x86_to_number,
)

# ---- aarch64 -----------------------------------------------------------------------------------------------

_A64_64, _A64_PREL64, _A64_PREL32, _A64_PAGE, _A64_ADD = 257, 260, 261, 275, 277
_A64_JUMP, _A64_CALL = 282, 283
_A64_LOADS = {278: 0, 284: 1, 285: 2, 286: 3, 299: 4}  # -> log2 of the bytes that the instruction accesses


def _adrp(instruction: int, value: int, at: int) -> int:
    pages = (value >> 12) - (at >> 12)
    if not -(1 << 20) <= pages < 1 << 20:
        raise ElfError("an image of over 4 GB")
    return instruction | (pages & 3) << 29 | (pages >> 2 & 0x7FFFF) << 5


def _low_12(shift: int) -> Encoder:
    return lambda instruction, value, _: instruction | (value & 0xFFF) >> shift << 10


def _branch(instruction: int, value: int, at: int) -> int:
    words = (value - at) >> 2
    if not -(1 << 25) <= words < 1 << 25:
        raise ElfError("code of over 128 MB")
    return instruction | words & 0x3FFFFFF


def _movz(instruction: int, value: int, _: int) -> int:
    """``adrp xN, symbol`` becomes ``movz xN, #upper half, lsl #16``."""
    return 0xD2A00000 | (value >> 16 & 0xFFFF) << 5 | instruction & 31


def _movk(instruction: int, value: int, _: int) -> int:
    """``add xN, xN, :lo12:symbol`` becomes ``movk xN, #lower half``. LLVM writes it behind an ``adrp`` of the
    same register."""
    if instruction >> 22 != 0b1001000100 or instruction >> 5 & 31 != instruction & 31:
        raise ElfError("a number is used as an address")
    return 0xF2800000 | (value & 0xFFFF) << 5 | instruction & 31


def _aarch64_to_number(code: bytearray, at: int, type: int, name: str) -> int:
    raise ElfError(f"{name} is used as an address")


AARCH64 = Target(
    name="aarch64-linux-gnu",
    triple="aarch64-linux-gnu",
    features="+fp-armv8,+neon",
    argument_registers=8,
    text_by_value="[2 x i64]",
    fills_gaps=False,
    machine=183,
    page=64 << 10,
    absolute=_A64_64,
    relative=1027,
    fields={**dict.fromkeys((_A64_64, _A64_PREL64), ("q", 8)), _A64_PREL32: ("i", 4)},
    from_place=frozenset((_A64_PREL64, _A64_PREL32)),
    to_number=_aarch64_to_number,
    code={
        _A64_PAGE: _adrp,
        _A64_ADD: _low_12(0),
        _A64_JUMP: _branch,
        _A64_CALL: _branch,
        **{type: _low_12(shift) for type, shift in _A64_LOADS.items()},
    },
    numbers={_A64_PAGE: _movz, _A64_ADD: _movk},
)

TARGETS = {target.name: target for target in (X86_64, AARCH64)}
_BY_MACHINE = {target.machine: target for target in TARGETS.values()}


def target_of_machine(number: int) -> Target:
    """By the e_machine of an object. Raises ElfError."""
    found = _BY_MACHINE.get(number)
    if found is None:
        raise ElfError(f"not an object for {' or '.join(TARGETS)}")
    return found


def host_name() -> str:
    """The name that the target of this machine has, or would have."""
    return f"{platform.machine()}-linux-gnu"
