"""The runtime exports every function that the compiler may import, with the same signature."""

from __future__ import annotations

import ctypes

import pytest
from support.library import runtime_library

from vernis.ir import externs
from vernis.ir.ir import VOCABULARY
from vernis.native.abi import signature_text


@pytest.fixture(scope="module")
def exports() -> dict[str, str]:
    library = runtime_library()
    rows: dict[str, str] = {}
    name, signature = ctypes.c_char_p(), ctypes.c_char_p()
    while library.vernis_export(len(rows), ctypes.byref(name), ctypes.byref(signature)) == 0:
        assert name.value is not None and signature.value is not None
        assert name.value.decode() not in rows, "exported twice"
        rows[name.value.decode()] = signature.value.decode()
    return rows


def wanted() -> dict[str, str]:
    """Every import that a compiled policy may have."""
    found = externs.of_language(VOCABULARY)
    for module in VOCABULARY.modules.values():
        found |= externs.of_module(module)
    return {symbol: signature_text(extern) for symbol, extern in found.items()}


def test_signatures_are_the_same_in_runtime_and_compiler(exports: dict[str, str]) -> None:
    ours = {symbol: f"{symbol}:{signature}" for symbol, signature in exports.items()}
    different = {symbol: (ours[symbol], text) for symbol, text in wanted().items() if symbol in ours and ours[symbol] != text}
    assert different == {}


def test_every_function_of_the_vocabulary_is_exported(exports: dict[str, str]) -> None:
    assert sorted(symbol for symbol in wanted() if symbol not in exports) == []
