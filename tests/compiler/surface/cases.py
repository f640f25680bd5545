"""Small policies with one question each. Together they cover the language: each variable in each hook and
use, each action, each pair of types under each operator, each value where each type is expected, forms of
literals, declarations, calls of modules, and each single-token edit of policies that use the whole grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product

from declarations import declarations
from question import HEAD, VERSIONS, Case, in_hook
from vernis.semantics.vocabulary import HOOKS, FunctionRow, load_vocabulary

# ---- variables ---------------------------------------------------------------------------------------------

#: A value of each type, to assign to variables of that type.
PLAIN = {"STRING": '"x"', "HEADER": '"x"', "INT": "1", "REAL": "1.0", "DURATION": "1s", "TIME": "now", "BYTES": "1KB", "BOOL": "true",
         "IP": "client.ip", "BACKEND": "b", "STEVEDORE": "storage.s0", "BODY": '"x"', "BLOB": ":YQ==:", "HTTP": "req"}
NO_VARIABLES = (
    "obj", "req_top", "storage", "storage.s0.name", "storage.nowhere", "storage.nowhere.happy", "sess", "sess.http.X", "local", "client",
    "client.port", "client.http.X", "obj.backend", "obj.body", "resp.ttl", "beresp.ip", "beresp.url", "req.body", "req.hash.x",
    "resp.status.x", "bereq.backend.name", "req.backend_hint.name", "req.http", "req.http.", "resp.url", "req_top.http", "req_top.grace",
    "beresp.backend.name.x", "now.x", "server.port", "remote.port", "local.path", "req.trace", "bereq.task_deadline", "resp.uncacheable",
    "bereq.filters", "req.filters", "obj.filters", "true", "default",
)
FIELDS = (
    "X", "Content-Length", "Transfer-Encoding", "Connection", "Host", "Proxy-Auth", '"X"', '"X.y"', '"x_y"', '"1x"', '""', '"a b"', "x_y",
    "1x", "-x", "x-", "x.y", "_x", '"-x"', '"_x"', '"a:b"', '"a*b"', "a" * 126, "a" * 127, "a" * 255, f'"{"a" * 126}"', f'"{"a" * 127}"',
)


def variables() -> Iterator[Case]:
    rows = {row.name: row.type.value for row in load_vocabulary().variables}
    names = {name.replace("http.*", "http.X").replace("storage.*", "storage.s0"): kind for name, kind in rows.items()}
    names |= dict.fromkeys(NO_VARIABLES, "STRING")
    for version, hook, (name, kind) in product(VERSIONS, HOOKS, names.items()):
        value = PLAIN[kind]
        uses = (f"set {name} = {value};", f"unset {name};", f"std.log({name});", f"if ({name}) {{ }}", f"if ({name} == {value}) {{ }}",
                f"std.rollback({name});" if kind == "HTTP" else f"std.log(blob.encode(blob={name}));")
        for use in uses:
            yield in_hook(use, use, hook, version)
    for hook, (name, kind) in product(HOOKS, names.items()):
        yield in_hook(f"set {name} += {PLAIN[kind]};", f"set {name} += {PLAIN[kind]};", hook)


def assignments() -> Iterator[Case]:
    """Each form of assignment to each variable, with each type of value."""
    for row in load_vocabulary().variables:
        hook = next((hook for hook in ("vcl_deliver", "vcl_synth", "vcl_backend_error", "vcl_backend_response", "vcl_recv")
                     if row.set >> HOOKS.index(hook) & 1), None)
        version = ".".join(map(str, row.versions[1]))
        name = row.name.replace("http.*", "http.X")
        if hook is None:
            continue
        for op, value in product(("=", "+=", "-=", "*=", "/=", "%=", "==", "++", ":=", "<<=", "&=", "|="), values_in(hook)):
            yield in_hook(f"set {name} {op} {value};", f"set {name} {op} {value};", hook, version)


def fields() -> Iterator[Case]:
    for version, message, field in product(VERSIONS, ("req", "bereq", "beresp", "resp", "obj", "req_top"), FIELDS):
        hooks = {"bereq": "vcl_backend_error", "beresp": "vcl_backend_error", "resp": "vcl_deliver", "obj": "vcl_hit"}
        hook = hooks.get(message, "vcl_recv")
        name = f"{message}.http.{field}"
        for use in (f'set {name} = "x";', f"unset {name};", f"std.log({name});", f"std.collect({name});"):
            yield in_hook(use, use, hook, version)


# ---- actions -----------------------------------------------------------------------------------------------

ARGUMENTS = (
    "", "()", "(1)", "(404)", "(99)", "(1000)", "(65536)", "(0)", "(-1)", '(404, "x")', '(404, "x", 1)', '("x")', "(1s)", "(5)", "(404,)",
    "(1.5)", "(404 + 1)", "(labelled)", '("labelled")', "(nowhere)", "(status = 404)", "(true)", "(now)", '(404, 5)', "(404, 1s)",
    "(404, true)", "(404, now)", "(404, client.ip)", "(404, b)", "(404, a)", "(404, :YQ==:)", "(b)", '(404 "x")', '(404, "a" + "b")',
    "(404 404)", "(404s)", "(1 s)", "(std.integer(\"1\", 1))", "(std.duration(\"1\", 1s))", "(std.real(\"1\", 1.0))",
)
NO_ACTIONS = (
    "lookup_", "hit", "miss", "hit_for_pass", "discard", "connect", "call", "Fetch", "RESTART", "req.url", '"pass"', "5", "ok_",
)


def actions() -> Iterator[Case]:
    found = [*load_vocabulary().actions, *NO_ACTIONS]
    for hook in HOOKS:
        for action, arguments in product(found, ARGUMENTS):
            yield in_hook(f"return ({action}{arguments});", f"return ({action}{arguments});", hook)
        for form in ("return;", "return ();", "return", "return ok;", "return (ok)", "Return (ok);", "return(ok);", "return (ok));",
                "return ((ok));",
                     "restart;", "retry;", "fail;", "error;", "error 404;", 'error 404 "x";', "fail();", "restart();", "synthetic(\"x\");",
                     "purge;",
                     "purge();", "esi;", "rollback;", "panic;", "hash_data(\"x\");", "hash_data(5);", 'ban("x");', 'ban_url("x");',
                     "return (ok) ;",
                     "return (fail); return (fail);", "return (fail); set req.url = \"x\";"):
            yield in_hook(form, form, hook)
            yield in_hook(f"{form}   in a sub", "call t;", hook, more=f"sub t {{ {form} }}\n")
        for helper in re.findall(r"^sub (vcl_(?!recv|init|fini)\w*_\w+)", BUILTIN_HELPERS, re.M):
            for form in ("return;", "return (fail);", f"call {helper};", "set req.http.X = \"x\";", "set bereq.http.X = \"x\";",
                         "set beresp.http.X = \"x\";", "set resp.http.X = \"x\";", "return (deliver);", "return (synth(400));",
                         "return (pass);"):
                if hook == "vcl_recv":
                    yield in_hook(form, form, helper)
            yield in_hook(f"call {helper};", f"call {helper};", hook)
    for action in found:
        yield in_hook(f"return ({action}); in a sub", "call t;", more=f"sub t {{ return ({action}); }}\n")
        yield Case(f"return ({action}); in a sub nobody calls", f"{HEAD.format(version='4.1')}sub t {{ return ({action}); }}\n")


BUILTIN_HELPERS = "\n".join(f"sub vcl_{name} {{ }}" for name in (
    "builtin_recv", "builtin_pipe", "builtin_pass", "builtin_hash", "builtin_purge", "builtin_miss", "builtin_hit", "builtin_deliver",
    "builtin_synth", "builtin_backend_fetch", "builtin_backend_response", "builtin_backend_error", "builtin_nowhere", "builtin_init",
    "req_host",
    "req_method", "req_authorization", "req_cookie", "beresp_stale", "beresp_cookie", "beresp_control", "beresp_vary", "beresp_hitmiss",
    "beresp_nowhere"))


# ---- values and operators ----------------------------------------------------------------------------------

#: Values by type, the plainest first. They are legal in hooks of the client side unless noted otherwise.
VALUES: dict[str, tuple[str, ...]] = {
    "STRING": ('"1"', "req.url", 'std.toupper("x")', "req.url.upper()", '{"x"}', '"192.0.2.1"'),
    "HEADER": ("req.http.X",),
    "INT": ("1", "req.restarts", "std.integer(\"1\", 1)", "-1"),
    "REAL": ("1.5", "std.random(0, 1)", "-1.5"),
    "DURATION": ("1s", "req.ttl", "-1s", "2m"),
    "TIME": ("now", "std.real2time(1.0, now)"),
    "BYTES": ("1KB", "storage.s0.free_space", "2m"),
    "BOOL": ("true", "req.can_gzip", 'std.file_exists("x")'),
    "IP": ("client.ip", 'std.ip("192.0.2.1", client.ip)'),
    "BACKEND": ("b", "req.backend_hint", "i.backend()", "default"),
    "ACL": ("a",),
    "PROBE": ("p",),
    "STEVEDORE": ("storage.s0", "req.storage"),
    "BLOB": (":YQ==:", "j.get()", "::"),
    "HTTP": ("req",),
    "SUB": ("s", "vcl_recv"),
    "INSTANCE": ("i",),
    "VOID": ('std.log("x")',),
    "MODULE": ("std", "std.log"),
    "NONE": ("", "nowhere", "LOWER", "i.backend", "std.nowhere()", "nowhere()", ".5", "*"),
}
OPERATORS = ("+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "~", "!~", "&&", "||", "", "=", "&", "|", "<>", ",")
UNARY = ("", "-", "!", "+", "--", "!!", "- -", "-!", "!-")

#: Statements that expect each type. All are legal in vcl_deliver or vcl_recv.
CONTEXTS = {
    "STRING": "set req.http.X = {};", "BOOL": "if ({}) {{ }}", "INT": "set resp.status = {};", "DURATION": "set req.ttl = {};",
    "TIME": 'std.log(std.strftime({}, "%s"));', "REAL": "std.log(std.round({}));", "BYTES": "std.log(std.cache_req_body({}));",
    "STRANDS": "std.log({});", "IP": "std.log(std.port({}));", "BACKEND": "set req.backend_hint = {};",
}
MORE_CONTEXTS = {
    "STRING argument": 'std.log(std.strstr({}, "x"));', "BOOL argument": "std.late_100_continue({});",
    "BOOL set": "set req.hash_always_miss = {};",
    "URL set": "set req.url = {};", "BLOB": "std.log(blob.length({}));", "HEADER": "std.collect({});", "HTTP": "std.rollback({});",
    "REGEX": 'std.log(regsub("x", {}, "y"));', "REGEX argument": "std.log(cookie.get_re({}));",
    "REGSUB text": 'std.log(regsub({}, "y", "y"));',
    "REGSUB new": 'std.log(regsub("x", "y", {}));', "ENUM": "std.log(blob.encode({}, blob=:YQ==:));", "match": "if (req.url ~ {}) {{ }}",
    "match ip": "if (client.ip ~ {}) {{ }}", "matched": 'if ({} ~ "x") {{ }}', "matched acl": "if ({} ~ a) {{ }}", "ban": "ban({});",
    "std.ban": "if (std.ban({})) {{ }}", "STEVEDORE": "set req.storage = {};", "call": "call {};", "return": "return ({});",
    "unset": "unset {};",
    "synth": "return (synth({}));", "synth text": "return (synth(404, {}));", "fail": "return (fail({}));", "statement": "{};",
    "healthy": "std.log(std.healthy({}));", "else if": "if (true) {{ }} elsif ({}) {{ }}", "append": "set req.http.X += {};",
    "parenthesised": "set req.http.X = ({});", "duration argument": 'std.log(std.duration("1", {}));',
    "int argument": "std.syslog({}, \"x\");",
    "time argument": "std.log(std.time2integer({}, 1));", "director": "std.log(i.add_backend({}));",
    "identity": "set client.identity = {};",
    "named": 'std.log(std.strstr(s1 = {}, s2 = "x"));', "new": "new k = {};", "sess": "set sess.timeout_idle = {};",
    "filters": "set resp.filters = {};", "lookup": "set req.backend_hint = directors.lookup({});",
    "resolve": "set req.backend_hint = {}.resolve();",
    "upper": "set req.http.X = {}.upper();", "lower": "set req.http.X = {}.lower();", "none": "set req.http.X = {}.nowhere;",
    "happy": "set req.http.X = {}.happy;",
}


def values_in(hook: str) -> list[str]:
    """The plainest value of each type, for a hook of either side."""
    backend = "backend" in hook
    names = {"req.url": "bereq.url", "req.http.X": "bereq.http.X", "req.restarts": "bereq.retries", "req": "bereq"}
    found = [value for values in VALUES.values() for value in values[:2]]
    return [names.get(value, value) for value in found if not backend or value in names or "req" not in value]


def operators() -> Iterator[Case]:
    """Each operator between plain values of all types, in a context of each type."""
    plain = [value for values in VALUES.values() for value in values[:2]]
    for (context, form), op, left, right in product(CONTEXTS.items(), OPERATORS, plain, plain):
        expression = f"{left} {op} {right}"
        yield in_hook(f"{expression}   as {context}", form.format(expression), "vcl_deliver")


def signs() -> Iterator[Case]:
    """Signs, parentheses and chains."""
    everything = [value for values in VALUES.values() for value in values]
    for (context, form), sign, value in product((CONTEXTS | MORE_CONTEXTS).items(), UNARY, everything):
        for expression in (f"{sign}{value}", f"{sign}({value})", f"({sign}{value})"):
            yield in_hook(f"{expression}   as {context}", form.format(expression), "vcl_deliver")


CHAIN_VALUES = ("1", "1.5", "1s", "now", "req.ttl", "req.restarts", '"x"', "req.http.X", "true", "1KB", "client.ip", "std.random(0, 1)")
CHAIN_OPERATORS = ("+", "-", "*", "==", "<", "~", "&&")


def chains() -> Iterator[Case]:
    """Three values: precedence of operators, and the types of intermediate results."""
    for context in ("STRING", "BOOL", "DURATION", "TIME", "REAL", "INT"):
        for first, op, second, other, third in product(CHAIN_VALUES[:9], CHAIN_OPERATORS, CHAIN_VALUES[:9], CHAIN_OPERATORS[:5],
                CHAIN_VALUES[:7]):
            expression = f"{first} {op} {second} {other} {third}"
            yield in_hook(f"{expression}   as {context}", CONTEXTS[context].format(expression), "vcl_deliver")
    for context, op, second, form in product(("STRING", "BOOL", "DURATION", "TIME"), CHAIN_OPERATORS, CHAIN_VALUES,
            ("({0}) {1} {2}", "{0} {1} ({2})", "!{0} {1} {2}", "{0} {1} !{2}", "-{0} {1} {2}", "{0} {1} -{2}", "!({0} {1} {2})",
                "-({0} {1} {2})",
             "({0} {1} {2})", "(({0} {1} {2}))", "({0} {1} {2}) {1} {0}", "{0} {1} ({2} {1} {0})", "{0} {1} {2}.lower()",
             "({0} {1} {2}).lower()")):
        for first in CHAIN_VALUES:
            expression = form.format(first, op, second)
            yield in_hook(f"{expression}   as {context}", CONTEXTS[context].format(expression), "vcl_deliver")


# ---- literals ----------------------------------------------------------------------------------------------

DIGITS = (
    "0", "1", "00", "01", "0x10", "010", "1.", ".5", "1.5", "01.50", "1.5.5", "1e3", "1.5e3", "1E3", "1_000", "-0", "- 1", "--1", "+1",
    "-1", "-1.5", "1,5", "999999999999999", "1000000000000000", "0000000000000001", "9007199254740993", "99999999999999999999",
    "-999999999999999", "-1000000000000000", "1.123", "1.1234", "123456789012.123", "1234567890123.1", "123456789012345.0",
    "1234567890123456.0", "999999999999.999", "1000000000000.0", "0.000", "0.0001", "1 .5", "1. 5", "1 5", "1.5 5", "inf", "nan", "1f",
    "1l", "1u", "0b1", "0o7", "4294967296", "2147483648", "9223372036854775808", "0.1234567890", "1.0000", "000000000000001.5",
    "1.000000000000000",
)
UNITS = (
    "ms", "s", "m", "h", "d", "w", "y", "us", "ns", "MS", "S", "M", "H", "D", "W", "Y", "sec", "min", "b", "kb", "mb", "gb", "tb", "pb",
    "eb", "B", "KB", "MB", "GB", "TB", "PB", "K", "G", "T", "P", "k", "g", "t", "p", "kB", "Kb", "KiB", "%", "s s", "ss", "s5", "s.s",
    "5s", "x",
)
QUANTITIES = (
    "1", "0", "1.5", "-1", "1.", "0.001", "1.1234", "999999999999999", "9999999999999999", "999999999999.0", "-1.5", "1 ", "1 /* x */ ",
    "- 1",
)
TEXTS = (
    '""', '"a"', '"a" "b"', '"a""b"', '"a" + "b"', '"a"+"b"', '"a\\"b"', '"a\\nb"', '"a\\\\"', '"%20"', '"%"', '"%u0041"', '"%s %n"',
    '"a\nb"', '"a\rb"', '"a\tb"', '"a\x01b"', '"a\x00b"', '"a\x7fb"', '"\xe9"', '"\xc3\xa9"', '"\xff\xfe"', '{""}', '{"a"}', '{"a"b"}',
    '{"a\nb"}', '{"a}"}', '{"a""}', '{ "a" }', '{"a" }', '{"', '{"a', '{"a"', '"""a"""', '""" """', '""""""', '"""a"b"""', '"""a""b"""',
    '"""a\nb"""', '"""a""""', '""""a"""', '"""a', '"""a""', '"a', '"', "'a'", "`a`", "a", "''", '{"a"} {"b"}', '{"a"} "b"', '"a" {"b"}',
    '"a" + {"b"} + """c"""', '"' + "a" * 300 + '"', '"' + "a" * 10000 + '"', '{"' + "a" * 70000 + '"}', '{"/* */"}', '"/* */"', '"#"',
    '"//"', '"a" /* x */ + "b"', '"a" + # x\n "b"', '"a" // x\n', ":YQ==:", ":YWI=:", ":YWJj:", ":YQ=:", ":YQ:", ":Y:", "::", ":YQ== :",
    ":Y Q==:", ":YQ==", ":YQ==YQ==:", ":a-_b:", ":!!!!:", ':"YQ==":', '{"\x00"}', '{"\r\n"}', '"??/"', '{"}', '{"a"};{"b"}', 'L"a"',
    'r"a"', '""a""', '"a";"b"', '"a" +', '+ "a"', '"a" + + "b"', '"a" "b" "c"', '"a" req.url', 'req.url "a"', 'req.url + "a"',
    'req.url req.url', '"a" + 5', '"a" 5', '5 "a"', 'now "a"', '"a" now', '"1" + 1s', '("a")', '("a" + "b")', '("a") + ("b")',
    '("a") "b"', '(("a"))', '()', '("a"', '"a")', '("a" "b")', 'true', 'false', 'True', 'TRUE', 'null', 'none', '"192.0.2.1"',
    '"[::1]:80"', '"::1"', '"127.0.0.1:80"', '"127.0.0.1 80"', '"1.2.3"', '"1"', '"0x7f.1"', '"localhost"', '"nowhere.invalid"',
    '"256.1.1.1"', '"::ffff:1.2.3.4"', '"1.2.3.4/8"', '"1.2.3.4:99999"', '"1.2.3.4:x"', '"1.2.3.4:http"', '"fe80::1%lo"', '" 1.2.3.4"',
    '"1.2.3.4 "', '"1.2.3.4:"', '"[1.2.3.4]"', '"[1.2.3.4]:80"', '"[::1]"', '"::1:80"', '":80"',
)
PATTERNS = (
    '"("', '")"', '"["', '"*"', '"a{2,1}"', '"a{1000000}"', '"(?i)a"', '"(?P<n>a)"', '"\\d"', '"\\"', '"\\1"', '"(a)\\1"', '"(?<=a+)b"',
    '"(*UTF)a"', '"\\x{100}"', '"[[:alpha:]]"', '"[[:nope:]]"', '"\\K"', '"(?C1)"', '"a" + "b"', '("a")', '{"a"}', '"""a"""', '"a" "b"',
    'req.url', 'a', 'b', '5', '""', '"\\Q(\\E"', '"\\p{L}"', '"\\p{Nope}"', '"(?R)"', '"(?1)"', '"a++"', '"(?>a)"', '"(?#x)"', '"\xe9"',
    '"\\C"', '"\\N{U+41}"', '"(?|a)"', '"[a-\\d]"', '"[z-a]"', '"\\u0041"', '"\\c"', '"(?"', '"a|*"', '"(?<n>a)(?<n>b)"', '"\\8"',
    '"\\g{2}"', '"(*FAIL)"', '"(*NOPE)"', '"a" + req.url', '"a" + ("b")', '-"a"', '!"a"', 'true', '"' + "(" * 260 + ")" * 260 + '"',
    '"' + "a" * 70000 + '"', '"[a"', '"(?i"', '"\\L"', '"\\U"', '"\\l"', '"a{,3}"', '"\\o{8}"', '"\\xg"', '"(?-i)"', '"(?x) a # b"',
    '"(*LIMIT_MATCH=1)a"', '"(?(1)a)"', '"(?(DEFINE)a)"', '"(?<1a>b)"', '"\\G"',
)


