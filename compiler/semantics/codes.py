"""The table of this room's codes: V3xx names and types, V4xx phases and actions, V5xx declarations and modules, V6xx the
whole program, and V204, which the parser leaves to the checker.

``vernis explain CODE`` and the manual show it. ``bad`` and ``good`` are policies without their version line and, unless it
is what they are about, without a backend; tests run them: bad gives the code, good gives nothing.
"""

from __future__ import annotations

from vernis.syntax import codes as syntactic
from vernis.syntax.codes import CodeInfo, Kind, rows_of


def _recv(body: str) -> str:
    return f"sub vcl_recv {{ {body} }}"


_DIRECTOR = "import directors; sub vcl_init { new rr = directors.round_robin(); rr.add_backend(origin); }"


def _probe(body: str) -> str:
    return f'backend one {{ .host = "192.0.2.1"; .probe = {{ {body} }} }}' + _recv("set req.backend_hint = one;")


def _backend(body: str) -> str:
    return f"backend one {{ {body} }}" + _recv("set req.backend_hint = one;")


def _acl(body: str, flags: str = "") -> str:
    return f"acl local {flags}{{ {body} }}" + _recv("if (client.ip ~ local) { return (pass); }")


_SYNTAX = {
    "V204": CodeInfo(
        "inline C", "A block of C code stands in the policy.",
        "A policy that could run any code could neither be checked nor be kept from harming the server.",
        "C{ int x; }C", ""),
}

