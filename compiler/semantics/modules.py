"""Third-party modules: ``NAME.toml`` beside ``libvmod_NAME.so`` becomes rows of the vocabulary.

The rows apply to one compilation. The description is the only source about such a module. An error in it is
reported at the `import`, with the place in the description, and the names of the module are then unknown.
Only the server opens the library.
"""

from __future__ import annotations

import os
import re
from typing import Any

from vernis.record import field, record, replace
from vernis.semantics.options import Options
from vernis.semantics.report import Reporter, did_you_mean, nearest
from vernis.semantics.typed import ForeignModule
from vernis.semantics.types import Type
from vernis.semantics.vocabulary import ModuleRow, Vocabulary, hook_words, module_row
from vernis.syntax import nodes
from vernis.syntax.source import read_file

MODULE_ABI = 1  # newest version of runtime/module_abi.h that a description may require
DESCRIPTION_BYTES_MAX = 1 << 20
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

# Types of the arguments and results of modules.
PARAMS = (
    Type.STRING,
    Type.STRANDS,
    Type.HEADER,
    Type.ENUM,
    Type.INT,
    Type.REAL,
    Type.DURATION,
    Type.TIME,
    Type.BYTES,
    Type.BOOL,
    Type.IP,
    Type.BACKEND,
    Type.BLOB,
    Type.HTTP,
    Type.REGEX,
)
RESULTS = (
    Type.VOID,
    Type.STRING,
    Type.INT,
    Type.REAL,
    Type.DURATION,
    Type.TIME,
    Type.BYTES,
    Type.BOOL,
    Type.IP,
    Type.BACKEND,
    Type.BLOB,
)
DEFAULTS: dict[Type, tuple[type, ...]] = {
    Type.STRING: (str,),
    Type.STRANDS: (str,),
    Type.ENUM: (str,),
    Type.INT: (int,),
    Type.BYTES: (int,),
    Type.BOOL: (bool,),
    Type.REAL: (int, float),
    Type.DURATION: (int, float),
    Type.TIME: (int, float),
}

# Keys of each kind of table: the type of the value, and whether the key is required.
KEYS: dict[str, dict[str, tuple[type, bool]]] = {
    "file": {"abi": (int, True), "module": (list, True)},
    "module": {"name": (str, True), "doc": (str, True), "function": (list, False), "object": (list, False)},
    "function": {
        "name": (str, True),
        "symbol": (str, True),
        "result": (str, True),
        "params": (list, True),
        "doc": (str, True),
        "where": (list, False),
        "pure": (bool, False),
        "may_fail": (bool, False),
        "may_wait": (bool, False),
        "reads": (list, False),
        "writes": (list, False),
    },
    "object": {
        "name": (str, True),
        "symbol": (str, True),
        "fini": (str, True),
        "params": (list, True),
        "doc": (str, True),
        "method": (list, True),
    },
    "parameter": {
        "name": (str, True),
        "type": (str, True),
        "values": (list, False),
        "default": (object, False),
        "optional": (bool, False),
    },
}
TYPE_NAMES = {str: "text", int: "a whole number", bool: "true or false", list: "a list"}


# Modules of Varnish Enterprise, with the most similar module here, if there is one.
ENTERPRISE = {
    "activedns": "dynamic",
    "cookieplus": "cookie",
    "crypto": "digest",
    "goto": "dynamic",
    "headerplus": "header",
    "kvstore": "var",
    "mmdb": "geoip2",
    "udo": "directors",
    "ykey": "xkey",
    **dict.fromkeys(
        (
            "accounting",
            "aclplus",
            "akamai",
            "brotli",
            "deviceatlas",
            "edgestash",
            "file",
            "format",
            "http",
            "image",
            "json",
            "jwt",
            "mse",
            "mse4",
            "nodes",
            "prng",
            "resolver",
            "rewrite",
            "s3",
            "session",
            "slicer",
            "sqlite3",
            "stale",
            "stat",
            "synthbackend",
            "tls",
            "uri",
            "urlplus",
            "utils",
            "waf",
            "xbody",
        ),
        "",
    ),
}


class WrongDescription(Exception):
    """An error in a description. ``word`` is a name on the line to show; ``help`` is the next step."""

    def __init__(self, message: str, word: str = "", help: str = "") -> None:
        super().__init__(message)
        self.word = word
        self.help = help


@record
class Imported:
    """The vocabulary with the imported modules. ``refused`` are the reported modules, in lower case."""

    vocabulary: Vocabulary
    modules: list[ForeignModule] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)


