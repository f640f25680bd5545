"""Functions of module digest with absent and empty keys and texts.

As in libvmod-digest, an absent text counts as empty. Without a key, the result is unset: a digest with an
empty key would look valid.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator

import pytest
from support.language import Harness, compile_text, policy

from vernis.ir.ir import Msg
from vernis.semantics.vocabulary import load_vocabulary

UNSET = "req.http.unset"
EMPTY = (UNSET, '""')
KINDS = ("md5", "sha1", "sha256")
FORMS = ("", "_hex", "_decode", "url", "url_hex", "url_decode", "url_nopad", "url_nopad_hex", "url_nopad_decode")
OTHERS = {"md4": "31d6cfe0d16ae931b73c59d7e0c089c0", "ripemd160": "9c1185a5c5e9fc54612808977ee8f548b2258d31",
          "whirlpool": "19fa61d75522a4669b44e39c1d2e1726c530232130d407f89afee0964997f7a73e83be698b288febcf88e3e03c4f0757ea8964e59b63d937"
                       "08b138cc42a66eb3", "crc32": "00000000", "crc32b": "00000000", "adler32": "01000000"}

#: (expression, its result; None: unset)
EXPRESSIONS: list[tuple[str, str | None]] = [
    *((f"digest.hash_{kind}({text})", hashlib.new(kind, b"").hexdigest())
      for kind in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512") for text in EMPTY),
    *((f"digest.hash_{kind}({text})", given) for kind, given in OTHERS.items() for text in EMPTY),
    *((f"digest.hmac_{kind}({UNSET}, {text})", None) for kind in KINDS for text in (*EMPTY, '"abc"')),
    *((f'digest.hmac_{kind}("{key}", {text})', "0x" + hmac.digest(key.encode(), b"", kind).hex())
      for kind in KINDS for key in ("", "key") for text in EMPTY),
    *((f'digest.hmac_{kind}("", "abc")', "0x" + hmac.digest(b"", b"abc", kind).hex()) for kind in KINDS),
    *((f"digest.base64{form}({text})", "") for form in FORMS for text in EMPTY),
]


@pytest.fixture(scope="module")
def harness(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harness]:
    body = "".join(f'if (req.http.case == "{number}") {{ set req.http.text = {text}; if ({text}) {{ set req.http.set = 1; }} }}\n'
                   for number, (text, _) in enumerate(EXPRESSIONS))
    with Harness() as one:
        assert one.load(compile_text(policy(recv=body + "return (hash);"), tmp_path_factory.mktemp("digest"))) == ""
        yield one


@pytest.mark.parametrize("number", range(len(EXPRESSIONS)), ids=[text for text, _ in EXPRESSIONS])
def test_absent_and_empty_texts(harness: Harness, number: int) -> None:
    harness.reset()
    harness.add(Msg.REQ, b"case", str(number).encode())
    assert harness.run("vcl_recv") == "hash"
    given = EXPRESSIONS[number][1]
    assert (harness.field(Msg.REQ, "set") is not None) == (given is not None)
    assert harness.field(Msg.REQ, "text") == (given or "")


def test_each_function_has_its_rows() -> None:
    called = {text.partition("(")[0].removeprefix("digest.") for text, _ in EXPRESSIONS}
    assert called == load_vocabulary().modules["digest"].functions.keys() - {"version"}