_NAMES_AND_TYPES = {
    "V301": CodeInfo(
        "wrong type", "A value of one type stands where another is expected, and does not become it by itself.",
        "Only what has an obvious text form becomes text, and only INT, DURATION, BACKEND and STRING become BOOL.",
        _recv("set req.ttl = 5;"), _recv("set req.ttl = 5s;")),
    "V302": CodeInfo(
        "unknown name", "Nothing of that name is declared before its use, and it is no variable or function of the language.",
        "Often it is misspelt, or a module is not imported. Only where one kind of thing is possible, such as a backend behind "
        "`set req.backend_hint =`, may it be declared later.",
        _recv("set req.http.X = req.urll;"), _recv("set req.http.X = req.url;"),
        needs_declarations=True),
    "V303": CodeInfo(
        "operator not possible", "An operator stands between two types it does not work on.",
        "What an operator makes of two types is a table; the result of this pair would be anyone's guess.",
        _recv("set req.ttl = 2 * 5s;"), _recv("set req.ttl = 5s * 2;")),
    "V304": CodeInfo(
        "comparison not possible", "Two types are compared that do not compare, or with an operator they do not have.",
        "A comparison converts nothing: 9 is less than 10 as a number and greater as text.",
        _recv('if (req.restarts == "1") { return (pass); }'), _recv("if (req.restarts == 1) { return (pass); }")),
    "V305": CodeInfo(
        "number out of range", "A number is larger than its type can hold.",
        "Sizes are 64 bits wide.",
        "import std; " + _recv("if (std.cache_req_body(9999PB)) { return (pass); }"),
        "import std; " + _recv("if (std.cache_req_body(1MB)) { return (pass); }")),
    "V306": CodeInfo(
        "wrong unit", "A number has no unit where it needs one, or one of another kind.",
        "5m is five minutes where a duration is meant and five megabytes where a size is.",
        _recv("set req.ttl = 5min;"), _recv("set req.ttl = 5m;")),
    "V307": CodeInfo(
        "invalid pattern", "A regular expression is not valid.",
        "It would match nothing, so the policy would silently not do what it says.",
        _recv('if (req.url ~ "(a") { return (pass); }'), _recv('if (req.url ~ "(a)") { return (pass); }')),
    "V308": CodeInfo(
        "pattern not constant", "A pattern is put together while requests are served.",
        "Patterns are compiled with the policy; one that a client can influence can be made to cost any amount of time.",
        _recv("if (req.url ~ req.http.X) { return (pass); }"), _recv('if (req.url ~ "^/x") { return (pass); }')),
    "V309": CodeInfo(
        "minus not possible", "A minus sign stands before something that has no negative, or where a condition begins.",
        "Only INT, REAL and DURATION have negatives.",
        _recv("if (-5s < req.ttl) { return (pass); }"), _recv("if (req.ttl > -5s) { return (pass); }")),
    "V311": CodeInfo(
        "not in this version", "Something is used that this version of the language does not have.",
        "The version line fixes what the policy means.",
        _recv("set req.esi = true;"), "sub vcl_deliver { set resp.do_esi = false; }"),
    "V312": CodeInfo(
        "argument missing", "A call lacks an argument that has no default.", "The function cannot work without it.",
        _recv('set req.url = regsub(req.url, "a");'), _recv('set req.url = regsub(req.url, "a", "b");')),
    "V313": CodeInfo(
        "too many arguments", "A call has more arguments than the function takes.",
        "It is not known what the rest is meant for.",
        'import std; ' + _recv('std.log("a", "b");'), 'import std; ' + _recv('std.log("a" + "b");')),
    "V314": CodeInfo(
        "unknown argument", "An argument has a name the function does not know, or none behind one that has.",
        "Arguments go by place until the first with a name, and by name from there on.",
        "import std; " + _recv('set req.ttl = std.duration(text = "5s", fallback = 1s);'),
        "import std; " + _recv('set req.ttl = std.duration(s = "5s", fallback = 1s);')),
    "V315": CodeInfo(
        "argument given twice", "The same parameter gets two values.", "Only one of them can be meant.",
        "import std; " + _recv('set req.ttl = std.duration("5s", 1s, fallback = 2s);'),
        "import std; " + _recv('set req.ttl = std.duration("5s", fallback = 2s);')),
    "V316": CodeInfo(
        "not one of the words", "A parameter takes one of a few words, and this is none of them.",
        "The words are written as they are, without quotes and in the case of the manual.",
        "import blob; " + _recv("set req.http.X = blob.encode(hex, blob = :YQ==:);"),
        "import blob; " + _recv("set req.http.X = blob.encode(HEX, blob = :YQ==:);")),
    "V317": CodeInfo(
        "not an address", "Text that should be an address is none, and does not resolve to one.",
        "Addresses are made when the policy is compiled.",
        _recv('if (client.ip == "300.1.1.1") { return (pass); }'), _recv('if (client.ip == "192.0.2.1") { return (pass); }')),
    "V319": CodeInfo(
        "no value", "A function that gives no value is used as one.", "There is nothing to assign or compare.",
        "import std; " + _recv('set req.http.X = std.log("x");'), "import std; " + _recv('std.log("x");')),
    "V320": CodeInfo(
        "assignment not possible", "A variable of this type does not take this form of `set`.",
        "Text can only be set and added to; numbers, times and durations can also be subtracted from, multiplied and divided.",
        _recv('set req.url -= "x";'), _recv('set req.url += "x";')),
    "V321": CodeInfo(
        "not a header name", "A quoted header name has characters that header names cannot have.",
        "It could never match a field of a message (RFC 9110, 5.1).",
        _recv('set req.http."X Y" = "a";'), _recv('set req.http."X.Y" = "a";')),
    "V322": CodeInfo(
        "no such member", "A module, an object or a value has no function, method or attribute of that name.",
        "Often it is misspelt, or belongs to another type.",
        "import std; " + _recv('std.logg("x");'), "import std; " + _recv('std.log("x");'),
        needs_declarations=True),
    "V323": CodeInfo(
        "name of another kind", "A name stands where what it names cannot stand: a sub as a value, a module as a variable.",
        "Each declared name is one thing only.",
        _recv("set req.http.X = vcl_hash;"), _recv("set req.http.X = req.url;")),
    "V324": CodeInfo(
        "value not used", "A function that does nothing but give a value stands as a statement.",
        "Nothing would come of it; usually a `set` is missing.",
        _recv('regsub(req.url, "a", "b");'), _recv('set req.url = regsub(req.url, "a", "b");')),
}

