"""Modules that third-party policies import, as a policy sees them."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

import mmdb_writer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from netaddr import IPSet
from support.language import Harness, compile_text, policy

from vernis.ir.ir import Msg

#: (expression, its result as text; None: unset)
EXPRESSIONS: list[tuple[str, str | None]] = [
    ('str.count("abc")', "3"), ("str.count(req.http.none)", "-1"), ('str.count("")', "0"),
    ('str.startswith("abcde", "abc")', "true"), ('str.startswith("abc", "abcde")', "false"),
    ('str.startswith(req.http.none, "a")', "false"),
    ('str.endswith("abcde", "cde")', "true"), ('str.endswith("cde", "abcde")', "false"),
    ('str.contains("abcde", "bcd")', "true"), ('str.contains("abcde", "bd")', "false"), ('str.contains("a", req.http.none)', "false"),
    ('str.take("abcdef", 2)', "ab"), ('str.take("abcdef", 2, 3)', "de"), ('str.take("abcdef", 9, 4)', "ef"),
    ('str.take("abcdef", 2, -3)', "de"), ('str.take("abcdef", -2, 3)', "bc"), ('str.take("abcdef", 2, 9)', ""), ('str.take("abcdef", -2)', "ef"), ('str.take("abcdef", -9)', "abcdef"),
    ("str.take(req.http.none, 1)", None),
    ('str.reverse("abc")', "cba"), ('str.reverse("")', ""),
    ('str.split("a b\\tc", 2)'.replace("\\t", "\t"), "b"), ('str.split(".-.abc..def.-ghi..", 3, ".-")', "ghi"),
    ('str.split(".-.abc..def.-ghi..", -3, ".-")', "abc"), ('str.split(".-.abc..def.-ghi..", -4, ".-")', None),
    ('str.split("a b", 3)', None), ('str.split("a b", 0)', None),
    ('str.token_intersect("a, b c", "x,c")', "true"), ('str.token_intersect("a,b", "ab")', "false"),
    ('str.token_intersect("a;b", "b", ";")', "true"), ('str.token_intersect(",,", ",")', "false"),
    *((f'digest.hash_{kind}("abc")', hashlib.new(kind, b"abc").hexdigest())
      for kind in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")),
    ('digest.hash_md4("abc")', "a448017aaf21d8525fc10ae87aa6729d"), ('digest.hash_ripemd160("abc")', "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
    ('str.take(digest.hash_whirlpool("abc"), 16)', "4e2448a4c6f486bb"), ('digest.hash_crc32("checksum")', "7fbeb02e"),
    ('digest.hash_crc32b("checksum")', "9adf6fde"), ('digest.hash_adler32("checksum")', "5403a10e"), ('digest.hash_crc32(req.http.none)', "00000000"),
    ('digest.hash_sha256(req.http.none)', hashlib.sha256(b"").hexdigest()),
    *((f'digest.hmac_{kind}("key", "abc")', "0x" + hmac.digest(b"key", b"abc", kind).hex()) for kind in ("md5", "sha1", "sha256")),
    ('digest.base64("a>?b")', "YT4/Yg=="), ('digest.base64url("a>?b")', "YT4_Yg=="), ('digest.base64url_nopad("a>?b")', "YT4_Yg"),
    ('digest.base64_hex("0x613e3f62")', "YT4/Yg=="), ('digest.base64url_nopad_hex("613e3f62")', "YT4_Yg"),
    ('digest.base64_decode("YT4/Yg==")', "a>?b"), ('digest.base64url_decode("YT4_Yg==")', "a>?b"),
    ('digest.base64url_nopad_decode("YT4_Yg")', "a>?b"), ('digest.base64_decode("a*b")', ""), ("digest.base64url_decode(req.http.none)", ""),
    ('urlcode.encode("a b/c~d")', "a%20b%2Fc~d"), ('urlcode.decode("a%20b%2Fc~d%zz%4")', "a b/c~d%zz%4"),
    ("urlcode.decode(req.http.none)", None),
    ('accepted.filter("text/plain")', "other"), ("accepted.filter(req.http.none)", "other"),
    ('accepted.filter("text/html;q=0.5, application/json")', "application/json"), ('accepted.filter("text/html ; level=1")', "text/html"),
    ('accepted.filter("application/json;q=0.0, text/html")', "text/html"), ('accepted.filter("text/html, application/json")', "text/html"),
    ('accepted.filter("text/html;q=0.50, Application/JSON;q=0.6")', "application/json"), ('accepted.filter("text/html;q=2")', "other"),
    ('accepted.filter("text/html; q = 1")', "other"), ('accepted.filter("text/html; level=1; q=0")', "text/html"),
    ('accepted.filter("text/html, ;")', "other"), ('accepted.filter("text/html,")', "text/html"), ('accepted.filter("text/html;q")', "other"), ('accepted.filter("image/png")', "other"),
    ('vtc.typesize("c")', "1"), ('vtc.typesize("zc")', "16"), ('vtc.typesize("csc")', "6"), ('vtc.typesize("")', "0"), ('vtc.typesize("p*")', "-1"),
    *((f'querystring.clean("{url}")', cleaned) for url, cleaned in {
        "/": "/", "/?": "/", "/?a": "/?a", "/?&&a&&b=&": "/?a&b=", "/?=1&a": "/?a", "/?&&": "/", "/?a?b=c?": "/?a?b=c?"}.items()),
    ("querystring.clean(req.http.none)", None), ('querystring.clean("")', ""), ("querystring.clean()", "/here?b=2&a=1&b=1"),
    ('querystring.sort("/p?b&ab&a&b")', "/p?a&ab&b&b"), ('querystring.sort("/p?b&ab&a&b", true)', "/p?a&ab&b"), ("querystring.sort()", "/here?a=1&b=1&b=2"),
    ('querystring.remove("/p?a?b")', "/p"), ('querystring.remove("?")', ""), ("querystring.remove()", "/here"),
    ('dropped.apply("/p?a=1&utm_x=2&b&sessid_9&sessid_&utm&UTM_X&_=3")', "/p?b&sessid_&utm&UTM_X"), ('dropped.apply("/p?a&_")', "/p"),
    ('dropped.apply("/p?ab=1&a=2&b=3", keep)', "/p?a=2"), ('dropped.extract("/p?ab=1&a=2&b=3")', "ab=1&b=3"),
    ('dropped.extract("/p")', None), ('dropped.extract("/p?")', None), ('dropped.extract("/p?a")', ""), ("dropped.extract(req.http.none)", None),
    ('dropped.apply("/p?x-y&x5y&xzy&x]y&x*y&xay")', "/p?xay"), ('dropped.apply("/p?x-yy&x]&[q&q.q&qq")', "/p?x-yy&x]&qq"),
    ('by_param.apply("/p?k=opt&k=flag&k=option", keep)', "/p?k=opt&k=flag"), ('by_param.apply("/p?k&k=1&k=1&k=2")', "/p?k&k=1&k=2"),
    ('sorted.apply("/p?b=2&a=2&b=1&a=1")', "/p?a=2&b=2"), ('sorted.apply("/p?b=2&a=2&b=1&a=1", keep)', "/p?a=2&b=2"),
    ('var.get("never")', None), ('var.get_int("never")', "0"), ('var.get_duration("never")', "0.000"), ('var.global_get("never")', None),
]
INIT = ('new accepted = accept.rule("other"); accepted.add("application/json"); accepted.add("text/html"); '
        'accepted.add("image/png"); accepted.remove("image/png"); accepted.add("text/html");'
        'new dropped = querystring.filter(); dropped.add_string("a"); dropped.add_string("_"); dropped.add_glob("utm_*"); '
        'dropped.add_regex("^sessid_[0-9]+"); dropped.add_glob("x[]*z[:digit:]-]y"); dropped.add_glob("[q"); dropped.add_glob("q[!q]q"); '
        'new by_param = querystring.filter(uniq = true, match = param); by_param.add_regex("^k=(opt|flag)$"); '
        'new sorted = querystring.filter(sort = true, uniq = true);')


@pytest.fixture(scope="module")
def expressions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str | None]]:
    """Results of all expressions, in one policy that runs once."""
    body = "".join(f"set req.http.E{i} = {text};\n" for i, (text, _) in enumerate(EXPRESSIONS))
    # An unset text becomes an empty header, so a second statement tests whether the text is set.
    body += "".join(f"if ({text}) {{ set req.http.S{i} = 1; }}\n" for i, (text, given) in enumerate(EXPRESSIONS)
                    if given is None)
    with Harness() as harness:
        assert harness.load(compile_text(policy(init=INIT, recv=body + "return (hash);"), tmp_path_factory.mktemp("modules"))) == ""
        harness.request(url=b"/here?b=2&a=1&&b=1")
        assert harness.run("vcl_recv") == "hash"
        yield {text: None if given is None and harness.field(Msg.REQ, f"S{i}") is None else harness.field(Msg.REQ, f"E{i}")
               for i, (text, given) in enumerate(EXPRESSIONS)}


@pytest.mark.parametrize(("text", "given"), EXPRESSIONS, ids=[text for text, _ in EXPRESSIONS])
def test_an_expression_has_its_result(expressions: dict[str, str | None], text: str, given: str | None) -> None:
    assert expressions[text] == given


@pytest.mark.parametrize(("statement", "gives"), [
    ('var.set("a", "x"); set req.http.R = var.get("a");', "x"),
    ('var.set_string("a", "x"); var.set_string("a", "y"); set req.http.R = var.get_string("a");', "y"),
    ('var.set_int("a", 7); set req.http.R = var.get_int("a");', "7"),
    ('var.set_real("a", 1.5); set req.http.R = var.get_real("a");', "1.500"),
    ('var.set_duration("a", 2m); set req.http.R = var.get_duration("a");', "120.000"),
    ('var.set_ip("a", "192.0.2.7"); set req.http.R = var.get_ip("a");', "192.0.2.7"),
    ('var.set_backend("a", default); set req.http.R = var.get_backend("a");', "default"),
    ('var.set("a", "x"); var.clear(); set req.http.R = "<" + var.get("a") + ">";', "<>"),
    ('var.set_int("a", 7); set req.http.R = "<" + var.get("a") + ">";', "<>"),    # was set with another type
    ('var.global_set("g", "x"); set req.http.R = var.global_get("g");', "x"),
], ids=range(10))
def test_variables_keep_their_values(run: Callable[..., Harness], statement: str, gives: str) -> None:
    assert run(recv=f"{statement} return (hash);").field(Msg.REQ, "R") == gives


def test_each_module_has_its_own_state_in_a_transaction(run: Callable[..., Harness]) -> None:
    harness = run(recv='var.set("a", "x"); cookie.parse("a=1; b=2"); var.set("c", "z"); '
                       'set req.http.R = var.get("a") + var.get("c") + cookie.get_string(); return (hash);')
    assert harness.field(Msg.REQ, "R") == "xza=1; b=2;"


def test_global_variables_can_be_set_in_vcl_init(run: Callable[..., Harness]) -> None:
    harness = run(init='var.global_set("loaded", "yes");', recv='set req.http.R = var.global_get("loaded"); return (hash);')
    assert harness.field(Msg.REQ, "R") == "yes"


def test_a_function_of_transactions_that_does_not_run_can_be_loaded(tmp_path: Path) -> None:
    with Harness() as harness:
        path = compile_text(policy(init="call late;", declarations='sub late { if (false) { var.clear(); } }'), tmp_path)
        assert harness.load(path) == ""         # only a call at run time counts


def test_too_many_variables_fail_the_transaction(run: Callable[..., Harness]) -> None:
    statements = "".join(f'var.set_int("v{i}", {i});' for i in range(257))
    run(recv=f"{statements} return (hash);", expected="fail")


@pytest.mark.parametrize("statement", [
    'set req.http.R = digest.base64_hex("0xzz");',
    'set req.http.R = digest.base64_decode("AAAA");', 'set req.http.R = urlcode.decode("%00");',
    'if (vsthrottle.is_denied("k", 0, 1s)) { }',
])
def test_invalid_arguments_fail_the_transaction(run: Callable[..., Harness], statement: str) -> None:
    run(recv=f"{statement} return (hash);", expected="fail")


def test_throttle_counts_down_and_denies(run: Callable[..., Harness]) -> None:
    ask = 'vsthrottle.is_denied("counts-down", 2, 1000s)'
    harness = run(recv=f'set req.http.A = {ask}; set req.http.Left = vsthrottle.remaining("counts-down", 2, 1000s); '
                       f"set req.http.B = {ask}; set req.http.C = {ask}; "
                       'vsthrottle.return_token("counts-down", 2, 1000s); '
                       f"set req.http.D = {ask}; set req.http.E = {ask}; "
                       'vsthrottle.remove_bucket("counts-down", 2, 1000s); '
                       f"set req.http.F = {ask}; "
                       'set req.http.None = vsthrottle.is_denied(req.http.none, 1, 1000s); return (hash);')
    assert [harness.field(Msg.REQ, name) for name in "ABCDEF"] == ["false", "false", "true", "false", "true", "false"]
    assert harness.field(Msg.REQ, "Left") == "1"
    assert harness.field(Msg.REQ, "None") == "true"


def test_throttle_blocks(run: Callable[..., Harness]) -> None:
    ask = 'vsthrottle.is_denied("blocks", 1, 1000s, 500s)'
    harness = run(recv=f"set req.http.A = {ask}; set req.http.B = {ask}; "
                       'if (vsthrottle.blocked("blocks", 1, 1000s, 500s) > 400s) { set req.http.Blocked = "yes"; } '
                       'set req.http.Other = vsthrottle.blocked("blocks", 1, 1000s, 600s); return (hash);')
    assert (harness.field(Msg.REQ, "A"), harness.field(Msg.REQ, "B")) == ("false", "true")
    assert harness.field(Msg.REQ, "Blocked") == "yes"
    assert harness.field(Msg.REQ, "Other") == "0.000"       # another bucket, because of its other block time


@pytest.fixture(scope="module")
def codecs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harness]:
    with Harness() as harness:
        body = ("set req.http.Back = urlcode.decode(urlcode.encode(req.http.In)); set req.http.Url = urlcode.encode(req.http.In); "
                "set req.http.B = digest.base64(req.http.In); set req.http.BackB = digest.base64_decode(digest.base64(req.http.In)); "
                "return (hash);")
        assert harness.load(compile_text(policy(recv=body), tmp_path_factory.mktemp("codecs"))) == ""
        yield harness


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7e), min_size=1, max_size=40))
def test_codecs_follow_the_standards(codecs: Harness, text: str) -> None:
    codecs.reset()
    codecs.add(Msg.REQ, b"In", text.encode())
    assert codecs.run("vcl_recv") == "hash"
    assert codecs.field(Msg.REQ, "Url") == quote(text, safe="")
    assert codecs.field(Msg.REQ, "Back") == text == unquote_to_bytes(quote(text, safe="")).decode()
    assert codecs.field(Msg.REQ, "B") == base64.b64encode(text.encode()).decode()
    assert codecs.field(Msg.REQ, "BackB") == text


# ---- header ------------------------------------------------------------------------------------------------

COOKIES = [b"a=1; Path=/", b"b=2", b"a=3"]


@pytest.mark.parametrize(("statement", "left"), [
    ('header.append(beresp.http.Set-Cookie, "c=" + 4);', ["a=1; Path=/", "b=2", "a=3", "c=4"]),
    ('header.append(beresp.http.New, "x"); header.append(header.dyn(beresp, "Set-" + "Cookie"), "d=5");', ["a=1; Path=/", "b=2", "a=3", "d=5"]),
    ('header.remove(beresp.http.set-cookie, "^a=");', ["b=2"]),
    ('header.remove(beresp.http.Set-Cookie, "^(?!b=)");', ["b=2"]),
    ('header.remove(beresp.http.Other, "");', ["a=1; Path=/", "b=2", "a=3"]),
    ('header.regsub(beresp, "^(?i)set-cookie: a=(\\d)", "Set-Cookie: z=\\1");', ["z=1; Path=/", "b=2", "z=3"]),
    ('header.regsub(beresp, "[ab=]", "_", all = true);', ["__1; P_th_/", "__2", "__3"]),
    ('header.copy(beresp.http.Set-Cookie, beresp.http.Set-Cookie);', ["a=1; Path=/", "b=2", "a=3"] * 2),
], ids=range(8))
def test_header_changes_single_fields(run: Callable[..., Harness], tmp_path: Path, statement: str, left: list[str]) -> None:
    with Harness() as harness:
        assert harness.load(compile_text(policy(backend_response=f"{statement} return (deliver);"), tmp_path)) == ""
        for value in COOKIES:
            harness.add(Msg.BERESP, b"Set-Cookie", value)
        assert harness.run("vcl_backend_response") == "deliver"
        assert [value for name, value in harness.fields(Msg.BERESP) if name.lower() == "set-cookie"] == left


def test_a_field_is_chosen_by_its_value(tmp_path: Path) -> None:
    body = ('set beresp.http.R = header.get(beresp.http.Set-Cookie, "^b"); set beresp.http.None = header.get(beresp.http.Set-Cookie, "^c"); '
            "header.copy(beresp.http.Set-Cookie, beresp.http.Copy); return (deliver);")
    with Harness() as harness:
        assert harness.load(compile_text(policy(backend_response=body), tmp_path)) == ""
        for value in COOKIES:
            harness.add(Msg.BERESP, b"Set-Cookie", value)
        assert harness.run("vcl_backend_response") == "deliver"
        assert harness.field(Msg.BERESP, "R") == "b=2"
        assert harness.field(Msg.BERESP, "None") == ""
        assert [value for name, value in harness.fields(Msg.BERESP) if name == "Copy"] == ["a=1; Path=/", "b=2", "a=3"]


@pytest.mark.parametrize("statement", [
    'header.regsub(req, "^X", "a b");',
    'header.regsub(req, ":", "");', 'header.append(header.dyn(req, "a b"), "x");',
])
def test_an_invalid_field_fails_the_transaction(run: Callable[..., Harness], tmp_path: Path, statement: str) -> None:
    with Harness() as harness:
        assert harness.load(compile_text(policy(recv=f"{statement} return (hash);"), tmp_path)) == ""
        harness.add(Msg.REQ, b"X", b"a")
        assert harness.run("vcl_recv") == "fail"


# ---- querystring -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("init", "why"), [
    ('new f = querystring.filter(); f.add_glob("[[:nonsense:]]");', "querystring add_glob: "),
    (f'new f = querystring.filter(); f.add_glob("{"a" * 4097}");', "querystring add_glob: the pattern is longer than 4096 bytes"),
    ("new f = querystring.filter(); " + 'f.add_string("a");' * 257, "querystring add_string: there are too many criteria"),
    ('if (querystring.clean() == "") { }', "querystring: there is no URL outside of transactions"),
])
def test_an_invalid_filter_fails_the_load(tmp_path: Path, init: str, why: str) -> None:
    with Harness() as harness:
        assert why in harness.load(compile_text(policy(init=init, recv="return (hash);"), tmp_path))


def test_a_filter_cannot_change_after_the_load(run: Callable[..., Harness]) -> None:
    run(init="new f = querystring.filter();", recv='f.add_string("late"); return (hash);', expected="fail")


def test_a_query_with_too_many_parameters_fails_the_transaction(loaded: Callable[[str], Harness]) -> None:
    harness = loaded(policy(recv="set req.url = querystring.sort(uniq = true); return (hash);"))
    for n, result in ((16384, "hash"), (16385, "fail")):
        harness.request(url=b"/?" + b"a&" * n + b"&" * n)
        assert harness.run("vcl_recv") == result, n
        harness.reset()


# ---- geoip2 ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("geo") / "test.mmdb"
    writer = mmdb_writer.MMDBWriter(ip_version=6, ipv4_compatible=True)
    writer.insert_network(IPSet(["192.0.2.0/24"]), {"country": {"iso_code": "NO", "names": {"en": "Norway"}}, "accuracy": 42, "net": b"\x00\x2a", "share": 42.5, "note": 'a "b"\\\t'})
    writer.insert_network(IPSet(["2001:db8::/32"]), {"country": {"iso_code": "SE"}, "eu": True})
    writer.to_db_file(str(path))
    return path


def test_addresses_are_looked_up(tmp_path: Path, database: Path) -> None:
    body = "".join(f'set req.http.{name} = "<" + geo.lookup("{path}", "{address}") + ">";' for name, path, address in (
        ("Code", "country/iso_code", "192.0.2.9"), ("Deep", "/country/names/en", "192.0.2.9"), ("Number", "accuracy", "192.0.2.9"),
        ("Six", "country/iso_code", "2001:db8::1"), ("True", "eu", "2001:db8::1"),
        ("Map", "country", "192.0.2.9"), ("NoPath", "country/nothing", "192.0.2.9"), ("NoEntry", "country/iso_code", "198.51.100.1"),
        ("Empty", "", "192.0.2.9"), ("Bytes", "net", "192.0.2.9"), ("Real", "share", "192.0.2.9")))
    body += "".join(f'set req.http.Json-{path} = geo.lookup("{path}", "192.0.2.9", json = true);' for path in ("net", "share", "note"))
    with Harness() as harness:
        assert harness.load(compile_text(policy(init=f'new geo = geoip2.geoip2("{database}");', recv=body + "return (hash);"), tmp_path)) == ""
        assert harness.run("vcl_recv") == "hash"
        seen = {name: harness.field(Msg.REQ, name) for name in
                ("Code", "Deep", "Number", "Six", "True", "Map", "NoPath", "NoEntry", "Empty", "Bytes", "Real")}
        assert [harness.field(Msg.REQ, f"Json-{path}") for path in ("net", "share", "note")] == ['"002A"', "42.500000", r'"a \"b\"\\\u0009"']
    assert seen == {"Code": "<NO>", "Deep": "<Norway>", "Number": "<42>", "Six": "<SE>", "True": "<true>",
                    "Map": "<>", "NoPath": "<>", "NoEntry": "<>", "Empty": "<>", "Bytes": "<002A>", "Real": "<42.500000>"}


@pytest.mark.parametrize("content", [None, b"no database"])
def test_a_database_that_cannot_be_opened_fails_the_load(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "broken.mmdb"
    if content is not None:
        path.write_bytes(content)
    with Harness() as harness:
        error = harness.load(compile_text(policy(init=f'new geo = geoip2.geoip2("{path}");',
                                                 recv='set req.http.X = geo.lookup("a", client.ip);'), tmp_path))
    assert f"geoip2: cannot open {path}: " in error


# ---- basicauth ---------------------------------------------------------------------------------------------

#: Each hashes "myPassword"; from the examples in Apache's documentation of password formats.
PASSWORDS = """# a comment
apr1:$apr1$r31.....$HqJZimcKQFAMYayBlzkrA/
sha:{SHA}VBPuJHI7uixaa6LQGWx4s+5GKNE=
bcrypt:$2y$05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC
crypt:rqXexS6ZhobKA
plain:myPassword
plain:second
empty:
"""


def basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harness]:
    folder = tmp_path_factory.mktemp("gate")
    (folder / "users").write_text(PASSWORDS)
    with Harness() as harness:
        body = f'if (basicauth.match("{folder}/users", req.http.Authorization)) {{ return (hash); }} return (pass);'
        assert harness.load(compile_text(policy(recv=body), folder)) == ""
        yield harness


@pytest.mark.parametrize(("field", "let_in"), [
    *((basic(user, "myPassword"), True) for user in ("apr1", "sha", "bcrypt", "crypt", "plain")),
    *((basic(user, "MyPassword"), False) for user in ("apr1", "sha", "bcrypt", "crypt", "plain")),
    (basic("apr1", ""), False), (basic("nobody", "myPassword"), False), (basic("", "myPassword"), False), (basic("plain", "second"), False),
    (basic("crypt", "rqXexS6ZhobKA"), False), (basic("bcrypt", "$2y$05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC"), False), (basic("empty", ""), False),
    (basic("# a comment", ""), False), (basic("apr", "myPassword"), False), (basic("a" * 600, "x"), False), (basic("apr1", "x" * 300), False),
    ("basic " + basic("plain", "myPassword")[6:], True), ("Bearer abc", False), ("Basic", False), ("Basic ", False), ("Basic !!!!", False),
    ("Basic YQ==", False), ("Basic AAAA", False),
], ids=str)
def test_passwords_are_checked(gate: Harness, field: str, let_in: bool) -> None:
    gate.reset()
    gate.add(Msg.REQ, b"Authorization", field.encode())
    assert gate.run("vcl_recv") == ("hash" if let_in else "pass")


def test_a_request_without_credentials_is_denied(gate: Harness) -> None:
    gate.reset()
    assert gate.run("vcl_recv") == "pass"


def test_an_unreadable_password_file_fails_the_transaction(tmp_path: Path) -> None:
    with Harness() as harness:
        assert harness.load(compile_text(policy(recv=f'if (basicauth.match("{tmp_path}/none", req.http.Authorization)) {{ return (hash); }}'), tmp_path)) == ""
        harness.add(Msg.REQ, b"Authorization", basic("a", "b").encode())
        assert harness.run("vcl_recv") == "fail"


# ---- bodyaccess --------------------------------------------------------------------------------------------

LOOKS = ('set req.http.Kept = std.cache_req_body(1KB); set req.http.Length = bodyaccess.len_req_body(); '
         'set req.http.Found = bodyaccess.rematch_req_body("b.n"); set req.http.Not = bodyaccess.rematch_req_body("BAN"); ')


@pytest.mark.parametrize(("content", "seen"), [
    (b"banana", ("true", "6", "1", "0")), (b"", ("true", "0", "0", "0")), (b"\0ban", ("true", "4", "1", "0")),
    (b"x" * 1025, ("false", "-1", "-1", "-1")), (None, ("true", "-1", "-1", "-1")),
], ids=["kept", "empty", "with a NUL", "too long", "none"])
def test_content_can_be_searched(tmp_path: Path, content: bytes | None, seen: tuple[str, ...]) -> None:
    with Harness() as harness:
        assert harness.load(compile_text(policy(recv=LOOKS + "return (hash);"), tmp_path)) == ""
        if content is not None:
            harness.content(content)
        assert harness.run("vcl_recv") == "hash"
        assert tuple(harness.field(Msg.REQ, name) for name in ("Kept", "Length", "Found", "Not")) == seen
        assert ("Unbuffered req.body" in (harness.text("errors") or "")) == (seen[1] == "-1")


def test_content_is_part_of_the_key(tmp_path: Path) -> None:
    keys = []
    with Harness() as harness:
        assert harness.load(compile_text(policy(recv="std.cache_req_body(1MB); return (hash);",
                                                hash="hash_data(req.url); bodyaccess.hash_req_body(); return (lookup);"), tmp_path)) == ""
        # the last one is longer than the limit of a cache key
        for content in (b"a", b"b", b"a", b"a" * 100_000):
            harness.reset()
            harness.content(content)
            assert (harness.run("vcl_recv"), harness.run("vcl_hash")) == ("hash", "lookup")
            keys.append(harness.text("key"))
    assert keys[0] == keys[2]
    assert len(set(keys)) == 3


def test_content_functions_are_limited_to_their_hooks(tmp_path: Path) -> None:
    with Harness() as harness:
        assert harness.load(compile_text(policy(recv="std.cache_req_body(1KB); bodyaccess.hash_req_body(); return (hash);",
                                                hash="hash_data(bodyaccess.len_req_body()); return (lookup);"), tmp_path)) == ""
        harness.content(b"a")
        assert (harness.run("vcl_recv"), harness.run("vcl_hash")) == ("hash", "lookup")
        assert harness.text("key") == "-1\0"
        assert harness.text("errors") == ("hash_req_body can only be used in vcl_hash{}\nlen_req_body can only be used in vcl_recv{}\n")


# ---- saintmode ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("declaration", "why"), [
    ("new s = saintmode.saintmode(default, -1);", "saintmode: the threshold is 0 or more"),
    ("new s = saintmode.saintmode(directors.lookup(\"nobody\"), 1);", "saintmode: there is no backend"),
])
def test_an_invalid_saintmode_director_fails_the_load(tmp_path: Path, declaration: str, why: str) -> None:
    with Harness() as harness:
        assert why in harness.load(compile_text(policy(init=declaration, recv="set req.backend_hint = s.backend();"), tmp_path))


def test_denylist_works_on_responses_of_saintmode_backends_only(tmp_path: Path) -> None:
    with Harness() as harness:
        assert harness.load(compile_text(policy(recv="saintmode.blacklist(1s); return (hash);"), tmp_path)) == ""
        assert harness.run("vcl_recv") == "hash"
        assert harness.text("errors") == "saintmode.denylist(): Saintmode is not configured\n"
    with Harness() as harness:
        assert harness.load(compile_text(policy(init="new s = saintmode.saintmode(default, 1);", backend_response="saintmode.denylist(1s); return (deliver);",
                                                recv="set req.http.N = s.denylist_count(); saintmode.denylist(1s); return (hash);"), tmp_path, "q")) == ""
        assert harness.run("vcl_recv") == "hash"
        assert harness.text("errors") == "saintmode.denylist() called outside of vcl_backend_response\n"
        harness.reset()
        assert harness.run("vcl_backend_response") == "deliver"
        assert harness.text("errors") == "saintmode.denylist(): Saintmode not configured for this backend.\n"
        harness.run("vcl_recv")
        assert harness.field(Msg.REQ, "N") == "0"


# ---- vtc ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hook", "statement", "why"), [
    ("recv", "vtc.workspace_alloc(backend, 1);", "Failed to find backend workspace."),
    ("backend_fetch", "vtc.workspace_alloc(client, 0);", "Attempted negative WS allocation"),
    ("recv", "set req.http.F = vtc.workspace_reserve(client, 0);", "Attempted negative WS reservation"),
    ("recv", "vtc.workspace_alloc(session, -1);", "Attempted negative WS allocation"),
    ("recv", "vtc.workspace_alloc(thread, 1);", "vtc.workspace_alloc"),
    ("recv", "vtc.workspace_reset(client);", "Workspace to reset is not the one of the snapshot"),
    ("recv", "set req.http.F = blob.length(vtc.workspace_dump(client, s, 0B, 2KB));", "workspace_dump: no more than 1024 bytes, and no negative place"),
    ("recv", "set req.http.F = blob.length(vtc.proxy_header(v1, client.ip, vtc.no_ip()));", "vtc.proxy_header: addresses of one family are needed"),
    ("recv", 'set req.http.F = blob.length(vtc.proxy_header(v2, client.ip, server.ip, "' + "a" * 500 + '"));', "vtc.proxy_header: the authority is too long"),
])
def test_invalid_uses_of_workspaces_are_named(run: Callable[..., Harness], hook: str, statement: str, why: str) -> None:
    ends = "hash" if hook == "recv" else "fetch"
    harness = run(hook=hook, expected="fail", **{hook: f"{statement} return ({ends});"})
    assert harness.text("failed_why") == why


def test_a_workspace_dump_is_empty_here(run: Callable[..., Harness]) -> None:
    harness = run(recv='set req.http.A = blob.length(vtc.workspace_dump(client, f, 8B, 16B)); '
                       'set req.http.B = blob.length(vtc.workspace_dump(thread, s, 0B, 16B)); return (hash);')
    assert harness.field(Msg.REQ, "A") == harness.field(Msg.REQ, "B") == "0"


# ---- dynamic -----------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("init", "why"), [
    ('new d = dynamic.director(port = "");', "dynamic.director(): port may not be empty"),
    *((f"new d = dynamic.director({name} = 0s);", f"dynamic.director(): {name} may not be 0s")
      for name in ("ttl", "domain_usage_timeout", "first_lookup_timeout")),
    ("new d = dynamic.director(ttl_from = dns);", "dynamic.director: ttl_from needs a resolver"),
    ("new d = dynamic.director(resolver = :aGk=:);", "dynamic.director: resolver is not what use() of a dynamic.resolver gives"),
    ("new r = dynamic.resolver(set_from_os = false);", "dynamic.resolver: set_from_os must be true"),
    ("new r = dynamic.resolver(); r.set_resolution_type(RECURSING);", "dynamic set_resolution_type: this value is not supported"),
    ("new r = dynamic.resolver(); r.add_transport(TLS);", "dynamic add_transport: this value is not supported"),
    ("new r = dynamic.resolver(); r.clear_namespaces(); r.set_namespaces();", "dynamic set_namespaces: this value is not supported"),
    ("new r = dynamic.resolver(); r.set_timeout(0s);", "dynamic set_timeout: this value is not supported"),
], ids=range(11))
def test_an_unsupported_resolver_fails_the_load(tmp_path: Path, init: str, why: str) -> None:
    with Harness() as harness:
        assert why in harness.load(compile_text(policy(init=init, recv="return (hash);"), tmp_path))


def test_a_resolver_can_be_set_up_in_vcl_init_only(run: Callable[..., Harness]) -> None:
    made = ("new r = dynamic.resolver(); r.set_resolution_type(STUB); r.clear_namespaces(); r.add_namespace(DNS); r.set_namespaces(); "
            "r.clear_transports(); r.add_transport(TCP); r.set_transports(); r.set_idle_timeout(1s); r.set_timeout(1.5s); "
            "r.set_limit_outstanding_queries(4); r.set_follow_redirects(REDIRECTS_FOLLOW); "
            "new d = dynamic.director(resolver = r.use(), ttl_from = min);")
    run(init=made, recv="return (hash);")
    harness = run(init=made, recv="set req.http.A = r.set_timeout(1s); return (hash);", expected="fail")
    assert harness.text("failed_why") == "dynamic set_timeout: may only be called in vcl_init"


# ---- re2 ---------------------------------------------------------------------------------------------------

def test_a_pattern_of_traffic_can_match_many_repetitions(tmp_path: Path) -> None:
    with Harness() as harness:
        body = 'if (re2.match("^(a|b)*c$", req.http.x)) { return (hash); } return (pass);'
        assert harness.load(compile_text(policy(recv=body), tmp_path)) == ""
        harness.add(Msg.REQ, b"x", b"ab" * 300 + b"c")
        assert harness.run("vcl_recv") == "hash"


def test_a_pattern_of_traffic_has_a_match_limit(tmp_path: Path) -> None:
    with Harness() as harness:
        assert harness.load(compile_text(policy(recv='if (re2.match("^(a+)+$", req.http.x)) { return (hash); } return (pass);'), tmp_path)) == ""
        harness.add(Msg.REQ, b"x", b"a" * 40 + b"b")
        assert harness.run("vcl_recv") == "fail"


RE2_INIT = """new r = re2.regex("(a)(b)?(?P<n>c)"); new silent = re2.regex("(a)", never_capture = true);
              new s = re2.set(); s.add("a", string = "t"); s.add("a|b"); s.add("z", save = true);"""


@pytest.mark.parametrize(("statement", "why"), [
    ("set req.http.R = r.backref(1);", "re2 backref: nothing was matched before"),
    ('if (r.match("x")) { } set req.http.R = r.backref(0);', "re2 backref: the match before failed"),
    ('if (r.match("ac")) { } set req.http.R = r.backref(4);', "re2 backref: the pattern has no group 4"),
    ('if (r.match("ac")) { } set req.http.R = r.backref(1, req.http.none);', "re2 backref: fallback is unset"),
    ('if (r.match("ac")) { } set req.http.R = r.namedref("m");', 're2 namedref: the pattern has no group of the name "m"'),
    ('if (silent.match("a")) { } set req.http.R = silent.backref(0);', "re2 backref: never_capture is set"),
    ('set req.http.R = r.sub(req.http.none, "x");', "re2 sub: text is unset"),
    ('set req.http.R = re2.sub("(", "x", "y");', "re2.sub: missing closing parenthesis, at offset 1 of the pattern"),
    ('if (re2.match("x", "y", longest_match = true)) { }', "re2.match: longest_match cannot be had"),
    ('if (re2.match("(abc|def){1,100}", "y", max_mem = 100)) { }', "re2.match: the pattern takes "),
    ("set req.http.R = s.which();", "re2 which: nothing was matched before"),
    ('if (s.match("q")) { } set req.http.R = s.which(FIRST);', "re2 which: the match before failed"),
    ('if (s.match("a")) { } set req.http.R = s.string();', "re2 string: 2 patterns matched"),
    ('if (s.match("b")) { } set req.http.R = s.string();', "re2 string: nothing of the kind was added with pattern 2"),
    ("set req.http.R = s.integer(4);", "re2 integer: the set has no pattern 4"),
    ('if (s.match("a") && s.matched(0)) { }', "re2 matched: the set has no pattern 0"),
    ('set req.http.R = s.sub("z", "y", n = 1);', "re2 sub: nothing of the kind was added with pattern 1"),
    ('s.add("late");', "re2 add: may only be called in vcl_init"),
], ids=range(18))
def test_invalid_uses_of_a_pattern_fail_the_transaction(run: Callable[..., Harness], statement: str, why: str) -> None:
    harness = run(init=RE2_INIT, recv=f"{statement} return (hash);", expected="fail")
    assert (harness.text("failed_why") or "").startswith(why)


@pytest.mark.parametrize(("init", "why"), [
    ('new r = re2.regex("(");', "re2.regex: missing closing parenthesis"), ('new r = re2.regex("a", never_nl = true);', "never_nl cannot be had"),
    ('new s = re2.set(); s.add("[");', "re2 add: missing terminating ]"), ("new s = re2.set(); s.compile();", "re2 compile: the set has no patterns"),
    ('new s = re2.set(); s.add("a"); s.compile(); s.add("b");', "re2 add: the set has been compiled"),
    (r'new s = re2.set(); s.add("(a)\1");', "re2 add: "),
    ("new s = re2.set(); " + 's.add("a");' * 1025, "re2 add: there are too many patterns"),
    ("new s = re2.set(max_mem = 20000); " + 's.add("abc");' * 200, "re2 add: the patterns of the set take "),
    ("new s = re2.set(max_mem = 20000); " + 's.add("abc", save = true);' * 200, "re2 add: the patterns of the set take "),
], ids=range(9))
def test_a_wrong_pattern_fails_the_load(tmp_path: Path, init: str, why: str) -> None:
    with Harness() as harness:
        assert why in harness.load(compile_text(policy(init=init, recv="return (hash);"), tmp_path))


def test_each_object_and_transaction_keeps_its_own_matches(run: Callable[..., Harness]) -> None:
    harness = run(init=RE2_INIT + ' new q = re2.regex("(.)$");',
                  recv='if (r.match(req.url)) { set req.http.A = r.backref(1) + r.backref(2, "-") + r.namedref("n"); } '
                       'if (q.match("xyz") && re2.match("(.)", "m")) { set req.http.B = r.backref(0) + q.backref(1) + re2.backref(1); } '
                       'set req.http.C = q.match(req.http.none) + " " + s.match("zb") + " " + s.nmatches(); return (hash);', expected="fail")
    harness.reset()
    harness.request(url=b"/xacy")
    assert harness.run("vcl_recv") == "hash"
    assert [harness.field(Msg.REQ, name) for name in "ABC"] == ["a-c", "aczm", "false true 2"]


@pytest.mark.parametrize(("options", "pattern", "subject", "matches"), [
    ("", "a..c", "aäc", True), ("", "^.$", "ä", False), ("utf8 = true", "^.$", "ä", True),
    ("", "a$", "a\n", False), ("", "^b", "a\nb", False), ("posix_syntax = true", "^b", "a\nb", True),
    ("posix_syntax = true, one_line = true", "^b", "a\nb", False), ("", "a.b", "a\nb", False), ("dot_nl = true", "a.b", "a\nb", True),
    ("literal = true, case_sensitive = false", "A.", "xa.", True), ("", "A", "a", False),
], ids=range(11))
def test_options_of_a_pattern(run: Callable[..., Harness], options: str, pattern: str, subject: str, matches: bool) -> None:
    comma = ", " if options else ""
    declared = f'sub subject {{ set req.http.M = re2.match("{pattern}", {{"{subject}"}}{comma}{options}); }}'
    assert run(declarations=declared, recv="call subject; return (hash);").field(Msg.REQ, "M") == str(matches).lower()
