"""The warm compile server: one process that has everything imported and forks a child for each compile.

Started by the daemon's manager (``vernis compile-server``), which writes requests to its stdin and reads answers from its stdout
(``protocol.py``). The parent is single-threaded (fork is safe), compiles nothing itself, is the only writer of the store
and of image files, and survives whatever happens to a child. It ends when stdin does.
"""

from __future__ import annotations

import fcntl
import gc
import os
import select
import selectors
import shutil
import signal
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from vernis.service import child
from vernis.service.child import CompileFunction, Limits
from vernis.service.protocol import (REQUEST_BYTES_MAX, CompileRequest, Ping, ProtocolError, decode_request,
                                     encode_answer)
from vernis.service.store import ContentStore

CHILDREN_MAX = 2            # compiles at once; further ones wait in the order they came
QUEUE_MAX = 256             # compiles waiting; over it they are refused
STORE_NAME = "store"        # below out_dir, when no directory is given
_READ_BYTES = 1 << 18
_PIPE_BYTES = 1 << 20
_ERROR_TAIL_BYTES = 4096


@dataclass(slots=True)
class Job:
    """One compile under way."""

    request: CompileRequest
    store: ContentStore
    pid: int
    pidfd: int
    pipe: int
    error_file: int
    scratch: Path
    deadline: float
    received: bytearray = field(default_factory=bytearray)
    timed_out: bool = False
    overflowed: bool = False


