"""Runs a hook as native code on the small runtime of bench_runtime.c, and in the interpreter. Both return
their result as text of one form."""

from __future__ import annotations

import ctypes
import struct
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from vernis.ir import ir
from support.reference.interpret import run_hook
from vernis.ir.ir import Action, Extern, Msg, Type
from vernis.ir.values import Failed
from support.reference.world import Message, World
from support.reference.values import Value

ROOT = Path(__file__).resolve().parents[3]
T = Type
N_VARS = 16

VAR_TEXT = Extern("var_text", (T.INT,), T.STRING, pure=True)
VAR_INT = Extern("var_int", (T.INT,), T.INT, pure=True)
VAR_REAL = Extern("var_real", (T.INT,), T.REAL, pure=True)
VAR_BOOL = Extern("var_bool", (T.INT,), T.BOOL, pure=True)
SAY = Extern("say", (T.STRING, T.INT, T.REAL, T.BOOL), T.VOID)
MIX = Extern("mix", (T.STRING, T.INT, T.STRING, T.REAL, T.STRING, T.BOOL, T.STRING, T.STRING), T.STRING)
OPTIONAL = Extern("optional", (T.STRING, T.INT, T.REAL), T.BOOL, optional=(0, 1, 2))
FAILS_IF = Extern("fails_if", (T.BOOL,), T.VOID, may_fail=True)
REGSUB = Extern("regsub", (T.STRING, T.REGEX, T.STRING), T.STRING, pure=True, may_fail=True)
RETURN_SYNTH = Extern("return_synth", (T.INT, T.STRING), T.VOID, may_fail=True)


@dataclass(slots=True)
class Transaction:
    """The input of a hook. A header is (message, name, value, whether its name was interned when it was
    parsed)."""

    headers: list[tuple[Msg, bytes, bytes, bool]] = field(default_factory=list)
    texts: list[bytes | None] = field(default_factory=lambda: [None] * N_VARS)
    numbers: list[int] = field(default_factory=lambda: [0] * N_VARS)
    reals: list[float] = field(default_factory=lambda: [0.0] * N_VARS)


# ---- native ------------------------------------------------------------------------------------------------


def build_bench(folder: Path) -> ctypes.CDLL:
    runtime = ROOT / "runtime"
    sources = [Path(__file__).parent / "bench_runtime.c", *sorted((runtime / "match").glob("*.c")), *sorted((runtime / "base").glob("*.c")),
               *sorted((runtime / "log").glob("*.c")),
               *(runtime / "http" / f"{name}.c" for name in ("message", "names", "chars", "status", "fields", "date"))]
    library = folder / "bench.so"
    subprocess.run(["cc", "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-g", "-fPIC", "-shared", f"-I{runtime}", f"-I{ROOT / 'build/gen'}",
                    *map(str, sources), "-lpcre2-8", "-lxxhash", "-ljansson", "-lm", "-o", str(library)], check=True)
    bench = ctypes.CDLL(str(library))
    text, size = ctypes.c_char_p, ctypes.c_size_t
    bench.bench_load.restype = text
    bench.bench_load.argtypes = [text]
    bench.bench_add_header.argtypes = [ctypes.c_int, text, size, text, size, ctypes.c_int]
    bench.bench_set.argtypes = [ctypes.c_int, text, size, ctypes.c_int64, ctypes.c_double]
    bench.bench_result.restype = ctypes.c_void_p
    bench.bench_result.argtypes = [ctypes.POINTER(size)]
    return bench


def load(bench: ctypes.CDLL, path: Path) -> None:
    error = bench.bench_load(str(path).encode())
    assert error is None, error


def run_native(bench: ctypes.CDLL, hook: str, transaction: Transaction) -> str:
    bench.bench_reset()
    for msg, name, value, interned in transaction.headers:
        assert bench.bench_add_header(msg.value, name, len(name), value, len(value), interned) == 0
    for i in range(N_VARS):
        text = transaction.texts[i]
        bench.bench_set(i, text, len(text or b""), transaction.numbers[i], transaction.reals[i])
    action = Action(bench.bench_run(ir.HOOKS.index(hook)))
    length = ctypes.c_size_t()
    result = bench.bench_result(ctypes.byref(length))
    return f"{action.name}\n" + ctypes.string_at(result, length.value).decode()


# ---- interpreter -------------------------------------------------------------------------------------------


def _shown(value: Value) -> str:
    match value:
        case None:
            return "-"
        case bytes():
            return f'"{value.hex()}"'
        case bool():
            return str(int(value))
        case float():
            return struct.pack(">d", value).hex()
        case _:
            return str(value)


def _fails_if(world: World, condition: bool) -> None:
    if condition:
        raise Failed("fails_if")


def _answers(transaction: Transaction) -> dict[str, Callable[..., Value]]:
    t = transaction
    return {
        "var_text": lambda world, i: t.texts[i % N_VARS], "var_int": lambda world, i: t.numbers[i % N_VARS],
        "var_real": lambda world, i: t.reals[i % N_VARS], "var_bool": lambda world, i: bool(t.numbers[i % N_VARS] & 1),
        "say": lambda world, *args: None, "mix": lambda world, a, i, b, d, c, t, e, f: c if t else f,
        "optional": lambda world, a, b, c, given: given == 5, "fails_if": _fails_if}


_LOGGED = frozenset(("say", "mix", "optional", "fails_if"))


def run_interpreted(module: ir.Module, hook: str, transaction: Transaction) -> str:
    world = World(messages={msg: Message() for msg in Msg}, answers=_answers(transaction))
    for msg, name, value, _ in transaction.headers:
        world.messages[msg].fields.append((name, value))
    outcome = run_hook(module, hook, world)
    lines = [outcome.action.name]
    for call in world.calls:
        if call.symbol in _LOGGED:
            given = [] if call.given is None else [str(call.given)]
            lines.append(f"{call.symbol}({','.join([*given, *map(_shown, call.args)])})")
    lines += [f"{msg.value} {_shown(n)} {_shown(v)}" for msg in Msg for n, v in world.messages[msg].fields]
    lines += [f"ret {world.ret.status} {_shown(world.ret.text)}", f"site {outcome.site}", ""]
    return "\n".join(lines)
