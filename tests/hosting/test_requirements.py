"""What `make run` and the image install: the packages that the bot needs, each with its hashes, and no test tools."""

import re

import pytest

from tests.support.paths import HOUSE

FILES = ["requirements.txt", "requirements-dev.txt", "requirements-fuzz.txt", "requirements-audit.txt"]
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
    assert [package for package, text in packages.items() if not re.match(rf"{package}(\[\w+\])?==\S+", text)] == []
    assert [package for package, text in packages.items() if "--hash=sha256:" not in text] == []


def test_run_only_setup_has_no_test_tools() -> None:
    assert not TEST_TOOLS & pinned("requirements.txt").keys()
    assert pinned("requirements.txt").keys() < pinned("requirements-dev.txt").keys()


def test_lock_pins_every_requirement_file() -> None:
    (line,) = re.findall(r"for file in ([\w -]+);", (HOUSE / "Makefile").read_text(encoding="utf-8"))
    assert [f"{name}.txt" for name in line.split()] == FILES


def test_run_and_audit_install_by_hash_into_venvs_of_their_own() -> None:
    text = (HOUSE / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    rules = dict(re.findall(r"^(\.venv[\w-]*)/\.complete: (\S+)$", text, flags=re.MULTILINE))
    assert rules == {
        ".venv": "requirements-dev.txt",
        ".venv-fuzz": "requirements-fuzz.txt",
        ".venv-audit": "requirements-audit.txt",
        ".venv-run": "requirements.txt",
    }
    installs = re.findall(r"install --quiet .*--requirement (\S+)", text)
    assert sorted(installs) == sorted(rules.values())
    assert len(re.findall(r"install --quiet .*--require-hashes", text)) == len(rules)
