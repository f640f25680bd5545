"""What a policy sees of TLS: modules tls and proxy, req.scheme, certificates of clients, fingerprints."""

from __future__ import annotations

import hashlib
import re
import socket
import ssl
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from proxy.daemon import Daemon, wait_until
from proxy.origin import Origin, Reply
from proxy.serve import SANITIZED, SANITIZER_ENV
from proxy.test_delivery import BACKEND
from proxy.test_proxy_fields import HEADER
from proxy.tls import Authority, ask, certificate, connect, context

TEXTS = ["version", "cipher", "authority", "alpn", "cert_sign", "cert_key", "group", "client_verify", "client_subject", "client_issuer",
         "client_serial", "client_san", "client_sha256", "ja3", "ja4", "ja4_r", "ja4_o", "ja4_ro"]
PROXY = ["alpn", "authority", "ssl_version", "client_cert_cn", "ssl_cipher", "cert_sign", "cert_key"]


def sets(module: str, texts: Sequence[str], others: Sequence[str] = (), to: str = "resp.http.") -> str:
    """Statements that set a field for each fact; of texts only if it is there."""
    def call(name: str) -> str:
        return f"{module}.{name}()"
    return "".join(f"if ({call(name)}) {{ set {to}{name.replace('_', '-')} = {call(name)}; }}\n" for name in texts) + \
        "".join(f"set {to}{name.replace('_', '-')} = {call(name)};\n" for name in others)


FACTS = f"""vcl 4.1; import tls; import std; backend default none;
sub vcl_recv {{ return (synth(200)); }}
sub vcl_synth {{
    {sets("tls", TEXTS, ["is_tls", "resumed"])}
    set resp.http.scheme = req.scheme;
    set resp.http.socket = local.socket;
    set resp.http.endpoint = local.endpoint;
    set resp.http.port = std.port(server.ip);
    return (deliver);
}}"""


class Served(Daemon):
    """Its port is that of its last listener."""

    @property
    def port(self) -> int:
        return int(self.status["listens"][-1].rsplit(":", 1)[1])


def daemon(tmp_path: Path, settings: str, policy: str = FACTS, *, frontend: str = 'name = "web"') -> Daemon:
    """With a listener of HTTPS, and sanitizers if they are built. ``settings``: of -A."""
    (tmp_path / "tls.conf").write_text(f'frontend = {{ host = "127.0.0.1" port = "0" {frontend} }}\n{settings}')
    return served(tmp_path, policy, ["-A", str(tmp_path / "tls.conf")])


def served(tmp_path: Path, policy: str, args: Sequence[str] = (), listen: str = "plain=127.0.0.1:0") -> Daemon:
    return Served(tmp_path, policy, args, listen=listen, env=SANITIZER_ENV, binary=SANITIZED if SANITIZED.exists() else None)


def facts(d: Daemon, name: str | None = "a.test", path: str = "/", **how: object) -> dict[str, str]:
    with connect(d, name, how=context(**how)) as s:
        return ask(s, path)


# ---- the connection ----


@pytest.mark.parametrize("kind, key, sign", [("EC", "EC256", "ecdsa-with-SHA256"), ("RSA", "RSA2048", "RSA-SHA256"),
                                             ("ED25519", "ED25519", "ED25519")])
def test_a_policy_sees_the_handshake(tmp_path: Path, kind: str, key: str, sign: str) -> None:
    with daemon(tmp_path, f'pem-file = "{certificate(tmp_path, "a.test", kind=kind)}"') as d:
        for version, protocols in ((ssl.TLSVersion.TLSv1_2, []), (ssl.TLSVersion.TLSv1_3, ["http/1.1"])):
            how = context(maximum_version=version)
            if protocols:
                how.set_alpn_protocols(protocols)
            with connect(d, "A.test", how=how) as s:
                got, cipher = ask(s), s.cipher()
                assert cipher is not None
                expected = {"is-tls": "true", "resumed": "false", "version": s.version(), "cipher": cipher[0], "authority": "A.test",
                            "cert-sign": sign, "cert-key": key, "group": "x25519", "client-verify": "none", "scheme": "https"}
                assert {name: got.get(name) for name in expected} == expected
                assert got.get("alpn") == (protocols[0] if protocols else None)
                assert not {"client-subject", "client-issuer", "client-serial", "client-san", "client-sha256"} & set(got)
        assert "authority" not in facts(d, None)


