"""Verdicts of Varnish and of Vernis on policies.

Varnish's come from one long-running ``varnishd -d``: a manager whose command line is its standard input,
without a worker. Its C compiler is a command that always fails, so an answer tells which of the two compilers
refused the policy. A verdict takes 6 ms. Ours come from the pipeline up to the lowered program.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from vernis import pipeline
from vernis.pipeline import Compilation, Options, rendered_diagnostics
from vernis.syntax.splice import TokenCache

VARNISHD = "/usr/sbin/varnishd"
STATUS_LINE_BYTES = 13
ACCEPTED, REFUSED = "Running C-compiler failed", "Running VCC-compiler failed"
LABEL = "labelled"
NO_CC = "false"
QUICK_CC = "gcc -O0 -fpic -shared -o %o %s"    # for the one policy that must be loaded: the one with a label
SHORT_MEMORY = Path("/dev/shm")


@dataclass(slots=True, frozen=True)
class Verdict:
    """``said`` is the reason for a refusal; empty if the policy was accepted."""

    said: str

    @property
    def accepted(self) -> bool:
        return not self.said


class Stock:
    """Varnish's compiler. The end of a ``with`` stops it."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="surface-", dir=SHORT_MEMORY if SHORT_MEMORY.is_dir() else None))
        self.folder.chmod(0o755)
        self.policy = self.folder / "policy.vcl"
        self.process = subprocess.Popen(
            [VARNISHD, "-d", "-n", str(self.folder / "work"), "-a", "127.0.0.1:0", "-f", "", "-j", "none", "-s", "s0=default,64m",
             "-p", f"cc_command={QUICK_CC}", "-p", "vcc_err_unref=off", "-p", f"vcl_path={self.folder}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number = 0
        self._answer()
        self.policy.write_text("vcl 4.1; backend origin none;")
        self.ask(f"vcl.load first {self.policy}", 200)
        self.ask(f"vcl.label {LABEL} first", 200)
        self.ask(f"param.set cc_command {NO_CC}", 200)

    def _answer(self) -> tuple[int, str]:
        assert self.process.stdout is not None
        head = self.process.stdout.read(STATUS_LINE_BYTES)
        assert len(head) == STATUS_LINE_BYTES, "varnishd has ended"
        body = self.process.stdout.read(int(head[3:]) + 1)[:-1]
        return int(head[:3]), body.decode("latin-1")

    def ask(self, command: str, wanted: int | None = None) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()
        status, text = self._answer()
        assert wanted in (None, status), text
        return text

    def verdict(self, policy: bytes) -> Verdict:
        self.policy.write_bytes(policy)
        self.number += 1
        said = self.ask(f"vcl.load p{self.number} {self.policy}")
        if ACCEPTED in said:
            return Verdict("")
        return Verdict(_reason(said) or said)

    def runs(self, policy: bytes) -> bool:
        """Whether the C code of an accepted policy can be compiled."""
        self.policy.write_bytes(policy)
        self.number += 1
        self.ask(f'param.set cc_command "{QUICK_CC}"', 200)
        said = self.ask(f"vcl.load p{self.number} {self.policy}")
        self.ask(f"param.set cc_command {NO_CC}", 200)
        return "VCL compiled" in said

    def __enter__(self) -> Stock:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _reason(said: str) -> str:
    """The message without warnings and without its first and last lines, which are always the same."""
    errors = said.split("(That was just a warning)")[-1]
    return re.sub(r"^Message from VCC-compiler:\n|\n?" + REFUSED + r".*", "", errors, flags=re.S).strip()


class Ours:
    """Our compiler, with a cache of the tokens of earlier policies."""

    def __init__(self) -> None:
        self.tokens = TokenCache()
        self.options = Options(err_unref=False, labels=(LABEL,))

    def verdict(self, policy: bytes) -> Verdict:
        run = Compilation("surface", "policy.vcl", policy, self.options, token_cache=self.tokens)
        pipeline.run_stages(run, pipeline.LOWER)
        if run.failed:
            return Verdict(rendered_diagnostics(run) or "refused without a word")
        return Verdict("")
