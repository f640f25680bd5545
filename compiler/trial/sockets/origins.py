"""Origins of tests on sockets: one port of 127.0.0.1 for each backend, and the answers of the test.

A thread serves each connection. An answer that takes time moves the daemon's clock instead of waiting.
"""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Callable, Sequence

from vernis.record import replace
from vernis.trial.sockets.messages import Head, has_content, is_chunked, read_content, read_head, reset
from vernis.trial.world import Answer, Asked, WorldError

_STEPS = 120  # of a delay: the daemon may give up between two of them
_IDLE_S = 30.0


class _Scripted:
    def __init__(self, answer: Answer) -> None:
        self.answer, self.left = answer, answer.times or -1


class Origins:
    """``tick`` moves the clock of the daemon by seconds."""

    def __init__(self, names: Sequence[str], tick: Callable[[float], None]) -> None:
        self._tick, self._lock = tick, threading.Lock()
        self._answers: list[_Scripted] = []
        self._asked: list[Asked] = []
        self._listeners = {name: socket.create_server(("127.0.0.1", 0)) for name in names}
        self.ports = {name: one.getsockname()[1] for name, one in self._listeners.items()}
        for name, one in self._listeners.items():
            threading.Thread(target=self._accept, args=(name.encode(), one), daemon=True).start()

    def close(self) -> None:
        for one in self._listeners.values():
            one.shutdown(socket.SHUT_RDWR)  # wakes its thread
            one.close()

    # ---- the script ----

    def begin(self) -> None:
        with self._lock:
            self._answers, self._asked = [], []

    def add(self, answer: Answer) -> None:
        with self._lock:
            self._answers.append(_Scripted(answer))

    def forget_requests(self) -> None:
        with self._lock:
            self._asked = []

    def asked(self) -> list[Asked]:
        with self._lock:
            return list(self._asked)

    def _note(self, asked: Asked) -> Answer | None:
        """The answer to a request; None: no answer fits."""
        with self._lock:
            found = next((one for one in self._answers if one.left != 0 and _fits(one.answer, asked)), None)
            self._asked.append(replace(asked, is_answered=found is not None))
            if found is None:
                return None
            found.left -= found.left > 0
            return found.answer

    # ---- connections ----

    def _accept(self, backend: bytes, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(backend, connection), daemon=True).start()

    def _serve(self, backend: bytes, connection: socket.socket) -> None:
        connection.settimeout(_IDLE_S)
        try:
            with connection, connection.makefile("rb") as file:
                while (head := read_head(file)) is not None:
                    read_content(file, head, until_close=False)
                    method, url = head.words[0], head.words[1]
                    answer = self._note(Asked(backend, method, url, head.fields))
                    if answer is None or not self._send(connection, head, answer):
                        return
        except (OSError, ValueError, WorldError):
            return  # the daemon, or the test, has gone

    def _send(self, connection: socket.socket, request: Head, answer: Answer) -> bool:
        """False: the connection ends here."""
        if answer.fails == "refuses":
            reset(connection)
            return False
        if not self._wait(connection, answer.delay_s) or answer.fails == "closes":
            return False
        content = _content(request, answer)
        if answer.fails == "cuts off":
            connection.sendall(answer.head + content[: len(content) // 2])
            return False
        connection.sendall(answer.head + content)
        return not _is_last(request, answer)

    def _wait(self, connection: socket.socket, seconds: float) -> bool:
        """False: the daemon has given up."""
        step = max(1.0, seconds / _STEPS)
        while seconds > 0:
            self._tick(min(step, seconds))
            seconds -= step
            if _is_closed(connection):
                return False
        return True


def _fits(answer: Answer, asked: Asked) -> bool:
    if answer.backend not in (None, asked.backend) or answer.method not in (None, asked.method):
        return False
    if answer.url is None or answer.url == asked.url:
        return True
    return answer.url.endswith(b"*") and asked.url.startswith(answer.url[:-1])


def _head_of(answer: Answer) -> Head:
    lines = answer.head.split(b"\r\n")[1:]
    return Head(
        (), tuple((line.partition(b":")[0], line.partition(b":")[2].strip()) for line in lines if line)
    )


def _content(request: Head, answer: Answer) -> bytes:
    """The content as it is sent: none, in a chunk, or as much as the length says."""
    head = _head_of(answer)
    if not has_content(int(answer.head.split(b" ", 2)[1]), request.words[0]):
        return b""
    if is_chunked(head):
        chunk = b"%x\r\n%s\r\n" % (len(answer.body), answer.body) if answer.body else b""
        return chunk + b"0\r\n\r\n"
    length = head.get(b"content-length")
    return answer.body if length is None else answer.body[: int(length)]


def _is_last(request: Head, answer: Answer) -> bool:
    """A tunnel ends after the answer, and so does content without an end of its own."""
    head = _head_of(answer)
    connection = (request.get(b"connection") or b"").lower()
    is_short = len(answer.body) < int(head.get(b"content-length") or 0) and request.words[0] != b"HEAD"
    has_length = head.get(b"content-length") is not None or is_chunked(head)
    return connection in (b"close", b"upgrade") or is_short or not has_length


def _is_closed(connection: socket.socket) -> bool:
    """A daemon that waits for an answer sends nothing more, so input is the end of the connection."""
    try:
        return bool(select.select([connection], [], [], 0)[0]) and not connection.recv(1, socket.MSG_PEEK)
    except OSError:
        return True
