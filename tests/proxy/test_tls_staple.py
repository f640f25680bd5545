"""Answers of OCSP from a file: sent to clients that ask, if they are of the certificate, good and new."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.tls import SYNTH, Authority, https


def answer(by: Authority, of: Path, to: Path, *how: str) -> Path:
    """Writes what the authority says of a certificate: valid for five days."""
    subprocess.run(["openssl", "ocsp", "-index", by.folder / "index.txt", "-CA", by.pem, "-rsigner", by.pem, "-rkey", by.key, "-issuer", by.pem,
                    "-cert", of, "-noverify", "-respout", to, *(how or ("-ndays", "5"))], check=True, capture_output=True)
    return to


def stapled(port: int, *how: str) -> str:
    """The answer that came with the certificate, as `openssl s_client` prints it."""
    done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-status", *how], input="", capture_output=True, text=True, timeout=60)
    return done.stdout.partition("OCSP response:")[2].partition("---")[0]


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "middle", Authority(tmp_path))


@pytest.mark.parametrize("version", ["-tls1_2", "-tls1_3"])
def test_the_answer_beside_a_certificate_is_sent_to_those_who_ask(tmp_path: Path, authority: Authority, version: str) -> None:
    pem = authority.issue("a.test", names="DNS:a.test")
    answer(authority, pem, Path(f"{pem}.ocsp"))
    with https(tmp_path, [pem]) as d:
        assert "Cert Status: good" in stapled(d.port, version)
        done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{d.port}", version], input="", capture_output=True, text=True, timeout=60)
        assert "Verification" in done.stdout and "Cert Status" not in done.stdout


def test_a_reload_reads_a_new_answer_and_forgets_a_removed_one(tmp_path: Path, authority: Authority) -> None:
    pem = authority.issue("a.test", names="DNS:a.test")
    file = Path(f"{pem}.ocsp")
    with https(tmp_path, [pem]) as d:
        assert "no response sent" in stapled(d.port)
        answer(authority, pem, file)
        d.ok("tls.cert.reload")
        assert "Cert Status: good" in stapled(d.port)
        file.unlink()
        d.ok("tls.cert.reload")
        assert "no response sent" in stapled(d.port)


def test_a_bad_answer_is_named_and_not_sent(tmp_path: Path, authority: Authority) -> None:
    pem, other = authority.issue("a.test", names="DNS:a.test"), authority.issue("b.test", names="DNS:b.test")
    file = Path(f"{pem}.ocsp")
    stranger = Authority(tmp_path, "stranger")
    foreign = tmp_path / "foreign.der"
    subprocess.run(["openssl", "ocsp", "-index", authority.folder / "index.txt", "-CA", authority.pem, "-rsigner", stranger.pem, "-rkey", stranger.key,
                    "-issuer", authority.pem, "-cert", pem, "-noverify", "-respout", foreign, "-ndays", "5"], check=True, capture_output=True)
    with https(tmp_path, [pem]) as d:
        for make, says in (
            (lambda: file.write_bytes(b""), "it is no answer of OCSP (DER)"),
            (lambda: file.write_text("-----BEGIN CERTIFICATE-----\n"), "it is no answer of OCSP (DER)"),
            (lambda: answer(authority, other, file), "it is for another certificate"),
            (lambda: file.write_bytes(foreign.read_bytes()), "its signature is not the authority's"),
            (lambda: answer(authority, pem, file, "-text"), "it does not say until when it is valid"),
        ):
            make()
            d.ok("tls.cert.reload")
            wait_until(lambda says=says: f"certificate a.test: {file} is not sent to clients: {says}" in d.logs, says)
            assert "no response sent" in stapled(d.port)
        authority.revoked(pem)
        answer(authority, pem, file)
        d.ok("tls.cert.reload")
        wait_until(lambda: "the certificate is revoked" in d.logs, "the log")
        assert "no response sent" in stapled(d.port)


def test_the_file_of_a_names_an_answer(tmp_path: Path, authority: Authority) -> None:
    pem = authority.issue("a.test", names="DNS:a.test")
    file = answer(authority, pem, tmp_path / "answer.der")
    config = tmp_path / "tls.conf"
    config.write_text(f'frontend = "[127.0.0.1]:0"\npem-file = {{ cert = "{pem}" ocsp-resp-file = "{file}" }}\n')
    with Daemon(tmp_path, SYNTH, ["-A", str(config)]) as d:
        port = int(d.status["listens"][1].rsplit(":", 1)[1])
        assert "Cert Status: good" in stapled(port)
        file.rename(tmp_path / "elsewhere")
        assert d.cli("tls.cert.reload") == (106, f"{file}: No such file or directory\n")
        assert "Cert Status: good" in stapled(port)
    (tmp_path / "elsewhere").rename(file)
    config.write_text(config.read_text().replace(":0", ":8443"))
    done = subprocess.run([ROOT / "build/bin/vernis", "tls", "check", config], capture_output=True, text=True)
    assert "    OCSP   good, until 20" in done.stdout
