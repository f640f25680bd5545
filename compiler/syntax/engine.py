"""Two engines run the generated lexer and parser behind one interface.

``native`` is the C++ extension (``ext/``), ``python`` the Python target of the same grammar
(``fallback.py``). Both read and return the same bytes and follow the same driver (``driver.py``), so that one
builder serves both and tests compare them. ``VERNIS_PARSER=python`` chooses the Python engine.
"""

from __future__ import annotations

import importlib
import os
from functools import cache
from typing import Protocol, cast

from vernis.syntax.driver import Recovery


class Engine(Protocol):
    """``lex`` returns types, line-start flags and hidden flags (one byte per token each), and start, end and
    line as int32. ``parse`` returns the flat tree described in ``ext/module.cpp``; ``recovery`` holds the
    errors."""

    def lex(
        self, data: bytes, words: dict[bytes, int], folded: dict[bytes, int], tokens_max: int
    ) -> tuple[bytes, bytes, bytes, bytes]: ...

    def parse(self, types: bytes, ends: bytes, recovery: Recovery) -> bytes: ...


@cache
def native_engine() -> Engine | None:
    """Returns the extension, searched once: inside the package if installed, on the path (``build/ext``) in a
    build tree."""
    for name in ("vernis.syntax._vclparser", "_vclparser"):
        try:
            return cast(Engine, importlib.import_module(name))
        except ImportError:
            continue
    return _from_build_tree()


def _from_build_tree() -> Engine | None:
    """Loads the extension from ``build/ext`` of this checkout, for programs that lack it on their path."""
    import importlib.util
    import sysconfig

    here = os.path.realpath(__file__)
    root = os.path.dirname(os.path.dirname(os.path.dirname(here)))
    path = os.path.join(root, "build", "ext", "_vclparser" + str(sysconfig.get_config_var("EXT_SUFFIX")))
    if not os.path.exists(path):
        return None
    spec = importlib.util.spec_from_file_location("_vclparser", path)
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ImportError:
        return None
    return cast(Engine, module)


def python_engine() -> Engine:
    from vernis.syntax import fallback

    return fallback


def default_engine() -> Engine:
    if os.environ.get("VERNIS_PARSER") != "python":
        native = native_engine()
        if native is not None:
            return native
    return python_engine()
