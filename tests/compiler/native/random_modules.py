"""Random well-typed modules and transactions for hypothesis.

Functions consist of statements, as lowering makes them: values are used again where their definition
dominates, and slots carry values across a join.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from native_bench import (FAILS_IF, MIX, N_VARS, OPTIONAL, REGSUB, RETURN_SYNTH, SAY, VAR_BOOL, VAR_INT, VAR_REAL, VAR_TEXT,
                          Transaction)
from vernis.ir import ir
from vernis.ir.builder import FunctionBuilder, fill_hooks
from vernis.ir.ir import Action, Msg, Type

T = Type
NAMES = ["X-Foo", "host", "Cookie", "x-very-long-name-of-a-field"]
PATTERNS = [b"^/a", b"^/admin$", rb"\.png$", b"^$", b"(a|b)+c", b"(?i)FOO", b"a", rb"^\.\/x", b"^/a.c", b"$", b"^a$", rb"(\d+)-(\w)"]
HOOK = "vcl_recv"
N_SITES = 40
EDGE_NUMBERS = [0, 1, -1, 2, 10, (1 << 63) - 1, -(1 << 63), 1 << 62, -7, 3]
EDGE_REALS = [0.0, -0.0, 1.0, -1.5, 0.0005, 1e308, -1e308, 5e-324, 3.0, 1e15]
WORDS = [b"", b"a", b"/a", b"/admin", b"/admin\n", b"abc", b"x.png", b"FOO bar", b"\xff\x80", b"0", b"/a\nc", b"12-b", b"a\n",
         b"./x/y", b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]

numbers = st.sampled_from(EDGE_NUMBERS) | st.integers(-(1 << 63), (1 << 63) - 1)
reals = st.sampled_from(EDGE_REALS) | st.floats(allow_nan=False, allow_infinity=False)
words = st.sampled_from(WORDS) | st.sampled_from(WORDS) | st.binary(max_size=12)
field_words = words.map(lambda text: bytes(b for b in text if b >= 32 and b != 127))
texts = st.none() | words
CONSTANTS = {T.STRING: texts, T.INT: numbers, T.BYTES: numbers, T.REAL: reals, T.DURATION: reals, T.BOOL: st.booleans()}
PLAIN = list(CONSTANTS)
VARIABLES = {T.STRING: VAR_TEXT, T.INT: VAR_INT, T.REAL: VAR_REAL, T.BOOL: VAR_BOOL}
CONVERSIONS = {T.REAL: [T.INT, T.DURATION], T.DURATION: [T.INT, T.REAL], T.BYTES: [T.INT], T.INT: [T.BYTES],
               T.BOOL: [T.INT, T.DURATION, T.STRING], T.STRING: [T.INT, T.REAL, T.DURATION, T.BYTES, T.BOOL]}
COMPARED = [T.STRING, T.INT, T.BYTES, T.REAL, T.DURATION]
MESSAGES = [Msg.REQ, Msg.RESP]


class Generator:
    """Writes one function. ``scope`` holds the values that dominate the current position, by type."""

    def __init__(self, draw: Callable[[st.SearchStrategy], object], name: str, subs: list[str]) -> None:
        self.draw, self.subs = draw, subs
        self.b = FunctionBuilder(name)
        self.slots = {type: [self.b.slot(type) for _ in range(2)] for type in PLAIN}
        self.scope: dict[Type, list[int]] = {type: [] for type in PLAIN}

    def pick(self, options: list) -> object:
        return self.draw(st.sampled_from(options))

    # ---- values --------------------------------------------------------------------------------------------

    def value(self, type: Type, depth: int = 2) -> int:
        kind = self.draw(st.integers(0, 9))
        known = self.scope[type]
        if known and kind < 3:
            return known[kind * 7 % len(known)]
        made = self._leaf(type) if depth == 0 or kind < 5 else self._made(type, depth - 1)
        known.append(made)
        return made

    def _leaf(self, type: Type) -> int:
        kind = self.draw(st.integers(0, 4))
        if kind == 0 and type in VARIABLES:
            return self.b.call(VARIABLES[type], self.b.const(T.INT, self.draw(st.integers(0, N_VARS - 1))))
        if kind == 1:
            return self.b.load(self.pick(self.slots[type]))
        if kind == 2 and type is T.STRING:
            return self.b.header_get(self.pick(MESSAGES), self.draw(st.integers(0, len(NAMES) - 1)))
        return self.b.const(type, self.draw(CONSTANTS[type]))

    def _made(self, type: Type, depth: int) -> int:
        b = self.b
        match type:
            case T.STRING:
                return self._text(depth)
            case T.BOOL:
                return self._truth(depth)
            case T.INT | T.BYTES:
                if self.draw(st.booleans()):
                    return b.arith(type, self.pick(list("+-*/%")), self.value(type, depth), self.value(T.INT, depth))
            case _:
                if self.draw(st.booleans()):
                    return b.arith(type, self.pick(list("+-*/")), self.value(type, depth), self.value(T.REAL, depth))
        return b.convert(type, self.value(self.pick(CONVERSIONS[type]), depth))

    def _text(self, depth: int) -> int:
        match self.draw(st.integers(0, 4)):
            case 0:
                return self.b.convert(T.STRING, self.value(self.pick(CONVERSIONS[T.STRING]), depth))
            case 1:
                return self.b.call(MIX, *(self.value(type, depth) for type in MIX.params))
            case 2:
                pattern = self.b.ref(T.REGEX, self.draw(st.integers(0, len(PATTERNS) - 1)))
                return self.b.call(REGSUB, self.value(T.STRING, depth), pattern, self.value(T.STRING, depth))
            case _:
                return self.b.concat(*(self.value(T.STRING, depth) for _ in range(self.draw(st.integers(0, 5)))))

    def _truth(self, depth: int) -> int:
        b = self.b
        match self.draw(st.integers(0, 6)):
            case 0 | 1:
                type = self.pick(COMPARED)
                return b.compare(self.pick(["==", "!=", "<", "<=", ">", ">="]), self.value(type, depth), self.value(type, depth))
            case 2:
                return b.compare(self.pick(["==", "!="]), self.value(T.BOOL, depth), self.value(T.BOOL, depth))
            case 3:
                return b.match(self.draw(st.integers(0, len(PATTERNS) - 1)), self._leaf(T.STRING))
            case 4:
                return b.negate(self.value(T.BOOL, depth))
            case 5:
                mask = self.draw(st.integers(0, 7))
                return b.call(OPTIONAL, *(self.value(type, depth) for type in OPTIONAL.params), given=mask)
            case _:
                return b.convert(T.BOOL, self.value(self.pick(CONVERSIONS[T.BOOL]), depth))

    # ---- statements ----------------------------------------------------------------------------------------

    def statements(self, depth: int, count: int) -> bool:
        """Writes statements. Returns whether control continues after them."""
        return all(self._statement(depth) for _ in range(count))

    def _statement(self, depth: int) -> bool:
        b = self.b
        b.mark(self.draw(st.integers(0, N_SITES - 1)))
        match self.draw(st.integers(0, 19)):
            case 0 | 1 | 2 | 3:
                name = self.draw(st.integers(0, len(NAMES) - 1))
                b.header_set(self.pick(MESSAGES), name, self.value(T.STRING, 3))
            case 4:
                b.header_unset(self.pick(MESSAGES), self.draw(st.integers(0, len(NAMES) - 1)))
            case 5 | 6 | 7:
                type = self.pick(PLAIN)
                b.store(self.pick(self.slots[type]), self.value(type, 3))
            case 8 | 9 | 10:
                b.call(SAY, *(self.value(type) for type in SAY.params))
            case 11:
                b.call(FAILS_IF, b.compare("==", self.value(T.STRING), self.value(T.STRING)))
            case 12 if self.subs:
                self._call_sub()
            case 13:
                return self._return()
            case _ if depth > 0:
                return self._if(depth - 1)
            case _:
                b.call(SAY, *(self.value(type, 3) for type in SAY.params))
        return True

    def _call_sub(self) -> None:
        b = self.b
        action = b.call_sub(self.pick(self.subs))
        ends, on = b.block(), b.block()
        b.branch(action, ends, on)
        b.at = ends
        b.ret_value(action)
        b.at = on

    def _return(self) -> bool:
        b = self.b
        action = self.pick([Action.SYNTH, Action.HASH, Action.PASS, Action.NONE])
        if action is Action.SYNTH:
            status = b.const(T.INT, self.draw(st.integers(100, 999))) if self.draw(st.booleans()) else self.value(T.INT)
            b.call(RETURN_SYNTH, status, self.value(T.STRING))
        b.ret(action)
        return False

    def _if(self, depth: int) -> bool:
        b = self.b
        condition = self.value(T.BOOL, 3)
        then, other, join = b.block(), b.block(), b.block()
        b.branch(condition, then, other)
        goes_on = False
        for start in (then, other):
            b.at = start
            outer = {type: list(known) for type, known in self.scope.items()}
            if self.statements(depth, self.draw(st.integers(0, 3))):
                b.jump(join)
                goes_on = True
            self.scope = outer
        b.at = join
        if not goes_on:
            b.ret(Action.FAIL)                              # unreachable, but a block must end
        return goes_on


def _function(draw: Callable, name: str, subs: list[str], end: Action) -> ir.Function:
    generator = Generator(draw, name, subs)
    if generator.statements(3, draw(st.integers(1, 8))):
        generator.b.ret(end)
    return generator.b.function


@st.composite
def modules(draw: Callable) -> ir.Module:
    module = ir.Module("random", sources=[ir.Source("random.vcl", b"vcl 4.1;\n")], names=list(NAMES), regexes=list(PATTERNS),
                       sites=[ir.Site(0, i + 1, 1) for i in range(N_SITES)])
    subs = [f"sub{i}" for i in range(draw(st.integers(0, 2)))]
    for number, name in enumerate(subs):
        module.functions[name] = _function(draw, name, subs[:number], Action.NONE)
    module.functions[HOOK] = _function(draw, HOOK, subs, Action.HASH)
    fill_hooks(module)
    return module


@st.composite
def transactions(draw: Callable) -> Transaction:
    header = st.tuples(st.sampled_from(list(MESSAGES)), st.sampled_from([b"Host", b"HOST", b"x-foo", b"X-Foo", b"Other", b"abcde", b"cookie"]),
                       field_words, st.booleans())
    some = st.lists
    return Transaction(draw(some(header, max_size=8)), draw(some(texts, min_size=N_VARS, max_size=N_VARS)),
                       draw(some(numbers, min_size=N_VARS, max_size=N_VARS)), draw(some(reals, min_size=N_VARS, max_size=N_VARS)))
