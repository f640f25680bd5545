"""The process that compiles one policy and dies: what runs between fork and exit.

It has limits on CPU time, memory, file size and wall time (the last is watched by the parent), writes only to its result
pipe and below its scratch directory, which the parent removes, and may be killed at any moment. Frames on the pipe: one byte of kind, four of length (little endian), then the content. The parent
trusts none of it before the RESULT frame and a clean exit.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import struct
import sys
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NoReturn, Protocol

from vernis.service.protocol import CompileRequest
from vernis.service.store import ContentStore

COMPILE_CPU_S = 40
COMPILE_WALL_S = 55                     # below the daemon's compile_timeout, which kills the server itself
COMPILE_MEMORY_BYTES = 2 << 30          # beyond what the warm parent has mapped
COMPILE_FILE_BYTES = 256 << 20
RESULT_BYTES_MAX = 512 << 20            # of everything one child hands back

FRAME_RESULT, FRAME_IMAGE, FRAME_ARTEFACT = b"R", b"I", b"A"
_FRAME_HEAD = struct.Struct("<cI")
_KEY_CHARACTERS = 64
_PR_SET_PDEATHSIG = 1
EXIT_DONE, EXIT_FAULT, EXIT_MEMORY = 0, 70, 71


@dataclass(slots=True, frozen=True)
class Limits:
    cpu_s: int = COMPILE_CPU_S
    wall_s: float = COMPILE_WALL_S
    memory_bytes: int = COMPILE_MEMORY_BYTES


@dataclass(slots=True)
class Outcome:
    """What compiling gave. ``image`` None: ``text`` holds the errors; else warnings, maybe none."""

    image: bytes | None
    text: str = ""
    timings: dict[str, float] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)
    cached: bool = False


class Artefacts(Protocol):
    """What the pipeline may keep between compiles, by key."""

    def get(self, key: str) -> bytes | None: ...
    def put(self, key: str, content: bytes) -> None: ...


#: The last argument is a directory for files that need not outlive the compile.
CompileFunction = Callable[[CompileRequest, Artefacts, Path], Outcome]


class ChildArtefacts:
    """Reads the parent's store, hands new entries back over the pipe as soon as they exist, so that a compile which dies
    later still leaves what it finished."""

    __slots__ = ("_store", "_pipe")

    def __init__(self, store: ContentStore, pipe: int) -> None:
        self._store = store
        self._pipe = pipe

    def get(self, key: str) -> bytes | None:
        return self._store.get(key)

    def put(self, key: str, content: bytes) -> None:
        assert len(key) == _KEY_CHARACTERS
        write_frame(self._pipe, FRAME_ARTEFACT, key.encode("ascii") + content)


def run_child(request: CompileRequest, compile_function: CompileFunction, store: ContentStore, pipe: int, error_file: int,
              scratch: Path, parent: int, limits: Limits) -> NoReturn:
    """Never returns: the child must not reach the parent's loop or its exit handlers."""
    status = EXIT_FAULT
    try:
        os.dup2(error_file, 1)
        os.dup2(error_file, 2)
        _die_with(parent)
        _apply_limits(limits)
        outcome = compile_function(request, ChildArtefacts(store, pipe), scratch)
        if outcome.image is not None:
            write_frame(pipe, FRAME_IMAGE, outcome.image)
        members = asdict(outcome)
        del members["image"]
        write_frame(pipe, FRAME_RESULT, json.dumps(members).encode())
        status = EXIT_DONE
    except MemoryError:
        status = EXIT_MEMORY
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)


def write_frame(pipe: int, kind: bytes, content: bytes) -> None:
    data = memoryview(_FRAME_HEAD.pack(kind, len(content)) + content)
    while data:
        data = data[os.write(pipe, data):]


def read_frames(data: bytes) -> list[tuple[bytes, bytes]]:
    """The complete frames of what a child wrote; a torn last one is dropped."""
    frames: list[tuple[bytes, bytes]] = []
    at = 0
    while at + _FRAME_HEAD.size <= len(data):
        kind, length = _FRAME_HEAD.unpack_from(data, at)
        begin = at + _FRAME_HEAD.size
        if begin + length > len(data):
            break
        frames.append((kind, data[begin:begin + length]))
        at = begin + length
    return frames


def split_artefact(content: bytes) -> tuple[str, bytes]:
    return content[:_KEY_CHARACTERS].decode("ascii", "replace"), content[_KEY_CHARACTERS:]


def outcome_of(frames: list[tuple[bytes, bytes]]) -> Outcome | None:
    """The outcome in a child's frames; None when it did not get that far."""
    image: bytes | None = None
    members: dict[str, Any] | None = None
    for kind, content in frames:
        if kind == FRAME_IMAGE:
            image = content
        elif kind == FRAME_RESULT:
            members = json.loads(content)
    return None if members is None else Outcome(image=image, **members)


def explain_death(wait_status: int, limits: Limits, timed_out: bool, error_text: str) -> str:
    """Why a compile that gave no result ended, for whoever loads the policy."""
    if timed_out:
        return f"compiling was stopped after {limits.wall_s:g} s (limit compile_wall_s)"
    if os.WIFSIGNALED(wait_status):
        number = os.WTERMSIG(wait_status)
        if number == signal.SIGXCPU:
            return f"compiling was stopped after {limits.cpu_s} s of CPU time (limit compile_cpu_s)"
        return _with_details(f"the compiler was ended by signal {number} ({_signal_name(number)})", error_text)
    if os.WEXITSTATUS(wait_status) == EXIT_MEMORY:
        return f"compiling needs more than {limits.memory_bytes >> 20} MiB of memory (limit compile_memory_bytes)"
    return _with_details("the compiler failed; this is a fault of Vernis, not of the policy", error_text)


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


def _die_with(parent: int) -> None:
    """Killed with the server, even when it dies before this line."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(EXIT_FAULT)


def _apply_limits(limits: Limits) -> None:
    os.setpgid(0, 0)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with open("/proc/self/statm", encoding="ascii") as statm:
        mapped = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_s, limits.cpu_s + 1))
    _lower_limit(resource.RLIMIT_AS, mapped + limits.memory_bytes)
    _lower_limit(resource.RLIMIT_FSIZE, COMPILE_FILE_BYTES)
    _lower_limit(resource.RLIMIT_CORE, 0)


def _lower_limit(which: int, value: int) -> None:
    """A limit that is already lower stays."""
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))