def literals() -> Iterator[Case]:
    numeric = {name: CONTEXTS[name] for name in ("STRING", "BOOL", "INT", "DURATION", "TIME", "REAL", "BYTES")} | {
        "size of a blob": "std.log(blob.length(blob.sub(:YQ==:, {})));", "time argument": 'std.log(std.duration("1", {}));',
        "added": "set req.ttl = req.ttl + {};",
        "compared": "if (req.ttl > {}) {{ }}", "compared size": "if (storage.s0.free_space > {}) {{ }}",
        "compared number": "if (req.restarts == {}) {{ }}",
        "pass": "return (pass({}));", "synth": "return (synth({}));", "real argument": "std.log(std.real2integer({}, 1));",
        "weight": "i.add_backend({});",
        "multiplied": "set req.ttl *= {};", "subtracted": "set req.ttl -= {};", "times": "set req.ttl = req.ttl * {};",
        "shifted": "std.log(now + {});"}
    for (context, form), digits in product(numeric.items(), DIGITS):
        yield in_hook(f"{digits}   as {context}", form.format(digits), "vcl_deliver")
    for (context, form), number, unit in product(numeric.items(), QUANTITIES, UNITS):
        yield in_hook(f"{number}{unit}   as {context}", form.format(number + unit), "vcl_deliver")
    for (context, form), text in product((CONTEXTS | MORE_CONTEXTS | {"compared address": "if (client.ip == {}) {{ }}",
            "compared text": "if (req.url == {}) {{ }}", "hint": 'std.log(std.ip({}, client.ip));'}).items(), TEXTS):
        yield in_hook(f"{text[:60]!r}   as {context}", form.format(text), "vcl_deliver")
    for pattern in PATTERNS:
        for form in ("if (req.url ~ {}) {{ }}", "if (req.url !~ {}) {{ }}", 'std.log(regsub(req.url, {}, ""));',
                'std.log(regsuball(req.url, {}, ""));',
                     'std.log(regsub(req.url, "x", {}));', "std.log(cookie.get_re({}));", "if (req.http.X ~ {}) {{ }}",
                     'if (req.url ~ {} && true) {{ }}',
                     'if ((req.url) ~ {}) {{ }}', 'if (req.url + "x" ~ {}) {{ }}', 'if (req.restarts ~ {}) {{ }}',
                     'if (req.url ~ {} == true) {{ }}',
                     'std.log(req.url ~ {});', 'set req.hash_always_miss = req.url ~ {};', 'if (("a") ~ {}) {{ }}', 'if ("a" ~ {}) {{ }}'):
            yield in_hook(f"{pattern[:60]!r}   as {form}", form.format(pattern), "vcl_deliver")


