"""Backends and probes. A property is a field here, and is declared nowhere else.

The annotation of a field names the kind of the property: how a policy writes it (the readers of backends.py)
and how the image holds it (native/origins.py). The build makes ``struct image_backend`` and ``struct
image_probe`` from these fields. A property of a known kind needs only its field, and the code of
``runtime/origin`` that uses it.
"""

from __future__ import annotations

from typing import TypeAlias

from vernis.record import record
from vernis.syntax import nodes

Text: TypeAlias = str | None
Port: TypeAlias = str | None
Blob: TypeAlias = bytes | None
Lines: TypeAlias = bytes | None  # of a request head
Seconds: TypeAlias = float
Timeout: TypeAlias = float | None  # seconds; None: the parameter of the server
ProbeIndex: TypeAlias = int | None
BackendIndex: TypeAlias = int | None
Count: TypeAlias = int
Window: TypeAlias = int
Threshold: TypeAlias = int
Status: TypeAlias = int
ProxyVersion: TypeAlias = int


@record(frozen=True)
class Backend:
    """A backend. Exactly one of host, path and ``none`` is set. ``probe`` and ``via`` are indices; ``via``
    names an earlier backend. ``max_connections`` 0: no limit. ``wait_limit`` 0: the parameter of the server.
    ``authority`` is the name that the PROXY header gives the backend of ``via``. ``proxy_header`` 0: none.
    ``at`` is of the checker; lowering puts ``site`` in its place."""

    name: str
    host: Text = None
    port: Port = None
    path: Text = None
    host_header: Text = None
    connect_timeout: Timeout = None
    first_byte_timeout: Timeout = None
    between_bytes_timeout: Timeout = None
    probe: ProbeIndex = None
    max_connections: Count = 0
    wait_limit: Count = 0
    wait_timeout: Timeout = None
    via: BackendIndex = None
    authority: Text = None
    proxy_header: ProxyVersion = 0
    preamble: Blob = None
    none: bool = False
    site: int = 0
    at: nodes.At = (0, 0)


@record(frozen=True)
class Probe:
    """A probe. ``request`` is a whole head with its line ends, or None if the probe uses ``url``."""

    name: str
    url: Text = "/"
    request: Lines = None
    expected_response: Status = 200
    timeout: Seconds = 2.0
    interval: Seconds = 5.0
    window: Window = 8
    threshold: Threshold = 3
    initial: Count = 2


def kinds(declaration: type[object]) -> dict[str, str]:
    """The kind of each field, by its name."""
    return declaration.__annotations__
