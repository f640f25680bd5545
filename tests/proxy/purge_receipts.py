"""Answers that come after the receipt of a purge or ban: is one of them older?

    build/venv/bin/python tests/proxy/purge_receipts.py [ANSWERS] [LOOPS]

Readers on all loops ask for a few keys all the time, so that each loop keeps them near. Others purge a key in each
way, and ask for it on several loops once they have the receipt. The origin numbers its responses.
"""

from __future__ import annotations

import itertools
import random
import sys
import threading
from collections.abc import Callable
from pathlib import Path

if __name__ == "__main__":
    _ROOT = Path(__file__).resolve().parents[2]
    sys.path[:0] = [str(_ROOT / "tests"), str(_ROOT / "build" / "py")]

from proxy.daemon import Cli, Daemon
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving

KEYS, READERS, PURGERS, ASKED_LOOPS = 4, 8, 4, 8

POLICY = """vcl 4.1;
import std; import xkey;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}
sub vcl_recv {{
    if (req.method == "PURGE") {{ return (purge); }}
    if (req.method == "TAG") {{ return (synth(200, xkey.purge(req.url))); }}
    if (req.method == "SOFT") {{ return (synth(200, xkey.softpurge(req.url))); }}
    if (req.method == "BAN" && std.ban("req.url == " + req.url)) {{ return (synth(200)); }}
    if (req.method == "OBJBAN" && std.ban("obj.http.xkey == " + req.url)) {{ return (synth(200)); }}
}}
sub vcl_backend_response {{ set beresp.ttl = 1h; set beresp.grace = 0s; set beresp.http.xkey = bereq.url; }}
"""

METHODS = ("PURGE", "TAG", "SOFT", "BAN", "OBJBAN")
COMMANDS = ("ban req.url == {url}", "ban obj.http.xkey == {url}", "vernis.purge_key {url}")


class Load:
    def __init__(self, d: Daemon, number: Callable[[], int], answers: int) -> None:
        self._d, self._number, self._left = d, number, answers
        self._lock = threading.Lock()
        self.answers = 0
        self.older: list[str] = []
        self.errors: list[BaseException] = []

    def run(self) -> None:
        threads = [threading.Thread(target=self._guard, args=(self._read,)) for _ in range(READERS)]
        threads += [threading.Thread(target=self._guard, args=(self._purge, seed)) for seed in range(PURGERS)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        for error in self.errors:
            raise error

    def _guard(self, run: Callable[..., None], *args: int) -> None:
        try:
            run(*args)
        except BaseException as error:
            self._left = 0
            self.errors.append(error)

    def _read(self) -> None:
        with Client(self._d.port) as c:
            for n in itertools.count():
                if self._left <= 0:
                    return
                c.request(f"/{n % KEYS}")

    def _purge(self, seed: int) -> None:
        chance, clients = random.Random(seed), [Client(self._d.port) for _ in range(ASKED_LOOPS)]
        with self._d.connect() as cli:
            while self._left > 0:
                url, before = f"/{chance.randrange(KEYS)}", self._number()
                how = self._removed(chance, cli, clients[0], url)
                for c in clients:
                    got = int(c.request(url).body)
                    if got <= before:
                        self.older.append(f"{how} {url}: response {got}, but {before} were given before")
                with self._lock:
                    self.answers += len(clients)
                    self._left -= len(clients)
        for c in clients:
            c.close()

    @staticmethod
    def _removed(chance: random.Random, cli: Cli, client: Client, url: str) -> str:
        how = chance.choice((*METHODS, *COMMANDS))
        if how in METHODS:
            assert client.request(url, how).status == 200
        else:
            assert cli.ask(how.format(url=url))[0] == 200
        return how


def load(answers: int, loops: int, sanitized: bool = True) -> Load:
    numbers, given = itertools.count(1), [0]
    lock = threading.Lock()

    def answer(request: Request) -> Reply:
        with lock:
            given[0] = next(numbers)
            return Reply(body=str(given[0]).encode())

    def number() -> int:
        with lock:
            return given[0]

    with Origin(answer) as origin, serving(POLICY.format(port=origin.port), ["-p", f"loops={loops}"], sanitized=sanitized) as d:
        one = Load(d, number, answers)
        one.run()
        return one


if __name__ == "__main__":
    ANSWERS, LOOPS = (int(given) for given in [*sys.argv[1:], "100000", "16"][:2])
    done = load(ANSWERS, LOOPS, sanitized=False)
    print(f"{done.answers} answers after a receipt, {len(done.older)} older", *done.older[:10], sep="\n")
    sys.exit(bool(done.older))