# ---- statements --------------------------------------------------------------------------------------------

STATEMENTS = (
    ";", "{ }", "{ ; }", "{ set req.url = \"x\"; }", "{ { } }", "if (true) { } else { }", "if (true) { } elseif (true) { }",
    "if (true) { } elsif (true) { }", "if (true) { } elif (true) { }", "if (true) { } else if (true) { }",
    "if (true) { } else elseif (true) { }", "if (true) { } elseif { }", "if (true) { } else (true) { }",
    "if (true) { } else { } else { }", "if (true) { } else { } elsif (true) { }", "if true { }", "if (true) set req.url = \"x\";",
    "if (true) { };", "if (true) { } ;", "if () { }", "if (true) { } else ;", "else { }", "if(true){}", "IF (true) { }", "If (true) { }",
    "if (true) { } ELSE { }", "if (true) { } Else { }", "if (true) { } ELSIF (true) { }", "if ((true)) { }",
    "if (true) { if (false) { } }", "if (true)", "if (true) {", "if (true) { } }", "if (true) { } else", "set req.url = \"x\"",
    "set req.url \"x\";", "set req.url = \"x\";;", "set = \"x\";", "set req.url = ;", "set req.url;", "set;", "SET req.url = \"x\";",
    "Set req.url = \"x\";", "set REQ.URL = \"x\";", "set Req.Url = \"x\";", "set req . url = \"x\";", "set req.url = REQ.URL;",
    "set req.http.X = Req.Http.X;", "unset req.http.X", "unset;", "unset req.http.X, req.http.Y;", "UNSET req.http.X;",
    "remove req.http.X;", "unset req.http;", "call s", "call s();", "call;", "call nowhere;", "call vcl_recv;", "call vcl_hash;",
    "call vcl_deliver;", "call a;", "call b;", "call std.log;", "call std.log(\"x\");", "call \"s\";", "CALL s;", "call S;", "s;", "s();",
    "std.log(\"x\")", "std.log(\"x\");;", "std.log \"x\";", "std.log;", "std;", "std.log(\"x\").x;", "STD.LOG(\"x\");", "Std.Log(\"x\");",
    "std.toupper(\"x\");", "std.random(0, 1);", "std . log(\"x\");", "std.log (\"x\");", "std.log(\"x\",);", "std.log(,\"x\");",
    "std.log();", "i.backend();", "i.backend;", "i;", "i.add_backend(b);", "i.nowhere();", "req.url;", "req.url = \"x\";", "\"x\";", "5;",
    "true;", "(true);", "regsub(\"a\", \"b\", \"c\");", "b;", "b.resolve();", "std.healthy(b);", "new k = directors.round_robin();",
    "new;", "new k;", "new k = ;", "new k = directors;", "new k = directors.nowhere();", "new k = std.log(\"x\");",
    "new k = directors.round_robin;", "new k = directors.round_robin() ;", "new i = directors.round_robin();",
    "new b = directors.round_robin();", "new req = directors.round_robin();", "new std = directors.round_robin();",
    "new vcl_k = directors.round_robin();", "new k-k = directors.round_robin();", "new k.k = directors.round_robin();",
    "new k_k = directors.round_robin();", "new 5 = directors.round_robin();", "new if = directors.round_robin();",
    "new set = directors.round_robin();", "new default = directors.round_robin();", "new k = directors.hash(); k.add_backend(b, 1.0);",
    "new k = directors.hash(); k.add_backend(b, weight = 1.0);", "new k = directors.hash(); k.add_backend(backend = b);",
    "new k = directors.hash(); k.add_backend(b, weight = 1);", "new k = directors.random(); k.add_backend(b);",
    "new k = directors.random(); k.add_backend(b, 1);", "new k = directors.fallback(sticky = true);", "new k = directors.fallback(1);",
    "new k = directors.fallback(true);", "new k = directors.fallback(nowhere = true);",
    "new k = directors.shard(); k.add_backend(b, rampup = 1s);", "new k = directors.round_robin(); k.add_backend(k.backend());",
    "k.add_backend(b); new k = directors.round_robin();",
    "new k = directors.round_robin(); new l = directors.round_robin(); l.add_backend(k.backend());",
    "new k = directors.round_robin(); k.add_backend(k);", "if (true) { new k = directors.round_robin(); }",
    "NEW k = directors.round_robin();", "new k = DIRECTORS.ROUND_ROBIN();", "new K = directors.round_robin(); k.add_backend(b);",
    "new k = blob.blob(HEX, \"61\");", "new k = blob.blob(encoded = \"61\");", "new k = blob.blob(\"61\");", "new k = blob.blob(HEX);",
    "new k = blob.blob(NOWHERE, \"x\");", "new k = directors.round_robin(1);", "include \"nowhere.vcl\";", "include;", "include nowhere;",
    "include \"nowhere.vcl\"", "import std;", "import std", "C{ int x; }C", "C{ }C;", "# x\n", "// x\n", "/* x */", "/* x", "/* /* */",
    "/* // */", "# /*\n", "/**/", "/*/ */", "*/", "//", "#", "set req.url = \"x\"; # x", "goto x;", "switch (req.url) { }",
    "while (true) { }", "let x = 5;", "declare local var.x INTEGER;", "@", "$", "\\", "[", "]", "?", "set req.url = req.url?;",
    "set req.http.X = req.url[0];", "\x00", "\x01", "\x7f", "\xe9", "\xa0", "set req.http.X = \"a\" + (\"b\" + \"c\");",
    "set req.http.X = (req.url);", "set req.http.X = (1 + 2) + \"x\";", "set req.http.X = 1 + 2;", "set req.http.X = true;",
    "set req.http.X = !true;", "set req.http.X = (req.url == \"x\");", "set req.http.X = req.url == \"x\";",
    "set req.http.X = req.url ~ \"x\";", "set req.http.X = true && false;", "set req.http.X = (true && false);",
    "set req.http.X = \"x\" && \"y\";", "set req.http.X = a;", "set req.http.X = s;", "set req.http.X = std;",
    "set req.backend_hint = i;", "set req.backend_hint = i.backend();", "set req.backend_hint = b.x;", "set req.backend_hint = \"b\";",
    "set req.backend_hint = default;", "set req.backend_hint = DEFAULT;", "set req.backend_hint = B;", "set req.backend_hint = nowhere;",
    "set req.backend_hint = none;", "set req.backend_hint = (b);", "set req.hash_always_miss = 1;",
    "set req.hash_always_miss = req.http.X;", "set req.hash_always_miss = (req.http.X);", "set req.hash_always_miss = !req.http.X;",
    "set req.hash_always_miss = \"true\";", "set req.hash_always_miss = req.http.X && true;", "set req.grace = 10;",
    "set req.grace = \"10s\";", "set req.grace = 10s + 5;", "set req.grace = 10s * 2;", "set req.grace = 2 * 10s;",
    "set req.grace = 10s / 2;", "set req.grace = 10s * 1.5;", "set req.grace = 1.5 * 10s;", "set req.grace = now;",
    "set req.grace = now - now;", "set req.grace = (10s);", "set req.grace = (10s + 1s) * 2;", "set req.grace = 10s-5s;",
    "set req.grace = 10s -5s;", "set req.grace = 10s- 5s;", "set req.grace = req.ttl-5s;", "set req.grace = req.ttl -5s;",
    "set req.storage = s0;", "set req.storage = storage.s0;", "set req.storage = storage.Transient;", "set req.storage = storage.S0;",
    "set req.storage = storage.nowhere;", "set req.storage = \"s0\";", "set req.storage = STORAGE.s0;",
    "if (req.storage == storage.s0) { }", "if (client.ip ~ a && client.ip !~ a) { }", "if (a ~ client.ip) { }",
    "if (client.ip == server.ip) { }", "if (client.ip < server.ip) { }", "if (req.url ~ a) { }", "if (\"192.0.2.1\" ~ a) { }",
    "if (std.ip(req.url, client.ip) ~ a) { }", "if (client.ip ~ \"192.0.2.1\") { }", "if (client.ip ~ A) { }",
    "if (client.ip == \"192.0.2.1\") { }", "if (\"192.0.2.1\" == client.ip) { }", "if (req.backend_hint == b) { }",
    "if (b == req.backend_hint) { }", "if (req.backend_hint == \"b\") { }", "if (req.backend_hint == i.backend()) { }", "if (b) { }",
    "if (!b) { }", "if (a) { }", "if (req.http.X == req.http.Y) { }", "if (req.http.X != \"\") { }", "if (req.http.X == 5) { }",
    "if (req.restarts == \"0\") { }", "if (req.restarts > 0) { }", "if (req.restarts > 0.5) { }", "if (0 < req.restarts) { }",
    "if (req.restarts) { }", "if (!req.restarts) { }", "if (req.ttl > 5) { }", "if (req.ttl > 5s) { }", "if (req.ttl) { }",
    "if (now) { }", "if (now > req.time) { }", "if (now > 5s) { }", "if (now + 5s > req.time) { }", "if (req.time + 5s < now) { }",
    "if (std.random(0, 1) < 0.5) { }", "if (std.random(0, 1) < 1) { }", "if (std.random(0, 1)) { }", "if (1 < std.random(0, 1)) { }",
    "if (req.can_gzip == true) { }", "if (true == req.can_gzip) { }", "if (req.can_gzip != req.esi) { }",
    "if (req.http.X && !req.http.Y || req.http.Z) { }", "if ((req.http.X || req.http.Y) && req.http.Z) { }", "if (!(req.http.X)) { }",
    "if (!!req.http.X) { }", "if (! req.http.X) { }", "if (not req.http.X) { }", "if (req.http.X and req.http.Y) { }",
    "if (req.http.X ~ \"a\" ~ \"b\") { }", "if (req.url == \"a\" + \"b\") { }", "if (req.url + \"a\" == \"b\") { }",
    "if (\"a\" == req.url) { }", "if (\"a\" == \"a\") { }", "if (\"a\") { }", "if (\"\") { }", "if (5) { }", "if (1 == 1) { }",
    "if (1 + 1 == 2) { }", "if (1 + 1) { }", "if (5s) { }", "if (1.5) { }", "if (1KB) { }", "if (true + 1) { }",
    "if (storage.s0.happy) { }", "if (storage.s0.free_space > 1MB) { }", "if (storage.s0.free_space > 1000) { }",
    "set req.http.X = storage.s0.free_space;", "set req.http.X = storage.s0;", "set req.http.X = req.storage.happy;",
    "set req.http.X = req.storage;", "set req.http.X = req.backend_hint;", "set req.http.X = b;", "set req.http.X = client.ip;",
    "set req.http.X = now;", "set req.http.X = req.hash;", "set req.http.X = :YQ==:;", "set req.http.X = req;", "set req.http.X = p;",
    "set req.http.X = default;", "set req.http.X = now + 5s;", "set req.http.X = now - 5s;", "set req.http.X = now - now;",
    "set req.http.X = now * 2;", "set req.http.X = 5s * 2;", "set req.http.X = 5s + 5;", "set req.http.X = 5 + 5s;",
    "set req.http.X = 5KB + 5KB;", "set req.http.X = 5KB * 2;", "set req.http.X = 5KB + 5;", "set req.http.X = 1 / 0;",
    "set req.http.X = 5 % 2;", "set req.http.X = 5.5 % 2;", "set req.http.X = 5 / 2.0;", "set req.http.X = 5 * 2.0;",
    "set req.http.X = 5 - 2.0;", "set req.http.X = -req.restarts;", "set req.http.X = -(5);", "set req.http.X = - 5;",
    "set req.http.X = +5;", "set req.http.X = 5 -3;", "set req.http.X = 5-3;", "set req.http.X = 5 - -3;", "set req.http.X = 5--3;",
    "set req.http.X = -\"5\";", "set req.http.X = req.url.upper();", "set req.http.X = req.url.lower().upper();",
    "set req.http.X = \"x\".upper();", "set req.http.X = (\"x\").upper();", "set req.http.X = (\"x\" + req.url).upper();",
    "set req.http.X = req.url.UPPER();", "set req.http.X = req.url.upper;", "set req.http.X = req.url.nowhere();",
    "set req.http.X = req.http.Y.upper();", "set req.http.X = req.http.\"Y\".upper();", "set req.http.X = req.restarts.upper();",
    "set req.http.X = 5.upper();", "set req.http.X = now.upper();", "set req.http.X = req.url.upper() + \"x\";",
    "set req.http.X = std.toupper(\"x\").lower();", "set req.http.X = b.resolve();", "set req.http.X = req.backend_hint.resolve();",
    "set req.http.X = i.backend().resolve();", "set req.http.X = req.backend_hint.resolve().resolve();",
    "set req.http.X = regsub(req.url, \"a\", \"b\").upper();", "set req.url = req.http.X.lower();", "set req.http.X = req.url.upper ();",
    "set req.http.X = req.url .upper();", "set req.http.X = req.url. upper();", "set req.http.X = std.tolower(req.url + \"x\" + 5);",
    "set req.http.X = std.tolower(\"a\" \"b\");", "set req.http.X = std.tolower(\"a\", \"b\");", "hash_data(req.url, \"x\");",
    "hash_data(req.url + 5);", "hash_data();", "hash_data(;", "ban(\"x\", \"y\");", "ban(req.url == \"x\");",
    "ban(\"obj.http.X == \" + req.url);", "ban(req.http.X ~ \"x\");", "ban();", "ban req.url;", "set req.http.X = ban(\"x\");",
    "set req.http.X = hash_data(\"x\");", "set req.http.X = regsub(req.url, \"a\");",
    "set req.http.X = regsub(req.url, \"a\", \"b\", \"c\");", "set req.http.X = regsub();",
    "set req.http.X = regsub(req.url, req.url, \"b\");", "set req.http.X = regsub(req.url \"a\", \"b\");",
    "set req.http.X = regsub(now, \"a\", 5);", "set req.http.X = REGSUB(req.url, \"a\", \"b\");",
    "set req.http.X = regsub(str = req.url, regex = \"a\", sub = \"b\");", "set req.http.X = regsub(req.url, \"a\", sub = \"b\");",
    "synthetic(\"x\");", "synthetic(\"x\", \"y\");", "synthetic();", "synthetic \"x\";", "synthetic({\"x\"} + 5 + now);",
    "set resp.body = \"x\";", "set req.http.X += \"x\";", "set req.url += \"x\";", "set req.url += 5;", "set req.http.X -= \"x\";",
    "set req.grace += 5s;", "set req.grace += 5;", "set req.grace -= 5s;", "set req.grace *= 2;", "set req.grace *= 2.0;",
    "set req.grace *= 2s;", "set req.grace /= 2;", "set req.grace /= 2.0;", "set req.grace += req.grace;",
    "set req.hash_always_miss += true;", "std.log(req.http.X std.toupper(\"x\"));",
    "std.log(\"a\" + \"b\" + \"c\" + 1 + 1s + now + true + b + client.ip);", "std.collect(req.http.X, \", \");", "std.collect(\"X\");",
    "std.collect(req.url);", "std.collect(obj.http.X);", "std.collect(req.http.X, sep = \";\");", "std.collect(hdr = req.http.X);",
)


