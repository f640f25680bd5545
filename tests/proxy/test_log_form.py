"""The form of the log in shared memory: that of Varnish 7.3 and later, or the older one, by the installed varnishlog."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving
from proxy.test_delivery import policy

VERNIS = ROOT / "build/bin/vernis"
PAGE = b'<a>1</a><esi:include src="/part"/>'
ESI = 'sub vcl_backend_response { set beresp.do_esi = bereq.url == "/"; } '


def answer(request: Request) -> Reply:
    return Reply(body=PAGE if request.url == "/" else b"part")


def transactions(d: Daemon) -> list[dict[str, Any]]:
    """The requests for the page and its include, and their fetches, when all have ended. In the order of their ids."""
    def ended() -> list[dict[str, Any]]:
        done = subprocess.run([str(VERNIS), "log", "-n", str(d.workdir), "-d", "-b", "-E", "--format", "json"],
                              capture_output=True, check=True, timeout=30)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        found = [one for one in found if one["type"] in ("req", "bereq") and one["records"][-1]["tag"] == "End"]
        return sorted(found, key=lambda one: one["vxid"]) if len(found) == 4 else []
    return wait_until(ended, "four transactions have ended")


def magic(d: Daemon) -> bytes:
    """The first bytes of the log, by which tools know its form."""
    [row] = [line.split() for line in (d.workdir / "_.vsm_child/_.index").read_text().splitlines() if line.split()[4:5] == ["Log"]]
    with (d.workdir / "_.vsm_child" / row[1]).open("rb") as file:
        file.seek(int(row[2]))
        return file.read(8)


def logged(setting: str) -> tuple[list[tuple[str, str]], bytes]:
    """Tag and text of the records of a request for a page with an include, and the first bytes of the log."""
    with Origin(answer) as origin, serving(policy(origin, ESI), ["-p", f"vsl_7_3={setting}"]) as d:
        with Client(d.port) as c:
            assert c.request("/").body == b"<a>1</a>part"
        records = [record for one in transactions(d) for record in one["records"]]
        return [(record["tag"], record["text"]) for record in records], magic(d)


def test_both_forms_have_the_same_records() -> None:
    (older, older_magic), (later, later_magic) = logged("off"), logged("on")
    assert older_magic == b"VSLHEAD1" and later_magic == b"VSLHEAD2"
    assert [tag for tag, _ in older] == [tag for tag, _ in later] and len(older) > 100
    # Readers of the later form hide includes by their level, older ones by the reason.
    assert [text.split()[2:] for tag, text in older if tag in ("Begin", "Link") and "esi" in text] == [["esi"]] * 2
    assert [text.split()[2:] for tag, text in later if tag in ("Begin", "Link") and "esi" in text] == [["esi", "1"]] * 2


@pytest.mark.parametrize("says, args, expected", [
    ("varnishlog (varnish-7.7.0 revision 0c9)", [], "on"), ("varnishlog (varnish-8.0.0 revision 0c9)", [], "on"),
    ("varnishlog (varnish-7.3.0 revision 0c9)", [], "on"), ("varnishlog (varnish-7.2.1 revision 0c9)", [], "off"),
    ("varnishlog (varnish-6.6.1 revision 0c9)", [], "off"), ("varnishlog (varnish-7.7.0 revision 0c9)", ["-p", "vsl_7_3=off"], "off"),
    ("an answer of another program", [], "off"), ("", [], "off"),
])
def test_the_installed_varnishlog_chooses_the_form(says: str, args: list[str], expected: str, tmp_path: Path) -> None:
    tool = tmp_path / "bin" / "varnishlog"
    tool.parent.mkdir()
    tool.write_text(f"#!/bin/sh\necho '{says}' >&2\n" if says else "#!/bin/sh\nexec sleep 20\n")   # the last one never answers
    tool.chmod(0o755)
    with Daemon(tmp_path, "vcl 4.1; backend b none;", args, env={"PATH": f"{tool.parent}:/usr/bin:/bin"}) as d:
        assert f"Value is: {expected}" in d.ok("param.show vsl_7_3")
        assert "vsl_7_3" not in d.ok("param.show changed")
        assert ("because varnishlog is of" in d.logs) == (expected == "on")
