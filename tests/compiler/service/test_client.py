"""The client of the daemon's command protocol, tested with a scripted daemon."""

from __future__ import annotations

import hashlib
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vernis.service.client import DaemonError, connect_address, connect_workdir, inline_document, quote

CHALLENGE = "a" * 32


def frame(status: int, body: str) -> bytes:
    data = body.encode()
    return f"{status} {len(data):<8d}\n".encode() + data + b"\n"


class ScriptedDaemon:
    """Sends a greeting, then one answer for each line it reads."""

    def __init__(self, listener: socket.socket, greeting: bytes, answers: list[bytes]) -> None:
        self.lines: list[str] = []
        self._listener = listener
        self._script = (greeting, answers)
        self._thread = Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        greeting, answers = self._script
        connection, _ = self._listener.accept()
        with connection, connection.makefile("rb") as reader:
            connection.sendall(greeting)
            for answer in answers:
                line = reader.readline()
                if not line:
                    return
                self.lines.append(line.decode().rstrip("\n"))
                for byte in range(0, len(answer), 7):           # in small pieces, which the client must join
                    connection.sendall(answer[byte:byte + 7])

    def close(self) -> None:
        self._listener.close()
        self._thread.join(10)


@contextmanager
def daemon_in(workdir: Path, greeting: bytes, *answers: bytes) -> Iterator[ScriptedDaemon]:
    listener = socket.socket(socket.AF_UNIX)
    with_directory = os.open(workdir, os.O_PATH)
    listener.bind(f"/proc/self/fd/{with_directory}/cli.sock")
    os.close(with_directory)
    listener.listen()
    daemon = ScriptedDaemon(listener, greeting, list(answers))
    try:
        yield daemon
    finally:
        daemon.close()


@contextmanager
def daemon_at(greeting: bytes, *answers: bytes) -> Iterator[tuple[str, ScriptedDaemon]]:
    listener = socket.create_server(("127.0.0.1", 0))
    daemon = ScriptedDaemon(listener, greeting, list(answers))
    try:
        yield f"127.0.0.1:{listener.getsockname()[1]}", daemon
    finally:
        daemon.close()


def test_a_command_and_its_answer(tmp_path: Path) -> None:
    with daemon_in(tmp_path, frame(200, "banner"), frame(200, "VCL compiled.\n")) as daemon:
        with connect_workdir(tmp_path) as client:
            answer = client.command("vcl.load", "boot", "/a file/x.vcl")
    assert answer.ok and answer.body == "VCL compiled.\n"
    assert daemon.lines == ['vcl.load boot "/a file/x.vcl"']


def test_a_refused_command_keeps_status_and_text(tmp_path: Path) -> None:
    with daemon_in(tmp_path, frame(200, ""), frame(106, "No VCL named x known\n")):
        with connect_workdir(tmp_path) as client:
            answer = client.command("vcl.use", "x")
    assert not answer.ok and (answer.status, answer.body) == (106, "No VCL named x known\n")


def test_the_directory_may_be_longer_than_a_socket_address(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 100) / ("e" * 100)
    deep.mkdir(parents=True)
    with daemon_in(deep, frame(200, ""), frame(200, "PONG")):
        with connect_workdir(deep) as client:
            assert client.command("ping").body == "PONG"


def test_a_challenge_is_answered_with_a_digest_over_the_secret(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"\x00key\n")
    greeting = frame(107, CHALLENGE + "\n\nAuthentication required.\n")
    with daemon_at(greeting, frame(200, "banner"), frame(200, "PONG")) as (address, daemon):
        with connect_address(address, secret) as client:
            assert client.command("ping").ok
    expected = hashlib.sha256(f"{CHALLENGE}\n".encode() + b"\x00key\n" + f"{CHALLENGE}\n".encode()).hexdigest()
    assert daemon.lines == [f"auth {expected}", "ping"]


def test_a_wrong_secret_is_named(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"wrong")
    with daemon_at(frame(107, CHALLENGE + "\n"), frame(500, "Closing CLI connection")) as (address, _):
        with pytest.raises(DaemonError, match=f"does not accept the secret in {secret}"):
            connect_address(address, secret)


def test_a_missing_secret_is_an_error() -> None:
    with daemon_at(frame(107, CHALLENGE + "\n")) as (address, _):
        with pytest.raises(DaemonError, match="wants a secret: give its file with -S"):
            connect_address(address, None)


def test_a_missing_daemon_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DaemonError, match=f"no daemon answers at {tmp_path}/cli.sock: No such file"):
        connect_workdir(tmp_path)


@pytest.mark.parametrize("greeting, why", [
    (b"HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak the daemon's command protocol"),
    (b"200 99999999999\n", "does not speak the daemon's command protocol"),
    (b"200 10      \nshort", "closed the connection"),
    (b"", "closed the connection"),
])
def test_an_invalid_greeting_is_an_error(greeting: bytes, why: str) -> None:
    with daemon_at(greeting) as (address, _):
        with pytest.raises(DaemonError, match=why):
            connect_address(address, None)


def test_an_address_needs_a_port() -> None:
    with pytest.raises(DaemonError, match="write host:port"):
        connect_address("localhost", None)


def words_of(line: str) -> list[str]:
    """Splits a line as the daemon does: blanks, double quotes, backslash escapes."""
    words: list[str] = []
    characters = iter(line)
    open_word, quoted = False, False
    for character in characters:
        if character == '"':
            quoted, open_word, words = not quoted, True, words if open_word else [*words, ""]
        elif character in " \t" and not quoted:
            open_word = False
        else:
            if character == "\\":
                escaped = next(characters)
                character = {"n": "\n", "r": "\r", "t": "\t"}.get(escaped, escaped)
            words = words if open_word else [*words, ""]
            words[-1] += character
            open_word = True
    assert not quoted
    return words


@given(st.lists(st.text(st.sampled_from("ab \"\\\n\r\t'<é"), max_size=8), max_size=4))
def test_quoted_words_are_read_back_on_one_line(words: list[str]) -> None:
    line = " ".join(quote(word) for word in words)
    assert "\n" not in line and "\r" not in line
    assert words_of(line) == words


def test_the_end_of_a_document_does_not_occur_in_it() -> None:
    line = inline_document(["vcl.inline", "x"], "text with END_OF_TEXT_0\n")
    assert line.startswith("vcl.inline x << END_OF_TEXT_1\n") and line.endswith("\nEND_OF_TEXT_1")
