"""Client side of the daemon's command line interface: the framed protocol that varnishadm speaks.

An answer is a head of 13 bytes (three digits of status, a blank, the body's length left-aligned in eight
columns, a newline), the body, and a newline. The Unix socket ``cli.sock`` in the working directory needs no
secret: its file permissions decide. Over TCP the daemon sends a challenge (status 107); the client answers
with a digest over the challenge and the secret.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vernis.trouble import Trouble

STATUS_OK, STATUS_TRUNCATED, STATUS_AUTH = 200, 201, 107
SOCKET_NAME = "cli.sock"
DEFAULT_TIMEOUT_S = 60.0
BODY_BYTES_MAX = 1 << 30
_HEAD_BYTES = 13
_CHALLENGE_CHARACTERS = 32
_PORT_MAX = 65535


class DaemonError(Trouble):
    """The daemon cannot be reached, or it does not speak the protocol. The text names the error and the
    address."""


@dataclass(slots=True, frozen=True)
class Answer:
    status: int
    body: str

    @property
    def ok(self) -> bool:
        return self.status in (STATUS_OK, STATUS_TRUNCATED)

    def told(self) -> Any:
        """The last part of an answer in JSON; the first three are about the command. Raises DaemonError."""
        try:
            return json.loads(self.body)[3]
        except (ValueError, LookupError, TypeError):
            raise DaemonError(
                f"cannot read the answer of the daemon: {self.body[:40]!r}: its program may be of another "
                "version (compare vernisd -V and vernis --version)"
            ) from None


class DaemonClient:
    """An authenticated connection. Use it as a context manager."""

    def __init__(self, connection: socket.socket, where: str, secret: Path | None) -> None:
        self._socket = connection
        self._where = where
        try:
            self._greet(secret)
        except BaseException:
            connection.close()
            raise

    def __enter__(self) -> DaemonClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def command(self, *words: str) -> Answer:
        """Sends words and returns the answer. Quotes a word if it needs quotes."""
        return self.line(" ".join(quote(word) for word in words))

    def line(self, text: str) -> Answer:
        """Sends one line unchanged and returns the answer."""
        self._send(text.encode("utf-8", "surrogateescape") + b"\n")
        return self._answer()

    def _greet(self, secret: Path | None) -> None:
        greeting = self._answer()
        if greeting.status == STATUS_AUTH:
            if secret is None:
                raise DaemonError(f"the daemon at {self._where} wants a secret: give its file with -S")
            greeting = self._authenticate(greeting.body[:_CHALLENGE_CHARACTERS], secret)
        if not greeting.ok:
            raise DaemonError(
                f"the daemon at {self._where} refused the connection: {greeting.status} {greeting.body}"
            )

    def _authenticate(self, challenge: str, secret: Path) -> Answer:
        try:
            content = secret.read_bytes()
        except OSError as error:
            raise DaemonError(f"cannot read the secret {secret}: {error.strerror}") from None
        begin = challenge.encode("utf-8", "surrogateescape") + b"\n"
        response = hashlib.sha256(begin + content + begin).hexdigest()
        self._send(f"auth {response}\n".encode())
        answer = self._answer()
        if not answer.ok:
            raise DaemonError(f"the daemon at {self._where} does not accept the secret in {secret}")
        return answer

    def _send(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise DaemonError(f"lost the daemon at {self._where}: {_reason(error)}") from None

    def _answer(self) -> Answer:
        head = self._receive(_HEAD_BYTES)
        status, length = head[:3], head[4:12].strip()
        if head[3:4] != b" " or head[12:] != b"\n" or not status.isdigit() or not length.isdigit():
            raise DaemonError(
                f"{self._where} does not speak the daemon's command protocol (it sent {head!r})"
            )
        if int(length) > BODY_BYTES_MAX:
            raise DaemonError(f"the daemon at {self._where} announced an answer of {int(length)} bytes")
        body = self._receive(int(length) + 1)[:-1]
        return Answer(int(status), body.decode("utf-8", "surrogateescape"))

    def _receive(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            try:
                part = self._socket.recv(size - len(data))
            except OSError as error:
                raise DaemonError(f"no answer from the daemon at {self._where}: {_reason(error)}") from None
            if not part:
                raise DaemonError(f"the daemon at {self._where} closed the connection")
            data += part
        return bytes(data)


def connect_workdir(directory: Path, timeout_s: float = DEFAULT_TIMEOUT_S) -> DaemonClient:
    """Connects over the Unix socket in the daemon's working directory."""
    path = directory / SOCKET_NAME
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(timeout_s)
    try:
        _connect_unix(connection, directory)
    except OSError as error:
        connection.close()
        if isinstance(error, PermissionError):
            raise DaemonError(f"cannot send commands to the daemon: {path}: {error.strerror}") from error
        raise DaemonError(
            f"no daemon answers at {path}: {_reason(error)} (give its working directory with -n)"
        ) from None
    return DaemonClient(connection, str(path), None)


def connect_address(address: str, secret: Path | None, timeout_s: float = DEFAULT_TIMEOUT_S) -> DaemonClient:
    """Connects over TCP. ``address`` is ``host:port``, ``[v6]:port`` or ``:port``."""
    host, _, port = address.rpartition(":")
    if not port.isdecimal() or not port.isascii() or int(port[:6]) > _PORT_MAX:
        raise DaemonError(f"{address!r} is not an address: write host:port, with a port up to {_PORT_MAX}")
    try:
        connection = socket.create_connection((host.strip("[]") or "localhost", int(port)), timeout_s)
    except OSError as error:
        raise DaemonError(f"no daemon answers at {address}: {_reason(error)}") from None
    return DaemonClient(connection, address, secret)


def quote(word: str) -> str:
    """A word in the syntax of the daemon's line parser. Quotes a word that contains blanks, quotes or
    backslashes."""
    if word and not any(character in ' \t\n\r"\\' for character in word):
        return word
    for character, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        word = word.replace(character, escape)
    return f'"{word}"'


def inline_document(words: Sequence[str], text: str) -> str:
    """A line whose last argument is ``text`` as a here document. The end word does not occur in the text."""
    number = 0
    while (word := f"END_OF_TEXT_{number}") in text:
        number += 1
    return f"{' '.join(quote(item) for item in words)} << {word}\n{text}\n{word}"


def _connect_unix(connection: socket.socket, directory: Path) -> None:
    """Connects through the directory's descriptor, because a socket address holds 107 bytes and the path may
    be longer."""
    descriptor = os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        connection.connect(f"/proc/self/fd/{descriptor}/{SOCKET_NAME}")
    except PermissionError as error:
        raise PermissionError(error.errno, error.strerror, str(directory / SOCKET_NAME)) from None
    finally:
        os.close(descriptor)


def _reason(error: OSError) -> str:
    if isinstance(error, TimeoutError):
        return "timed out"
    return error.strerror or str(error)
