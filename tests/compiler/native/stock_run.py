"""Runs random policies on stock Varnish and on vernisd, and compares their logs.

    python tests/compiler/native/stock_run.py [--policies N] [--batch N] [--seed N] [--keep DIR]

Many policies are compiled as one, with a sub for each; a field of the request selects the sub. The hook logs
a mark and calls the sub. If the sub does not return an action, the hook also logs the variables. The logs are
compared from the mark to the end of the hook: values, action and failure. The exit code is 1 if results
differed, or if only one server refused a policy.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import shutil
import socket
import string
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

if __name__ == "__main__":
    _ROOT = Path(__file__).resolve().parents[3]
    sys.path[:0] = [str(_ROOT / "build/py"), str(_ROOT / "tests"), str(Path(__file__).parent)]

from native_bench import ROOT
from random_language import FIELD_NAMES, HEAD, Writer
from random_stock import HOOKS_RUN, UNEQUAL_VARIABLES, StockPolicy, StockSteering, random_stock_policies
from vernis.semantics.vocabulary import Version, hook_names, load_vocabulary

STOCK, OURS = Path("/usr/sbin/varnishd"), ROOT / "build/bin/vernisd"
WAIT_S = 60.0
ANSWER_S = 10.0
FIELDS = [("Host", "example.test"), ("Cookie", "foo=1; bar=2"), ("X-Foo", "abc")]
# a compiler without optimisation: a large policy would take a minute otherwise
QUICK_CC = "gcc -O0 -fpic -shared -o %o %s"
BASE64_DIGITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
RECORDS = "VCL_Log,VCL_return,VCL_Error,VCL_call"

#: Routes that lead a request to each hook.
ROUTES = {"vcl_pass": "pass", "vcl_purge": "purge", "vcl_synth": "synth", "vcl_backend_error": "broken"}

ROUTE = """
sub vcl_recv {{
    if (req.http.Step == "warm") {{ unset req.http.Cookie; return (hash); }}
{recv}
    if (req.http.Route == "pass") {{ return (pass); }}
    if (req.http.Route == "purge") {{ return (purge); }}
    if (req.http.Route == "synth") {{ return (synth(404, "made")); }}
    if (req.http.Route == "broken") {{ set req.backend_hint = closed; return (pass); }}
    return (hash);
}}
sub vcl_hash {{ hash_data(req.http.Policy); }}
sub vcl_backend_response {{ if (bereq.http.Step == "warm") {{ set beresp.ttl = 1h; set beresp.grace = 1m; return (deliver); }} }}
"""


# ---- policies ----------------------------------------------------------------------------------------------


def state_of(hook: str, version: Version) -> list[str]:
    """Statements that log the hook's variables at its end."""
    rows = load_vocabulary().variables_of(version).values()
    shown = [row for row in rows if hook in hook_names(row.set) and row.type.value in ("STRING", "INT", "DURATION", "BOOL", "BACKEND")
             and row.name not in {"client.identity", "beresp.storage_hint", *UNEQUAL_VARIABLES}]
    lines = [f'std.log("{row.name} = " + {row.name});' for row in shown]
    messages = [row.name[:-1] for row in rows if row.name.endswith(".http.*") and hook in hook_names(row.set)]
    return lines + [f'std.log("{message}{name} = " + {message}{name});' for message in messages for name in FIELD_NAMES]


def text_of(version: Version, shared: Writer, policies: list[StockPolicy], port: int) -> str:
    head = HEAD.format(duration="5s", flags="", more="", entry="").replace('.port = "1"', f'.port = "{port}"').replace('.port = "2"',
        f'.port = "{port}"')
    head += 'backend closed { .host = "127.0.0.1"; .port = "1"; }\n'
    imports = [f"import {name};" for name in sorted(shared.modules | {"std", "directors"})]
    init = f"sub vcl_init {{ {' '.join(shared.instances.values())} }}"
    lines = [f"vcl {version[0]}.{version[1]};", *imports, head, init]
    calls: dict[str, list[str]] = {hook: [] for hook in HOOKS_RUN}
    for policy in policies:
        where = "bereq" if "backend" in policy.hook else "req"
        lines.append(f"sub policy{policy.number} {{\n{policy.body}\n}}")
        calls[policy.hook].append(f'if ({where}.http.Policy == "{policy.number}" && !{where}.http.Step) {{ std.log("@{policy.number}"); '
                                  f"call policy{policy.number}; call state_{policy.hook}; }}")
    for hook in HOOKS_RUN:
        if calls[hook]:
            lines.append(f"sub state_{hook} {{\n" + "\n".join(state_of(hook, version)) + "\n}")
    route = ROUTE.format(recv="\n".join(calls.pop("vcl_recv")))
    subs = [f"sub {hook} {{\n" + "\n".join(found) + "\n}" for hook, found in calls.items() if found]
    return "\n".join([*lines, *subs, route]) + "\n"


