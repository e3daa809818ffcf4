"""The help: its pages, the commands that they name, and the ways that lead to it."""

import re

import pytest

from gipfbot.ui.kit import texts
from gipfbot.ui.kit.slash_commands import mention_commands
from gipfbot.ui.lobby.help import GIPF_IN_THREE_LINES, HELP_PAGES, example_picture
from render import alt_text
from tests.ui.slash_commands import command_names
from tests.ui.table import Desk
from tests.ui.world import World, private, told

pytestmark = pytest.mark.looks_every(1)
LONGEST_PAGE = 1200  # characters
LONGEST_ID = 10**19
LABELS = ["Intro", "Play", "Time", "Records", "Tournaments", "Settings"]


def named_on(text: str) -> list[str]:
    """Return the commands that a page names."""
    return re.findall(r"\*\*/([a-z -]+)\*\*", text) + re.findall(r"\*\*(Challenge to GIPF)\*\*", text)


def test_each_command_is_on_exactly_one_page() -> None:
    named = [name for page in HELP_PAGES.values() for name in named_on(page.text)]
    assert len(named) > 20
    assert not (new := {*command_names()} - {*named}), f"name on a page of ui/lobby/help.py: {new}"
    assert sorted(named) == sorted(command_names())


def test_a_page_is_short_even_with_the_longest_mentions() -> None:
    ids = dict.fromkeys(command_names(), LONGEST_ID)
    pages = [mention_commands(page.text, ids) for page in HELP_PAGES.values()]
    assert all(f":{LONGEST_ID}>" in page for page in pages)
    longest = LONGEST_PAGE - len(GIPF_IN_THREE_LINES)
    over = {label: len(page) - longest for label, page in zip(HELP_PAGES, pages, strict=True) if len(page) > longest}
    assert not over, f"shorten another line of these pages in ui/lobby/help.py, by so many characters: {over}"
    assert [page.label for page in HELP_PAGES.values()] == LABELS


def test_first_page_begins_with_three_lines_that_a_phone_shows_whole() -> None:
    lines = GIPF_IN_THREE_LINES.splitlines()
    assert len(lines) == 3
    assert max(map(len, lines)) <= 40


def test_picture_shows_a_row_that_leaves_and_a_capture() -> None:
    (push, _), (row, removed) = example_picture().boards
    assert (push, row) == ("White pushes at e1", "4 return, 1 captured")
    assert "Removed basic pieces e2 e3 e4 e5. Captured basic piece e6." in alt_text(removed)


def test_first_page_names_no_variant() -> None:
    """Who has never heard of GIPF needs none of them. It is one screen of a phone: `tests/page` sees how high it is."""
    assert not re.search("Standard|Tournament|[Pp]otential|zertz|punct|Overboard", HELP_PAGES["begin"].text)


def test_first_page_leads_those_who_watch_to_the_games() -> None:
    assert "gipf live" in named_on(HELP_PAGES["begin"].text)


def test_only_known_commands_are_mentioned() -> None:
    """A group cannot be run, so it has no id and stays bold, as does a command with an option."""
    bold = "**/gipf-me vacation** **/gipf-me reminders zone:…** **x**"
    said = mention_commands(f"**/gipf games** {bold}", {"gipf games": 7, "gipf-me reminders": 8})
    assert said == f"</gipf games:7> {bold}"


async def test_pages_replace_each_other(world: World) -> None:
    """Each leads to the others. The picture and the way to the tutorial are on the first page only."""
    shown = Desk(world.cara, await world.cara.slash(world.channel, "gipf help"))
    assert shown.text.startswith("**GIPF**: push a piece in from the edge.\n")
    first = [texts.TUTORIAL_LABEL, texts.RULES_LABEL, "Play the bot"]
    for label in [*LABELS[1:], LABELS[0]]:
        await shown.press(label)
        others = [each for each in LABELS if each != label]
        assert shown.labels == [*(first if label == LABELS[0] else []), *others]
        assert len(shown.message.attachments) == (label == LABELS[0])


async def test_tutorial_opens_beside_the_help(world: World) -> None:
    help_page = private(await world.cara.slash(world.channel, "gipf help"))
    (lesson,) = (await world.cara.click(help_page, label=texts.TUTORIAL_LABEL)).followups
    assert "**Tutorial 1 of 4" in str(lesson.components)


async def test_help_is_the_same_from_everywhere(world: World) -> None:
    """A direct message, the option of `/move`, and a restart in between make no difference."""
    shown = told(await world.cara.slash(world.channel, "gipf help"))
    assert told(await world.cara.user.slash("gipf help")) == shown
    assert told(await world.cara.slash(world.channel, "move", notation="help")) == shown
    await world.restart()
    await world.env.advance_time(30)
    assert told(await world.cara.slash(world.channel, "gipf help")) == shown


async def test_commands_are_mentioned_with_the_ids_of_discord(world: World) -> None:
    """Each id is known by the whole name of the command, and no group has one."""
    ids = world.bot.command_ids
    assert sorted(ids) == sorted(name for name in command_names() if name != "Challenge to GIPF")
    known = {command.name: command.id for command in await world.bot.tree.fetch_commands()}
    assert {name.split()[0]: number for name, number in ids.items()} == {
        name: number for name, number in known.items() if name != "Challenge to GIPF"
    }
    assert f"</gipf challenge:{known['gipf']}>" in told(await world.cara.slash(world.channel, "gipf help"))


async def test_commands_stay_bold_until_their_ids_are_known(world: World) -> None:
    world.bot.command_ids = {}
    shown = private(await world.cara.slash(world.channel, "gipf help"))
    assert "**/gipf challenge**" in shown.content
    assert "</" not in shown.content
