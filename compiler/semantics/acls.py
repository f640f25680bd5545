"""Checks ACLs: flags, networks, masks."""

from __future__ import annotations

import re

from vernis.semantics import hosts, literals
from vernis.semantics.context import Context
from vernis.semantics.typed import Acl, AclEntry
from vernis.syntax import nodes
from vernis.syntax.stock import phrase

ACL_FLAGS = ("log", "table", "pedantic", "fold")
SHORT_NETWORK = re.compile(r"\d{1,3}(\.\d{1,3}){0,2}")
MASK = re.compile(r"\s*\+?0*[0-9]{1,3}")


def check_acl(cx: Context, node: nodes.Acl) -> Acl:
    """Checks an ACL and resolves its names. The longest prefixes come first."""
    flags = _acl_flags(cx, node)
    pedantic = flags.get("pedantic", cx.options.acl_pedantic)
    known: dict[tuple[bytes, int], tuple[AclEntry, nodes.At]] = {}
    for entry in node.entries:
        for item in _acl_entry(cx, entry, pedantic):
            _add_entry(cx, known, item, entry)
    entries = [item for item, _ in known.values()]
    if flags.get("fold", False):
        entries = _folded(entries)
    entries.sort(key=lambda item: -item.bits)
    return Acl(node.name, node.at, tuple(entries), flags.get("log", False))


def _acl_flags(cx: Context, node: nodes.Acl) -> dict[str, bool]:
    flags: dict[str, bool] = {}
    sign = node.name_at[1] + 1
    for written in node.flags:
        flag, _, inner = written.rstrip(")").partition("(")
        if cx.report.space_follows(sign):
            cx.report.error(
                "V511",
                (sign, sign + 1),
                f"space between {flag[0]} and {flag[1:]}",
                f"write: {flag}",
                replace=flag,
                stock=phrase("flag wanted"),
            )
        elif flag[1:] not in ACL_FLAGS:
            cx.report.error(
                "V511",
                node.name_at,
                f"an ACL has no flag {flag[1:]}",
                f"the flags are {', '.join(ACL_FLAGS)}",
                stock=phrase("acl flag"),
            )
        elif inner and (flag != "+fold" or inner[1:] != "report"):
            cx.report.error("V511", node.name_at, f"an ACL has no flag {written}", "write: +fold(-report)")
        flags[flag[1:]] = flag[0] == "+"
        sign += 6 if inner else 2
    return flags


def _folded(entries: list[AclEntry]) -> list[AclEntry]:
    """Two halves of a network become the network, and what a network contains is left out, unless a negated
    entry lies between. The same addresses match as before."""
    known = {(len(e.address), int.from_bytes(e.address, "big"), e.bits): e for e in entries}
    by_bits: dict[int, list[tuple[int, int, int]]] = {}
    for key in known:
        by_bits.setdefault(key[2], []).append(key)
    for bits in range(128, 0, -1):
        for width, number, _ in by_bits.get(bits, ()):
            bit = 1 << 8 * width - bits
            halves = [(width, number & ~bit, bits), (width, number | bit, bits)]
            if any(half not in known or known[half].negated for half in halves):
                continue
            whole = (width, number & ~bit, bits - 1)
            known[whole] = _network(*whole)
            by_bits.setdefault(bits - 1, []).append(whole)
            del known[halves[0]], known[halves[1]]
    return [e for key, e in known.items() if e.negated or not _is_contained(known, key)]


def _network(width: int, number: int, bits: int) -> AclEntry:
    address = number.to_bytes(width, "big")
    host, _, mask = _network_text(address, bits).partition("/")
    return AclEntry(address, bits, False, f'"{host}"/{mask} fixed: folded')


def _is_contained(known: dict[tuple[int, int, int], AclEntry], key: tuple[int, int, int]) -> bool:
    """Whether the smallest other network around this one matches, too."""
    width, number, bits = key
    for around in range(bits - 1, -1, -1):
        shift = 8 * width - around
        found = known.get((width, number >> shift << shift, around))
        if found is not None:
            return not found.negated
    return False


def _add_entry(
    cx: Context,
    known: dict[tuple[bytes, int], tuple[AclEntry, nodes.At]],
    item: AclEntry,
    entry: nodes.AclEntry,
) -> None:
    """Adds an address unless it is known. Reports an address that is both included and excluded."""
    first = known.setdefault((item.address, item.bits), (item, entry.at))
    if first[0].negated != item.negated:
        cx.report.error(
            "V512",
            entry.at,
            f"{item.text} is in this ACL with and without '!'",
            "remove one of the two",
            labels=[(first[1], "the other one")],
            stock=phrase("acl conflict"),
        )


