"""What a check may be told: how strict it is, and how it asks the world outside (names, patterns).

What only some policies need (the network's library, the search for a library) is imported where it is used."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeAlias

from vernis.record import record

Resolver: TypeAlias = Callable[[str], list[bytes]]
RegexCheck: TypeAlias = Callable[[bytes], str | None]


def system_resolver(host: str) -> list[bytes]:
    """The addresses of a host name, 4 or 16 bytes each; none when it does not resolve."""
    import socket

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
    library = next(_pcre2_libraries(), None)
    if library is None:
        return None
    library.pcre2_compile_8.restype = ctypes.c_void_p
    library.pcre2_compile_8.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p,
                                        ctypes.c_void_p)
    library.pcre2_code_free_8.argtypes = (ctypes.c_void_p,)
    library.pcre2_code_free_8.restype = None
    library.pcre2_get_error_message_8.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t)
    return library


def _pcre2_libraries() -> Iterator[ctypes.CDLL]:
    """By the name it has on Debian, then by whatever the system finds, which takes a compiler's run or two."""
    try:
        yield ctypes.CDLL("libpcre2-8.so.0")
    except OSError:
        from ctypes.util import find_library

        name = find_library("pcre2-8")
        if name is not None:
            yield ctypes.CDLL(name)


@record(frozen=True)
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
