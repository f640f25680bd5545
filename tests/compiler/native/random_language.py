"""Random policies of the whole language: every hook, both versions, every variable and operator that the table of the language
and :mod:`vernis.semantics.types` have, as far as the interpreter's world knows what they mean (:data:`NOT_GENERATED` says what
it does not)."""

from __future__ import annotations

import random

from vernis.semantics.types import ASSIGNMENTS, COMPARISONS, OPERATORS, Type
from vernis.semantics.vocabulary import HOOKS, VariableRow, Version, load_vocabulary

T = Type
HOOKS_RUN = HOOKS[:12]
FIELD_NAMES = ["X-Foo", "Host", "Cookie", "x-c"]
LITERALS = ["", "a", "/a", "/admin", "foo=1; bar=2", "abc", "A.png", "x" * 30, "0"]
PATTERNS = ["^/a", "^/admin$", r"\.png$", "o+(.)", "(?i)FOO", "a|b", "^$", r"(\w)=(\d)", "/"]
REPLACEMENTS = ["", "z", r"\1", r"<\0>", r"\\", r"a\\2b", r"\9\q"]
NUMBERS = {T.INT: ["0", "1", "2", "7", "999999999999999"], T.REAL: ["0.0", "1.5", "2.25", "1000.125"], T.BYTES: ["0B", "5KB", "2MB", "1GB"],
           T.DURATION: ["0s", "1s", "1.5m", "10ms", "1y", "2h", "3d", "1w"]}
STATUS = ["200", "404", "503", "750", "99", "1200"]

#: What stands in the language's table and in no random policy, with the reason.
NOT_GENERATED = {
    "req": "a message has no value of its own; functions that take one are not modelled",
    "bereq": "as req", "beresp": "as req", "resp": "as req",
    "req.hash": "the digest of the key is the runtime's", "bereq.hash": "as req.hash",
    "req.storage": "storages are the runtime's", "beresp.storage": "as req.storage", "obj.storage": "as req.storage",
    "beresp.storage_hint": "looks storages up",
    "beresp.filters": "its value is made of what the proxy will do", "resp.filters": "as beresp.filters",
    "beresp.backend": "the backend that answered is the proxy's", "beresp.backend.ip": "as beresp.backend", "beresp.backend.name": "as beresp.backend",
    "obj.can_esi": "is the stored object's", "obj.hits": "as obj.can_esi", "obj.age": "as obj.can_esi", "obj.grace": "as obj.can_esi",
    "obj.keep": "as obj.can_esi", "obj.ttl": "as obj.can_esi", "obj.time": "as obj.can_esi", "obj.uncacheable": "as obj.can_esi",
    "client.identity": "falls back to an address by itself", "bereq.uncacheable": "shares its state with beresp.uncacheable over hooks",
    "storage.*.free_space": "storages are the runtime's", "storage.*.used_space": "as free_space", "storage.*.happy": "as free_space",
    "acl flag +log": "its records name the entry, which the world does not keep", "function ban": "needs a cache", "inlineC": "is refused in every policy",
}

#: Functions of ``std`` and the language that are generated, by result.
PURE = {"std.toupper": (T.STRING, [T.STRING]), "std.tolower": (T.STRING, [T.STRING]), "std.strstr": (T.STRING, [T.STRING, T.STRING]),
        "std.round": (T.REAL, [T.REAL]), "std.real2integer": (T.INT, [T.REAL, T.INT]), "std.time2integer": (T.INT, [T.TIME, T.INT]),
        "std.real2time": (T.TIME, [T.REAL, T.TIME]), "std.time2real": (T.REAL, [T.TIME, T.REAL])}
ACTION_ARGUMENTS = {"synth": ["({status})", '({status}, "why")', "({status}, {text})"], "error": ["", "({status})", "({status}, {text})"],
                    "pass": ["", "({duration})"], "fail": ["", '("why")', "({text})"]}

HEAD = """import std;
import directors as d;
probe check {{ .url = "/alive"; .interval = 5s; .window = 8; .threshold = 3; .expected_response = 200; }}
probe spare {{ .request = "GET / HTTP/1.1" "Connection: close"; .timeout = {duration}; }}
backend first {{ .host = "127.0.0.1"; .port = "1"; .connect_timeout = {duration}; .max_connections = 10; }}
backend other {{ .host = "127.0.0.1"; .port = "2"; .host_header = {{"o"}}; }}
backend nowhere none;
acl near {flags}{{ "10.0.0.0"/8; ! "10.1.0.0"/16; "10.1.2.0"/24; "::1"; ("127.0.0.9"); }}
acl far {{ "192.0.2.0"/24; }}
"""


