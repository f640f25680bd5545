"""What the runtime exports to policies against what the compiler asks for: by name, by signature, and by loading."""

from __future__ import annotations

import ctypes

import pytest
from runtime.policy.library import runtime_library

from vernis.ir import lower_values
from vernis.ir.ir import Type
from vernis.native import abi
from vernis.semantics.types import Type as T
from vernis.semantics.vocabulary import load_vocabulary


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
    """Every import a compiled policy could have."""
    found = {symbol: abi.signature_text(extern) for symbol, extern in abi.CORE.items()}
    found["concat"] = abi.CONCAT.signature
    vocabulary = load_vocabulary()
    for row in vocabulary.variables:
        if row.type in (T.HEADER, T.HTTP) or row.name.startswith("storage."):
            continue
        if row.type is T.BODY:
            body = {f"{verb}_{row.accessor}{blob}": f"VOID({type})" for verb in ("set", "append")
                    for blob, type in (("", "STRING"), ("_blob", "BLOB"))} if row.set else {f"unset_{row.accessor}": "VOID()"}
            found |= {symbol: f"{symbol}:{text}" for symbol, text in body.items()}
            continue
        for verb, mask in (("get", row.read), ("set", row.set), ("unset", row.unset)):
            if mask:
                extern = lower_values.accessor(row, verb)
                found[extern.symbol] = abi.signature_text(extern)
    for function in vocabulary.functions.values():
        found[function.symbol] = abi.signature_text(lower_values.extern_of(function, None, False))
    for module in vocabulary.modules.values():
        for function in module.functions.values():
            found[function.symbol] = abi.signature_text(lower_values.extern_of(function, None, False))
        for row in module.objects.values():
            found[row.constructor.symbol] = abi.signature_text(lower_values.extern_of(row.constructor, None, False))
            found[row.fini] = f"{row.fini}:VOID({Type.INSTANCE.value})"
            for method in row.methods.values():
                found[method.symbol] = abi.signature_text(lower_values.extern_of(method, None, True))
    return found


def test_signatures_are_those_the_compiler_uses(exports: dict[str, str]) -> None:
    ours = {symbol: f"{symbol}:{signature}" for symbol, signature in exports.items()}
    different = {symbol: (ours[symbol], text) for symbol, text in wanted().items() if symbol in ours and ours[symbol] != text}
    assert different == {}


def test_what_the_vocabulary_has_is_exported(exports: dict[str, str]) -> None:
    assert sorted(symbol for symbol in wanted() if symbol not in exports) == []
