"""docs/messages.md: common mistakes with our messages. The mistakes are the sections of
tests/data/common_mistakes.txt.
"""

from __future__ import annotations

import re
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
mistake, and what `vernis check --err-unref` says. `vernis explain CODE` explains a code. `make docs` writes this
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


def section(mistake: Mistake, said: str) -> str:
    shown = mistake.policy.removeprefix(PROLOGUE).strip("\n")
    return f"\n## {heading(mistake)}\n\n```vcl\n{shown}\n```\n\n```text\n{said}\n```\n"


def heading(mistake: Mistake) -> str:
    return mistake.title[0].upper() + mistake.title[1:]


def page() -> str:
    return HEAD + "".join(section(mistake, ours(mistake.policy)) for mistake in mistakes())
