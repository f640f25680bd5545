"""Random policies of vcl 5.0 with every variable, operator, function and object of the vocabulary, and every form that only 5.0 has.

random_language.py writes those of 4.x, and what both have in common. random_five.py writes policies whose results a model knows; here the
interpreter and native code are compared.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from random_goals import SEPARATORS, Steering
from random_language import ACL_ENTRIES, BACKEND_MORE, HEAD, LITERALS, NUMBERS, PATTERNS, REPLACEMENTS, Policy, Writer
from vernis.semantics.types import COMPARISONS, Type
from vernis.semantics.vocabulary import HOOKS, Version

T = Type
VERSION = (5, 0)
#: A value of each type that a local can have, where any will do.
DEFAULTS = {T.STRING: '"none"', T.INT: "7", T.REAL: "1.5", T.DURATION: "5s", T.TIME: "now", T.BYTES: "SIZE", T.BOOL: "true",
            T.IP: "ADDRESS", T.BACKEND: "first"}
#: What functions of the policy return: on the first way, and at the end. "row" is a look-up.
RESULTS = {
    (T.STRING, False): ("a + n", "a.upper()"), (T.STRING, True): ("a", 'a.after("o")'), (T.INT, False): ("n * 2", "n - 1"),
    (T.INT, True): ("n", "int(a)"), (T.REAL, False): ("1.5 * n", "0.5"), (T.REAL, True): ("2.5", "real(a)"),
    (T.DURATION, False): ("5s * n", "WAIT"), (T.DURATION, True): ("WAIT", "duration(a)"), (T.TIME, False): ("t + 5s", "t"),
    (T.TIME, True): ("t", "time(a)"), (T.BYTES, False): ("5KB", "SIZE"), (T.BYTES, True): ("SIZE", "bytes(a)"),
    (T.BOOL, False): ("n > 1", 'a ends "g"'), (T.BOOL, True): ("true", "row"), (T.IP, False): ("ADDRESS", "ADDRESS"),
    (T.IP, True): ("ADDRESS", "ip(a)"), (T.BACKEND, False): ("first", "other"), (T.BACKEND, True): ("first", "row")}
#: Operators of `set` of a local.
CHANGES = {T.STRING: ("+=",), T.INT: ("+=", "-=", "*=", "/="), T.REAL: ("+=", "-=", "*=", "/="), T.DURATION: ("+=", "-=", "*=", "/="),
           T.TIME: ("+=", "-="), T.BYTES: ("+=", "-=")}
TABLE_TYPES = (T.STRING, T.INT, T.REAL, T.DURATION, T.BYTES, T.BOOL, T.IP, T.BACKEND)
KINDS = ("exact", "prefix", "suffix", "ip")
ROWS: dict[Type, list[str]] = {
    T.STRING: ['"one"', '""', 'TEXT'], T.INT: ["0", "7", "LIMIT"], T.REAL: ["0.5", "2.0"], T.DURATION: ["1.5m", "WAIT"], T.BYTES: ["5KB", "SIZE"],
    T.BOOL: ["true", "false"], T.IP: ['"192.0.2.7"', '"::1"'], T.BACKEND: ["first", "other"]}
KEYS = {"exact": ['"a"', '"/a"', '"abc"', '"foo=1; bar=2"'], "prefix": ['""', '"/"', '"/a"', '"a"'], "suffix": ['"png"', '"b.png"', '"a"'],
        "ip": ['"10.0.0.0"/8', '"10.1.0.0"/16', '"::1"', '"192.0.2.1"']}
TEXTS_READ = {T.INT: ['"12"', '"-3"', '"9x"'], T.REAL: ['"1.5"', '"x"'], T.DURATION: ['"10s"', '"5"'], T.BYTES: ['"5KB"', '"-1B"'],
              T.TIME: ['"Sun, 06 Nov 1994 08:49:37 GMT"', '"today"'], T.IP: ['"10.1.2.3"', '"::1"', '"a"']}
GROUPS = {r"(\w)=(\d)?": 2, "^/(?<n>a)(dmin)?": 2, "o+(.)": 1, "(?<n>.)$": 1}

HEAD_OF_FIVE = """
const TEXT = "/" + "a";
const SIZE : BYTES = 5KB;
const WAIT = 1.5m;
const ADDRESS : IP = "10.1.1.1";
const PATTERN = "^/a";
param LIMIT : INT = 3;
param PLACE : STRING = "eu";
set FEW ["a", "/a", "abc",];
counter seen by (status, kind);
counter all;
budget { steps 900000000; patterns 90000; }
"""


class WriterOfFive(Writer):
    """Writes values that are there, unless a method says that they may be absent. ``scope`` are the locals in sight: name, type, whether
    it can be set."""

    def __init__(self, rng: random.Random, hook: str, version: Version, subs: list[str], steering: Steering) -> None:
        super().__init__(rng, hook, version, subs, steering)
        self.scope: list[tuple[str, Type, bool]] = []
        self.tables: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.procedures: dict[str, str] = {}
        self.count = [0]
        self.needs_builtin: list[bool] = []

    def part_of(self, other: Writer) -> WriterOfFive:
        super().part_of(other)
        assert isinstance(other, WriterOfFive)
        self.tables, self.functions, self.procedures = other.tables, other.functions, other.procedures
        self.count, self.needs_builtin = other.count, other.needs_builtin
        return self

    def fresh(self, prefix: str) -> str:
        self.count[0] += 1
        return f"{prefix}{self.count[0]}"

    # ---- what 4.x writes otherwise

    def variable(self, type: Type) -> str | None:
        found = [name for name, own, _ in self.scope if own is type]
        if found and self.rng.random() < 0.3:
            return self.rng.choice(found)
        rows = [row for row in self.readable if row.type is type or type is T.STRING and row.type is T.HEADER]
        if not rows:
            return None
        row = self.rng.choice(rows)
        return f"({self.name(row)} ?? {self.quoted(LITERALS)})" if row.type is T.HEADER else self.name(row)

    def shown(self, type: Type, text: str) -> str:
        if type in (T.STRING, T.HEADER):
            if self.settable and self.rng.random() < 0.3 and (name := self.field_name(True)):
                return f"set {name} = {text};"
            return f'std.log(({text}) ?? "none");'
        return f"std.log({self.written(type, text)});"

    def written(self, type: Type, text: str) -> str:
        """A value as text."""
        if type is T.TIME:
            return f"http_date({text})"
        return f"text({text})" if type in (T.REAL, T.DURATION, T.IP) or type is not T.BLOB and self.rng.random() < 0.3 else f'"" + {text}'

    def pure(self, type: Type, depth: int) -> str:
        found = super().pure(type, depth)
        return f'({found} ?? "p")' if type is T.STRING else found

    def called(self, type: Type) -> str | None:
        found = super().called(type)
        return f'({found} ?? "c")' if found and type is T.STRING else found

    def there(self, type: Type, text: str) -> str:
        return f'({text} ?? "")' if type is T.STRING else text

    def text(self, depth: int) -> str:
        rng = self.rng
        match rng.randrange(16 if depth else 5):
            case 0:
                return self.quoted(LITERALS)
            case 1 | 2 | 3:
                return self.variable(T.STRING) or self.quoted(LITERALS)
            case 4:
                return rng.choice(["TEXT", "PLACE"])
            case 5 | 6:
                return f"{self.text(depth - 1)} + {self.text(depth - 1)}"
            case 7:
                function = rng.choice(["regsub", "regsuball"])
                return f"{function}({self.text(depth - 1)}, {self.quoted(PATTERNS)}, {self.quoted(REPLACEMENTS)})"
            case 8:
                return self.pure(T.STRING, depth)
            case 9:
                replace = f"replace({rng.choice(SEPARATORS)}, {rng.choice(SEPARATORS)})"
                return f"({self.text(depth - 1)}).{rng.choice(['upper()', 'lower()', 'trim()', replace])}"
            case 10:
                return self.called(T.STRING) or f'"" + {self.backend(depth)}'
            case 11:
                second = f"{self.key()} ?? " if rng.random() < 0.4 else ""
                return f"({self.optional(T.STRING, depth - 1)} ?? {second}{self.quoted(LITERALS)})"
            case 12:
                return self.function_call(T.STRING, False, depth)
            case _:
                type = rng.choice([T.INT, T.REAL, T.DURATION, T.TIME, T.BYTES, T.BOOL, T.IP, T.BLOB])
                made = ":aGk=:" if type is T.BLOB else self.typed(type, depth - 1)
                found = self.written(type, f"({made})" if type is not T.BLOB else made)
                return found if found.startswith('"') else f'"" + {found}'

    def _condition(self, depth: int) -> str:
        rng = self.rng
        match rng.randrange(16 if depth else 8):
            case 0:
                return f"{self.optional(T.STRING, 0)} is {rng.choice(['set', 'empty'])}"
            case 1:
                pattern = rng.choice(["PATTERN", self.quoted(PATTERNS)])
                return f"{self.optional(T.STRING, 0)} {rng.choice(['~', '!~'])} {pattern}"
            case 2:
                found = self.variable(T.IP)
                return f"{found} {rng.choice(['~', '!~'])} {rng.choice(['near', 'far'])}" if found else "true"
            case 3:
                return f"{self.typed(T.INT, 1)} != {rng.choice(['0', 'LIMIT'])}"
            case 4:
                return self.text_test()
            case 5:
                return self.truth(1)
            case 6:
                type = rng.choice(list(DEFAULTS))
                return f"{self.optional(type, 0)} is set"
            case 7:
                type = rng.choice([T.INT, T.DURATION, T.REAL, T.BYTES, T.IP, T.BOOL, T.STRING])
                op = rng.choice(COMPARISONS[type])
                return f"{self.optional(type, 0)} {op} {self.optional(type, 0) if rng.random() < 0.3 else self.typed_or_literal(type)}"
            case 8 | 9:
                return f"!({self.condition(depth - 1)})"
            case 10 | 11 | 12:
                return f"({self.condition(depth - 1)} {rng.choice(['&&', '||'])} {self.condition(depth - 1)})"
        return self.comparison(depth)

    @staticmethod
    def default(type: Type) -> str:
        return DEFAULTS[type]

    def typed_or_literal(self, type: Type) -> str:
        if type is T.BOOL:
            return f"({self.typed(type, 0)})"
        if type is T.BACKEND:
            return self.backend(0)
        return self.text(0) if type is T.STRING else self.rng.choice([DEFAULTS[type], self.typed(type, 0)])

    def text_test(self, word: str = "") -> str:
        rng = self.rng
        right = rng.choice(["FEW", "TEXT", self.quoted(LITERALS), '["a", "/b"]', '["", "/"]', '[TEXT, "b" + "c",]'])
        return f"{self.optional(T.STRING, 0)} {word or rng.choice(['in', 'starts', 'ends', 'contains'])} {right}"

    def ending(self, action: str | None = None) -> str:
        found = super().ending(action)
        count = {"return (restart);": "req.restarts", "return (retry);": "bereq.retries"}.get(found)
        return f"if ({count} < {self.rng.choice([1, 2])}) {{ {found} }}" if count else found

    # ---- values that may be absent

    def optional(self, type: Type, depth: int) -> str:
        rng = self.rng
        if rng.random() < 0.3 or type in (T.BOOL, T.BACKEND):
            return self.row(type, False)
        if rng.random() < 0.15:
            return self.function_call(type, True, depth)
        if type is not T.STRING:
            argument = rng.choice(TEXTS_READ[type]) if rng.random() < 0.5 else self.optional(T.STRING, max(0, depth - 1))
            return f"{type.value.lower()}({argument})"
        rows = [row for row in self.readable if row.type is T.HEADER]
        views = [name for name in self.views() if rng.random() < 0.5]
        if views and rng.random() < 0.3:
            return rng.choice(views)
        if depth > 0 and rng.random() < 0.4:
            return f"({self.optional(T.STRING, depth - 1)}).{self.part_of_text()}"
        return self.name(rng.choice(rows)) if rows else self.row(type, False)

    def part_of_text(self) -> str:
        return f"{self.rng.choice(['before', 'after', 'before_last', 'after_last'])}({self.rng.choice(SEPARATORS)})"

    def views(self) -> list[str]:
        """Views that may be read here."""
        readable = {row.name for row in self.readable}
        found = []
        for name, view in self.vocabulary.views.items():
            owner = view.of if view.of in readable else view.of.rpartition(".")[0] + ".*"
            if owner in readable and view.read.absent:
                found.append(f'{name}["{self.rng.choice(["a", "foo", "bar", "max-age"])}"]' if view.indexed else name)
        return found

    def row(self, type: Type, has_default: bool, kind: str = "") -> str:
        """A look-up, whose table is declared with its first use."""
        if type is T.TIME:
            return 'time("Sun, 06 Nov 1994 08:49:37 GMT")'
        kind = kind or self.rng.choice(KINDS)
        name = f"t_{kind}_{type.value.lower()}{'_all' * has_default}"
        if name not in self.tables:
            values, keys = ROWS[type], KEYS[kind]
            rows = [f"{key} => {self.rng.choice(values)}" for key in self.rng.sample(keys, self.rng.randint(1, len(keys)))]
            rows += [f"default => {self.rng.choice(values)}"] * has_default + [""] * (self.rng.random() < 0.2)
            self.tables[name] = f"table {name} : {type.value} by {kind} [{', '.join(rows)}];"
        key = self.key()
        if kind == "ip":
            key = self.rng.choice([self.variable(T.IP) or "ADDRESS", 'ip("10.1.1.1")', f"ip({key})"])
        return f"{name}[{key}]"

    def key(self) -> str:
        rows = [row for row in self.readable if row.type in (T.HEADER, T.STRING)]
        return self.name(self.rng.choice(rows)) if rows and self.rng.random() < 0.7 else self.quoted(LITERALS)

    def function_call(self, type: Type, optional: bool, depth: int) -> str:
        """A call of a function of the policy, which is declared with its first use."""
        name = f"f_{type.value.lower()}{'_may' * optional}"
        if name not in self.functions:
            first, last = RESULTS[type, optional]
            if last == "row":
                last = self.row(type, False, "exact").partition("[")[0] + "[a]"
            self.functions[name] = (f"fn {name}(a : STRING, n : INT, t : TIME) -> {type.value}{'?' * optional} {{\n"
                                    f'if (n > 1 && a starts "/") {{ return ({first}); }}\nreturn ({last});\n}}')
        text, number, time = self.text(0), self.typed(T.INT, 0), self.time(0)
        by_name = self.rng.random() < 0.2
        return f"{name}({text}, t = {time}, n = {number})" if by_name else f"{name}({text}, {number}, {time})"

    # ---- statements

    def statements(self, depth: int) -> str:
        """Statements of a block. Its locals end with it."""
        size = len(self.scope)
        found = super().statements(depth)
        del self.scope[size:]
        return found

    def statement(self, depth: int) -> str:
        rng = self.rng
        if rng.random() < 0.55:
            return super().statement(depth)
        forms: list[Callable[[], str]] = [self.let, self.let, self.change, self.log, self.edit]
        if depth:
            forms += [lambda: self.switch(depth - 1), lambda: self.loop(depth - 1), lambda: self.bound(depth - 1),
                      lambda: self.matched(depth - 1), lambda: self.rule(depth - 1)]
        if rng.random() < 0.2:
            forms = [self.call_procedure, self.allow, self.builtin, self.invariant, self.counted]
        return rng.choice(forms)()

    def let(self, type: Type | None = None, optional: bool | None = None, mutable: bool | None = None) -> str:
        rng = self.rng
        type = rng.choice(list(DEFAULTS)) if type is None else type
        optional = rng.random() < 0.3 if optional is None else optional
        mutable = rng.random() < 0.4 if mutable is None else mutable
        name, mut = self.fresh("v"), "mut " * mutable
        if optional:
            return f"let {mut}{name} : {type.value}? = {self.optional(type, 1)};\n{self.shown(type, f'({name} ?? {DEFAULTS[type]})')}"
        written = f" : {type.value}" if rng.random() < 0.4 or type in (T.DURATION, T.BYTES, T.REAL) else ""
        value = self.new_value(type)
        self.scope.append((name, type, mutable))
        return f"let {mut}{name}{written} = {value};"

    def new_value(self, type: Type) -> str:
        """A value of a local, of which the type is known without it."""
        rng = self.rng
        if type is T.STRING:
            return self.text(2)
        if rng.random() < 0.4:
            return f"({self.optional(type, 1)} ?? {DEFAULTS[type]})"
        if rng.random() < 0.2:
            return self.function_call(type, False, 1)
        return self.row(type, True) if type not in (T.TIME, T.IP) and rng.random() < 0.2 else self.typed_or_literal(type)

    def change(self, type: Type | None = None, op: str | None = None) -> str:
        """``set`` of a local, which may have to be declared."""
        rng, before = self.rng, ""
        found = [item for item in self.scope if item[2] and type in (None, item[1])]
        if not found:
            before = self.let(type or rng.choice([T.STRING, T.INT, T.REAL, T.DURATION, T.TIME, T.BYTES]), False, True) + "\n"
            found = [self.scope[-1]]
        name, own, _ = rng.choice(found)
        op = op or rng.choice(["=", *CHANGES.get(own, ())])
        right = self.new_value(own)
        if op != "=" and own in (T.DURATION, T.TIME):
            right = rng.choice(["5s", "WAIT"]) if op in ("+=", "-=") else rng.choice(["2", "1.5"])
        elif op != "=" and own is not T.STRING:
            right = rng.choice(NUMBERS[own] if own in NUMBERS else ["1"])
        return f"{before}set {name} {op} {right};\n{self.shown(own, name)}"

    def log(self) -> str:
        values = [self.optional(T.STRING, 1), self.text(1), self.typed(T.INT, 1), self.typed(T.DURATION, 0), self.typed(T.BOOL, 0)]
        chosen = self.rng.sample(values, self.rng.randint(1, 3))
        return "log { " + ", ".join(f"k{i} = {value}" for i, value in enumerate(chosen)) + "," * (self.rng.random() < 0.3) + " };"

    def counted(self) -> str:
        return self.rng.choice(["count all;", f"count seen({self.text(1)}, {self.rng.choice([self.text(1), self.typed(T.INT, 1), 'true'])});"])

    def edit(self, view: str | None = None, word: str | None = None) -> str:
        """A change of a view, if the hook may change one."""
        settable = {row.name for row in self.settable}
        removable = {row.name for row in self.removable} & settable
        found = [(name, row) for name, row in self.vocabulary.views.items() if view in (None, name)
                 and (row.of in settable or row.of.rpartition(".")[0] + ".*" in removable) and (row.replace or row.select)]
        if not found:
            return self.log()
        name, row = self.rng.choice(found)
        if row.replace is not None:
            return f"set {name} = {self.rng.choice(['TEXT', self.text(1), self.quoted(['/p', '/p?q', '/'])])};"
        names = ", ".join(self.rng.sample(['"a"', '"b*"', '"*o*"', '"*r"', '"f" + "oo"', '"bar"'], self.rng.randint(1, 3)))
        word = word or self.rng.choice(["keep", "remove", *(["sort"] if row.sort is not None else [])])
        return f"{name}.sort();" if word == "sort" else f"{name}.{word}({names});"

    def switch(self, depth: int) -> str:
        rng = self.rng
        type = rng.choice([T.STRING, T.STRING, T.STRING, T.INT, T.DURATION, T.BYTES, T.BOOL, T.BACKEND])
        subject = self.optional(type, 1) if rng.random() < 0.6 else self.new_value(type)
        items = {T.STRING: ['"a"', '"/a"', '"" ', "TEXT + PLACE", '~ "^/"', "~ PATTERN", '~ "o$"'], T.INT: ["0", "7", "LIMIT", "-3"],
                 T.DURATION: ["5s", "0s", "WAIT"], T.BYTES: ["5KB", "1B"], T.BOOL: ["true"], T.BACKEND: ["first", "other"]}[type]
        left = rng.sample(items, len(items))
        cases = []
        while left and len(cases) < 3:
            taken = [left.pop() for _ in range(rng.choice([1, 1, 2])) if left]
            cases.append(f"case {', '.join(taken)}: {{\n{self.statements(depth)}\n}}")
        if rng.random() < 0.6:
            cases.append(f"default: {{\n{self.statements(depth)}\n}}")
        return "\n".join([f"switch ({subject}) {{", *cases, "}"])

    def loop(self, depth: int) -> str:
        name = self.fresh("i")
        over, type = self.rng.choice([('["a", "/b"]', T.STRING), ("FEW", T.STRING), ("[1, 2, LIMIT,]", T.INT), ("[5s, WAIT]", T.DURATION),
                                      ("[TEXT]", T.STRING), ("", T.STRING)])
        if not over:
            over = self.row(T.STRING, True, "exact").partition("[")[0]
        self.scope.append((name, type, False))
        body = self.statements(min(depth, 0))
        self.scope.pop()
        return f"for ({name} in {over}) {{\n{body}\n}}"

    def bound(self, depth: int) -> str:
        """``if (let ...)``"""
        type, name = self.rng.choice(list(DEFAULTS)), self.fresh("v")
        value = self.optional(type, 1)
        self.scope.append((name, type, False))
        body = f"{self.shown(type, name)}\n{self.statements(depth)}"
        self.scope.pop()
        return f"if (let {name} = {value}) {{\n{body}\n}} else {{\n{self.statements(depth)}\n}}"

    def matched(self, depth: int) -> str:
        """A match with its groups."""
        pattern, name = self.rng.choice(list(GROUPS)), self.fresh("m")
        groups = [f"{name}[{self.rng.randint(0, GROUPS[pattern])}]"] + [f'{name}["n"]'] * ("?<n>" in pattern)
        shown = "\n".join(self.shown(T.STRING, group) for group in groups)
        return f'if ({self.optional(T.STRING, 1)} ~ "{pattern}" as {name}) {{\n{shown}\n{self.statements(depth)}\n}}'

    def rule(self, depth: int) -> str:
        more = self.rng.choice(["", ', owner = "web"', ', owner = "web", until = "2027-01-31"'])
        return f'@rule("r{self.fresh("")}"{more})\n{self.conditional(depth)}'

    def call_procedure(self) -> str:
        """A call of a sub with parameters, which is declared with its first use."""
        if "put" not in self.procedures:
            inner = type(self)(self.rng, self.hook, self.version, [], self.steering).part_of(self)
            inner.in_hook = False
            self.procedures["put"] = ""             # it does not call itself
            inner.scope = [("a", T.STRING, False), ("n", T.INT, False)]
            body = inner.statements(1)
            self.procedures["put"] = f"sub put(a : STRING, n : INT, o : STRING?) {{\n{body}\nstd.log(a + n + (o ?? \"-\"));\n}}"
            self.procedures["nothing"] = 'sub nothing() { std.log("nothing"); return; }'
        elif not self.procedures["put"]:
            return "{ }"
        if self.rng.random() < 0.2:
            return "call nothing();"
        return f"call put({self.text(1)}, {self.typed(T.INT, 0)}, o = {self.optional(T.STRING, 1)});"

    def allow(self) -> str:
        words = {"vcl_recv": ["cookie", "authorization"], "vcl_backend_response": ["set_cookie", "private"]}.get(self.hook)
        return f"allow ({', '.join(self.rng.sample(words, self.rng.randint(1, 2)))});" if words else "{ }"

    def builtin(self) -> str:
        """The built-in hook in the middle of this one."""
        if not self.in_hook:
            return "{ }"
        self.needs_builtin.append(True)
        return "builtin;"

    def invariant(self) -> str:
        return f'invariant "holds" {{ {self.condition(1)} }}'


def random_policy_of_five(rng: random.Random, steering: Steering) -> Policy:
    """A policy with a hook that allows the least seen goal."""
    goal = steering.next(rng)
    hook = rng.choice([name for bit, name in enumerate(HOOKS) if goal.hooks >> bit & 1])
    more = steering.more(rng, hook, VERSION)
    main = WriterOfFive(rng, hook, VERSION, [], steering)
    lines = []
    subs = [f"part{i}" for i in range(rng.choice((0, 0, 0, 1, 2)))]
    for number, name in enumerate(subs):
        writer = WriterOfFive(rng, hook, VERSION, subs[:number], steering).part_of(main)
        writer.in_hook = False
        lines.append(f"sub {name} {{\n{writer.statements(2)}\n}}")
    main.subs = subs
    bodies = [main.wanted([goal, *more])]
    main.scope.clear()
    bodies += [main.statements(3)] * (rng.random() < 0.5)
    made = main.instances.values()
    part = "@part " * (len(bodies) > 1 or hook == "vcl_init" and bool(made) or rng.random() < 0.1)
    own = [_head(rng, main), *main.tables.values(), *main.functions.values()]
    own += [f"{part * (hook == 'vcl_init')}sub vcl_init {{ {' '.join(made)} }}"] * bool(made)
    lines = [*own, *main.procedures.values(), *lines, *(f"{part}sub {hook} {{\n{body}\n}}" for body in bodies)]
    return Policy(hook, VERSION, "\n".join(lines), bool(main.needs_builtin) or rng.random() < 0.25)


def _head(rng: random.Random, main: WriterOfFive) -> str:
    main.modules |= {"std", "directors"}
    place = rng.choice(["", "", ' from "/lib/libvmod_std.so"'])
    imports = [f"import {name}{' as d' if name == 'directors' else place if name == 'std' else ''};" for name in sorted(main.modules)]
    head = HEAD.format(duration=rng.choice([*NUMBERS[T.DURATION], "WAIT"]), flags=rng.choice(["", "", "-log ", "+log ", "+pedantic ", "-table "]),
                       more=rng.choice(BACKEND_MORE), entry=rng.choice(ACL_ENTRIES))
    return "\n".join(["vcl 5.0;", *imports, HEAD_OF_FIVE, head])
