"""The codes of this room: V3xx names and types, V4xx phases and actions, V5xx declarations and modules, V6xx
the whole program, V7xx vcl 5.0 (codes_five.py), and V204, which the parser leaves to the checker.

``vernis explain CODE`` and the manual show the table. ``bad`` and ``good`` are policies without a version
line and without a backend, unless the code is about a backend. Tests run them: ``bad`` gives the code,
``good`` gives no finding.
"""

from __future__ import annotations

from vernis.semantics.codes_five import FIVE
from vernis.syntax import codes as syntactic
from vernis.syntax.codes import CodeInfo, Kind, rows_of


def _recv(body: str) -> str:
    return f"sub vcl_recv {{ {body} }}"


_DIRECTOR = "import directors; sub vcl_init { new rr = directors.round_robin(); rr.add_backend(origin); }"


def _probe(body: str) -> str:
    return f'backend one {{ .host = "192.0.2.1"; .probe = {{ {body} }} }}' + _recv(
        "set req.backend_hint = one;"
    )


def _backend(body: str) -> str:
    return f"backend one {{ {body} }}" + _recv("set req.backend_hint = one;")


def _acl(body: str, flags: str = "") -> str:
    return f"acl local {flags}{{ {body} }}" + _recv("if (client.ip ~ local) { return (pass); }")


_SYNTAX = {
    "V204": CodeInfo(
        "inline C",
        "The policy contains a block of C code.",
        "The compiler cannot check C code, and cannot keep it from harming the server.",
        "C{ int x; }C",
        "",
    )
}

