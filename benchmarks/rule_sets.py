"""Rules, requests, and what the rules must decide: made from a seed, for benchmarks/rules.py.

Three shapes. Each rule sets the header X-Rule to its own name, so the header names the last rule that was
executed. 30 % of the requests execute one rule, 5 % several, 65 % none, spread evenly over the rules (with
one rule, 35 % execute it). Words of six letters make these shares exact: a word belongs to one rule or to
none, and stands between signs that are no letters, so no pattern finds it inside of another word.

The same rules can be a policy or a map of nginx and HAProxy. In a map the first match decides, so it has
the rules in reverse order.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

REQUESTS = 20_000
ONE, SEVERAL = 0.30, 0.05  # of the requests
EXTENSIONS = ("png", "jpg", "gif", "css", "js")
PLACES = ("foo", "bar", "baz")
COOKIE = "sid={:08x}; lang=de"
GROUP_EVERY, GROUP_SIZE = 20, 3  # of shape prefixes: each 20th rule repeats three others in one pattern
CHAIN_ARMS = (4, 8, 28)  # of shape chains, in turn


@dataclass(frozen=True, slots=True)
class Request:
    target: str
    host: str
    cookie: str

    def line(self) -> str:
        """Of the file that wrk replays."""
        return f"{self.target}\t{self.host}\t{self.cookie}\n"

    def wire(self) -> bytes:
        return f"GET {self.target} HTTP/1.1\r\nHost: {self.host}\r\nCookie: {self.cookie}\r\n\r\n".encode()


@dataclass(frozen=True, slots=True)
class Condition:
    """The field (a variable of VCL) equals the text, or matches it as a pattern."""

    variable: str
    text: str
    equal: bool = False

    def vcl(self) -> str:
        return f'{self.variable} {"==" if self.equal else "~"} "{self.text}"'

    def test(self) -> Callable[[Request], bool]:
        subject: Callable[[Request], str] = SUBJECTS[self.variable]
        if self.equal:
            return lambda request: subject(request) == self.text
        search = re.compile(self.text).search
        return lambda request: search(subject(request)) is not None


SUBJECTS: dict[str, Callable[[Request], str]] = {
    "req.url": lambda request: request.target,
    "req.http.Host": lambda request: request.host,
    "req.http.Cookie": lambda request: request.cookie,
}


@dataclass(frozen=True, slots=True)
class Rule:
    """pattern: the conditions as one pattern, for the map of a peer. chain: rules with the same number are
    arms of one elseif chain."""

    name: str
    conditions: tuple[Condition, ...]
    pattern: str
    chain: int
    extra: str = ""

    def statements(self) -> str:
        return f'set req.http.X-App = "{self.name}"; {self.extra}set req.http.X-Rule = "{self.name}";'


@dataclass
class RuleSet:
    shape: str
    rules: list[Rule]
    requests: list[Request] = field(default_factory=list)

    @cached_property
    def _tests(self) -> list[tuple[Rule, list[Callable[[Request], bool]]]]:
        return [(rule, [condition.test() for condition in rule.conditions]) for rule in self.rules]

    def executed(self, request: Request) -> list[str]:
        """Names of the rules whose statements are executed, in order: the model."""
        names, left = [], None
        for rule, tests in self._tests:
            if rule.chain != left and all(test(request) for test in tests):
                names.append(rule.name)
                left = rule.chain  # its later arms are not tried
        return names

    def policy(self, origin_port: int | str) -> str:
        """The rules in vcl_recv, one a line; the name of the last one goes to the client."""
        lines, chain = [], None
        for rule in self.rules:
            word = "elseif" if rule.chain == chain else "if"
            chain = rule.chain
            tests = " && ".join(condition.vcl() for condition in rule.conditions)
            lines.append(f"    {word} ({tests}) {{ {rule.statements()} }}\n")
        return POLICY.format(port=origin_port, rules="".join(lines))

    def map_entries(self) -> Iterator[tuple[str, str]]:
        """Patterns and names for a map whose first match decides: the last chain first, its arms in order."""
        chains: dict[int, list[Rule]] = {}
        for rule in self.rules:
            chains.setdefault(rule.chain, []).append(rule)
        for chain in reversed(chains.values()):
            yield from ((rule.pattern, rule.name) for rule in chain)


POLICY = """vcl 4.1;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}
sub vcl_recv {{
{rules}    return (hash);
}}
sub vcl_deliver {{
    if (req.http.X-Rule) {{ set resp.http.X-Rule = req.http.X-Rule; }}
}}
"""


class Words:
    """Six letters each, none twice."""

    def __init__(self, rng: random.Random) -> None:
        consonants, vowels = "bcdfghjklmnpqrstvwxz", "aeiou"
        pairs = [c + v for c in consonants for v in vowels]
        self.numbers = iter(rng.sample(range(len(pairs) ** 3), 100_000))
        self.pairs = pairs

    def take(self) -> str:
        n, base = next(self.numbers), len(self.pairs)
        return self.pairs[n % base] + self.pairs[n // base % base] + self.pairs[n // base**2]


Maker = Callable[[random.Random, int, tuple[int, ...]], Request]


def fill(
    made: RuleSet, rng: random.Random, maker: Maker, one: list[int], several: Sequence[tuple[int, ...]]
) -> RuleSet:
    """Adds the requests: each executes the rules that the maker is given by number."""
    n_several = int(REQUESTS * SEVERAL) if several else 0
    n_one = int(REQUESTS * (ONE + SEVERAL)) - n_several
    wanted: list[tuple[int, ...]] = [(one[i % len(one)],) for i in range(n_one)]
    wanted += [several[i % len(several)] for i in range(n_several)]
    wanted += [()] * (REQUESTS - len(wanted))
    made.requests = [maker(rng, number, rules) for number, rules in enumerate(wanted)]
    rng.shuffle(made.requests)
    return made


# ---- anchored prefixes with alternations ---------------------------------------------------------


def prefixes(n: int, rng: random.Random) -> RuleSet:
    tail = rf"/({'|'.join(PLACES)})/[0-9]+\.({'|'.join(EXTENSIONS)})(\?.*)?$"
    rules, groups = [], {}
    for i in range(n):
        head = f"app{i}"
        if i % GROUP_EVERY == GROUP_SIZE:
            members = tuple(range(i - GROUP_SIZE, i))
            head = f"app({'|'.join(str(m) for m in members)})"
            groups[i] = members
        pattern = f"^/{head}{tail}"
        rules.append(Rule(f"r{i}", (Condition("req.url", pattern),), pattern, i, "unset req.http.Cookie; "))
    grouped = {m for members in groups.values() for m in members}

    def request(rng: random.Random, number: int, of: tuple[int, ...]) -> Request:
        app = of[0] if of else rng.randrange(n)
        place, extension = rng.choice(PLACES), rng.choice(EXTENSIONS)
        if not of and number % 2:
            place = "qux"  # fails in the middle
        elif not of:
            app += n  # fails early
        target = f"/app{app}/{place}/{number:08}.{extension}?version={rng.getrandbits(64):016x}"
        return Request(target, "www.bench.example", COOKIE.format(number))

    several = [(m, group) for group, members in groups.items() for m in members]
    one = [i for i in range(n) if i not in groups and i not in grouped]
    return fill(RuleSet("prefixes", rules), rng, request, one or [0], several)


# ---- mixed patterns, half of them unanchored -----------------------------------------------------

# A pattern with words W and V, and the parts of a target that match it. N is the number of the request,
# which makes the target distinct.
MIXED: tuple[tuple[str, dict[str, str]], ...] = (
    ("^/W/", {"head": "/W"}),
    ("[?&]W=[^&]+", {"query": "?page=2&W=N"}),
    (r"^/W(/|\?|$)", {"head": "/W"}),
    ("(?i)/W-(promo|sale|landing)", {"middle": "/W-Sale"}),
    ("^/(W|V)/[a-z0-9-]+/", {"head": "/V"}),
    (r"/W/[^?]*\.(jpe?g|png|webp)(\?.*)?$", {"middle": "/W", "file": "/N.jpeg"}),
    ("(?i)^/W-(login|admin|setup)/", {"head": "/W-Login"}),
    (r"/W\.(css|js|map)(\?|$)", {"file": "/W.css", "query": "?N"}),
    ("^/W[0-9]+/", {"head": "/W2026"}),
    ("/(W|V)/[0-9]+/feed/?$", {"middle": "/W/N", "file": "/feed", "query": ""}),
)


def mixed(n: int, rng: random.Random) -> RuleSet:
    words = Words(rng)
    taken = [(words.take(), words.take()) for _ in range(n)]
    others = [words.take() for _ in range(5000)]

    def with_words(text: str, rule: int, number: int | str = "N") -> str:
        w, v = taken[rule]
        return re.sub("[WVN]", lambda m: {"W": w, "V": v, "N": str(number)}[m.group()], text)

    rules = []
    for i in range(n):
        pattern = with_words(MIXED[i % len(MIXED)][0], i)
        rules.append(Rule(f"r{i}", (Condition("req.url", pattern),), pattern, i))

    def request(rng: random.Random, number: int, of: tuple[int, ...]) -> Request:
        parts = {
            "head": "/" + rng.choice(others),
            "middle": f"/{rng.choice(others)}-{rng.choice(others)}",
            "file": f"/{rng.choice(others)}{number}.html",
            "query": f"?version={rng.getrandbits(32):08x}",
        }
        for rule in of:
            needs = MIXED[rule % len(MIXED)][1]
            parts |= {part: with_words(text, rule, number) for part, text in needs.items()}
        return Request("".join(parts.values()), "www.bench.example", COOKIE.format(number))

    anchored, loose = [i for i in range(n) if i % 2 == 0], [i for i in range(n) if i % 2]
    several = [(i, rng.choice(loose)) for i in anchored] if loose else []
    return fill(RuleSet("mixed", rules), rng, request, list(range(n)), several)


# ---- conditions on Host and Cookie in elseif chains ----------------------------------------------

# Conditions with words W and V, the same as one pattern over "HOST;COOKIE", and a host and a cookie for
# which they hold.
CHAINED: tuple[tuple[tuple[Condition, ...], str, str, str], ...] = (
    ((Condition("req.http.Host", "W.example", equal=True),), r"^W\.example;", "W.example", ""),
    ((Condition("req.http.Cookie", "(^|; )W=(a|b|c)"),), r"^[^;]*;(.*;\s)?W=(a|b|c)", "", "W=b; "),
    (
        (Condition("req.http.Host", r"(?i)^(www\.)?W\.(com|net|org)$"),),
        r"(?i)^(www\.)?W\.(com|net|org);",
        "WWW.W.net",
        "",
    ),
    (
        (Condition("req.http.Host", "W.example", equal=True), Condition("req.http.Cookie", "(^|; )V=[0-9]+")),
        r"^W\.example;(.*;\s)?V=[0-9]+",
        "W.example",
        "V=7; ",
    ),
    ((Condition("req.http.Host", r"\.W\.example$"),), r"^[^;]*\.W\.example;", "shop.W.example", ""),
)


def chain_numbers(n: int) -> list[int]:
    """The chain of each rule."""
    numbers: list[int] = []
    while len(numbers) < n:
        chain = numbers[-1] + 1 if numbers else 0
        numbers += [chain] * CHAIN_ARMS[chain % len(CHAIN_ARMS)]
    return numbers[:n]


def chains(n: int, rng: random.Random) -> RuleSet:
    words = Words(rng)
    taken = [(words.take(), words.take()) for _ in range(n)]
    others = [words.take() for _ in range(5000)]
    number_of = chain_numbers(n)

    def with_words(text: str, rule: int) -> str:
        w, v = taken[rule]
        # Not the W of "WWW".
        return re.sub(r"\b(WWW)\b|[WV]", lambda m: m.group(1) or {"W": w, "V": v}[m.group()], text)

    rules = []
    for i in range(n):
        conditions, pattern, _, _ = CHAINED[i % len(CHAINED)]
        own = tuple(Condition(c.variable, with_words(c.text, i), c.equal) for c in conditions)
        rules.append(Rule(f"r{i}", own, with_words(pattern, i), number_of[i]))

    def request(rng: random.Random, number: int, of: tuple[int, ...]) -> Request:
        host, cookie = f"{rng.choice(others)}.example", COOKIE.format(number)
        for rule in of:
            _, _, its_host, its_cookie = CHAINED[rule % len(CHAINED)]
            host = with_words(its_host, rule) or host
            cookie = with_words(its_cookie, rule) + cookie
        return Request(f"/{rng.choice(others)}/{number:08}.html", host, cookie)

    hosts = [i for i in range(n) if i % len(CHAINED) not in (1, 3)]
    cookies = [i for i in range(n) if i % len(CHAINED) == 1]
    pairs = ((i, rng.choice(cookies)) for i in hosts) if cookies else iter(())
    several = [(i, j) for i, j in pairs if number_of[i] != number_of[j]]
    return fill(RuleSet("chains", rules), rng, request, list(range(n)), several)


SHAPES: dict[str, tuple[str, Callable[[int, random.Random], RuleSet]]] = {
    "prefixes": ("anchored prefixes with alternations", prefixes),
    "mixed": ("mixed patterns, half of them unanchored", mixed),
    "chains": ("conditions on Host and Cookie in elseif chains", chains),
}


def make(shape: str, n: int, seed: int) -> RuleSet:
    return SHAPES[shape][1](n, random.Random(f"{shape} {n} {seed}"))
