"""The certificate of `vernis run`, which signs itself. OpenSSL's command makes it."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

DAYS = 365
RENEW_BEFORE_S = 86400
NAMES = "DNS:localhost,IP:127.0.0.1,IP:::1"


@dataclass(slots=True, frozen=True)
class DemoCertificate:
    chain: Path
    key: Path


def demo_certificate(workdir: Path) -> DemoCertificate | None:
    """That of the last run in this directory while it is good, so that a browser that trusts it goes on doing
    so. None: the command is missing, or fails."""
    made = DemoCertificate(workdir / "localhost.pem", workdir / "localhost.key")
    if shutil.which("openssl") is None:
        return None
    return made if _is_good(made) or _make(made) else None


def _is_good(certificate: DemoCertificate) -> bool:
    if not certificate.chain.exists() or not certificate.key.exists():
        return False
    checks = ("-checkend", str(RENEW_BEFORE_S), "-noout", "-in", str(certificate.chain))
    return _openssl("x509", *checks)


def _make(certificate: DemoCertificate) -> bool:
    kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", str(DAYS))
    names = ("-subj", "/CN=localhost", "-addext", f"subjectAltName={NAMES}")
    files = ("-keyout", str(certificate.key), "-out", str(certificate.chain))
    return _openssl("req", "-x509", *kind, *names, *files)


def _openssl(*arguments: str) -> bool:
    done = subprocess.run(["openssl", *arguments], capture_output=True, stdin=subprocess.DEVNULL, check=False)
    return done.returncode == 0
