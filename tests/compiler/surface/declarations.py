"""Questions about the top level of policies: names, backends, probes, acls, imports, and whole policies. See
cases.py."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from question import VERSIONS, Case, top_level

NAMES = (
    "x", "X", "x1", "x_y", "x-y", "x.y", "_x", "-x", "1x", "5", "x-", "x_", "b", "B", "default", "Default", "DEFAULT", "none", "true",
    "false", "now", "req", "bereq", "resp", "client", "obj", "storage", "local", "server", "remote", "sess", "req_top", "beresp", "if",
    "else", "elsif", "set", "unset", "call", "return", "new", "import", "include", "sub", "acl", "backend", "probe", "vcl", "from", "as",
    "in", "table", "std", "directors", "C", "regsub", "regsuball", "ban", "hash_data", "synthetic", "vcl_x", "VCL_x", "vclx", "vcl_recv",
    "vcl_", "Vcl_recv", "vcl_builtin_recv", "vcl_builtin_x", "vcl_req_host", "vcl_req_x", "vcl_beresp_x", "vcl_init", "ok", "fetch",
    "deliver", "fail", "synth", "pass", "hash", "restart", "error", "retry", "labelled", "boot", "string", "STRING", "int", "INT", "bool",
    "ip", "log", "s0", "Transient", "x" * 64, "x" * 127, "x" * 128, "x" * 200, "x" * 255, "x" * 256, "x" * 300, "x" * 1000, "", '"x"',
    "x y", "x;", "é", "NULL", "int_", "main", "VCL_conf", "printf", "reset", "purge", "lookup", "error_", "esi", "goto", "let", "const",
    "switch", "remove", "rollback", "panic", "header", "elif", "elseif",
)
VALUE_FORMS = (
    '"x"', '""', '"127.0.0.1"', '"localhost"', '"/x"', "5", "0", "1", "2", "3", "-1", "64", "65", "99", "100", "999", "1000", "5.5", "5s",
    "0s", "-5s", "1.5s", "5ms", "5 s", "5KB", "5m", "true", "false", "x", "p", "q", "b", "default", "none", ":YQ==:", "::", "{ }",
    '{ .url = "/"; }', '{"x"}', '"""x"""', '"a" "b"', '"a" + "b"', '("x")', "1 + 1", "5s + 5s", "req.url", "now", "", "std.random(0, 1)",
    '"80"', '"http"', '"99999"', '"x" { }', '"a"\n"b"', '"\xe9"', '"a\\b"', "999999999999999", "9999999999999999", "1e3", "0x10", '"1" 2',
    "b.x", '"[::1]"', '"[::1]:80"', '"127.0.0.1:8080"', '"nowhere.invalid"', '"::1"', '"127.0.0.1 80"', '"1.2.3"', '"a b"',
)
BACKEND_FIELDS = (
    "host", "port", "path", "host_header", "connect_timeout", "first_byte_timeout", "between_bytes_timeout", "probe", "max_connections",
    "proxy_header", "preamble", "via", "authority", "wait_limit", "wait_timeout", "nowhere", "HOST", "Host", "url", "none", "share", "ssl", "weight",
    "last_byte_timeout", "always_consider_unhealthy",
)
PROBE_FIELDS = (
    "url", "request", "expected_response", "timeout", "interval", "window", "threshold", "initial", "nowhere", "URL", "expect_close",
    "host", "status", "exp_close",
)
BACKENDS = (
    "backend x none;", "backend x none", "backend x { }", "backend x { none; }", "backend x { .none; }", "backend x = none;",
    "backend x None;", "backend x NONE;", "backend none none;", "backend x none; backend x none;", "backend b none;", "backend x;",
    "backend x", "backend { }", "backend", "backend x { .host = \"127.0.0.1\" }", "backend x { host = \"127.0.0.1\"; }",
    "backend x { .host \"127.0.0.1\"; }", "backend x { .host = ; }", "backend x { . host = \"127.0.0.1\"; }",
    "backend x { .host = \"127.0.0.1\"; };", "backend x { .host = \"127.0.0.1\"; } ;", "backend x { .host = \"127.0.0.1\";; }",
    "backend x { ; .host = \"127.0.0.1\"; }", "backend x { set .host = \"127.0.0.1\"; }", "backend x { backend.host = \"127.0.0.1\"; }",
    "backend x { .host = \"127.0.0.1\", .port = \"80\"; }", "backend x { .host = \"127.0.0.1\"; .host = \"127.0.0.1\"; }",
    "backend x { .host = \"127.0.0.1\"; .port = \"80\"; .port = \"80\"; }", "backend x { .port = \"80\"; }",
    "backend x { .host = \"127.0.0.1\"; .path = \"/x\"; }", "backend x { .path = \"/x\"; .host = \"127.0.0.1\"; }",
    "backend x { .path = \"/x\"; .port = \"80\"; }", "backend x { .path = \"/x\"; .path = \"/x\"; }",
    "backend x { .path = \"/dev/null\"; }", "backend x { .path = \"/nowhere\"; }", f"backend x {{ .path = \"/{'x' * 120}\"; }}",
    "backend x { .path = \"@abstract\"; }", "backend x { .path = \"/x\"; .host_header = \"x\"; }",
    "backend x { .host = \"127.0.0.1:80\"; .port = \"81\"; }", "backend x { .host = \"127.0.0.1 80\"; .port = \"81\"; }",
    "backend x { .host = \"127.0.0.1\"; .probe = { } }", "backend x { .host = \"127.0.0.1\"; .probe = { }; }",
    "backend x { .host = \"127.0.0.1\"; .probe = { .url = \"/\" } }",
    "backend x { .host = \"127.0.0.1\"; .probe = { .url = \"/\"; .url = \"/\"; } }", "backend x { .host = \"127.0.0.1\"; .probe { } }",
    "backend x { .host = \"127.0.0.1\"; .probe = p; } probe p { }", "probe p { } backend x { .host = \"127.0.0.1\"; .probe = p; }",
    "probe p { } backend x { .host = \"127.0.0.1\"; .probe = p }", "probe p { } backend x { .host = \"127.0.0.1\"; .probe = P; }",
    "probe p { } backend x { .host = \"127.0.0.1\"; .probe = \"p\"; }", "backend x { .host = \"127.0.0.1\"; .probe = p; }",
    "probe default { } backend x { .host = \"127.0.0.1\"; .probe = default; }", "probe default { } backend x { .host = \"127.0.0.1\"; }",
    "backend x { .host = \"127.0.0.1\"; .probe = default; }", "backend x { .host = \"127.0.0.1\"; .probe = b; }",
    "backend x { .host = \"127.0.0.1\"; .probe = x; } probe x { }", "probe x { } backend x { .host = \"127.0.0.1\"; .probe = x; }",
    "probe p { } probe p { }", "probe default { } probe default { }", "probe p;", "probe p none;",
    "probe p { .window = 8; .threshold = 3; }", "probe p { .window = 8; }", "probe p { .threshold = 3; }", "probe p { .threshold = 8; }",
    "probe p { .threshold = 9; }", "probe p { .window = 3; .threshold = 4; }", "probe p { .window = 64; .threshold = 64; }",
    "probe p { .window = 65; .threshold = 3; }", "probe p { .window = 0; .threshold = 0; }", "probe p { .window = 8; .threshold = 0; }",
    "probe p { .initial = 9; }", "probe p { .initial = 0; }", "probe p { .initial = 100; }", "probe p { .threshold = 0; }",
    "probe p { .url = \"/\"; .request = \"GET / HTTP/1.1\"; }", "probe p { .request = \"GET / HTTP/1.1\"; .url = \"/\"; }",
    "probe p { .request = \"GET / HTTP/1.1\" \"Host: x\"; }", "probe p { .request = \"GET / HTTP/1.1\" + \"Host: x\"; }",
    "probe p { .request = \"GET / HTTP/1.1\", \"Host: x\"; }", "probe p { .request = {\"GET / HTTP/1.1\"} \"Host: x\"; }",
    "probe p { .request = \"\"; }", "probe p { .request = \"GET / HTTP/1.1\\r\\n\"; }", "probe p { .url = \"\"; }",
    "probe p { .url = \"x\"; }", "probe p { .url = \"/a b\"; }", "probe p { .url = \"/a\" \"b\"; }",
    "probe p { .expected_response = 200; }", "probe p { .expected_response = 1; }", "probe p { .expected_response = 099; }",
    "probe p { .timeout = 0s; }", "probe p { .interval = 0s; }", "probe p { .timeout = 1; }", "probe p { .url = \"/\"; };",
    "probe p { } sub t { set req.http.X = p; }", "backend default { .host = \"127.0.0.1\"; }",
    "backend default none; backend Default none;", "backend default none; backend default none;",
    "backend x { .host = \"127.0.0.1\"; .proxy_header = 1; .preamble = :YQ==:; }",
    "backend x { .host = \"127.0.0.1\"; .host_header = \"a\r\nb\"; }", "backend x { .host = {\"127.0.0.1\"}; }",
    "backend x { .host = \"\"; }", "backend x { .host = \"nowhere.invalid\"; }",
    "backend x { .host = \"localhost\"; .port = \"nowhere\"; }", "backend x { .host = \"127.0.0.1\"; .port = \"\"; }",
    "backend x { .host = \"127.0.0.1\"; .port = \"0\"; }", "backend x { .host = \"127.0.0.1\"; .port = \"-1\"; }",
    "backend x { .host = \"127.0.0.1\"; .port = \"65535\"; }", "backend x { .host = \"127.0.0.1\"; .port = \"65536\"; }",
    "backend x { .host = \"127.0.0.1\"; .port = \" 80\"; }", "backend x { .host = \"127.0.0.1\"; .port = 80; }",
    "backend x { .host = \"127.0.0.1\"; .port = \"https\"; }", "backend x { .host = \"127.0.0.1\"; .port = \"HTTP\"; }",
    "backend x { .host = \"127.0.0.1\"; .port = \"ntp\"; }", "backend x { .host = \"127.0.0.1\"; .port = \"0x50\"; }",
    "backend x { .host = \"127.0.0.1\"; .port = \"080\"; }", "backend x { .host = \"127.0.0.1\"; .port = \"+80\"; }",
    "backend x { .host = \"/x\"; }", "backend x { .host = \"0.0.0.0\"; }", "backend x { .host = \"127.1\"; }",
    "backend x { .host = \"1\"; }", "backend x { .host = \"256.1.1.1\"; }", "backend x { .host = \"[127.0.0.1]\"; }",
    "backend x { .host = \"[::1\"; }", "backend x { .host = \"[::1]x\"; }", "backend x { .host = \"[::1]:\"; }",
    "backend x { .host = \"::1\"; }", "backend x { .host = \"[::1] 80\"; }", "backend x { .host = \"127.0.0.1:\"; }",
    "backend x { .host = \"127.0.0.1:x\"; }", "backend x { .host = \"a:b:c\"; }", "backend x { .host = \" 127.0.0.1\"; }",
    "backend x { .host = \"127.0.0.1 \"; }", "backend x { .host = \"a..b\"; }", "backend x { .host = \"a_b\"; }",
    "backend x { .host = \"http://a\"; }", "director x round_robin { }", "backend x { } backend y none;", "BACKEND x none;",
    "Backend x none;", "backend x { .host = \"127.0.0.1\"; } backend y { .host = \"127.0.0.1\"; }", "backend a.b none;",
)
ACL_ENTRIES = (
    '"192.0.2.1";', '"192.0.2.0"/24;', '! "192.0.2.1";', '!"192.0.2.1";', '!!"192.0.2.1";', '"192.0.2.1"', '192.0.2.1;',
    '"192.0.2.0/24";', '"192.0.2.0/24"/24;', '"192.0.2.1"/24;', '"192.0.2.0"/33;', '"192.0.2.0"/32;', '"192.0.2.0"/0;', '"0.0.0.0"/0;',
    '"192.0.2.0"/-1;', '"192.0.2.0"/x;', '"192.0.2.0"/;', '"192.0.2.0"/24.0;', '"192.0.2.0"/24s;', '"192.0.2.0"/"24";',
    '"192.0.2.0" / 24;', '"192.0.2.0"/ 24;', '"192.0.2.0" 24;', '("192.0.2.1");', '("192.0.2.0"/24);', '("192.0.2.0")/24;',
    '!("192.0.2.1");', '(!"192.0.2.1");', '! ("192.0.2.0"/24);', '("nowhere.invalid");', '("nowhere.invalid"/24);', '"nowhere.invalid";',
    '! ("nowhere.invalid");', '"localhost";', '"localhost"/8;', '"localhost"/128;', '("localhost"/8);', '"127.0.0.1"; "127.0.0.1";',
    '"127.0.0.1"; !"127.0.0.1";', '"127.0.0.0"/8; !"127.0.0.1";', '"127.0.0.1"; "127.0.0.1"/32;', '"::1";', '"::1"/128;', '"::1"/129;',
    '"::"/0;', '"2001:db8::"/32;', '"2001:db8::1"/32;', '"[::1]";', '"::ffff:192.0.2.1";', '"192.0.2";', '"192.0";', '"192";',
    '"192.0.2"/24;', '"192.0.2."/24;', '"192.0"/16;', '"10"/8;', '"10.0.0.0"/08;', '"256.0.0.1";', '"192.0.2.1:80";', '"192.0.2.1 80";',
    '"";', '" ";', ';', '{"192.0.2.1"};', '{"192.0.2.1"}/32;', '"""192.0.2.1""";', '"192.0.2.1" "192.0.2.2";',
    '"192.0.2.1", "192.0.2.2";', '"192.0.2.1";;', '"192.0.2.1"; # x\n', 'localhost;', 'client.ip;', '"192.0.2.1"/24/24;',
    '"192.0.2.0"/00024;', '"192.0.2.0"/999999999999;', '"192.0.2.0/ 24";', '"192.0.2.0 /24";', '"192.0.2.0/24 ";', '"192.0.2.0/";',
    '"/24";', '"192.0.2.0/-1";', '"192.0.2.0/+24";', '"192.0.2.0/33";', '"192.0.2.1/24";', '"::/0";', '"2001:db8::/32";',
    '"192.0.2.0/0x18";', '"192.0.2.0/24x";', '"192.0.2.0/24/24";', '"192.0.2.0/024";', '! ! "192.0.2.1";', '"0x7f.1";', '"127.1";',
    '"1";', '"a b";', '"192.0.2.1\\";', '"fe80::1%lo";', '"é";', '"192.0.2.*";', '"*";', '"0.0.0.0";', '"192.0.2.1" /* x */ ;',
    '+ "192.0.2.1";', '- "192.0.2.1";', 'include "nowhere.vcl";', '"192.0.2.1"; }', '', '(("192.0.2.1"));', '();', '("192.0.2.1";',
    '"192.0.2.1");', '"010.0.0.1";', '"192.0.2.01";', '"1.2.3.4.5";', '"::1::";', '"12345::";', '"::1.2.3.4";',
)
ACL_FLAGS = (
    "+log", "-log", "+table", "-table", "+pedantic", "-pedantic", "+fold", "-fold", "+nowhere", "+", "-", "log", "+ log", "- pedantic",
    "+log +table", "+log -pedantic +table", "+log +log", "+log -log", "+log,+table", "+LOG", "-Pedantic", "+\"log\"", "(+log)",
    "+log+table", "!log", "++log",
)
TOP_LEVEL = (
    "sub x { }", "sub x { };", "sub x;", "sub x", "sub { }", "sub x { } sub x { }", "sub x { } sub X { }", "sub x() { }",
    "sub x STRING { }", "sub x { call x; }", "sub x { call y; } sub y { call x; }", "sub x { call y; }", "sub x { call X; }",
    "sub vcl_recv { } sub vcl_recv { }", "SUB x { }", "Sub x { }", "sub vcl_nowhere { }", "sub vcl_error { }", "sub vcl_fetch { }",
    "sub vcl_timeout { }", "sub vcl_prefetch { }", "sub VCL_RECV { }", "sub Vcl_Recv { }", "sub vcl_backend_refresh { }",
    "sub x { return; }", "sub x { return; set req.url = \"x\"; }", "sub x { { } }", "sub x {", "sub x { } }", "}", "{", "{ }", ";", "x",
    "x;", "5", "\"x\"", "import std;", "import std; import std;", "import std from \"x\";", "import std as x;", "import std as std;",
    "import std as x; import std as y;", "import std as x; sub t { x.log(\"x\"); }", "import std as x; sub t { std.log(\"x\"); }",
    "import std; import std as x;", "import std as b;", "import directors as std; import std;", "import std as vcl_x;",
    "import std as x-y;", "import std as x.y;", "import std as \"x\";", "import std as;", "import std from;", "import std from x;",
    "import std from \"/nowhere\";", "import std from \"/nowhere/\";", "import std as x from \"/nowhere\";",
    "import std from \"x\" as y;", "import nowhere;", "import;", "import \"std\";", "import std", "import std directors;",
    "import std, directors;", "import STD;", "import Std;", "IMPORT std;", "import std as req;", "import std as if;",
    "import std as backend;", "import std as default;", "import vcl;", "import std.x;",
    "import std from {\"/usr/lib/x86_64-linux-gnu/varnish/vmods/libvmod_std.so\"};",
    "import std from \"/usr/lib/x86_64-linux-gnu/varnish/vmods/libvmod_std.so\";", "import std from \"libvmod_std.so\";",
    "import std from \"/usr/lib/x86_64-linux-gnu/varnish/vmods\";", "import std from \"/usr/lib/x86_64-linux-gnu/varnish/vmods/\";",
    "import directors from \"libvmod_std.so\";", "import debug;", "import vtc;", "import purge;", "import unix;", "import proxy;",
    "import cookie;", "import blob;", "import h2;", "import header;", "import saintmode;", "import std as " + "x" * 200 + ";", "vcl 4.0;",
    "vcl 4.1;", "vcl 4.2;", "vcl 3.0;", "vcl 4.1", "vcl 4;", "vcl;", "vcl 4.1; vcl 4.1;", "VCL 4.1;", "vcl \"4.1\";", "vcl 4.10;",
    "vcl 4 . 1;", "vcl 04.1;", "vcl 4.1 ;", "vcl 5.0;", "include \"nowhere.vcl\";", "include nowhere;", "include;",
    "include \"nowhere.vcl\"", "include +glob \"nowhere*\";", "include +glob \"/dev/shm/nowhere*\";", "include +x \"y\";",
    "include + glob \"y\";", "include \"./nowhere.vcl\";", "include \"/dev/null\";", "include {\"/dev/null\"};",
    "include \"\"\"/dev/null\"\"\";", "include \"/dev/null\"; include \"/dev/null\";", "include +glob \"/dev/nul?\";",
    "Include \"/dev/null\";", "INCLUDE \"/dev/null\";", "include \"/dev/null\", \"/dev/null\";", "include \"/dev/null\" \"/dev/null\";",
    "include (\"/dev/null\");", "include \"/dev\";", "include \"\";", "C{ int x; }C", "C{ }C;", "c{ }c", "C{", "}C", "/* x */", "/* x",
    "/*", "*/", "// x", "# x", "/* /* */ */", "/* /* */", "/* \n */", "/** **/", "/* # */", "# */", "//*\n", "/* \" */", "# \"", "#",
    "//", "/", "/ *x*/", "\ufeff", "\x00", "\x01", "\x0b", "\x0c", "\r", "\r\n", "\xa0", "\xe9", "\x1a", "\\", "@", "$", "`", "'x'", "?",
    "=", "+", "!", "table x { }", "director x { }", "penaltybox x { }", "ratecounter x { }", "declare x;",
    "pragma optional_param geoip_opt_lookup_mode;", "require x;", "functional_sub { }", "acl x { }", "acl x { };", "acl x", "acl x;",
    "acl { }", "acl x { } acl x { }", "acl x { } acl X { }", "acl x = { }", "ACL x { }", "Acl x { }", "acl b { }", "sub b { }",
    "probe b { }", "acl x { } sub x { }", "acl x { } backend x none;", "sub x { } backend x none;", "acl x { } probe x { }",
    "import std; acl std { }", "acl std { } import std;", "sub std { } import std;", "sub t { new x = y.z(); }",
    "sub vcl_init { new x = b; }",
    "import directors; sub vcl_init { new x = directors.hash(); } sub vcl_init { new x = directors.hash(); }",
    "import directors; sub vcl_init { new x = directors.hash(); } acl x { }",
    "import directors; acl x { } sub vcl_init { new x = directors.hash(); }",
    "import directors; sub vcl_recv { new x = directors.hash(); }",
    "import directors; sub vcl_recv { set req.backend_hint = x.backend(); } sub vcl_init { new x = directors.round_robin(); }",
    "import directors; sub vcl_init { new x = directors.round_robin(); } sub vcl_recv { set req.backend_hint = x.backend(); }",
    "import directors; sub vcl_init { call t; } sub t { new x = directors.hash(); }",
    "import directors; sub t { new x = directors.hash(); }", "sub vcl_recv { set req.backend_hint = later; } backend later none;",
    "sub vcl_recv { if (client.ip ~ later) { } } acl later { }", "sub vcl_recv { call later; } sub later { }",
    "sub vcl_recv { set req.backend_hint = later; } acl later { }", "sub vcl_recv { if (client.ip ~ later) { } } backend later none;",
    "sub vcl_recv { call later; } backend later none;", "sub vcl_recv { std.log(\"x\"); } import std;",
    "sub vcl_recv { later.log(\"x\"); } import std as later;", "import std; sub vcl_recv { std.log(later); } backend later none;",
    "import std; sub vcl_recv { std.log(later); } acl later { }",
    "import std; sub vcl_recv { if (std.healthy(later)) { } } backend later none;",
    "sub vcl_recv { if (req.backend_hint == later) { } } backend later none;",
    "sub vcl_recv { if (later == req.backend_hint) { } } backend later none;", "sub vcl_recv { if (later) { } } backend later none;",
    "sub vcl_recv { set req.http.X = later; } backend later none;",
    "sub vcl_recv { set req.http.X = \"x\" + later; } backend later none;",
)


def declarations() -> Iterator[Case]:
    for declared in ("backend {} none;", "backend {} {{ .host = \"127.0.0.1\"; }}", "acl {} {{ \"127.0.0.1\"; }}", "probe {} {{ }}",
            "sub {} {{ }}", "import std as {};", "import std; import directors; sub vcl_init {{ new {} = directors.round_robin(); }}",
                     "import {};", "sub vcl_recv {{ call {}; }}", "sub vcl_recv {{ set req.backend_hint = {}; }}",
                     "sub vcl_recv {{ if (client.ip ~ {}) {{ }} }}", "sub vcl_recv {{ set req.http.X = {}; }}",
                     "sub vcl_recv {{ set req.http.{} = \"x\"; }}",
                     "sub {0} {{ }} sub vcl_recv {{ call {0}; }}", "backend {0} none; sub vcl_recv {{ set req.backend_hint = {0}; }}",
                     "acl {0} {{ }} sub vcl_recv {{ if (client.ip ~ {0}) {{ }} }}",
                     "import std as {0}; sub vcl_recv {{ {0}.log(\"x\"); }}", "{} x {{ }}", "{} x;",
                     "import directors; sub vcl_init {{ new {0} = directors.round_robin(); {0}.add_backend(b); }}",
                     "sub vcl_recv {{ {}; }}", "sub vcl_recv {{ {}(); }}", "sub vcl_recv {{ return ({}); }}",
                     "sub vcl_recv {{ set req.storage = storage.{}; }}"):
        for name in NAMES:
            yield top_level(declared.format(name))
    for field, value in product(BACKEND_FIELDS, VALUE_FORMS):
        host = "" if field in ("host", "path") else '.host = "127.0.0.1"; '
        yield top_level(f"probe p {{ }} backend x {{ {host}.{field} = {value}; }}")
        if value in ('"x"', "5", "{ }"):
            yield top_level(f"probe p {{ }} backend x {{ {host}.{field} = {value}; }}", "4.0")
            yield top_level(f"probe p {{ }} backend x {{ {host}.{field} = {value} }}")
            yield top_level(f"probe p {{ }} backend x {{ {host}.{field} = {value}; .{field} = {value}; }}")
    for field, value in product(PROBE_FIELDS, VALUE_FORMS):
        yield top_level(f"probe x {{ .{field} = {value}; }}")
        yield top_level(f'backend x {{ .host = "127.0.0.1"; .probe = {{ .{field} = {value}; }} }}')
    for version, asked in product(VERSIONS, BACKENDS + TOP_LEVEL):
        yield top_level(asked, version)
    for entry, flags in product(ACL_ENTRIES, ("", "-pedantic ", "+log ", "+table ", "+table -pedantic ")):
        yield top_level(f"acl x {flags}{{ {entry} }}")
    for flags in ACL_FLAGS:
        yield top_level(f'acl x {flags} {{ "127.0.0.1"; }}')
    yield from shared_names()
    yield from whole_policies()


WHOLE = (
    "", " ", "\n", "vcl", "vcl 4.1;", "vcl 4.1;\n", "vcl 4.1; backend b none;", "backend b none; vcl 4.1;", "backend b none;",
    "vcl 4.0; backend b none;", "vcl 4.2; backend b none;", "vcl 5.0; backend b none;", "vcl 3.0; backend b none;",
    "vcl 4; backend b none;", "vcl 4.; backend b none;", "vcl 4.1.1; backend b none;", "vcl 4.01; backend b none;",
    "vcl 04.1; backend b none;", "vcl 4.10; backend b none;", "vcl 4 .1; backend b none;", "vcl 4. 1; backend b none;",
    "vcl \"4.1\"; backend b none;", "vcl 4.1 backend b none;", "VCL 4.1; backend b none;", "vcl4.1; backend b none;",
    "vcl\n4.1\n;\nbackend b none;", "/* x */ vcl 4.1; backend b none;", "# x\nvcl 4.1; backend b none;",
    "// x\nvcl /* y */ 4.1 /* z */ ; backend b none;", ";vcl 4.1; backend b none;", "vcl 4.1;; backend b none;",
    "vcl 4.1; vcl 4.1; backend b none;", "vcl 4.1; backend b none; vcl 4.1;", "vcl 4.1; backend b none; vcl 4.0;",
    "vcl 4.0; backend b none; vcl 4.1;", "import std; vcl 4.1; backend b none;", "\ufeffvcl 4.1; backend b none;",
    "vcl 4.1;\r\nbackend b none;\r\n", "vcl 4.1;\tbackend b none;", "vcl 4.1;\x0cbackend b none;", "vcl 4.1;\x0bbackend b none;",
    "vcl 4.1;\xa0backend b none;", "vcl 4.1;\x00backend b none;", "vcl 4.1; backend b none;\x00", "vcl 4.1; backend b none;\x1a",
    "vcl 4.1; backend b none; # x", "vcl 4.1; backend b none; /* x",
    "vcl 4.1; import directors; sub vcl_init { new x = directors.round_robin(); }", "vcl 4.1; import directors; sub vcl_recv { }",
    "vcl 4.1; sub vcl_recv { set req.backend_hint = default; }",
    "vcl 4.1; backend b none; sub vcl_recv { set req.backend_hint = default; }",
    "vcl 4.1; import vtc; sub vcl_recv { set req.backend_hint = vtc.no_backend(); }", "vcl 4.1; include \"/dev/null\"; backend b none;",
    "include \"/dev/null\"; vcl 4.1; backend b none;", "vcl 4.1; probe p { }", "vcl 4.1; acl a { }",
    "vcl 4.1;\nbackend b none;\nsub vcl_recv {\n\tset req.url = \"x\";\n}",
    "vcl 4.1; backend default none; backend b none; sub vcl_recv { set req.backend_hint = default; }",
)


#: Kinds of declarations that may share a name, and a use of each.
DECLARED = {"backend": ("backend x none;", "set req.backend_hint = x;"), "acl": ("acl x { }", "if (client.ip ~ x) { }"),
            "probe": ("probe x { }", ""), "sub": ("sub x { }", "call x;"), "module": ("import std as x;", 'x.log("x");'),
            "object": ("sub vcl_init { new x = directors.round_robin(); }", "set req.backend_hint = x.backend();")}


def shared_names() -> Iterator[Case]:
    for version, (first, used), (second, used_too) in product(VERSIONS, DECLARED.values(), DECLARED.values()):
        for use in ("", used, used_too, used + used_too):
            asked = f"{first} {second} sub vcl_recv {{ {use} }}"
            yield Case(f"{asked}   in {version}", f"vcl {version};\nimport directors; backend b none;\n{asked}\n")


def whole_policies() -> Iterator[Case]:
    for text in WHOLE:
        yield Case(f"{text!r}", text)
