"""A fast replacement of ``dataclass(slots=True)``, for the classes that every command loads: those of syntax/
and semantics/.

Usage and type checking are the same. The standard decorator imports ``inspect`` and compiles up to six
functions per class; for a hundred classes this took a quarter of a ``vernis check``. Here only ``__init__``
is compiled per class, when its first object is made: a command needs a third of the classes that it loads.
All classes share the functions that compare, hash and print.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")

_ABSENT = object()


class _Factory:
    """Marks a default that is made anew for each object."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


def field(*, default_factory: Callable[[], T]) -> T:
    """A default that is made for each object."""
    return _Factory(default_factory)  # type: ignore[return-value]


@overload
def record(cls: type[T], *, frozen: bool = ...) -> type[T]: ...
@overload
def record(cls: None = ..., *, frozen: bool = ...) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(field_specifiers=(field,))
def record(cls: type[T] | None = None, *, frozen: bool = False) -> type[T] | Callable[[type[T]], type[T]]:
    """Turns a class into a record with a field per annotation, in their order: slots, ``__init__``, ``==`` by
    value and a readable ``repr``. A frozen record rejects changes and is hashable. Records have no base
    classes."""
    if cls is None:
        return lambda cls: _made(cls, frozen)
    return _made(cls, frozen)


def _made(cls: type[T], frozen: bool) -> type[T]:
    names = tuple(cls.__annotations__)
    body = {key: item for key, item in vars(cls).items() if key not in ("__dict__", "__weakref__")}
    defaults = {name: body.pop(name) for name in names if name in body}
    body |= _FROZEN if frozen else _OPEN
    if frozen and "at" in names:
        body["__hash__"] = _hash_of_place
    body |= {"__slots__": names, "__match_args__": names, "_values": attrgetter(*names)}
    metaclass: type[type] = type(cls)
    made: Any = metaclass(cls.__name__, cls.__bases__, body)

    def first_init(self: Any, *args: Any, **named: Any) -> None:
        made.__init__ = _init(made, names, defaults, frozen)
        made.__init__(self, *args, **named)

    made.__init__ = first_init
    same: type[T] = made
    return same


def _init(cls: type[Any], names: tuple[str, ...], defaults: dict[str, Any], frozen: bool) -> Any:
    """Compiles ``__init__``, the only generated code of a class. A frozen record sets its slots directly,
    because its ``__setattr__`` raises."""
    known: dict[str, Any] = {"_ABSENT": _ABSENT}
    params, lines = ["self"], []
    for name in names:
        param, item = name, name
        if name in defaults:
            default = defaults[name]
            known[f"_default_{name}"] = default
            param = f"{name}=_default_{name}"
            if isinstance(default, _Factory):
                known[f"_make_{name}"] = default.make
                param, item = f"{name}=_ABSENT", f"_make_{name}() if {name} is _ABSENT else {name}"
        if frozen:
            known[f"_set_{name}"] = getattr(cls, name).__set__
        params.append(param)
        lines.append(f" _set_{name}(self, {item})" if frozen else f" self.{name} = {item}")
    exec(f"def __init__({', '.join(params)}):\n" + "\n".join(lines), known)
    return known["__init__"]


def fields(item: Any) -> tuple[str, ...]:
    """Names of the fields of a record, in order."""
    return item.__match_args__  # type: ignore[no-any-return]


def replace(item: T, **changes: Any) -> T:
    """A copy with changed fields."""
    return type(item)(**{name: getattr(item, name) for name in fields(item)} | changes)


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self is other or self.__class__._values(self) == other.__class__._values(other)


def _hash(self: Any) -> int:
    return hash(self._values(self))


def _hash_of_place(self: Any) -> int:
    """The hash of a node. Few nodes share their tokens, and the hash of all fields would visit the whole tree
    below."""
    return hash(self.at)


def _text(self: Any) -> str:
    return (
        f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in fields(self))})"
    )


def _refuse(self: Any, name: str, value: object = None) -> None:
    raise AttributeError(f"{name} of a {type(self).__name__} never changes")


def _parts(self: Any) -> tuple[type, tuple[Any, ...]]:
    """For pickle, which would otherwise set the fields of a frozen record."""
    return type(self), tuple(getattr(self, name) for name in fields(self))


_OPEN: dict[str, Any] = {"__eq__": _equal, "__hash__": None, "__repr__": _text, "__reduce__": _parts}
_FROZEN: dict[str, Any] = {
    "__eq__": _equal,
    "__hash__": _hash,
    "__repr__": _text,
    "__reduce__": _parts,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
}
