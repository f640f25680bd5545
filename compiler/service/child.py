"""The child process that compiles policies, one after the other.

A child may be forked ahead of its request. It then rehearses (compiles a small policy, so that it already
owns every page that it will write to) and waits. Each request starts the limits on CPU time, memory and file
size; the parent watches wall time. A child writes only to its connection. It may be killed at any
moment.

When a child has sent its result, it keeps the statements of the policy for the next one
(``Outcome.afterwards``) and is ready again. It exits after ``CHILD_ORDERS_MAX`` policies, or if it has grown
by more than ``CHILD_GROWTH_BYTES_MAX``, or if the parent closes the connection. A child without a rehearsal
exits after one policy: it lacks the second process, so the next policy compiles faster in a spare child.

Frames, in both directions: one byte of kind, four of length (little endian), the content. READY follows
RESULT if the child can take another order.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import signal
import struct
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import NoReturn, Protocol

from vernis.service.limits import Limits, die_with, limit_cpu, limit_memory, resident_bytes
from vernis.service.protocol import CompileRequest
from vernis.service.store import read_entry

CHILD_ORDERS_MAX = 256
CHILD_GROWTH_BYTES_MAX = 512 << 20  # resident memory between two orders; a compile has its own limit

FRAME_ORDER, FRAME_READY, FRAME_RESULT, FRAME_IMAGE, FRAME_ARTEFACT, FRAME_USED = (
    b"O",
    b"Y",
    b"R",
    b"I",
    b"A",
    b"U",
)
FRAME_HEAD = struct.Struct("<cI")
KEY_CHARACTERS = 64
#: Texts of Python, C++ and LLVM.
_OUT_OF_MEMORY = ("bad_alloc", "MemoryError", "out of memory", "Cannot allocate memory")
EXIT_DONE, EXIT_FAULT, EXIT_MEMORY = 0, 70, 71


@dataclass(slots=True)
class Outcome:
    """The result of a compile. ``text`` holds the errors if ``image`` is None, else the warnings.
    ``afterwards`` is work for the next compile, to be done when the result is sent."""

    image: bytes | None
    text: str = ""
    timings: dict[str, float] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)  # labels that the policy switches to
    cached: bool = False
    image_key: str | None = None  # store the image under this key
    afterwards: Callable[[], None] | None = None


@dataclass(slots=True, frozen=True)
class Order:
    """The job of a child."""

    request: CompileRequest
    store: Path


class Artefacts(Protocol):
    """A store of the pipeline's artefacts between compiles, by key."""

    def get(self, key: str) -> bytes | None: ...
    def put(self, key: str, content: bytes) -> None: ...


CompileFunction = Callable[[CompileRequest, Artefacts], Outcome]
#: Prepares a spare child. The result is called when the child ends.
Rehearsal = Callable[[Limits], Callable[[], None]]


class ChildArtefacts:
    """Reads the parent's store, and sends each new entry to the parent at once, so that a compile which fails
    later still keeps its finished parts."""

    __slots__ = ("_store", "_connection")

    def __init__(self, store: Path, connection: int) -> None:
        self._store = store
        self._connection = connection

    def get(self, key: str) -> bytes | None:
        content = read_entry(self._store, key)
        if content is not None:
            write_frame(self._connection, FRAME_USED, key.encode("ascii"))
        return content

    def put(self, key: str, content: bytes) -> None:
        assert len(key) == KEY_CHARACTERS
        write_frame(self._connection, FRAME_ARTEFACT, key.encode("ascii") + content)


def run_child(
    compile_function: CompileFunction,
    rehearse: Rehearsal | None,
    connection: int,
    error_file: int,
    limits: Limits,
    parent: int,
) -> NoReturn:
    """Never returns: the child must not reach the parent's loop or its exit handlers."""
    status = EXIT_FAULT
    end: Callable[[], None] | None = None
    gc.disable()  # one compile is short, and memory is limited
    try:
        die_with(parent)
        os.setpgid(0, 0)
        os.dup2(error_file, 1)
        os.dup2(error_file, 2)
        limit_memory(limits)
        if rehearse is not None:
            end = _rehearse(rehearse, limits, connection, error_file)
        orders_max = 1 if rehearse is None else CHILD_ORDERS_MAX
        _serve(compile_function, connection, error_file, limits, orders_max)
        status = EXIT_DONE
    except MemoryError:
        status = EXIT_MEMORY
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        if end is not None:
            end()
        os._exit(status)


