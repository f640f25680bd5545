"""docs/modules.md lists every function of the vocabulary, and shows the example module as it is."""

from __future__ import annotations

import re

from pages import ROOT
from pages.modules import MARK, PAGE, page
from support.lacking import assert_page


def test_the_tables_are_made_from_the_vocabulary() -> None:
    assert_page(PAGE, page())


def test_the_page_quotes_the_example() -> None:
    example = "".join(path.read_text() for path in (ROOT / "examples/module").iterdir() if path.is_file())
    shown = re.findall(r"^```(?:c|toml|vcl)\n(.*?)^```$", PAGE.read_text().partition(MARK)[0], re.M | re.S)
    assert len(shown) >= 3
    for block in shown:
        assert block in example


def test_the_page_names_every_function_of_the_contract() -> None:
    header = (ROOT / "runtime/module_abi.h").read_text()
    functions = re.findall(r"\(\*(\w+)\)\(struct|\(\*(\w+)\)\(const struct", header.partition("struct vernis_api {")[2].partition("\n};")[0])
    written = PAGE.read_text()
    assert len(functions) > 15
    assert [name for pair in functions for name in pair if name and f"`{name}`" not in written] == []
