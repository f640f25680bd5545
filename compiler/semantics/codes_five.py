"""The codes of vcl 5.0, V7xx. ``codes.py`` has the others, and says what the columns are.

The examples are of version 5.0, and tests put that line before them.
"""

from __future__ import annotations

from vernis.syntax.codes import CodeInfo


def _recv(body: str) -> str:
    return f"sub vcl_recv {{ {body} }}"


def _response(body: str) -> str:
    return f"sub vcl_backend_response {{ {body} }}"


FIVE = {
    "V731": CodeInfo(
        "value may be absent",
        "A place needs a value, and the value that it gets may be absent.",
        "A header, a cookie, a row of a table need not be there. The policy says what happens then.",
        _recv("set req.url = req.http.X-Url;"),
        _recv('set req.url = req.http.X-Url ?? "/";'),
        author_decides=True,
    ),
    "V732": CodeInfo(
        "value always set",
        "A test or a default is for a value that is always there.",
        "The test has no effect. Often it was meant for another value.",
        _recv("if (req.url is set) { return (pass); }"),
        _recv("if (req.http.X is set) { return (pass); }"),
    ),
    "V733": CodeInfo(
        "not a set",
        "The right side of in, starts, ends or contains is not constant, or a set has more than texts.",
        "The compiler makes one automaton of all texts, so it has to know them.",
        _recv("if (req.url in req.http.X) { return (pass); }"),
        _recv('if (req.url in ["/a", "/b"]) { return (pass); }'),
    ),
    "V734": CodeInfo(
        "text twice in a set",
        "A set holds a text twice.",
        "The second has no effect. Often another text was meant.",
        _recv('if (req.url in ["/a", "/a"]) { return (pass); }'),
        _recv('if (req.url in ["/a", "/b"]) { return (pass); }'),
    ),
    "V735": CodeInfo(
        "wrong kind of type",
        "A declaration names a type that does not exist, or that cannot stand there.",
        "Locals and rows hold values: STRING, INT, REAL, DURATION, TIME, BYTES, BOOL, IP and BACKEND.",
        _recv("let x : TEXT = req.url; set req.http.X = x;"),
        _recv("let x : STRING = req.url; set req.http.X = x;"),
    ),
    "V736": CodeInfo(
        "not constant",
        "The value of a constant or of a row of a table is computed from a request.",
        "Constants are the same for all requests; `let` names a value of one request.",
        "const PLACE = req.url;",
        'const PLACE = "/a"; ' + _recv("set req.url = PLACE;"),
    ),
    "V737": CodeInfo(
        "wrong value given",
        "The value given for a `param` at load is not of its type.",
        "A value from a command line or file is checked like one in the policy.",
    ),
    "V738": CodeInfo(
        "'-' in a local name",
        "The name of a local has a '-'.",
        "In an expression `a-1` would then be a name.",
        _recv("let a-b = req.url;"),
        _recv("let a_b = req.url; set req.http.X = a_b;"),
    ),
    "V739": CodeInfo(
        "name is taken",
        "A local has the name of another local of an open block, of a declaration, or of a message.",
        "Each name means one thing at a place.",
        _recv("let x = req.url; if (req.url == x) { let x = req.method; set req.http.X = x; }"),
        _recv("let x = req.url; if (req.url == x) { let y = req.method; set req.http.X = y; }"),
    ),
    "V740": CodeInfo(
        "local that never changes",
        "A statement sets a local that was declared without `mut`, or a match.",
        "A reader of `let x = ...` can rely on its value.",
        _recv('let x = "a"; set x = "b"; set req.http.X = x;'),
        _recv('let mut x = "a"; set x = "b"; set req.http.X = x;'),
    ),
    "V741": CodeInfo(
        "binding of a value that is there",
        "`if (let x = ...)` binds a value that is always there.",
        "The condition would always be true.",
        _recv("if (let x = req.url) { set req.http.X = x; }"),
        _recv("if (let x = req.http.A) { set req.http.X = x; }"),
    ),
    "V742": CodeInfo(
        "match used as a value",
        "The name of a match stands where a value is expected.",
        "A match has several texts: m[0] is the whole of it, m[1] its first group.",
        _recv('if (req.url ~ "^/(a)" as m) { set req.http.X = m; }'),
        _recv('if (req.url ~ "^/(a)" as m) { set req.http.X = m[1]; }'),
        author_decides=True,
    ),
    "V743": CodeInfo(
        "no match to name",
        "`as` stands after a test that has no groups.",
        "Only `text ~ pattern` has groups.",
        _recv('if (req.url !~ "^/(a)" as m) { return (pass); }'),
        _recv('if (req.url ~ "^/(a)" as m) { set req.http.X = m[1]; }'),
    ),
    "V744": CodeInfo(
        "match may have failed",
        "A group is used where the match is not known to have succeeded.",
        "A match that failed has no groups.",
        _recv('if (req.url ~ "^/(a)" as m || req.url == "/") { set req.http.X = m[1]; }'),
        _recv('if (req.url ~ "^/(a)" as m && req.url != "/") { set req.http.X = m[1]; }'),
    ),
    "V745": CodeInfo(
        "no such group",
        "The pattern of a match has no group of that number or name.",
        "The compiler knows the groups of each pattern, so a wrong number is not left to run time.",
        _recv('if (req.url ~ "^/(a)" as m) { set req.http.X = m[2]; }'),
        _recv('if (req.url ~ "^/(a)" as m) { set req.http.X = m[1]; }'),
    ),
    "V746": CodeInfo(
        "wrong case",
        "A case can never run, or compares what cannot be compared.",
        "Each value meets one case, whatever the order of the cases that are equal tests.",
        _recv('switch (req.method) { case "GET": { } case "GET": { return (pass); } }'),
        _recv('switch (req.method) { case "GET": { } case "PUT": { return (pass); } }'),
    ),
    "V747": CodeInfo(
        "loop without bound",
        "A loop runs over something that the policy does not contain.",
        "Every hook ends after a number of steps that is known when it is compiled.",
        _recv("for (x in req.url) { set req.http.X = x; }"),
        _recv('for (x in ["a", "b"]) { set req.http.X = x; }'),
    ),
    "V748": CodeInfo(
        "allow without effect",
        "`allow` names something that it does not know, or stands in a hook that does not heed it.",
        "cookie and authorization belong in vcl_recv, set_cookie and private in vcl_backend_response.",
        _recv("allow (set_cookie);"),
        _recv("allow (cookie);"),
    ),
    "V749": CodeInfo(
        "too many parameters",
        "A function or sub has more than 16 parameters.",
        "Long lists of arguments hide mistakes.",
        f"fn f({', '.join(f'a{n} : INT' for n in range(17))}) -> INT {{ return (a0); }}",
        f"fn f({', '.join(f'a{n} : INT' for n in range(16))}) -> INT {{ return (a0); }}"
        + _recv(f"set req.http.X = f({', '.join(map(str, range(16)))});"),
    ),
    "V750": CodeInfo(
        "function without a value",
        "A way through a function ends without `return (...)`.",
        "Each call needs a value.",
        'fn f(a : STRING) -> STRING { if (a == "b") { return ("c"); } } '
        + _recv("set req.url = f(req.url);"),
        'fn f(a : STRING) -> STRING { if (a == "b") { return ("c"); } return (a); } '
        + _recv("set req.url = f(req.url);"),
    ),
    "V751": CodeInfo(
        "arguments do not fit",
        "A call has too few or too many arguments, or a name that is no parameter.",
        "Functions and subs of a policy have no optional parameters; one of type T? takes an absent value.",
        "fn f(a : STRING) -> STRING { return (a); } " + _recv("set req.url = f();"),
        "fn f(a : STRING) -> STRING { return (a); } " + _recv("set req.url = f(req.url);"),
    ),
    "V752": CodeInfo(
        "too much code",
        "With its calls and loops, a sub stands for more statements than the limit.",
        "The body of a function stands at each of its calls. Calls of functions that call others multiply.",
        "fn f0(a : INT) -> INT { return (a); } "
        + " ".join(f"fn f{n + 1}(a : INT) -> INT {{ return (f{n}(a) + f{n}(a)); }}" for n in range(14))
        + _recv("let x = f14(1); set req.http.X = x + 1;"),
        "fn f(a : INT) -> INT { return (a + 1); } " + _recv('set req.http.X = "" + f(f(1));'),
    ),
    "V753": CodeInfo(
        "function that is not pure",
        "A function uses a variable, or calls something whose result depends on more than its arguments.",
        "The compiler may move and merge calls of functions.",
        "fn f(a : STRING) -> STRING { return (req.url); } " + _recv("set req.http.X = f(req.url);"),
        "fn f(a : STRING) -> STRING { return (a); } " + _recv("set req.http.X = f(req.url);"),
    ),
    "V754": CodeInfo(
        "conversion that must be written",
        "A duration, a time, a real number or an address is used as text.",
        "Each of them has several text forms; text(...) and http_date(...) say which one.",
        _recv("set req.http.X = now;"),
        _recv("set req.http.X = req.url;"),
        author_decides=True,
    ),
    "V755": CodeInfo(
        "value used as a condition",
        "A condition is a text, a number or a backend.",
        "`if (req.http.X)` leaves open whether an empty header counts. `is set` and `is empty` say it.",
        _recv("if (req.http.X) { return (pass); }"),
        _recv("if (req.http.X is set) { return (pass); }"),
        author_decides=True,
    ),
    "V756": CodeInfo(
        "value without an index",
        "An index stands after a value that has none.",
        "Tables, matches and parsed views have an index.",
        _recv("set req.http.X = req.url[1];"),
        _recv('if (req.url ~ "^/(a)" as m) { set req.http.X = m[1]; }'),
    ),
    "V757": CodeInfo(
        "wrong kind of table",
        "A table has no kind that exists, or too many rows for a policy.",
        "The kinds are exact, prefix, suffix and ip.",
        'table t : STRING by regex ["a" => "b"];',
        'table t : STRING by exact ["a" => "b"]; ' + _recv("set req.http.X = t[req.url];"),
    ),
    "V758": CodeInfo(
        "wrong row",
        "A row has a key that another row has, or that its table cannot have.",
        "Each key has one value.",
        'table t : STRING by exact ["a" => "b", "a" => "c"];',
        'table t : STRING by exact ["a" => "b", "c" => "d"]; ' + _recv("set req.http.X = t[req.url];"),
    ),
    "V759": CodeInfo(
        "builtin outside of a hook",
        "`builtin;` stands in a sub.",
        "It runs the built-in hook in its place, and a sub may be called by several hooks.",
        "sub s { builtin; } " + _recv("call s;"),
        _recv("builtin;"),
    ),
    "V760": CodeInfo(
        "round without bound",
        "return (restart) or return (retry) has no bound in sight.",
        "Only a parameter of the server would end the rounds, and each costs a request.",
        "sub vcl_deliver { return (restart); }",
        "sub vcl_deliver { if (req.restarts < 2) { return (restart); } }",
        author_decides=True,
    ),
    "V762": CodeInfo(
        "wrong log statement",
        "A `log` statement has a name twice, or a value that has no form in JSON.",
        "Each statement writes one record, an object of JSON.",
        _recv("log { a = req.url, a = req.method };"),
        _recv("log { a = req.url, b = req.method };"),
    ),
    "V763": CodeInfo(
        "no effect yet",
        "A form is checked, and nothing acts on it in this release.",
        "Nobody should rely on a check that does not run.",
        _recv('invariant "no query" { req.url !~ "[?]" }'),
        "",
    ),
    "V764": CodeInfo(
        "wrong counter",
        "`count` names something that is no counter, its values do not fit the labels, or a declaration has "
        "labels that a metric cannot have.",
        "A counter is declared, so that its labels and the memory that it takes are known.",
        "counter logins by (status); " + _recv("count logins;"),
        "counter logins by (status); " + _recv("count logins(req.method);"),
    ),
    "V765": CodeInfo(
        "budget",
        "A budget names a limit that does not exist, or a hook may exceed it.",
        "`vernis check --costs` shows what each hook may cost at most.",
        "budget { step 20000; } " + _recv('set req.http.X = "a";'),
        "budget { steps 100000; } " + _recv('set req.http.X = "a";'),
    ),
    "V766": CodeInfo(
        "several definitions of a hook",
        "A hook is defined twice without @part.",
        "In version 4 a second definition silently continues the first one, also from an included file.",
        _recv('set req.http.X = "a";') + _recv('set req.http.Y = "b";'),
        "@part " + _recv('set req.http.X = "a";') + " @part " + _recv('set req.http.Y = "b";'),
    ),
    "V768": CodeInfo(
        "file of a table",
        "A file with the rows of a table cannot be read, or a row in it is wrong.",
        "A daemon reads it when it loads the policy, and refuses a policy whose rows it cannot have.",
        'table t : INT by exact from "missing.csv"; ' + _recv("set req.http.X = text(t[req.url] ?? 0);"),
        'table t : INT by exact ["/a" => 5]; ' + _recv("set req.http.X = text(t[req.url] ?? 0);"),
    ),
    "V767": CodeInfo(
        "unknown rules of caching",
        "A `caching` names rules that do not exist.",
        "`caching 4.1;` in the main file keeps the HTTP caching of VCL 4.1. Without it, a policy of 5.0 "
        "follows RFC 9111.",
        "caching 3.0;",
        "caching 4.1;",
    ),
    "V761": CodeInfo(
        "wrong annotation",
        "An annotation is not known at its place, or its arguments do not fit.",
        '@rule("name", owner = "...", until = "2027-01-01") names a statement for log, counters and tools.',
        _recv('@rule() if (req.url == "/") { return (pass); }'),
        _recv('@rule("home") if (req.url == "/") { return (pass); }'),
    ),
    "V780": CodeInfo(
        "wrong use of a view",
        "A part of a URL, of Cookie or of Cache-Control is used in a way that it does not have.",
        'Lists have an index, as in req.cookie["a"]. Edits are statements: req.url.query.remove("a*");',
        _recv("set req.http.X = req.url.query;"),
        _recv('set req.http.X = req.url.query["a"];'),
    ),
    "V781": CodeInfo(
        "wrong name of a part",
        "An edit of a view names no part, or its name is none that a part can have.",
        "Names are constant texts; a * at the start or the end stands for any bytes.",
        _recv('req.url.query.remove("utm_*=1");'),
        _recv('req.url.query.remove("utm_*");'),
    ),
    "V782": CodeInfo(
        "this field is no list",
        "add joins the values of a field with a comma, and a value of Set-Cookie may have commas of its own.",
        "import header; header.append(resp.http.Set-Cookie, ...) adds a field of its own.",
        'sub vcl_deliver { resp.http.Set-Cookie.add("a=b"); }',
        'sub vcl_deliver { resp.http.Vary.add("Accept-Language"); }',
    ),
    "V790": CodeInfo(
        "return with and without checks",
        "A sub returns an action for vcl_backend_response and for another hook.",
        "vcl_backend_response checks before it delivers whether the response may be shared.",
        "sub s { return (deliver); } sub vcl_deliver { call s; } " + _response("call s;"),
        "sub s { return (deliver); } sub vcl_deliver { call s; } " + _response("return (deliver);"),
    ),
    "V791": CodeInfo(
        "constants too large",
        "The texts that constants stand for have more bytes than all files of a policy may have, or a "
        "constant needs too many others in a row.",
        "Each use of a constant counts. Constants that join constants multiply their texts line by line.",
        'const C0 = "abcd"; '
        + " ".join(f"const C{n + 1} = C{n} + C{n};" for n in range(24))
        + _recv("set req.http.X = C24;"),
        'const C0 = "abcd"; const C1 = C0 + C0; ' + _recv("set req.http.X = C1;"),
    ),
}