def statements() -> Iterator[Case]:
    for statement, hook in product(STATEMENTS, ("vcl_recv", "vcl_deliver", "vcl_backend_response", "vcl_hash", "vcl_init", "vcl_fini",
            "vcl_synth")):
        yield in_hook(statement, statement, hook)
        if hook == "vcl_recv":
            yield in_hook(statement, statement, hook, "4.0")
            yield in_hook(f"{statement}   in a sub that is called", "call t;", more=f"sub t {{ {statement} }}\n")
            yield Case(f"{statement}   in a sub that is not called", f"{HEAD.format(version='4.1')}sub t {{ {statement} }}\n")


# ---- calls of modules --------------------------------------------------------------------------------------

MODULES = ("std", "directors", "blob", "cookie", "purge", "unix", "proxy", "vtc")
ARGUMENT = PLAIN | {"STRANDS": '"x"', "REGEX": '"x"', "HEADER": "req.http.X", "ACL": "a", "PROBE": "p", "SUB": "s"}


def argument_of(type_: str, values: tuple[str, ...]) -> str:
    return values[0] if values else ARGUMENT[type_]


def calls_of(row: FunctionRow) -> Iterator[str]:
    """Arguments in every order and number, each of them once with each other type."""
    params = [(param.name, argument_of(param.type.value, param.values)) for param in row.params]
    positional = [value for _, value in params]
    for count in range(len(params) + 2):
        yield ", ".join([*positional, '"x"'][:count])
    named = [f"{name} = {value}" for name, value in params]
    yield ", ".join(reversed(named))
    for count in range(len(params) + 1):
        yield ", ".join(positional[:count] + named[count:])
        yield ", ".join(positional[:count] + named[count:][::-1])
        yield ", ".join(positional[:count] + named[max(count - 1, 0):])
        yield ", ".join(named[:count] + positional[count:])
    for index, name in enumerate(named):
        yield name
        yield ", ".join([*positional[:index], *positional[index + 1:]])
        yield ", ".join([*named[:index], *named[index + 1:]])
        yield ", ".join([*positional[:index], name.upper()])
        yield ", ".join([*positional[:index], name.replace("=", "")])
    yield from (", ".join([*positional[:-1], "nowhere = 1"]), ", ".join([*positional, "nowhere = 1"]), ",", ", ".join(positional) + ",")
    for index, _ in enumerate(params):
        for values in VALUES.values():
            for value in values[:2]:
                yield ", ".join([*positional[:index], value, *positional[index + 1:]])
                yield ", ".join([*positional[:index], f"{params[index][0]} = {value}", *named[index + 1:]])
        for value in ("0", "1", "-1", "true", "nowhere", '"LOWER"', "lower", "UPPER", "5m", "1.5"):
            yield ", ".join([*positional[:index], value, *positional[index + 1:]])