def test_a_resumed_session_has_the_facts_of_the_first(tmp_path: Path) -> None:
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        with daemon(tmp_path, f'pem-file = "{certificate(tmp_path, "a.test", kind="RSA")}" pem-file = "{certificate(tmp_path, "b.test")}"') as d:
            how = context(maximum_version=version)
            with connect(d, "a.test", how=how) as s:
                first, session = ask(s), s.session
            for _ in range(2):                                          # the second time by a ticket of a resumed connection
                with connect(d, "a.test", how=how, session=session) as s:
                    again, session = ask(s), s.session
                    assert s.session_reused
                changing = {"resumed", "date", "x-varnish", "ja3", "ja4", "ja4-r", "ja4-o", "ja4-ro"}
                assert again["resumed"] == "true" and first["cert-key"] == "RSA2048"
                assert {k: v for k, v in again.items() if k not in changing} == {k: v for k, v in first.items() if k not in changing}


def test_without_tls_there_are_no_facts(tmp_path: Path) -> None:
    with served(tmp_path, FACTS) as d:
        with socket.create_connection(("127.0.0.1", d.port), 30) as s:
            got = ask(s)
        assert (got["is-tls"], got["resumed"], got["scheme"], got["socket"]) == ("false", "false", "http", "plain")
        assert not {name.replace("_", "-") for name in TEXTS} & set(got)


def test_a_listener_is_known_by_name_and_port(tmp_path: Path) -> None:
    with daemon(tmp_path, f'pem-file = "{certificate(tmp_path, "a.test")}"', frontend='name = "shop"') as d:
        got = facts(d)
        assert (got["socket"], got["port"], got["endpoint"]) == ("shop", str(d.port), f"127.0.0.1:{d.port}")
        with socket.create_connection(("127.0.0.1", int(d.status["listens"][0].rsplit(":", 1)[1])), 30) as s:
            got = ask(s)
        assert (got["socket"], got["scheme"]) == ("plain", "http")


def test_a_pipe_knows_the_client_and_a_fetch_has_no_tls(tmp_path: Path) -> None:
    rules = f"""import tls;
sub vcl_recv {{ if (req.url == "/pipe") {{ return (pipe); }} return (pass); }}
sub vcl_pipe {{ {sets("tls", ["version", "authority"], ["is_tls"], "bereq.http.")} }}
sub vcl_backend_response {{ {sets("tls", ["version", "cert_key"], ["is_tls"], "beresp.http.")} }}
"""
    with Origin(lambda r: Reply(body=b"x")) as origin, \
            daemon(tmp_path, f'pem-file = "{certificate(tmp_path, "a.test")}"', BACKEND.format(port=origin.port) + rules) as d:
        got = facts(d)
        assert got["status"] == "200" and got["is-tls"] == "false" and not {"version", "cert-key"} & set(got)
        facts(d, path="/pipe")
        asked = origin.requests[-1].headers
        assert (asked.get("is-tls"), asked.get("version"), asked.get("authority")) == ("true", "TLSv1.3", "a.test")


# ---- module proxy ----

BOTH = f"""vcl 4.1; import proxy; import tls; backend default none;
sub vcl_recv {{ return (synth(200)); }}
sub vcl_synth {{
    {sets("proxy", PROXY, ["is_ssl", "client_has_cert_sess", "client_has_cert_conn", "ssl_verify_result"])}
    set resp.http.scheme = req.scheme;
    set resp.http.is-tls = tls.is_tls();
    return (deliver);
}}"""


