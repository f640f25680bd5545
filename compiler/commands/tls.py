"""`vernis tls check`: whether a listener with HTTPS can use certificates, and what it would offer.

`vernisd -C -A FILE` judges, so that this command and a start of the daemon agree. For a certificate it gets a
file of settings with one listener.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

from vernis.commands.outcome import EXIT_OK, EXIT_REFUSED, Trouble
from vernis.commands.run import find_daemon
from vernis.shown import plain

_PEM = b"-----BEGIN "
_FILE_BYTES = 1 << 20  # as much as vernisd reads


def tls(options: argparse.Namespace) -> int:
    daemon = find_daemon(options.daemon)
    if options.key is not None and len(options.files) > 1:
        raise Trouble("-k is the key of one certificate: give one FILE")
    results = [_check(daemon, Path(file), options.key) for file in options.files]
    return EXIT_OK if all(results) else EXIT_REFUSED


def _check(daemon: str, file: Path, key: str | None) -> bool:
    if key is None and not _is_certificate(file):
        return _judge(daemon, file)
    with tempfile.TemporaryDirectory(prefix="vernis-tls-") as folder:
        settings = Path(folder) / "settings"
        settings.write_text(_settings(file, key))
        return _judge(daemon, settings)


def _is_certificate(file: Path) -> bool:
    """Or a file of settings."""
    try:
        with file.open("rb") as opened:
            return _PEM in opened.read(_FILE_BYTES)
    except OSError as error:
        raise Trouble(f"cannot read {file}: {error.strerror}") from error


def _settings(file: Path, key: str | None) -> str:
    for path in (str(file), key or ""):
        if '"' in path or "\n" in path:
            raise Trouble(f"{path}: quotes and newlines cannot stand in names of certificates")
    private = f'private-key = "{key}" ' if key is not None else ""
    return f'frontend = {{ port = "443" }} pem-file = {{ cert = "{file}" {private}}}\n'


def _judge(daemon: str, settings: Path) -> bool:
    done = subprocess.run([daemon, "-C", "-A", str(settings)], capture_output=True, text=True, check=False)
    for text in (done.stdout, done.stderr):
        if text:
            print(plain(text.rstrip("\n")))
    return done.returncode == 0
