"""HTTPS under load while everything it uses changes: see proxy/tls_load.py, which does the same for a minute."""

from __future__ import annotations

from pathlib import Path

from proxy import tls_load


def test_no_handshake_fails_while_all_changes(tmp_path: Path) -> None:
    print(tls_load.run(tmp_path, 6))
