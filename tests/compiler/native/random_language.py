"""Random policies of the whole language: every hook, both versions, and every variable, operator, function
and object of the vocabulary and of :mod:`vernis.semantics.types`.

:data:`NOT_GENERATED` lists the exceptions with their reasons.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from random_calls import callables
from random_goals import ADDRESSES, Goal, Steering, call_statement, call_text
from support.library import runtime_library
from vernis.semantics.types import ASSIGNMENTS, COMPARISONS, OPERATORS, Type
from vernis.semantics.vocabulary import HOOKS, VariableRow, Version, load_vocabulary

T = Type
FIELD_NAMES = ["X-Foo", "Host", "Cookie", "x-c"]
LITERALS = ["", "a", "/a", "/admin", "foo=1; bar=2", "abc", "A.png", "x" * 30, "0"]
PATTERNS = ["^/a", "^/admin$", r"\.png$", "o+(.)", "(?i)FOO", "a|b", "^$", r"(\w)=(\d)", "/", "[a-z0-9]", "[^a/]"]
REPLACEMENTS = ["", "z", r"\1", r"<\0>", r"\\", r"a\\2b", r"\9\q"]
NUMBERS = {T.INT: ["0", "1", "2", "7", "999999999999999"], T.REAL: ["0.0", "1.5", "2.25", "1000.125"], T.BYTES: ["0B", "5KB", "2MB", "1GB"],
           T.DURATION: ["0s", "1s", "1.5m", "10ms", "1y", "2h", "3d", "1w"]}
STATUS = ["200", "404", "503", "750", "99", "1200"]

#: Parts of the language that no random policy contains, with the reason.
NOT_GENERATED = {
    "inlineC": "is refused in every policy", "token INLINE_C": "as inlineC", "rule inlineC": "as inlineC",
    "module vtc.panic": "ends the process", "module vtc.barrier_sync": "waits for another program",
    "assignment REAL +=": "no variable that can be set is a REAL", "assignment REAL -=": "as +=", "assignment REAL *=": "as +=",
    "assignment REAL /=": "as +=", "assignment TIME +=": "no variable that can be set is a TIME", "assignment TIME -=": "as +=",
    "assignment BYTES +=": "no variable that can be set is BYTES", "assignment BYTES -=": "as +=",
}

#: The same, and functions of the vocabulary that the runtime does not have: a policy that calls one cannot be
#: loaded.
LEFT_OUT = NOT_GENERATED | {f"module {name}": "not in the runtime" for name, item in callables().items()
                            if runtime_library().vernis_harness_function(item.row.symbol.encode()) is None}

#: Functions of ``std`` and of the language to generate, by result.
PURE = {"std.toupper": (T.STRING, [T.STRING]), "std.tolower": (T.STRING, [T.STRING]), "std.strstr": (T.STRING, [T.STRING, T.STRING]),
        "std.round": (T.REAL, [T.REAL]), "std.real2integer": (T.INT, [T.REAL, T.INT]), "std.time2integer": (T.INT, [T.TIME, T.INT]),
        "std.real2time": (T.TIME, [T.REAL, T.TIME]), "std.time2real": (T.REAL, [T.TIME, T.REAL])}
ACTION_ARGUMENTS = {"synth": ["({status})", '({status}, "why")', "({status}, {text})"], "error": ["", "({status})", "({status}, {text})"],
                    "pass": ["", "({duration})"], "fail": ["", '("why")', "({text})"], "vcl": ["(other)"]}
LABELS = frozenset(("other",))

HEAD = """
probe check {{ .url = "/alive"; .interval = 5s; .window = 8; .threshold = 3; .expected_response = 200; .initial = 2; }}
probe spare {{ .request = "GET / HTTP/1.1" "Connection: close"; .timeout = {duration}; }}
backend first {{ .host = "127.0.0.1"; .port = "1"; .connect_timeout = {duration}; .max_connections = 10; {more} }}
backend other {{ .host = "127.0.0.1"; .port = "2"; .host_header = {{"o"}}; }}
backend nowhere none;
acl near {flags}{{ "10.0.0.0"/8; ! "10.1.0.0"/16; "10.1.2.0"/24; "::1"; ("127.0.0.9"); {entry} }}
acl far {{ "192.0.2.0"/24; }}
sub as_value {{ std.log("called as a value"); }}
"""
BACKEND_MORE = ["", "", ".probe = check;", '.probe = { .url = "/own"; .window = 4; .threshold = 2; }', ".preamble = :aGk=:;",
    ".first_byte_timeout = 1m;"]
ACL_ENTRIES = ["", "", '!("127.0.0.8");', '(!"127.0.0.8"/32);', '"2001:db8::"/32;']


class Writer:
    """Writes the text of one hook. ``rng`` may come from hypothesis, which can then shrink every choice."""

    def __init__(self, rng: random.Random, hook: str, version: Version, subs: list[str], steering: Steering) -> None:
        self.rng, self.hook, self.subs, self.bit, self.version = rng, hook, subs, 1 << HOOKS.index(hook), version
        self.quotes, self.in_hook, self.in_condition, self.steering = version >= (4, 1), True, 0, steering
        self.vocabulary = load_vocabulary()
        rows = list(self.vocabulary.variables_of(version).values())
        self.readable = [row for row in rows if row.read & self.bit and row.type is not T.HTTP]
        self.settable = [row for row in rows if row.set & self.bit]
        self.removable = [row for row in rows if row.unset & self.bit]
        self.messages = [row.name for row in rows if row.read & self.bit and row.type is T.HTTP]
        self.modules: set[str] = set()
        self.instances: dict[str, str] = {}

    def part_of(self, other: Writer) -> Writer:
        """A writer of another sub of the same policy."""
        self.modules, self.instances = other.modules, other.instances
        return self

    def constants(self) -> Writer:
        """A writer of vcl_init."""
        return type(self)(self.rng, "vcl_init", self.version, [], self.steering).part_of(self)

    def module(self, name: str) -> str:
        return {"directors": "d"}.get(name, name)

    def message(self) -> str | None:
        return self.rng.choice(self.messages) if self.messages else None

    def field_name(self, changed: bool) -> str | None:
        rows = [row for row in (self.settable if changed else self.readable) if row.type is T.HEADER]
        return self.name(self.rng.choice(rows)) if rows else None

    def name(self, row: VariableRow) -> str:
        if row.name.startswith("storage."):
            return row.name.replace("*", self.rng.choice(["s0", "Transient"]))
        if not row.name.endswith("*"):
            return row.name
        field = self.rng.choice(FIELD_NAMES)
        return row.name[:-1] + (f'"{field}"' if self.quotes and self.rng.random() < 0.1 else field)

    def variable(self, type: Type) -> str | None:
        rows = [row for row in self.readable if row.type is type or type is T.STRING and row.type is T.HEADER]
        return self.name(self.rng.choice(rows)) if rows else None

    def there(self, type: Type, text: str) -> str:
        """The result of a call where a value is needed."""
        return text

    def shown(self, type: Type, text: str) -> str:
        """A statement that logs a value."""
        if self.settable and self.rng.random() < 0.2 and (name := self.field_name(True)):
            return f"set {name} = {text};" if type in (T.STRING, T.HEADER) else f'set {name} = "" + {text};'
        return f"std.log({text});" if type in (T.STRING, T.HEADER) else f'std.log("" + {text});'

    def literals(self, type: Type) -> list[str]:
        return NUMBERS[type]

    def operand(self, type: Type, depth: int) -> str:
        """A value that has its type in every context, in parentheses if it has several parts."""
        if type is T.STRING:
            return f"({self.text(depth)})"
        if type in (T.INT, T.REAL, T.DURATION, T.TIME, T.BYTES, T.IP, T.BOOL):
            found = self.typed(type, depth)
            return f"({found})" if type is T.BOOL else found
        return self.value(type, 0)

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
                found = self.variable(T.IP) if self.rng.random() < 0.6 else None
                return found or 'std.ip("10.1.1.1", resolve = false)'
            case T.BLOB:
                return self.rng.choice([":aGk=:", ":aGk=:", self.variable(T.BLOB) or ":eA==:"])
            case T.STEVEDORE:
                return self.rng.choice(["storage.s0", "storage.Transient", self.variable(T.STEVEDORE) or "storage.s0"])
            case T.BODY:
                return self.text(depth)
            case T.STRANDS:
                return self.text(depth)
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
                return self.called(T.STRING) or f'"" + {self.backend(depth)}'
            case _:
                type = self.rng.choice([T.INT, T.REAL, T.DURATION, T.TIME, T.BYTES, T.BOOL, T.IP, T.BLOB])
                return '"" + ' + (":aGk=:" if type is T.BLOB else f"({self.typed(type, depth - 1)})")

    def callable_names(self) -> list[str]:
        return [name for name, item in callables().items() if item.row.where & self.bit and f"module {name}" not in LEFT_OUT]

    def called(self, type: Type) -> str | None:
        """A call of a module's function with this type, whose value is the same at every call."""
        names = [name for name in self.callable_names() if callables()[name].row.result is type and callables()[name].row.pure
                 and not callables()[name].is_method]
        return call_text(self, self.rng.choice(names), 0) if names and not self.in_condition else None

    def pure(self, type: Type, depth: int) -> str:
        functions = [(name, types) for name, (result, types) in PURE.items() if result is type]
        name, types = self.rng.choice(functions)
        return f"{name}({', '.join(self.value(t, depth - 1) for t in types)})"

    def backend(self, depth: int) -> str:
        found = self.rng.choice(["first", "other", "nowhere", self.variable(T.BACKEND) or "other"])
        return f"{found}.resolve()" if depth and self.rng.random() < 0.2 else found

    def typed(self, type: Type, depth: int) -> str:
        """A value that has the type by itself, in every context."""
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
            made = f"std.bytes(integer = {self.rng.choice(NUMBERS[T.INT])})"
            return made if depth <= 0 else f"({self.typed(type, 0)} {self.bytes_step()})"
        if type is T.IP:
            return found or self.value(T.IP, 0)
        return self.number(type, depth)

    def bytes_step(self) -> str:
        op, right = self.rng.choice([(op, right) for left, op, right in OPERATORS if left is T.BYTES])
        return f"{op} {self.number(right, 0) if right is T.BYTES else self.factor(op, right)}"

    def factor(self, op: str, type: Type) -> str:
        """An operand of `*`, `/` or `%`. It may be zero."""
        return self.typed(type, 0) if self.rng.random() < 0.6 or type is T.REAL else self.rng.choice(NUMBERS[type])

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
            second = self.factor(op, right)
        if right is T.DURATION and left is T.TIME:
            second = f"({self.number(right, depth - 1)})" if rng.random() < 0.5 else rng.choice(NUMBERS[right])
        return f"({first} {op} {second})"

    # ---- conditions

    def truth(self, depth: int) -> str:
        match self.rng.randrange(6):
            case 0:
                return "true"
            case 1:
                return "false"
            case 2:
                return self.variable(T.BOOL) or "true"
            case 3:
                return f"!{self.variable(T.BOOL) or 'false'}"
            case 4:
                return f"({self.variable(T.STRING) or self.quoted(LITERALS)} !~ {self.quoted(PATTERNS)})"
        return self.comparison(depth)

    def comparison(self, depth: int) -> str:
        """A comparison without a minus, which cannot stand where BOOL is expected."""
        self.in_condition += 1
        found = self._comparison(depth)
        self.in_condition -= 1
        return found

    def _comparison(self, depth: int) -> str:
        rng = self.rng
        type = rng.choice(list(COMPARISONS))
        op = rng.choice(COMPARISONS[type])
        if type is T.STRING:
            return f"{self.variable(T.STRING) or self.quoted(LITERALS)} {op} {self.text(0)}"
        if type is T.BOOL:
            return f"{self.variable(T.BOOL) or 'true'} {op} {rng.choice(['true', 'false'])}"
        if type is T.IP:
            found = self.variable(T.IP)
            return f"{found} {op} {self.quoted(ADDRESSES)}" if found else "true"
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
        return "\n".join(self.statement(depth) for _ in range(self.rng.randint(1, 3)))

    def statement(self, depth: int) -> str:
        rng = self.rng
        match rng.randrange(16):
            case 0 | 1 | 2 | 3:
                return self.assignment()
            case 4:
                return call_statement(self, rng.choice(self.callable_names())) or ""
            case 5:
                return f"unset {self.name(rng.choice(self.removable))};" if self.removable else "{ }"
            case 6 | 7:
                return f"std.log({self.text(2)});"
            case 8:
                return self.function()
            case 9 if self.subs:
                return f"call {rng.choice(self.subs)};"
            case 10 if depth < 2:
                return self.ending()
            case 11 if depth:
                return f"{{\n{self.statements(depth - 1)}\n}}"
            case _ if depth:
                return self.conditional(depth - 1)
        return self.assignment()

    def assignment(self, row: VariableRow | None = None, op: str | None = None) -> str:
        if row is None and not self.settable:
            return f"std.log({self.text(1)});"
        row = row or self.rng.choice(self.settable)
        forms = [(form, right) for (type, form), right in ASSIGNMENTS.items() if type is row.type]
        forms += [("=", T.BLOB)] if row.type is T.BODY else [("=", row.type)]
        op, right = self.rng.choice([form for form in forms if op in (None, form[0])])
        if row.name.endswith(".status") and op == "=" and self.rng.random() < 0.7:
            return f"set {row.name} = {self.rng.choice(STATUS)};"
        if row.name.endswith((".method", ".url", ".proto", ".reason")) and self.rng.random() < 0.6:
            return f"set {row.name} {op} {self.quoted(['/b', 'PUT', 'HTTP/1.0', 'ok'])};"
        if row.name.endswith((".filters", ".storage_hint")) and self.rng.random() < 0.8:
            return f"set {row.name} {op} {self.quoted(['gzip', 's0', 'gunzip esi', ''])};"
        return f"set {self.name(row)} {op} {self.value(right, 2)};"

    def function(self) -> str:
        names = [name for name, row in self.vocabulary.functions.items() if row.statement and row.where & self.bit]
        return self.language_call(self.rng.choice(names))

    def language_call(self, name: str) -> str:
        match name:
            case "ban":
                return f"ban({self.quoted(['req.url ~ ^/a', 'obj.http.x == 1', 'nonsense'])});"
            case "hash_data" | "synthetic":
                return f"{name}({self.text(2)});"
        return f"std.log({name}({self.text(1)}, {self.quoted(PATTERNS)}, {self.quoted(REPLACEMENTS)}));"

    def ending(self, action: str | None = None) -> str:
        if action is None and not self.in_hook and self.rng.random() < 0.3:
            return "return;"
        action = action or self.rng.choice(self.vocabulary.hooks[self.hook].actions)
        forms = ACTION_ARGUMENTS.get(action, [""])
        if action == "pass" and self.hook != "vcl_backend_response":
            forms = [""]
        made = self.rng.choice(forms).format(status=self.rng.choice(STATUS), text=self.text(1), duration=self.number(T.DURATION, 1))
        return f"return ({action}{made});"

    def conditional(self, depth: int) -> str:
        arms = [f"if ({self.condition(2)}) {{\n{self.statements(depth)}\n}}"]
        for _ in range(self.rng.choice((0, 0, 1, 2))):
            arms.append(f"{self.rng.choice(['elseif', 'elsif', 'elif', 'else if'])} ({self.condition(2)}) {{\n{self.statements(depth)}\n}}")
        if self.rng.randrange(2):
            arms.append(f"else {{\n{self.statements(depth)}\n}}")
        return " ".join(arms)

    def wanted(self, goals: list[Goal]) -> str:
        """Statements with the goals among them."""
        found = [self.statement(1), *(made for goal in goals if (made := goal.write(self))), self.statement(1)]
        return "\n".join(found)


