"""Rooms and their arrows, read from the sources.

The order of the rooms is written in the Makefile (link order), in the picture of docs/architecture.md and in
docs/pictures/rooms.toml. These tests compare both with the folders, and every include and import with the order.
``python tests/test_house.py`` prints the graph of the runtime; so does ``pytest -s``.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUNTIME, COMPILER = ROOT / "runtime", ROOT / "compiler"
TOUR = ROOT / "docs" / "architecture.md"

C_FILES_MAX = 25
#: One file per module: the number of files grows with the modules and does not make the room harder to read.
MODULE_FOLDERS = {"vmod"}
#: Headers that every room may include: the contracts with compiled policies and with third-party modules.
CONTRACTS = {"policy_abi", "module_abi"}
#: A header in a cycle of includes within a room explains it: "belongs together with <room>/<file>: <reason>",
#: without the file's ending.
TOGETHER = re.compile(r"[Bb]elongs together with (\w+(?:/\w+)+):")
#: Libraries and the only room that imports them.
ONLY_IN = {"antlr4": "syntax", "_vclparser": "syntax", "llvmlite": "native"}
#: Files that are run, and that no room imports.
PROGRAMS = {"__main__", "start"}
#: Modules of the compiler that any room may import; they import no room.
LEAVES = {"pcre", "record", "regex", "shown", "similar", "terminal", "trouble", "version"}


@dataclass(frozen=True, slots=True)
class Include:
    """``file`` includes ``target``. A unit is a path without its ending: a header and its .c file are one
    unit."""

    file: str
    unit: str
    target: str

    @property
    def rooms(self) -> tuple[str, str]:
        return self.unit.partition("/")[0], self.target.partition("/")[0]


def unit_of(path: Path) -> str:
    """``loop/loop`` for loop.c, loop.h and loop_internal.h: an internal header declares what loop.c shares
    within its room."""
    return str(path.relative_to(RUNTIME).with_suffix("")).removesuffix("_internal")


def includes() -> Iterator[Include]:
    for path in sorted(RUNTIME.rglob("*.[ch]")):
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.M):
            if (RUNTIME / name).exists():  # other headers are generated
                yield Include(str(path.relative_to(RUNTIME)), unit_of(path), unit_of(RUNTIME / name))


def rooms_of_makefile() -> list[str]:
    found = re.search(r"^ROOMS\s*:=\s*(.*)$", (ROOT / "Makefile").read_text(), re.M)
    assert found
    return found.group(1).split()


def chains_of_tour(part: str) -> list[list[str]]:
    """The chains ``a <- b <- c`` in the picture: those in the line ``part:`` and below it."""
    picture = (
        TOUR.read_text().partition("## Who may know whom")[2].partition("\n\n    ")[2].partition("\n\n")[0]
    )
    chains, here = [], False
    for line in picture.splitlines():
        label = re.match(r"\s*(\w+):", line)
        here = label.group(1) == part if label else here
        text = line.partition(":")[2] if label else line
        if here and "<-" in text:
            chains.append([name.strip() for name in re.split(r"<-", text.partition("(")[0])])
    return chains


def folders(under: Path) -> set[str]:
    """Folders that contain sources. A removed room may leave a folder behind that holds only Python's
    bytecode."""
    return {path.name for path in under.iterdir() if any(path.rglob("*.py")) or any(path.rglob("*.[ch]"))}


def cycles(edges: set[tuple[str, str]]) -> list[list[str]]:
    """Strongly connected components of more than one unit, by Tarjan's algorithm."""
    after: dict[str, list[str]] = {}
    for one, other in sorted(edges):
        after.setdefault(one, []).append(other)
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_units: list[str] = []
    found: list[list[str]] = []

    def visit(unit: str) -> None:
        number[unit] = lowest[unit] = len(number)
        open_units.append(unit)
        for other in after.get(unit, ()):
            if other not in number:
                visit(other)
                lowest[unit] = min(lowest[unit], lowest[other])
            elif other in open_units:
                lowest[unit] = min(lowest[unit], number[other])
        if lowest[unit] == number[unit]:
            at = open_units.index(unit)
            if len(open_units) - at > 1:
                found.append(sorted(open_units[at:]))
            del open_units[at:]

    for unit in sorted(after):
        if unit not in number:
            visit(unit)
    return found


