"""Module math: each function gives what the C library's gives, and no argument harms the worker."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from support.language import Harness, compile_text, policy

from vernis.ir.ir import Msg
from vernis.semantics.types import Type
from vernis.semantics.vocabulary import load_vocabulary

LIBM = ctypes.CDLL("libm.so.6")
FUNCTIONS = load_vocabulary().modules["math"].functions
OWN = {"approx", "constant", "fpclass", "nan", "strfromd"}     # not of libm by this name
MACROS: dict[str, Callable[..., bool]] = {
    "isfinite": math.isfinite, "isinf": math.isinf, "isnan": math.isnan, "isnormal": lambda x: math.isfinite(x) and abs(x) >= 2.0**-1022,
    "signbit": lambda x: math.copysign(1, x) < 0, "isgreater": lambda x, y: x > y, "isgreaterequal": lambda x, y: x >= y,
    "isless": lambda x, y: x < y, "islessequal": lambda x, y: x <= y, "islessgreater": lambda x, y: x < y or x > y,
    "isunordered": lambda x, y: math.isnan(x) or math.isnan(y),
}
CLASSES = {"FP_NAN": 0, "FP_INFINITE": 1, "FP_ZERO": 2, "FP_SUBNORMAL": 3, "FP_NORMAL": 4}     # of the C library
REALS = ("0.5", "-1.25", "0.0", "2.5", "300000000000.125")
C_TYPES = {Type.REAL: ctypes.c_double, Type.INT: ctypes.c_int}


def wanted(name: str, values: list[float]) -> str:
    params = [C_TYPES[p.type] for p in FUNCTIONS[name].params]
    if name in MACROS:
        return str(int(MACROS[name](*values)))
    if name == "fpclassify":
        return str(CLASSES["FP_ZERO" if values[0] == 0 else "FP_NORMAL"])
    called = getattr(LIBM, name)
    called.argtypes = [ctypes.c_long if name == "scalbln" and t is ctypes.c_int else t for t in params]
    called.restype = ctypes.c_long if name in ("lrint", "lround") else C_TYPES[FUNCTIONS[name].result]
    result = called(*(int(v) if t is ctypes.c_int else v for v, t in zip(values, params)))
    if FUNCTIONS[name].result is Type.INT:
        return str(result)
    return "%.17e" % result if math.isfinite(result) else "nan" if math.isnan(result) else "-inf" if result < 0 else "inf"


def asked(name: str, values: list[str]) -> str:
    given = [v.split(".")[0][:2] if p.type is Type.INT else v for v, p in zip(values, FUNCTIONS[name].params)]
    call = f"math.{name}({', '.join(given)})"
    return call if FUNCTIONS[name].result is Type.INT else f'math.strfromd("%.17e", {call})'


def run(tmp_path: Path, expressions: list[str]) -> list[str | None]:
    sets = " ".join(f'set req.http.E{i} = "" + {e};' for i, e in enumerate(expressions))
    with Harness() as harness:
        assert harness.load(compile_text(policy(recv=f"{sets} return (hash);"), tmp_path)) == ""
        harness.request(url=b"/")
        assert harness.run("vcl_recv") == "hash"
        return [harness.field(Msg.REQ, f"E{i}") for i in range(len(expressions))]


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - OWN))
def test_each_function_is_that_of_the_c_library(tmp_path: Path, name: str) -> None:
    n = len(FUNCTIONS[name].params)
    cases = [[REALS[(i + k) % len(REALS)] for k in range(n)] for i in range(len(REALS))]
    got = run(tmp_path, [asked(name, case) for case in cases])
    for case, text in zip(cases, got):
        values = [float(v.split(".")[0][:2]) if p.type is Type.INT else float(v) for v, p in zip(case, FUNCTIONS[name].params)]
        assert (text or "").lstrip("-") == wanted(name, values).lstrip("-") and (text == wanted(name, values) or "nan" in str(text)), (name, case)


def test_constants_and_comparisons(tmp_path: Path) -> None:
    got = run(tmp_path, [
        'math.strfromd("%.15f", math.constant(M_PI))', 'math.strfromd("%g", math.constant(DBL_EPSILON))', 'math.strfromd("%f", math.constant(HUGE_VAL))',
        'math.strfromd("%.13a", 0.1)', 'math.strfromd("%G", 0.1)', "math.approx(math.sin(math.constant(M_PI)), 0.0)", "math.approx(1.0, 1.1)",
        "math.approx(1.0, 1.1, 0.2)", "math.approx(1000.0, 1001.0, 0.0, 0.01)", "math.isnan(math.nan(\"\"))",
        "(math.fpclassify(math.log(0.0)) == math.fpclass(FP_INFINITE))"])
    assert got == ["3.141592653589793", "2.22045e-16", "inf", "0x1.999999999999ap-4", "0.1", "true", "false", "true", "true", "1", "true"]


@pytest.mark.parametrize("expression", ['math.strfromd("%5f", 1.0)', 'math.strfromd("%s", 1.0)', 'math.strfromd("%", 1.0)', 'math.strfromd("f", 1.0)',
                                        'math.strfromd("%.1001f", 1.0)', 'math.strfromd("%.99999999999999999999f", 1.0)', 'math.strfromd("", 1.0)',
                                        "math.log(0.0)", "math.sqrt(-1.0)", "math.jn(1001, 1.0)", "math.yn(-1001, 1.0)",
                                        "math.lround(math.constant(DBL_MAX))", "math.lrint(math.nan(\"\"))"])
def test_what_has_no_text_fails_the_transaction(tmp_path: Path, expression: str) -> None:
    with Harness() as harness:
        text = policy(recv=f'set req.http.E = "" + {expression}; return (hash);')
        assert harness.load(compile_text(text, tmp_path)) == ""
        harness.request(url=b"/")
        assert harness.run("vcl_recv") == "fail"


def test_large_arguments_end_soon(tmp_path: Path) -> None:
    got = run(tmp_path, ['math.strfromd("%.1000f", -math.constant(DBL_MAX))', "math.ldexp(0.0, 99999999999)", 'math.strfromd("%f", math.scalbn(1.0, 99999999999))'])
    assert (len(got[0] or ""), got[1], got[2]) == (1 + 309 + 1 + 1000, "0.000", "inf")
