"""Values for the parameters of a policy: -D of vernisd, vcl.load and vernis.reload."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from proxy.daemon import VERNISD, Daemon, wait_until
from proxy.origin import fetch
from proxy.serve import serving
from proxy.test_own_tools import vernis
from support.folders import open_to_everybody

POLICY = """vcl 5.0;
backend default none;
param status: INT = 201;
sub vcl_recv { return (synth(status)); }
"""


def params(d: Daemon) -> dict[str, Any]:
    """The values of each policy in the list."""
    return {row["name"]: row.get("params") for row in json.loads(d.ok("vcl.list -j"))[3:]}


def served(d: Daemon) -> int:
    return fetch(d.port, "/").status


def test_a_load_gives_values(tmp_path: Path) -> None:
    open_to_everybody(tmp_path)
    file = tmp_path / "p.vcl"
    file.write_text(POLICY)
    with serving(POLICY) as d:
        assert served(d) == 201
        d.ok(f"vcl.load plain {file} auto")
        d.ok(f"vcl.load given {file} -D status=202")
        d.ok(f"vcl.load cold {file} cold -D status=203")
        assert params(d) == {"boot": None, "plain": None, "given": {"status": "202"}, "cold": {"status": "203"}}
        assert '-D {"status":"202"}' in " ".join(d.ok("vcl.list").split())
        d.use("given")
        assert served(d) == 202
        vernis(d, "load", "tool", str(file), "-D", "status=204")
        d.use("tool")
        assert served(d) == 204


def test_wrong_values_are_refused(tmp_path: Path) -> None:
    open_to_everybody(tmp_path)
    file = tmp_path / "p.vcl"
    file.write_text(POLICY)
    with serving(POLICY) as d:
        for words, said in (("-D stats=1", "the policy has no param stats"), ("-D status=high", "status"), ("-D status", "name=value"),
                            ("-D =1", "name=value"), ("auto -D", "-D name=value"), ("auto status=1", "-D name=value")):
            status, text = d.cli(f"vcl.load p {file} {words}")
            assert status == 106 and said in text, (words, status, text)
        assert params(d) == {"boot": None}


def test_reloads_and_new_workers_keep_values(tmp_path: Path) -> None:
    open_to_everybody(tmp_path)
    file = tmp_path / "p.vcl"
    file.write_text(POLICY)
    with Daemon(tmp_path, POLICY, ["-D", "status=202"]) as d:
        assert served(d) == 202
        vernis(d, "reload", "kept", str(file))
        assert served(d) == 202 and params(d)["kept"] == {"status": "202"}
        vernis(d, "reload", "other", str(file), "-D", "status=203")
        assert served(d) == 203 and params(d)["other"] == {"status": "203"}
        worker = d.worker_pid
        d.cli("stop")
        d.ok("start")
        wait_until(lambda: d.worker_pid != worker and d.state == "running", "a new worker serves")
        assert served(d) == 203


def test_a_start_with_wrong_values_fails(tmp_path: Path) -> None:
    file = tmp_path / "p.vcl"
    file.write_text(POLICY)
    for values, said in (("status=1x", "status"), ("stats=1", "the policy has no param stats"), ("status", "Expected name=value")):
        run = subprocess.run([VERNISD, "-C", "-j", "none", "-f", str(file), "-D", values], capture_output=True, text=True, timeout=60)
        assert run.returncode == 2 and said in run.stderr, (values, run.stderr)
    assert subprocess.run([VERNISD, "-C", "-j", "none", "-f", str(file), "-D", "status=204"], timeout=60).returncode == 0
