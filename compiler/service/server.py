"""The compile server: a process with all imports done, which forks a child for each compile.

Started by the daemon's manager (``vernis compile-server``), which writes requests to its stdin and reads
answers from its stdout (``protocol.py``). The parent is single-threaded, so fork is safe. It does not compile
while it serves, is the only writer of the store and of image files, and survives the failure of any child.
One spare child has rehearsed and waits, so that a load does not pay for the fork. One more child may wait
that has compiled before: it is the first choice, because it has the statements of earlier policies. The
server ends at the end of stdin.
"""

from __future__ import annotations

import gc
import os
import select
import selectors
import signal
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from vernis.service.child import CompileFunction, Order, Outcome, Rehearsal
from vernis.service.children import Child, start_child
from vernis.service.limits import Limits
from vernis.service.protocol import (
    DENIED_ID,
    REQUEST_BYTES_MAX,
    CompileRequest,
    Ping,
    ProtocolError,
    decode_request,
    encode_answer,
)
from vernis.service.store import ContentStore

COMPILES_MAX = 2  # at once; further requests wait in order of arrival
QUEUE_MAX = 256  # compiles waiting; the server refuses further requests
STORE_NAME = "store"  # below out_dir, unless --store names a directory
SPARE_PAUSE_S = 0.05  # idle time before a spare is forked: a load gets the CPU first
SPARE_DEATHS_MAX = 3  # unused spares that died in a row; then the server makes no more spares
_READ_BYTES = 1 << 18
_IMAGE_MODE = 0o640  # the worker reads with the group of the folder