def graph() -> str:
    """The rooms in order. Each line lists the included rooms, with the number of files that include them."""
    lines = []
    for room in rooms_of_makefile():
        files: dict[str, set[str]] = {}
        for row in includes():
            if row.rooms[0] == room and row.rooms[1] not in (room, *CONTRACTS):
                files.setdefault(row.rooms[1], set()).add(row.file)
        arrows = ", ".join(f"{other} {len(files[other])}" for other in rooms_of_makefile() if other in files)
        lines.append(
            f"{room:8} ({len(list((RUNTIME / room).rglob('*.c')))} C files) -> {arrows or 'nothing'}"
        )
    return "\n".join(lines)


# ---- the runtime -------------------------------------------------------------------------------------------


def test_rooms_of_the_makefile_and_of_the_tour_are_the_folders() -> None:
    made = rooms_of_makefile()
    assert set(made) == folders(RUNTIME)
    assert chains_of_tour("runtime") == [[*made, "main"]]


def test_includes_follow_the_order_of_the_rooms() -> None:
    print("\n" + graph())
    place = {room: at for at, room in enumerate([*CONTRACTS, *rooms_of_makefile(), "main"])}
    upward = [
        f"{row.file} includes {row.target}"
        for row in includes()
        if place[row.rooms[1]] > place[row.rooms[0]] and row.rooms[0] not in CONTRACTS
    ]
    assert upward == []


def test_manager_and_worker_share_one_room_only() -> None:
    """The manager starts the worker by a pointer that main.c gives it: a process knows nothing else of the other."""
    assert [row for row in includes() if set(row.rooms) == {"manager", "worker"}] == []


def test_contracts_include_base_only() -> None:
    assert {row.rooms for row in includes() if row.rooms[0] in CONTRACTS} <= {
        (name, "base") for name in CONTRACTS
    }


def test_files_of_a_room_that_include_each_other_say_why() -> None:
    explained = set()
    for header in RUNTIME.rglob("*.h"):
        comment = re.sub(r"\s*\n \*\s*", " ", header.read_text())
        for other in TOGETHER.findall(comment):
            explained |= {(unit_of(header), other), (other, unit_of(header))}
    edges = {(row.unit, row.target) for row in includes() if row.unit != row.target}
    assert cycles(edges - explained) == []
    assert explained <= edges | {(other, one) for one, other in edges}, "explains a cycle that does not exist"


def test_a_folder_has_few_files() -> None:
    counts: dict[str, int] = {}
    for path in RUNTIME.rglob("*.c"):
        folder = str(path.parent.relative_to(RUNTIME))
        counts[folder] = counts.get(folder, 0) + 1
    assert {
        folder: n for folder, n in counts.items() if n > C_FILES_MAX and folder not in MODULE_FOLDERS
    } == {}


def test_includes_are_written_from_the_runtime_folder() -> None:
    odd = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in RUNTIME.rglob("*.[ch]")
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.M)
        if not (RUNTIME / name).exists() and (path.parent / name).exists()
    ]
    assert odd == []


# ---- knots ---------------------------------------------------------------------------------------------------

#: Files of one room that reach each other in circles. Whoever changes one of them has to know all.
KNOT_FILES_MAX = 8


def defined_in(text: str) -> dict[str, bool]:
    """The functions of a C file; whether each is static."""
    return {
        name: "static" in before.split()
        for before, name in re.findall(r"^([^\n;{}]*\n)?(\w+)\([^;{}]*\)\n\{", text, re.M)
    }


def calls() -> set[tuple[str, str]]:
    """Pairs of C files of one room, of which the first names a function of the second."""
    texts = {path: C_COMMENT.sub("", path.read_text()) for path in sorted(RUNTIME.rglob("*.c"))}
    functions = {path: defined_in(text) for path, text in texts.items()}
    home = {
        name: path for path, found in functions.items() for name, is_static in found.items() if not is_static
    }
    return {
        (unit_of(path), unit_of(home[name]))
        for path, text in texts.items()
        for name in set(re.findall(r"\w+", text))
        if name in home
        and name not in functions[path]
        and path.relative_to(RUNTIME).parts[0] == home[name].relative_to(RUNTIME).parts[0]
    }


def imports_within_rooms() -> set[tuple[str, str]]:
    """Pairs of modules of one room, of which the first imports the second, also in a function."""
    modules = {
        ".".join(path.relative_to(COMPILER).with_suffix("").parts): path for path in COMPILER.rglob("*.py")
    }
    found = set()
    for module, path in modules.items():
        room = module.partition(".")[0]
        if {"generated", "ext"} & set(module.split(".")):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"vernis.{room}"):
                base = (node.module or "").removeprefix("vernis.")
                found |= {
                    (module, target)
                    for alias in node.names
                    for target in (f"{base}.{alias.name}", base)
                    if target in modules and target != module
                }
    return found


