#!/usr/bin/env python3
"""Runs testssl.sh against ``vernisd``, with an EC and an RSA certificate that an authority of this run has signed.

    testssl_run.py [--daemon PATH] [--all]

Exit code 0: nothing is above LOW, except rows of ``OF_THE_CERTIFICATE``, which are about the authority of the
test, and warnings of ``OF_THE_TOOL``. 1: other rows are, and are named. 2: it could not be run. ``--all`` prints each row above INFO.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "build" / "py")]

from proxy.daemon import Daemon         # noqa: E402

#: Rows that judge the certificates of the test, not the server: why.
OF_THE_CERTIFICATE = {
    "cert_chain_of_trust": "no store of the system has the authority",
    "cert_revocation": "the authority has neither a list nor a responder",
    "cert_crlDistributionPoints": "the authority has no list",
    "cert_ocspURL": "the authority has no responder",
    "DNS_CAArecord": "localhost has no records",
}
#: Rows that say what testssl.sh could not do itself: why.
OF_THE_TOOL = {
    "engine_problem": "its openssl has no GOST",
    "sessionresumption_ticket": "its client leaves before a ticket of TLS 1.3 comes; test_tls_clients.py resumes",
}
BENIGN = {"OK", "INFO", "LOW", "DEBUG"}
LIMIT_S = 1200
POLICY = """vcl 4.1; backend default none;
sub vcl_recv { return (synth(200)); }
sub vcl_synth {
    set resp.http.Strict-Transport-Security = "max-age=31536000";
    set resp.http.Content-Security-Policy = "default-src 'self'";
    set resp.http.X-Content-Type-Options = "nosniff";
    synthetic("a body");
    return (deliver);
}
"""


def openssl(*args: str) -> None:
    subprocess.run(["openssl", *args], check=True, capture_output=True)


def signed(folder: Path, name: str, *kind: str) -> Path:
    """A certificate for localhost with its key, signed by the authority of the folder."""
    pem, key, request = (folder / f"{name}.{end}" for end in ("pem", "key", "csr"))
    openssl("req", "-new", "-newkey", *kind, "-nodes", "-subj", "/CN=localhost", "-keyout", str(key), "-out", str(request))
    (folder / "extensions").write_text("subjectAltName=DNS:localhost\nbasicConstraints=critical,CA:FALSE\n"
                                       "keyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\n")
    openssl("x509", "-req", "-in", str(request), "-CA", str(folder / "ca.pem"), "-CAkey", str(folder / "ca.key"), "-days", "90", "-sha256",
            "-extfile", str(folder / "extensions"), "-set_serial", f"0x{os.urandom(16).hex()}", "-out", str(pem))
    pem.write_text(pem.read_text() + key.read_text())
    return pem


def certificates(folder: Path) -> list[Path]:
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "365", "-subj", "/CN=Authority of a test",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign", "-keyout", str(folder / "ca.key"), "-out", str(folder / "ca.pem"))
    return [signed(folder, "ec", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"), signed(folder, "rsa", "rsa:3072")]


def findings(folder: Path, port: int) -> list[dict[str, str]]:
    report = folder / "report.json"
    done = subprocess.run(["testssl", "--quiet", "--color", "0", "--warnings", "batch", "--ip", "127.0.0.1", "--add-ca", str(folder / "ca.pem"),
                           "--jsonfile", str(report), f"localhost:{port}"], capture_output=True, text=True, timeout=LIMIT_S, cwd=folder)
    if not report.exists():
        sys.exit(f"testssl.sh wrote no report:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    rows: list[dict[str, str]] = json.loads(report.read_text())
    return rows


def excused(row: dict[str, str]) -> str | None:
    """Why the row does not count. Names end with the number of the certificate, if there are several."""
    name = row["id"].partition(" ")[0]
    return OF_THE_TOOL.get(name) if row["severity"] == "WARN" else OF_THE_CERTIFICATE.get(name)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--daemon", type=Path, default=ROOT / "build" / "bin" / "vernisd")
    arguments.add_argument("--all", action="store_true")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="testssl.") as directory:
        folder = Path(directory)
        paths = certificates(folder)
        with Daemon(folder, POLICY, ["-p", "feature=+http2"], listen="web=127.0.0.1:0,HTTPS", binary=options.daemon) as d:
            for path in paths:
                d.ok(f"tls.cert.load {path}")
            d.ok("tls.cert.commit")
            rows = findings(folder, d.port)
            denied, sessions = d.counters["VERNIS.syscalls_denied"], d.counters["TLS.sessions"]
    bad = [row for row in rows if row["severity"] not in BENIGN]
    left = [row for row in bad if excused(row) is None]
    for row in [r for r in rows if r["severity"] not in ("OK", "INFO")] if options.all else bad:
        why = excused(row)
        print(f"{row['severity']:8} {row['id']}: {row['finding']}" + (f" [{why}]" if why else ""))
    print(f"testssl.sh: {len(rows)} rows in {sessions} sessions; {len(left)} above LOW, {len(bad) - len(left)} more about the test itself")
    return 1 if left or denied or sessions == 0 else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, subprocess.SubprocessError) as error:
        print(f"testssl_run.py: {error}", file=sys.stderr)
        sys.exit(2)