def test_module_proxy_tells_of_our_handshake(tmp_path: Path) -> None:
    with daemon(tmp_path, f'pem-file = "{certificate(tmp_path, "a.test")}"', BOTH) as d:
        how = context()
        how.set_alpn_protocols(["http/1.1"])
        with connect(d, "a.test", how=how) as s:
            got, cipher = ask(s), s.cipher()
        assert cipher is not None
        expected = {"alpn": "http/1.1", "authority": "a.test", "is-ssl": "true", "ssl-version": "TLSv1.3", "ssl-cipher": cipher[0],
                    "cert-sign": "ecdsa-with-SHA256", "cert-key": "EC256", "client-has-cert-sess": "false",
                    "client-has-cert-conn": "false", "ssl-verify-result": "0", "scheme": "https"}
        assert {name: got.get(name) for name in expected} == expected and "client-cert-cn" not in got


def test_a_fetch_can_read_our_handshake(tmp_path: Path) -> None:
    """Also one in the background, which outlives the connection of the client."""
    rules = """import proxy;
sub vcl_backend_fetch { set bereq.http.name = proxy.authority(); set bereq.http.ssl = proxy.is_ssl(); }
sub vcl_backend_response { set beresp.ttl = 0.001s; set beresp.grace = 10s; }
"""
    with Origin(lambda r: Reply(body=b"x")) as origin, \
            daemon(tmp_path, f'pem-file = "{certificate(tmp_path, "a.test")}"', BACKEND.format(port=origin.port) + rules) as d:
        wait_until(lambda: facts(d)["status"] == "200" and len(origin.requests) >= 2, "a stale response is refreshed")
        assert {(r.headers.get("name"), r.headers.get("ssl")) for r in origin.requests} == {("a.test", "true")}


TLS_FIELD = b"\x20\0\x1b\1\0\0\0\0\x21\0\7TLSv1.2\x23\0\tECDHE-ABC"


@pytest.mark.parametrize("fields, name, scheme", [(b"", None, "http"), (TLS_FIELD, "TLSv1.2", "https"),
                                                  (b"\x20\0\x05\0\0\0\0\0", None, "http")])
def test_the_scheme_is_that_of_the_offloader(tmp_path: Path, fields: bytes, name: str | None, scheme: str) -> None:
    with served(tmp_path, BOTH, listen="plain=127.0.0.1:0,PROXY") as d:
        with socket.create_connection(("127.0.0.1", d.port), 30) as s:
            s.sendall(proxy_header(fields))
            got = ask(s)
        assert (got["scheme"], got.get("ssl-version"), got["is-tls"]) == (scheme, name, "false")


def proxy_header(fields: bytes) -> bytes:
    addresses = HEADER[16:28] + fields
    return HEADER[:14] + len(addresses).to_bytes(2, "big") + addresses


def test_an_offloader_that_speaks_tls_with_us_tells_of_the_client(tmp_path: Path) -> None:
    with daemon(tmp_path, f'proxy-proxy = on pem-file = "{certificate(tmp_path, "a.test")}"', BOTH) as d:
        for fields, version in ((TLS_FIELD, "TLSv1.2"), (b"\1\0\2h9", "TLSv1.3"), (b"", "TLSv1.3")):
            with socket.create_connection(("127.0.0.1", d.port), 30) as plain:
                plain.sendall(proxy_header(fields))
                with context().wrap_socket(plain, server_hostname="a.test") as s:
                    got = ask(s)
            assert (got["ssl-version"], got["scheme"]) == (version, "https") and got.get("alpn") is None


# ---- certificates of clients ----


def verifying(tmp_path: Path, authority: Path, *, how: str = "optional", more: str = "", policy: str = FACTS) -> Daemon:
    server = tmp_path / "a.test.pem"
    if not server.exists():
        certificate(tmp_path, "a.test")
    return daemon(tmp_path, f'pem-file = "{server}" client-verify = {how} client-verify-ca = "{authority}" {more}', policy)