def small_knots(edges: Callable[[], set[tuple[str, str]]]) -> None:
    found = sorted(cycles(edges()), key=len)
    print("\n" + "\n".join(f"{len(knot)}: {' '.join(knot)}" for knot in found))
    assert len(found) > 2, "finds none"
    assert [knot for knot in found if len(knot) > KNOT_FILES_MAX] == []


def test_knots_of_calls_within_rooms_are_small() -> None:
    small_knots(calls)


def test_knots_of_imports_within_rooms_are_small() -> None:
    small_knots(imports_within_rooms)


# ---- sizes ---------------------------------------------------------------------------------------------------

FILE_LINES_MAX = 600
FUNCTION_LINES_MAX = 75
#: Longer files, and their lines. A row goes when its file is cut by subject; no file joins or grows.
LONGER_FILES: dict[str, int] = {}


def product_files() -> Iterator[Path]:
    """Hand-written code without the modules, which are one file each."""
    for path in sorted(
        [
            *RUNTIME.rglob("*.[ch]"),
            *COMPILER.rglob("*.py"),
            *COMPILER.rglob("ext/*.cpp"),
            *COMPILER.rglob("ext/*.h"),
        ]
    ):
        if "generated" not in path.parts and path.relative_to(ROOT).parts[1] != "vmod":
            yield path


def lines_of_functions(path: Path) -> Iterator[tuple[str, int]]:
    """Names of functions, and their lines from the name to the last brace."""
    text = path.read_text()
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
                yield node.name, node.end_lineno - node.lineno + 1
        return
    for found in re.finditer(r"^(\w+)\([^;{}]*\)[\w\s]*\{\n.*?^\}", text, re.M | re.S):
        yield found[1], found[0].count("\n") + 1


def test_no_function_is_long() -> None:
    sizes = {
        (str(path.relative_to(ROOT)), name): n
        for path in product_files()
        for name, n in lines_of_functions(path)
    }
    assert len(sizes) > 9000
    assert {place: n for place, n in sizes.items() if n > FUNCTION_LINES_MAX} == {}


def test_no_file_is_long() -> None:
    sizes = {str(path.relative_to(ROOT)): path.read_text().count("\n") for path in product_files()}
    longer = {name: n for name, n in sizes.items() if n > FILE_LINES_MAX}
    assert {name: n for name, n in longer.items() if n > LONGER_FILES.get(name, FILE_LINES_MAX)} == {}
    assert set(LONGER_FILES) == set(longer), "a file is short enough now: its row can go"


# ---- names of headers ---------------------------------------------------------------------------------------

C_COMMENT = re.compile(r"/\*.*?\*/", re.S)
GUARDED = ("runtime", "tests", "benchmarks", "build/gen")
#: Rows of tables, included once in each place that makes something of them.
UNGUARDED = {
    "runtime/log/counter_rows.h",
    *(
        f"build/gen/{name}.h"
        for name in ("exports_policy_rows", "exports_vmod_rows", "param_defaults", "param_rows", "version")
    ),
}


def headers(*under: str) -> list[Path]:
    return [path for folder in under for path in sorted((ROOT / folder).rglob("*.h"))]


def guard_of(path: Path) -> str:
    """``VERNIS_BASE_SPAN_H`` for runtime/base/span.h, ``VERNIS_GEN_LOG_TAGS_H`` for gen/log_tags.h in build."""
    name = path.relative_to(
        next(folder for folder in (RUNTIME, ROOT / "build", ROOT) if path.is_relative_to(folder))
    )
    return "VERNIS_" + re.sub(r"\W", "_", str(name)).upper()


def test_the_guard_of_a_header_is_its_path() -> None:
    odd = {
        str(path.relative_to(ROOT))
        for path in headers(*GUARDED)
        if not re.search(rf"^#ifndef {guard_of(path)}\n#define {guard_of(path)}\n", path.read_text(), re.M)
    }
    assert odd == UNGUARDED


def test_each_guard_stands_in_one_header() -> None:
    """Two paths give one guard if they differ only in ``_`` and ``/``."""
    guards = [guard_of(path) for path in headers(*GUARDED)]
    assert sorted(set(guards)) == sorted(guards)