def calls() -> Iterator[Case]:
    for name in MODULES:
        module = load_vocabulary().modules[name]
        for function in module.functions.values():
            # a hook in which stock's modules can be called
            hook = "vcl_init" if name == "directors" else "vcl_deliver"
            for arguments in dict.fromkeys(calls_of(function)):
                yield from used(f"{name}.{function.name}({arguments})", name, function.result.value, hook)
            for hook in HOOKS:
                arguments = ", ".join(argument_of(param.type.value, param.values) for param in function.params
                                      if not param.has_default and not param.optional).replace("req.http.X",
                                          "beresp.http.X" if "backend" in hook else "req.http.X")
                yield from used(f"{name}.{function.name}({arguments})", name, function.result.value, hook)
        for maker in module.objects.values():
            for arguments in dict.fromkeys(calls_of(maker.constructor)):
                yield made(name, f"new k = {name}.{maker.name}({arguments});", "", "vcl_init")
            plain = ", ".join(argument_of(param.type.value, param.values) for param in maker.constructor.params if not param.has_default)
            new = f"new k = {name}.{maker.name}({plain});"
            for method in maker.methods.values():
                for arguments in dict.fromkeys(calls_of(method)):
                    for hook in ("vcl_init", "vcl_deliver"):
                        call = f"k.{method.name}({arguments})"
                        yield made(name, new, f"{call};", hook)
                        if method.result.value != "VOID":
                            yield made(name, new,
                                    f"std.log({call});" if method.result.value != "BACKEND" else f"set req.backend_hint = {call};", hook)


