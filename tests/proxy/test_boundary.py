"""vernisd and its origin see each request in the same way, and no response of an origin is split or joined.

    build/venv/bin/python -m pytest -s tests/proxy/test_boundary.py     # prints the table
"""

from __future__ import annotations

import re
import shutil
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from proxy.boundary import (
    POLICY,
    SOURCES,
    Case,
    Party,
    Seen,
    address,
    by_client,
    cases,
    exchange,
    nginx_origin,
    of_nginx,
    of_vernis,
    python_origin,
    slug_of,
)
from proxy.daemon import wait_until
from proxy.serve import serving
from proxy.test_malformed_requests import CASES as MALFORMED
from support.accepting import serve_each
from support.folders import open_to_everybody
from support.ports import free_port

ANSWERS = list(cases("answers.txt"))
# Requests whose head the parser refuses never reach an origin; test_malformed_requests.py tests them.
REQUESTS = [*cases("requests.txt"), *(Case(c.name, "probe" if c.stage == "proxy" else "refused", c.data) for c in MALFORMED if c.stage != "head")]
PROBE = b"GET /probe HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n"


# ---- requests ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Sent:
    name: str
    meant: str
    clients: dict[str, str]             # by origin
    statuses: dict[str, list[int]]


@dataclass(slots=True)
class Matrix:
    sent: list[Sent]
    vernis: Party
    origins: dict[str, Party]


def statuses(received: bytes) -> list[int]:
    return [int(s) for s in re.findall(rb"HTTP/1\.1 (\d{3}) [^\r\n]*\r\n", received)]


def send_all(port: int, origin: str, sent: list[Sent], data: list[bytes]) -> None:
    for i, (one, request) in enumerate(zip(sent, data, strict=True)):
        one.clients[origin] = address(origin, i)
        one.statuses[origin] = statuses(exchange(port, one.clients[origin], request + PROBE))


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Matrix]:
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed")
    directory = tmp_path_factory.mktemp("boundary")
    open_to_everybody(directory)
    port, sink = free_port(), free_port()
    sent = [Sent(c.name, c.meant, {}, {}) for c in REQUESTS]
    data = [c.data for c in REQUESTS]
    with nginx_origin(directory, port, sink) as log, python_origin() as (python_port, seen), serving(
            POLICY.format(nginx=port, python=python_port), ("-p", "vsl_reclen=8k", "-p", "loops=1")) as d:
        threads = [threading.Thread(target=send_all, args=(d.port, origin, sent, data)) for origin in SOURCES]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(set(s.statuses) == set(SOURCES) for s in sent), "a client ended early"
        d.get("/last")                  # a request to nginx: its log then contains all earlier ones
        wait_until(lambda: "/last" in log.read_text("latin-1"), "nginx has written its log")
        wait_until(lambda: any(s.target == "/last" for _, s in of_vernis(d)), "vernisd has written its log")
        yield Matrix(sent, by_client(of_vernis(d)), {"nginx": by_client(of_nginx(log)), "python": by_client(seen)})


def shown(ours: list[Seen], theirs: list[Seen], name: str) -> str:
    """Text for the table: the requests that vernisd sent, each with the length of the body that the origin
    received."""
    slug = slug_of(name)
    bodies = {s.vxid: len(s.body or b"") for s in theirs}
    texts = [f"{s.method} {s.target.replace(slug, '@')} {bodies.get(s.vxid, 0)}" if s.fate == "whole" else s.fate for s in ours]
    return " + ".join("probe" if t == "GET /probe 0" else t for t in texts) or "none"


def differences(ours: list[Seen], theirs: list[Seen]) -> Iterator[str]:
    """Differences between both sides: they must agree on each whole request, its order and the bytes of its
    body."""
    sides = [[(s.vxid, s.method, s.target) for s in side if s.fate == "whole"] for side in (ours, theirs)]
    if sides[0] != sides[1] or not {s.vxid for s in theirs} <= {s.vxid for s in ours}:
        yield f"vernisd sent {sides[0]}, the origin got {sides[1]}"
    sent = {s.vxid: s.wire for s in ours}
    for s in theirs:
        if s.fate == "whole" and s.wire not in (None, sent.get(s.vxid)):
            yield f"vernisd sent {sent.get(s.vxid)} bytes of body for {s.target}, the origin got {s.wire}"


def line_of(one: Sent, m: Matrix) -> tuple[str, list[str]]:
    """The line of the table, and its errors."""
    wrong: list[str] = []
    cells: dict[str, str] = {}
    for origin in SOURCES:
        ours, theirs = m.vernis.get(one.clients[origin], []), m.origins[origin].get(one.clients[origin], [])
        wrong += differences(ours, theirs)
        cells[origin] = shown(ours, theirs, one.name)
    whole = [[s for s in m.origins[o].get(one.clients[o], []) if s.fate == "whole"] for o in SOURCES]
    if "refused" not in cells["nginx"] and [s.body for s in whole[0]] != [s.body for s in whole[1]]:
        wrong.append("nginx and python got different bodies")
    if cells["python"] != one.meant and not (one.meant == "refused" and cells["python"] in ("none", "broken off")):
        wrong.append(f"meant: {one.meant}; came: {cells['python']}")
    answers = " ".join(map(str, one.statuses["python"]))
    seen = cells["python"] if len(set(cells.values())) == 1 else f"{cells['python']}; nginx: {cells['nginx']}"
    return f"{'WRONG' if wrong else 'same ':5} {one.name:36.36} {answers:24.24} {seen[:80]}", wrong