def names_of_header(text: str) -> set[str]:
    """Enumerators, and functions that the header declares or defines."""
    text = C_COMMENT.sub("", text)
    enumerators = {
        name
        for body in re.findall(r"\benum\b[^{;()]*\{([^}]*)\}", text)
        for name in re.findall(r"(?:^|,)\s*(\w+)", body)
    }
    declared = set(re.findall(r"^(?!typedef)[a-z][\w \t]*[ \t*](\w+)\([^{;]*\)[^{;]*;", text, re.M))
    defined = set(re.findall(r"^(\w+)\([^{;]*\)\s*\{", text, re.M))
    return enumerators | declared | defined


def names_in_two_headers(texts: dict[str, str]) -> dict[str, list[str]]:
    places: dict[str, list[str]] = {}
    for file, text in texts.items():
        for name in names_of_header(text):
            places.setdefault(name, []).append(file)
    return {name: files for name, files in places.items() if len(files) > 1}


def test_a_name_in_two_headers_is_found() -> None:
    one = "enum step {\n    STEP_FAIL = 1, /* , STEP_OLD */\n    STEP_DONE\n};\nint step_run(struct a *a,\n             int n);\n"
    other = "enum state { STATE_NEW, STEP_DONE };\nstatic inline int\nstep_run(struct b *b)\n{\n    return run(b);\n}\n"
    assert names_of_header(one) == {"STEP_FAIL", "STEP_DONE", "step_run"}
    assert names_in_two_headers({"one.h": one, "other.h": other}) == {
        "STEP_DONE": ["one.h", "other.h"],
        "step_run": ["one.h", "other.h"],
    }
    assert (
        names_in_two_headers({"one.h": one, "third.h": "enum { STEP_OLD };\nstruct step *step_of(void);\n"})
        == {}
    )


def test_no_name_stands_in_two_headers() -> None:
    """A file can then include any two headers, and a search for a name finds one thing."""
    found = names_in_two_headers(
        {str(path.relative_to(RUNTIME)): path.read_text() for path in headers("runtime")}
    )
    assert found == {}


# ---- functions without a caller ------------------------------------------------------------------------------

#: Public functions of the runtime that only tests call, and why the runtime has them.
CALLED_BY_TESTS = {
    "addresses_held": "the size of a private table",
    "backend_counted": "counts of a backend, which the publisher sums otherwise",
    "backend_idle": "the number of connections in a private pool",
    "dns_set_server": "lets a test answer in place of the system's name server",
    "dynamic_set_lookup": "lets a test answer in place of the system's resolver",
    "export_at": "tests/support/harness.c lists the library of the language",
    "object_set_image": "a stored head as bytes, for a storage that keeps it",
    "pattern_set_count": "what the automaton of a set has built",
    "pattern_set_left": "what the automaton of a set has left to PCRE2",
    "policy_counter_each": "tests/support/harness.c reads counters without shared memory",
    "policy_replace_with": "an image in memory: C tests have no compiler",
    "regex_has_machine_code": "the state of a compiled pattern",
    "storage_counted": "counts of a storage, which the publisher sums otherwise",
    "table_text_bytes": "the memory of a table without its texts",
    "trial_begin_image": "an image in memory: C tests have no compiler",
}


def functions_of_header(text: str) -> set[str]:
    return {name for name in names_of_header(text) if re.search(rf"\b{name}\(", text)}


def uncalled() -> tuple[set[str], set[str]]:
    """Public functions that no other file of the runtime or compiler names: those that only tests call, and
    those that only their own file calls."""
    texts = {path: C_COMMENT.sub("", path.read_text()) for path in sorted(RUNTIME.rglob("*.[ch]"))}
    words = {path: Counter(re.findall(r"\w+", text)) for path, text in texts.items()}
    named: dict[str, set[Path]] = {}
    defined: dict[str, set[Path]] = {}
    for path, text in texts.items():
        for name in words[path]:
            named.setdefault(name, set()).add(path)
        for name in re.findall(r"^(\w+)\(", text, re.M):
            defined.setdefault(name, set()).add(path)
    loaded = {
        word for path in COMPILER.rglob("*.py") for word in re.findall(r"\w+", path.read_text())
    }  # by ctypes
    loaded |= {
        name
        for path in RUNTIME.glob("*/params.toml")
        for name in re.findall(r'^check = "(\w+)"', path.read_text(), re.M)
    }
    tested = {
        word for path in (ROOT / "tests").rglob("*.[ch]") for word in re.findall(r"\w+", path.read_text())
    }
    by_tests, by_nobody_else = set(), set()
    for header in headers("runtime"):
        for name in set() if header.stem in CONTRACTS else functions_of_header(texts[header]) - loaded:
            own = defined.get(name, set())
            if not own or words[header][name] > 1 or named[name] - own - {header}:
                continue
            if sum(words[path][name] for path in own) == len(own):
                by_tests.add(name)
            elif name not in tested:
                by_nobody_else.add(name)
    return by_tests, by_nobody_else