def find_modules(
    program: nodes.Program, vocabulary: Vocabulary, options: Options, report: Reporter
) -> Imported:
    """Finds the module of every `import` that does not name a built-in one."""
    found = Imported(vocabulary)
    known = dict(vocabulary.modules)
    libraries: dict[str, str] = {}
    for node in program.declarations:
        if (
            not isinstance(node, nodes.Import)
            or node.module.lower() in vocabulary.modules
            and node.path is None
        ):
            continue
        key = node.module.lower()
        library = _library_of(node, key in vocabulary.modules, options, report, found)
        if library is None:
            continue
        if key in vocabulary.modules:
            found.refused.add(key)
            report.error(
                "V517",
                node.at,
                f"{node.module} is the name of a module that comes with the server",
                f"give the module in {os.path.dirname(library)} another name",
            )
        elif libraries.setdefault(key, library) != library:
            report.error(
                "V521",
                node.at,
                f"module {node.module} is imported from two places",
                f"the first import reads {libraries[key]}",
            )
        elif key not in known and key not in found.refused:
            _add(node, library, known, found, report)
    if len(known) > len(vocabulary.modules):
        found.vocabulary = replace(vocabulary, modules=known)
    return found


def _library_of(
    node: nodes.Import, builtin: bool, options: Options, report: Reporter, found: Imported
) -> str | None:
    """Returns the library of a module with a description, or None. A missing description is reported if the
    import names the place of the module, or if its library exists."""
    if node.path is not None and "/" in node.path and not options.any_path:
        found.refused.add(node.module.lower())
        report.error(
            "V521",
            node.at,
            "modules may be imported from the directories of vmod_path only",
            "leave out `from`",
        )
        return None
    candidates = _candidates(node, options)
    library = next((path for path in candidates if os.path.isfile(_description_of(path, node.module))), None)
    present = [path for path in candidates if os.path.isfile(path)]
    if library is not None or builtin or not present and node.path is None:
        return library
    found.refused.add(node.module.lower())
    missing = [_description_of(path, node.module) for path in present or candidates]
    report.error(
        "V521",
        node.at,
        f"module {node.module} has no description",
        f"{' or '.join(missing)} does not exist"
        if missing
        else "no directory to search: set --vmod-path or the parameter vmod_path",
    )
    return None


def _candidates(node: nodes.Import, options: Options) -> list[str]:
    file = f"libvmod_{node.module}.so"
    if node.path is None:
        return [os.path.join(directory, file) for directory in options.vmod_path]
    absolute = os.path.isabs(node.path) or node.path.startswith(("./", "../"))
    paths = (
        [node.path] if absolute else [os.path.join(directory, node.path) for directory in options.vmod_path]
    )
    return [os.path.join(path, file) if path.endswith("/") or os.path.isdir(path) else path for path in paths]


def _description_of(library: str, name: str) -> str:
    return os.path.join(os.path.dirname(library), f"{name}.toml")


def _add(
    node: nodes.Import, library: str, known: dict[str, ModuleRow], found: Imported, report: Reporter
) -> None:
    import hashlib  # imported here because few policies import such a module

    file = _description_of(library, node.module)
    data = b""
    try:
        data = read_file(file, DESCRIPTION_BYTES_MAX)
        row = read_description(data, node.module, found.vocabulary)
    except OSError as error:
        _refuse(node, f"{file} cannot be read: {error.strerror}", "", found, report)
    except WrongDescription as error:
        _refuse(node, f"{file}:{_line_of(data, error.word)}{error}", error.help, found, report)
    else:
        known[node.module.lower()] = row
        found.modules.append(ForeignModule(row.name, os.path.abspath(library), hashlib.sha256(data).digest()))


def _refuse(node: nodes.Import, message: str, help: str, found: Imported, report: Reporter) -> None:
    found.refused.add(node.module.lower())
    report.error("V521", node.at, message, help)


def _line_of(data: bytes, word: str) -> str:
    """Returns ``7: `` for the first line with the quoted word; a space if no line has it."""
    lines = data.decode("utf-8", "replace").splitlines()
    return next((f"{number}: " for number, line in enumerate(lines, 1) if word and f'"{word}"' in line), " ")


# ---- descriptions ------------------------------------------------------------------------------------------


def read_description(data: bytes, name: str, vocabulary: Vocabulary) -> ModuleRow:
    """Returns the row of the module ``name``. Symbols get the name of the module as a prefix:
    ``name.symbol``."""
    import tomllib

    if len(data) > DESCRIPTION_BYTES_MAX:
        raise WrongDescription(f"the description is longer than {DESCRIPTION_BYTES_MAX} bytes")
    try:
        raw = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise WrongDescription(f"this is not TOML: {error}") from None
    if type(raw.get("abi")) is int and not 1 <= raw["abi"] <= MODULE_ABI:
        raise WrongDescription(
            f"module {name} needs version {raw['abi']} of the module contract; this version is {MODULE_ABI}",
            help="install the module for this version, or a newer Vernis",
        )
    _check_table("file", raw, "")
    if len(raw["module"]) != 1:
        raise WrongDescription("a description has exactly one [[module]]")
    module = _table("module", raw["module"][0], "")
    if module["name"].lower() != name.lower():
        raise WrongDescription(f"this describes module {module['name']}, not {name}", module["name"])
    words = hook_words(vocabulary.hooks)
    for function in _rows(module, "function", "function", name):
        _check_function(function, "function", words)
    for item in _rows(module, "object", "object", name):
        _check_params(item, "object")
        for method in _rows(item, "method", "function", item["name"]):
            _check_function(method, "method", words)
    return module_row(_with_prefix(module), vocabulary.hooks)


