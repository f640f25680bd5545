"""The daemon's command line over its sockets: framing, authentication, commands, bad clients, several clients
at once."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proxy.daemon import START_S, SYNTH, VERNISD, Cli, Daemon, wait_until

Start = Callable[..., Daemon]


def synth(word: str) -> str:
    return SYNTH.format(word=word)


# ---- protocol ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "status", "text"), [
    ("nonsense", 101, "Unknown request.\nType 'help' for more info.\n"),
    ("Status", 101, "Unknown request.\nType 'help' for more info.\nall commands are in lower-case.\n"),
    ("bna", 101, "Unknown request.\nType 'help' for more info.\nDid you mean ban?\n"),
    ("vcl_list", 101, "Unknown request.\nType 'help' for more info.\nDid you mean vcl.list?\n"),
    ('""', 100, "Empty CLI command.\n"),
    ("-", 100, "Empty CLI command.\n"),
    ('ping "a\\q"', 100, "Unknown request.\nType 'help' for more info.\nSyntax Error: Invalid backslash sequence\n"),
    ('ping "a', 100, "Unknown request.\nType 'help' for more info.\nSyntax Error: Missing '\"'\n"),
    ("vcl.use", 104, "Too few parameters\nUsage: vcl.use <configname|label>\n"),
    ("ping a b", 105, "Too many parameters\nUsage: ping [-j] [<timestamp>]\n"),
    ("quit -j", 102, "JSON unimplemented\n"),
    ("vcl.use none", 106, "No VCL named none known\nvcl.list shows the loaded policies.\n"),
    ("vcl.discard x*", 106, "No VCL name matches x*\nvcl.list shows the loaded policies.\n"),
    ("vcl.inline 9a x", 106, "Illegal character in VCL name ('9')"),
    ("vcl.state none warm", 106, "No VCL named none known\nvcl.list shows the loaded policies.\n"),
    ("param.set default_ttl 12x", 106,
     "Unknown unit of duration: use ms, s, m, h, d, w or y\n\n(attempting to set param 'default_ttl' to '12x')\nparam.show default_ttl explains it."),
    ("param.set thread_pools 0", 106, "Must be at least 1\n\n(attempting to set param 'thread_pools' to '0')\nparam.show thread_pools explains it."),
    ("param.set none 1", 106, 'Unknown parameter "none".\nparam.show lists all parameters.'),
    ("param.set defualt_ttl 1", 106, 'Unknown parameter "defualt_ttl".\nDid you mean default_ttl?'),
    ("param.show defualt_ttl", 106, 'Unknown parameter "defualt_ttl".\nDid you mean default_ttl?'),
    ("param.set accept_filter on", 300, 'parameter "accept_filter" is not available on this platform.'),
    ("backend.list", 101, "Unknown request in manager process (child not running).\nType 'help' for more info."),
    ("start", 300, "No VCL loaded"),
    ("stop", 300, "Child in state stopped"),
    ("status", 200, "Child in state stopped"),
    ("panic.show", 300, "Child has not panicked or panic has been cleared"),
    ("panic.clear", 300, "No panic to clear"),
    ("storage.list", 200, "Storage devices:\n\tstorage.s0 = malloc\n\tstorage.Transient = malloc\n"),
    ("help ping", 200, "ping [-j] [<timestamp>]\nCheck that the manager answers.\n"),
])
def test_commands_give_their_answers(daemon: Daemon, line: str, status: int, text: str) -> None:
    assert daemon.cli(line) == (status, text)


def test_a_misspelt_policy_gets_a_suggestion(start_daemon: Start) -> None:
    d = start_daemon(synth("a"))
    assert d.cli("vcl.use bott") == (106, "No VCL named bott known\nDid you mean boot?\n")
    assert d.cli("vcl.use nothing") == (106, "No VCL named nothing known\nvcl.list shows the loaded policies.\n")
    assert d.cli("vcl.label l boto") == (106, "No VCL named boto known\nDid you mean boot?\n")
    assert d.cli("vcl.state boto warm") == (106, "No VCL named boto known\nDid you mean boot?\n")
    assert d.cli("vcl.discard boott") == (106, "No VCL name matches boott\nDid you mean boot?\n")
    assert d.cli("vcl.show booth") == (106, "No VCL named 'booth'\nDid you mean boot?")
    assert d.cli("vernis.rules bot") == (106, "No VCL named 'bot'\nDid you mean boot?")


def test_blank_input_before_a_command_is_ignored(daemon: Daemon) -> None:
    daemon.cli("ping")
    assert daemon.cli("\n\r\n  \tping")[0] == 200


def test_a_carriage_return_ends_a_line(daemon: Daemon) -> None:
    with daemon.connect() as c:
        c.send(b"ping\rstatus\r")
        assert [c.read()[0], c.read()] == [200, (200, "Child in state stopped")]


def test_a_long_answer_on_tcp_is_cut_at_cli_limit(start_daemon: Start) -> None:
    d = start_daemon(args=["-S", "none", "-p", "cli_limit=128b"], cli_listen="127.0.0.1:0")
    with Cli.tcp(cli_port(d)) as c:
        assert c.read()[0] == 201
        status, text = c.ask("help")
        assert (status, len(text)) == (201, 128)
    assert len(d.ok("help")) > 128          # the Unix socket has its own limit


@pytest.mark.parametrize("line", ["ping -j", "help -j", "pid -j", "status -j", "param.show -j", "vcl.list -j", "storage.list -j",
                                  "vernis.status -j", "param.set -j default_ttl 10", "param.show -j changed"])
def test_json_answers_parse_and_repeat_the_request(daemon: Daemon, line: str) -> None:
    answer = json.loads(daemon.ok(line))
    assert answer[0] == 2 and answer[1] == line.split() and isinstance(answer[2], float)


def test_quit_answers_and_closes(daemon: Daemon) -> None:
    with daemon.connect() as c:
        assert c.ask("quit") == (500, "Closing CLI connection")
        with pytest.raises(EOFError):
            c.read()


# ---- authentication ----------------------------------------------------------------------------------------


def cli_port(d: Daemon) -> int:
    """The -T port: a listening socket of the manager process that is not a client port."""
    listening = {line.split()[9]: int(line.split()[1].split(":")[1], 16)
                 for line in Path(f"/proc/{d.process.pid}/net/tcp").read_text().splitlines()[1:] if line.split()[3] == "0A"}
    own = set()
    for path in Path(f"/proc/{d.process.pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):        # of a connection that has just ended
            name = path.readlink().name
            own.add(int(name[8:-1]) if name.startswith("socket:") else -1)
    ports = [port for inode, port in listening.items() if int(inode) in own and port != d.port]
    assert len(ports) == 1, ports
    return ports[0]


def response(challenge: str, secret: bytes) -> str:
    text = challenge.encode() + b"\n" + secret + challenge.encode() + b"\n"
    return hashlib.sha256(text).hexdigest()


@pytest.mark.parametrize("change", [str.lower, str.upper])
def test_the_right_answer_to_the_challenge_authenticates(start_daemon: Start, change: Callable[[str], str]) -> None:
    d = start_daemon(cli_listen="127.0.0.1:0")
    with Cli.tcp(cli_port(d)) as c:
        status, text = c.read()
        assert status == 107 and len(text.split("\n")[0]) == 32 and text.endswith("\n\nAuthentication required.\n")
        assert c.ask("auth " + change(response(text[:32], (d.workdir / "_.secret").read_bytes())) + "\n")[0] == 200
        assert c.ask("status") == (200, "Child in state stopped")


def test_a_thousand_wrong_answers_are_closed_without_harm(start_daemon: Start) -> None:
    d = start_daemon(cli_listen="127.0.0.1:0")
    port = cli_port(d)
    for _ in range(1000):
        with Cli.tcp(port) as c:
            challenge = c.read()[1][:32]
            assert c.ask("auth " + response(challenge, b"guess"))[0] == 500
            with pytest.raises(EOFError):
                c.read()
    assert d.ok("status") == "Child in state stopped"


@pytest.mark.parametrize(("line", "status"), [("status", 101), ("vcl.inline a << X", 101), ("x" * 81, 500)])
def test_before_authentication_few_commands_work(start_daemon: Start, line: str, status: int) -> None:
    d = start_daemon(cli_listen="127.0.0.1:0")
    with Cli.tcp(cli_port(d)) as c:
        c.read()
        assert c.ask("ping")[0] == 200
        assert c.ask(line)[0] == status
        with pytest.raises((EOFError, ConnectionResetError)):
            c.read()


def test_the_daemon_connects_to_the_address_of_dash_m(start_daemon: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as home:
        home.settimeout(START_S)
        d = start_daemon(args=["-M", f"127.0.0.1 {home.getsockname()[1]}"])
        for _ in range(2):                      # it connects again when the connection ends
            with Cli(home.accept()[0]) as c:
                challenge = c.read()[1][:32]
                assert c.ask("auth " + response(challenge, (d.workdir / "_.secret").read_bytes()))[0] == 200
                assert c.ask("ping")[0] == 200


# ---- clients that behave badly -----------------------------------------------------------------------------


def test_a_request_beyond_the_limit_closes_only_its_connection(daemon: Daemon) -> None:
    with daemon.connect() as c:
        with pytest.raises((BrokenPipeError, ConnectionResetError, EOFError)):
            for _ in range(160):
                c.send(b"x" * 65536)
            assert c.read()[0] == 500
            c.read()
    assert daemon.ok("status") == "Child in state stopped"


def test_garbage_half_lines_and_sudden_ends_change_nothing(daemon: Daemon) -> None:
    before = daemon.ok("vcl.list")
    for data in (b"\x00\xff\xfe\n", b"vcl.inline a << END\nvcl 4.1;", b'"', b"vcl.load", b"\n" * 5000, bytes(range(256)) * 64):
        with daemon.connect() as c:
            c.send(data)
    assert daemon.ok("vcl.list") == before
    assert daemon.ok("ping").startswith("PONG")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.lists(st.one_of(st.binary(max_size=40), st.sampled_from(
    [b"ping", b"vcl.list", b" << ", b"END", b"\n", b'"', b"\\", b"-j", b"param.show", b"-", b"help", b"vcl.inline a"])), max_size=30))
def test_arbitrary_bytes_get_only_well_formed_answers(daemon: Daemon, data: list[bytes]) -> None:
    with daemon.connect() as c:
        c.send(b" ".join(data) + b"\nquit\n")
        c.sock.shutdown(socket.SHUT_WR)
        with pytest.raises(EOFError):
            while True:
                assert 100 <= c.read()[0] <= 500
    assert daemon.ok("ping").startswith("PONG")


def test_a_here_document_without_end_is_refused(daemon: Daemon) -> None:
    with daemon.connect() as c:
        c.send(b"vcl.inline a << END\nvcl 4.1;\n")
        c.sock.shutdown(socket.SHUT_WR)
        assert c.read() == (100, "Syntax Error: The here document has no end: add a line END\n")
        with pytest.raises(EOFError):
            c.read()


def test_a_flood_before_authentication_delays_no_other_client(start_daemon: Start) -> None:
    d = start_daemon(cli_listen="127.0.0.1:0")
    with Cli.tcp(cli_port(d), timeout=0.2) as flood:
        with pytest.raises(TimeoutError):       # the daemon stops reading while its answers are not read
            while True:
                flood.send(b"ping\n" * 10000)
        flood.sock.settimeout(START_S)
        for _ in range(200):
            flood.sock.recv(16384)
            assert d.ok("ping").startswith("PONG")


def test_all_of_many_requests_at_once_are_answered(daemon: Daemon) -> None:
    with daemon.connect() as c:
        threading.Thread(target=lambda: (c.send(b"status\n" * 20000), c.sock.shutdown(socket.SHUT_WR))).start()
        assert [c.read()[0] for _ in range(20000)] == [200] * 20000
        with pytest.raises(EOFError):
            c.read()


def test_a_client_that_leaves_during_its_own_load_does_not_undo_it(daemon: Daemon) -> None:
    with daemon.connect() as c:
        c.send(b"vcl.inline gone << END\n" + synth("x").encode() + b"\nEND\n")
    wait_until(lambda: "gone" in daemon.ok("vcl.list"), "the policy is listed")


def is_closed(cli: Cli) -> bool:
    try:
        return cli.sock.recv(1 << 16) == b""
    except ConnectionResetError:
        return True


def authenticated(d: Daemon, port: int) -> Cli:
    c = Cli.tcp(port)
    challenge = c.read()[1][:32]
    assert c.ask("auth " + response(challenge, (d.workdir / "_.secret").read_bytes()))[0] == 200
    return c


@pytest.mark.parametrize("sent", [b"", b"auth 12", b"\n\n"])
def test_silent_clients_without_the_secret_lock_out_nobody(start_daemon: Start, sent: bytes) -> None:
    d = start_daemon(cli_listen="127.0.0.1:0")
    port = cli_port(d)
    with authenticated(d, port) as operator:
        silent = [Cli.tcp(port) for _ in range(63 + 20)]
        for one in silent:
            with contextlib.suppress(OSError):      # the oldest are closed
                one.send(sent)
        assert operator.ask("ping")[0] == 200
        with authenticated(d, port) as another:
            assert another.ask("ping")[0] == operator.ask("ping")[0] == 200
        assert "the one that was silent for longest is closed" in d.heard
        assert silent[0].read()[0] == 107 and is_closed(silent[0])


@pytest.mark.parametrize("sent", [b"", b"ping", b"vcl.inline a << END\nvcl 4.1;\n", b"quit \"open"])
def test_silent_clients_with_rights_are_closed_before_others(daemon: Daemon, sent: bytes) -> None:
    """Without an end of its line or here document, too."""
    with daemon.connect() as oldest:
        silent = [daemon.connect() for _ in range(50)]
        for one in silent:
            one.send(sent)
        for _ in range(2):      # the second one comes in a later round of the manager than all that was sent
            assert oldest.ask("ping")[0] == 200
        silent += [daemon.connect() for _ in range(20)]
        with daemon.connect() as new:
            assert new.ask("ping")[0] == oldest.ask("ping")[0] == 200
        assert is_closed(silent[0])


def test_a_client_that_waits_for_its_answer_is_not_closed(daemon: Daemon) -> None:
    daemon.load("small", synth("x"))
    compiler = daemon.compiler_pid
    with daemon.connect() as busy:
        os.kill(compiler, signal.SIGSTOP)
        try:
            busy.send(f"vcl.inline big << END\n{synth('y')}\nEND\n".encode())
            others = [daemon.connect() for _ in range(70)]
            assert others[-1].ask("ping")[0] == 200
        finally:
            os.kill(compiler, signal.SIGCONT)
        assert busy.read()[0] == 200


# ---- several at once ---------------------------------------------------------------------------------------


def test_other_clients_are_answered_during_a_compile(daemon: Daemon) -> None:
    with daemon.connect() as busy, daemon.connect() as other:
        daemon.load("small", synth("x"))
        os.kill(daemon.compiler_pid, signal.SIGSTOP)
        try:
            busy.send(f"vcl.inline big << END\n{synth('y')}\nEND\nstatus\n".encode())
            assert other.ask("status") == (200, "Child in state stopped")
            busy.sock.setblocking(False)
            with pytest.raises(BlockingIOError):    # the compile still runs
                busy.sock.recv(1)
        finally:
            os.kill(daemon.compiler_pid, signal.SIGCONT)
        busy.sock.settimeout(START_S)
        assert busy.read()[0] == 200
        assert busy.read() == (200, "Child in state stopped")       # answers keep the order of the requests


def test_many_clients_load_and_discard_at_the_same_time(daemon: Daemon) -> None:
    daemon.serve("first", synth("first"))
    failures: list[object] = []

    def work(n: int) -> None:
        with daemon.connect() as c:
            for i in range(3):
                for line in (f"vcl.inline p{n}-{i} << END\n{synth(f'p{n}')}\nEND", f"vcl.use p{n}-{i}", "vcl.list", "vcl.use first",
                             f"vcl.discard p{n}-{i}"):
                    status, text = c.ask(line)
                    # another client may have made it active
                    if status != 200 and not line.startswith("vcl.discard"):
                        failures.append((line, status, text))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert failures == []
    daemon.use("first")
    assert daemon.get() == (200, "first")
    assert daemon.status["worker_deaths"] == 0


# ---- policies ----------------------------------------------------------------------------------------------


def rows(d: Daemon) -> list[tuple[str, str]]:
    return [(r["status"], r["name"]) for r in json.loads(d.ok("vcl.list -j"))[3:]]


def test_a_policy_is_loaded_used_and_discarded(daemon: Daemon) -> None:
    daemon.serve("a", synth("from-a"))
    daemon.load("b", synth("from-b"))
    assert rows(daemon) == [("active", "a"), ("available", "b")]
    assert daemon.get() == (200, "from-a")
    daemon.use("b")
    assert daemon.get() == (200, "from-b")
    assert daemon.cli("vcl.discard b") == (300, "Cannot discard active VCL program b\nMake another one active first: vcl.use NAME\n")
    # all policies or none
    assert daemon.cli("vcl.discard *") == (300, "Cannot discard active VCL program b\nMake another one active first: vcl.use NAME\n")
    assert rows(daemon) == [("available", "a"), ("active", "b")]
    daemon.ok("vcl.discard a*")
    wait_until(lambda: rows(daemon) == [("active", "b")], "policy a is discarded")


def test_a_name_can_be_used_once(daemon: Daemon) -> None:
    daemon.load("a", synth("x"))
    assert daemon.cli(f"vcl.inline a << E\n{synth('y')}\nE") == (106, "Already a VCL named a\nChoose another name, or discard that one first.")


def test_a_policy_with_an_unknown_storage_is_not_loaded(daemon: Daemon) -> None:
    daemon.serve("a", synth("good"))
    status, text = daemon.cli('vcl.inline b "vcl 4.1; backend default none; sub vcl_recv { set req.storage = storage.other; }"')
    assert (status, "there is no storage.other: the daemon was not started with -s other=..." in text) == (300, True)
    status, text = daemon.cli('vcl.inline b "vcl 4.1; backend default none; sub vcl_recv { set req.storage = storage.Transeint; }"')
    assert (status, "Did you mean storage.Transient?" in text) == (300, True), text
    assert rows(daemon) == [("active", "a")] and daemon.get() == (200, "good")


def test_a_policy_with_errors_changes_nothing(daemon: Daemon) -> None:
    daemon.serve("a", synth("good"))
    status, text = daemon.cli("vcl.inline b << END\nvcl 4.1; backend default none; sub vcl_recv { set req.nonsense = 1; }\nEND")
    assert status == 106
    assert text.startswith("Message from Vernis compiler:\n") and text.endswith("VCL compilation failed")
    assert "req.nonsense" in text
    assert rows(daemon) == [("active", "a")] and daemon.get() == (200, "good")


def test_a_cold_policy_cannot_be_used(daemon: Daemon) -> None:
    daemon.load("a", synth("x"))
    daemon.ok("vcl.state a cold")
    assert daemon.cli("vcl.use a") == (300, "VCL 'a' is cold - set to auto or warm first")
    daemon.ok("vcl.state a auto")
    daemon.use("a")
    assert daemon.cli("vcl.state a cold") == (300, "Cannot set the active VCL cold.")
    assert daemon.cli("vcl.state a hot") == (106, "State must be one of auto, cold or warm.")


def temperatures(d: Daemon) -> dict[str, str]:
    return {r["name"]: r["temperature"] for r in json.loads(d.ok("vcl.list -j"))[3:]}


def test_an_unused_policy_cools_down_and_use_warms_it(start_daemon: Start) -> None:
    d = start_daemon(synth("boot"), ["-p", "vcl_cooldown=1"])
    d.load("auto", synth("auto"))
    d.ok(f"vcl.inline warm << END\n{synth('warm')}\nEND")
    d.ok("vcl.state warm warm")
    wait_until(lambda: temperatures(d) == {"boot": "warm", "auto": "cold", "warm": "warm"}, "the unused policy is cold")
    d.use("auto")
    assert d.get() == (200, "auto") and temperatures(d)["auto"] == "warm"


def test_vcl_show_returns_the_text(daemon: Daemon) -> None:
    daemon.serve("a", synth("x"))
    assert synth("x") in daemon.ok("vcl.show a")
    verbose = daemon.ok("vcl.show -v")
    assert verbose.startswith("// VCL.SHOW 0 ") and "<builtin>\n" in verbose


def test_reload_replaces_and_rolls_back(daemon: Daemon, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.vcl", tmp_path / "bad.vcl"
    good.write_text(synth("new"))
    bad.write_text("vcl 4.1; backend default none; sub vcl_recv { return (nonsense); }")
    daemon.serve("site", synth("old"))
    status, text = daemon.cli(f"vernis.reload site {bad}")
    assert status == 106 and "Policy site stays active." in text
    assert rows(daemon) == [("active", "site")] and daemon.get() == (200, "old")
    report = daemon.ok(f"vernis.reload site {good}")
    assert "active     site-2" in report and "discarded  site\n" in report
    assert daemon.get() == (200, "new")
    wait_until(lambda: rows(daemon) == [("active", "site-2")], "the old policy is discarded")


def test_an_image_is_loaded_from_a_path_and_its_code_replaced(daemon: Daemon, tmp_path: Path) -> None:
    daemon.serve("a", synth("one"))
    image = next((daemon.workdir / "images").glob("a.*.so"))
    copy = tmp_path / "copy.so"
    copy.write_bytes(image.read_bytes())
    daemon.ok(f"vernis.load_image b {copy}")
    daemon.use("b")
    daemon.ok(f"vernis.replace_image b {copy}")
    assert daemon.get() == (200, "one")
    assert daemon.cli(f"vernis.load_image c {tmp_path}/none.so")[0] == 106
    junk = tmp_path / "junk.so"
    junk.write_bytes(b"\x7fELF nonsense")
    status, text = daemon.cli(f"vernis.load_image c {junk}")
    assert status == 300 and "c" in text        # the file was found, but is not a policy
    assert ("available", "c") not in rows(daemon)


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="needs a second file system")
def test_an_image_of_another_file_system_is_loaded(daemon: Daemon) -> None:
    daemon.serve("a", synth("one"))
    image = next((daemon.workdir / "images").glob("a.*.so"))
    with tempfile.NamedTemporaryFile(dir="/dev/shm", suffix=".so") as copy:
        if os.stat(copy.name).st_dev == daemon.workdir.stat().st_dev:
            pytest.skip("the work directory is there, too")
        copy.write(image.read_bytes())
        copy.flush()
        os.chmod(copy.name, 0o644)
        daemon.ok(f"vernis.load_image b {copy.name}")


# ---- backends and parameters -------------------------------------------------------------------------------


def test_backends_by_name_and_glob(daemon: Daemon) -> None:
    daemon.serve("a", 'vcl 4.1; backend one { .host = "127.0.0.1"; } backend two { .host = "127.0.0.1"; .port = "81"; }\n'
                      "sub vcl_recv { set req.backend_hint = two; }")
    listed = json.loads(daemon.ok("backend.list -j"))
    assert listed[0] == 3 and set(listed[3]) == {"a.one", "a.two"}
    daemon.ok("backend.set_health t* sick")
    listed = json.loads(daemon.ok("backend.list -j"))[3]
    assert listed["a.two"]["admin_health"] == "sick" and listed["a.one"]["admin_health"] == "healthy"
    assert [line.split()[0] for line in daemon.ok("backend.list a.o*").splitlines()] == ["Backend", "a.one"]
    assert daemon.cli("backend.set_health x* sick") == (106, "No Backends matches")
    assert daemon.cli("backend.set_health tow sick") == (106, "No Backends matches\nDid you mean two?")
    assert daemon.cli("backend.set_health one ill") == (106, "Invalid state ill")


def test_health_set_by_hand_outlives_the_worker(daemon: Daemon) -> None:
    daemon.serve("a", 'vcl 4.1; backend one { .host = "127.0.0.1"; } backend two { .host = "127.0.0.1"; .port = "81"; }\n'
                      "sub vcl_recv { set req.backend_hint = two; }")
    daemon.ok("backend.set_health * sick")
    daemon.ok("backend.set_health one healthy")
    daemon.ok("stop")
    wait_until(lambda: daemon.state == "stopped", "the worker has stopped")
    daemon.ok("start")
    listed = json.loads(daemon.ok("backend.list -j"))[3]
    assert (listed["a.one"]["admin_health"], listed["a.two"]["admin_health"]) == ("healthy", "sick")


@pytest.mark.parametrize(("name", "given", "shown"), [
    ("default_ttl", "1h", "3600.000"), ("default_ttl", "1.5m", "90.000"), ("default_ttl", "250ms", "0.250"),
    ("http_req_size", "48k", "48k"), ("http_req_size", "768b", "0.75k"), ("vsl_space", "256M", "0.25G"), ("http_req_size", "1000", "1000b"),
    ("auto_restart", "no", "off"), ("auto_restart", "Enable", "on"), ("max_restarts", "7", "7"), ("pool_req", "1,2,3", "1,2,3"),
    ("debug", "+vtc_mode,+syncvsl", "+syncvsl,+vtc_mode"), ("feature", "-validate_headers", "+https_scheme"), ("vcl_path", "/a:/b", "/a:/b"),
])
def test_parameters_accept_and_show_values(daemon: Daemon, name: str, given: str, shown: str) -> None:
    daemon.ok(f"param.set {name} {given}")
    value = daemon.ok(f"param.show {name}").splitlines()[1]
    assert value.split(": ")[1].split(" ")[0] == shown
    daemon.ok(f"param.reset {name}")
    assert daemon.ok("param.show changed") == ""


def test_a_parameter_reaches_the_worker(daemon: Daemon) -> None:
    daemon.serve("a", 'vcl 4.1; backend default none; sub vcl_recv { return (restart); }\n'
                      'sub vcl_synth { set resp.reason = "restarts-" + req.restarts; return (deliver); }')
    assert daemon.get()[1] == "restarts-5"
    daemon.ok("param.set max_restarts 2")
    assert daemon.get()[1] == "restarts-3"
    daemon.ok("stop")
    daemon.ok("start")
    assert daemon.get()[1] == "restarts-3"          # also in a later worker


def test_a_protected_parameter_cannot_be_changed(start_daemon: Start) -> None:
    d = start_daemon(args=["-r", "default_ttl,max_restarts"])
    assert d.cli("param.set default_ttl 1") == (107, 'parameter "default_ttl" is protected.')
    assert d.cli("param.reset max_restarts") == (107, 'parameter "max_restarts" is protected.')


def test_all_parameters_of_varnish_are_known_and_have_a_description(daemon: Daemon) -> None:
    params = json.loads(daemon.ok("param.show -j"))[3:]
    assert len(params) >= 109
    assert all(p["description"] for p in params)
    without_effect = {p["name"] for p in params if "no_effect" in p["flags"]}
    assert "thread_pool_min" in without_effect and "default_ttl" not in without_effect
    assert "has no effect here" in daemon.ok("param.show thread_pool_min")


def test_policy_text_may_hold_any_bytes(daemon: Daemon) -> None:
    latin = b'vcl 4.1; # caf\xe9\nbackend default none; sub vcl_recv { return (synth(200, "\xe9\xff")); }'
    daemon.serve("latin", latin.decode("utf-8", "surrogateescape"))
    assert latin in daemon.ok("vcl.show latin").encode("utf-8", "surrogateescape")


# ---- names and files of policies, as Varnish takes them ----------------------------------------------------


@pytest.mark.parametrize("command", ["vcl.inline {} 'x'", "vcl.load {} /nonexistent", "vernis.reload {} /nonexistent", "vcl.label {} good"])
def test_invalid_names_of_policies_and_labels_are_refused(daemon: Daemon, command: str) -> None:
    daemon.load("good", synth("x"))
    for name, shown in (("a.b", "'.'"), ("1a", "'1'"), ("_a", "'_'"), ("-a", "'-'"), ("a/b", "'/'"), ("a:b", "':'"), ("a+b", "'+'"),
                        ('"a b"', "0x20"), ("ä", "0xc3"), ("a%b", "'%'")):
        status, text = daemon.cli(command.format(name))
        assert (status, text.splitlines()[0]) == (106, f"Illegal character in VCL name ({shown})")
    assert "Illegal character" not in daemon.cli(command.format("a-b_9"))[1]


def test_a_pipe_or_device_is_an_error_without_a_wait(daemon: Daemon, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, why in ((tmp_path / "pipe", "a pipe, a socket or a device, not a file"), ("/dev/zero", "a pipe, a socket or a device, not a file"),
                      (tmp_path, "Is a directory")):
        expected = f"Message from Vernis compiler:\ncannot read {path}: {why}\nVCL compilation failed"
        assert daemon.cli(f"vcl.load a {path}") == (106, expected)
        assert daemon.cli(f"vernis.reload a {path}")[1].startswith(expected)
    for options in (["-C", "-f", str(tmp_path / "pipe")], ["-n", str(tmp_path / "n"), "-F", "-f", "", "-a", "127.0.0.1:0", "-I", str(tmp_path / "pipe")]):
        done = subprocess.run([VERNISD, "-j", "none", *options], capture_output=True, text=True, timeout=20, check=False)
        assert done.returncode == 2 and "a pipe, a socket or a device, not a file" in done.stderr


def test_relative_files_are_searched_along_vcl_path_only(daemon: Daemon, tmp_path: Path) -> None:
    (tmp_path / "path").mkdir()
    for name in ("path/in.vcl", "above.vcl"):
        (tmp_path / name).write_text(synth("x"))
    (daemon.workdir / "here.vcl").write_text(synth("x"))
    daemon.ok(f"param.set vcl_path {tmp_path}/path")
    for number, name in enumerate(("in.vcl", "./in.vcl", "../above.vcl")):
        daemon.ok(f"vcl.load p{number} {name}")
    status, text = daemon.cli("vcl.load q here.vcl")
    assert status == 106 and f"cannot read here.vcl: no such file along vcl_path ({tmp_path}/path)" in text
    # -f is searched in the daemon's current directory
    for name, code in (("./above.vcl", 0), ("above.vcl", 2)):
        assert subprocess.run([VERNISD, "-C", "-j", "none", "-f", name], cwd=tmp_path, capture_output=True, timeout=20, check=False).returncode == code


def test_a_failing_vcl_init_answers_300(daemon: Daemon) -> None:
    daemon.serve("a", synth("good"))
    for init, why in (("return (fail);", "Failed from VCL"), ('return (fail("because"));', "because"),
                      ("if (false) { new x = directors.round_robin(); }", "Object x not initialized")):
        text = f"vcl 4.1; import directors; backend default none; sub vcl_init {{ {init} }}"
        if "new x" in init:
            text += " sub vcl_recv { set req.backend_hint = x.backend(); }"
        status, said = daemon.cli(f"vcl.inline b << END\n{text}\nEND")
        assert status == 300 and said.startswith(f'VCL "b" Failed initialization\nMessage:\n\t{why}\n'), said
    assert rows(daemon) == [("active", "a")] and daemon.get() == (200, "good")