def _acl_entry(cx: Context, entry: nodes.AclEntry, pedantic: bool) -> list[AclEntry]:
    """Returns the addresses of one entry; none after an error, or when an optional name does not resolve."""
    if entry.bits is not None and "/" in entry.host:
        cx.report.error(
            "V509",
            entry.at,
            "the mask is both in the quotes and after them",
            "remove one of the two",
            stock=phrase("two masks"),
        )
        return []
    address, bits = parse_network(entry.host)
    addresses = [address] if address is not None else cx.options.resolver(entry.host)
    if not addresses and not entry.optional:
        left_out = "the compiler resolves names, and skips a name in parentheses that does not resolve: "
        negated = (
            f"write '!' before the quotes: ! \"{entry.host[1:].strip()}\";"
            if entry.host.startswith("!")
            else ""
        )
        cx.report.error(
            "V510",
            entry.at,
            f'"{entry.host}" is not an address and does not resolve to one',
            negated or _meant_host(entry.host) or left_out + f'("{entry.host}");',
            stock=_stock_of_lookup(entry.host),
        )
    made = [
        _masked(cx, entry, item, bits if entry.bits is None else entry.bits, pedantic) for item in addresses
    ]
    return [item for item in made if item is not None]


def _meant_host(text: str) -> str:
    """Help for a URL or a host with a port, which an acl has no use for."""
    _, authority = hosts.without_url(text)
    host, port = hosts.split_port(authority)
    if not host or hosts.is_no_host(host) or (port is None and not hosts.is_no_host(text)):
        return ""
    return f'an acl has addresses and names only; write: "{host}";'


def _stock_of_lookup(host: str) -> str:
    if "/" in host:
        return phrase("mask")
    return phrase("lookup", host=host, why="Name or service not known")


def parse_network(text: str) -> tuple[bytes | None, int | None]:
    """Returns the address and mask of a numeric entry. The mask may be inside the quotes. An IPv4 address may
    lack its last parts: "192.0.2" is the network "192.0.2.0"/24."""
    host, slash, mask = text.partition("/")
    bits = int(mask) if MASK.fullmatch(mask) else None
    if slash and bits is None:
        return None, None
    address = literals.parse_ip(host)
    if address is None and SHORT_NETWORK.fullmatch(host):
        parts = [int(part) for part in host.split(".")]
        if max(parts) < 256:
            return bytes(parts).ljust(4, b"\0"), 8 * len(parts) if bits is None else bits
    return address, bits


def acl_text(entry: nodes.AclEntry) -> str:
    return ("! " if entry.negated else "") + _network_as_written(entry)


def _network_as_written(entry: nodes.AclEntry) -> str:
    """Returns an entry as the log shows it, without '!', because NEG_MATCH says that it is negated."""
    return f'"{entry.host}"' + ("" if entry.bits is None else f"/{entry.bits}")


def _masked(
    cx: Context, entry: nodes.AclEntry, address: bytes, given: int | None, pedantic: bool
) -> AclEntry | None:
    width = len(address) * 8
    bits = width if given is None else given
    if bits > width:
        cx.report.error(
            "V509",
            entry.at,
            f"/{bits} is more than the {width} bits of an IPv{4 if width == 32 else 6} address",
            f"write at most /{width}",
            stock=phrase("wide mask", bits=bits, version=4 if width == 32 else 6),
        )
        return None
    number = int.from_bytes(address, "big")
    network = (number >> (width - bits) << (width - bits)).to_bytes(len(address), "big")
    if network == address:
        return AclEntry(network, bits, entry.negated, _network_as_written(entry))
    _report_host_bits(cx, entry, network, bits, pedantic)
    return AclEntry(
        network, bits, entry.negated, f"{_network_as_written(entry)} fixed: {_network_text(network, bits)}"
    )


def _network_text(network: bytes, bits: int) -> str:
    import ipaddress

    return f"{ipaddress.ip_address(network)}/{bits}"


def _report_host_bits(cx: Context, entry: nodes.AclEntry, network: bytes, bits: int, pedantic: bool) -> None:
    import ipaddress

    message = f"{acl_text(entry)} has bits beyond its mask"
    help_ = f'"{ipaddress.ip_address(network)}"/{bits} is the network; without a mask it is one address'
    if pedantic:
        cx.report.error("V509", entry.at, message, help_, stock=phrase("host bits"))
    else:
        cx.report.warning("V509", entry.at, message, help_)