@dataclass(slots=True, frozen=True)
class Policy:
    hook: str
    version: Version
    text: str
    builtin: bool = True


def random_policy(rng: random.Random, steering: Steering | None = None) -> Policy:
    """A policy of a version and with a hook that allow the least seen goal."""
    steering = steering or Steering()
    goal = steering.next(rng)
    version = rng.choice(goal.versions)
    hook = rng.choice([name for bit, name in enumerate(HOOKS) if goal.hooks >> bit & 1])
    more = steering.more(rng, hook, version)
    main = Writer(rng, hook, version, [], steering)
    lines = []
    subs = [f"part{i}" for i in range(rng.choice((0, 0, 0, 1, 2)))]
    for number, name in enumerate(subs):
        writer = Writer(rng, hook, version, subs[:number], steering).part_of(main)
        writer.in_hook = False
        lines.append(f"sub {name} {{\n{writer.statements(2)}\n}}")
    main.subs = subs
    lines.append(f"sub {hook} {{\n{main.wanted([goal, *more])}\n}}")
    lines += [f"sub {hook} {{\n{main.statements(3)}\n}}"] * (rng.random() < 0.5)
    return Policy(hook, version, "\n".join([_head(rng, main), *lines]), rng.random() < 0.25)


def _head(rng: random.Random, main: Writer) -> str:
    """Everything before the subs."""
    main.modules |= {"std", "directors"}
    place = rng.choice(["", "", ' from "/lib/libvmod_std.so"'])
    imports = [f"import {name}{' as d' if name == 'directors' else place if name == 'std' else ''};" for name in sorted(main.modules)]
    head = HEAD.format(duration=rng.choice(NUMBERS[T.DURATION]), flags=rng.choice(["", "", "-log ", "+log ", "+pedantic ", "-table "]),
                       more=rng.choice(BACKEND_MORE), entry=rng.choice(ACL_ENTRIES))
    made = [f"sub vcl_init {{ {' '.join(main.instances.values())} }}"] if main.instances else []
    return "\n".join([f"vcl {main.version[0]}.{main.version[1]};", *imports, head, *made])
