"""Print all modules of the program, each with the first sentence of its docstring: `make map`."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.paths import HOUSE


def module_map() -> Iterator[str]:
    """Yield the lines of the map: each folder, and below it its modules."""
    for room in ("gipfbot", "render"):
        for folder in sorted({path.parent for path in (HOUSE / room).rglob("*.py")}):
            yield f"\n{folder.relative_to(HOUSE)}/  {_first_sentence(folder / '__init__.py')}"
            for path in sorted(folder.glob("*.py")):
                if path.stem != "__init__":
                    yield f"  {path.name:26} {_first_sentence(path)}"


def _first_sentence(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert text, f"{path} has no docstring: say in its first line what the file is"
    return re.split(r"(?<=[.:]) (?=[A-Z])", " ".join(text.split("\n\n")[0].split()))[0]


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in module_map())
