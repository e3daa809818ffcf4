"""Turns may be typed in either notation. Private texts use the player's own, public ones the official."""

import re

import pytest

from gipfbot.match import position_after
from gipfbot.notation import JULIO974, parse_turn, turn_text
from gipfbot.rules import STANDARD, start
from gipfbot.ui.board.public_board import game_picture
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.kit import texts
from gipfbot.ui.settings import user
from tests.ui.positions import CASES, GIPF_ROW
from tests.ui.settings.panel import Panel
from tests.ui.table import button_of, open_desk
from tests.ui.world import World, game_name, told


async def reads(world: World, notation: str) -> None:
    """Let Ann choose a notation."""
    shown = Panel(world.ann, await world.ann.slash(world.channel, "gipf-me settings", notation=notation))
    assert shows_notation(shown) == user.NOTATION_NAMES[notation]


def shows_notation(settings: Panel) -> str:
    """Return the notation that a person's settings show as chosen."""
    (state,) = [state for state in settings.states if state.startswith("Notation: ")]
    return state.removeprefix("Notation: ")


@pytest.mark.parametrize("name", CASES)
async def test_typed_in_julio974_a_turn_leads_where_the_rules_say(world: World, name: str) -> None:
    """If the text leaves a row's GIPF-pieces open, they are asked for. Everything else is played at once."""
    position, turn = CASES[name]
    actions = parse_turn(position, turn)
    game_id, text = await world.prepared(position), turn_text(position, actions, JULIO974)
    answer = told(await world.ann.slash(world.channel, "move", notation=text, game=game_name(game_id)))
    game = await world.game(game_id)
    if name in ("GIPF-pieces kept", "a shared GIPF-piece kept, both rows go"):
        assert desk_texts.PUSHED_TEXT in answer or "doesn't say" in answer
        assert game.turn_number == 0
    else:
        assert await world.confirmed(answer)
        assert (game.position, game.turn_number) == (position_after(position, actions), 1)


async def test_private_texts_use_the_players_notation_and_public_the_official(world: World) -> None:
    await reads(world, "julio974")
    await world.prepared(start(STANDARD))
    desk = await open_desk(world, 1)
    await desk.press("g1")
    assert "Your piece is on **g1**." in desk.text
    await desk.press("d1")
    await desk.push("e2")
    assert await world.confirmed(desk.text) == "d1*"
    assert "Also written `d1-f2`" in world.public()[-1].content
    game = await world.game()
    assert game_picture(game, JULIO974).caption == "#a1 · 1. White d1*"
    assert game_picture(game).caption == "#a1 · 1. White d1-f2"


async def test_a_newcomers_game_is_told_in_no_notation(world: World) -> None:
    """Neither in public, nor to who has chosen one."""
    await reads(world, "julio974")
    await world.begin()
    desk = await open_desk(world, 1)
    await desk.press("d1")
    await desk.push("e2")
    board = world.public()[-1]
    for said in (desk.text, board.content, board.attachments[0].description or ""):
        assert "d1 → e2" in said
        assert not re.search("records|d1[*-]", said)
    assert game_picture(await world.game(), JULIO974).caption == "#a1 · 1. White d1 → e2"


async def test_the_official_notation_is_shown_to_whom_has_not_chosen(world: World) -> None:
    await world.begin()
    answer = told(await world.ann.slash(world.channel, "move", notation="d1*"))
    assert await world.confirmed(answer) == "d1-f2"
    assert (
        shows_notation(Panel(world.ann, await world.ann.slash(world.channel, "gipf-me settings")))
        == user.NOTATION_NAMES["official"]
    )
    await reads(world, "julio974")
    await reads(world, "official")


async def test_turn_to_confirm_is_shown_in_the_players_notation(world: World) -> None:
    await reads(world, "julio974")
    await world.ann.slash(world.channel, "gipf-me settings", confirm_typed=True)
    await world.begin()
    said = told(await world.ann.slash(world.channel, "move", notation="d1-f2"))
    assert "“d1-f2” is **d1\\*** in your notation. Play it?" in said
    assert (await world.game()).turn_number == 0


async def test_what_was_left_out_of_a_typed_turn_is_told_in_private(world: World) -> None:
    """A wrong reserve or number and a remark do not stop the turn."""
    await world.begin()
    answer = told(await world.ann.slash(world.channel, "move", notation="2. e1-e3 (5) (or *c2*) {@everyone}"))
    assert await world.confirmed(answer) == "e1-e3"
    assert answer.splitlines()[-4:] == [
        "⚠ The text says move 2, but this is move 1.",
        "⚠ White has 11 in reserve after this turn, not 5.",
        "⚠ “\\(or \\*c2\\*\\)” was skipped.",
        "⚠ The comment “@\u200beveryone” was not kept.",
    ]
    assert "⚠" not in world.public()[-1].content
    assert "⚠" not in told(await world.bob.slash(world.channel, "move", notation="1... d7 (11)!"))


async def test_what_was_left_out_is_told_before_a_turn_is_confirmed(world: World) -> None:
    await world.ann.slash(world.channel, "gipf-me settings", confirm_typed=True)
    await world.begin()
    answer = told(await world.ann.slash(world.channel, "move", notation="e1-e3 (5)"))
    assert answer.splitlines()[-1] == "⚠ White has 11 in reserve after this turn, not 5."


async def test_what_was_left_out_is_told_beside_a_question(world: World) -> None:
    """The reserve cannot be compared yet."""
    game = await world.prepared(GIPF_ROW)
    answer = told(await world.ann.slash(world.channel, "move", notation="X;c2 (3) (or d7)", game=game_name(game)))
    assert answer.splitlines()[0] == "⚠ “\\(or d7\\)” was skipped."
    assert "in reserve after" not in answer


async def test_a_bare_x_is_asked_and_a_row_code_decides(world: World) -> None:
    """`X` alone leaves the GIPF-pieces of a row open. The row's code without GIPF-pieces says that they stay."""
    asked, decided = await world.prepared(GIPF_ROW), await world.prepared(GIPF_ROW)
    answer = told(await world.ann.slash(world.channel, "move", notation="X;c2", game=game_name(asked)))
    assert "Your row **d2–d5**" in answer
    assert (await world.game(asked)).turn_number == 0
    assert button_of(world.board(asked)) == texts.REMOVE_LABEL
    answer = told(await world.ann.slash(world.channel, "move", notation="Xd;c2", game=game_name(decided)))
    assert await world.confirmed(answer) == "xd3,d4,d5;c2"