_NAMES_AND_TYPES = {
    "V301": CodeInfo(
        "wrong type",
        "A value has a different type than its place expects, and has no automatic conversion.",
        "Only types with an obvious text form convert to text, and only INT, DURATION, BACKEND and STRING "
        "convert to BOOL.",
        _recv("set req.ttl = 5;"),
        _recv("set req.ttl = 5s;"),
    ),
    "V302": CodeInfo(
        "unknown name",
        "The name is not declared before its use, and is not a variable or function of VCL.",
        "Often the name is misspelt, or a module is not imported. A later declaration works only where one "
        "kind of name is possible, such as a backend after `set req.backend_hint =`.",
        _recv("set req.http.X = req.urll;"),
        _recv("set req.http.X = req.url;"),
        needs_declarations=True,
    ),
    "V303": CodeInfo(
        "operator not possible",
        "An operator does not work on its two types.",
        "A table gives the result type of an operator for two types. It has no row for this pair.",
        _recv("set req.ttl = 2 * 5s;"),
        _recv("set req.ttl = 5s * 2;"),
    ),
    "V304": CodeInfo(
        "comparison not possible",
        "The policy compares two types that do not compare, or uses an operator that the types do not have.",
        "A comparison does not convert its values: 9 is less than 10 as a number and greater as text.",
        _recv('if (req.restarts == "1") { return (pass); }'),
        _recv("if (req.restarts == 1) { return (pass); }"),
    ),
    "V305": CodeInfo(
        "number out of range",
        "A number is larger than its type can hold.",
        "Sizes are 64 bits wide.",
        "import std; " + _recv("if (std.cache_req_body(9999PB)) { return (pass); }"),
        "import std; " + _recv("if (std.cache_req_body(1MB)) { return (pass); }"),
    ),
    "V306": CodeInfo(
        "wrong unit",
        "A number needs a unit and does not have one, or has a unit of another kind.",
        "5m is five minutes as a duration and five megabytes as a size.",
        _recv("set req.ttl = 5min;"),
        _recv("set req.ttl = 5m;"),
    ),
    "V307": CodeInfo(
        "invalid pattern",
        "A regular expression is not valid.",
        "An invalid pattern matches nothing, so the rule would have no effect.",
        _recv('if (req.url ~ "(a") { return (pass); }'),
        _recv('if (req.url ~ "(a)") { return (pass); }'),
    ),
    "V308": CodeInfo(
        "pattern not constant",
        "A pattern is built while the policy serves requests.",
        "The compiler compiles patterns with the policy. A client that can change a pattern can make it "
        "arbitrarily slow.",
        _recv("if (req.url ~ req.http.X) { return (pass); }"),
        _recv('if (req.url ~ "^/x") { return (pass); }'),
    ),
    "V309": CodeInfo(
        "minus not possible",
        "A minus sign precedes a value that has no negative, or begins a condition.",
        "Only INT, REAL and DURATION have negatives.",
        _recv("if (-5s < req.ttl) { return (pass); }"),
        _recv("if (req.ttl > -5s) { return (pass); }"),
    ),
    "V311": CodeInfo(
        "not in this version",
        "The policy uses a feature that this version of VCL does not have.",
        "The version line fixes the meaning of the policy.",
        _recv("set req.esi = true;"),
        "sub vcl_deliver { set resp.do_esi = false; }",
    ),
    "V312": CodeInfo(
        "argument missing",
        "A call lacks an argument that has no default.",
        "The function cannot work without it.",
        _recv('set req.url = regsub(req.url, "a");'),
        _recv('set req.url = regsub(req.url, "a", "b");'),
    ),
    "V313": CodeInfo(
        "too many arguments",
        "A call has more arguments than the function takes.",
        "The extra arguments have no meaning.",
        "import std; " + _recv('std.log("a", "b");'),
        "import std; " + _recv('std.log("a" + "b");'),
    ),
    "V314": CodeInfo(
        "unknown argument",
        "The function does not know an argument's name, or an argument without a name follows a named one.",
        "Arguments are positional up to the first named argument. All later arguments need a name.",
        "import std; " + _recv('set req.ttl = std.duration(text = "5s", fallback = 1s);'),
        "import std; " + _recv('set req.ttl = std.duration(s = "5s", fallback = 1s);'),
    ),
    "V315": CodeInfo(
        "argument given twice",
        "The same parameter gets two values.",
        "A parameter takes one value.",
        "import std; " + _recv('set req.ttl = std.duration("5s", 1s, fallback = 2s);'),
        "import std; " + _recv('set req.ttl = std.duration("5s", fallback = 2s);'),
    ),
    "V316": CodeInfo(
        "not one of the words",
        "A parameter takes one of a few words, and the argument is a different one.",
        "Write such a word without quotes, in the case of the manual.",
        "import blob; " + _recv("set req.http.X = blob.encode(hex, blob = :YQ==:);"),
        "import blob; " + _recv("set req.http.X = blob.encode(HEX, blob = :YQ==:);"),
    ),
    "V317": CodeInfo(
        "not an address",
        "A text is not an address, and does not resolve to one.",
        "The compiler resolves addresses when it compiles the policy.",
        _recv('if (client.ip == "300.1.1.1") { return (pass); }'),
        _recv('if (client.ip == "192.0.2.1") { return (pass); }'),
    ),
    "V319": CodeInfo(
        "no value",
        "The policy uses the value of a function that returns none.",
        "There is no value to assign or compare.",
        "import std; " + _recv('set req.http.X = std.log("x");'),
        "import std; " + _recv('std.log("x");'),
    ),
    "V320": CodeInfo(
        "assignment not possible",
        "A variable of this type does not support this form of `set`.",
        "Text supports = and +=. Times and sizes also support -=. Numbers and durations also support "
        "-=, *= and /=.",
        _recv('set req.url -= "x";'),
        _recv('set req.url += "x";'),
    ),
    "V321": CodeInfo(
        "not a header name",
        "A quoted header name has characters that are illegal in header names.",
        "The name could never match a field of a message (RFC 9110, 5.1).",
        _recv('set req.http."X Y" = "a";'),
        _recv('set req.http."X.Y" = "a";'),
    ),
    "V322": CodeInfo(
        "no such member",
        "A module, an object or a value has no function, method or attribute of that name.",
        "Often the name is misspelt, or belongs to another type.",
        "import std; " + _recv('std.logg("x");'),
        "import std; " + _recv('std.log("x");'),
        needs_declarations=True,
    ),
    "V323": CodeInfo(
        "name of another kind",
        "A name is used as a different kind: a sub as a value, a module as a variable.",
        "Each declared name has one kind.",
        _recv("set req.http.X = vcl_hash;"),
        _recv("set req.http.X = req.url;"),
    ),
    "V324": CodeInfo(
        "value not used",
        "A statement calls a function whose only effect is its value.",
        "The statement has no effect; usually a `set` is missing.",
        _recv('regsub(req.url, "a", "b");'),
        _recv('set req.url = regsub(req.url, "a", "b");'),
    ),
    "V325": CodeInfo(
        "ban that fails",
        "The text of a ban can never be parsed, whatever its variable parts are.",
        "The ban is never added, and stored responses stay. A blank ends a value, also inside of a pattern.",
        _recv('ban("req.url ~ ^" + req.url + "( |$)");'),
        _recv('ban("req.url ~ ^" + req.url + "$");'),
    ),
}

