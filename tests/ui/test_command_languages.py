"""Descriptions, choices and the menu's entry in each language. Names of commands and options stay English."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import discord
import pytest

from gipfbot.languages import FOLDER, Language, languages, load_language
from gipfbot.tools.languages import english_sentences
from gipfbot.ui.commands import COMMANDS
from gipfbot.ui.kit.slash_commands import CommandTranslator, command_payload
from gipfbot.ui.kit.spoken import language_name
from tests.standin.limits import command_size
from tests.support.languages import german, offer
from tests.support.marked_language import marked_language

MENU = "Challenge to GIPF"
# Names and times. A language has its own name in all.
SAME_FOR_ALL = re.compile("|".join(("Julio974", r"\d+:00", *map(language_name, languages()))))


async def payload() -> list[dict[str, Any]]:
    tree = discord.app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    for command in COMMANDS:
        tree.add_command(command)
    await tree.set_translator(CommandTranslator())
    return await command_payload(tree)


def parts(option: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a command, its options and their choices, each with its kind."""
    yield "option", option
    for part in option.get("options") or ():
        yield from parts(part)
    for choice in option.get("choices") or ():
        yield "choice", choice


def translated(part: dict[str, Any], key: str) -> dict[str, str]:
    """Return a name or a description in all languages that have it, by their codes."""
    return part.get(f"{key}_localizations") or {}


async def test_each_description_and_choice_is_a_sentence_with_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, marked_language())
    for command in filter(lambda each: each["type"] == 1, await payload()):
        for kind, part in parts(command):
            key = "name" if kind == "choice" else "description"
            told = translated(part, key).get("de", "")
            fits = told[:1] + told[-1:] in {"⟦⟧", "⟨⟩"}
            assert fits or SAME_FOR_ALL.fullmatch(part[key]), f"{command['name']}: {part[key]!r} has no key"


async def test_only_names_that_nobody_types_are_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, german(dict.fromkeys(("gipf", "challenge", "game", MENU), "Wort")))
    named = [part for command in await payload() for kind, part in parts(command) if kind == "option"]
    assert {part["name"]: translated(part, "name") for part in named if translated(part, "name")} == {
        MENU: {"de": "Wort"}
    }


@pytest.mark.parametrize("code", [path.stem for path in FOLDER.glob("*.po")])
def test_help_names_the_entry_of_the_menu_as_discord_shows_it(code: str) -> None:
    """It has 1 to 32 characters."""
    own = load_language(code).sentences.gettext
    assert 1 <= len(own(MENU)) <= 32
    naming = [str(message.id) for message in english_sentences() if f"**{MENU}**" in str(message.id)]
    assert naming
    assert all(f"**{own(MENU)}**" in own(sentence) for sentence in naming)


@pytest.mark.parametrize(
    "spoken",
    [lambda: [load_language(path.stem) for path in FOLDER.glob("*.po")], lambda: [marked_language(longer=True)]],
    ids=["all at once", "longer"],
)
async def test_commands_fit(monkeypatch: pytest.MonkeyPatch, spoken: Callable[[], list[Language]]) -> None:
    """A description and a choice have 1 to 100 characters, a command 8,000: Discord counts its longest texts."""
    offer(monkeypatch, *spoken())
    for command in await payload():
        found = [translated(part, key) for _, part in parts(command) for key in ("name", "description")]
        assert not [text for texts in found for text in texts.values() if not 1 <= len(text) <= 100]
        assert command_size(command) <= 8000, command["name"]


def test_the_file_of_a_language_is_named_as_discord_names_it() -> None:
    for path in FOLDER.glob("*.po"):
        assert discord.Locale(path.stem).value == path.stem