def test_public_functions_of_the_runtime_have_callers() -> None:
    by_tests, by_nobody_else = uncalled()
    assert by_tests == set(CALLED_BY_TESTS), (
        "a function that only tests call goes to the tests, or has a reason"
    )
    assert by_nobody_else == set(), "static suffices"


# ---- facts of the runtime ------------------------------------------------------------------------------------


def files_with(pattern: str) -> set[str]:
    return {
        str(path.relative_to(RUNTIME))
        for path in RUNTIME.rglob("*.[ch]")
        if re.search(pattern, path.read_text())
    }


def test_parts_of_the_manager_do_not_know_struct_manager() -> None:
    own = {
        "manager/manager.h",
        "manager/manager.c",
        "manager/manager_internal.h",
        "manager/manager_upgrade.c",
    }
    assert files_with(r"\bstruct manager\b") == {*own, "main.c"}


#: Assertions a function, in the rooms where requests and fetches change their state.
ASSERTIONS_MIN = {"cache": 0.5, "proxy": 0.5}
ASSERTION = re.compile(r"\b(?:CHECK|DEBUG_CHECK|LOCK_HELD|SHARD_HELD|WRONG)\(")


def assertions_a_function(texts: list[str]) -> float:
    """Definitions of macros count as nothing."""
    bare = [re.sub(r"^#(?:\\\n|.)*", "", C_COMMENT.sub("", text), flags=re.M) for text in texts]
    functions = sum(len(defined_in(text)) for text in bare)
    return sum(len(ASSERTION.findall(text)) for text in bare) / max(functions, 1)


def test_assertions_are_counted() -> None:
    one = "#define HELD(o) \\\n    CHECK(o->held)\nint\na(void)\n{\n    CHECK(b && c); /* CHECK(d) */\n}\n"
    other = "static void\nb(int n)\n{\n    DEBUG_CHECK(n > 0);\n    LOCK_HELD(&l);\n}\n\nint\nc(void)\n{\n}\n"
    assert assertions_a_function([one]) == 1
    assert assertions_a_function([one, other]) == 1
    assert assertions_a_function([other]) == 1


def test_state_is_asserted_where_rooms_are_entered() -> None:
    rooms = {
        room: assertions_a_function([path.read_text() for path in (RUNTIME / room).rglob("*.[ch]")])
        for room in rooms_of_makefile()
    }
    print("\nassertions a function: " + ", ".join(f"{room} {n:.2f}" for room, n in rooms.items()))
    assert {room: rooms[room] for room, least in ASSERTIONS_MIN.items() if rooms[room] < least} == {}


def bodies_of(path: Path) -> dict[str, str]:
    """The functions of a C file and their text."""
    return dict(re.findall(r"^(\w+)\([^;{]*\)\n\{\n(.*?)^\}", path.read_text(), re.M | re.S))


def test_each_step_checks_what_it_holds() -> None:
    """The enums of steps say what a request and a fetch hold; the step asserts it where it begins."""
    functions = {
        name: body
        for path in (RUNTIME / "proxy").rglob("*.c")
        for name, body in bodies_of(path).items()
        if "_step_" in name or name.startswith("step_")
    }
    steps = {
        name
        for walk in ("request.c", "fetch.c")
        for name in re.findall(r"return (\w*step_\w+)\(", bodies_of(RUNTIME / "proxy" / walk)["take_step"])
    }
    assert len(steps) == 12 + 5
    assert [name for name in sorted(steps) if "CHECK(" not in functions[name].split(";\n\n")[0]] == []


def test_answers_about_policies_are_written_in_one_place() -> None:
    assert files_with(r"VCL compiled\.|VCL compilation failed|Already a VCL named") == {
        "manager/policies/policy_answer.c",
        "worker/loaded.c",
    }


PROTOCOL = re.compile(r"\bh1\b|\bh1_|http1", re.I)
WITHOUT_PROTOCOLS = ("policy", "vmod", "proxy", "daemon", "worker")


