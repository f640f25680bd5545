"""Images of some policies. `python cross_images.py TARGET FOLDER` compiles them for another machine, whose test compares them with those
that it makes itself."""

from __future__ import annotations

import sys
from pathlib import Path

from vernis import pipeline
from vernis.pipeline import Compilation, Options

ROOT = Path(__file__).resolve().parents[3]
POLICIES = ("examples/quickstart/quickstart.vcl", "examples/site/site.vcl")
LEVELS = (0, 2)


def image_of(policy: str, level: int, target: str | None = None) -> bytes:
    run = Compilation(Path(policy).stem, policy, (ROOT / policy).read_bytes(), Options(optimisation=level, target=target))
    pipeline.run_stages(run, pipeline.COMPILE)
    assert run.code is not None
    return run.code


def main(target: str, folder: str) -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    for policy in POLICIES:
        for level in LEVELS:
            (Path(folder) / f"{Path(policy).stem}-{level}.so").write_bytes(image_of(policy, level, target))


if __name__ == "__main__":
    main(*sys.argv[1:])
