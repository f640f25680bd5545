"""Runs cases of HTTP behaviour on a daemon and records what client and origin saw. Values that differ between
any two runs are replaced: current dates, transaction numbers, ages in seconds.

    python tests/proxy/http_compare.py [--seed N] [--most N] [--only REGEX] [--update]

runs Varnish (Debian's varnishd) and vernisd on the same policy with the same scripted origin, and prints the
differences. Intended differences are listed in ``MEANT`` and in docs/differences.md. ``--update`` writes the
answers of Varnish to a sample of the cases into tests/data/http_as_varnish.txt. test_http_as_varnish.py
compares them with those of vernisd.
"""

from __future__ import annotations

import argparse
import difflib
import email.utils
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proxy.http_cases import PAUSE_S, POLICY, Case, Step, all_cases
from support.accepting import serve_each
from support.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
STOCK, OURS = Path("/usr/sbin/varnishd"), ROOT / "build" / "bin" / "vernisd"
GOLDEN = ROOT / "tests" / "data" / "http_as_varnish.txt"
GOLDEN_CASES = 200
GOLDEN_SEED = 10
ANSWER_S = 30.0
THREADS = 8
#: Arguments of both daemons. gzip is off: test_gzip.py and the suite of Varnish cover it.
ARGUMENTS = ("-p", "http_gzip_support=off", "-p", "timeout_idle=5", "-p", "default_grace=10", "-p", "shortlived=0", "-p", "max_retries=2")


@dataclass(slots=True, frozen=True)
class Meant:
    """An intended difference: in cases whose name matches, on lines that match."""

    case: str
    line: str
    reason: str


MEANT = (
    Meant(r" (HEAD|POST|PUT|PATCH|DELETE|OPTIONS|FOO|TRACE) (inm|ims|range|ifrange)", ".", "304 is for GET and HEAD, ranges are for GET"),
    Meant(r"range-(two|two-one-out|lines|comma|huge)$", ".", "ranges that are not understood are ignored, an end beyond the content is cut"),
    Meant(r"^(pass|hit-for-pass) GET range", ".", "the origin handles a malformed Range on a pass"),
    Meant(r" inm-(any|list)$", ".", "If-None-Match is a list, or any"),
    Meant(r"^reply (dates?|expires-\w+) (hit|pass) ims-same$", ".", "without Last-Modified, Date stands for it"),
    Meant("", r"^Proxy-(Connection|Authorization|Authenticate):", "fields for one hop"),
    Meant(r"expires-(zero|wrong)", ".", "an invalid Expires means expired"),
    Meant(r"cc-quoted", ".", "a quoted max-age is valid"),
    Meant(r"status-100$", ".", "an interim status ends no request"),
    Meant(r"interim|early", ".", "interim responses of origins are skipped"),
    Meant(r"chunked-trailer", ".", "trailers are dropped"),
    Meant(r"content-range|^confirmed \w+ range$", ".", "a Content-Range outside of 206 means nothing"),
    Meant(r"^confirmed \w+ (etag|modified)$", ".", "a 304 with another validator renews nothing"),
    Meant(r"length-twice", r"^Content-Length:", "equal lengths count as one"),
    Meant(r" http2", ".", "a version that is not HTTP/1 is refused"),
    Meant(r"^(purge|synth|fail|error|pass-error) GET \S*range", ".", "a part of a page of errors"),
    Meant(r"chunked|eof", r"^(Content-Length|Transfer-Encoding|Accept-Ranges):", "a length known at the start of delivery is sent"),
    Meant(r"^reply \S*(eof|chunked) pass range", ".", "a range needs the length, which we know if all has arrived"),
    Meant(r"^pipe GET te$", ".", "the answer to a piped request is read by the client"),
    Meant(r"closed|error|not-http|head-cut|short", r"^(--- origin|GET /N|Do:|Host:|If-|X-Forwarded-For:|X-Varnish:)",
          "whether a connection was used before decides if a lost request is sent again"),
)

#: Cases that the sample leaves out, because their result depends on timing.
UNSTEADY = r"grace|closed|error|not-http|head-cut|short|eof|chunked|expect|TRACE|pipe"


# ---- origin ------------------------------------------------------------------------------------------------


