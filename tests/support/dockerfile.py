"""The Dockerfile, read as data."""

import re

from tests.support.paths import HOUSE


def read_dockerfile() -> list[list[tuple[str, str]]]:
    """Return the instructions of each stage, the one before the first `FROM` first."""
    text = re.sub(r"^#.*\n", "", (HOUSE / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    stages: list[list[tuple[str, str]]] = [[]]
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip():
            name, _, rest = line.partition(" ")
            stages += [[]] if name == "FROM" else []
            stages[-1].append((name, rest.strip()))
    return stages


def values(stage: list[tuple[str, str]], name: str) -> list[str]:
    """Return what stands behind each instruction of this name."""
    return [rest for each, rest in stage if each == name]