def _with_prefix(module: dict[str, Any]) -> dict[str, Any]:
    prefix = module["name"] + "."

    def named(row: dict[str, Any]) -> dict[str, Any]:
        return row | {key: prefix + row[key] for key in ("symbol", "fini") if key in row}

    objects = [
        named(item) | {"method": [named(method) for method in item["method"]]}
        for item in module.get("object", ())
    ]
    return module | {
        "function": [named(function) for function in module.get("function", ())],
        "object": objects,
    }


def _check_table(kind: str, table: dict[str, Any], word: str) -> None:
    """Checks that the keys are known, the values have their types, and names are words."""
    where = f"{kind} {word}: " if word else ""
    for key, value in table.items():
        if key not in KEYS[kind]:
            raise WrongDescription(
                f"{where}a {kind} has no key {key}", word, did_you_mean(nearest(key, KEYS[kind]))
            )
        wanted = KEYS[kind][key][0]
        if wanted is not object and type(value) is not wanted:
            raise WrongDescription(f"{where}{key} must be {TYPE_NAMES[wanted]}", word)
        if key in ("name", "symbol", "fini") and not WORD.fullmatch(value):
            raise WrongDescription(
                f'{where}{key} "{value}" is not a name', value, "a name has letters, digits and _"
            )
    for key, (_, needed) in KEYS[kind].items():
        if needed and key not in table:
            raise WrongDescription(f"{where}{key} is missing", word)


def _table(kind: str, value: Any, word: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise WrongDescription(f"a {kind} must be a table", word)
    name = value.get("name")
    _check_table(kind, value, name if isinstance(name, str) else word)
    return value


def _rows(table: dict[str, Any], key: str, kind: str, word: str) -> list[dict[str, Any]]:
    """Returns the tables of a list. Their names must differ."""
    rows = [_table(kind, value, word) for value in table.get(key, ())]
    seen: set[str] = set()
    for row in rows:
        if row["name"].lower() in seen:
            raise WrongDescription(f"{key} {row['name']} appears twice", row["name"])
        seen.add(row["name"].lower())
    return rows


def _check_function(row: dict[str, Any], kind: str, words: set[str]) -> None:
    _type_of(row["result"], RESULTS, f"{kind} {row['name']}", row["name"])
    for key in ("where", "reads", "writes"):
        for value in row.get(key, ()):
            if not isinstance(value, str) or key == "where" and value not in words:
                raise WrongDescription(
                    f"{kind} {row['name']}: {key} has {value!r}",
                    row["name"],
                    f"hooks are {', '.join(sorted(words))}" if key == "where" else "write names of variables",
                )
    _check_params(row, kind)


def _check_params(row: dict[str, Any], kind: str) -> None:
    for param in _rows(row, "params", "parameter", row["name"]):
        where = f"{kind} {row['name']}, parameter {param['name']}"
        type_ = _type_of(param["type"], PARAMS, where, row["name"])
        values = param.get("values", [])
        if (type_ is Type.ENUM) != bool(values) or not all(isinstance(value, str) for value in values):
            raise WrongDescription(
                f"{where}: an ENUM needs a list of texts as its values, and other types have no values",
                row["name"],
            )
        if "default" in param:
            _check_default(param, type_, where, row["name"])


def _check_default(param: dict[str, Any], type_: Type, where: str, word: str) -> None:
    if type(param["default"]) not in DEFAULTS.get(type_, ()):
        raise WrongDescription(f"{where}: the default is not of type {type_.value}", word)
    if type_ is Type.ENUM and param["default"] not in param["values"]:
        raise WrongDescription(f"{where}: the default is not one of the values", word)
    if param.get("optional"):
        raise WrongDescription(f"{where}: a parameter with a default cannot be optional too", word)


def _type_of(name: str, types: tuple[Type, ...], where: str, word: str) -> Type:
    found = next((type_ for type_ in types if type_.value == name), None)
    if found is None:
        known = [type_.value for type_ in types]
        what = "cannot be passed to a module" if name in Type.__members__ else "is not a type"
        raise WrongDescription(
            f"{where}: {name} {what}",
            word,
            did_you_mean(nearest(name, known), f"there are {', '.join(known)}"),
        )
    return found
