"""-A: listeners with HTTPS in hitch's grammar. hitch judges the same files where it is installed."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from proxy.daemon import ROOT, VERNISD, Daemon
from proxy.tls import SYNTH, certificate, context, status
from support.ports import free_port

HITCH = shutil.which("hitch") or "/usr/sbin/hitch"
has_hitch = pytest.mark.skipif(not Path(HITCH).exists(), reason="needs Debian's hitch")


def served(port: int, name: str | None = None, how: ssl.SSLContext | None = None) -> str:
    """The common name of the certificate that a client gets."""
    with (how or context()).wrap_socket(socket.create_connection(("127.0.0.1", port), 30), server_hostname=name) as s:
        assert status(s) == "HTTP/1.1 200 OK"
        der = s.getpeercert(binary_form=True)
        assert der is not None
        return subject(ssl.DER_cert_to_PEM_cert(der))


def subject(pem: str) -> str:
    said = subprocess.run(["openssl", "x509", "-noout", "-subject", "-nameopt", "multiline"], input=pem, capture_output=True, text=True, check=True)
    return said.stdout.split("commonName")[1].strip(" =\n")


def refused(port: int, name: str | None, how: ssl.SSLContext | None = None) -> bool:
    try:
        served(port, name, how)
    except (ssl.SSLError, ConnectionResetError):
        return True
    return False


def start(tmp_path: Path, settings: str, args: Sequence[str] = ()) -> Daemon:
    (tmp_path / "tls.conf").write_text(settings)
    return Daemon(tmp_path, SYNTH, ["-A", str(tmp_path / "tls.conf"), *args])


def ports(d: Daemon) -> list[int]:
    """Of the listeners of -A."""
    return [int(endpoint.rsplit(":", 1)[1]) for endpoint in d.status["listens"][1:]]


def judged(settings: Path) -> tuple[int, str]:
    """vernisd -C -A"""
    done = subprocess.run([VERNISD, "-C", "-A", settings], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


# ---- hitch's files ----


def hitch_file(tmp_path: Path) -> str:
    """Three frontends and twenty names."""
    for i in range(20):
        certificate(tmp_path, f"site{i}.test", f"*.site{i}.test")
    files = "".join(f'pem-file = "{tmp_path}/site{i}.test.pem"\n' for i in range(19))
    return f"""
