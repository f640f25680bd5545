"""Fuzzes the front end with mutated policies: parse, check, lower, and render the diagnostics.

    python tests/fuzz/front_end.py [--mutants N] [--from N] [--seed N] [--seconds S] [--finds DIR] [SEEDS ...]

SEEDS are files or directories with VCL; by default, the policies of the repository, and the examples and
mistakes of vcl 5.0. The seed and a mutant's number determine the mutant, so each find can be reproduced.
Mutants run in a child process. An exception is a find, because mistakes in a policy must become diagnostics;
so is the death of the child by a signal, or by its timer after SECONDS_MAX of CPU time. --finds is the folder
for the finds, one file each. The exit code is 1 if there was a find.
"""

from __future__ import annotations

import argparse
import mmap
import os
import random
import re
import signal
import sys
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "build/py"))

from vernis.pipeline import LOWER, Compilation, Options, rendered_diagnostics, run_stages  # noqa: E402
from vernis.semantics.vocabulary import load_vocabulary  # noqa: E402

SECONDS_MAX = 2.0           # of CPU time
STUCK_SECONDS = 30.0        # of real time, for a mutant that waits and uses no CPU time
SEED_BYTES_MAX = 60_000
CHANGES_MAX = 6
BUILTIN_EVERY = 8    # most mutants run without the built-in policy, so that more of them run in the same time
FINDS_MAX = 100

_TOKEN = re.compile(rb'"""|\{"|"\}|"[^"\n]*"|[A-Za-z][A-Za-z0-9_.-]*|[0-9]+(?:\.[0-9]*)?|[ \t]+|\n|[=!<>+*/-]=|[=-]>|\?\?|&&|\|\||!~|.', re.DOTALL)
_WORDS = [b"vcl", b"backend", b"probe", b"acl", b"sub", b"import", b"set", b"unset", b"call", b"return", b"if", b"new", b"else", b"elseif",
          b"elsif", b"elif", b"from", b"as", b"none", b"include", b"default", b"true", b"false", b"C{", b"}C", b'{"', b'"}', b'"""', b'"', b"'",
          b"/*", b"*/", b"#", b"//", b"{", b"}", b"(", b")", b"[", b"]", b";", b",", b".", b"=", b"==", b"!=", b"~", b"!~", b"!", b"+=", b"-=",
          b"*=", b"/=", b"++", b"--", b"+", b"-", b"*", b"/", b"%", b"&&", b"||", b"<", b"<=", b">", b">=", b"4.0", b"4.1", b"5.0", b"3", b"0",
          b"999999999999999", b"9999999999999999999", b"1.2345", b"5s", b"3 s", b"10KB", b"-1", b":aGk=:", b":a:", b"\0", b"\r", b"\xff", b"\xe2\x80\x9c",
          b'"("', b'"[a"', b'"::1"', b'"10.0.0.0"/33', b'"\\"', b"vcl 4.1;", b'include "a";', b'include +glob "*";', b"import std;"]

#: Words, signs and whole forms of 5.0, which mutants of policies of 4.x get, too.
_FIVE = [b"let", b"mut", b"const", b"param", b"fn", b"table", b"counter", b"budget", b"switch", b"case", b"for", b"count", b"log", b"allow",
         b"builtin", b"invariant", b"by", b"columns", b"in", b"starts", b"ends", b"contains", b"is", b"empty", b"exact", b"prefix", b"suffix",
         b"ip", b"steps", b"headers", b"patterns", b"STRING", b"STRING?", b"INT", b"INT?", b"REAL", b"DURATION", b"TIME", b"BYTES", b"BOOL",
         b"BOOL?", b"IP", b"IP?", b"BACKEND", b"cookie", b"set_cookie", b"private", b"authorization", b"owner", b"until", b"rule", b"part",
         b"text", b"http_date", b"int", b"length", b"before", b"replace", b"?", b"??", b"->", b"=>", b"@", b":", b"vcl 5.0;",
         b"let x = req.http.A;", b"let mut x : STRING? = req.http.A;", b"set x += 1;", b'if (let y = req.http.A) { set req.http.B = y; }',
         b' ~ "(a)(b)?" as m', b"m[1]", b'm["n"]', b'["a", "b"]', b'["a" => "b", default => "c"]', b"t[req.url]", b"f(x)", b"call s(x, 1);",
         b'switch (req.url) { case "a", ~ "b": { } default: { } }', b'for (i in ["a", "b"]) { }', b"allow (cookie, private);", b"builtin;",
         b'log { a = x };', b"count c(x);", b'invariant "i" { true }', b'@rule("r", owner = "o")', b"@part", b" ?? ", b" is set", b" is empty",
         b"const C = 5s;", b'param P : STRING = "p";', b"fn f(a : STRING?, b : INT) -> STRING? { return (a); }",
         b"sub s(a : STRING, b : INT) { set req.http.A = a; }", b'set S ["a", "b"];', b'table t : STRING by exact ["a" => "b"];',
         b'table n : BACKEND by ip ["10.0.0.0"/8 => default, default => default];', b'table u : INT by suffix from "u.csv" columns (a, b);',
         b"counter c by (a, b);", b"budget { steps 100; }", b"req.url.path", b"req.url.ext", b"req.url.query", b'req.url.query["a"]',
         b'req.url.query.remove("a", "b*");', b"req.url.query.sort();", b'req.cookie["a"]', b'req.cookie.keep("a");',
         b'beresp.cache_control["max-age"]']

