"""The examples in docs/engine.md: requests, and what the bot's own engine answers.

`python -m tests.engines.examples` asks it and writes the answers anew, after a wanted change of the search.
"""

import subprocess
from collections.abc import Iterator

from tests.engines.processes import ENGINE
from tests.support.paths import HOUSE
from tests.support.times import HANGS

DOCUMENT = HOUSE / "docs" / "engine.md"
ASKED, ANSWERED = "> ", "< "


def marked(mark: str) -> list[str]:
    """Return the lines of examples that begin with this mark, without it."""
    return [text.removeprefix(mark) for text in _example_lines() if text.startswith(mark)]


def _example_lines() -> Iterator[str]:
    inside = False
    for text in DOCUMENT.read_text(encoding="utf-8").splitlines():
        inside ^= text.startswith("```")
        if inside:
            yield text


def found_answers() -> list[str]:
    """Return what the engine answers to the requests."""
    lines = "".join(f"{text}\n" for text in marked(ASKED)).encode()
    done = subprocess.run(ENGINE, input=lines, capture_output=True, timeout=HANGS, check=True)
    return done.stdout.decode().splitlines()


def main() -> None:
    """Write the answers into the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    for old, new in zip(marked(ANSWERED), found_answers(), strict=True):
        text = text.replace(f"\n{ANSWERED}{old}\n", f"\n{ANSWERED}{new}\n", 1)
    DOCUMENT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