_PHASES = {
    "V401": CodeInfo(
        "cannot be read here", "A variable is read in a hook where it has no value, directly or through a call.",
        "What a variable stands for exists only at certain steps of a transaction.",
        _recv("set req.http.X = resp.status;"), "sub vcl_deliver { set resp.http.X = resp.status; }"),
    "V402": CodeInfo(
        "cannot be set here", "A variable is set in a hook where that has no effect, directly or through a call.",
        "Setting it would change nothing, or what others share.",
        "sub vcl_hit { set obj.ttl = 1s; }", "sub vcl_backend_response { set beresp.ttl = 1s; }"),
    "V403": CodeInfo(
        "cannot be unset", "A variable is unset that cannot be, or not in this hook.",
        "Header fields can be taken away; most other variables always have a value.",
        _recv("unset req.url;"), _recv("unset req.http.Cookie;")),
    "V404": CodeInfo(
        "cannot be called here", "A function is called in a hook where it cannot work.",
        "It acts on something that exists only at certain steps.",
        _recv("hash_data(req.url);"), "sub vcl_hash { hash_data(req.url); }"),
    "V405": CodeInfo(
        "action not possible here", "A hook returns an action that it cannot take, directly or from a sub it calls.",
        "Each hook stands at a fork of its own.",
        _recv("return (deliver);"), _recv("return (hash);")),
    "V406": CodeInfo(
        "unknown action", "What is returned is no action.", "Actions are written in small letters.",
        _recv("return (Pass);"), _recv("return (pass);")),
    "V407": CodeInfo(
        "wrong arguments of an action", "An action has arguments it does not take, or lacks some.",
        "synth needs a status; what else there is depends on the action.",
        _recv("return (synth);"), _recv('return (synth(404, "Gone"));')),
    "V408": CodeInfo(
        "hook returns nothing", "A hook has a plain `return;`.",
        "A hook decides what happens next, so it names an action. To go on with the built-in policy, let it end.",
        _recv("return;"), _recv("return (pass);")),
    "V409": CodeInfo(
        "object made outside vcl_init", "`new` stands where requests are served.",
        "Objects live as long as the policy and are made when it is loaded.",
        "import directors; " + _recv("new rr = directors.round_robin();"), _DIRECTOR),
}

