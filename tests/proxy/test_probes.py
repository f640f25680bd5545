"""Which responses to a probe count as good."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest

from proxy.daemon import START_S, Daemon, wait_until
from proxy.origin import Origin, Reply, Request
from proxy.serve import serving

OK = b"HTTP/1.1 200 OK\r\n"
# name: (good, bytes, whether the connection closes behind them, lines of the probe)
ANSWERS: dict[str, tuple[bool, bytes, bool, str]] = {
    "length": (True, OK + b"Content-Length: 5\r\n\r\nhello", False, ""),
    "no_length_closed": (True, OK + b"\r\nhello", True, ""),
    "chunks": (True, OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", False, ""),
    "no_content": (True, b"HTTP/1.1 204 No Content\r\n\r\n", False, ".expected_response = 204;"),
    "not_modified": (True, b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", False, ".expected_response = 304;"),
    "head": (True, OK + b"Content-Length: 5\r\n\r\n", False, '.request = "HEAD / HTTP/1.1" "Host: a";'),
    "no_reason": (True, b"HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", False, ""),
    "empty_reason": (True, b"HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", False, ""),
    "http_1_0": (True, b"HTTP/1.0 200 OK\r\n\r\nhello", True, ""),
    "bare_lf": (True, b"HTTP/1.1 200 OK\nContent-Length: 0\n\n", True, ""),
    "closed_in_content": (True, OK + b"Content-Length: 50\r\n\r\nhello", True, ""),            # as in Varnish
    "closed_in_head": (True, OK + b"Content-Len", True, ""),
    "malformed_field": (True, OK + b"No colon\r\n\r\nhello", True, ""),
    "long_head": (True, OK + b"X: " + b"y" * 20_000 + b"\r\n\r\nhello", True, ""),
    "interim_first": (True, b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n" + OK + b"Content-Length: 0\r\n\r\n",
                      False, ""),
    "long_content": (True, OK + b"Content-Length: 900000\r\n\r\n" + b"x" * 900_000, False, ""),
    "other_status": (False, b"HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n", False, ""),
    "four_digits": (False, b"HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n", True, ""),
    "digits_and_letter": (False, b"HTTP/1.1 200x OK\r\nContent-Length: 0\r\n\r\n", True, ""),
    "two_digits": (False, b"HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n", True, ""),
    "two_blanks": (False, b"HTTP/1.1  200 OK\r\nContent-Length: 0\r\n\r\n", True, ""),
    "sign": (False, b"HTTP/1.1 +20 OK\r\nContent-Length: 0\r\n\r\n", True, ""),
    "no_version": (False, b"200 OK\r\nContent-Length: 0\r\n\r\n", True, ""),
    "other_version": (False, b"HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n", True, ""),
    "version_of_two_digits": (False, b"HTTP/1.10 200 OK\r\nContent-Length: 0\r\n\r\n", True, ""),
    "other_protocol": (False, b"ICY 200 OK\r\n\r\n", True, ""),
    "no_line_end": (False, b"HTTP/1.1 200", True, ""),
    "endless_line": (False, b"HTTP/1.1 200" + b"0" * 9000, True, ""),
    "nothing": (False, b"", True, ""),
    "interim_only": (False, b"HTTP/1.1 100 Continue\r\n\r\n", True, ""),
    "late_head": (False, b"", False, ".timeout = 0.2s;"),
    "late_end_of_head": (False, OK, False, ".timeout = 0.2s;"),
    "late_content": (False, OK + b"Content-Length: 5\r\n\r\nhell", False, ".timeout = 0.2s;"),
    "late_chunk": (False, OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", False, ".timeout = 0.2s;"),
    "late_close": (False, OK + b"\r\nhello", False, ".timeout = 0.2s;"),
    "late_final_response": (False, b"HTTP/1.1 100 Continue\r\n\r\n", False, ".timeout = 0.2s;"),
}
PROBE = ".url = \"/{name}\"; .interval = 1h; .initial = 0; .window = 1; .threshold = 1;"


def backend(name: str, port: int, more: str) -> str:
    timeout = "" if ".timeout" in more else ".timeout = 20s;"
    probe = PROBE.format(name=name).replace(f'.url = "/{name}";', "") if ".request" in more else PROBE.format(name=name)
    return (f'backend {name} {{ .host = "127.0.0.1"; .port = "{port}"; .probe = {{ {probe} {timeout} '
            f'{more.replace("HEAD / ", f"HEAD /{name} ")} }} }}\n')


@pytest.fixture(scope="module")
def polled() -> Iterator[dict[str, bool]]:
    """The health of each backend after its first poll."""
    over = threading.Event()

    def hold() -> None:
        over.wait(START_S)

    def answer(r: Request) -> Reply:
        _, raw, closes, _ = ANSWERS[r.url[1:]]
        return Reply(pieces=[raw] if closes else [raw, hold], close=True)

    with Origin(answer) as origin:
        text = "vcl 4.1;\n" + "".join(backend(name, origin.port, row[3]) for name, row in ANSWERS.items())
        with serving(text, ["-p", "vcc_err_unref=off"]) as d:
            yield wait_until(lambda: found if len(found := health(d)) == len(ANSWERS) else None, "each backend has one poll")
            over.set()


def health(d: Daemon) -> dict[str, bool]:
    """Of the backends whose poll has ended."""
    listed = json.loads(d.ok("backend.list -j -p"))[3]
    return {name.removeprefix("boot."): one["probe_message"][2] == "healthy" for name, one in listed.items()
            if one["probe_details"]["bits_4"] == 1}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_poll_is_good_if_the_whole_response_comes_in_time(polled: dict[str, bool], name: str) -> None:
    assert polled[name] == ANSWERS[name][0]
