"""The interpreter's world with its own runtime behind it.

Functions and variables that the world does not know are those of the runtime, called one by one. For those
that the world knows, both results must be the same. The runtime is a second copy of the library, so it shares
no process-wide state (buckets, global variables) with the runtime of compiled code.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field

from harness import Harness
from support.reference import functions, tables
from vernis.ir import ir
from vernis.ir.ir import Msg, Type
from support.reference.interpret import reference
from vernis.ir.values import Failed
from support.reference.world import Message, World
from support.reference.values import Blob, Ip, Reference, Value
from vernis.native.abi import load_contract

C = ctypes
CTX = load_contract().layouts.offsets
INDEX_MAX = 1 << 16            # of a declaration; larger values are pointers


class Span(C.Structure):
    _fields_ = [("ptr", C.c_void_p), ("len", C.c_size_t)]


class VclIp(C.Structure):
    _fields_ = [("family", C.c_uint8), ("pad", C.c_uint8), ("port", C.c_uint16), ("addr", C.c_uint8 * 16)]


class VclBlob(C.Structure):
    _fields_ = [("ptr", C.c_void_p), ("len", C.c_uint64), ("type", C.c_uint32)]


_SHAPES: dict[Type, object] = {
    Type.STRING: Span, Type.INT: C.c_int64, Type.BYTES: C.c_int64, Type.REAL: C.c_double, Type.DURATION: C.c_double, Type.TIME: C.c_double,
    Type.BOOL: C.c_int32, Type.VOID: None}


@dataclass(slots=True, frozen=True, eq=False)
class RuntimeIp(Ip):
    """An address in the runtime's memory, with the runtime's text of it."""

    pointer: int = 0
    shown: bytes | None = None

    def text(self) -> bytes:
        return self.shown or b""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ip) and other.address == self.address

    def __hash__(self) -> int:
        return hash(self.address)


@dataclass(slots=True, frozen=True, eq=False)
class RuntimeBlob(Blob):
    pointer: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Blob) and other.data == self.data

    def __hash__(self) -> int:
        return hash(self.data)


def mask_at(params: tuple[Type, ...]) -> int:
    """Position of the mask of given arguments: after the context, and after the object of a method."""
    return 2 if params[:1] == (Type.INSTANCE,) else 1


class Functions:
    """Functions of the runtime as ctypes functions, created when needed."""

    def __init__(self, library: C.CDLL) -> None:
        self.library = library
        self.made: dict[tuple[str, bool], Callable] = {}

    def get(self, symbol: str, params: tuple[Type, ...], result: Type, mask: bool) -> Callable:
        key = symbol, mask
        if key not in self.made:
            place = self.library.vernis_harness_function(symbol.encode())
            assert place is not None, f"the runtime has no {symbol}"
            shapes = [C.c_void_p, *(_SHAPES.get(type, C.c_void_p) for type in params)]
            shapes[mask_at(params):mask_at(params)] = [C.c_int64] * mask
            self.made[key] = C.CFUNCTYPE(_SHAPES.get(result, C.c_void_p), *shapes)(place)
        return self.made[key]


class Instances(dict):
    """Objects; each is also created in the runtime."""

    def __init__(self, world: RuntimeWorld) -> None:
        self.world = world

    def __setitem__(self, index: int, made: Value) -> None:
        assert isinstance(made, Reference)
        self.world.real("set_instance", (Type.INT, Type.INSTANCE), Type.VOID, (index, made))
        super().__setitem__(index, Reference(Type.INSTANCE, index, made.what))


class LinkedMessage(Message):
    """A message whose changes are also made in the runtime's message."""

    def __init__(self, world: RuntimeWorld, msg: Msg) -> None:
        super().__init__()
        self.world, self.msg = world, msg

    def set(self, name: bytes, value: bytes | None) -> None:
        arguments = self.msg.value, self.world.names[name], value
        self.world.both(lambda: super(LinkedMessage, self).set(name, value),
                        lambda: self.world.real("header_set", (Type.INT, Type.INT, Type.STRING), Type.VOID, arguments), "header_set")

    def unset(self, name: bytes) -> None:
        super().unset(name)
        self.world.real("header_unset", (Type.INT, Type.INT), Type.VOID, (self.msg.value, self.world.names[name]))