_DECLARATIONS = {
    "V501": CodeInfo(
        "declared twice", "A name is declared more than once.",
        "Backends, probes, acls, modules, objects and subs share one set of names, the same in any case. Only hooks may be "
        "defined several times.",
        "acl origin { }", _acl('"192.0.2.1";')),
    "V502": CodeInfo(
        "reserved name", "A declaration takes a name that belongs to the language.",
        "Names that begin with vcl_ are hooks and steps of the built-in policy; true, false, default, `req`, `now` and other "
        "variables of one word are taken too.",
        "backend req none;", _recv("set req.backend_hint = origin;"),
        needs_declarations=True),
    "V503": CodeInfo(
        "unknown property", "A backend or probe has no property of that name.", "Often it is misspelt.",
        _backend('.hosst = "192.0.2.1"; .host = "192.0.2.1";'), _backend('.host = "192.0.2.1";')),
    "V504": CodeInfo(
        "property given twice", "A property has two values.", "Only one of them can be meant.",
        _backend('.host = "192.0.2.1"; .host = "192.0.2.2";'), _backend('.host = "192.0.2.1";')),
    "V505": CodeInfo(
        "property of another type", "A property has a value of the wrong kind.",
        "Properties are constants: text in quotes, whole numbers, durations with their unit.",
        _backend('.host = "192.0.2.1"; .port = 8080;'), _backend('.host = "192.0.2.1"; .port = "8080";'),
        of_values=True),
    "V506": CodeInfo(
        "contradicting properties", "Properties are missing or exclude each other.",
        "A backend has a host or the path of a Unix socket; a probe has a URL or a whole request.",
        _backend('.port = "80";'), _backend('.host = "192.0.2.1"; .port = "80";')),
    "V507": CodeInfo(
        "property out of range", "A property has a value that cannot work.",
        "A probe keeps 64 results at most, and asks for no more good ones than it keeps.",
        _probe(".window = 4; .threshold = 5;"), _probe(".window = 5; .threshold = 4;")),
    "V508": CodeInfo(
        "unknown probe or backend", "A backend names a probe or a backend that is not declared.",
        "It would never be checked, or never be reached.",
        _backend('.host = "192.0.2.1"; .probe = alive;'),
        "probe alive { } " + _backend('.host = "192.0.2.1"; .probe = alive;'),
        needs_declarations=True),
    "V509": CodeInfo(
        "wrong mask", "The mask of an acl entry is too wide, or the address has bits beyond it.",
        '"192.0.2.7"/24 may be meant as one address or as the network; the policy should say which.',
        _acl('"192.0.2.7"/24;'), _acl('"192.0.2.0"/24;')),
    "V510": CodeInfo(
        "acl entry does not resolve", "A name in an acl has no address.",
        "Names are looked up when the policy is compiled. An entry in parentheses is left out when its name does not resolve.",
        _acl('"no such name";'), _acl('("no such name");')),
    "V511": CodeInfo(
        "unknown acl flag", "An acl has a flag that does not exist.", "The flags are +log, +table and -pedantic.",
        _acl('"192.0.2.1";', "+lock "), _acl('"192.0.2.1";', "+log ")),
    "V512": CodeInfo(
        "contradicting acl entries", "An acl has the same network with and without `!`.", "It cannot be both in and out.",
        _acl('"192.0.2.0"/24; ! "192.0.2.0"/24;'), _acl('"192.0.2.0"/24; ! "192.0.2.7";')),
    "V513": CodeInfo(
        "unknown module", "A module is imported that the server does not have.", "Often it is misspelt.",
        "import stdd;", "import std;"),
    "V515": CodeInfo(
        "unknown object", "`new` names something a module does not have.",
        "Objects are listed in the module's page of the manual.",
        "import directors; sub vcl_init { new rr = directors.roundrobin(); }", _DIRECTOR),
    "V516": CodeInfo(
        "no backend", "No backend is declared.",
        "A request that is not answered from the cache has to go somewhere; `backend none none;` says that it cannot.",
        _recv("return (pass);"), 'backend origin { .host = "192.0.2.1"; }',
        needs_declarations=True),
    "V517": CodeInfo(
        "file of a built-in module", "An import names a file for a module that comes with the server.",
        "The file is not read; when a module of that name is described there, it needs a name of its own.",
        'import std from "/tmp/std.so";', "import std;"),
    "V521": CodeInfo(
        "description of a module", "A module that does not come with the server lacks its description, or it is wrong.",
        "All that is known of such a module when a policy is compiled is in NAME.toml beside libvmod_NAME.so: its functions, their "
        "types, and the version of the module contract it is made for (docs/modules.md).",
        'import edge from "/nowhere/libvmod_edge.so";', "import std;"),
    "V519": CodeInfo(
        "object used too early", "vcl_init uses an object before its `new`.", "It does not exist yet.",
        "import directors; sub vcl_init { rr.add_backend(origin); new rr = directors.round_robin(); }", _DIRECTOR),
    "V520": CodeInfo(
        "host does not resolve", "The host name of a backend has no address where the policy was checked.",
        "A misspelt name is found in traffic otherwise. It is a warning: the server resolves names when it connects, and may know it.",
        _backend('.host = "one.invalid";'), _backend('.host = "192.0.2.1";')),
}

_WHOLE = {
    "V601": CodeInfo(
        "recursion", "A sub calls itself, directly or through others.", "Every hook has to end; without recursion it does.",
        "sub again { call again; } " + _recv("call again;"), "sub once { } " + _recv("call once;")),
    "V602": CodeInfo(
        "never used", "Something is declared and no hook comes to use it.",
        "Usually it was meant to be used. A server can be told to let this pass.",
        "sub forgotten { }", "sub used { } " + _recv("call used;"),
        needs_declarations=True, needs_bodies=True),
    "V603": CodeInfo(
        "calls nested too deeply", "A hook runs more than 100 subs inside each other.",
        "Each call inside a call takes stack, and a hook has little of it so that there can be many at once.",
        "sub s120 { } " + " ".join(f"sub s{n} {{ call s{n + 1}; }}" for n in range(120)) + _recv("call s0;"),
        "sub one { } sub two { call one; } " + _recv("call two;")),
}

CODES: dict[str, CodeInfo] = {
    **rows_of(Kind.SYNTAX, _SYNTAX), **rows_of(Kind.NAMES, _NAMES_AND_TYPES), **rows_of(Kind.PHASES, _PHASES),
    **rows_of(Kind.DECLARATIONS, _DECLARATIONS), **rows_of(Kind.WHOLE, _WHOLE),
}

ALL_CODES: dict[str, CodeInfo] = {**syntactic.CODES, **CODES}