def test_vernisd_and_origin_see_the_same_requests(matrix: Matrix) -> None:
    assert len(matrix.sent) >= 150
    lines, wrong = [], []
    for one in matrix.sent:
        line, problems = line_of(one, matrix)
        lines.append(line)
        wrong += [f"{one.name}: {p}" for p in problems]
    print("\n".join(["", "      request" + 30 * " " + "answers" + 18 * " " + "seen by vernisd and both origins", *lines]))
    assert not wrong, "\n".join(wrong)


def test_origins_see_only_marked_requests(matrix: Matrix) -> None:
    """Except for heads that nginx refused. Their number must match the log of vernisd."""
    known = {client for one in matrix.sent for client in one.clients.values()}
    for origin, party in matrix.origins.items():
        stray = [s for client, seen in party.items() if client not in known for s in seen if s.target != "/last"]
        refused = [s for client, seen in matrix.vernis.items() if client.startswith(SOURCES[origin] + ".") for s in seen if s.fate == "refused"]
        unmarked = [s for s in stray if (s.vxid, s.fate) == ("", "refused")]
        assert stray == unmarked and len(stray) <= len(refused), f"{origin}: {stray}"


# ---- answers -----------------------------------------------------------------------------------------------

ANSWER_POLICY = """vcl 4.1;
backend raw {{ .host = "127.0.0.1"; .port = "{port}"; .max_connections = 1; .first_byte_timeout = 2s; }}
sub vcl_recv {{ return (pass); }}
"""


class RawOrigin:
    """Serves one connection at a time, so that bytes after a response would be read as the next response.
    ``/N`` returns the bytes of case N, ``/sound-X`` a valid response that contains X."""

    def __init__(self) -> None:
        self.listen = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self.listen.getsockname()[1]
        serve_each(self.listen, self._serve)

    def _serve(self, conn: socket.socket) -> None:
        stream = conn.makefile("rb")
        with conn:
            try:
                while line := stream.readline():
                    while stream.readline() not in (b"\r\n", b""):
                        continue
                    target = line.split()[1].decode()
                    if target.startswith("/sound"):
                        conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(target), target.encode()))
                        continue
                    case = ANSWERS[int(target[1:])]
                    conn.sendall(case.data)
                    if case.name.startswith("close "):
                        return
            except OSError:
                return


def read_answer(stream) -> str:                          # type: ignore[no-untyped-def]
    """One strictly read response: "200 hello", "cut" if it ends early, "none" at the end of the connection,
    or the error."""
    try:
        return _read_answer(stream)
    except AssertionError as error:
        return f"no answer: {error}"
    except ConnectionResetError:
        return "cut"


def _read_answer(stream) -> str:                         # type: ignore[no-untyped-def]
    line = stream.readline()
    if not line:
        return "none"
    found = re.fullmatch(rb"HTTP/1\.1 ([1-9]\d\d) [^\r\n]*\r\n", line)
    assert found, line
    fields: dict[str, list[str]] = {}
    while (field := stream.readline()) != b"\r\n":
        name = re.fullmatch(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([^\r\n\0]*)\r\n", field)
        assert name, field
        fields.setdefault(name[1].decode().lower(), []).append(name[2].decode("latin-1"))
    status = int(found[1])
    lengths, codings = fields.get("content-length", []), fields.get("transfer-encoding", [])
    assert len(lengths) + len(codings) <= (status >= 200), fields
    if status < 200:                    # an interim response of the origin; the final one follows
        return f"{status}, {_read_answer(stream)}"
    if status in (204, 304):
        return str(status)
    body = read_chunks(stream) if codings else stream.read(int(lengths[0])) if lengths else stream.read()
    if body is None or (lengths and len(body) < int(lengths[0])):
        return "cut"
    return f"{status} {body.decode('latin-1')}".strip() if status != 503 else "503"


def read_chunks(stream) -> bytes | None:                # type: ignore[no-untyped-def]
    body = b""
    while re.fullmatch(rb"[0-9a-f]+\r\n", line := stream.readline()):
        data = stream.read(int(line, 16) + 2)
        if data == b"\r\n":
            return body
        if data[-2:] != b"\r\n":
            return None
        body += data[:-2]
    assert line == b"", line
    return None


def test_no_response_is_split_or_joined() -> None:
    assert len(ANSWERS) >= 80
    origin, lines, wrong = RawOrigin(), [], []
    with serving(ANSWER_POLICY.format(port=origin.port)) as d:
        for i, case in enumerate(ANSWERS):
            with socket.create_connection(("127.0.0.1", d.port), 30) as s:
                s.sendall(b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\nGET /sound-%d HTTP/1.1\r\nHost: a\r\n\r\n" % (i, i))
                stream = s.makefile("rb")
                came = read_answer(stream)
                behind = read_answer(stream) if came != "cut" and not came.startswith("no answer") else "none"
            again = exchange(d.port, "127.0.0.1", b"GET /sound-again-%d HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" % i)
            problems = [] if came in case.meant.split(" or ") else [f"meant {case.meant!r}, came {came!r}"]
            if behind not in (f"200 /sound-{i}", "none") or not again.endswith(b"\r\n\r\n/sound-again-%d" % i):
                problems.append(f"the next request got {behind!r}, then {again!r}")
            lines.append(f"{'WRONG' if problems else 'whole':5} {case.name:36.36} {came:40.40} {behind}")
            wrong += [f"{case.name}: {p}" for p in problems]
    origin.listen.close()
    print("\n".join(["", "      answer" + 31 * " " + "client gets" + 30 * " " + "then", *lines]))
    assert not wrong, "\n".join(wrong)


def test_the_tables_are_complete() -> None:
    for table in (REQUESTS, ANSWERS):
        assert len({case.name for case in table}) == len(table)
