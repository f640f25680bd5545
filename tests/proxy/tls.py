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


class Authority:
    """Signs certificates of clients, by OpenSSL's command, in a folder of its own. ``issuer``: it is not a root."""

    def __init__(self, folder: Path, name: str = "ca", issuer: Authority | None = None) -> None:
        self.folder, self.name = folder / name, name
        self.folder.mkdir()
        (self.folder / "index.txt").touch()
        (self.folder / "serial").write_text("10A1\n")
        (self.folder / "ca.conf").write_text(f"""[ca]
default_ca = own
[own]
database = {self.folder}/index.txt
serial = {self.folder}/serial
new_certs_dir = {self.folder}
default_md = sha256
policy = names
copy_extensions = copy
default_days = 30
default_crl_days = 30
[names]
organizationName = optional
commonName = supplied
""")
        if issuer is None:
            self.pem = certificate(self.folder, name)
            self.pem.write_text(self.pem.read_text().split("-----BEGIN PRIVATE")[0])
        else:
            self.pem = issuer.issue(name, extensions="basicConstraints = critical, CA:true", chain=False)
        self.key, self.above = self.pem.with_suffix(".key"), issuer

    def _ca(self, *args: str) -> None:
        subprocess.run(["openssl", "ca", "-batch", "-notext", "-config", self.folder / "ca.conf", "-cert", self.pem, "-keyfile", self.key, *args],
                       check=True, capture_output=True)

    def issue(self, name: str, *, names: str = "", ends: str = "", extensions: str = "", chain: bool = True) -> Path:
        """A PEM file with certificate and key, and the authorities between it and the root. ``ends``: its last moment, as in
        20250101000000Z."""
        path = self.folder / f"{name}.pem"
        key, asked, extra = path.with_suffix(".key"), path.with_suffix(".csr"), path.with_suffix(".ext")
        extra.write_text(extensions + "\n")
        subprocess.run(["openssl", "req", "-new", "-newkey", *KINDS["EC"], "-nodes", "-subj", f"/O=Clients/CN={name}", "-keyout", str(key),
                        "-out", str(asked), *(["-addext", f"subjectAltName={names}"] if names else [])], check=True, capture_output=True)
        self._ca("-in", str(asked), "-out", str(path), *(["-startdate", "20200101000000Z", "-enddate", ends] if ends else []),
                 *(["-extfile", str(extra)] if extensions else []))
        if chain:
            above = self.pem.read_text() if self.above is not None else ""
            path.write_text(path.read_text() + above + key.read_text())
        return path

    def revoked(self, *certificates: Path) -> Path:
        """The list of revoked certificates, after these were added to it."""
        for one in certificates:
            self._ca("-revoke", str(one))
        path = self.folder / "crl.pem"
        self._ca("-gencrl", "-out", str(path))
        return path


def ask(s: socket.socket, path: str = "/") -> dict[str, str]:
    """The fields of the answer to a request, with names in lower case, and its status as ``status``."""
    s.sendall(f"GET {path} HTTP/1.1\r\nHost: a.test\r\n\r\n".encode())
    got = b""
    while b"\r\n\r\n" not in got:
        more = s.recv(65536)
        assert more, got
        got += more
    first, *lines = got.split(b"\r\n\r\n")[0].decode().split("\r\n")
    return {"status": first.split()[1]} | {line.partition(": ")[0].lower(): line.partition(": ")[2] for line in lines}
