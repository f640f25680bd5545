"""The files for CI in examples/ci, and the hooks for pre-commit: each of their commands runs here."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from junitparser import JUnitXml

from lint_command import HEAD, PURGE

ROOT = Path(__file__).resolve().parents[3]
CI = ROOT / "examples" / "ci"
sys.path.insert(0, str(ROOT / "tests" / "compiler" / "report"))

from report_schemas import GITLAB  # noqa: E402

from vernis.commands.table import COMMANDS  # noqa: E402

pytestmark = pytest.mark.skipif(not (ROOT / "build/bin/vernis").exists(), reason="run make build first")
INSTALLS = 'pip install "$VERNIS"'
GOOD = HEAD + 'sub vcl_recv { set req.http.X-Site = "a"; }\n'


@pytest.fixture(params=[GOOD, PURGE], ids=["good", "purge"])
def repository(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "site.vcl").write_text(request.param)
    (tmp_path / "vernis.toml").write_text('[lint]\nselect = ["SEC001"]\n')
    return tmp_path


def run(command: str, folder: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    path = f"{ROOT / 'build/bin'}:{os.environ['PATH']}"
    return subprocess.run(["bash", "-eo", "pipefail", "-c", command], cwd=folder, capture_output=True, text=True, timeout=120,
                          env={**os.environ, **variables, "PATH": path})


def load(name: str) -> Any:
    return yaml.safe_load((CI / name).read_text())


def test_the_workflow_of_github_runs(repository: Path) -> None:
    workflow = load("github.yml")
    [job] = workflow["jobs"].values()
    assert all(re.fullmatch(r"[\w-]+/[\w/-]+@v\d+", step["uses"]) for step in job["steps"] if "uses" in step)
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert commands.pop(0) == INSTALLS
    check, lint, alerts = (run(command, repository, workflow["env"]) for command in commands)
    is_good = "purge" not in (repository / "policies/site.vcl").read_text()
    assert (check.returncode, alerts.returncode) == (0, 0), check.stderr + alerts.stderr
    assert lint.returncode == (0 if is_good else 1)
    assert lint.stdout == "" if is_good else lint.stdout.startswith("::error file=policies/site.vcl,line=4,")
    [upload] = [step["with"]["sarif_file"] for step in job["steps"] if "with" in step]
    results = json.loads((repository / upload).read_text())["runs"][0]["results"]
    assert [one["ruleId"] for one in results] == ([] if is_good else ["SEC001"])


def test_the_job_of_gitlab_runs(repository: Path) -> None:
    pipeline = load("gitlab-ci.yml")
    job = pipeline["policies"]
    assert job["before_script"] == [INSTALLS]
    is_good = "purge" not in (repository / "policies/site.vcl").read_text()
    done = run("\n".join(job["script"]), repository, pipeline["variables"])
    assert done.returncode == (0 if is_good else 1), done.stderr
    reports = job["artifacts"]["reports"]
    rows = json.loads((repository / reports["codequality"]).read_text())
    jsonschema.validate(rows, GITLAB)
    assert [row["location"]["path"] for row in rows] == ([] if is_good else ["policies/site.vcl"])
    assert JUnitXml.fromfile(str(repository / reports["junit"])).failures == len(rows)


def test_a_wrong_option_stops_a_report(repository: Path) -> None:
    pipeline = load("gitlab-ci.yml")
    command = pipeline["policies"]["script"][1].replace("gitlab ", "nonsense ")
    assert run(command, repository, pipeline["variables"]).returncode != 0


def test_the_settings_are_right(repository: Path) -> None:
    (repository / "vernis.toml").write_text((CI / "vernis.toml").read_text())
    assert run("vernis lint policies/site.vcl", repository, {}).returncode in (0, 1)


def test_the_hooks_run(repository: Path) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert {"vernis-check", "vernis-lint"} <= {hook["id"] for hook in hooks}
    assert all(hook["entry"].split()[:2] == ["vernis", hook["id"].removeprefix("vernis-")] for hook in hooks)
    assert all(hook["entry"].split()[1] in COMMANDS for hook in hooks)
    is_good = "purge" not in (repository / "policies/site.vcl").read_text()
    for hook in hooks:
        assert {"id", "name", "entry", "language"} <= set(hook) and re.search(hook["files"], "policies/site.vcl")
        done = run(f"{hook['entry']} policies/site.vcl", repository, {})
        assert done.returncode == (1 if hook["id"] == "vernis-lint" and not is_good else 0), done.stderr
