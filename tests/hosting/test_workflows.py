"""The hosted workflows, read as data. They cannot run here: each step runs what a developer can run, too."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import dropwhile
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml  # type: ignore[import-untyped]

from tests.support.paths import HOUSE

FOLDER = HOUSE / ".github"
TEST, RELEASE = (FOLDER / "workflows" / f"{name}.yaml" for name in ("test", "release"))
SCRIPTS = Path(sys.executable).parent
# What the steps run besides make: preparations, and what publishes.
OTHERS = {"[", "apt-get", "docker", "echo", "gh", "git", "/usr/share/postgresql-common/pgdg/apt.postgresql.org.sh"}
CHECKOUT = "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0"
TAG = "v0.2.0"


def read(workflow: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    return found


class Step(NamedTuple):
    """A step that runs something, and its job."""

    job: str
    name: str
    script: str


def steps(*workflows: Path) -> Iterator[Step]:
    for workflow in workflows:
        for name, job in read(workflow)["jobs"].items():
            yield from (Step(name, step["name"], step["run"]) for step in job.get("steps", []) if "run" in step)


ALL = [*steps(TEST, RELEASE)]


def lint(*words: str | Path) -> str:
    """Run a tool of the venv, which must find nothing. Return what it says."""
    done = subprocess.run([SCRIPTS / words[0], *words[1:]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# ── Linting ──


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("vendor.github-workflows", [TEST, RELEASE]),
        ("custom.github-workflows-require-timeout", [TEST, RELEASE]),
        ("vendor.renovate", [FOLDER / "renovate.json"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_files_have_the_shape_that_their_readers_expect(schema: str, files: list[Path]) -> None:
    assert "ok" in lint("check-jsonschema", "--builtin-schema", schema, *files)


def test_zizmor_finds_no_hole() -> None:
    assert "No findings to report" in lint("zizmor", "--offline", "--no-config", FOLDER)


def test_zizmor_would_find_one(tmp_path: Path) -> None:
    odd = tmp_path / "odd.yaml"
    odd.write_text(TEST.read_text(encoding="utf-8").replace(CHECKOUT, "actions/checkout@v5"), encoding="utf-8")
    with pytest.raises(AssertionError, match="unpinned-uses"):
        lint("zizmor", "--offline", "--no-config", odd)


# ── What they may do ──


def test_only_one_action_is_used_and_pinned_by_its_commit() -> None:
    text = TEST.read_text(encoding="utf-8") + RELEASE.read_text(encoding="utf-8")
    used = {each.partition(" # zizmor")[0] for each in re.findall(r"uses: (.+)", text)}
    assert used == {CHECKOUT, "./.github/workflows/test.yaml"}
    assert text.count(CHECKOUT) == text.count("persist-credentials: false")


def test_only_what_publishes_may_write() -> None:
    assert [read(workflow)["permissions"] for workflow in (TEST, RELEASE)] == [{}, {}]
    rights = {name: job["permissions"] for workflow in (RELEASE, TEST) for name, job in read(workflow)["jobs"].items()}
    assert {name: given for name, given in rights.items() if given != {"contents": "read"}} == {
        "publish": {"contents": "write", "packages": "write"}
    }
    assert read(RELEASE)["jobs"]["image"]["permissions"] == {"contents": "read", "packages": "write"}


# ── What they run ──


def matrix(job: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = read(TEST)["jobs"][job]["strategy"]["matrix"]
    return found


def test_each_python_machine_and_postgres_is_tested() -> None:
    machines = ["ubuntu-24.04", "ubuntu-24.04-arm"]
    assert matrix("test") == {"python": ["3.11", "3.12", "3.13", "3.14"], "machine": machines}
    assert matrix("postgres") == {"postgres": ["14", "17"]}
    assert matrix("image") == {"machine": machines, "options": ["", "--postgres"]}
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == f">={matrix('test')['python'][0]}"


def commands(script: str) -> Iterator[list[str]]:
    """Yield the commands of a script, each as its words. What stands around them for the shell is left out."""
    for part in re.split(r"\n|;|\||\b(?:if|then|do)\b", script.replace("\\\n", " ")):
        words = [*dropwhile(lambda word: re.match(r"\w+=", word), shlex.split(part))]
        if words and words[0] not in ("for", "done", "fi", "exit"):
            yield words


@pytest.mark.parametrize("step", ALL, ids=lambda step: f"{step.job}: {step.name}")
def test_steps_are_short_and_safe(step: Step) -> None:
    """What others have written, such as the name of a branch, is no part of a script."""
    subprocess.run(["bash", "-n"], input=step.script, text=True, check=True)
    assert {words[0] for words in commands(step.script)} <= {"make", ".ci/run"} | OTHERS
    assert "${{" not in step.script


def test_each_job_runs_what_make_runs() -> None:
    made = {step.job: set[str]() for step in ALL}
    for step in ALL:
        made[step.job] |= {words[1] for words in commands(step.script) if words[0] == "make"}
        made[step.job] |= {words[0] for words in commands(step.script) if words[0] == ".ci/run"}
    targets = {"postgres": "test-postgres", "image": "image", "wheel": "dist", "publish": "dist"}
    assert made == {"new": set(), "test": {".ci/run"}} | {job: {target} for job, target in targets.items()}
    assert "exec make test" in (HOUSE / ".ci" / "run").read_text(encoding="utf-8")
    for target in {*targets.values()}:
        subprocess.run(["make", "--dry-run", target], cwd=HOUSE, capture_output=True, check=True)


# ── The release ──

# A stand-in for make, docker and gh: it notes its calls. A release is there if the file `released` is.
STANDIN = """#!/bin/sh
echo "$(basename "$0") $*" >>"$FOLDER/calls"
case "$(basename "$0") $2" in
"gh view") test -f "$FOLDER/released" ;;
esac
"""


@pytest.fixture
def runner(tmp_path: Path) -> Path:
    """Return a folder with the stand-ins, and with what `make dist` leaves."""
    for name in ("make", "docker", "gh"):
        (tmp_path / name).write_text(STANDIN, encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "dist").mkdir()
    for name in ("gipfbot-0.2.0-py3-none-any.whl", "gipfbot-0.2.0.tar.gz", "notes.md"):
        (tmp_path / "dist" / name).touch()
    return tmp_path


def run_job(job: str, runner: Path, values: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the steps of a job of the release as GitHub does. Return the first that fails, or the last one."""
    given, known = read(RELEASE)["jobs"][job], {"vars.REGISTRY": "images.example"} | (values or {})
    environment = {
        "PATH": f"{runner}:{os.environ['PATH']}",
        "FOLDER": str(runner),
        "GITHUB_REF_NAME": TAG,
        "GITHUB_REPOSITORY": "Ann/GIPF",
        "GITHUB_ACTOR": "ann",
        "GITHUB_ENV": str(runner / "env"),
    }
    (runner / "env").touch()
    for step in (each for each in given["steps"] if "run" in each):
        written = dict(line.split("=", 1) for line in (runner / "env").read_text(encoding="utf-8").splitlines())
        filled = {
            name: re.sub(r"\$\{\{ (.+?) \}\}", lambda found: known.get(found[1], "secret"), value)
            for name, value in {**given.get("env", {}), **step.get("env", {})}.items()
        }
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=runner,
            env={**environment, **written, **filled},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            break
    return done


