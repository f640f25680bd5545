"""Options of a check: its strictness, and its access to name resolution and patterns.

Libraries that few policies need (sockets, library search) are imported where they are used.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeAlias

from vernis.record import record

Resolver: TypeAlias = Callable[[str], list[bytes]]
RegexCheck: TypeAlias = Callable[[bytes], str | None]


def system_resolver(host: str) -> list[bytes]:
    """Returns the addresses of a host name, 4 or 16 bytes each; none if it does not resolve."""
    import socket

    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    packed = [
        socket.inet_pton(family, str(address[0]).partition("%")[0])
        for family, _, _, _, address in found
        if family in (socket.AF_INET, socket.AF_INET6)
    ]
    return list(dict.fromkeys(packed))


def pcre2_check(pattern: bytes) -> str | None:
    """Returns the error of PCRE2 for a pattern, or None. Without the library every pattern passes, and the
    load checks it."""
    library = _pcre2()
    if library is None:
        return None
    code, offset = ctypes.c_int(0), ctypes.c_size_t(0)
    compiled = library.pcre2_compile_8(
        pattern, len(pattern), 0, ctypes.byref(code), ctypes.byref(offset), None
    )
    if compiled:
        library.pcre2_code_free_8(compiled)
        return None
    text = ctypes.create_string_buffer(256)
    library.pcre2_get_error_message_8(code, text, len(text))
    return f"{text.value.decode('latin-1')} at offset {offset.value}"


@cache
def _pcre2() -> ctypes.CDLL | None:
    """Returns the library with its prototypes, or None if it is missing."""
    library = next(_pcre2_libraries(), None)
    if library is None:
        return None
    library.pcre2_compile_8.restype = ctypes.c_void_p
    library.pcre2_compile_8.argtypes = (
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_uint32,
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_void_p,
    )
    library.pcre2_code_free_8.argtypes = (ctypes.c_void_p,)
    library.pcre2_code_free_8.restype = None
    library.pcre2_get_error_message_8.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t)
    return library


def _pcre2_libraries() -> Iterator[ctypes.CDLL]:
    """Yields the library by its name on Debian, then by a search of the system, which may run a compiler."""
    try:
        yield ctypes.CDLL("libpcre2-8.so.0")
    except OSError:
        from ctypes.util import find_library

        name = find_library("pcre2-8")
        if name is not None:
            yield ctypes.CDLL(name)


@record(frozen=True)
class Options:
    """Options of a check. ``err_unref``: an unused declaration is an error, otherwise a warning.
    ``acl_pedantic``: an ACL entry with bits beyond its mask is an error, otherwise a warning; a flag of the
    ACL overrides this. ``labels``: the existing labels, None if unknown. ``vmod_path``: the directories of
    modules. Without ``any_path``, modules come from these directories only."""

    err_unref: bool = True
    acl_pedantic: bool = True
    resolver: Resolver = system_resolver
    regex_check: RegexCheck = pcre2_check
    labels: tuple[str, ...] | None = None
    vmod_path: tuple[str, ...] = ()
    any_path: bool = True
