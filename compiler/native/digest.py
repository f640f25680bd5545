"""The digest on which the compiler and the runtime must agree, and the files that carry it.

The digest is SHA-256 over the headers that a compiled policy depends on, the bitcode inlined into it, and the
CPU it is compiled for. ``mk/native.mk`` runs this file. It writes ``abi_digest.h`` for the runtime, and
``abi.json``, which also holds the results of measure.py, for the compiler.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

from vernis.native import measure

BITCODE_NAME = "inline.bc"


def abi_digest(headers: list[Path], bitcode: bytes, cpu: str) -> bytes:
    """Hashes the name and length of each part too, so that moving text from one part to the next changes the
    digest."""
    digest = hashlib.sha256()
    parts = [(path.name, path.read_bytes()) for path in headers]
    parts += [(BITCODE_NAME, bitcode), ("cpu", cpu.encode())]
    for name, data in parts:
        digest.update(f"{name} {len(data)}\n".encode())
        digest.update(data)
    return digest.digest()


def header_text(digest: bytes) -> str:
    values = ", ".join(f"0x{byte:02x}" for byte in digest)
    return (
        "/* Made by mk/native.mk: digest of headers, inlined bitcode and CPU of compiled policies. */\n"
        "#ifndef VERNIS_GEN_ABI_DIGEST_H\n#define VERNIS_GEN_ABI_DIGEST_H\n\n"
        f"#define VERNIS_ABI_DIGEST {{ {values} }}\n\n#endif\n"
    )


def write_if_changed(path: Path, text: str) -> None:
    """Leaves an unchanged file alone, so that make does not rebuild its users."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--headers",
        type=Path,
        nargs="+",
        required=True,
        help="contract headers; the first declares the structures",
    )
    parser.add_argument("--bitcode", type=Path, required=True)
    parser.add_argument("--target", required=True, help="a name of target.py")
    parser.add_argument("--cpu", required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--flags", required=True, help="flags of the C compiler, in one argument")
    parser.add_argument("--helpers", type=Path, required=True, help="source of bitcode and support.o")
    parser.add_argument("--header", type=Path, required=True, help="abi_digest.h to write")
    parser.add_argument("--json", type=Path, required=True, help="abi.json to write")
    options = parser.parse_args(arguments)
    digest = abi_digest(options.headers, options.bitcode.read_bytes(), options.cpu)
    write_if_changed(options.header, header_text(digest))
    flags = options.flags.split()
    facts = {
        "abi_digest": digest.hex(),
        "target": options.target,
        "cpu": options.cpu,
        "structures": measure.structures(options.clang, flags, options.headers[0]),
        "helpers": measure.helpers(options.clang, flags, options.helpers)
        | measure.helpers(options.clang, [*flags, "-DPOLICY_SUPPORT"], options.helpers),
    }
    write_if_changed(options.json, json.dumps(facts) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
