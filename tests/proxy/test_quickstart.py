"""The five-minute walk of the README: `vernis run`, a miss, a hit, a changed rule reloaded under load,
Ctrl-C."""

from __future__ import annotations

import http.client
import os
import re
import signal
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from vernis.commands.demo_certificate import demo_certificate

ROOT = Path(__file__).resolve().parents[2]
VERNIS = ROOT / "build" / "bin" / "vernis"

pytestmark = pytest.mark.skipif(not (ROOT / "build" / "bin" / "vernisd").exists(), reason="run make build first")

_SERVES = re.compile(r"^Vernis serves http://127\.0\.0\.1:(\d+)/ in front of the demo origin http://127\.0\.0\.1:(\d+)/", re.M)


@dataclass(slots=True)
class Answer:
    status: int
    fields: http.client.HTTPMessage
    body: bytes


class Walk:
    """`vernis run` in its own working directory."""

    def __init__(self, workdir: Path) -> None:
        self.workdir = workdir
        environment = {name: value for name, value in os.environ.items() if not name.startswith("VERNIS_")}
        self.process = subprocess.Popen([str(VERNIS), "run", "-n", str(workdir)], stdout=subprocess.PIPE, text=True,
                                        env=environment, start_new_session=True)
        self.introduction = self._read_introduction()
        match = _SERVES.search(self.introduction)
        assert match is not None, self.introduction
        self.port, self.origin_port = int(match[1]), int(match[2])

    def _read_introduction(self) -> str:
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith("Ctrl-C"):
                break
        return "".join(lines)

    def ask(self, path: str, method: str = "GET", fields: dict[str, str] | None = None) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, headers=fields or {})
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
        connection.close()
        return answer

    def vernis(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command, *rest = arguments
        return subprocess.run([str(VERNIS), command, "-n", str(self.workdir), *rest], capture_output=True, text=True,
                              timeout=60, check=False)

    def edit(self, old: str, new: str) -> None:
        policy = self.workdir / "policy.vcl"
        text = policy.read_text()
        assert old in text
        policy.write_text(text.replace(old, new))

    def close(self) -> int:
        """Sends SIGINT to the whole process group, as Ctrl-C in a terminal does."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return self.process.wait(30)


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Walk]:
    walk = Walk(tmp_path / "run")
    yield walk
    assert walk.close() == 0


def test_a_stored_page_is_a_miss_and_then_a_hit(walk: Walk) -> None:
    first, second, third = walk.ask("/hello"), walk.ask("/hello"), walk.ask("/hello")
    assert [answer.fields["X-Cache"] for answer in (first, second, third)] == ["miss", "hit 1", "hit 2"]
    assert first.body == third.body == b"Hello.\n"
    assert first.fields["X-Origin-Requests"] == third.fields["X-Origin-Requests"]


def test_the_order_of_query_arguments_and_cookies_do_not_matter(walk: Walk) -> None:
    walk.ask("/hello?a=1&b=2")
    assert walk.ask("/hello?b=2&a=1", fields={"Cookie": "session=1"}).fields["X-Cache"] == "hit 1"


def test_private_pages_are_fetched_each_time(walk: Walk) -> None:
    first, second = walk.ask("/private"), walk.ask("/private")
    assert second.fields["X-Cache"] == "miss"
    assert int(second.fields["X-Origin-Requests"]) == int(first.fields["X-Origin-Requests"]) + 1


def test_a_purged_page_is_a_miss_again(walk: Walk) -> None:
    walk.ask("/hello")
    assert walk.ask("/hello", method="PURGE").status == 200
    assert walk.ask("/hello").fields["X-Cache"] == "miss"


def test_a_static_file_is_stored_without_a_lifetime_from_the_origin(walk: Walk) -> None:
    walk.ask("/style.css")
    assert walk.ask("/style.css").fields["X-Cache"] == "hit 1"


def test_the_policy_moves_to_5_0_and_serves_the_same(walk: Walk) -> None:
    policy = walk.workdir / "policy.vcl"

    def fix(*options: str) -> int:
        return subprocess.run([str(VERNIS), "fix", "--migrate", *options, str(policy)], capture_output=True, timeout=60).returncode

    walk.ask("/hello")
    assert fix("--diff") == 1 and "vcl 4.1;" in policy.read_text()
    assert fix() == 0 and "vcl 5.0;" in policy.read_text()
    assert walk.vernis("reload", str(policy)).returncode == 0
    assert walk.ask("/hello?b=2&a=1", fields={"Cookie": "session=1"}).fields["X-Cache"] == "miss"
    assert walk.ask("/hello?a=1&b=2").fields["X-Cache"] == "hit 1"
    assert walk.ask("/hello").fields["X-Cache"] == "hit 1"          # stored before the reload


def test_a_rule_is_changed_under_load_and_no_request_fails(walk: Walk) -> None:
    stop = threading.Event()
    seen: list[tuple[int, str | None]] = []

    def load() -> None:
        while not stop.is_set():
            answer = walk.ask("/hello")
            seen.append((answer.status, answer.fields["X-Greeting"]))

    threads = [threading.Thread(target=load) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        walk.edit("sub vcl_deliver {", 'sub vcl_deliver {\n    set resp.http.X-Greeting = "hi";')
        done = walk.vernis("reload", str(walk.workdir / "policy.vcl"))
        after = walk.ask("/hello")
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert done.returncode == 0, done.stderr
    assert after.fields["X-Greeting"] == "hi"
    assert after.fields["X-Cache"].startswith("hit ")               # stored responses stay
    assert {status for status, _ in seen} == {200}


def test_an_invalid_rule_is_refused_and_the_old_policy_stays(walk: Walk) -> None:
    before = walk.vernis("list").stdout
    walk.edit("return (pass);", "return (pas);")
    done = walk.vernis("reload", str(walk.workdir / "policy.vcl"))
    assert done.returncode == 1
    assert "return (pas);" in done.stderr and "error[" in done.stderr
    assert walk.ask("/private").status == 200
    assert walk.vernis("list").stdout.count("\n") == before.count("\n")


def test_a_policy_is_loaded_from_stdin(walk: Walk) -> None:
    text = (walk.workdir / "policy.vcl").read_text().replace('"miss"', '"missed \\"it"')
    done = subprocess.run([str(VERNIS), "load", "-n", str(walk.workdir), "from_stdin", "-"], input=text, capture_output=True,
                          text=True, timeout=60, check=False)
    assert done.returncode == 1 and "error[" in done.stderr        # VCL does not have this escape
    text = text.replace('\\"it', "it")
    done = subprocess.run([str(VERNIS), "load", "-n", str(walk.workdir), "from_stdin", "-"], input=text, capture_output=True,
                          text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert walk.vernis("use", "from_stdin").returncode == 0
    assert walk.ask("/hello").fields["X-Cache"] == "missed it"


def test_it_serves_https_with_a_certificate_of_its_own(tmp_path: Path) -> None:
    seen = []
    for _ in range(2):
        walk = Walk(tmp_path / "run")
        found = re.search(r"curl -i --cacert (\S+) https://127\.0\.0\.1:(\d+)/hello", walk.introduction)
        assert found is not None, walk.introduction
        client = http.client.HTTPSConnection("127.0.0.1", int(found[2]), timeout=20, context=ssl.create_default_context(cafile=found[1]))
        client.request("GET", "/hello")
        assert client.getresponse().read() == b"Hello.\n"
        client.close()
        seen.append(Path(found[1]).read_text())
        assert walk.close() == 0
    assert seen[0] == seen[1]
    assert (tmp_path / "run" / "localhost.key").stat().st_mode & 0o077 == 0


def test_a_policy_may_lie_anywhere(walk: Walk, tmp_path: Path) -> None:
    (tmp_path / "part.vcl").write_text(re.sub("vcl 4.1;", "", (walk.workdir / "policy.vcl").read_text()).replace('"miss"', '"first"'))
    (tmp_path / "whole.vcl").write_text(f'vcl 4.1; include "{tmp_path}/part.vcl";')
    assert walk.vernis("reload", str(tmp_path / "whole.vcl")).returncode == 0
    assert walk.ask("/hello").fields["X-Cache"] == "first"


def test_without_openssl_it_serves_http(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert demo_certificate(tmp_path) is None


def test_edits_survive_a_restart_and_the_port_is_updated(tmp_path: Path) -> None:
    first = Walk(tmp_path / "run")
    first.edit('"hit "', '"found "')
    assert first.close() == 0
    second = Walk(tmp_path / "run")
    second.ask("/hello")
    assert second.ask("/hello").fields["X-Cache"] == "found 1"
    assert second.origin_port != first.origin_port
    assert second.close() == 0


def test_commands_of_the_introduction_work(walk: Walk) -> None:
    commands = [line.split()[1:] for line in walk.introduction.splitlines() if "bin/vernis " in line]
    assert [words[0] for words in commands] == ["status", "reload"]
    for words in commands:
        done = subprocess.run([str(VERNIS), *words], capture_output=True, text=True, timeout=60, cwd=os.getcwd())
        assert done.returncode == 0, done.stderr