class Server:
    """Owns the two descriptors of the protocol, the children and the stores."""

    def __init__(
        self,
        requests: int,
        answers: int,
        compile_function: CompileFunction,
        limits: Limits = Limits(),
        store_directory: Path | None = None,
        rehearse: Rehearsal | None = None,
    ) -> None:
        self._requests = requests
        self._answers = answers
        self._compile = compile_function
        self._rehearse = rehearse
        self._limits = limits
        self._store_directory = store_directory
        self._stores: dict[Path, ContentStore] = {}
        self._selector = selectors.DefaultSelector()
        self._input = bytearray()
        self._skipping_line = False
        self._waiting: deque[CompileRequest] = deque()
        self._children: dict[int, Child] = {}  # by pid
        self._spare: Child | None = None  # one of _children
        self._spare_deaths = 0
        self._experienced: Child | None = None  # one of _children, ready after a compile
        self._images_written = 0

    def run(self) -> None:
        """Serves until the daemon closes its end."""
        self._selector.register(self._requests, selectors.EVENT_READ, None)
        try:
            while self._step():
                pass
        except BrokenPipeError:
            pass  # the daemon has ended
        finally:
            for child in list(self._children.values()):
                child.kill()
                child.release()

    # ---- the loop ------------------------------------------------------------------------------------------

    def _step(self) -> bool:
        """One round of events; False at the end of the requests."""
        events = self._selector.select(self._seconds_to_wait())
        for key, _ in events:
            child: Child | None = key.data
            if child is None:
                if not self._read_requests():
                    return False
            elif child.pid in self._children:  # else it has ended in this round
                self._listen(child)
                if key.fd == child.pidfd:
                    self._bury(child)
        self._stop_overdue()
        self._start_waiting()
        if not events and self._wants_spare():
            self._spare = self._new_child(self._rehearse)
        return True

    def _seconds_to_wait(self) -> float | None:
        now = time.monotonic()
        times = [
            max(0.0, job.deadline - now)
            for job in (child.job for child in self._children.values())
            if job is not None and not job.answered and not job.timed_out
        ]
        if self._wants_spare():
            times.append(SPARE_PAUSE_S)
        return min(times, default=None)

    def _stop_overdue(self) -> None:
        now = time.monotonic()
        for child in self._children.values():
            job = child.job
            if job is not None and job.deadline <= now and not job.timed_out and not job.answered:
                job.timed_out = True  # the pidfd reports its end
                child.kill()

    # ---- requests ------------------------------------------------------------------------------------------

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
            del self._input[: end + 1]
            if self._skipping_line:
                self._skipping_line = False
            elif line.strip():
                self._take(line)
        if len(self._input) > REQUEST_BYTES_MAX:
            self._input.clear()
            if not self._skipping_line:
                self._skipping_line = True
                self._answer(
                    encode_answer(None, False, errors=f"request is longer than {REQUEST_BYTES_MAX} bytes")
                )
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
                    self._answer(
                        encode_answer(request.id, False, errors=f"{QUEUE_MAX} compiles are waiting already")
                    )
                else:
                    self._waiting.append(request)
                    self._start_waiting()

    def _answer(self, line: bytes) -> None:
        """Writes the whole line, also if the daemon made the descriptor non-blocking."""
        data = memoryview(line)
        while data:
            try:
                data = data[os.write(self._answers, data) :]
            except BlockingIOError:
                select.select([], [self._answers], [])

    # ---- children ------------------------------------------------------------------------------------------

    def _start_waiting(self) -> None:
        while self._waiting and self._compiles_under_way() < COMPILES_MAX:
            request = self._waiting.popleft()
            try:
                store = self._store_of(request)
                order = Order(request, store.directory)
                self._free_child().give(order, store)
            except OSError as error:
                self._answer(
                    encode_answer(request.id, False, errors=f"cannot compile {request.name}: {error}")
                )

    def _compiles_under_way(self) -> int:
        return sum(child.job is not None and not child.job.answered for child in self._children.values())

    def _free_child(self) -> Child:
        """The experienced child or the spare child if it is ready, else a new child."""
        experienced, self._experienced = self._experienced, None
        if experienced is not None:
            return experienced
        spare = self._spare
        if spare is not None and spare.ready:
            self._spare, self._spare_deaths = None, 0
            return spare
        return self._new_child(None)

    def _wants_spare(self) -> bool:
        """Not while a compile is under way, because a rehearsal uses two processors."""
        return (
            self._spare is None
            and self._rehearse is not None
            and self._spare_deaths < SPARE_DEATHS_MAX
            and self._compiles_under_way() == 0
        )

    def _new_child(self, rehearse: Rehearsal | None) -> Child:
        child = start_child(self._compile, rehearse, self._limits, self._descriptors())
        self._children[child.pid] = child
        self._selector.register(child.connection, selectors.EVENT_READ, child)
        self._selector.register(child.pidfd, selectors.EVENT_READ, child)
        return child

    def _descriptors(self) -> list[int]:
        """Descriptors that a child must not hold: those of the protocol and of other children."""
        others = [
            fd
            for child in self._children.values()
            for fd in (child.connection.fileno(), child.pidfd, child.error_file)
        ]
        return [self._requests, self._answers, *others]

    def _listen(self, child: Child) -> None:
        """Answers as soon as the result is complete, before the child has ended."""
        outcome = child.listen()
        if outcome is not None and child.job is not None:
            self._answer(self._answer_of(child.job.order.request, outcome))
            child.job.fill_store()
            if outcome.image is not None and outcome.image_key is not None:
                child.job.store.put(outcome.image_key, outcome.image)
        if child.finished:
            child.end_job()
            if self._experienced is None:
                self._experienced = child
            else:
                child.send_away()

    def _bury(self, child: Child) -> None:
        """Handles the end of a child, after all its data has been read."""
        _, status = os.waitpid(child.pid, 0)
        job = child.job
        unanswered = job is not None and not job.answered
        if (denied := child.denied_call(status)) is not None:
            self._answer(encode_answer(DENIED_ID, False, denied=denied))
        why = child.why_it_died(status) if unanswered else ""
        self._selector.unregister(child.connection)
        self._selector.unregister(child.pidfd)
        del self._children[child.pid]
        if child is self._spare:
            self._spare = None
            self._spare_deaths += 1
        if child is self._experienced:
            self._experienced = None
        child.release()
        if job is not None and unanswered:
            request = job.order.request
            errors = f"cannot compile {request.name}: {why}"
            self._answer(encode_answer(request.id, False, errors=errors))

    # ---- results -------------------------------------------------------------------------------------------

    def _answer_of(self, request: CompileRequest, outcome: Outcome) -> bytes:
        if outcome.image is None:
            return encode_answer(request.id, False, errors=outcome.text, timings=outcome.timings)
        began = time.perf_counter()
        try:
            path = self._write_image(request, outcome.image)
        except OSError as error:
            return encode_answer(
                request.id, False, errors=f"cannot write the image of {request.name}: {error}"
            )
        timings = outcome.timings | {"write": time.perf_counter() - began}
        return encode_answer(
            request.id,
            True,
            image=path,
            warnings=outcome.text,
            cached=outcome.cached,
            timings=timings,
            sources=outcome.sources,
            labels=outcome.labels,
        )

    def _write_image(self, request: CompileRequest, image: bytes) -> str:
        """Writes a new file for each load, because dlopen identifies files by inode and would return an old
        image."""
        path = b""
        while not path or os.path.lexists(path):
            self._images_written += 1
            name = f"{request.name}.{os.getpid()}.{self._images_written}.so"
            path = os.path.abspath(os.path.join(os.fsencode(request.out_dir), os.fsencode(name)))
        aside = path + b".new"
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _IMAGE_MODE)
        with open(descriptor, "wb") as file:
            file.write(image)
        os.rename(aside, path)
        return os.fsdecode(path)

    def _store_of(self, request: CompileRequest) -> ContentStore:
        directory = self._store_directory or Path(request.out_dir).absolute() / STORE_NAME
        store = self._stores.get(directory)
        if store is None:
            store = self._stores[directory] = ContentStore(directory)
        return store


def take_standard_streams() -> tuple[int, int]:
    """Private copies of stdin and stdout for the protocol. An accidental print then goes to stderr."""
    requests, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.stdout.flush()
    os.dup2(2, 1)
    return requests, answers


def become_user(name: str) -> None:
    """Changes from root to the user, irreversibly. Does nothing for a process that is not root."""
    import grp
    import pwd

    entry = pwd.getpwnam(name)
    if os.geteuid() != 0 or entry.pw_uid == 0:
        return
    os.setgroups([group.gr_gid for group in grp.getgrall() if name in group.gr_mem])
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)


def serve(
    compile_function: CompileFunction,
    warm_up: Callable[[], None],
    limits: Limits = Limits(),
    store_directory: Path | None = None,
    rehearse: Rehearsal | None = None,
    confine: Callable[[], None] = lambda: None,
) -> int:
    """Runs a server on stdin and stdout. ``warm_up`` imports and runs all code that a compile needs.
    ``rehearse`` prepares a spare child. ``confine`` drops, before the first request, the rights that only the
    warm-up needed."""
    requests, answers = take_standard_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the daemon handles Ctrl-C and closes our stdin
    warm_up()
    confine()
    gc.collect()
    gc.freeze()  # keep warm objects in pages shared with children
    Server(requests, answers, compile_function, limits, store_directory, rehearse).run()
    return 0
