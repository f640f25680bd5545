"""The files for CI in examples/ci, and the hooks for pre-commit: each of their commands runs here, on a project with
a policy, a file that it includes, and tests."""

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

from lint_command import HEAD

ROOT = Path(__file__).resolve().parents[3]
CI = ROOT / "examples" / "ci"
sys.path.insert(0, str(ROOT / "tests" / "compiler" / "report"))

from report_schemas import GITLAB  # noqa: E402

from vernis.commands.table import COMMANDS  # noqa: E402
from vernis.version import VERSION  # noqa: E402

pytestmark = pytest.mark.skipif(not (ROOT / "build/bin/vernis").exists(), reason="run make build first")
SITE = HEAD.replace(" }", "\n}").replace("{ ", "{\n    ") + 'include "./parts/recv.vcl";\n'
GOOD = 'sub vcl_recv {\n    set req.http.X-Site = "a";\n}\n'
PURGE = "sub vcl_recv {\n    return (purge);\n}\n"
TESTS = 'vcl 4.1;\n\ntest "a page" {\n    answer(header = "Cache-Control: max-age=60");\n    request("/");\n    expect(resp.status == %s);\n}\n'
#: A copy of Vernis whose `make build` is quick: it links what is built here.
MAKEFILE = f"build:\n\tmkdir -p build/bin && ln -sf {ROOT}/build/bin/vernis build/bin/vernis\n"


class Project:
    """A repository with policies, and one of Vernis that CI installs from."""

    def __init__(self, folder: Path, part: str, status: int) -> None:
        self.folder = folder / "project"
        (self.folder / "policies/parts").mkdir(parents=True)
        self.write("policies/site.vcl", SITE)
        self.write("policies/parts/recv.vcl", part)
        self.write("policies/site.test.vcl", TESTS % status)
        self.write("vernis.toml", '[lint]\nselect = ["SEC001"]\n')
        self.vernis = folder / "vernis"
        self.vernis.mkdir()
        (self.vernis / "Makefile").write_text(MAKEFILE)
        git = ["git", "-C", str(self.vernis), "-c", "user.name=a", "-c", "user.email=a@example.com"]
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "a"], ["tag", f"v{VERSION}"]):
            subprocess.run([*git, *words], check=True)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def run(self, command: str, variables: dict[str, str], **more: str) -> subprocess.CompletedProcess[str]:
        path = f"{ROOT / 'build/bin'}:{os.environ['PATH']}"
        variables = {**variables, "PATH": path, "VERNIS": str(self.vernis), "GITHUB_PATH": str(self.folder / "path.txt"), **more}
        return subprocess.run(["bash", "-eo", "pipefail", "-c", command], cwd=self.folder, capture_output=True, text=True, timeout=120,
                              env={**os.environ, **variables})