_HEADS = (b"vcl 4.1;\nimport std;\nimport directors;\nbackend default none;\n",
          b'vcl 5.0;\nimport std;\nbackend default none;\nset S ["a"];\ntable t : STRING by exact ["a" => "b"];\n')
_STARTS = frozenset((b"sub", b"backend", b"acl", b"probe", b"import", b"fn", b"table", b"const", b"param"))
_FORMS_SHARE = 0.5          # of the words that are put in place of others


def vocabulary_words() -> list[bytes]:
    """All names of the language."""
    vocabulary = load_vocabulary()
    names = [*vocabulary.hooks, *vocabulary.actions, *vocabulary.functions, *(row.name.replace("*", "a") for row in vocabulary.variables)]
    for module in vocabulary.modules.values():
        names += [module.name, *(f"{module.name}.{name}" for name in [*module.functions, *module.objects])]
        names += [method for made in module.objects.values() for method in made.methods]
    return [name.encode() for name in names]


def seed_files(places: list[Path]) -> list[bytes]:
    found: dict[bytes, None] = {}
    for place in places:
        for path in sorted(place.rglob("*.vcl")) if place.is_dir() else [place]:
            if path.is_file() and 0 < path.stat().st_size <= SEED_BYTES_MAX:
                found[path.read_bytes()] = None
    return list(found)


def texts_of_five() -> list[bytes]:
    """The examples of docs/vcl-5.md, and the mistakes of tests/data/mistakes_of_five.txt, each behind a version line."""
    examples = re.findall(rb"^```vcl\n(.*?)^```", (ROOT / "docs/vcl-5.md").read_bytes(), re.M | re.S)
    mistakes = re.split(rb"^=== .*\n", (ROOT / "tests/data/mistakes_of_five.txt").read_bytes(), flags=re.M)[1:]
    return [b"vcl 5.0;\nbackend default none;\n" + text for text in (*examples, *(m.partition(b"\n---")[0] for m in mistakes))]


class Mutator:
    def __init__(self, seeds: list[bytes], seed: int) -> None:
        self.seeds, self.seed = seeds, seed
        self.words = _WORDS + vocabulary_words()
        self.tokens = [_TOKEN.findall(text) for text in seeds]

    def mutant(self, number: int) -> bytes:
        rng = random.Random(self.seed << 40 | number)
        tokens = self._piece(rng)
        if rng.random() < 0.4:
            for _ in range(rng.randint(1, 3)):
                self._change_name(rng, tokens)
            return b"".join(tokens)
        for _ in range(rng.randint(1, CHANGES_MAX)):
            self._change(rng, tokens)
        text = b"".join(tokens)
        return self._change_bytes(rng, text) if rng.random() < 0.15 else text

    def _piece(self, rng: random.Random) -> list[bytes]:
        """A whole seed, or a part of a long seed behind a version line: short mutants run faster."""
        tokens = rng.choice(self.tokens)
        if len(tokens) < 400 or rng.random() < 0.1:
            return list(tokens)
        starts = [i for i, token in enumerate(tokens) if token in _STARTS] or [0]
        first = rng.choice(starts)
        return [rng.choice(_HEADS), *tokens[first:first + rng.randint(40, 500)]]

    def _word(self, rng: random.Random) -> bytes:
        return rng.choice(_FIVE if rng.random() < _FORMS_SHARE else self.words)

    def _change(self, rng: random.Random, tokens: list[bytes]) -> None:
        at = rng.randrange(len(tokens)) if tokens else 0
        end = min(len(tokens), at + rng.choice((1, 1, 1, 2, 4, 16)))
        match rng.randrange(8):
            case 0:
                del tokens[at:end]
            case 1:
                tokens[at:at] = tokens[at:end] * rng.choice((1, 1, 2, 40))
            case 2:
                tokens[at:at + 1] = [self._word(rng)]
            case 3:
                tokens.insert(at, self._word(rng))
            case 4:
                other = rng.choice(self.tokens)
                begin = rng.randrange(len(other))
                tokens[at:end] = other[begin:begin + rng.choice((1, 2, 5, 20, 80))]
            case 5 if tokens:
                to = rng.randrange(len(tokens))
                tokens[at], tokens[to] = tokens[to], tokens[at]
            case 6:
                tokens.insert(at, rng.choice((b"(", b"{", b"!", b"-", b"[", b"a.", b"+ ", b'"', b"else if (a) {")) * rng.choice((1, 3, 50, 300)))
            case _:
                self._change_name(rng, tokens)

    def _change_name(self, rng: random.Random, tokens: list[bytes]) -> None:
        """Replaces a name by another of the text or of the language. The parser accepts the result, and the
        checker must judge it."""
        names = [i for i, token in enumerate(tokens) if token[:1].isalpha() or token[:1].isdigit()]
        if names:
            tokens[rng.choice(names)] = tokens[rng.choice(names)] if rng.random() < 0.5 else self._word(rng)

    @staticmethod
    def _change_bytes(rng: random.Random, text: bytes) -> bytes:
        data = bytearray(text)
        for _ in range(rng.randint(1, 8)):
            at = rng.randrange(len(data) + 1)
            if rng.random() < 0.5 and at < len(data):
                data[at] = rng.randrange(256)
            else:
                data[at:at + rng.randrange(3)] = bytes(rng.randrange(256) for _ in range(rng.randrange(3)))
        return bytes(data)