def test_rooms_above_the_streams_name_no_protocol() -> None:
    odd = [
        f"{path.relative_to(RUNTIME)}:{number}: {line.strip()}"
        for room in WITHOUT_PROTOCOLS
        for path in sorted((RUNTIME / room).rglob("*.[ch]"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if PROTOCOL.search(line)
    ]
    assert odd == []


# ---- the compiler ------------------------------------------------------------------------------------------


def imports() -> Iterator[tuple[str, str, str]]:
    """(file, its room, the imported room or library). A module directly in the package, such as cli.py,
    counts as a room."""
    for path in sorted(COMPILER.rglob("*.py")):
        place = path.relative_to(COMPILER)
        if {"generated", "ext"} & set(place.parts):
            continue
        room = place.parts[0] if len(place.parts) > 1 else place.stem
        for node in ast.walk(ast.parse(path.read_text())):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                names = (
                    [f"vernis.{alias.name}" for alias in node.names]
                    if node.module == "vernis"
                    else [node.module]
                )
            for name in names:
                first, _, rest = name.partition(".")
                target = rest.partition(".")[0] if first == "vernis" else first
                if target != room and (first == "vernis" or first in ONLY_IN):
                    yield str(place), room, target


def test_rooms_of_the_compiler_are_those_of_the_tour() -> None:
    drawn = {room for chain in chains_of_tour("compiler") for room in chain}
    modules = {path.stem for path in COMPILER.glob("*.py")} - {"__init__", *PROGRAMS}
    assert drawn - modules == folders(COMPILER)
    assert modules - LEAVES <= drawn


def test_imports_follow_the_order_of_the_rooms() -> None:
    allowed = {
        (room, left)
        for chain in chains_of_tour("compiler")
        for at, room in enumerate(chain)
        for left in chain[:at]
    }
    odd = [
        f"{file} imports {target}"
        for file, room, target in imports()
        if target not in LEAVES
        and target not in ONLY_IN
        and room not in PROGRAMS
        and (room, target) not in allowed
    ]
    assert odd == []


def test_leaves_import_no_room() -> None:
    assert [(file, target) for file, room, target in imports() if room in LEAVES] == []


def test_libraries_stay_in_their_room() -> None:
    assert [
        f"{file} imports {target}" for file, room, target in imports() if ONLY_IN.get(target, room) != room
    ] == []


#: Functions and methods of the compiler that nothing in it names, and who calls them.
CALLED_FROM_OUTSIDE = {
    "do_GET": "http.server",
    "do_HEAD": "http.server",
    "do_POST": "http.server",
    "log_message": "http.server",
    "handle_error": "socketserver",
    "get_completions": "prompt_toolkit",
    "LA": "antlr4",
    "inErrorRecoveryMode": "antlr4",
    "recover": "antlr4",
    "recoverInline": "antlr4",
    "reportError": "antlr4",
    "reportMatch": "antlr4",
    "sync": "antlr4",
    "documented": "the test of the page that lists these names",
    "lint_text": "tests that lint a text without a file",
    "parse_text": "tests that parse a text without a file",
}
#: Beginnings of names that a dispatcher completes: kinds of log records.
DISPATCHED = ("_on_",)
#: Decorators that do not hand the function to anything.
PLAIN_DECORATORS = {"property", "staticmethod", "classmethod", "cached_property"}


def test_functions_of_the_compiler_have_callers() -> None:
    """The grammar names the methods of the builders. Other decorators may register a function."""
    defined: set[str] = set()
    named = {
        word for path in (ROOT / "grammar").glob("*.g4") for word in re.findall(r"\w+", path.read_text())
    }
    for path in sorted(COMPILER.rglob("*.py")):
        if {"generated", "ext"} & set(path.relative_to(COMPILER).parts):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.FunctionDef(name=name) if not name.startswith(("__", *DISPATCHED)):
                    if {ast.unparse(decorator) for decorator in node.decorator_list} <= PLAIN_DECORATORS:
                        defined.add(name)
                case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name, asname=str()):
                    named.add(name)
                case ast.Constant(value=str() as text) if re.fullmatch(
                    r"[\w.]+", text
                ):  # a table of functions
                    named.update(text.split("."))
    named |= {
        word for path in (ROOT / "mk").glob("*.*") for word in re.findall(r"\w+", path.read_text())
    } - set(CALLED_FROM_OUTSIDE)
    assert defined - named == set(CALLED_FROM_OUTSIDE)


if __name__ == "__main__":
    print(graph())