@pytest.fixture(params=["good", "purge", "failing test"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def project(kind: str, tmp_path: Path) -> Project:
    return Project(tmp_path, PURGE if kind == "purge" else GOOD, 404 if kind == "failing test" else 200)


def load(name: str) -> Any:
    return yaml.safe_load((CI / name).read_text())


def test_the_workflow_of_github_runs(project: Project, kind: str) -> None:
    workflow = load("github.yml")
    [job] = workflow["jobs"].values()
    assert all(re.fullmatch(r"[\w-]+/[\w/-]+@v\d+", step["uses"]) for step in job["steps"] if "uses" in step)
    steps = {step["name"]: step["run"] for step in job["steps"] if "run" in step}
    done = {name: project.run(command, workflow["env"]) for name, command in steps.items()}
    failed = {"Lint"} if kind == "purge" else {"Test"} if kind == "failing test" else set()
    assert {name for name, one in done.items() if one.returncode} == failed, {name: one.stderr for name, one in done.items()}
    [added] = (project.folder / "path.txt").read_text().split()
    assert os.access(f"{added}/vernis", os.X_OK)
    found = done["Lint"].stdout
    assert found.startswith("::error file=policies/parts/recv.vcl,line=2,") if kind == "purge" else found == ""
    assert "1 failed" in done["Test"].stdout if kind == "failing test" else "1 passed" in done["Test"].stdout
    [upload] = [step["with"]["sarif_file"] for step in job["steps"] if "sarif_file" in step.get("with", {})]
    results = json.loads((project.folder / upload).read_text())["runs"][0]["results"]
    assert [one["ruleId"] for one in results] == (["SEC001"] if kind == "purge" else [])


def test_the_job_of_gitlab_runs(project: Project, kind: str) -> None:
    pipeline = load("gitlab-ci.yml")
    job = pipeline["policies"]
    system, install = job["before_script"][:2], job["before_script"][2:]
    assert all(line.startswith("apt-get -qq ") for line in system)
    done = project.run("\n".join([*install, *job["script"]]), pipeline["variables"])
    assert done.returncode == (0 if kind == "good" else 1), done.stderr
    reports = job["artifacts"]["reports"]
    rows = json.loads((project.folder / reports["codequality"]).read_text())
    jsonschema.validate(rows, GITLAB)
    assert [row["location"]["path"] for row in rows] == (["policies/parts/recv.vcl"] if kind == "purge" else [])
    lint, tests = reports["junit"]
    assert JUnitXml.fromfile(str(project.folder / lint)).failures == len(rows)
    if kind != "purge":     # lint ends that script before the tests
        assert JUnitXml.fromfile(str(project.folder / tests)).failures == (kind == "failing test")


@pytest.mark.parametrize("kind", ["good"], indirect=True)
def test_a_wrong_option_stops_a_report(project: Project) -> None:
    pipeline = load("gitlab-ci.yml")
    command = pipeline["policies"]["script"][0].replace("gitlab ", "nonsense ")
    assert project.run(command, pipeline["variables"]).returncode == 2


@pytest.mark.parametrize("kind", ["good"], indirect=True)
def test_the_settings_are_right(project: Project) -> None:
    project.write("vernis.toml", (CI / "vernis.toml").read_text())
    assert project.run("vernis lint policies", {}).returncode in (0, 1)


def test_the_hooks_run(project: Project, kind: str) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert [hook["id"] for hook in hooks] == ["vernis-check", "vernis-lint", "vernis-test", "vernis-fmt"]
    failing = {"purge": {"vernis-lint"}, "failing test": {"vernis-test"}}.get(kind, set())
    for hook in hooks:
        program, command = hook["entry"].split()[:2]
        assert (program, command) == ("vernis", hook["id"].removeprefix("vernis-")) and command in COMMANDS
        assert {"id", "name", "entry", "language"} <= set(hook)
        changed = ["policies/site.vcl", "policies/parts/recv.vcl", "policies/site.test.vcl"]
        assert all(re.search(hook["files"], name) for name in changed)
        words = [*hook.get("args", []), *(changed if hook.get("pass_filenames", True) else [])]
        done = project.run(" ".join([hook["entry"], *words]), {})
        assert done.returncode == (1 if hook["id"] in failing else 0), done.stderr


def test_the_examples_name_the_tag_of_this_version() -> None:
    revisions = {load("github.yml")["env"]["VERNIS_REVISION"], load("gitlab-ci.yml")["variables"]["VERNIS_REVISION"]}
    assert revisions == {f"v{VERSION}"} and f"rev: v{VERSION}\n" in (CI / "README.md").read_text()


def test_nothing_installs_the_name_vernis_from_an_index() -> None:
    """No such project exists there: whoever registers it runs programs on the machines of our users."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    told = re.compile(r"pip3?\s+install\s+(?:-\S+\s+)*['\"]?vernis\b(?!/)", re.I)
    assert told.search("pip install vernis") and told.search("pip install -U 'vernis[live]'") and not told.search("pip install ./vernis")
    wrong = [name for name in listed.split("\0") if name and name != str(Path(__file__).relative_to(ROOT)) and (ROOT / name).is_file()
             and told.search((ROOT / name).read_text(errors="replace"))]
    assert wrong == []
