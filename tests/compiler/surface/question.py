"""What a question is: a small policy. Those of cases.py and declarations.py are made of it."""

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
    """``asked`` is what is different in this one; ``text`` the whole policy."""

    asked: str
    text: str

    @property
    def data(self) -> bytes:
        """A byte a character, as the compilers see it; more where that cannot be."""
        return self.text.encode("latin-1") if self.text.isascii() or max(self.text) < "\u0100" else self.text.encode()


def in_hook(asked: str, body: str, hook: str = "vcl_recv", version: str = "4.1", more: str = "") -> Case:
    return Case(f"{asked}   in {hook}, {version}", f"{HEAD.format(version=version)}{more}sub {hook} {{ {body} }}\n")


def top_level(asked: str, version: str = "4.1") -> Case:
    """Something beside a policy that needs nothing of it."""
    return Case(asked, f"vcl {version};\nbackend b none;\n{asked}\n")
