"""Labels: names for policies that receive requests by ``return (vcl(label))``. A label keeps its policy from
being discarded."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from proxy.daemon import SYNTH, Daemon, wait_equal, wait_until

SWITCH = "vcl 4.1; backend default none; sub vcl_recv {{ set req.http.X = \"changed\"; return (vcl({label})); }}"
ECHO = 'vcl 4.1; backend default none; sub vcl_recv { return (synth(200, "x=" + req.http.X + " " + req.url)); }'


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with Daemon(tmp_path_factory.mktemp("labels"), SYNTH.format(word="boot")) as d:
        yield d


@pytest.fixture(autouse=True)
def only_boot(daemon: Daemon) -> Iterator[None]:
    yield
    daemon.use("boot")
    rest = [row["name"] for row in rows(daemon) if row["name"] != "boot" and row["status"] != "discarded"]
    if rest:
        daemon.ok("vcl.discard " + " ".join(rest))


def rows(daemon: Daemon) -> list[dict[str, object]]:
    return json.loads(daemon.ok("vcl.list -j"))[3:]


def deps(daemon: Daemon) -> dict[str, list[str]]:
    return {row["name"]: row["deps"] for row in json.loads(daemon.ok("vcl.deps -j"))[3:]}


def test_the_labelled_policy_gets_the_request_of_the_client(daemon: Daemon) -> None:
    daemon.load("echo", ECHO)
    daemon.ok("vcl.label there echo")
    daemon.load("top", SWITCH.format(label="there"))
    daemon.use("top")
    assert daemon.get("/page") == (200, "x= /page")


def test_a_moved_label_affects_the_next_request(daemon: Daemon) -> None:
    for word in "one", "two":
        daemon.load(word, SYNTH.format(word=word))
    daemon.ok("vcl.label there one")
    daemon.load("top", SWITCH.format(label="there"))
    daemon.use("top")
    assert daemon.get()[1] == "one"
    daemon.ok("vcl.label there two")
    assert daemon.get()[1] == "two"


def test_a_label_can_be_active(daemon: Daemon) -> None:
    for word in "one", "two":
        daemon.load(word, SYNTH.format(word=word))
    daemon.ok("vcl.label live one")
    assert daemon.ok("vcl.use live") == "VCL 'live' now active"
    assert daemon.get()[1] == "one"
    daemon.ok("vcl.label live two")
    assert daemon.get()[1] == "two"
    assert daemon.cli("vcl.discard live") == (300, "Cannot discard active VCL program live\nMake another one active first: vcl.use NAME\n")


def test_a_request_can_switch_once_and_not_after_a_restart(daemon: Daemon) -> None:
    daemon.load("echo", ECHO)
    daemon.ok("vcl.label last echo")
    daemon.load("middle", SWITCH.format(label="last"))
    daemon.ok("vcl.label next middle")
    daemon.load("top", SWITCH.format(label="next"))
    daemon.use("top")
    assert daemon.get()[0] == 503                              # a second switch is an error
    daemon.load("restarts", "vcl 4.1; backend default none; sub vcl_recv { if (req.restarts > 0) { return (vcl(last)); }"
                            " return (synth(700)); } sub vcl_synth { if (resp.status == 700) { return (restart); } }")
    daemon.use("restarts")
    assert daemon.get()[0] == 503


def test_labelled_policies_and_used_labels_are_not_discarded(daemon: Daemon) -> None:
    daemon.load("echo", ECHO)
    daemon.ok("vcl.label there echo")
    daemon.load("top", SWITCH.format(label="there"))
    assert deps(daemon) == {"boot": [], "echo": [], "there": ["echo"], "top": ["there"]}
    assert daemon.cli("vcl.discard echo") == (300, "Cannot discard labeled VCL program echo:\n\tthere\n")
    assert daemon.cli("vcl.discard there") == (300, "Cannot discard VCL label there, other VCLs depend on it:\n\ttop\n")
    assert daemon.cli("vcl.discard echo there")[0] == 300
    assert daemon.cli("vcl.discard boot t*") == (300, "Cannot discard active VCL program boot\nMake another one active first: vcl.use NAME\n")
    assert deps(daemon).keys() == {"boot", "echo", "there", "top"}
    daemon.ok("vcl.discard echo t*")                            # all at once, in any order
    assert deps(daemon) == {"boot": []}


@pytest.mark.parametrize(("line", "status", "text"), [
    ("vcl.label echo boot", 106, "echo is not a label"),
    ("vcl.label other there", 300, "VCL labels cannot point to labels"),
    ("vcl.label other nowhere", 106, "No VCL named nowhere known\nvcl.list shows the loaded policies.\n"),
    ("vcl.label 9 echo", 106, "Illegal character in VCL name ('9')"),
    ("vcl.label there top", 106, "Vcl top uses Label there\nPointing label there at top would create a loop"),
    ("vcl.label other resting", 300, "VCL 'resting' is cold - set to auto or warm first"),
    ("vcl.state there cold", 106, "Labels are always warm"),
    ("vcl.state echo cold", 300, "A labeled VCL cannot be set cold"),
    ("vcl.inline there \"vcl 4.1; backend b none;\"", 106, "Already a VCL named there\nChoose another name, or discard that one first."),
])
def test_invalid_commands_on_labels_are_refused(daemon: Daemon, line: str, status: int, text: str) -> None:
    daemon.load("echo", ECHO)
    daemon.ok("vcl.label there echo")
    daemon.load("top", SWITCH.format(label="there"))
    daemon.ok('vcl.inline resting "vcl 4.1; backend b none;" cold')
    assert daemon.cli(line) == (status, text)


def test_a_policy_that_switches_to_an_unknown_label_is_not_loaded(daemon: Daemon) -> None:
    status, text = daemon.cli(f"vcl.inline top << X\n{SWITCH.format(label='nowhere')}\nX")
    assert status == 106 and "there is no label nowhere" in text
    assert deps(daemon) == {"boot": []}


def test_lists_show_labels_and_their_policies(daemon: Daemon) -> None:
    daemon.load("echo", ECHO)
    daemon.ok("vcl.label there echo")
    daemon.load("top", SWITCH.format(label="there"))
    # without policies of the tests before, which the worker unloads later
    wait_equal(lambda: daemon.ok("vcl.list"), "active      auto     warm         0    boot\n"
                                              "available   auto     warm         0    echo     <-    (1 label)\n"
                                              "available   label    warm         0    there    ->    echo (1 return(vcl))\n"
                                              "available   auto     warm         0    top\n")
    there, echo = ({r["name"]: r for r in rows(daemon)}[name] for name in ("there", "echo"))
    assert there["state"] == "label" and there["label"] == {"name": "echo", "refs": 1} and echo["labels"] == 1
    assert daemon.ok("vcl.show there") == daemon.ok("vcl.show echo")


def test_labels_survive_a_restart_of_the_worker(daemon: Daemon) -> None:
    daemon.load("echo", ECHO)
    daemon.ok("vcl.label there echo")
    daemon.load("top", SWITCH.format(label="there"))
    daemon.use("top")
    before = daemon.worker_pid
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: daemon.worker_pid not in (0, before) and daemon.state == "running", "a new worker runs")
    assert daemon.get("/again") == (200, "x= /again")


def test_requests_keep_their_labelled_policy_alive(daemon: Daemon) -> None:
    """A request that waits in the labelled policy keeps that policy alive after its label and the policy were
    discarded."""
    with socket.create_server(("127.0.0.1", 0)) as origin:
        port = origin.getsockname()[1]
        daemon.load("slow", f'vcl 4.1; backend b {{ .host = "127.0.0.1"; .port = "{port}"; }} sub vcl_recv {{ return (pass); }}'
                            ' sub vcl_deliver { set resp.http.From = "slow"; }')
        daemon.ok("vcl.label there slow")
        daemon.load("top", SWITCH.format(label="there"))
        daemon.use("top")
        with socket.create_connection(("127.0.0.1", daemon.port_cached), timeout=10) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            connection, _ = origin.accept()
            with connection:
                daemon.use("boot")
                daemon.ok("vcl.discard slow there top")
                assert [(r["name"], r["temperature"]) for r in rows(daemon) if r["status"] == "discarded"] == [("slow", "busy")]
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                answer = client.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 200") and b"From: slow" in answer and answer.endswith(b"ok")
    wait_until(lambda: all(r["status"] != "discarded" for r in rows(daemon)), "the policy is discarded when its request ends")


def test_an_unused_policy_becomes_cold_and_a_labelled_one_does_not(tmp_path: Path) -> None:
    with Daemon(tmp_path, SYNTH.format(word="boot"), ["-p", "vcl_cooldown=1"]) as daemon:
        daemon.load("idle", ECHO)
        daemon.load("echo", ECHO)
        daemon.ok("vcl.label there echo")

        def temperatures() -> dict[object, object]:
            return {r["name"]: r["temperature"] for r in rows(daemon)}

        wait_until(lambda: temperatures()["idle"] == "cold", "the unused policy becomes cold")
        assert temperatures() == {"boot": "warm", "idle": "cold", "echo": "warm", "there": "warm"}
        daemon.ok("vcl.label other idle")                       # a label warms its policy
        assert temperatures()["idle"] == "warm"


def test_max_vcl_limits_policies(tmp_path: Path) -> None:
    with Daemon(tmp_path, args=["-p", "max_vcl=1"]) as daemon:
        hint = "(See max_vcl and max_vcl_handling parameters)"
        one, two, three = (f'vcl.inline {name} "vcl 4.1; backend b none;"' for name in ("one", "two", "three"))
        assert daemon.ok(one) == "VCL compiled.\n"
        daemon.ok("vcl.label label one")                        # labels do not count
        assert daemon.ok(two) == f"2 VCLs loaded\nRemember to vcl.discard the old/unused VCLs.\n{hint}\nVCL compiled.\n"
        daemon.ok("param.set max_vcl_handling 2")
        assert daemon.cli(three) == (300, f"Too many (2) VCLs already loaded\n{hint}")
        daemon.ok("param.set max_vcl_handling 0")
        assert daemon.ok(three) == "VCL compiled.\n"
