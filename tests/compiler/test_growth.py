"""Small policies that stand for much: each tool ends within a bound of time and memory, whatever a text doubles.

A row is a policy of a size, and the tools that read it. Each tool runs in a process of its own with limits on CPU time and
memory, which the sizes exceed many times over if a tool needs the square of a size, or doubles with each line."""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

VERNIS = Path(__file__).parents[2] / "build" / "bin" / "vernis"
CPU_S = 30                              # of a tool; each needs at most 6 on a quiet machine
MEMORY_BYTES = 1 << 30

TOOLS = {"check": ("check",), "lint": ("lint",), "fmt": ("fmt", "--check"), "build": ("build", "-o", "x.so"),
         "migrate": ("fix", "--migrate", "--dry-run")}
BACKEND = 'backend default { .host = "127.0.0.1"; }\n'


def four(body: str, before: str = BACKEND) -> str:
    return f"vcl 4.1;\n{before}sub vcl_recv {{\n{body}\n}}\n"


def five(body: str, before: str = "") -> str:
    return f"vcl 5.0;\n{BACKEND}{before}sub vcl_recv {{\n{body}\n}}\n"


def each(n: int, line: str) -> str:
    return "\n".join(line.format(i=i, j=i + 1) for i in range(n))


def constants(n: int, first: str, line: str, use: str) -> str:
    return five(use.format(n=n), f"const C0 = {first};\n{each(n, line)}\n")


def nested(n: int, outer: str, inner: str) -> str:
    for i in range(n):
        inner = outer.format(inner, i=i)
    return inner


def five_files(folder: Path) -> str:
    """Files that include each other twice, in a row."""
    (folder / "f0.vcl").write_text("")
    for i in range(31):
        (folder / f"f{i + 1}.vcl").write_text(f'include "./f{i}.vcl"; include "./f{i}.vcl";\n')
    return four("", BACKEND + 'include "./f31.vcl";\n')


