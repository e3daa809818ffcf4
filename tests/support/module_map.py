"""The list of all modules in docs/architecture.md: each file with the first sentence of its docstring.

`python -m tests.support.module_map` writes it anew.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.paths import HOUSE

ARCHITECTURE = HOUSE / "docs" / "architecture.md"
LISTED = re.compile(r"(<!-- modules -->\n).*(?=<!-- end of modules -->)", re.DOTALL)


def listed_modules() -> str:
    """Return the list in the document."""
    found = LISTED.search(ARCHITECTURE.read_text(encoding="utf-8"))
    assert found, "docs/architecture.md has no list of modules"
    return found[0].removeprefix(found[1])


def module_list() -> str:
    """Return the list as it should be: a table for each folder."""
    return "\n".join(_folder_table(folder) for folder in _folders())


def _folders() -> Iterator[Path]:
    for room in ("gipfbot", "render"):
        for folder in sorted({path.parent for path in (HOUSE / room).rglob("*.py")}):
            if "migrations" not in folder.parts:
                yield folder


def _folder_table(folder: Path) -> str:
    modules = [path for path in sorted(folder.glob("*.py")) if path.stem != "__init__"]
    rows = [f"| `{path.name}` | {_purpose(path)} |" for path in modules]
    head = f"### `{folder.relative_to(HOUSE)}/`", "", _purpose(folder / "__init__.py"), "", "| file | |", "|---|---|"
    return "\n".join((*head, *rows, ""))


def _purpose(path: Path) -> str:
    """Return the first sentence of a module's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert text, path
    paragraph = " ".join(text.split("\n\n")[0].split())
    return re.split(r"(?<=[.:]) (?=[A-Z])", paragraph)[0].replace("|", "\\|")


if __name__ == "__main__":
    written = LISTED.sub(lambda found: found[1] + module_list(), ARCHITECTURE.read_text(encoding="utf-8"))
    ARCHITECTURE.write_text(written, encoding="utf-8")