def encode_order(order: Order) -> bytes:
    content = pickle.dumps(order)
    return FRAME_HEAD.pack(FRAME_ORDER, len(content)) + content


def write_frame(connection: int, kind: bytes, content: bytes = b"") -> None:
    data = memoryview(FRAME_HEAD.pack(kind, len(content)) + content)
    while data:
        data = data[os.write(connection, data) :]


def take_frames(data: bytearray) -> list[tuple[bytes, bytes]]:
    """Removes the complete frames from the received data, and returns them."""
    frames: list[tuple[bytes, bytes]] = []
    at = 0
    while at + FRAME_HEAD.size <= len(data):
        kind, length = FRAME_HEAD.unpack_from(data, at)
        begin = at + FRAME_HEAD.size
        if begin + length > len(data):
            break
        frames.append((kind, bytes(data[begin : begin + length])))
        at = begin + length
    del data[:at]
    return frames


def explain_death(wait_status: int, limits: Limits, timed_out: bool, error_text: str) -> str:
    """The reason why a compile ended without a result, as an error for the user."""
    if timed_out:
        return f"compiling was stopped after {limits.wall_s:g} s (limit compile_wall_s)"
    exited_for_memory = os.WIFEXITED(wait_status) and os.WEXITSTATUS(wait_status) == EXIT_MEMORY
    if exited_for_memory or any(word in error_text for word in _OUT_OF_MEMORY):
        mebibytes = limits.memory_bytes >> 20
        return f"compiling needs more than {mebibytes} MiB of memory (limit compile_memory_bytes)"
    if os.WIFSIGNALED(wait_status):
        number = os.WTERMSIG(wait_status)
        if number == signal.SIGXCPU:
            return f"compiling was stopped after {limits.cpu_s} s of CPU time (limit compile_cpu_s)"
        return _with_details(
            f"the compiler was ended by signal {number} ({_signal_name(number)})", error_text
        )
    return _with_details("the compiler failed; this is a fault of Vernis, not of the policy", error_text)


# ---- in the child ------------------------------------------------------------------------------------------


def _rehearse(
    rehearse: Rehearsal, limits: Limits, connection: int, error_file: int
) -> Callable[[], None] | None:
    """Runs the rehearsal. Ignores its failure and drops its output, because the real compile may succeed."""
    end = None
    try:
        end = rehearse(limits)
    except Exception:
        pass
    _forget_errors(error_file)
    write_frame(connection, FRAME_READY)
    return end


def _read_order(connection: int) -> Order | None:
    """The order; None if the parent closes the connection."""
    received = bytearray()
    while True:
        data = os.read(connection, 1 << 16)
        if not data:
            return None
        received += data
        for kind, content in take_frames(received):
            assert kind == FRAME_ORDER
            order = pickle.loads(content)
            assert isinstance(order, Order)
            return order


def _serve(
    compile_function: CompileFunction, connection: int, error_file: int, limits: Limits, orders_max: int
) -> None:
    grown_max = resident_bytes() + CHILD_GROWTH_BYTES_MAX
    for n_done in range(1, orders_max + 1):
        order = _read_order(connection)
        if order is None:
            return
        limit_cpu(limits)
        limit_memory(limits)
        outcome = _compile(order, compile_function, connection)
        if n_done == orders_max:
            return
        if outcome.afterwards is not None:
            outcome.afterwards()
        del order, outcome
        gc.collect()
        gc.freeze()  # later collections skip what is kept
        if resident_bytes() > grown_max:
            return
        _forget_errors(error_file)
        write_frame(connection, FRAME_READY)


def _compile(order: Order, compile_function: CompileFunction, connection: int) -> Outcome:
    outcome = compile_function(order.request, ChildArtefacts(order.store, connection))
    if outcome.image is not None:
        write_frame(connection, FRAME_IMAGE, outcome.image)
    members = {
        member.name: getattr(outcome, member.name)
        for member in fields(outcome)
        if member.name not in ("image", "afterwards")
    }
    write_frame(connection, FRAME_RESULT, json.dumps(members).encode())
    return outcome


def _forget_errors(error_file: int) -> None:
    sys.stderr.flush()
    os.ftruncate(error_file, 0)
    os.lseek(error_file, 0, os.SEEK_SET)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


def _with_details(message: str, error_text: str) -> str:
    lines = error_text.strip().splitlines()
    if not lines:
        return message
    return message + ":\n" + "\n".join("    " + line for line in lines[-20:])
