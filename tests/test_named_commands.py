"""Each text names only commands and options that there are, in documents, in what the bot says, and in the code.

No sentence ends with four dots either, because of a button whose label ends with three.
"""

import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from discord import app_commands

from gipfbot.ui.commands import COMMANDS
from tests.support.modules import house
from tests.support.paths import HOUSE
from tests.ui.slash_commands import slash_commands

GONE = ["draw", "rematch", "note", "claim", "undo"]
MOST_OPTIONS = 7  # of a challenge
# A command as texts quote it, in bold or as code: its name, then its options.
NAMED = re.compile(r"(?:`|\*\*)/((?:gipf(?:-[a-z]+)?|move)\b(?: [a-z]+\b(?!:))*)((?: \[?[a-z_]+(?:\]|:\S*))*)")
FOUR_DOTS = re.compile(r"(?:…|\{(?:\w+\.)*(\w+_LABEL)\})(?:\*\*)?(?:\]\([^)]*\))?(?:\*\*)?\.(?!\.)")
FILES = [
    *HOUSE.glob("*.md"),
    *(HOUSE / "docs").rglob("*.md"),
    *(path for room in ("gipfbot", "render") for path in (HOUSE / room).rglob("*.py")),
]


def commands() -> dict[str, set[str]]:
    """Return the options of all commands and groups by their names."""
    known = {command.qualified_name: {each.display_name for each in command.parameters} for command in slash_commands()}
    groups = [each for each in COMMANDS if isinstance(each, app_commands.Group)]
    inner = [each for group in groups for each in group.walk_commands() if isinstance(each, app_commands.Group)]
    return known | {group.qualified_name: set[str]() for group in (*groups, *inner)}


def wrongly_named(text: str) -> list[str]:
    """Return what a text names as a command, or as a command's option, although there is none."""
    known, found = commands(), [f"/gipf {word}" for word in GONE if f"/gipf {word}" in text]
    for name, options in NAMED.findall(re.sub(r"\s*\n\s*", " ", text)):
        named = {*re.findall(r"[a-z_]+(?=\]|:)", options)}
        if name not in known or not named <= known[name]:
            found.append(f"/{name}{options}")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_a_text_names_only_commands_that_there_are(path: Path) -> None:
    assert wrongly_named(path.read_text(encoding="utf-8")) == []


@cache
def dotted_labels() -> set[str]:
    """Return the names of all labels that end with three dots."""
    screens = [import_module(name) for name in house() if name.startswith("gipfbot.ui.")]
    named = [each for screen in screens for each in vars(screen).items() if each[0].endswith("_LABEL")]
    return {name for name, label in named if str(label).endswith("…")}


def four_dots(text: str) -> list[str]:
    """Return where a sentence ends with four dots."""
    dotted = dotted_labels()
    return [found[0] for found in FOUR_DOTS.finditer(text) if found[1] is None or found[1] in dotted]


def test_no_sentence_ends_with_four_dots() -> None:
    found = {path.relative_to(HOUSE): four_dots(path.read_text(encoding="utf-8")) for path in FILES}
    assert {path: dots for path, dots in found.items() if dots} == {}


def test_four_dots_are_noticed() -> None:
    assert four_dots("Press **More…**. Then **{texts.MORE_LABEL}**.") == ["…**.", "{texts.MORE_LABEL}**."]
    assert four_dots("See [**More…**](#more). Or [More…](#more).") == ["…**](#more).", "…](#more)."]
    assert four_dots("Press **More…**, or **{texts.MOVE_LABEL}**. And so on…") == []


def test_words_that_have_left_the_list_are_noticed() -> None:
    assert [wrongly_named(f"Type /gipf {word}.") for word in GONE] == [[f"/gipf {word}"] for word in GONE]
    assert wrongly_named("**/gipf rename game:#a1**, or **/gipf\nrename**") == [
        "/gipf rename game:#a1**,",
        "/gipf rename",
    ]
    assert wrongly_named("`/gipf challenge zertz:3`, `/gipf-me vacation begin`, `/gipf board [x]`") == [
        "/gipf challenge zertz:3`,",
        "/gipf-me vacation begin",
        "/gipf board [x]",
    ]


def test_a_challenge_has_few_options() -> None:
    options = commands()["gipf challenge"]
    assert len(options) <= MOST_OPTIONS
    guide = (HOUSE / "docs/players.md").read_text(encoding="utf-8")
    table = guide.partition("\n**`/gipf challenge`**")[2].partition("\n\n**Other terms")[0]
    rows = re.findall(r"^\| (`.+?`) \|", table, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"\w+", row)} == options


def test_the_list_of_gipf_is_short() -> None:
    within = {name.split()[1] for name in commands() if name.startswith("gipf ")}
    assert within.isdisjoint(GONE)
    assert len(within) <= 15