def used(call: str, module: str, result: str, hook: str) -> Iterator[Case]:
    more = f"import {module};\n" if module not in ("std", "directors", "blob", "cookie") else ""
    yield in_hook(f"{call};", f"{call};", hook, more=more)
    if result not in ("VOID", "BLOB"):
        yield in_hook(f"std.log({call});", f"std.log({call});", hook, more=more)


def made(module: str, new: str, use: str, hook: str) -> Case:
    return in_hook(f"{new} {use}", use, hook, more=f"sub vcl_init {{ {new} }}\n") if use else in_hook(new, new, hook)


# ---- edits -------------------------------------------------------------------------------------------------

EDITED = (
    """vcl 4.1; import std; import directors;
probe pr { .url = "/"; .interval = 5s; .window = 8; .threshold = 3; }
backend be { .host = "127.0.0.1"; .port = "80"; .probe = pr; .max_connections = 10; }
acl ac +log -pedantic { "192.0.2.0"/24; ! "192.0.2.1"; ("localhost"); }
sub vcl_init { new rr = directors.round_robin(); rr.add_backend(be); }""",
    """vcl 4.1; import std; import blob; backend be none;
sub help { if (req.http.X) { return; } }
sub vcl_recv {
if (req.url ~ "^/a" && !(client.ip == "192.0.2.1" || req.restarts > 0)) {
set req.http.X = regsub(req.url, "a", "b") + std.tolower("C") + 5; }
elsif (req.method == "GET") { unset req.http.Cookie; call help; return (synth(404, "x" + req.url)); }
else { std.log("a" + blob.encode(blob=:YQ==:)); } set req.grace = -5m + 1.5s * 2; set req.url = req.url.lower(); return (pass); }""",
)
TOKEN = re.compile(r'"[^"]*"|:[A-Za-z0-9=]+:|\d+(?:\.\d+)?[a-z]*|[A-Za-z][\w-]*|&&|\|\||[!=<>+-]=|!~|\S')
REPLACEMENTS = (
    ";", ",", ".", "{", "}", "(", ")", "=", "==", "+", "-", "!", "~", "&&", "/", '"x"', "5", "1.5", "5s", "x", "req.url", "req.http.Y",
    "if", "set", "return", "else", "sub", "true", "std", ":YQ==:", "@", '"',
)