def client(d: Daemon, pem: Path | None, version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> dict[str, str] | None:
    """The facts; None: the handshake fails."""
    how = context(maximum_version=version)
    if pem is not None:
        how.load_cert_chain(pem)
    try:
        with connect(d, "a.test", how=how) as s:
            return ask(s)
    except (ssl.SSLError, ConnectionResetError):
        return None


def alternative_names(*names: bytes) -> str:
    """An extension of names of hosts, in hexadecimal DER, for names that OpenSSL's command would not write."""
    content = b"".join(bytes([0x82, len(name)]) + name for name in names)
    return (bytes([0x30, len(content)]) + content).hex(":")


VERSIONS = pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])


@VERSIONS
def test_an_optional_certificate_is_judged_by_the_policy(tmp_path: Path, version: ssl.TLSVersion) -> None:
    ca = Authority(tmp_path)
    good = ca.issue("good", names="DNS:good.test,email:g@good.test,URI:spiffe://good/x,IP:192.0.2.1")
    sly = ca.issue("sly", names="DER:" + alternative_names(b"a.test,DNS:good.test", b"sly.test", b"x\nDNS:y"))
    old, strange = ca.issue("old", ends="20210101000000Z"), certificate(tmp_path, "strange")
    with verifying(tmp_path, ca.pem, policy=FACTS.replace("return (deliver);", sets("proxy", ["client_cert_cn"], [
            "client_has_cert_sess", "client_has_cert_conn", "ssl_verify_result"]) + "return (deliver);").replace(
                "import tls;", "import tls; import proxy;")) as d:
        got = client(d, good, version)
        assert got is not None
        der = ssl.PEM_cert_to_DER_cert(good.read_text().split("-----BEGIN PRIVATE")[0])
        expected = {"client-verify": "ok", "client-subject": "CN=good,O=Clients", "client-issuer": "CN=ca", "client-serial": "10A1",
                    "client-sha256": hashlib.sha256(der).hexdigest(), "client-cert-cn": "good", "client-has-cert-sess": "true",
                    "client-has-cert-conn": "true", "ssl-verify-result": "0"}
        assert {name: got.get(name) for name in expected} == expected
        assert got["client-san"] == "DNS:good.test,email:g@good.test,URI:spiffe://good/x,IP:192.0.2.1"
        other = client(d, sly, version)
        assert other is not None and other["client-san"] == "DNS:sly.test"
        none, expired, unknown = client(d, None, version), client(d, old, version), client(d, strange, version)
        assert none is not None and expired is not None and unknown is not None
        assert (none["client-verify"], none["client-has-cert-sess"]) == ("none", "false")
        assert (expired["client-verify"], expired["client-subject"]) == ("certificate has expired", "CN=old,O=Clients")
        assert (expired["ssl-verify-result"], expired["client-has-cert-conn"]) == ("10", "true")
        assert unknown["client-verify"] == "self-signed certificate"


@VERSIONS
def test_a_required_certificate_must_be_valid(tmp_path: Path, version: ssl.TLSVersion) -> None:
    ca = Authority(tmp_path)
    with verifying(tmp_path, ca.pem, how="required") as d:
        got = client(d, ca.issue("good"), version)
        assert got is not None and got["client-verify"] == "ok"
        for bad in (None, ca.issue("old", ends="20210101000000Z"), certificate(tmp_path, "strange")):
            assert client(d, bad, version) is None
        wait_until(lambda: d.counters["TLS.fail_certificate"] == 3, "each is counted")


def test_curl_shows_its_certificate(tmp_path: Path) -> None:
    ca = Authority(tmp_path)
    good = ca.issue("good")
    with verifying(tmp_path, ca.pem, how="required") as d:
        url = f"https://127.0.0.1:{d.port}/"
        said = subprocess.run(["curl", "-skD-", "-o", "/dev/null", "--cert", good, "--key", good.with_suffix(".key"), url], capture_output=True, text=True)
        assert "client-subject: CN=good,O=Clients" in said.stdout
        assert subprocess.run(["curl", "-sk", url], capture_output=True).returncode != 0