# Frontends
frontend = {{
    host = "127.0.0.1"
    port = "{free_port()}"
}}
frontend = "[127.0.0.1]:{free_port()}"
frontend = {{
    host = "localhost"
    port = "{free_port()}"
    pem-file = {{
        cert = "{tmp_path}/site19.test.pem"
        private-key = "{tmp_path}/site19.test.key"
    }}
    sni-nomatch-abort = on
}}
backend = "[127.0.0.1]:6086"  # Varnish
workers = 4
daemon = off
user = "nobody"
group = "nogroup"
keepalive = 3600
syslog = on
log-level = 1
write-proxy-v2 = on
ciphers = "EECDH+AESGCM:EDH+AESGCM"
prefer-server-ciphers = on
tls-protos = TLSv1.2 TLSv1.3
alpn-protos = "h2, http/1.1"
ocsp-dir = "/var/lib/hitch/"
{files}"""


@has_hitch
def test_hitch_accepts_the_file_of_the_next_test(tmp_path: Path) -> None:
    (tmp_path / "hitch.conf").write_text(hitch_file(tmp_path))
    done = subprocess.run([HITCH, "--test", f"--config={tmp_path}/hitch.conf"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_file_of_hitch_works_as_it_is(tmp_path: Path) -> None:
    with start(tmp_path, hitch_file(tmp_path)) as d:
        one, two, three = ports(d)[:3]
        for i in range(19):
            assert served(one, f"site{i}.test") == f"site{i}.test"
            assert served(two, f"www.site{i}.test") == f"site{i}.test"
        assert served(one) == "site18.test"                             # the last one is the default
        assert served(three, "site19.test") == "site19.test"
        assert refused(three, "site1.test") and not refused(three, None)
        assert "workers has no effect: the parameter loops sets the number of threads" in d.logs
        assert [line.split()[1] for line in d.ok("vernis.status").splitlines() if line.startswith("listens")][1:] == ["tls0", "tls1", "tls2"]


#: Settings beside a frontend and a certificate, and whether hitch accepts them. What it accepts, we accept.
GRAMMAR = {
    'tls-protos = TLSv1.2,TLSv1.3;': True,
    'prefer-server-ciphers = "yes"': True,
    'sni-nomatch-abort = T': True,
    'ciphers = ""': True,
    'workers = 2 # each has a CPU': True,
    'ecdh-curve = "X25519:prime256v1"': True,
    'client-verify = none': True,
    'ssl = off tls = on': True,
    'quiet = on': True,
    'pem-file = { cert = "CERT" ocsp-verify-staple = off }': True,
    'frontend = "[127.0.0.1]:PORT+CERT"': True,
    'prefer-server-ciphers = maybe': False,
    'tls-protos = TLSv1.4': False,
    'client-verify = required': False,
    'frontend = { host = "127.0.0.1" }': False,
    'fronted = "[127.0.0.1]:PORT"': False,
    'pem-file = { private-key = "CERT" }': False,
    'pem-file = "CERT': False,
    'frontend = { port = "PORT"': False,
}


@pytest.mark.parametrize("text", GRAMMAR)
def test_the_grammar_is_hitchs(tmp_path: Path, text: str) -> None:
    pem = certificate(tmp_path, "a.test")
    whole = 'frontend = {\n host = "127.0.0.1"\n port = "PORT" }\nbackend = "[127.0.0.1]:1"\nuser = "nobody"\ngroup = "nogroup"\npem-file = "CERT"\n' + text + "\n"
    while "PORT" in whole:
        whole = whole.replace("PORT", str(free_port()), 1)
    path = tmp_path / "tls.conf"
    path.write_text(whole.replace("CERT", str(pem)))
    assert (judged(path)[0] == 0) == GRAMMAR[text], judged(path)[1]
    if Path(HITCH).exists():
        done = subprocess.run([HITCH, "--test", f"--config={path}"], capture_output=True, text=True, check=False)
        assert (done.returncode == 0) == GRAMMAR[text], done.stderr


# ---- settings ----


def test_frontends_have_settings_of_their_own(tmp_path: Path) -> None:
    own, other = certificate(tmp_path, "own.test"), certificate(tmp_path, "other.test")
    with start(tmp_path, f"""
            frontend = {{ host = "127.0.0.1" port = "0" pem-file = "{own}" tls-protos = TLSv1.3 }}
            frontend = {{ host = "127.0.0.1" port = "0" name = "both" pem-file = "{own}" match-global-certs = on }}
            frontend = {{ host = "127.0.0.1" port = "0" name = "none" sni-nomatch-abort = on }}
            tls-protos = TLSv1.2
            pem-file = "{other}" """) as d:
        alone, both, none = ports(d)
        v12, v13 = context(maximum_version=ssl.TLSVersion.TLSv1_2), context(minimum_version=ssl.TLSVersion.TLSv1_3)
        assert served(alone, "other.test", v13) == "own.test"           # its own are all it has
        assert refused(alone, "own.test", v12) and refused(both, "own.test", v13)
        assert (served(both, "other.test"), served(both, "own.test"), served(both)) == ("other.test", "own.test", "own.test")
        assert served(none, "other.test") == "other.test" and refused(none, "x.test")


def test_a_frontend_reads_a_proxy_header_before_tls(tmp_path: Path) -> None:
    pem = certificate(tmp_path, "a.test")
    with start(tmp_path, f'frontend = {{ host = "127.0.0.1" port = "0" }} proxy-proxy = on pem-file = "{pem}"') as d:
        with socket.create_connection(("127.0.0.1", ports(d)[0]), 30) as plain:
            plain.sendall(b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n")
            with context().wrap_socket(plain) as s:
                assert status(s) == "HTTP/1.1 200 OK"


def test_clients_need_a_certificate_of_the_authority(tmp_path: Path) -> None:
    pem, client = certificate(tmp_path, "a.test"), certificate(tmp_path, "client.test")
    stranger = certificate(tmp_path, "stranger.test")
    authorities = tmp_path / "ca.pem"
    authorities.write_text("# our clients\n" + client.read_text().split("-----BEGIN PRIVATE")[0])
    with start(tmp_path, f"""frontend = {{ host = "127.0.0.1" port = "0" client-verify = required client-verify-ca = "{authorities}" }}
                             pem-file = "{pem}" """) as d:
        known, unknown = context(), context()
        known.load_cert_chain(client)
        unknown.load_cert_chain(stranger)
        assert served(ports(d)[0], None, known) == "a.test"
        assert refused(ports(d)[0], None) and refused(ports(d)[0], None, unknown)


# ---- mistakes ----


@pytest.mark.parametrize("settings, says", [
    ('frontend = { host = "127.0.0.1" port = "0" }\npem-fil = "x"', ":2: unknown setting 'pem-fil': did you mean pem-file?"),
    ('frontend = { host = "127.0.0.1" port = "0" }\npem-file = "/no/such.pem"', "/no/such.pem: No such file or directory"),
    ('frontend = { host = "127.0.0.1" port = "0" ciphers = "()#/" }\n', "ciphers is refused"),
    ('frontend = { host = "127.0.0.1" port = "0" }\npem-file = "BAD"', "it has no private key"),
])
def test_a_mistake_ends_the_start(tmp_path: Path, settings: str, says: str) -> None:
    bad = tmp_path / "bad.pem"
    bad.write_text(certificate(tmp_path, "a.test").read_text().split("-----BEGIN PRIVATE")[0])
    path = tmp_path / "tls.conf"
    path.write_text(settings.replace("BAD", str(bad)))
    done = subprocess.run([VERNISD, "-F", "-j", "none", "-n", tmp_path / "wd", "-A", path, "-a", "127.0.0.1:0", "-T", "none", "-b", "none"],
                          capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2 and says in done.stderr, done.stderr
    status, said = judged(path)
    assert status == 2 and says in said


def test_without_certificates_handshakes_fail_until_one_is_loaded(tmp_path: Path) -> None:
    with start(tmp_path, 'frontend = { host = "127.0.0.1" port = "0" }') as d:
        assert refused(ports(d)[0], None)
        d.ok(f"tls.cert.load {certificate(tmp_path, 'a.test')}")
        d.ok("tls.cert.commit")
        assert served(ports(d)[0]) == "a.test"


# ---- reload ----


def test_a_reload_reads_the_file_and_the_folder_again(tmp_path: Path) -> None:
    folder = tmp_path / "pems"
    folder.mkdir()
    certificate(folder, "a.test")
    certificate(folder, "b.test")
    settings = f'frontend = {{ host = "127.0.0.1" port = "0" }} pem-dir = "{folder}" pem-dir-glob = "*.pem"'
    with start(tmp_path, settings) as d:
        (port,) = ports(d)
        assert (served(port), served(port, "b.test")) == ("a.test", "b.test")
        certificate(folder, "c.test")
        (folder / "b.test.pem").unlink()
        (tmp_path / "tls.conf").write_text(settings + " sni-nomatch-abort = on")
        d.ok("tls.cert.reload")
        assert served(port, "c.test") == "c.test" and refused(port, "b.test")
        (folder / "d.pem").write_text("no certificate")
        (tmp_path / "tls.conf").write_text(settings)
        code, said = d.cli("tls.cert.reload")
        assert code == 106 and "d.pem: it has no certificate" in said
        assert refused(port, "b.test") and served(port, "c.test") == "c.test"
        assert sorted(line.split()[1] for line in d.ok("tls.cert.list").splitlines()) == ["a.test", "c.test"]


# ---- vernis tls check ----


def vernis(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([ROOT / "build" / "bin" / "vernis", "tls", "check", "--daemon", str(VERNISD), *map(str, words)], capture_output=True, text=True, check=False)


def test_a_check_tells_what_a_listener_would_offer(tmp_path: Path) -> None:
    pem = certificate(tmp_path, "a.test", "*.a.test", kind="RSA")
    said = vernis(pem)
    assert said.returncode == 0
    for line in ("certificate a.test: RSA", f"    file   {pem}", "    names  a.test *.a.test", "    chain  a.test, which signs itself"):
        assert line in said.stdout.splitlines()
    assert "29 days left" in said.stdout or "30 days left" in said.stdout
    assert "    TLSv1.2 ECDHE-RSA-AES128-GCM-SHA256 " in said.stdout and "ECDSA" not in said.stdout
    key = pem.with_suffix(".key")
    pem.write_text(pem.read_text().split("-----BEGIN PRIVATE")[0])
    assert vernis(pem).returncode == 1 and "it has no private key" in vernis(pem).stdout
    assert f"    file   {pem}, key in {key}" in vernis(pem, "-k", key).stdout
    assert vernis(pem, "-k", certificate(tmp_path, "b.test")).returncode == 1
    settings = tmp_path / "tls.conf"
    settings.write_text(f'frontend = {{ port = "443" name = "web" ciphersuites = "TLS_AES_256_GCM_SHA384" }} pem-file = {{ cert = "{pem}" private-key = "{key}" }}')
    assert "listener web: :443" in vernis(settings).stdout and "    TLSv1.3 TLS_AES_256_GCM_SHA384\n" in vernis(settings).stdout


# ---- documentation ----


def test_the_page_names_each_setting() -> None:
    rows = re.findall(r'^    \{ "([a-z-]+)", [A-Z_]+, IN_', (ROOT / "runtime/manager/tls/config_keys.c").read_text(), re.M)
    page = (ROOT / "docs/tls.md").read_text()
    assert len(rows) > 60 and [name for name in rows if f"`{name}`" not in page and f"`{name} = " not in page] == []
