"""What a check may be told: how strict it is, and how it asks the world outside (names, patterns)."""

from __future__ import annotations

import ctypes
import ctypes.util
import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

Resolver: TypeAlias = Callable[[str], list[bytes]]
RegexCheck: TypeAlias = Callable[[bytes], str | None]


def system_resolver(host: str) -> list[bytes]:
    """The addresses of a host name, 4 or 16 bytes each; none when it does not resolve."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    packed = [socket.inet_pton(family, str(address[0]).partition("%")[0]) for family, _, _, _, address in found
              if family in (socket.AF_INET, socket.AF_INET6)]
    return list(dict.fromkeys(packed))


def pcre2_check(pattern: bytes) -> str | None:
    """What PCRE2 has against a pattern, or None. Without the library every pattern passes here and is checked at load."""
    library = _pcre2()
    if library is None:
        return None
    code, offset = ctypes.c_int(0), ctypes.c_size_t(0)
    compiled = library.pcre2_compile_8(pattern, len(pattern), 0, ctypes.byref(code), ctypes.byref(offset), None)
    if compiled:
        library.pcre2_code_free_8(compiled)
        return None
    text = ctypes.create_string_buffer(256)
    library.pcre2_get_error_message_8(code, text, len(text))
    return f"{text.value.decode('latin-1')} at offset {offset.value}"


@cache
def _pcre2() -> ctypes.CDLL | None:
    """The library with its prototypes, or None where there is none."""
    for name in ("libpcre2-8.so.0", ctypes.util.find_library("pcre2-8")):
        try:
            library = ctypes.CDLL(name) if name else None
        except OSError:
            continue
        if library is not None:
            break
    else:
        return None
    library.pcre2_compile_8.restype = ctypes.c_void_p
    library.pcre2_compile_8.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p,
                                        ctypes.c_void_p)
    library.pcre2_code_free_8.argtypes = (ctypes.c_void_p,)
    library.pcre2_code_free_8.restype = None
    library.pcre2_get_error_message_8.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t)
    return library


@dataclass(slots=True, frozen=True)
class Options:
    """``err_unref``: what is declared and never used is an error, else a warning. ``acl_pedantic``: an acl entry with bits
    beyond its mask is an error, else a warning; an acl may say otherwise for itself. ``labels``: those that exist, None when nobody knows.
    ``vmod_path``: where modules are looked for; ``any_path`` off: nowhere else."""

    err_unref: bool = True
    acl_pedantic: bool = True
    resolver: Resolver = system_resolver
    regex_check: RegexCheck = pcre2_check
    labels: tuple[str, ...] | None = None
    vmod_path: tuple[str, ...] = ()
    any_path: bool = True