def test_a_chain_may_have_a_depth(tmp_path: Path) -> None:
    root = Authority(tmp_path)
    below = Authority(tmp_path, "below", root)
    near, far = root.issue("near"), below.issue("far")
    for depth, verify in ((1, "ok"), (0, "certificate chain too long")):
        with verifying(tmp_path, root.pem, more=f"client-verify-depth = {depth}") as d:
            got, direct = client(d, far), client(d, near)
            assert got is not None and direct is not None
            assert direct["client-verify"] == "ok" and got["client-verify"] == verify
            assert verify != "ok" or got["client-issuer"] == "CN=below,O=Clients"


def test_revoked_certificates_are_not_valid(tmp_path: Path) -> None:
    ca = Authority(tmp_path)
    good, lost, later = ca.issue("good"), ca.issue("lost"), ca.issue("later")
    more = f'client-verify-crl = "{ca.revoked(lost)}"'
    with verifying(tmp_path, ca.pem, how="required", more=more) as d:
        assert client(d, good) and client(d, later) and client(d, lost) is None
        how = context()
        how.load_cert_chain(later)
        with connect(d, "a.test", how=how) as s:
            assert ask(s)["client-verify"] == "ok"
            session = s.session
        ca.revoked(later)
        d.ok("tls.cert.reload")
        assert client(d, good) and client(d, later) is None
        with pytest.raises((ssl.SSLError, ConnectionResetError)), connect(d, "a.test", how=how, session=session) as s:
            ask(s)                                                      # its ticket is from before the list


def test_a_list_of_an_authority_is_needed_for_each_certificate(tmp_path: Path) -> None:
    root = Authority(tmp_path)
    below = Authority(tmp_path, "below", root)
    far, lists = below.issue("far"), tmp_path / "lists.pem"
    lists.write_text(below.revoked().read_text())
    with verifying(tmp_path, root.pem, more=f'client-verify-crl = "{lists}"') as d:
        got = client(d, far)
        assert got is not None and got["client-verify"] == "unable to get certificate CRL"
        lists.write_text(lists.read_text() + root.revoked().read_text())
        d.ok("tls.cert.reload")
        got = client(d, far)
        assert got is not None and got["client-verify"] == "ok"


def test_tickets_do_not_carry_a_client_around_other_demands(tmp_path: Path) -> None:
    """A ticket of an optional certificate is not for a required one; nor one of another authority."""
    ca, other = Authority(tmp_path), Authority(tmp_path, "other")
    server, good = certificate(tmp_path, "a.test"), ca.issue("good")
    listeners = "".join(f'frontend = {{ host = "127.0.0.1" port = "0" name = "{name}" client-verify = {how} client-verify-ca = "{pem}" }}\n'
                        for name, how, pem in (("two", "required", other.pem), ("three", "optional", other.pem)))
    with daemon(tmp_path, f'{listeners} pem-file = "{server}"', frontend=f'name = "one" client-verify = required client-verify-ca = "{ca.pem}"') as d:
        ports = [int(line.rsplit(":", 1)[1]) for line in d.status["listens"][1:]]
        how = context()
        how.load_cert_chain(good)

        def visit(port: int, session: ssl.SSLSession | None) -> tuple[dict[str, str], ssl.SSLSession | None, bool]:
            with how.wrap_socket(socket.create_connection(("127.0.0.1", port), 30), server_hostname="a.test", session=session) as s:
                return ask(s), s.session, bool(s.session_reused)

        first, session, _ = visit(ports[0], None)
        assert first["client-verify"] == "ok" and visit(ports[0], session)[2]
        with pytest.raises((ssl.SSLError, ConnectionResetError)):
            visit(ports[1], session)
        third, _, reused = visit(ports[2], session)
        assert not reused and third["client-verify"] == "unable to get local issuer certificate"


def test_a_listener_of_the_command_line_verifies_as_the_file_says(tmp_path: Path) -> None:
    """Also if a certificate is for this listener only."""
    ca = Authority(tmp_path)
    (tmp_path / "tls.conf").write_text(f'frontend = {{ host = "127.0.0.1" port = "0" }} client-verify = required client-verify-ca = "{ca.pem}"')
    with Daemon(tmp_path, FACTS, ["-A", str(tmp_path / "tls.conf")], listen="web=127.0.0.1:0,HTTPS") as d:
        d.ok(f"tls.cert.load {certificate(tmp_path, 'a.test')} -f web")
        d.ok("tls.cert.commit")
        assert client(d, None) is None and client(d, ca.issue("good"))


