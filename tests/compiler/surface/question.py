"""A question for both compilers is a small policy. cases.py and declarations.py make questions with these
functions."""

from __future__ import annotations

from dataclasses import dataclass

VERSIONS = ("4.0", "4.1")

HEAD = """vcl {version};
import std; import directors; import blob; import cookie;
backend b {{ .host = "127.0.0.1"; }}
backend c none;
acl a {{ "192.0.2.0"/24; }}
probe p {{ }}
sub s {{ }}
sub vcl_init {{ new i = directors.round_robin(); new j = blob.blob(IDENTITY, "x"); }}
"""


@dataclass(slots=True, frozen=True)
class Case:
    """``asked`` is the part that differs from other cases; ``text`` is the whole policy."""

    asked: str
    text: str

    @property
    def data(self) -> bytes:
        """The policy as the compilers read it: one byte per character, or UTF-8 if a character does not
        fit."""
        return self.text.encode("latin-1") if self.text.isascii() or max(self.text) < "\u0100" else self.text.encode()


def in_hook(asked: str, body: str, hook: str = "vcl_recv", version: str = "4.1", more: str = "") -> Case:
    return Case(f"{asked}   in {hook}, {version}", f"{HEAD.format(version=version)}{more}sub {hook} {{ {body} }}\n")


def top_level(asked: str, version: str = "4.1") -> Case:
    """A declaration beside a policy that does not use it."""
    return Case(asked, f"vcl {version};\nbackend b none;\n{asked}\n")