# ---- daemons -----------------------------------------------------------------------------------------------


class Refused(Exception):
    """A daemon refused the policy; the text has the reason."""


class Died(Exception):
    """A worker ended: the daemon's binary, the policy's number, and the output."""


class Server:
    """A daemon that serves one policy. The end of a ``with`` stops it."""

    def __init__(self, binary: Path, policy: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="stock-run-"))
        self.folder.chmod(0o755)
        arguments = ["-F", "-n", str(self.folder), "-a", "a0=127.0.0.1:0", "-T", "127.0.0.1:0", "-i", "same", "-f", str(policy), "-j",
            "none",
                     "-s", "s0=default,64m", *(["-p", f"cc_command={QUICK_CC}"] if binary == STOCK else []), "-p", "vcc_err_unref=off",
                         "-p", "vsl_reclen=4k"]
        self.output = (self.folder / "output").open("w+b")
        self.process = subprocess.Popen([str(binary), *arguments], stdin=subprocess.DEVNULL, stdout=self.output, stderr=self.output)
        try:
            self.port = self._port()
        except BaseException:
            self.stop()
            raise

    def _port(self) -> int:
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            if self.process.poll() is not None:
                self.output.seek(0)
                raise Refused(self.output.read().decode(errors="replace"))
            found = self.ask("debug.listen_address")
            if (place := re.search(r"^a0 127\.0\.0\.1 (\d+)", found, re.M)) and self._answers(int(place[1])):
                return int(place[1])
            time.sleep(0.2)
        raise AssertionError("no answer from the daemon")

    def _answers(self, port: int) -> bool:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            return False
        return "running" in self.ask("status")

    def ask(self, command: str) -> str:
        return subprocess.run(["varnishadm", "-n", str(self.folder), *command.split()], capture_output=True, text=True,
            errors="replace").stdout

    def log(self) -> str:
        done = subprocess.run(["varnishlog", "-n", str(self.folder), "-d", "-g", "vxid", "-i", RECORDS], capture_output=True)
        return done.stdout.decode("latin-1")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.output.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class Origin:
    """An origin that gives every request the same answer."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    @staticmethod
    def _answer(connection: socket.socket) -> None:
        with connection:
            connection.settimeout(WAIT_S)
            try:
                while connection.recv(1 << 16).find(b"\r\n\r\n") >= 0:
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Foo: origin\r\nHost: o\r\nCookie: c=1\r\n"
                                       b"Cache-Control: max-age=600\r\n\r\nhello")
            except OSError:
                return


def send(port: int, policy: StockPolicy, step: str) -> bool:
    """Whether a response arrived."""
    lines = ["GET /a?b=1 HTTP/1.1", *(f"{name}: {value}" for name, value in FIELDS), f"Policy: {policy.number}",
             f"Route: {ROUTES.get(policy.hook, 'hash')}", "Connection: close"]
    lines += [f"Step: {step}"] if step else []
    with socket.create_connection(("127.0.0.1", port), timeout=ANSWER_S) as connection:
        try:
            connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            answered = bool(connection.recv(1 << 16))
            while connection.recv(1 << 16):
                pass
        except OSError:
            return False
        return answered


# ---- comparing ---------------------------------------------------------------------------------------------


def hooks_in(log: str) -> Iterator[tuple[int, list[str]]]:
    """Log lines of each marked hook, up to its action. A failure becomes one word, because the servers word
    failures differently."""
    number, lines = 0, []
    for line in log.splitlines():
        tag, _, text = line.lstrip("- ").partition(" ")
        text = text.strip(" ")
        if tag == "VCL_Log" and (mark := re.fullmatch(r"@(\d+)", text)):
            number, lines = int(mark[1]), []
        elif tag == "VCL_return" and number:
            yield number, [line for line in lines if line != "failed"] + ["failed"] * ("failed" in lines) + [f"return {text}"]
            number = 0
        elif tag in ("VCL_Log", "VCL_Error") and number:
            lines.append(text if tag == "VCL_Log" else "failed")


def worker_ended(server: Server, binary: Path, silent: int) -> Died:
    """An exception that names the request at which the worker ended: the request in the panic, or else the
    last request without a response."""
    time.sleep(1)
    panic = server.ask("panic.show")
    shown = re.search(r"VGC_function_policy(\d+)", panic) or re.search(r"Policy: (\d+)", panic)
    return Died(binary, int(shown[1]) if shown else silent, panic or (server.folder / "output").read_text(errors="replace")[-1500:])


def outcomes(binary: Path, policy: Path, policies: list[StockPolicy]) -> dict[int, list[str]]:
    with Server(binary, policy) as server:
        silent = 0
        for one in policies:
            try:
                if one.hook == "vcl_hit":
                    send(server.port, one, "warm")
                silent = silent if send(server.port, one, "") else one.number
            except ConnectionRefusedError:
                raise worker_ended(server, binary, silent) from None
        last = policies[-1].number
        end = time.monotonic() + WAIT_S
        while f"@{last}" not in (log := server.log()) and time.monotonic() < end:
            time.sleep(0.1)
        found: dict[int, list[str]] = {}
        for number, lines in hooks_in(log):
            found.setdefault(number, lines)    # the first entry only: restarts and retries log the mark again
        return found


@dataclass(slots=True)
class Totals:
    """``refused`` counts refusals by one server. ``ended`` lists policies that ended stock's worker; they are
    left out."""

    compared: int = 0
    unreached: int = 0
    differ: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    ended: list[str] = field(default_factory=list)


def refusal(binary: Path, path: Path) -> str:
    """The messages of a compiler that refuses a policy, or an empty string."""
    if binary == STOCK:
        command = [str(STOCK), "-C", "-p", "cc_command=touch %o", "-p", "vcc_err_unref=off", "-f", str(path)]
    else:
        command = [str(ROOT / "build/bin/vernis"), "check", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    said = done.stderr + done.stdout
    if binary == STOCK:                 # the C compiler does nothing here, which varnishd reports as an error
        return said.split("(That was just a warning)")[-1] if "Running VCC-compiler failed" in said else ""
    return said if done.returncode != 0 else ""


def culprit(said: str, text: str) -> int:
    """The number of the policy that a refusal is about, found by its line. 0: the refusal names no line."""
    place = re.search(r"Line (\d+)", said) or re.search(r"\.vcl:(\d+):", said)
    if place is None:
        return 0
    before = text.splitlines()[:int(place[1])]
    subs = [line for line in before if line.startswith("sub ")]
    found = re.match(r"sub policy(\d+)", subs[-1]) if subs else None
    return int(found[1]) if found else 0


def both_outcomes(path: Path, policies: list[StockPolicy], totals: Totals) -> list[dict[int, list[str]]]:
    """Results of both servers; empty if vcl_init fails. A failure in only one of them is counted as
    refused."""
    found, said = [], []
    for binary in (STOCK, OURS):
        try:
            found.append(outcomes(binary, path, policies))
        except Refused as refused:
            said.append(f"{binary.name}: {str(refused)[-400:]}")
    if len(said) == 1:
        totals.refused[said[0]] += 1
    return [{}, {}] if said else found


def both(shared: Writer, version: Version, policies: list[StockPolicy], port: int, folder: Path, totals: Totals) -> list[dict[int,
    list[str]]]:
    """Runs the policies in both servers. Counts and drops policies that one of them refuses."""
    while True:
        path = folder / "policy.vcl"
        text = text_of(version, shared, policies, port)
        path.write_text(text)
        for binary in (STOCK, OURS):
            if said := refusal(binary, path):
                number = culprit(said, text)
                assert number, said[:3000]
                said = said.partition("Message from VCC-compiler:")[2] or said
                totals.refused[f"{binary.name}: " + " | ".join(said.splitlines()[:6])[:400]] += 1
                policies = [policy for policy in policies if policy.number != number]
                break
        else:
            try:
                return both_outcomes(path, policies, totals)
            except Died as died:
                binary, number, why = died.args
                if binary == OURS:
                    totals.refused[f"{binary.name} ended at policy {number}: {why[:400]}"] += 1
                else:
                    totals.ended.append(f"policy {number}: {why[:200]}")
                policies = [policy for policy in policies if policy.number != number]


#: Stock stores these as 32-bit floats.
SHORT_FLOATS = frozenset(("beresp.ttl", "beresp.grace", "beresp.keep", "sess.timeout_idle", "sess.timeout_linger", "sess.send_timeout",
                          "sess.idle_send_timeout"))


def _same_as_float(line: str, other: str) -> bool:
    """Whether two lines show the same value, one of them rounded to a 32-bit float."""
    name, _, value = line.partition(" = ")
    also, _, number = other.partition(" = ")
    return name == also and name in SHORT_FLOATS and math.isclose(float(value), float(number), rel_tol=2**-24, abs_tol=0.0011)


def _even_digits(blob: re.Match[str]) -> str:
    """Stock loses the lowest bit of every second digit in the text of a blob."""
    return "".join(BASE64_DIGITS[BASE64_DIGITS.index(digit) & ~1] if at % 4 == 2 and digit in BASE64_DIGITS else digit
                   for at, digit in enumerate(blob[0]))


def _alike(line: str) -> str:
    """Removes two differences of Varnish 7.1: a list of filters begins with a blank, and `0.0 - x` is -0 if x
    is 0."""
    line = re.sub(r":[A-Za-z0-9+/]+=*:", _even_digits, line)
    line = re.sub(r"(^| )-0\.000$", r"\g<1>0.000", line)
    name, _, value = line.partition(" = ")
    return f"{name} = {value.strip()}" if name == "beresp.filters" else line


def ended_at_the_same(stock: list[str], ours: list[str]) -> bool:
    """Whether both failed at the same statement. Stock completes the statement in which a function failed,
    and may log a value of it; here the hook ends at once."""
    failed = ["failed", "return fail"]
    return stock[-2:] == ours[-2:] == failed and stock[:-3] == ours[:-2]


def _shows_no_date(stock: list[str], ours: list[str]) -> bool:
    """Whether stock wrote a year of more than four digits. Such a time fails here."""
    same = next((n for n, (a, b) in enumerate(zip(stock, ours)) if a != b), 0)
    return ours[same:] == ["failed", "return fail"] and re.search(r"\b\w{3}, \d\d \w{3} \d{5,}", stock[same]) is not None


def compare(policies: list[StockPolicy], stock: dict[int, list[str]], ours: dict[int, list[str]], keep: Path, totals: Totals) -> None:
    for policy in policies:
        left, right = stock.get(policy.number), ours.get(policy.number)
        if left is None and right is None:
            totals.unreached += 1
            continue
        totals.compared += 1
        left, right = (None if lines is None else [_alike(line) for line in lines] for lines in (left, right))
        if left is not None and right is not None:
            right[:len(left)] = [a if _same_as_float(a, b) else b for a, b in zip(left, right)]
        if left == right or ended_at_the_same(left or [], right or []) or _shows_no_date(left or [], right or []):
            continue
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{policy.number}.vcl").write_text(f"# {policy.hook}\n{policy.body}\n# stock {left}\n# ours  {right}\n")
        at = next((n for n, (a, b) in enumerate(zip(left or [], right or [])) if a != b), min(len(left or []), len(right or [])))
        said = f"stock {(left or ['-'])[at:at + 1]}, ours {(right or ['-'])[at:at + 1]}"
        totals.differ.append(f"policy {policy.number} ({policy.hook}): {said}")


def compare_with_stock(policies: int, batch: int, seed: int, keep: Path, say: Callable[[str], None] = print) -> Totals:
    """Compares at least ``policies`` policies, in batches. Keeps the policies that differ, with both
    results."""
    totals, origin, began, number = Totals(), Origin(), time.monotonic(), 1
    steering = StockSteering()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        while totals.compared < policies:
            rng = random.Random(seed << 32 | number)
            version = (4, number // batch % 2)
            shared, made = random_stock_policies(rng, version, number, batch, steering)
            number += batch
            compare(made, *both(shared, version, made, origin.port, folder, totals), keep, totals)
            say(f"{totals.compared} compared, {len(totals.differ)} differ, {totals.unreached} did not come to their hook, "
                f"{sum(totals.refused.values())} refused, {len(totals.ended)} ended stock's worker, {time.monotonic() - began:.0f} s")
    return totals


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares random policies on stock Varnish and on vernisd.")
    parser.add_argument("--policies", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "vernis-stock-differences")
    options = parser.parse_args()
    totals = compare_with_stock(options.policies, options.batch, options.seed, options.keep, lambda line: print(line, flush=True))
    for line in [*totals.differ, *totals.ended]:
        print(line[:400])
    for line, count in totals.refused.most_common():
        print(f"refused {count}: {line}")
    return 1 if totals.differ or totals.refused else 0


if __name__ == "__main__":
    sys.exit(main())
