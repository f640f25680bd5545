"""Writes all pages: ``PYTHONPATH=build/py:mk python -m pages``, which is what `make docs` runs."""

from vernis.cli import build_parser

from pages import (
    commands,
    golden_messages,
    grammar,
    hardening,
    language,
    lint,
    messages,
    modules,
    no_effect,
    options,
    params,
    test,
)

build_parser()  # raises if an option of a command is wrong
for made in (
    commands,
    params,
    options,
    no_effect,
    modules,
    language,
    grammar,
    lint,
    test,
    messages,
    golden_messages,
    hardening,
):
    made.PAGE.write_text(made.page())