class ScriptedOrigin:
    """Answers the n-th request for /N with the n-th reply of case N, and records the heads of the
    requests."""

    def __init__(self, cases: list[Case]) -> None:
        self.cases = cases
        self.seen: dict[int, list[str]] = defaultdict(list)
        self.lock = threading.Lock()
        self.listen = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port: int = self.listen.getsockname()[1]
        serve_each(self.listen, self._serve)

    def close(self) -> None:
        self.listen.close()

    def _serve(self, conn: socket.socket) -> None:
        with conn, conn.makefile("rb") as stream:
            try:
                while self._answer(conn, *read_message(stream)):
                    pass
            except (OSError, EOFError, ValueError):
                pass

    def _answer(self, conn: socket.socket, start: str, fields: list[str], body: bytes) -> bool:
        number = int(start.split()[1].partition("?")[0].rpartition("/")[2])
        with self.lock:
            count = len(self.seen[number])
            self.seen[number].append(shown(start, fields, body, number))
        replies = self.cases[number].replies
        answer = replies[min(count, len(replies) - 1)]
        head, _, content = answer.partition(b"\r\n\r\n")
        if start.startswith("HEAD ") and not head.startswith(b"HTTP/1.1 10"):
            answer = head + b"\r\n\r\n"
        conn.sendall(answer)
        lower = head.lower()
        framed = re.search(rb"content-length|chunked|http/1.1 (204|304)", lower) is not None
        return framed and b"connection: close" not in lower and b"http/1.0" not in lower and any(f.lower() == "connection: close" for f in fields) is False


def read_message(stream: BinaryIO, *, head_only: bool = False, bodiless: tuple[str, ...] = ("100", "101", "103", "204", "304")) -> tuple[str, list[str], bytes]:
    """Start line, field lines, content. Content without a length ends with the connection."""
    start_line = stream.readline()
    if not start_line.strip():
        raise EOFError
    start, fields = start_line.decode("latin-1").strip("\r\n"), []
    while (line := stream.readline()) not in (b"\r\n", b"\n", b""):
        fields.append(line.decode("latin-1").strip("\r\n"))
    by_name = {f.partition(":")[0].lower(): f.partition(":")[2].strip() for f in fields}
    is_response = start.startswith("HTTP/")
    if head_only or is_response and start.split()[1] in bodiless:
        return start, fields, b""
    if by_name.get("transfer-encoding") == "chunked":
        body = b""
        while (size := int(stream.readline().split(b";")[0] or b"0", 16)) > 0:
            body += stream.read(size)
            stream.readline()
        while stream.readline().strip():
            pass
        return start, fields, body
    if "content-length" in by_name:
        return start, fields, stream.read(int(by_name["content-length"]))
    return start, fields, stream.read() if is_response else b""


# ---- recorded text -----------------------------------------------------------------------------------------


def steady(field: str) -> str:
    """A field without values that differ between runs."""
    name, _, value = field.partition(":")
    lower, value = name.lower(), value.strip()
    if lower in ("date", "last-modified", "expires"):
        when = email.utils.parsedate_to_datetime(value) if value.endswith("GMT") else None
        if when is not None and abs(when.timestamp() - time.time()) < 300:
            value = "<now>"
    elif lower == "x-varnish":
        value = re.sub(r"\d+", "<id>", value)
    elif lower == "age" and value.isdigit():
        value = f"{int(value) // 5 * 5}+"
    return f"{name}: {value}"


def without_page_length(fields: list[str], body: bytes) -> list[str]:
    """Drops Content-Length of error pages: the transaction number in the page may have more digits on one
    server."""
    page = b"<html" in body.lower() or not body and any(f.startswith("Retry-After: 5") for f in fields)
    return [f for f in fields if not (page and f.startswith("Content-Length:"))]


def shown(start: str, fields: list[str], body: bytes, number: int) -> str:
    start = start.replace(f"/{number} ", "/N ")
    text = re.sub(r"(XID: )\d+", r"\1<id>", body.decode("latin-1")).replace("\r", "\\r").rstrip("\n")
    parts = [start, *sorted((steady(f) for f in without_page_length(fields, body)), key=str.lower)]
    if "<html" in text.lower():
        return "\n".join([*parts, f"[page of {len(text)}]"])
    return "\n".join(parts + [f"[{len(text)}] " + line for line in text.split("\n")] if text else parts)


def ask(port: int, case: Case, number: int, step: Step) -> str:
    if step.pause_s:
        time.sleep(step.pause_s)
    head = f"{step.method} /{number} HTTP/1.{step.minor}\r\nHost: test\r\n" + "".join(f"{f}\r\n" for f in step.fields) + "\r\n"
    piped = "Do: pipe" in step.fields or step.method == "TRACE"
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=ANSWER_S) as conn, conn.makefile("rb") as stream:
            conn.sendall(head.encode("latin-1") + step.body)
            start, fields, body = read_message(stream, head_only=step.method == "HEAD")
            while start.split()[1] == "100":
                start, fields, body = read_message(stream, head_only=step.method == "HEAD")
            text = shown(start, fields, body, number)
            if piped:
                return text
            return text + "\n" + then(conn, stream)
    except (EOFError, OSError) as e:
        return "no answer" if isinstance(e, EOFError | ConnectionError) else f"no answer: {type(e).__name__}"