_PHASES = {
    "V401": CodeInfo(
        "cannot be read here",
        "A hook reads a variable that has no value there, directly or through a call.",
        "A variable exists only at certain steps of a transaction.",
        _recv("set req.http.X = resp.status;"),
        "sub vcl_deliver { set resp.http.X = resp.status; }",
    ),
    "V402": CodeInfo(
        "cannot be set here",
        "A hook sets a variable that it cannot set, directly or through a call.",
        "The assignment would have no effect, or would change data that other requests share.",
        "sub vcl_hit { set obj.ttl = 1s; }",
        "sub vcl_backend_response { set beresp.ttl = 1s; }",
    ),
    "V403": CodeInfo(
        "cannot be unset",
        "The policy unsets a variable that cannot be unset, or not in this hook.",
        "A header field can be removed; most other variables always have a value.",
        _recv("unset req.url;"),
        _recv("unset req.http.Cookie;"),
    ),
    "V404": CodeInfo(
        "cannot be called here",
        "A hook calls a function that does not work there.",
        "The function acts on data that exists only at certain steps.",
        _recv("hash_data(req.url);"),
        "sub vcl_hash { hash_data(req.url); }",
    ),
    "V405": CodeInfo(
        "action not possible here",
        "A hook returns an action that it does not have, directly or from a sub it calls.",
        "Each hook has its own set of actions.",
        _recv("return (deliver);"),
        _recv("return (hash);"),
    ),
    "V406": CodeInfo(
        "unknown action",
        "The word after return is not an action.",
        "Actions are in lower case.",
        _recv("return (Pass);"),
        _recv("return (pass);"),
    ),
    "V407": CodeInfo(
        "wrong arguments of an action",
        "An action has too many or too few arguments.",
        "synth needs a status. The other arguments depend on the action.",
        _recv("return (synth);"),
        _recv('return (synth(404, "Gone"));'),
    ),
    "V408": CodeInfo(
        "hook returns nothing",
        "A hook has a plain `return;`.",
        "A hook decides the next step, so it names an action. To continue with the built-in policy, let the "
        "sub end.",
        _recv("return;"),
        _recv("return (pass);"),
    ),
    "V409": CodeInfo(
        "object created outside vcl_init",
        "`new` is outside vcl_init.",
        "Objects live as long as the policy. The server creates them when it loads the policy.",
        "import directors; " + _recv("new rr = directors.round_robin();"),
        _DIRECTOR,
    ),
}

