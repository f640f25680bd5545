"""Certificates and clients for tests of HTTPS. OpenSSL's command makes the certificates: each test has its own."""

from __future__ import annotations

import socket
import ssl
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from proxy.daemon import Daemon

T = TypeVar("T")

KINDS = {"EC": ("ec", "-pkeyopt", "ec_paramgen_curve:P-256"), "RSA": ("rsa:2048",), "ED25519": ("ed25519",)}
SYNTH = 'vcl 4.1; backend default none; sub vcl_recv { return (synth(200, "OK")); }'


def certificate(folder: Path, *names: str, kind: str = "EC", file: str = "") -> Path:
    """A PEM file with a certificate that signs itself, and its key. ``file``: its name without ending."""
    path = folder / f"{file or names[0]}.pem"
    key = path.with_suffix(".key")
    subprocess.run(["openssl", "req", "-x509", "-newkey", *KINDS[kind], "-nodes", "-days", "30", "-subj", f"/CN={names[0]}", "-addext",
                    "subjectAltName=" + ",".join(f"DNS:{name}" for name in names), "-keyout", str(key), "-out", str(path)],
                   check=True, capture_output=True)
    path.write_text(path.read_text() + key.read_text())
    return path


def https(tmp_path: Path, certificates: Sequence[Path], args: Sequence[str] = (), policy: str = SYNTH, binary: Path | None = None,
          kind: str = "HTTPS") -> Daemon:
    """A daemon whose only listener has HTTPS and uses these certificates."""
    d = Daemon(tmp_path, policy, args, listen=f"web=127.0.0.1:0,{kind}", binary=binary)
    for path in certificates:
        d.ok(f"tls.cert.load {path}")
    d.ok("tls.cert.commit")
    return d


def context(**settings: object) -> ssl.SSLContext:
    """A client's, which checks no chain: the tests compare certificates."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    for name, value in settings.items():
        setattr(made, name, value)
    return made


def connect(d: Daemon, name: str | None = None, *, how: ssl.SSLContext | None = None, session: ssl.SSLSession | None = None) -> ssl.SSLSocket:
    return (how or context()).wrap_socket(socket.create_connection(("127.0.0.1", d.port), 30), server_hostname=name, session=session)


def status(s: ssl.SSLSocket, path: str = "/") -> str:
    """The first line of the answer to a request."""
    s.sendall(f"GET {path} HTTP/1.1\r\nHost: a.test\r\n\r\n".encode())
    return s.recv(65536).split(b"\r\n")[0].decode()


def serves(d: Daemon, path: Path, name: str | None = None) -> bool:
    """Whether a client that asks for this name gets the certificate of this file."""
    with connect(d, name) as s:
        return s.getpeercert(binary_form=True) == ssl.PEM_cert_to_DER_cert(path.read_text().split("-----BEGIN PRIVATE")[0])


class PiecewiseClient:
    """A client that sends its bytes as the test cuts them: ``cut`` gives the pieces of what OpenSSL wrote at once."""

    def __init__(self, d: Daemon, how: ssl.SSLContext | None = None, cut: Callable[[bytes], list[bytes]] = lambda b: [b], before: bytes = b"") -> None:
        self.socket = socket.create_connection(("127.0.0.1", d.port_cached), 30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.cut, self.before = cut, before
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = (how or context()).wrap_bio(self._in, self._out, server_hostname="a.test")

    def _do(self, step: Callable[[], T]) -> T:
        """Repeats a step until it needs no more bytes of the server."""
        while True:
            try:
                done = step()
                self.flush()
                return done
            except ssl.SSLWantReadError:
                self.flush()
                got = self.socket.recv(65536)
                if got:
                    self._in.write(got)
                else:
                    self._in.write_eof()

    def made(self) -> bytes:
        """What OpenSSL has written since, without sending it."""
        taken, self.before = self.before + self._out.read(), b""
        return taken

    def flush(self) -> None:
        made = self.made()
        for piece in self.cut(made) if made else []:
            self.socket.sendall(piece)

    def handshake(self) -> None:
        self._do(self.tls.do_handshake)

    def status(self, request: bytes = b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n") -> str:
        """The first line of the answer."""
        self.tls.write(request)
        return self._do(lambda: self.tls.read(65536)).split(b"\r\n")[0].decode()

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> PiecewiseClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def hello() -> bytes:
    """The first message of a client of TLS 1.3."""
    made = ssl.MemoryBIO()
    client = context().wrap_bio(ssl.MemoryBIO(), made, server_hostname="a.test")
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return made.read()