class Writer:
    """Text of one hook. ``rng`` may be hypothesis's: then every choice is one that it can shrink."""

    def __init__(self, rng: random.Random, hook: str, version: Version, subs: list[str]) -> None:
        self.rng, self.hook, self.subs, self.bit = rng, hook, subs, 1 << HOOKS.index(hook)
        self.quotes, self.in_hook, self.in_condition = version >= (4, 1), True, 0
        rows = [row for row in load_vocabulary().variables_of(version).values() if row.name not in NOT_GENERATED]
        self.readable = [row for row in rows if row.read & self.bit and row.type is not T.HTTP]
        self.settable = [row for row in rows if row.set & self.bit]
        self.removable = [row for row in rows if row.unset & self.bit]
        self.vocabulary = load_vocabulary()

    def name(self, row: VariableRow) -> str:
        if not row.name.endswith("*"):
            return row.name
        field = self.rng.choice(FIELD_NAMES)
        return row.name[:-1] + (f'"{field}"' if self.quotes and self.rng.random() < 0.1 else field)

    def variable(self, type: Type) -> str | None:
        rows = [row for row in self.readable if row.type is type or type is T.STRING and row.type is T.HEADER]
        return self.name(self.rng.choice(rows)) if rows else None

    # ---- values

    def value(self, type: Type, depth: int) -> str:
        match type:
            case T.STRING | T.HEADER:
                return self.text(depth)
            case T.BOOL:
                return self.truth(depth)
            case T.INT | T.REAL | T.DURATION | T.TIME | T.BYTES:
                return self.number(type, depth)
            case T.IP:
                return self.variable(T.IP) or self.quoted(["10.1.1.1"])
            case T.BACKEND:
                return self.backend(depth)
            case T.ACL:
                return self.rng.choice(["near", "far"])
            case T.PROBE:
                return self.rng.choice(["check", "spare"])
        raise AssertionError(type)

    def quoted(self, texts: list[str]) -> str:
        first, last = self.rng.choice([('"', '"'), ('"', '"'), ('{"', '"}'), ('"""', '"""')])
        return first + self.rng.choice(texts) + last

    def text(self, depth: int) -> str:
        match self.rng.randrange(12 if depth else 4):
            case 0:
                return self.quoted(LITERALS)
            case 1 | 2 | 3:
                return self.variable(T.STRING) or self.quoted(LITERALS)
            case 4 | 5:
                return f"{self.text(depth - 1)} + {self.text(depth - 1)}"
            case 6:
                function = self.rng.choice(["regsub", "regsuball"])
                return f"{function}({self.text(depth - 1)}, {self.quoted(PATTERNS)}, {self.quoted(REPLACEMENTS)})"
            case 7:
                return self.pure(T.STRING, depth)
            case 8:
                return f"({self.text(depth - 1)}).{self.rng.choice(['upper', 'lower'])}()"
            case 9:
                return f'"" + {self.backend(depth)}'
            case _:
                type = self.rng.choice([T.INT, T.REAL, T.DURATION, T.TIME, T.BYTES, T.BOOL, T.IP, T.BLOB])
                return '"" + ' + (":aGk=:" if type is T.BLOB else f"({self.typed(type, depth - 1)})")

    def pure(self, type: Type, depth: int) -> str:
        functions = [(name, types) for name, (result, types) in PURE.items() if result is type]
        name, types = self.rng.choice(functions)
        return f"{name}({', '.join(self.value(t, depth - 1) for t in types)})"

    def backend(self, depth: int) -> str:
        found = self.rng.choice(["first", "other", "nowhere", self.variable(T.BACKEND) or "other"])
        return f"{found}.resolve()" if depth and self.rng.random() < 0.2 else found

    def typed(self, type: Type, depth: int) -> str:
        """A value that has the type by itself, wherever it stands."""
        if type is T.BOOL:
            return self.comparison(0)
        found = self.variable(type)
        if found is not None and (depth <= 0 or self.rng.random() < 0.5):
            return found
        if type is T.INT:
            return f"std.time2integer({self.time(0)}, {self.number(T.INT, 0)})"
        if type is T.REAL:
            return f"std.round({self.number(T.REAL, max(0, depth - 1))})"
        if type is T.TIME:
            return self.time(depth)
        if type is T.BYTES:
            return f"std.bytes(integer = {self.rng.choice(NUMBERS[T.INT])})" if depth <= 0 else f"({self.typed(type, 0)} {self.bytes_step()})"
        if type is T.IP:
            return found or "now"
        return self.number(type, depth)

    def bytes_step(self) -> str:
        op, right = self.rng.choice([(op, right) for left, op, right in OPERATORS if left is T.BYTES])
        return f"{op} {self.number(right, 0) if right is T.BYTES or self.rng.random() < 0.5 else self.rng.choice(NUMBERS[right])}"

    def time(self, depth: int) -> str:
        return self.variable(T.TIME) or "now"

    def number(self, type: Type, depth: int) -> str:
        rng = self.rng
        if depth <= 0 or rng.random() < 0.25:
            found = self.variable(type) if type is T.TIME or rng.random() < 0.5 else None
            return found or ("now" if type is T.TIME else rng.choice(NUMBERS[type]))
        if rng.random() < 0.15 and any(result is type for result, _ in PURE.values()):
            return self.pure(type, depth)
        if rng.random() < 0.1 and not self.in_condition and type in (T.INT, T.REAL, T.DURATION):
            return f"(-{self.number(type, 0)})"
        left, op, right = rng.choice([cell for cell, result in OPERATORS.items() if result is type])
        first = self.number(left, depth - 1) if left is type and type is not T.TIME else self.typed(left, depth - 1)
        second = self.typed(right, 0) if right is not type else self.number(right, depth - 1)
        if op == "*" or op == "/" or op == "%":
            second = self.typed(right, 0) if rng.random() < 0.6 or right is T.REAL else rng.choice(NUMBERS[right])
        if right is T.DURATION and left is T.TIME:
            second = f"({self.number(right, depth - 1)})" if rng.random() < 0.5 else rng.choice(NUMBERS[right])
        return f"({first} {op} {second})"

    # ---- conditions

    def truth(self, depth: int) -> str:
        match self.rng.randrange(4):
            case 0:
                return "true"
            case 1:
                return "false"
            case 2:
                return self.variable(T.BOOL) or "true"
        return self.comparison(depth)

    def comparison(self, depth: int) -> str:
        """No minus inside: none may stand where BOOL is expected."""
        self.in_condition += 1
        found = self._comparison(depth)
        self.in_condition -= 1
        return found

    def _comparison(self, depth: int) -> str:
        rng = self.rng
        type = rng.choice([t for t in COMPARISONS if t is not T.STEVEDORE])
        op = rng.choice(COMPARISONS[type])
        if type is T.STRING:
            return f"{self.variable(T.STRING) or self.quoted(LITERALS)} {op} {self.text(0)}"
        if type is T.BOOL:
            return f"{self.variable(T.BOOL) or 'true'} {op} {rng.choice(['true', 'false'])}"
        if type is T.IP:
            found = self.variable(T.IP)
            return f"{found} {op} {self.quoted(['10.1.1.1', '10.9.9.9', '::1'])}" if found else "true"
        if type in (T.INT, T.REAL, T.DURATION, T.TIME, T.BYTES):
            return f"{self.typed(type, depth)} {op} {self.number(type, depth) if type not in (T.TIME, T.BYTES) else self.typed(type, 1)}"
        return f"{self.value(type, 0)} {op} {self.value(type, 0)}"

    def condition(self, depth: int) -> str:
        self.in_condition += 1
        found = self._condition(depth)
        self.in_condition -= 1
        return found

    def _condition(self, depth: int) -> str:
        rng = self.rng
        match rng.randrange(10 if depth else 5):
            case 0:
                return self.variable(T.STRING) or "true"
            case 1:
                return f"{self.variable(T.STRING) or self.quoted(LITERALS)} {rng.choice(['~', '!~'])} {self.quoted(PATTERNS)}"
            case 2:
                found = self.variable(T.IP)
                return f"{found} {rng.choice(['~', '!~'])} {rng.choice(['near', 'far'])}" if found else "true"
            case 3:
                return self.typed(rng.choice([T.INT, T.DURATION, T.BOOL]), 1)
            case 4:
                return self.backend(1) if rng.random() < 0.3 else self.truth(1)
            case 5:
                return f"!({self.condition(depth - 1)})"
            case 6 | 7:
                return f"({self.condition(depth - 1)} {rng.choice(['&&', '||'])} {self.condition(depth - 1)})"
        return self.comparison(depth)

    # ---- statements

    def statements(self, depth: int) -> str:
        return "\n".join(self.statement(depth) for _ in range(self.rng.randint(1, 5)))

    def statement(self, depth: int) -> str:
        rng = self.rng
        match rng.randrange(16):
            case 0 | 1 | 2 | 3 | 4:
                return self.assignment()
            case 5:
                return f"unset {self.name(rng.choice(self.removable))};" if self.removable else "{ }"
            case 6 | 7:
                return f"std.log({self.text(2)});"
            case 8:
                return self.function()
            case 9 if self.subs:
                return f"call {rng.choice(self.subs)};"
            case 10 if depth < 3:
                return self.ending()
            case 11 if depth:
                return f"{{\n{self.statements(depth - 1)}\n}}"
            case _ if depth:
                return self.conditional(depth - 1)
        return self.assignment()

    def assignment(self) -> str:
        if not self.settable:
            return f"std.log({self.text(1)});"
        row = self.rng.choice(self.settable)
        forms = [(op, right) for (type, op), right in ASSIGNMENTS.items() if type is row.type] + [("=", row.type)]
        if row.type is T.BODY:
            forms = [("=", T.STRING), ("+=", T.STRING), ("=", T.STRING)]
        op, right = self.rng.choice(forms)
        if row.name.endswith(".status") and op == "=" and self.rng.random() < 0.7:
            return f"set {row.name} = {self.rng.choice(STATUS)};"
        if row.name.endswith((".method", ".url", ".proto", ".reason")) and self.rng.random() < 0.6:
            return f"set {row.name} {op} {self.quoted(['/b', 'PUT', 'HTTP/1.0', 'ok'])};"
        return f"set {self.name(row)} {op} {self.value(right, 2)};"

    def function(self) -> str:
        match self.hook:
            case "vcl_hash":
                return f"hash_data({self.text(2)});"
            case "vcl_synth" | "vcl_backend_error":
                return f"synthetic({self.text(2)});"
        return f"std.log({self.quoted(LITERALS)});"

    def ending(self) -> str:
        if not self.in_hook and self.rng.random() < 0.3:
            return "return;"
        action = self.rng.choice([a for a in self.vocabulary.hooks[self.hook].actions if a != "vcl"])
        forms = ACTION_ARGUMENTS.get(action, [""])
        if action == "pass" and self.hook != "vcl_backend_response":
            forms = [""]
        made = self.rng.choice(forms).format(status=self.rng.choice(STATUS), text=self.text(1), duration=self.number(T.DURATION, 1))
        return f"return ({action}{made});"

    def conditional(self, depth: int) -> str:
        arms = [f"if ({self.condition(2)}) {{\n{self.statements(depth)}\n}}"]
        for _ in range(self.rng.randrange(3)):
            arms.append(f"{self.rng.choice(['elseif', 'elsif', 'elif', 'else if'])} ({self.condition(2)}) {{\n{self.statements(depth)}\n}}")
        if self.rng.randrange(2):
            arms.append(f"else {{\n{self.statements(depth)}\n}}")
        return " ".join(arms)


def random_policy(rng: random.Random) -> tuple[str, Version, str]:
    """A hook, a version, and a policy of that version that defines the hook."""
    version = rng.choice([(4, 0), (4, 1)])
    hook = rng.choice(HOOKS_RUN)
    flags = rng.choice(["", "", "-log ", "+pedantic ", "-table "])
    lines = [f"vcl {version[0]}.{version[1]};", HEAD.format(duration=rng.choice(NUMBERS[T.DURATION]), flags=flags)]
    subs = [f"part{i}" for i in range(rng.randrange(3))]
    for number, name in enumerate(subs):
        writer = Writer(rng, hook, version, subs[:number])
        writer.in_hook = False
        lines.append(f"sub {name} {{\n{writer.statements(2)}\n}}")
    for _ in range(rng.choice((1, 1, 1, 2))):
        lines.append(f"sub {hook} {{\n{Writer(rng, hook, version, subs).statements(3)}\n}}")
    if rng.random() < 0.3:
        lines.append("sub vcl_init { new turn = d.round_robin(); turn.add_backend(first); return (ok); }")
    return hook, version, "\n".join(lines)