def run_front_end(text: bytes, builtin: bool) -> int:
    """Runs the front end and returns the number of stages that ran."""
    run = Compilation("mutant", "mutant.vcl", text=text, options=Options(builtin=builtin, any_path=False, err_unref=False))
    run_stages(run, LOWER)
    rendered_diagnostics(run, stock=True)
    return len(run.timings)


def keep_find(folder: Path, number: int, text: bytes, why: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{number}.vcl").write_bytes(text)
    (folder / f"{number}.txt").write_text(why)


def child(mutator: Mutator, progress: mmap.mmap, first: int, end: int, finds: Path, until: float) -> None:
    """Runs mutants until ``end``, or until a time of the clock. ``progress`` holds the number of the running mutant and the counts of the
    results."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    counts = memoryview(progress).cast("q")
    for number in range(first, end):
        counts[0] = number
        if time.monotonic() > until:
            return
        text = mutator.mutant(number)
        signal.setitimer(signal.ITIMER_PROF, SECONDS_MAX)
        signal.setitimer(signal.ITIMER_REAL, STUCK_SECONDS)
        try:
            counts[1 + run_front_end(text, number % BUILTIN_EVERY == 0)] += 1
        except Exception:                                               # every exception is a find
            signal.setitimer(signal.ITIMER_PROF, 0)
            counts[1] += 1
            keep_find(finds, number, text, traceback.format_exc())
        if counts[1] >= FINDS_MAX:
            break
    counts[0] = end


def main() -> int:
    parser = argparse.ArgumentParser(description="Fuzzes the front end with mutated policies.")
    parser.add_argument("--mutants", type=int, default=10_000)
    parser.add_argument("--from", dest="first", type=int, default=0, help="number of the first mutant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this long")
    parser.add_argument("--finds", type=Path, default=ROOT / "build/fuzz/front_end")
    parser.add_argument("seeds", nargs="*", type=Path)
    options = parser.parse_args()
    seeds = seed_files(options.seeds) if options.seeds else seed_files([ROOT / "examples", ROOT / "tests/data", ROOT / "grammar"]) + texts_of_five()
    if not seeds:
        parser.error("no VCL there")
    mutator = Mutator(seeds, options.seed)
    progress = mmap.mmap(-1, 64)
    counts = memoryview(progress).cast("q")
    number, end, dead, began = options.first, options.first + options.mutants, 0, time.monotonic()
    while number < end and counts[1] + dead < FINDS_MAX:
        pid = os.fork()
        if pid == 0:
            child(mutator, progress, number, end, options.finds.resolve(), began + options.seconds)
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        number = counts[0]
        if status != 0:
            dead += 1
            why = f"ended with {signal.Signals(status & 127).name if status & 127 else status}"
            keep_find(options.finds.resolve(), number, mutator.mutant(number), why)
            number += 1
        elif number < end:
            break
    done = number - options.first
    print(f"  FUZZ front_end: {done} mutants of {len(seeds)} files in {time.monotonic() - began:.0f} s; {counts[3] + counts[2]} refused by the "
          f"front end, {counts[4]} accepted; {counts[1]} exceptions, {dead} crashes or hangs")
    return 1 if counts[1] or dead else 0


if __name__ == "__main__":
    sys.exit(main())
