"""`vernis run`: runs a demo origin, and the daemon in the foreground, to try a policy without any setup, by
HTTP and HTTPS.

Without --policy the daemon serves a copy of the example (``policy.vcl`` in its working directory), in which
this command sets the port of the demo origin. Edits to the copy survive; the next start only sets the port
again.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

from vernis.commands.demo_certificate import DemoCertificate, demo_certificate
from vernis.commands.demo_origin import OriginServer
from vernis.commands.outcome import EXIT_OK, Ended, Trouble
from vernis.commands.places import checkout_root, default_workdir, example_policy, programs_folder
from vernis.service.client import DaemonError, connect_workdir, quote
from vernis.terminal import Progress

START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 10.0
POLL_S = 0.02
POLICY_NAME = "policy.vcl"
HTTPS_NAME = "https"
#: The line of the example with the demo origin's port.
_PORT_LINE = re.compile(r'(\.port\s*=\s*")\d+(";[^\n]*the demo origin)')


def run(options: argparse.Namespace) -> int:
    workdir = Path(options.workdir).absolute() if options.workdir else default_workdir()
    workdir.mkdir(parents=True, exist_ok=True)
    _refuse_second(workdir)
    daemon_path = find_daemon(options.daemon)
    with OriginServer("127.0.0.1", 0, quiet=True) as origin:
        Thread(target=origin.serve_forever, daemon=True).start()
        policy = (
            Path(options.policy).absolute()
            if options.policy
            else working_copy(example_policy(), workdir, origin.port)
        )
        certificate = demo_certificate(workdir) if options.https else None
        secure = [] if certificate is None else _https(workdir, options.https, certificate)
        daemon = subprocess.Popen(
            [daemon_path, "-F", "-n", str(workdir), "-a", options.listen, "-f", str(policy)]
            + (secure or ["-j", "none"])
        )
        try:
            return _serve(daemon, workdir, policy, origin.port, certificate)
        except (KeyboardInterrupt, Ended):
            return EXIT_OK
        finally:
            _stop(daemon)


def _refuse_second(workdir: Path) -> None:
    """Two daemons cannot share a working directory, nor the policy in it."""
    serves = _serving(workdir)
    if serves is not None:
        pid, addresses = serves
        raise Trouble(
            f"a daemon (pid {pid}) runs already with the working directory {workdir}"
            + (f" and serves http://{_plain(addresses)}/" if addresses else "")
            + f": end it, or give this one a directory and a port: {_again('-n DIR -a 127.0.0.1:8081')}"
        )


def _again(options: str) -> str:
    """The command line for another try."""
    return f"vernis run {options}" if checkout_root() is None else f"make run RUN_ARGS='{options}'"


def _https(workdir: Path, address: str, certificate: DemoCertificate) -> list[str]:
    """Options of the daemon. With landlock and HTTPS it would read policies in few folders only, to keep them
    from private keys. A policy to try may lie anywhere, and this key is nobody's secret."""
    commands = workdir / "https.cli"
    commands.write_text(
        f"tls.cert.load localhost {quote(str(certificate.chain))} -k {quote(str(certificate.key))}\n"
        "tls.cert.commit\n",
        encoding="utf-8",
        errors="surrogateescape",
    )
    return ["-j", "none,landlock=off", "-a", f"{HTTPS_NAME}={address},HTTPS", "-I", str(commands)]


def working_copy(example: Path, workdir: Path, origin_port: int) -> Path:
    """Writes the file that the daemon loads: the file of the last run, else a copy of the example, with this
    run's origin port."""
    copy = workdir / POLICY_NAME
    source = copy if copy.exists() else example
    try:
        text = source.read_text(encoding="utf-8", errors="surrogateescape")
        copy.write_text(
            _PORT_LINE.sub(rf"\g<1>{origin_port}\g<2>", text), encoding="utf-8", errors="surrogateescape"
        )
    except OSError as error:
        raise Trouble(f"{error.filename}: {error.strerror}") from None
    return copy