@dataclass
class RuntimeWorld(World):
    """``known`` are the variables that the world models. ``disagreements`` collects results that differ
    between world and runtime."""

    module: ir.Module = field(default_factory=lambda: ir.Module("none"))
    harness: Harness = None                                     # type: ignore[assignment]
    functions: Functions = None                                 # type: ignore[assignment]
    known: frozenset[str] = frozenset()
    context: int = 0
    disagreements: list[str] = field(default_factory=list)
    kept: list[object] = field(default_factory=list)            # memory that the runtime may still point to

    def __post_init__(self) -> None:
        self.names = {name.encode(): index for index, name in enumerate(self.module.names)}
        self.messages = {msg: LinkedMessage(self, msg) for msg in Msg}
        self.instances = Instances(self)
        self.blobs: dict[bytes, VclBlob] = {}                   # equal constants are shared, as in an image
        self.declared: dict[tuple[Type, int], Reference] = {}
        self.rows: dict[tuple[Value, Value], int] = {}          # table and row of the runtime: row of the model

    # ---- a hook --------------------------------------------------------------------------------------------

    def enter(self, hook: str) -> None:
        self.context = self.harness.enter(hook)
        for type, count in ((Type.BACKEND, len(self.module.backends)), (Type.STEVEDORE, len(self.module.storages))):
            for index in range(count):
                pointer = self.real(f"ref_{type.value.lower()}", (Type.INT,), Type.INSTANCE, (index,), convert=False)
                made = reference(self.module, self, type, index)
                assert (pointer is None) == (made is None)      # `backend x none;` gives no value
                if pointer is not None:
                    assert isinstance(pointer, int) and isinstance(made, Reference)
                    self.declared[type, pointer] = made

    def leave(self) -> None:
        self.harness.leave()

    def pull(self) -> None:
        """Reads variables back that a function of the runtime may have changed."""
        for msg, message in self.messages.items():
            message.fields = self.harness.headers(msg)
        for name in ("req.url", "req.method", "bereq.url", "bereq.method"):
            self.variables[name.replace(".", "_")] = self.harness.text(name)

    # ---- calls ---------------------------------------------------------------------------------------------

    def in_acl(self, acl: ir.AclDecl, ip: Value) -> bool:
        index = next(i for i, one in enumerate(self.module.acls) if one is acl)
        return bool(self.both(lambda: super(RuntimeWorld, self).in_acl(acl, ip),
                              lambda: self.real("acl_match", (Type.INT, Type.IP), Type.BOOL, (index, ip)), "acl_match"))

    def call(self, extern: ir.Extern, args: tuple[Value, ...], given: int | None) -> Value:
        if extern.symbol in tables.FUNCTIONS:
            return self._of_table(extern, args)
        verb, _, name = extern.symbol.partition("_")
        known = extern.symbol in functions.FUNCTIONS or verb in ("get", "set", "unset") and name in self.known

        def real() -> Value:
            try:
                return self.real(extern.symbol, extern.params, extern.result, args, given)
            except Failed:
                if not extern.may_fail and not extern.symbol.startswith("return_"):
                    self.disagreements.append(f"{extern.symbol} fails, and its row does not say that it may")
                raise

        if known and extern.symbol not in ONLY_REAL:
            return self.both(lambda: super(RuntimeWorld, self).call(extern, args, given), real, extern.symbol)
        try:
            return real()
        finally:
            if verb != "get" and not extern.pure:
                self.pull()

    def _of_table(self, extern: ir.Extern, args: tuple[Value, ...]) -> Value:
        """A row has one number in the runtime and another in the model."""
        table, key = args
        if extern.symbol.startswith("table_find"):
            mine, found = super().call(extern, args, None), self.real(extern.symbol, extern.params, extern.result, args)
            assert isinstance(mine, int) and isinstance(found, int)
            if (mine < 0) != (found < 0):
                self.disagreements.append(f"{extern.symbol}: the runtime has row {found}, the model {mine}")
            self.rows[table, found] = mine
            return found
        row = tables.NO_ROW if key == tables.NO_ROW else self.rows[table, key]      # an absent address is not looked up
        return self.both(lambda: super(RuntimeWorld, self).call(extern, (table, row), None),
                         lambda: self.real(extern.symbol, extern.params, extern.result, args), extern.symbol)

    def both(self, model: Callable[[], Value], real: Callable[[], Value], what: str) -> Value:
        """Returns the runtime's result, and compares it with the model's. If the model fails, the runtime's
        function must have been called and failed too."""
        expected: list[Value] = []
        why = ""
        try:
            expected.append(model())
        except Failed as failed:
            why = str(failed)
        try:
            found = real()
        except Failed:
            if expected:
                self.disagreements.append(f"{what}: the runtime fails, the model has {expected[0]!r}")
            raise
        if not expected:
            self.disagreements.append(f"{what}: the runtime has {found!r}, the model fails: {why}")
        elif expected[0] != found:
            self.disagreements.append(f"{what}: the runtime has {found!r}, the model {expected[0]!r}")
        return found

    def real(self, symbol: str, params: tuple[Type, ...], result: Type, args: tuple[Value, ...], given: int | None = None,
             convert: bool = True) -> Value:
        machine = [self.machine(type, value) for type, value in zip(params, args, strict=True)]
        function = self.functions.get(symbol, params, result, given is not None)
        C.c_uint32.from_address(self.context + CTX["policy_ctx", "site"]).value = self.site
        machine[mask_at(params) - 1:mask_at(params) - 1] = [] if given is None else [given]
        found = function(self.context, *machine)
        if self.has_failed():
            raise Failed(symbol)
        return self.value(result, found) if convert else found

    def has_failed(self) -> bool:
        return C.c_int32.from_address(self.context + CTX["policy_ctx", "failed"]).value != 0

    # ---- values --------------------------------------------------------------------------------------------

    def machine(self, type: Type, value: Value) -> object:
        match type:
            case Type.STRING:
                assert value is None or isinstance(value, bytes)
                return self._span(value)
            case Type.IP:
                return self._ip(value)
            case Type.BLOB:
                return self._blob(value)
            case Type.HTTP:
                assert isinstance(value, Reference)
                return C.c_void_p.from_address(self.context + CTX["policy_ctx", "msg"] + 8 * value.index).value
            case Type.BACKEND | Type.STEVEDORE | Type.ACL | Type.PROBE | Type.REGEX | Type.INSTANCE:
                return self._reference(type, value)
        return value

    def _span(self, value: bytes | None) -> Span:
        if value is None:
            return Span(None, 0)
        buffer = C.create_string_buffer(value, len(value) + 1)
        self.kept.append(buffer)
        return Span(C.addressof(buffer), len(value))

    def _ip(self, value: Value) -> int | None:
        if value is None:
            return None
        assert isinstance(value, Ip)
        if isinstance(value, RuntimeIp):
            return value.pointer
        made = VclIp(4 if len(value.address) == 4 else 6, 0, 0, (C.c_uint8 * 16)(*value.address))
        self.kept.append(made)
        return C.addressof(made)

    def _blob(self, value: Value) -> int | None:
        if value is None:
            return None
        assert isinstance(value, Blob)
        if isinstance(value, RuntimeBlob):
            return value.pointer
        if value.data not in self.blobs:
            data = self._span(value.data)
            self.blobs[value.data] = VclBlob(data.ptr, data.len, 0)
        return C.addressof(self.blobs[value.data])

    def _reference(self, type: Type, value: Value) -> int | None:
        if value is None:
            return None
        assert isinstance(value, Reference)
        if (type, value.index) in self.declared or value.index >= INDEX_MAX:
            return value.index
        found = self.real(f"ref_{type.value.lower()}", (Type.INT,), Type.INSTANCE, (value.index,), convert=False)
        return found                                            # type: ignore[return-value]

    def value(self, type: Type, found: object) -> Value:
        match type:
            case Type.STRING:
                assert isinstance(found, Span)
                return None if found.ptr is None else C.string_at(found.ptr, found.len)
            case Type.BOOL:
                return bool(found)
            case Type.IP if found:
                ip = VclIp.from_address(found)                  # type: ignore[arg-type]
                shown = self.functions.get("to_string_ip", (Type.IP,), Type.STRING, False)(self.context, found)
                text = None if shown.ptr is None else C.string_at(shown.ptr, shown.len)
                return RuntimeIp(bytes(ip.addr)[:16 if ip.family == 6 else 4], found, text)     # type: ignore[arg-type]
            case Type.BLOB if found:
                blob = VclBlob.from_address(found)              # type: ignore[arg-type]
                return RuntimeBlob(C.string_at(blob.ptr, blob.len) if blob.ptr else b"", found) # type: ignore[arg-type]
            case Type.BACKEND | Type.STEVEDORE if found:
                known = self.declared.get((type, found))        # type: ignore[arg-type]
                return known or Reference(type, found, self._name(type, found))                 # type: ignore[arg-type]
            case Type.INSTANCE if found:
                return Reference(type, found, b"")              # type: ignore[arg-type]
            case Type.IP | Type.BLOB | Type.BACKEND | Type.STEVEDORE | Type.INSTANCE:
                return None
        return found                                            # type: ignore[return-value]

    def _name(self, type: Type, pointer: object) -> bytes:
        shown = self.functions.get(f"to_string_{type.value.lower()}", (Type.BACKEND,), Type.STRING, False)(self.context, pointer)
        return b"" if shown.ptr is None else C.string_at(shown.ptr, shown.len)


#: Functions that the world models only in part.
ONLY_REAL = frozenset(("std_bytes", "std_port", "backend_resolve"))
