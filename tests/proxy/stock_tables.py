"""Tables of expressions with the answers of Varnish 7.1.1, and commands that ask Varnish again.

    python tests/proxy/stock_tables.py              # asks Varnish; prints rows whose answer has changed
    python tests/proxy/stock_tables.py --update     # writes the answers of Varnish into the tables

A row of ``tests/data/stock/NAME.tsv`` has a case and Varnish's answer, separated by a tab. ``fail`` is a
failed transaction, ``\\t`` a tab. If Vernis answers differently on purpose, its answer and the reason follow.
A case of ``conversions`` is an expression that can become text. A case of ``acls`` has the entries of an acl,
a blank, ``~``, a blank and an address: an expression of type IP, or ``proxy1 ADDRESS`` or ``proxy2 ADDRESS``
for the address of a client behind a PROXY header. A case of ``cookies`` has statements, a blank, ``~``, a
blank and an expression that can become text.
"""

from __future__ import annotations

import argparse
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "tests/data/stock"
STOCK = Path("/usr/sbin/varnishd")
WAIT_S = 60.0
FAIL = "fail"
HEAD = "vcl 4.1;\nimport std;\nbackend default none;\n"
SYNTH = "sub vcl_synth {\n  set resp.http.answer = req.http.answer;\n  return (deliver);\n}\n"
PROXY2_SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"


@dataclass(slots=True)
class Row:
    """``ours`` is our intended answer; None: the same as Varnish's."""

    case: str
    stock: str
    ours: str | None = None
    reason: str = ""

    @property
    def wanted(self) -> str:
        return self.stock if self.ours is None else self.ours

    def line(self) -> str:
        return "\t".join([self.case, self.stock] + ([] if self.ours is None else [self.ours, self.reason])) + "\n"


def read(name: str) -> list[Row]:
    lines = (TABLES / f"{name}.tsv").read_text().splitlines()
    return [Row(*line.split("\t")) for line in lines if line and not line.startswith("#")]


def policy(name: str, rows: Iterable[Row]) -> str:
    """One policy for all cases; the request's field ``case`` selects the case."""
    declared, chosen = ["import cookie;\n"] if name == "cookies" else [], []
    for number, row in enumerate(rows):
        before, expression = "", row.case.replace("\\t", "\t")
        if name == "acls":
            entries, _, address = row.case.rpartition(" ~ ")
            declared.append(f"acl a{number} {{ {entries} }}\n")
            expression = f"({'client.ip' if address.startswith('proxy') else address} ~ a{number})"
        if name == "cookies":
            before, _, expression = expression.rpartition(" ~ ")
        chosen.append(f'  if (req.http.case == "{number}") {{ {before} set req.http.answer = "<" + {expression} + ">"; return (synth(200)); }}\n')
    return f"{HEAD}{''.join(declared)}sub vcl_recv {{\n{''.join(chosen)}  return (synth(404));\n}}\n{SYNTH}"


def ask(rows: list[Row], port: int, proxy_port: int) -> list[str]:
    """Answers of a server with the policy of these rows. Each request has its own connection, because Varnish
    closes it after a failure."""
    answers = []
    for number, row in enumerate(rows):
        found = re.search(r" ~ (proxy[12]) (\S+)$", row.case)
        with socket.create_connection(("127.0.0.1", proxy_port if found else port), timeout=WAIT_S) as s:
            s.sendall((proxy_header(found[1], found[2]) if found else b"") + request(number))
            answers.append(answer(b"".join(iter(lambda: s.recv(65536), b""))))
    return answers


def request(number: int) -> bytes:
    return f"GET / HTTP/1.1\r\nHost: test\r\ncase: {number}\r\nConnection: close\r\n\r\n".encode()


def proxy_header(version: str, address: str) -> bytes:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    if version == "proxy1":
        return f"PROXY TCP{'6' if ':' in address else '4'} {address} {address} 1111 2222\r\n".encode()
    both = 2 * socket.inet_pton(family, address)
    return PROXY2_SIGNATURE + bytes([0x21, 0x21 if ":" in address else 0x11, 0, len(both) + 4]) + both + b"\4\x57\x08\xae"


def answer(response: bytes) -> str:
    head = response.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    status = int(head[0].split()[1])
    assert status in (200, 503), head
    if status == 503:
        return FAIL
    return next(line.partition("<")[2][:-1] for line in head if line.lower().startswith("answer:"))


# ---- Varnish -----------------------------------------------------------------------------------------------


def ask_stock(name: str, rows: list[Row]) -> list[str]:
    folder = Path(tempfile.mkdtemp(prefix="stock-tables-"))
    folder.chmod(0o755)
    (folder / "policy.vcl").write_text(policy(name, rows))
    command = [str(STOCK), "-F", "-n", str(folder / "work"), "-a", "127.0.0.1:0", "-a", "127.0.0.1:0,PROXY", "-f", str(folder / "policy.vcl"),
               "-p", "cc_command=gcc -O0 -fpic -shared -o %o %s"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        return ask(rows, *_stock_ports(folder, process))
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _stock_ports(folder: Path, process: subprocess.Popen[bytes]) -> tuple[int, int]:
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        assert process.poll() is None, (folder / "log").read_text()
        said = subprocess.run(["varnishadm", "-n", str(folder / "work"), "debug.listen_address"], capture_output=True, text=True).stdout
        ports = [int(port) for port in re.findall(r"^a\d 127\.0\.0\.1 (\d+)", said, re.M)]
        if len(ports) == 2 and "Child launched OK" in (folder / "log").read_text():
            return ports[0], ports[1]
        time.sleep(0.2)
    raise AssertionError("Varnish does not answer")


def main() -> int:
    parser = argparse.ArgumentParser(description="Asks Varnish for the answers of the tables in tests/data/stock.")
    parser.add_argument("--update", action="store_true", help="write them into the tables")
    options = parser.parse_args()
    changed = 0
    for path in sorted(TABLES.glob("*.tsv")):
        rows = read(path.stem)
        for row, now in zip(rows, ask_stock(path.stem, rows), strict=True):
            if now != row.stock:
                changed += 1
                print(f"{path.stem}: {row.case}: was {row.stock!r}, is {now!r}")
                row.stock = now
        if options.update:
            comments = [line + "\n" for line in path.read_text().splitlines() if line.startswith("#")]
            path.write_text("".join([*comments, *(row.line() for row in rows)]))
        print(f"{path.stem}: {len(rows)} cases, {sum(row.ours is not None for row in rows)} differ on purpose")
    return 1 if changed and not options.update else 0


if __name__ == "__main__":
    sys.exit(main())
