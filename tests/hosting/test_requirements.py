"""What `make run` and the image install: the packages that the bot needs, each with its hashes, and no test tools."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.support.paths import HOUSE

FILES = [
    "requirements.txt",
    *(f"requirements/{name}.txt" for name in ("postgres", "demo", "dev", "compile", "fuzz", "mutate", "audit", "pip")),
]
PROJECT = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))
GROUPS: dict[str, list[Any]] = PROJECT["dependency-groups"]
TEST_TOOLS = {
    "pytest",
    "mypy",
    "ruff",
    "simcord",
    "playwright",
    "hypothesis",
    "coverage",
    "pre-commit",
    "pip-audit",
    "uv",
    "check-jsonschema",
    "zizmor",
}


def pinned(name: str) -> dict[str, str]:
    """Return the packages of a requirement file, each with all that stands about it."""
    text = (HOUSE / name).read_text(encoding="utf-8")
    found = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    return {re.split(r"[=\[ ;]", each, maxsplit=1)[0]: each for each in found}


@pytest.mark.parametrize("name", FILES)
def test_every_package_is_exact_and_has_a_hash(name: str) -> None:
    packages = pinned(name)
    assert packages
    assert [
        package for package, text in packages.items() if not re.match(rf"{package}(\[[\w, -]+\])?==\S+", text)
    ] == []
    assert [package for package, text in packages.items() if "--hash=sha256:" not in text] == []


def test_pins_name_the_extras_that_other_packages_ask_for() -> None:
    """Without them pip also looks at newer releases that the file does not pin, and refuses all."""
    pins = [
        Requirement(re.split(r"[ \\]*\n|;", text)[0].rstrip(" \\")) for text in pinned("requirements/dev.txt").values()
    ]
    extras = {pin.name: pin.extras for pin in pins}
    texts = [text for pin in pins for text in _needs(pin.name)]
    asked = [need for need in map(Requirement, texts) if need.extras and need.name in extras and not need.marker]
    assert "coverage" in {need.name for need in asked}
    assert [f"{need}" for need in asked if not need.extras <= extras[need.name]] == []


def _needs(package: str) -> list[str]:
    try:
        return requires(package) or []
    except PackageNotFoundError:  # only for other systems
        return []


def test_run_only_setup_has_no_test_tools() -> None:
    assert not TEST_TOOLS & pinned("requirements.txt").keys()
    assert pinned("requirements.txt").keys() < pinned("requirements/dev.txt").keys()


def test_postgres_adds_only_its_driver() -> None:
    plain, more = pinned("requirements.txt"), pinned("requirements/postgres.txt")
    assert more == {**plain, "asyncpg": more["asyncpg"]}


def test_lock_pins_every_requirement_file() -> None:
    """Each list of pyproject.toml is pinned in some file, and there is no other file."""
    text = (HOUSE / "Makefile").read_text(encoding="utf-8").replace("\\\n\t\t", "")
    lines = re.findall(r"\$\(PIN\) (.*) --output-file ([\w./]+)", text)
    assert [file for _, file in lines] == FILES
    assert {*FILES[1:]} == {f"requirements/{path.name}" for path in (HOUSE / "requirements").glob("*.txt")}
    pinned_lists = {name for options, _ in lines for name in re.findall(r"--(?:extra|group) (\w+)", options)}
    included = {each["include-group"] for wants in GROUPS.values() for each in wants if isinstance(each, dict)}
    assert pinned_lists | included == {*PROJECT["project"]["optional-dependencies"], *GROUPS}


def test_every_list_is_pinned_as_it_stands() -> None:
    """Who adds a package to pyproject.toml has to run `make lock`."""
    assert PROJECT["project"]["dependencies"] == []
    lists = PROJECT["project"]["optional-dependencies"] | {name: packages_of_group(name) for name in GROUPS}
    for name, wants in lists.items():
        needs = [need for need in map(Requirement, wants) if need.name != "gipfbot"]
        lack = [str(need) for need in needs if not _is_pinned(need, FILE_OF.get(name, f"requirements/{name}.txt"))]
        assert lack == [], f"{name}: run `make lock`"


FILE_OF = {"bot": "requirements.txt", "tests": "requirements/dev.txt", "tournaments": "requirements.txt"}


def packages_of_group(name: str) -> list[str]:
    """Return the packages of a group, with those of the groups that it includes."""
    parts = [[want] if isinstance(want, str) else packages_of_group(want["include-group"]) for want in GROUPS[name]]
    return [package for part in parts for package in part]


def _is_pinned(need: Requirement, file: str) -> bool:
    text = pinned(file).get(need.name.lower().replace(".", "-"), "")
    return any(need.specifier.contains(version) for version in re.findall(r"==([^ ;\n]+)", text)[:1])


def test_the_wheel_is_built_with_the_pinned_setuptools() -> None:
    """`make lock ARGS=--upgrade` does not change it: write the new version into pyproject.toml."""
    pin = re.split(r"[ \\]*\n", pinned("requirements/dev.txt")["setuptools"])[0]
    assert PROJECT["build-system"]["requires"] == [pin]


def test_run_and_audit_install_by_hash_into_venvs_of_their_own() -> None:
    text = (HOUSE / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    rules = dict(re.findall(r"^(\.venv[\w-]*/\.\w+): (\S.*)$", text, flags=re.MULTILINE))
    assert rules == {
        ".venv/.complete": "requirements/dev.txt requirements/pip.txt",
        ".venv/.demo": "requirements/demo.txt requirements/pip.txt",
        ".venv-fuzz/.complete": "requirements/fuzz.txt",
        ".venv-mutate/.complete": "requirements/mutate.txt",
        ".venv-audit/.complete": "requirements/audit.txt",
        ".venv-run/.complete": "requirements.txt",
        ".venv-run/.postgres": "requirements/postgres.txt",
    }
    installs = re.findall(r"pip .*install .*--requirement (\S+)", text)
    named = (".venv-run/", ".venv/.demo")  # the two of the running bot are installed in one way, the demo in another
    separate = " ".join(files for target, files in rules.items() if not target.startswith(named)).split()
    assert sorted(installs) == sorted([*separate, "requirements/pip.txt", "$<", "$<"])
    assert len(re.findall(r"pip .*install .*--require-hashes", text)) == len(installs)


@pytest.mark.parametrize(
    ("url", "stamp"),
    [
        *((url, ".complete") for url in ("", "sqlite+aiosqlite:///data/g", "sqlite+aiosqlite:///postgresql+one/g")),
        *((f"{form}://bot@db/gipf", ".postgres") for form in ("postgresql+asyncpg", "postgresql", "postgres")),
    ],
)
@pytest.mark.parametrize("where", ["file", "quoted", "environment"])
def test_running_bot_gets_the_driver_that_its_settings_need(url: str, stamp: str, where: str, tmp_path: Path) -> None:
    shutil.copy(HOUSE / "Makefile", tmp_path)
    if where != "environment":
        line = f"GIPFBOT_DATABASE_URL={url}" if where == "file" else f'export GIPFBOT_DATABASE_URL = "{url}"'
        (tmp_path / ".env").write_text(f"{line}\n")
    environment = {"PATH": os.environ["PATH"]} | ({"GIPFBOT_DATABASE_URL": url} if where == "environment" else {})
    (tmp_path / "requirements").mkdir()
    for file in ("requirements.txt", "requirements/postgres.txt"):
        (tmp_path / file).touch()
    planned = ["make", "--dry-run", "install"]
    said = subprocess.run(planned, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
    assert f"touch .venv-run/{stamp}" in said


@pytest.mark.parametrize("name", [".venv", ".venv-run", ".venv-fuzz", ".venv-audit", ".venv-mutate"])
def test_make_does_not_empty_the_folder_behind_a_link(name: str, tmp_path: Path) -> None:
    """Of any target: the folder is somebody else's venv."""
    behind, here = tmp_path / "behind", tmp_path / "here"
    behind.mkdir()
    (behind / "kept").touch()
    here.mkdir()
    (here / name).symlink_to(behind)
    shutil.copy(HOUSE / "Makefile", here)
    for file in FILES:  # empty: a make that is at fault is soon done
        (here / file).parent.mkdir(exist_ok=True)
        (here / file).touch()
    make = ["make", f"PYTHON={sys.executable}", f"{name}/.complete"]
    done = subprocess.run(make, cwd=here, capture_output=True, text=True, check=False)
    assert (done.returncode, [path.name for path in behind.iterdir()]) == (2, ["kept"])
    assert f"{name} is a symbolic link, and the folder behind it would be emptied: remove the link" in done.stderr


