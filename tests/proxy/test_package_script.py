"""packaging/debian/vernis.postinst enables the service of a first installation, but never where Varnish is installed
or another program has a port of the unit. debhelper's part of the script starts what is enabled."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from proxy.daemon import ROOT
from support.namespaces import system_gives

SCRIPT = ROOT / "packaging" / "debian" / "vernis.postinst"
UNIT = ROOT / "examples" / "systemd" / "vernis.service"

pytestmark = pytest.mark.skipif(not system_gives("-Urn"), reason="needs network namespaces, where nobody listens")


def configure(folder: Path, *programs: str, known: bool = False, port: int = 0) -> tuple[str, list[str]]:
    """What the script prints on a machine with these programs, and what it asks deb-systemd-helper to do."""
    asked = folder / "asked"
    helper = f'#!/bin/sh\n[ "$1" = debian-installed ] || {{ echo "$1 $2" >>{asked}; exit; }}\nexit {0 if known else 1}\n'
    for name, text in [("deb-systemd-helper", helper), *((program, "#!/bin/sh\n") for program in programs)]:
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    listen = f"import socket, os\nkept = socket.create_server(('127.0.0.1', {port}))\nkept.set_inheritable(True)\n" if port else "import os\n"
    command = f"{listen}os.execvp('sh', ['sh', '{SCRIPT}', 'configure'])"
    done = subprocess.run(["unshare", "-Urn", "sh", "-c", 'ip link set lo up && exec python3 -c "$0"', command],
                          env={"PATH": f"{folder}:/usr/bin:/bin"}, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout, asked.read_text().splitlines() if asked.exists() else []


def test_a_machine_of_its_own_gets_the_service(tmp_path: Path) -> None:
    assert configure(tmp_path) == ("", ["enable vernis.service"])


def test_beside_varnish_nothing_is_enabled(tmp_path: Path) -> None:
    said, asked = configure(tmp_path, "varnishd")
    assert said.splitlines()[0] == f"vernis.service is neither enabled nor started: Varnish is installed ({tmp_path}/varnishd)."
    assert "guides/beside-varnish.md.gz" in said and "systemctl enable --now vernis" in said and asked == []


@pytest.mark.parametrize("port", [int(port) for port in re.findall(r"-[aT] \w*:(\d+)", UNIT.read_text())])
def test_nothing_is_enabled_where_a_port_of_the_unit_is_taken(tmp_path: Path, port: int) -> None:
    said, asked = configure(tmp_path, port=port)
    assert f"another program listens on port {port} (ss -ltnp 'sport = :{port}' names it)." in said and asked == []


def test_a_later_version_changes_no_choice_of_the_administrator(tmp_path: Path) -> None:
    assert configure(tmp_path, "varnishd", known=True) == ("", [])
