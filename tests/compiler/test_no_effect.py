"""docs/no_effect.md and the README's section list the parameters and options without effect."""

from __future__ import annotations

import re
from pathlib import Path

from pages import no_effect
from support.lacking import assert_page

ROOT = Path(__file__).resolve().parents[2]
GROUPS = no_effect.groups()


def test_the_page_is_made_from_the_table() -> None:
    assert_page(no_effect.PAGE, no_effect.page())
    assert [key for key, group in GROUPS.items() if not group.names()] == [], "delete groups without rows"


def test_links_of_warnings_lead_to_a_heading() -> None:
    headings = re.findall(r"^## (.*)$", no_effect.PAGE.read_text(), re.M)
    assert {no_effect.anchor(title) for title in headings} == set(no_effect.GROUP_ANCHORS.values())


# ---- the README --------------------------------------------------------------------------------------------

SECTION = (ROOT / "README.md").read_text().partition("## What is missing or has no effect\n")[2].partition("\n## ")[0]


def test_the_readme_names_each_group() -> None:
    assert set(re.findall(r"^\* \*\*(.+?)\*\*", SECTION, re.M)) == {group.title for group in GROUPS.values()}


def test_names_in_the_readme_belong_to_their_group() -> None:
    """A name is in backticks. Names after "; set" have an effect and do not count. A bit may follow its parameter."""
    by_title = {group.title: group.names() for group in GROUPS.values()}
    for title, text in re.findall(r"^\* \*\*(.+?)\*\*(.*(?:\n  .*)*)", SECTION, re.M):
        for name in re.findall(r"`([^`<]+)`", text.partition("; set ")[0]):
            name = name.removeprefix("feature=")
            word = name.lstrip("-+") if name[1:] in by_title[title] else name
            assert word in by_title[title] or name in NOT_ROWS, (title, name)


# -s file has its own line at the start; only some bits of debug have an effect
NOT_ROWS = {"-s file", "debug"}
