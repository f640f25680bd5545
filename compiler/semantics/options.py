"""Options of a check: its strictness, and its access to name resolution and patterns.

Few policies name hosts, so sockets are imported where they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from vernis import pcre
from vernis.record import field, record

Resolver: TypeAlias = Callable[[str], list[bytes]]
ServiceTable: TypeAlias = Callable[[str], int | None]
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


def system_service(name: str) -> int | None:
    """Returns the TCP port of a service (``/etc/services``)."""
    import socket

    try:
        return socket.getservbyname(name, "tcp")
    except (OSError, ValueError):
        return None


def pcre2_check(pattern: bytes) -> str | None:
    """Returns the error of PCRE2 for a pattern, or None. Without the library every pattern passes, and the
    load checks it."""
    try:
        pcre.library().pcre2_code_free_8(pcre.compiled(pattern, pcre.NEVER_UTF))
    except pcre.MissingPcreError:
        return None
    except pcre.PatternError as error:
        return f"{error} at offset {error.offset}"
    return None


@record(frozen=True)
class Options:
    """Options of a check. ``err_unref``: an unused declaration is an error, otherwise a warning.
    ``acl_pedantic``: an ACL entry with bits beyond its mask is an error, otherwise a warning; a flag of the
    ACL overrides this. ``labels``: the existing labels, None if unknown. ``vmod_path``: the directories of
    modules. Without ``any_path``, modules come from these directories only. ``params`` are the values given
    at load, by name (vcl 5.0)."""

    err_unref: bool = True
    acl_pedantic: bool = True
    resolver: Resolver = system_resolver
    service: ServiceTable = system_service
    regex_check: RegexCheck = pcre2_check
    labels: tuple[str, ...] | None = None
    vmod_path: tuple[str, ...] = ()
    any_path: bool = True
    params: Mapping[str, str] = field(default_factory=dict)
