"""Certificates and clients for tests of HTTPS. OpenSSL's command makes the certificates: each test has its own."""

from __future__ import annotations

import socket
import ssl
import subprocess
from collections.abc import Sequence
from pathlib import Path

from proxy.daemon import Daemon

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


def https(tmp_path: Path, certificates: Sequence[Path], args: Sequence[str] = (), policy: str = SYNTH, binary: Path | None = None) -> Daemon:
    """A daemon whose only listener has HTTPS and uses these certificates."""
    d = Daemon(tmp_path, policy, args, listen="web=127.0.0.1:0,HTTPS", binary=binary)
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
