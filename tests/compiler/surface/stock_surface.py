"""Asks Varnish and our checker thousands of small questions, and prints those to which only one of them
agrees.

    python tests/compiler/surface/stock_surface.py [GROUP...] [--most N] [--seed N] [--list]

Groups are those of ``cases.py``. The seed chooses N cases of a large group (0: all). A policy that Varnish
accepts counts only if its C compiler accepts it too. ``INTENDED`` lists intended disagreements with their
reasons; they are only counted. The exit code is 1 if there are others, or if our checker crashed.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

if __name__ == "__main__":
    _ROOT = Path(__file__).resolve().parents[3]
    sys.path[:0] = [str(_ROOT / "build/py"), str(_ROOT / "build/ext"), str(Path(__file__).parent)]

from cases import GROUPS, Case
from verdicts import Ours, Stock, Verdict


@dataclass(slots=True, frozen=True)
class Intended:
    """``refuses`` is the compiler that refuses; ``said`` matches its message, ``text`` matches the policy."""

    refuses: str
    said: str
    reason: str
    text: str = ""


STOCK, OURS = "stock", "ours"

INTENDED = (
    Intended(STOCK, r"Symbol not found: 'storage\.", "only the worker knows the storages; it refuses the load"),
    Intended(STOCK, r"could not be resolved to an IP address", "the worker resolves names of origins; `check` warns"),
    Intended(STOCK, r"Could not (find|open) VMOD|Malformed VMOD", "Vernis has more modules, and reads no file for a built-in module"),
    Intended(STOCK, r"include not followed by string constant", "include is a reserved word only where a directive can begin",
             r"(?i)\.include|storage\.include"),
    Intended(STOCK, r"Assert error in VCC_MkSym", "Varnish's compiler fails an assertion for a module named like the first word of a variable"),
    Intended(STOCK, r"Name labelled must|\(vcl\), expected|type 'vcl'", "labels are names of the server; names in a policy may be equal to them"),
    Intended(STOCK, r"Unterminated (long-)?string|Unknown token|Syntax error|Expected", "Varnish ends a text at a NUL", "\0"),
    Intended(STOCK, r"Syntax error", "a form feed is a blank, as a vertical tab is", "\f"),
    Intended(STOCK, r"(INT|REAL|DURATION|IP|TIME|BOOL) [+] \w+ not possible", "the text of a method is concatenated, whatever type is expected",
             r"\.(lower|upper)\(\)"),
    Intended(STOCK, r"Cannot convert PROBE to STRING", "a probe becomes its name wherever text is expected", r"\.body \+?= "),
    Intended(STOCK, r"Unknown property '\w+' for type", "objects of a renamed module have methods, too", r"import \w+ as"),
    Intended(STOCK, r"Unknown field", "attributes of backends that came with Varnish 7.2 and 7.6", r"\.(via|authority|wait_limit|wait_timeout)\b"),
    Intended(STOCK, r"Must be an absolute path", "abstract sockets came with Varnish 7.3", '"@'),
    Intended(STOCK, r"Symbol not found: '(server\.rfc9111|beresp\.targeted)'", "Varnish has neither"),
    Intended(STOCK, r"Unknown property 'connect_protocol' for type HTTP", "Varnish has no extended CONNECT"),
    Intended(STOCK, r"Unknown property 'scheme' for type HTTP", "Varnish has no name for it"),
    Intended(OURS, r"V309", "Varnish leaves the negation of a TIME, BYTES or BOOL to C"),
    Intended(OURS, r"V220", "the second of two signs is a mistake"),
    Intended(OURS, r"V30[134].*PROBE|V322.*probe", "a probe has no truth value"),
    Intended(OURS, r"V305", "Varnish's compiler accepts sizes that do not fit into the server's field"),
    Intended(OURS, r"V105.*0x00", "Varnish ends a text at a NUL"),
    Intended(OURS, r"V507.*a threshold of 0", "Varnish polls with the default threshold, which such a window never reaches"),
    Intended(OURS, r"V507.*is not a port", "Varnish takes the rest of a division by 65536, and nothing for 0"),
    Intended(OURS, r"V510.*\"\*\"|V510.*/\"", "Varnish takes \"*\" for 0.0.0.0, and a mask that is missing for 0"),
    Intended(OURS, r"V317", "an address with an empty, unknown or too large port, or a blank behind it, is a slip"),
    Intended(OURS, r"V238.*'\.'", "a module's other name is one word"),
    Intended(OURS, r"V513.*debug", "module debug is for tests of Varnish"),
    Intended(OURS, r"V50[12]", "in vcl 4.0 Varnish takes a sub under the name of something else, but nothing can call it",
             r"(?s)vcl 4\.0.*sub "),
    Intended(OURS, r"V502.*cannot name a module", "a module under the name of a message, or of a hook, would be taken for it",
             "import std as"),
)


@dataclass(slots=True, frozen=True)
class Disagreement:
    case: Case
    refuses: str
    said: str


def intended(found: Disagreement) -> Intended | None:
    return next((row for row in INTENDED if row.refuses == found.refuses and re.search(row.said, found.said)
                 and re.search(row.text, found.case.text)), None)


def chosen(group: str, most: int, seed: int) -> list[Case]:
    """The cases of a group without duplicates; at most ``most`` of them."""
    cases = list({case.text: case for case in GROUPS[group]()}.values())
    return random.Random(seed).sample(cases, most) if 0 < most < len(cases) else cases


def verdicts(stock: Stock, cases: list[Case]) -> Iterator[tuple[Case, Verdict, Verdict]]:
    """Asks both compilers at the same time."""
    ours = Ours()
    with ThreadPoolExecutor(1) as pool:
        for case in cases:
            theirs = pool.submit(stock.verdict, case.data)
            try:
                verdict = ours.verdict(case.data)
            except Exception:
                verdict = Verdict(f"our checker fell over: {traceback.format_exc()}")
            yield case, theirs.result(), verdict


def disagreements(stock: Stock, cases: list[Case]) -> Iterator[Disagreement]:
    for case, theirs, ours in verdicts(stock, cases):
        if theirs.accepted and not ours.accepted and stock.runs(case.data):
            yield Disagreement(case, OURS, ours.said)
        elif ours.accepted and not theirs.accepted:
            yield Disagreement(case, STOCK, theirs.said)
        elif "fell over" in ours.said:
            yield Disagreement(case, OURS, ours.said)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares the verdicts of Varnish and Vernis on small policies.")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    parser.add_argument("--most", type=int, default=4000, help="cases of a group; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="only list the intended disagreements")
    options = parser.parse_args()
    if options.list:
        print("\n".join(f"{row.refuses} refuses, {row.said}: {row.reason}" for row in INTENDED))
        return 0
    others, reasons = 0, Counter[str]()
    with Stock() as stock:
        for group in options.groups or GROUPS:
            cases = chosen(group, options.most, options.seed)
            found = list(disagreements(stock, cases))
            meant = [row for row in map(intended, found) if row is not None]
            reasons.update(f"{row.refuses} refuses: {row.reason}" for row in meant)
            others += len(found) - len(meant)
            print(f"{group}: {len(cases)} compared, {len(found)} disagreements, {len(meant)} of them intended", flush=True)
            for one in (one for one in found if intended(one) is None):
                print(f"  {one.refuses} refuses {one.case.asked[:200]}\n    {' '.join(one.said.split())[:200]}", flush=True)
    print("\n".join(f"{count:6} {reason}" for reason, count in reasons.most_common()))
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