def calls(runner: Path) -> list[str]:
    return (runner / "calls").read_text(encoding="utf-8").splitlines()


def test_a_new_release_is_not_refused(runner: Path) -> None:
    assert run_job("new", runner).returncode == 0
    assert calls(runner) == [f"gh release view {TAG} --repo Ann/GIPF"]


def test_a_release_without_a_registry_is_refused(runner: Path) -> None:
    done = run_job("new", runner, {"vars.REGISTRY": ""})
    assert done.returncode == 1
    assert "set the repository's variable REGISTRY" in done.stdout


def test_a_release_that_is_there_already_is_refused(runner: Path) -> None:
    (runner / "released").touch()
    done = run_job("new", runner)
    right = "raise VERSION, and run `make release` again."
    assert (done.returncode, done.stdout) == (1, f"::error::The release {TAG} is there already: {right}\n")
    needs = {name: job.get("needs") for name, job in read(RELEASE)["jobs"].items()}
    assert needs == {"new": None, "test": "new", "image": "test", "publish": "image"}


def test_image_is_pushed_under_the_name_that_was_tried(runner: Path) -> None:
    kinds = {"matrix.kind.ending": "-postgres", "matrix.kind.options": "--postgres", "matrix.machine.name": "arm64"}
    assert run_job("image", runner, kinds).returncode == 0
    image = "images.example/ann/gipf:0.2.0-postgres-arm64"
    assert calls(runner) == [
        f"make image ARGS=--tag {image} --postgres",
        "docker login images.example --username ann --password-stdin",
        f"docker push {image}",
    ]


def test_wheel_and_images_of_the_tag_are_published(runner: Path) -> None:
    """The release comes last: until then the workflow can run again."""
    assert run_job("publish", runner).returncode == 0
    image, create = "images.example/ann/gipf:0.2.0", "docker buildx imagetools create --tag"
    files = "dist/gipfbot-0.2.0-py3-none-any.whl dist/gipfbot-0.2.0.tar.gz"
    options = "--repo Ann/GIPF --verify-tag --title GIPF bot 0.2.0 --notes-file dist/notes.md"
    assert calls(runner) == [
        f"make dist ARGS=--tag={TAG}",
        "docker login images.example --username ann --password-stdin",
        f"{create} {image} {image}-amd64 {image}-arm64",
        f"{create} {image}-postgres {image}-postgres-amd64 {image}-postgres-arm64",
        f"gh release create {TAG} {files} {options}",
    ]