DOUBLED = "const C{j} = C{i} + C{i};"
ALL = tuple(TOOLS)
ROWS: dict[str, tuple[str | Callable[[Path], str], tuple[str, ...]]] = {
    "doubled texts": (constants(36, '"aaaa"', DOUBLED, "set req.http.X = C{n};"), ALL),
    "doubled texts in a set": (constants(36, '"aaaa"', DOUBLED, 'if (req.url in ["a", C{n}]) {{ return (pass); }}'), ALL),
    "doubled texts in a pattern": (constants(36, '"aaaa"', DOUBLED, "if (req.url ~ C{n}) {{ return (pass); }}"), ALL),
    "doubled texts of a host": (five("", 'const C0 = "1";\n' + each(36, DOUBLED) + '\nbackend b { .host = C36; }\n'), ALL),
    "doubled texts in a table": (five('set req.http.X = t[req.url] ?? "";', f'const C0 = "a";\n{each(36, DOUBLED)}\ntable t : STRING by exact [ "a" => C36 ];\n'), ALL),
    "doubled numbers": (constants(36, "1", DOUBLED, 'set req.http.X = "" + C{n};'), ALL),
    "doubled durations": (constants(36, "1s", "const C{j} = C{i} + C{i};", 'set req.http.X = "" + C{n};'), ALL),
    "a long row of constants": (constants(4000, '"a"', "const C{j} = C{i};", "set req.http.X = C{n};"), ALL),
    "a row of constants from its end": (five("set req.http.X = C4000;", "\n".join(f"const C{i + 1} = C{i};" for i in reversed(range(4000))) + '\nconst C0 = "a";\n'), ALL),
    "a long constant in many places": (five(each(4000, "set req.http.X = C;"), f'const C = "{"a" * 40000}";\n'), ALL),
    "misspelt names": (four(each(4000, "set req.backend_hint = backend_numbr_{i};"), each(4000, "backend backend_number_{i} none;") + "\n"), ALL),
    "a name of many bytes": (four(f"set req.http.X = {'a' * 100_000};\nset req.http.X = {'a' * 99_999}b;"), ALL),
    "arms of patterns": (four('if (req.url == "a") {}' + each(8000, 'elseif (req.url ~ "^/{i}") {{ set req.http.X = "1"; }}')), ALL),
    "arms of fields": (four('if (req.http.a == "a") {}' + each(8000, 'elseif (req.http.a{i} == "x") {{ set req.http.X = "{i}"; }}')), ALL),
    "cases": (five("switch (req.url) {" + each(8000, 'case "/{i}": {{ set req.http.X = "{i}"; }}') + "}"), ALL),
    "tests of patterns": (four(each(6000, 'if (req.url ~ "^/{i}") {{ set req.http.X{i} = "1"; }}')), ALL),
    "operands": (four('if (req.url ~ "a"' + each(8000, '&& req.url ~ "b{i}"') + ") { return (pass); }"), ALL),
    "nested conditions": (four("if (" + nested(60, "(req.http.a && (req.http.b || {0}))", "req.url") + ") { return (pass); }"), ALL),
    "captures of captures": (five("if (" + nested(60, '("" + ({0} ~ "a{i}" as m{i}))', "req.url") + ' ~ "x") { return (pass); }'), ALL),
    "subs that call twice": (four("call s90;", BACKEND + 'sub s0 { set req.http.X = "a"; }\n' + each(90, "sub s{j} {{ call s{i}; call s{i}; }}") + "\n"), ("check", "lint", "fmt")),
    "subs that branch twice": (four("call s90;", BACKEND + 'sub s0 { set req.http.X = req.url; }\n' + each(90, "sub s{j} {{ if (req.http.A{i}) {{ call s{i}; }} else {{ set req.http.B{i} = req.http.C; call s{i}; }} }}") + "\n"), ("check", "lint", "fmt")),
    "many callers of a long sub": (four(each(5000, "call s{i};"), BACKEND + "sub big {" + each(5000, "set req.http.x{i} = req.http.y{i};") + "}\n" + each(5000, "sub s{i} {{ call big; }}") + "\n"), ("check", "fmt")),
    "functions that call twice": (five("set req.http.X = f36(req.url);", 'fn f0(x : STRING) -> STRING { return (x + "a"); }\n' + each(36, "fn f{j}(x : STRING) -> STRING {{ return (f{i}(x) + f{i}(x)); }}") + "\n"), ALL),
    "procedures that call twice": (five("call s36(req.url);", "sub s0(x : STRING) { set req.http.X = x; }\n" + each(36, "sub s{j}(x : STRING) {{ call s{i}(x); call s{i}(x); }}") + "\n"), ALL),
    "loops in loops": (five(nested(36, 'for (a{i} in ["a", "b"]) {{ {0} }}', 'set req.http.X = "a";')), ALL),
    "locals of locals": (five("let a0 = req.url;" + each(1000, "let a{j} = a{i} + a{i};") + "set req.http.X = a1000;"), ALL),
    "files that include twice": (five_files, ("check", "lint")),
    "brackets": (four("set req.http.X = " + "(" * 100_000 + "req.url" + ")" * 100_000 + ";"), ALL),
}


@pytest.mark.parametrize(("name", "tool"), [(name, tool) for name, (_, tools) in ROWS.items() for tool in tools])
def test_a_small_text_costs_little(name: str, tool: str, tmp_path: Path) -> None:
    text, _ = ROWS[name]
    (tmp_path / "p.vcl").write_text(text if isinstance(text, str) else text(tmp_path))

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))

    done = subprocess.run([VERNIS, *TOOLS[tool], "p.vcl"], cwd=tmp_path, preexec_fn=limit, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert done.returncode in (0, 1, 2), f"ended with {done.returncode}"
    assert b"Traceback" not in done.stderr and b"MemoryError" not in done.stderr, done.stderr[-300:]