def then(conn: socket.socket, stream: BinaryIO) -> str:
    """Tests whether the connection accepts another request."""
    try:
        conn.sendall(b"GET /end HTTP/1.1\r\nHost: test\r\n\r\n")
        return "then open" if read_message(stream)[0].split()[1] == "299" else "then something else"
    except (EOFError, OSError):
        return "then closed"


def run_case(port: int, origin: ScriptedOrigin, number: int) -> str:
    case = origin.cases[number]
    answers = [ask(port, case, number, step) for step in case.steps]
    if case.steps[-1].pause_s:                  # a background fetch may still run
        time.sleep(PAUSE_S)
    with origin.lock:
        seen = list(origin.seen[number])
    return "\n".join([f"--- client {i}\n{text}" for i, text in enumerate(answers, 1)] + [f"--- origin {i}\n{text}" for i, text in enumerate(seen, 1)])


# ---- daemons -----------------------------------------------------------------------------------------------


@contextmanager
def running(binary: Path, origin_port: int, text: str = POLICY) -> Iterator[int]:
    """Starts a daemon with the policy, which answers /end with 299, and yields its port. Stops it at the end."""
    folder = Path(tempfile.mkdtemp(prefix="http-compare-"))
    folder.chmod(0o755)
    policy, port = folder / "policy.vcl", free_port()
    policy.write_text(text % origin_port)
    command = [str(binary), "-F", "-n", str(folder / "work"), "-a", f"127.0.0.1:{port}", "-T", "none", "-f", str(policy), "-j", "none", *ARGUMENTS]
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        wait_for(port, process, folder / "output")
        yield port
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(port: int, process: subprocess.Popen[bytes], output: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        assert process.poll() is None, output.read_text()
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as conn:
                conn.sendall(b"GET /end HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")
                if b" 299 " in conn.recv(1000):
                    return
        except OSError:
            pass
        time.sleep(0.02)
    raise TimeoutError(output.read_text())


def run(binary: Path, cases: list[Case]) -> list[str]:
    origin = ScriptedOrigin(cases)
    try:
        with running(binary, origin.port) as port, ThreadPoolExecutor(THREADS) as pool:
            return list(pool.map(lambda number: run_case(port, origin, number), range(len(cases))))
    finally:
        origin.close()


# ---- comparison --------------------------------------------------------------------------------------------


def differing_lines(case: Case, stock: str, ours: str) -> list[str]:
    """Lines of a diff that differ and are not intended to."""
    found = [line for line in difflib.ndiff(stock.splitlines(), ours.splitlines()) if line[0] in "-+"]
    return [line for line in found if not any(re.search(m.case, case.name) and re.search(m.line, line[2:]) for m in MEANT)]


def sample() -> list[Case]:
    cases = [case for case in all_cases() if not re.search(UNSTEADY, case.name)]
    return [cases[i] for i in sorted(random.Random(GOLDEN_SEED).sample(range(len(cases)), GOLDEN_CASES))]


def write_golden(cases: list[Case]) -> None:
    """Writes the results that two runs of Varnish agree on."""
    first, second = run(STOCK, cases), run(STOCK, cases)
    blocks = [f"=== {case.name}\n{text}\n" for case, text, again in zip(cases, first, second, strict=True) if text == again]
    GOLDEN.write_text("".join(blocks))
    print(f"{len(blocks)} of {len(cases)} cases written")


def read_golden() -> dict[str, str]:
    blocks = GOLDEN.read_text().split("=== ")[1:]
    return {name: text.rstrip("\n") for name, _, text in (block.partition("\n") for block in blocks)}


def main() -> int:
    arg = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arg.add_argument("--most", type=int, default=0, help="number of cases, chosen by --seed; 0: all")
    arg.add_argument("--seed", type=int, default=1)
    arg.add_argument("--only", default="", help="cases whose name matches")
    arg.add_argument("--update", action="store_true", help="write Varnish's answers to the sample")
    opt = arg.parse_args()
    if opt.update:
        write_golden(sample())
        return 0
    cases = [case for case in all_cases() if re.search(opt.only, case.name)]
    if 0 < opt.most < len(cases):
        cases = random.Random(opt.seed).sample(cases, opt.most)
    stock, ours = run(STOCK, cases), run(OURS, cases)
    found = [(case, lines) for case, a, b in zip(cases, stock, ours, strict=True) if (lines := differing_lines(case, a, b))]
    for case, lines in found:
        print(f"=== {case.name}", *lines, sep="\n")
    print(f"{len(cases)} cases, {len(found)} differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
