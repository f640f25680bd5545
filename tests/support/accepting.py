"""A server for scripted origins: one thread accepts, and each connection gets its own thread."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable


def serve_each(listen: socket.socket, serve: Callable[[socket.socket], None]) -> None:
    """Calls ``serve`` with each connection of ``listen`` until ``listen`` is closed. Returns at once."""
    threading.Thread(target=_accept, args=(listen, serve), daemon=True).start()


def _accept(listen: socket.socket, serve: Callable[[socket.socket], None]) -> None:
    while True:
        try:
            conn, _ = listen.accept()
        except OSError:
            return
        conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=serve, args=(conn,), daemon=True).start()