# ── The demo ──

LOOKS = {"simcord", "linkify-it-py", "markdown-it-py", "mdurl", "regex"}


def test_the_demo_adds_only_its_page() -> None:
    """The library for films and voice alone would be 100 MB."""
    plain, more, everything = (
        pinned("requirements.txt"),
        pinned("requirements/demo.txt"),
        pinned("requirements/dev.txt"),
    )
    assert more.keys() - plain.keys() == LOOKS
    assert more.keys() < everything.keys()
    assert "av" not in everything
    assert "simcord[" not in more["simcord"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder in which `make` finds its files, and a Python that makes venvs whose pip only talks."""
    shutil.copy(HOUSE / "Makefile", tmp_path)
    for file in FILES:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("one==1 \\\ntwo==2 \\\nthree==3 ; python_version < '3' \\\n", encoding="utf-8")
    python, program = tmp_path / "python", tmp_path / ".venv" / "bin" / "python"
    talk = 'case $* in *--quiet*) ;; *pip*) cat pip-says; test ! -e pip-fails ;; *) echo "started $*" ;; esac'
    makes = f"mkdir -p {program.parent}; printf '%s\\n' '#!/bin/sh' '{talk}' > {program}; chmod +x {program}"
    python.write_text(f'#!/bin/sh\ncase $* in *" venv "*) {makes} ;; esac\n', encoding="utf-8")
    python.chmod(0o755)
    said = (
        "Ignoring three: markers",
        "Collecting one==1 (from)",
        "  Downloading one",
        "Processing /wheels/two-2.whl (from)",
    )
    (tmp_path / "pip-says").write_text("\n".join([*said, "Installing collected packages: one, two", ""]))
    return tmp_path


def make(checkout: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run `make` in a checkout, and nothing else of this one."""
    planned = ["make", "--no-print-directory", f"PYTHON={checkout / 'python'}", *words]
    return subprocess.run(planned, cwd=checkout, capture_output=True, text=True, check=False)


def test_the_demo_says_what_it_sets_up_and_counts(checkout: Path) -> None:
    done = make(checkout, "demo", "ARGS=--no-browser")
    lines = re.split(r" *[\r\n]+ *", done.stdout.strip())
    assert lines[0].startswith("Setting up the demo in .venv: about ")
    assert lines[1:5] == [
        "1 of 3 packages: three",
        "2 of 3 packages: one",
        "3 of 3 packages: two-2.whl",
        "unpacking them …",
    ]
    assert lines[-1] == "started bot.py demo --no-browser"
    again = make(checkout, "demo")
    assert (again.returncode, "packages" in again.stdout) == (0, False)


def test_a_demo_that_cannot_be_set_up_is_not_started(checkout: Path) -> None:
    (checkout / "pip-fails").touch()
    done = make(checkout, "demo")
    assert done.returncode == 2
    assert "started" not in done.stdout
    assert not (checkout / ".venv" / ".demo").exists()


def test_a_service_is_made_in_its_place_only(checkout: Path) -> None:
    done = make(checkout, "service")
    assert done.returncode == 2
    assert done.stderr.startswith("The units of systemd look for the bot in /opt/gipfbot: put the project there.")
    assert not (checkout / ".venv-run").exists()


def test_tests_bring_the_rest_and_the_demo_does_not(checkout: Path) -> None:
    """Once there is everything, the demo uses it."""
    assert make(checkout, "demo").returncode == 0
    planned = make(checkout, "--dry-run", "test").stdout
    assert "--requirement requirements/dev.txt" in planned
    planned = make(checkout, "--dry-run", "demo").stdout
    assert not re.search(r"dev\.txt|mypyc|pip", planned)
    (checkout / ".venv" / ".complete").touch()
    (checkout / "requirements" / "demo.txt").touch()
    planned = make(checkout, "--dry-run", "demo").stdout
    assert planned == ".venv/bin/python bot.py demo \n"
