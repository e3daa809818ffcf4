"""`/gipf-learn tutorial`: four turns on the desk, in at most twelve presses."""

from collections.abc import Sequence

import pytest

from gipfbot.match.study import study_game
from gipfbot.notation import parse_position, parse_turn, position_text, turn_text
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.texts import RULES_LABEL
from gipfbot.ui.learning.lessons import (
    LESSONS,
    NEXT_LESSON_LABEL,
    START_OVER_LABEL,
    lesson_label,
    lesson_study,
)
from gipfbot.ui.learning.play_on import PLAY_ON_LABEL, WHOLE_GAME_LABEL
from gipfbot.ui.lobby.lobby_texts import PLAY_BOT_LABEL
from tests.support.tutorial_presses import MOST_PRESSES, PRESSES
from tests.ui.settings.panel import forged
from tests.ui.table import Desk
from tests.ui.world import World, labels, private

pytestmark = pytest.mark.looks_every(1)
TUTORIAL = "gipf-learn tutorial"


async def begun(world: World) -> Desk:
    """Return the tutorial as Cara opens it in a channel."""
    return Desk(world.cara, await world.cara.slash(world.channel, TUTORIAL))


async def press_all(desk: Desk, presses: Sequence[str]) -> None:
    for label in presses:
        await desk.press(label)


def lesson_of(desk: Desk) -> str:
    """Return the line of the text that names the lesson; empty if there is none."""
    return next((line for line in desk.text.splitlines() if line.startswith("**Tutorial ")), "")


@pytest.mark.parametrize("number", range(len(LESSONS)))
def test_each_lesson_has_turns_that_are_legal_there(number: int) -> None:
    lesson = LESSONS[number]
    assert position_text(parse_position(lesson.line)) == lesson.line
    position = study_game(lesson_study(lesson)).position
    for turn in (*lesson.answers, *lesson.misses):
        assert turn_text(position, parse_turn(position, turn)) == turn


async def test_all_lessons_are_played_in_twelve_presses(world: World) -> None:
    desk = await begun(world)
    for number, presses in enumerate(PRESSES, 1):
        assert lesson_of(desk) == f"**Tutorial {number} of 4 · {LESSONS[number - 1].title}**"
        await press_all(desk, presses)
    assert "**You win!**" in desk.text
    assert "White wins" in desk.alt
    assert desk.labels == [WHOLE_GAME_LABEL, PLAY_BOT_LABEL, RULES_LABEL, START_OVER_LABEL]
    assert sum(map(len, PRESSES)) <= MOST_PRESSES
    assert world.public() == []
    await desk.press(START_OVER_LABEL)
    assert lesson_of(desk).startswith("**Tutorial 1 of 4")


async def test_it_leads_to_the_rules_at_its_end(world: World) -> None:
    desk = await begun(world)
    for presses in PRESSES:
        await press_all(desk, presses)
    rules = private(await world.cara.click(desk.message, label=RULES_LABEL))
    assert rules.content.startswith("**The board**")
    assert rules.id != desk.message.id
    assert desk.labels[0] == WHOLE_GAME_LABEL


async def test_either_decision_about_the_gipf_piece_goes_on(world: World) -> None:
    desk = await begun(world)
    await press_all(desk, [*PRESSES[0], *PRESSES[1], *PRESSES[2][:2], "Take b5"])
    assert "counts as two" in desk.text
    await desk.press(NEXT_LESSON_LABEL)
    assert lesson_of(desk).startswith("**Tutorial 4 of 4")


async def test_another_turn_is_answered_and_the_lesson_stays(world: World) -> None:
    desk = await begun(world)
    await press_all(desk, ["f8", "→ f7"])
    assert lesson_of(desk).startswith("**Tutorial 1 of 4")
    assert desk.message.note.endswith(f"\n{LESSONS[0].again}\n{LESSONS[0].task}")
    await desk.press("e1")
    await desk.press("Back")
    await press_all(desk, [*PRESSES[0], *PRESSES[1], *PRESSES[2], *PRESSES[3][:2], "Leave g6 on the board"])
    assert "\nBlack's GIPF-piece is still on the board" in desk.message.note
    await press_all(desk, PRESSES[3])
    assert "**You win!**" in desk.text


async def test_it_is_taken_up_where_it_was_left(world: World) -> None:
    """The command shows the lesson reached, after a restart and in direct messages, too. An old message goes on."""
    old = await begun(world)
    await press_all(old, [*PRESSES[0], *PRESSES[1]])
    await world.restart()
    direct = private(await world.cara.user.slash(TUTORIAL))
    assert "**Tutorial 3 of 4 · " in direct.content
    assert labels(direct)[-2:] == [START_OVER_LABEL, RULES_LABEL]
    for label in PRESSES[2][:-1]:
        assert (await world.cara.user.click(direct, label=label)).acknowledged
    assert labels(direct) == [NEXT_LESSON_LABEL, PLAY_ON_LABEL, RULES_LABEL]
    await press_all(old, PRESSES[2][:2])
    assert "Take your GIPF-piece **b5** off" in old.text
    assert lesson_of(await begun(world)).startswith("**Tutorial 4 of 4")


async def test_the_rules_open_beside_each_lesson(world: World) -> None:
    desk = await begun(world)
    for presses in PRESSES:
        assert RULES_LABEL in desk.labels
        await press_all(desk, presses)


async def test_a_lesson_is_explained_below_its_picture(world: World) -> None:
    """A phone shows the end of a message."""
    desk = await begun(world)
    assert LESSONS[0].text in desk.message.note


async def test_its_lessons_are_listed_when_it_was_finished(world: World) -> None:
    desk = await begun(world)
    for presses in PRESSES:
        await press_all(desk, presses)
    again = await begun(world)
    assert again.labels == [*map(lesson_label, range(len(LESSONS))), RULES_LABEL]
    await again.press(lesson_label(2))
    assert lesson_of(again).startswith("**Tutorial 3 of 4")


@pytest.mark.parametrize(
    "pressed", ["tutorial:9::show:-", "tutorial:0:e2e2:show:-", "tutorial:0:zz:show:-", "tutorial:0:b6b5:push:e1e2"]
)
async def test_a_button_that_fits_no_lesson_is_out_of_date(world: World, pressed: str) -> None:
    assert await forged(world, world.cara, pressed) == texts.UNKNOWN_BUTTON
    assert await world.bot.app.users.user_settings(world.cara.id) == {}


async def test_a_lesson_that_is_gone_begins_at_the_first(world: World) -> None:
    await world.bot.app.users.change(world.cara.id, {"lesson": 9})
    assert lesson_of(await begun(world)).startswith("**Tutorial 1 of 4")
