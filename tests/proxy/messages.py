"""Messages that a user is likely to meet outside of policies: how each comes about, and what it must say.

A message says what is wrong, where, and the next step. mk/pages/messages.py has the messages about
policies.

    python tests/proxy/messages.py      # prints all of them
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / name) for name in ("tests", "mk", "build/py")]

from proxy.daemon import Daemon, wait_until  # noqa: E402
from proxy.origin import Client, Origin, Reply, Request  # noqa: E402
from proxy.serve import serving  # noqa: E402
from support.ports import free_port  # noqa: E402

PROGRAMS = {name: str(ROOT / "build/bin" / name) for name in ("vernis", "vernisd")}
LIMIT_S = 60.0
HEAD = 'vcl 4.1;\nbackend origin { .host = "127.0.0.1"; .port = "1"; }\n'

POLICY = """vcl 4.1;
import directors;
backend site {{ .host = "127.0.0.1"; .port = "{port}"; .first_byte_timeout = 0.2s; .between_bytes_timeout = 0.2s; }}
backend closed {{ .host = "127.0.0.1"; .port = "{closed}"; }}
backend sick {{ .host = "127.0.0.1"; .port = "1"; .probe = {{ .url = "/"; .initial = 0; }} }}
sub vcl_init {{ new pool = directors.round_robin(); pool.add_backend(sick); }}
sub vcl_recv {{
    set req.backend_hint = site;
    if (req.url == "/refused") {{ set req.backend_hint = closed; }}
    if (req.url == "/sick") {{ set req.backend_hint = sick; }}
    if (req.url == "/pool") {{ set req.backend_hint = pool.backend(); }}
}}
"""
#: Files in the folder in which the commands run.
FILES = {
    "ok.vcl": HEAD,
    "shop.vcl": HEAD + "sub  vcl_recv{ return(pass); }\n",
    "typo.vcl": HEAD,
    "typo.test.vcl": 'vcl 4.1;\ntest "the front page is cached" {\n    requst("/");\n}\n',
    "wrong.vcl": HEAD + 'sub vcl_recv { set req.urll = "/"; }\n',
    "unresolved.vcl": 'vcl 4.1;\nbackend origin { .host = "nohost.invalid"; }\n',
    "refuses.vcl": HEAD + 'sub vcl_init { return (fail("no licence")); }\n',
    "table.vcl": 'vcl 5.0;\nbackend origin { .host = "127.0.0.1"; }\ntable moved : STRING by exact from "moved.csv";\n'
                 "sub vcl_recv { if (let to = moved[req.url]) { return (synth(301)); } }\n",
    "moved.csv": "key,value\n/a,/b\n",
    "short.csv": "key,value\n/a\n",
    "param.vcl": 'vcl 5.0;\nbackend origin { .host = "127.0.0.1"; }\nparam limit : INT = 3;\n'
                 "sub vcl_recv { if (req.restarts > limit) { return (pass); } }\n",
    "module.vcl": 'vcl 4.1;\nimport sdt;\nbackend origin { .host = "127.0.0.1"; }\n',
    "damaged.so": "not an image\n",
    "empty/readme": "",
    "project/vernis.toml": '[lint]\nselct = ["SEC"]\n',
    "project/a.vcl": HEAD,
    "file": "",
}


def reply(r: Request) -> Reply:
    match r.url:
        case "/closes":
            return Reply(raw=b"", close=True)
        case "/garbage":
            return Reply(raw=b"220 mail.example.com ESMTP\r\n\r\n", close=True)
        case "/cut":
            return Reply(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx", close=True)
        case "/slow":
            return Reply(pieces=[longer_than_first_byte_timeout])
    return Reply(body=b"x")


def longer_than_first_byte_timeout() -> bytes:
    time.sleep(1)
    return b""


@dataclass(slots=True, frozen=True)
class Message:
    """``command`` in the folder of FILES; {n}: -n and the work directory of a daemon. With ``url``, a request
    comes before it. ``what``, ``where`` and ``next`` are parts of the output."""

    title: str
    command: str
    what: str
    where: str
    next: str
    url: str = ""


START = "vernisd -F -j none -n {folder}/new -a 127.0.0.1:0 -T none"
WHY = "vernis log {n} -d -g request --why -q 'ReqURL eq \"{url}\"'"
MESSAGES = [
    # ---- start of the daemon
    Message("parameter misspelt", START + " -f {folder}/ok.vcl -p default_tll=3", "Unknown parameter", '"default_tll"', "Did you mean default_ttl?"),
    Message("value of a parameter", START + " -f {folder}/ok.vcl -p default_ttl=abc", "Invalid number (abc)", "param 'default_ttl'",
            "param.show default_ttl explains it"),
    Message("kind of storage", START + " -f {folder}/ok.vcl -s mallocc,1G", "Unknown storage kind 'mallocc'", "of -s", "use malloc"),
    Message("size of a storage", START + " -f {folder}/ok.vcl -s malloc,lots", "Invalid size", "-s: 'lots'", "such as 256m"),
    Message("secret file is missing", START + " -f {folder}/ok.vcl -S {folder}/nosecret", "No such file", "-S file ({folder}/nosecret)", "or leave out -S"),
    Message("folder of the pid file is missing", START + " -f {folder}/ok.vcl -P {folder}/none/x.pid", "No such file", "pid-file ({folder}/none/x.pid)",
            "name a file in a directory that exists"),
    Message("user of the jail", "vernisd -F -n {folder}/new -a 127.0.0.1:0 -T none -f {folder}/ok.vcl -j unix,user=nobodyy", "user not found", "nobodyy",
            "-j unix,user=NAME"),
    Message("option misspelt", START + " -f {folder}/ok.vcl --parm x", "Unknown option", "--parm", "see vernisd --help"),
    Message("words without an option", START + " -f {folder}/ok.vcl extra", "Too many arguments", "'extra'", "see vernisd --help"),
    Message("protocol of a listener", "vernisd -F -n {folder}/new -a 127.0.0.1:0,PROXYY -f {folder}/ok.vcl", "Unknown protocol", "'PROXYY' in -a",
            "use HTTP, HTTPS, PROXY, or PROXY,HTTPS"),
    # ---- commands to a daemon
    Message("no daemon", "vernis status -n {folder}/none", "no daemon answers", "{folder}/none/cli.sock", "give its working directory with -n"),
    Message("command of the daemon misspelt", "vernis admin {n} vcl.lod x y", "Unknown request", "Type 'help'", "Did you mean vcl.load?"),
    Message("too few words", "vernis admin {n} vcl.use", "Too few parameters", "Usage: vcl.use", "<configname|label>"),
    Message("policy that is not loaded", "vernis use {n} nothing", "No VCL named", "nothing", "vcl.list shows the loaded policies"),
    Message("discard of the active policy", "vernis discard {n} boot", "Cannot discard active", "boot", "Make another one active first: vcl.use NAME"),
    Message("field of a ban", "vernis ban {n} 'req.urll ~ x'", "Unknown or unsupported field", '"req.urll"', "Did you mean req.url?"),
    Message("purge without a host", "vernis purge {n} /page", "has no Host", "/page", "write http://HOST/page"),
    Message("backend misspelt", "vernis backends {n} set nothing sick", "No Backends matches", "nothing", "`vernis backends` lists them"),
    # ---- reload, upgrade, rollback
    Message("reload of a policy with a mistake", "vernis reload {n} wrong.vcl", "there is no variable req.urll", "wrong.vcl:3:20", "did you mean req.url?"),
    Message("value of a param", "vernis reload {n} -D limit=x param.vcl", '"x" was given for limit, which is INT', "param.vcl:3:7", "-D limit=5"),
    Message("reload of a policy that refuses", "vernis reload {n} refuses.vcl", "no licence", "refuses.vcl:3:16", "Policy boot stays active"),
    Message("name is taken", "vernis load {n} boot ok.vcl", "Already a VCL named", "boot", "Choose another name"),
    Message("upgrade without a daemon", "vernis upgrade -n {folder}/none", "no daemon answers", "{folder}/none/cli.sock", "give its working directory with -n"),
    # ---- origins
    Message("origin refuses connections", WHY, "Connection refused", "backend closed", "does the origin listen at .host and .port?", "/refused"),
    Message("origin is sick", WHY, "unhealthy", "backend sick", "`vernis backends` shows its probes", "/sick"),
    Message("no member of a director is healthy", WHY, "returned no backend", "Director pool", "`vernis backends` shows which members", "/pool"),
    Message("origin is slow", WHY, "first byte timeout", "GET site/slow", "slower than .first_byte_timeout", "/slow"),
    Message("origin closes the connection", WHY, "HTC eof", "GET site/closes", "without an answer: see its log", "/closes"),
    Message("origin speaks no HTTP", WHY, "http format error", "GET site/garbage", "is .port right?", "/garbage"),
    Message("content ends early", WHY, "insufficient bytes", "GET site/cut", "see its log", "/cut"),
    # ---- modules, tables, images
    Message("module that is not there", "vernis load {n} m module.vcl", "there is no module sdt", "module.vcl:2:1", "other modules are searched in vmod_path"),
    Message("table misspelt", "vernis table {n} show nothing", "has no table nothing", "Policy boot", "table.list shows all tables"),
    Message("line of a table's file", "vernis table {n} replace t.moved short.csv", "the line has 1 column instead of 2", "short.csv:2:1", "the table stays as it is"),
    Message("damaged image", "vernis image {n} load x damaged.so", "is cut short, or is not an image", "damaged.so", "build it again"),
    Message("file misspelt", "vernis load {n} x okk.vcl", "No such file or directory", "cannot read okk.vcl", "did you mean ok.vcl?"),
    # ---- tests, lint, fmt
    Message("folder without tests", "vernis test empty", "no file in empty ends in .test.vcl", "empty", "write the tests of a policy NAME.vcl into"),
    Message("word of a test misspelt", "vernis test typo.test.vcl", "requst is no statement of tests", "typo.test.vcl:3:5", "statements: answer, request"),
    Message("rule misspelt", "vernis lint --select SECC ok.vcl", "no rule, group or profile is named", "SECC", "did you mean"),
    Message("key of vernis.toml", "vernis lint project/a.vcl", "unknown key 'selct'", "project/vernis.toml:2", "did you mean 'select'?"),
    Message("policy that is not formatted", "vernis fmt --check shop.vcl", "would format", "shop.vcl", "`vernis fmt` without --check formats them"),
]


class Place:
    """A folder with FILES and a daemon that serves POLICY."""

    def __init__(self, folder: Path, daemon: Daemon) -> None:
        self.folder, self.daemon = folder, daemon

    def words(self, text: str, url: str = "") -> str:
        return text.format(folder=self.folder, n=f"-n {self.daemon.workdir}", url=url)

    def said(self, message: Message) -> str:
        """The output of the command. The record of a request may come a moment after its response."""
        if not message.url:
            return self._run(message)
        with Client(self.daemon.port) as client, suppress(EOFError):        # a content that ends early
            client.request(message.url, headers={"Host": "site"})
        wait_until(lambda: "fetch failed" in self._run(message), "the log shows the fetch")
        return self._run(message)

    def _run(self, message: Message) -> str:
        words = shlex.split(self.words(message.command, message.url))
        done = subprocess.run([PROGRAMS[words[0]], *words[1:]], cwd=self.folder, capture_output=True, text=True, timeout=LIMIT_S)
        return done.stdout + done.stderr


@contextmanager
def place(folder: Path) -> Iterator[Place]:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    with ExitStack() as stack:
        origin = stack.enter_context(Origin(reply))
        daemon = stack.enter_context(serving(POLICY.format(port=origin.port, closed=free_port()), sanitized=False))
        made = Place(folder, daemon)
        made._run(Message("", "vernis load {n} t table.vcl", "", "", ""))
        yield made


def main() -> int:
    import tempfile

    from pages.messages import mistakes, ours

    for mistake in mistakes():
        print(f"### {mistake.title}\n\n    $ vernis check --err-unref mistake.vcl\n" + indented(ours(mistake.policy)))
    with tempfile.TemporaryDirectory() as folder, place(Path(folder)) as here:
        for message in MESSAGES:
            said = here.said(message)
            for path, shown in ((str(here.daemon.workdir), "/run/vernis"), (folder, "/srv/site")):
                said = said.replace(path, shown)
            print(f"### {message.title}\n\n    $ {message.command.format(folder='/srv/site', n='', url=message.url)}\n{indented(said)}")
    return 0


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.strip().splitlines() if line)


if __name__ == "__main__":
    raise SystemExit(main())