_DECLARATIONS = {
    "V501": CodeInfo(
        "declared twice",
        "A name is declared more than once.",
        "Backends, probes, ACLs, modules, objects and subs share one set of names, and case does not matter. "
        "Only hooks may be defined several times.",
        "acl origin { }",
        _acl('"192.0.2.1";'),
    ),
    "V502": CodeInfo(
        "reserved name",
        "A declaration uses a name that belongs to VCL.",
        "Names that begin with vcl_ are hooks and steps of the built-in policy; true, false, default, `req`, "
        "`now` and other variables of one word are reserved too.",
        "backend req none;",
        _recv("set req.backend_hint = origin;"),
        needs_declarations=True,
    ),
    "V503": CodeInfo(
        "unknown property",
        "A backend or probe has no property of that name.",
        "Often the name is misspelt.",
        _backend('.hosst = "192.0.2.1"; .host = "192.0.2.1";'),
        _backend('.host = "192.0.2.1";'),
    ),
    "V504": CodeInfo(
        "property given twice",
        "A property has two values.",
        "A property takes one value.",
        _backend('.host = "192.0.2.1"; .host = "192.0.2.2";'),
        _backend('.host = "192.0.2.1";'),
    ),
    "V505": CodeInfo(
        "property of another type",
        "A property has a value of the wrong kind.",
        "A property is a constant: a text in quotes, a whole number, or a duration with its unit.",
        _backend('.host = "192.0.2.1"; .port = 8080;'),
        _backend('.host = "192.0.2.1"; .port = "8080";'),
        of_values=True,
    ),
    "V506": CodeInfo(
        "contradicting properties",
        "A property is missing, or two properties exclude each other.",
        "A backend has a host or the path of a Unix socket; a probe has a URL or a whole request.",
        _backend('.port = "80";'),
        _backend('.host = "192.0.2.1"; .port = "80";'),
    ),
    "V507": CodeInfo(
        "property out of range",
        "A property has a value outside its range.",
        "A probe keeps at most 64 results, and its threshold is at most its window.",
        _probe(".window = 4; .threshold = 5;"),
        _probe(".window = 5; .threshold = 4;"),
    ),
    "V508": CodeInfo(
        "unknown probe or backend",
        "A backend names a probe or a backend that is not declared.",
        "The backend would have no health check, or no path to its host.",
        _backend('.host = "192.0.2.1"; .probe = alive;'),
        "probe alive { } " + _backend('.host = "192.0.2.1"; .probe = alive;'),
        needs_declarations=True,
    ),
    "V509": CodeInfo(
        "wrong mask",
        "The mask of an ACL entry is too wide, or the address has bits beyond the mask.",
        '"192.0.2.7"/24 could mean the address or the network. Write the one you mean.',
        _acl('"192.0.2.7"/24;'),
        _acl('"192.0.2.0"/24;'),
    ),
    "V510": CodeInfo(
        "ACL entry does not resolve",
        "A name in an ACL has no address.",
        "The compiler resolves the names of an ACL. It skips an entry in parentheses if the name does not "
        "resolve.",
        _acl('"no such name";'),
        _acl('("no such name");'),
    ),
    "V511": CodeInfo(
        "unknown ACL flag",
        "An ACL has a flag that does not exist.",
        "The flags are +log, +table and -pedantic.",
        _acl('"192.0.2.1";', "+lock "),
        _acl('"192.0.2.1";', "+log "),
    ),
    "V512": CodeInfo(
        "contradicting ACL entries",
        "An ACL has the same network with and without `!`.",
        "A network is either in the ACL or not.",
        _acl('"192.0.2.0"/24; ! "192.0.2.0"/24;'),
        _acl('"192.0.2.0"/24; ! "192.0.2.7";'),
    ),
    "V513": CodeInfo(
        "unknown module",
        "The policy imports a module that the server does not have.",
        "Often the name is misspelt.",
        "import stdd;",
        "import std;",
    ),
    "V515": CodeInfo(
        "unknown object",
        "`new` names an object that the module does not have.",
        "The manual page of a module lists its objects.",
        "import directors; sub vcl_init { new rr = directors.roundrobin(); }",
        _DIRECTOR,
    ),
    "V516": CodeInfo(
        "no backend",
        "No backend is declared.",
        "A request that misses the cache needs a backend. `backend none none;` declares that there is none.",
        _recv("return (pass);"),
        'backend origin { .host = "192.0.2.1"; }',
        needs_declarations=True,
    ),
    "V517": CodeInfo(
        "file of a built-in module",
        "An import names a file for a built-in module.",
        "The server does not read the file. A module of your own needs a name that no built-in module has.",
        'import std from "/tmp/std.so";',
        "import std;",
    ),
    "V521": CodeInfo(
        "description of a module",
        "The description of a module is missing or wrong.",
        "The compiler reads the description of a third-party module from NAME.toml beside libvmod_NAME.so: "
        "its functions, their types, and the version of the module contract (docs/modules.md).",
        'import edge from "/nowhere/libvmod_edge.so";',
        "import std;",
    ),
    "V519": CodeInfo(
        "object used too early",
        "vcl_init uses an object before its `new`.",
        "The object does not exist yet.",
        "import directors; sub vcl_init { rr.add_backend(origin); new rr = directors.round_robin(); }",
        _DIRECTOR,
    ),
    "V520": CodeInfo(
        "host does not resolve",
        "The host name of a backend does not resolve on the machine that checks the policy.",
        "Otherwise a misspelt name shows only in traffic. This is a warning, because the server may be able "
        "to resolve the name.",
        _backend('.host = "one.invalid";'),
        _backend('.host = "192.0.2.1";'),
    ),
}

_WHOLE = {
    "V601": CodeInfo(
        "recursion",
        "A sub calls itself, directly or through others.",
        "Every hook must end, and recursion may not.",
        "sub again { call again; } " + _recv("call again;"),
        "sub once { } " + _recv("call once;"),
    ),
    "V602": CodeInfo(
        "never used",
        "A declaration is not used by any hook.",
        "Usually its use is missing. The parameter vcc_err_unref turns this error into a warning.",
        "sub forgotten { }",
        "sub used { } " + _recv("call used;"),
        needs_declarations=True,
        needs_bodies=True,
    ),
    "V603": CodeInfo(
        "calls nested too deeply",
        "A hook runs more than 100 subs inside each other.",
        "Each nested call takes stack. Hooks have small stacks, so that many hooks can run at the same time.",
        "sub s120 { } " + " ".join(f"sub s{n} {{ call s{n + 1}; }}" for n in range(120)) + _recv("call s0;"),
        "sub one { } sub two { call one; } " + _recv("call two;"),
    ),
}

CODES: dict[str, CodeInfo] = {
    **rows_of(Kind.SYNTAX, _SYNTAX),
    **rows_of(Kind.NAMES, _NAMES_AND_TYPES),
    **rows_of(Kind.PHASES, _PHASES),
    **rows_of(Kind.DECLARATIONS, _DECLARATIONS),
    **rows_of(Kind.WHOLE, _WHOLE),
    **rows_of(Kind.FIVE, FIVE),
}

ALL_CODES: dict[str, CodeInfo] = {**syntactic.CODES, **CODES}