def _serve(
    daemon: subprocess.Popen[bytes],
    workdir: Path,
    policy: Path,
    origin_port: int,
    certificate: DemoCertificate | None,
) -> int:
    with Progress("starting the daemon"):
        addresses = _wait_until_serving(daemon, workdir)
    print(_introduction(addresses, origin_port, workdir, policy, certificate), flush=True)
    status = daemon.wait()
    raise Trouble(f"the daemon ended ({_how_it_ended(status)}); see its output above")


def _wait_until_serving(daemon: subprocess.Popen[bytes], workdir: Path) -> dict[str, str]:
    """``host:port`` of each listening socket by its name."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        status = daemon.poll()
        if status is not None:
            raise Trouble(
                f"the daemon did not start ({_how_it_ended(status)}); see its output above. "
                f"If {workdir / POLICY_NAME} has the error: remove it to start with the example again. "
                f"If a port is taken: {_again('-a 127.0.0.1:8081')}"
            )
        serves = _serving(workdir)
        if serves is not None and serves[0] == daemon.pid and serves[1]:
            return serves[1]
        time.sleep(POLL_S)
    raise Trouble(f"the daemon did not answer within {START_TIMEOUT_S:g} s")


def _serving(workdir: Path) -> tuple[int, dict[str, str]] | None:
    """Process id of the daemon of this directory, and the addresses of its listening sockets by their names:
    none until the worker accepts connections. None if no daemon answers."""
    try:
        with connect_workdir(workdir) as client:
            pid = _number(client.command("pid").body)
            if client.command("status").body.strip() != "Child in state running":
                return pid, {}
            answer = client.command("debug.listen_address")
    except DaemonError:
        return None
    rows = [line.split() for line in answer.body.splitlines()] if answer.ok else []
    return pid, {row[0]: f"{row[1]}:{row[2]}" for row in rows if len(row) >= 3}


def _number(body: str) -> int:
    """The first number of an answer, of the manager for ``pid``; 0 if there is none."""
    found = re.search(r"\d+", body)
    return 0 if found is None else int(found[0])


def _plain(addresses: dict[str, str]) -> str:
    """The address of the first listening socket, which has no HTTPS."""
    return next(iter(addresses.values()))


def _introduction(
    addresses: dict[str, str],
    origin_port: int,
    workdir: Path,
    policy: Path,
    certificate: DemoCertificate | None,
) -> str:
    command, where = _vernis_command(), "" if workdir == default_workdir() else f" -n {_shown(workdir)}"
    url = f"http://{_plain(addresses)}"
    secure = ""
    if certificate is not None:
        secure_url = f"https://{addresses[HTTPS_NAME]}"
        secure = f"\n  curl -i --cacert {_shown(certificate.chain)} {secure_url}/hello"
    return f"""
Vernis serves {url}/ in front of the demo origin http://127.0.0.1:{origin_port}/

Things to try in another terminal:
  curl -i {url}/hello            twice: X-Cache says miss, then hit
  curl -i {url}/private          never stored
  curl -i -X PURGE {url}/hello   the next one is a miss again{secure}
  {command} status{where}
Change {_shown(policy)}, then load it:
  {command} reload{where} {_shown(policy)}
Ctrl-C stops both."""


def _vernis_command() -> str:
    root = checkout_root()
    return "vernis" if root is None else _shown(root / "build" / "bin" / "vernis")


def _shown(path: Path) -> str:
    """The path, relative if it is below the current directory."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative


def find_daemon(given: str | None) -> str:
    if given:
        return given
    root = checkout_root()
    beside = None if root is None else root / "build" / "bin" / "vernisd"
    found = (
        str(beside)
        if beside is not None and beside.exists()
        else shutil.which("vernisd", path=_search_path())
    )
    if found is None:
        raise Trouble("vernisd not found: build it with `make build`, or give its path with --daemon")
    return found


def _search_path() -> str:
    """The programs beside the interpreter of a virtual environment, those beside the installed `vernis`, then
    PATH."""
    beside = (os.path.dirname(sys.executable), str(programs_folder()))
    return os.pathsep.join([*beside, os.environ.get("PATH", os.defpath)])


def _stop(daemon: subprocess.Popen[bytes]) -> None:
    if daemon.poll() is not None:
        return
    daemon.terminate()
    try:
        daemon.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        daemon.kill()
        daemon.wait()


def _how_it_ended(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit code {status}"