def edits() -> Iterator[Case]:
    for number, text in enumerate(EDITED):
        tokens = list(TOKEN.finditer(text))
        for index, token in enumerate(tokens):
            where = f"edit {number} at {token.start()}, {token[0]!r}"
            before, behind = text[:token.start()], text[token.end():]
            yield Case(f"{where}: left out", f"{before} {behind}")
            yield Case(f"{where}: twice", f"{before}{token[0]} {token[0]}{behind}")
            yield Case(f"{where}: ends here", before)
            if index + 1 < len(tokens):
                following = tokens[index + 1]
                yield Case(f"{where}: after the next", f"{before}{following[0]} {token[0]} {text[following.end():]}")
                yield Case(f"{where}: no space behind it", f"{before}{token[0]}{text[following.start():]}")
            for new in REPLACEMENTS:
                yield Case(f"{where}: {new} instead", f"{before} {new} {behind}")
                yield Case(f"{where}: {new} before it", f"{before} {new} {token[0]}{behind}")


GROUPS: dict[str, Callable[[], Iterator[Case]]] = {
    "variables": variables, "assignments": assignments, "fields": fields, "actions": actions, "operators": operators, "signs": signs,
    "chains": chains, "literals": literals, "statements": statements, "declarations": declarations, "calls": calls, "edits": edits,
}