@pytest.mark.parametrize("settings, says", [
    ("client-verify-depth = many", "client-verify-depth must be a number up to 100, not many"),
    ("client-verify-depth = 101", "client-verify-depth must be a number up to 100, not 101"),
    ('client-verify-crl = "CA"', "has no PEM block X509 CRL"),
    ('client-verify-crl = "/no/such"', "/no/such: No such file"),
    ('client-verify = optional client-verify-ca = "BAD"', "client_ca or client_crl is refused"),
    ('pem-file = { cert = "CA" client-verify-crl = "x" }', "clients are verified by a listener"),
])
def test_mistakes_about_clients_are_named(tmp_path: Path, settings: str, says: str) -> None:
    pem, bad = certificate(tmp_path, "ca"), tmp_path / "bad.pem"
    text = pem.read_text().split("-----BEGIN PRIVATE")[0]
    (tmp_path / "only.pem").write_text(text)
    bad.write_text(text + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
    path = tmp_path / "tls.conf"
    path.write_text('frontend = { host = "127.0.0.1" port = "0" }\n' + settings.replace("CA", str(tmp_path / "only.pem")).replace("BAD", str(bad)))
    done = subprocess.run([Path(SANITIZED).parents[1] / "bin/vernisd", "-C", "-A", path], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and says in done.stdout + done.stderr


# ---- fingerprints ----

def test_fingerprints_of_curl_are_stable(tmp_path: Path) -> None:
    with daemon(tmp_path, f'pem-file = "{certificate(tmp_path, "a.test")}"') as d:
        def shown() -> dict[str, str]:
            said = subprocess.run(["curl", "-skD-", "-o", "/dev/null", "--resolve", f"a.test:{d.port}:127.0.0.1", f"https://a.test:{d.port}/"],
                                  capture_output=True, text=True, check=True).stdout
            return dict(re.findall(r"^(ja\w+(?:-\w+)?): (.*)$", said.replace("\r", ""), re.M))
        first = shown()
        assert set(first) == {"ja3", "ja4", "ja4-r", "ja4-o", "ja4-ro"} and shown() == first
        assert re.fullmatch(r"771,[\d-]+,[\d-]+,[\d-]+,[\d-]+", first["ja3"])
        assert re.fullmatch(r"t13d\d{4}h2_[0-9a-f]{12}_[0-9a-f]{12}", first["ja4"])
        head, ciphers, extensions, schemes = first["ja4-r"].split("_")
        assert head == first["ja4"].split("_")[0] and ciphers.split(",") == sorted(ciphers.split(","))
        assert hashlib.sha256(ciphers.encode()).hexdigest()[:12] == first["ja4"].split("_")[1]
        assert hashlib.sha256(f"{extensions}_{schemes}".encode()).hexdigest()[:12] == first["ja4"].split("_")[2]
        assert facts(d, None)["ja4"].startswith("t13i")


def test_hellos_are_kept_only_while_a_policy_wants_them(tmp_path: Path) -> None:
    other = tmp_path / "other.vcl"
    other.write_text("vcl 4.1; backend default none; sub vcl_recv { return (synth(204)); }")
    with daemon(tmp_path, f'pem-file = "{certificate(tmp_path, "a.test")}"', other.read_text()) as d:
        (tmp_path / "facts.vcl").write_text(FACTS)
        with connect(d, "a.test") as before:
            assert ask(before)["status"] == "204"
            d.ok(f"vcl.load facts {tmp_path}/facts.vcl")
            d.ok("vcl.use facts")
            assert "ja4" not in ask(before) and "ja4" in facts(d)
        d.ok("vcl.use boot")
        d.ok("vcl.discard facts")
        with connect(d, "a.test") as between:
            wait_until(lambda: "facts" not in d.ok("vcl.list"), "the policy is gone")
            assert ask(between)["status"] == "204"