class Server:
    """Owns the protocol's two descriptors, the children and the stores."""

    def __init__(self, requests: int, answers: int, compile_function: CompileFunction, limits: Limits = Limits(),
                 store_directory: Path | None = None) -> None:
        self._requests = requests
        self._answers = answers
        self._compile = compile_function
        self._limits = limits
        self._store_directory = store_directory
        self._stores: dict[Path, ContentStore] = {}
        self._selector = selectors.DefaultSelector()
        self._input = bytearray()
        self._skipping_line = False
        self._waiting: deque[CompileRequest] = deque()
        self._jobs: dict[int, Job] = {}             # by pid
        self._images_written = 0

    def run(self) -> None:
        """Serves until the daemon closes its end."""
        self._selector.register(self._requests, selectors.EVENT_READ, None)
        try:
            while self._step():
                pass
        except BrokenPipeError:
            pass                                    # the daemon is gone; so is the reason to answer
        finally:
            for job in list(self._jobs.values()):
                self._kill(job)
                self._release(job)

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def _step(self) -> bool:
        """One round of events; False at the end of the requests."""
        for key, _ in self._selector.select(self._seconds_to_deadline()):
            if key.fd == self._requests:
                if not self._read_requests():
                    return False
            else:
                job: Job = key.data
                if job.pid not in self._jobs:
                    continue                        # finished earlier in this round
                if key.fd == job.pipe:
                    self._drain(job)
                else:
                    self._finish(job)
        self._stop_overdue()
        self._start_waiting()
        return True

    def _seconds_to_deadline(self) -> float | None:
        deadlines = [job.deadline for job in self._jobs.values() if not job.timed_out]
        return max(0.0, min(deadlines) - time.monotonic()) if deadlines else None

    def _stop_overdue(self) -> None:
        now = time.monotonic()
        for job in self._jobs.values():
            if job.deadline <= now and not job.timed_out:
                job.timed_out = True                # its end comes as an event
                self._kill(job)

    # ---- requests ----------------------------------------------------------------------------------------------------

    def _read_requests(self) -> bool:
        try:
            data = os.read(self._requests, _READ_BYTES)
        except BlockingIOError:
            return True
        except ConnectionResetError:
            return False
        if not data:
            return False
        self._input += data
        while (end := self._input.find(b"\n")) >= 0:
            line = bytes(self._input[:end])
            del self._input[:end + 1]
            if self._skipping_line:
                self._skipping_line = False
            elif line.strip():
                self._take(line)
        if len(self._input) > REQUEST_BYTES_MAX:
            self._input.clear()
            if not self._skipping_line:
                self._skipping_line = True
                self._answer(encode_answer(None, False, errors=f"request is longer than {REQUEST_BYTES_MAX} bytes"))
        return True

    def _take(self, line: bytes) -> None:
        try:
            request = decode_request(line)
        except ProtocolError as error:
            self._answer(encode_answer(error.request_id, False, errors=str(error)))
            return
        match request:
            case Ping():
                self._answer(encode_answer(request.id, True, pong=True))
            case CompileRequest():
                if len(self._waiting) >= QUEUE_MAX:
                    self._answer(encode_answer(request.id, False, errors=f"{QUEUE_MAX} compiles are waiting already"))
                else:
                    self._waiting.append(request)
                    self._start_waiting()

    def _answer(self, line: bytes) -> None:
        """Whole, even when the other side made the descriptor non-blocking."""
        data = memoryview(line)
        while data:
            try:
                data = data[os.write(self._answers, data):]
            except BlockingIOError:
                select.select([], [self._answers], [])

    # ---- children ----------------------------------------------------------------------------------------------------

    def _start_waiting(self) -> None:
        while self._waiting and len(self._jobs) < CHILDREN_MAX:
            request = self._waiting.popleft()
            try:
                self._start(request)
            except OSError as error:
                self._answer(encode_answer(request.id, False, errors=f"cannot compile {request.name}: {error}"))

    def _start(self, request: CompileRequest) -> None:
        store = self._store_of(request)
        scratch = Path(tempfile.mkdtemp(prefix=".compile-", dir=request.out_dir))
        reader, writer = os.pipe2(os.O_CLOEXEC)
        error_file = os.memfd_create("compile-errors")
        pid = self._fork(request, store, writer, error_file, scratch)
        os.close(writer)
        os.set_blocking(reader, False)
        deadline = time.monotonic() + self._limits.wall_s
        job = Job(request, store, pid, os.pidfd_open(pid), reader, error_file, scratch, deadline)
        self._jobs[pid] = job
        self._selector.register(job.pipe, selectors.EVENT_READ, job)
        self._selector.register(job.pidfd, selectors.EVENT_READ, job)

    def _fork(self, request: CompileRequest, store: ContentStore, writer: int, error_file: int, scratch: Path) -> int:
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            os.close(self._requests)
            os.close(self._answers)
            child.run_child(request, self._compile, store, writer, error_file, scratch, parent, self._limits)
        return pid

    def _drain(self, job: Job) -> None:
        """Takes what the child has written so far."""
        while True:
            try:
                data = os.read(job.pipe, _READ_BYTES)
            except BlockingIOError:
                return
            if not data:
                self._selector.unregister(job.pipe)
                return
            job.received += data
            if len(job.received) > child.RESULT_BYTES_MAX:
                job.overflowed = True
                job.received.clear()
                self._kill(job)
                return

    def _finish(self, job: Job) -> None:
        """The child is dead: what it handed back is complete."""
        if job.pipe in self._selector.get_map():
            self._drain(job)
        _, status = os.waitpid(job.pid, 0)
        frames = child.read_frames(bytes(job.received))
        self._keep_artefacts(job, frames)
        outcome = child.outcome_of(frames) if status == 0 else None
        if outcome is None:
            text = self._why_it_died(job, status)
            answer = encode_answer(job.request.id, False, errors=f"cannot compile {job.request.name}: {text}")
        elif outcome.image is None:
            answer = encode_answer(job.request.id, False, errors=outcome.text, timings=outcome.timings)
        else:
            answer = self._answer_with_image(job, outcome)
        self._release(job)
        self._answer(answer)

    def _answer_with_image(self, job: Job, outcome: child.Outcome) -> bytes:
        assert outcome.image is not None
        began = time.perf_counter()
        try:
            path = self._write_image(job.request, outcome.image)
        except OSError as error:
            return encode_answer(job.request.id, False, errors=f"cannot write the image of {job.request.name}: {error}")
        outcome.timings["write"] = time.perf_counter() - began
        return encode_answer(job.request.id, True, image=path, warnings=outcome.text, cached=outcome.cached,
                             timings=outcome.timings, sources=outcome.sources)

    def _write_image(self, request: CompileRequest, image: bytes) -> str:
        """A file of its own for each load: dlopen knows files by inode and would hand out an old image again."""
        path = b""
        while not path or os.path.lexists(path):
            self._images_written += 1
            name = f"{request.name}.{os.getpid()}.{self._images_written}.so"
            path = os.path.abspath(os.path.join(os.fsencode(request.out_dir), os.fsencode(name)))
        aside = path + b".new"
        with open(aside, "wb") as file:
            file.write(image)
        os.rename(aside, path)
        return os.fsdecode(path)

    def _keep_artefacts(self, job: Job, frames: list[tuple[bytes, bytes]]) -> None:
        for kind, content in frames:
            if kind == child.FRAME_ARTEFACT:
                job.store.put(*child.split_artefact(content))

    def _why_it_died(self, job: Job, status: int) -> str:
        if job.overflowed:
            return f"the result is larger than {child.RESULT_BYTES_MAX >> 20} MiB"
        size = os.fstat(job.error_file).st_size
        tail = os.pread(job.error_file, _ERROR_TAIL_BYTES, max(0, size - _ERROR_TAIL_BYTES))
        return child.explain_death(status, self._limits, job.timed_out, tail.decode("utf-8", "replace"))

    def _kill(self, job: Job) -> None:
        """The child and whatever it started (it leads a process group of its own)."""
        for kill in (os.killpg, os.kill):
            try:
                kill(job.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass                                # no group yet, or dead already

    def _release(self, job: Job) -> None:
        del self._jobs[job.pid]
        for descriptor in (job.pipe, job.pidfd):
            if descriptor in self._selector.get_map():
                self._selector.unregister(descriptor)
            os.close(descriptor)
        os.close(job.error_file)
        shutil.rmtree(job.scratch, ignore_errors=True)

    def _store_of(self, request: CompileRequest) -> ContentStore:
        directory = self._store_directory or Path(request.out_dir) / STORE_NAME
        store = self._stores.get(directory)
        if store is None:
            store = self._stores[directory] = ContentStore(directory)
        return store


def take_standard_streams() -> tuple[int, int]:
    """Private copies of stdin and stdout for the protocol; whoever prints by accident writes to stderr."""
    requests, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.stdout.flush()
    os.dup2(2, 1)
    return requests, answers


def become_user(name: str) -> None:
    """Gives up root for good. Nothing to do when not root or when already that user."""
    import grp
    import pwd

    entry = pwd.getpwnam(name)
    if os.geteuid() != 0 or entry.pw_uid == 0:
        return
    os.setgroups([group.gr_gid for group in grp.getgrall() if name in group.gr_mem])
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)


def serve(compile_function: CompileFunction, warm_up: Callable[[], None], limits: Limits = Limits(),
          store_directory: Path | None = None) -> int:
    """Runs a server on stdin and stdout. ``warm_up`` imports and tries everything that compiling needs."""
    requests, answers = take_standard_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)    # Ctrl-C is the daemon's affair; it closes our stdin
    warm_up()
    gc.collect()
    gc.freeze()                                     # what is warm stays shared between parent and children
    Server(requests, answers, compile_function, limits, store_directory).run()
    return 0
