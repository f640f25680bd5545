"""docs/messages.md: common mistakes with the messages of Vernis and of stock Varnish, side by side.

The mistakes are the sections of tests/data/common_mistakes.txt. The messages of Varnish need varnishd; without
it they stay as they are.
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

from pages import ROOT

CASES = ROOT / "tests/data/common_mistakes.txt"
PAGE = ROOT / "docs/messages.md"
PROLOGUE = 'vcl 4.1;\nbackend default { .host = "127.0.0.1"; }\n'
BARE = "=!=\n"  # marks a whole policy
NAME = "mistake.vcl"

HEAD = """# Common mistakes and their messages

After this page you recognise the error messages of 66 common mistakes. Each section has a policy with a
mistake, the message of Vernis (`vernis check --err-unref`), and the message of `varnishd -C` of Varnish
7.1.1. `vernis explain CODE` explains a code. A test compares the messages of Vernis; `make docs` writes this
page.
"""


@dataclass(slots=True, frozen=True)
class Mistake:
    title: str
    policy: str


def mistakes() -> list[Mistake]:
    sections = re.split(r"^=== ", CASES.read_text(), flags=re.M)[1:]
    found = []
    for section in sections:
        title, _, policy = section.partition("\n")
        found.append(
            Mistake(title, policy.removeprefix(BARE) if policy.startswith(BARE) else PROLOGUE + policy)
        )
    return found


def ours(policy: str) -> str:
    """Output of `vernis check --err-unref`, with the same file name everywhere."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        path.write_text(policy)
        run = pipeline.run_stages(
            Compilation("mistake", str(path), options=Options(err_unref=True)), pipeline.CHECK
        )
        return rendered_diagnostics(run).replace(str(path), NAME).strip()


def stocks(policy: str) -> str:
    """Output of Varnish, without its first and last lines, which are always the same."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        path.write_text(policy)
        Path(folder).chmod(0o755)  # varnishd started by root compiles as another user
        done = subprocess.run(
            ["varnishd", "-C", "-f", str(path)], capture_output=True, text=True, errors="replace", timeout=60
        )
    if done.returncode == 0:
        return "(accepted)"
    text = done.stderr.replace(str(path), NAME)
    text = re.sub(
        r"^(Error:|Could not .*|Message from VCC-compiler:|Running VCC-compiler failed.*|VCL compilation failed)\s*$",
        "",
        text,
        flags=re.M,
    )
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


def section(mistake: Mistake, ours_said: str, stock_said: str) -> str:
    shown = mistake.policy.removeprefix(PROLOGUE).strip("\n")
    return (
        f"\n## {heading(mistake)}\n\n```vcl\n{shown}\n```\n\nVernis:\n\n```text\n{ours_said}\n```\n\n"
        f"Varnish:\n\n```text\n{stock_said}\n```\n"
    )


def stocks_on_page() -> dict[str, str]:
    """Messages of Varnish that the page contains, by title."""
    return dict(re.findall(r"^## (.*?)\n.*?^Varnish:\n\n```text\n(.*?)\n```$", PAGE.read_text(), re.M | re.S))


def heading(mistake: Mistake) -> str:
    return mistake.title[0].upper() + mistake.title[1:]


def page() -> str:
    written = {} if shutil.which("varnishd") else stocks_on_page()
    return HEAD + "".join(
        section(m, ours(m.policy), written.get(heading(m)) or stocks(m.policy)) for m in mistakes()
    )
