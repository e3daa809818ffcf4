"""What somebody sees who watches a game of others."""

import pytest

from gipfbot.rules import STANDARD
from gipfbot.store import games
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.game_picker import MOST_CHOICES
from gipfbot.ui.kit.texts import SHOW_HERE_LABEL
from gipfbot.ui.records import study_texts
from tests.support.games import OPENING, PLAYED
from tests.ui.studying import playing
from tests.ui.table import Desk
from tests.ui.world import World, buttons, deliver, options, private, seat, told

pytestmark = pytest.mark.looks_every(60)


async def test_move_shows_a_spectator_the_game_privately(world: World) -> None:
    """The board keeps its buttons, and its player plays on."""
    await playing(world, *PLAYED[:2])
    before = await world.stored()
    shown = Desk(world.cara, await world.cara.click(world.board(), label="Move"))
    note, heading, *_ = shown.text.splitlines()
    assert note == "You watch this game: it is Ann vs Bob."
    assert heading.startswith("**#a1** · Ann (White) vs Bob (Black)")
    asked = Desk(world.cara, await world.cara.click(world.board(), label="More…"))
    assert "You watch" not in asked.text
    assert {"Replay", "Study"} <= {*shown.labels}
    assert texts.MOVE_LABEL not in shown.labels
    assert len(shown.message.attachments) == 1
    assert buttons(world.board()) == ["Move", "More…", "How to play"]
    assert await world.stored() == before


async def test_nothing_shown_tells_of_an_unfinished_turn(world: World) -> None:
    """Ann has pushed and is asked what she takes; Bob has a conditional turn. Cara follows the game."""
    await playing(world, *OPENING[:3])
    await world.cara.slash(world.channel, "gipf follow", game="#a1")
    await world.bob.slash(world.channel, "move", notation=OPENING[3])
    await world.bob.slash(world.channel, "gipf if", turns=f"{OPENING[4]} e1-e3")
    await world.ann.slash(world.channel, "move", notation="b6-b4")
    assert (await world.game()).draft
    await deliver(world)
    (news,) = [message for message in world.cara.user.dm_channel.history() if message.author.bot]
    live = Desk(world.cara, await world.cara.slash(world.channel, "gipf live"))
    board = Desk(world.cara, await world.cara.click(world.board(), label="Move"))
    study = Desk(world.cara, await world.cara.click(board.message, label="Study"))
    past = Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game="#a1", turn="2b"))
    record = private(await world.cara.click(board.message, label="Record"))
    desks = live, board, study, past
    for shown in (record.content, news.content, *(desk.text for desk in desks), *(desk.alt for desk in desks)):
        assert "b6" not in shown
        assert "e1-e3" not in shown
    assert "isn't a turn" in told(await world.cara.slash(world.channel, "gipf board", game="#a1", turn="3"))


@pytest.mark.parametrize("command", ["gipf board", "gipf record", "gipf replay"])
async def test_command_without_a_game_offers_those_to_watch(world: World, command: str) -> None:
    """The last moved game comes first. A single one is meant."""
    await playing(world, *PLAYED[:2])
    assert "#a1" in told(await world.cara.slash(world.channel, command))
    await playing(world, *PLAYED[:2])
    unclear = private(await world.cara.slash(world.channel, command))
    assert [*options(unclear)] == ["#b1 Ann vs Bob", "#a1 Ann vs Bob"]
    await world.env.advance_time(60)
    await world.ann.slash(world.channel, "move", notation=PLAYED[2], game="#a1")
    asked = Desk(world.cara, await world.cara.slash(world.channel, command))
    assert asked.options == ["#a1 Ann vs Bob", "#b1 Ann vs Bob"]
    await asked.choose("#b1 Ann vs Bob")
    assert "**#b1**" in asked.text


async def test_own_games_come_before_those_of_others(world: World) -> None:
    await playing(world, *PLAYED[:2])
    await world.cara.slash(world.channel, "gipf challenge", opponent=world.bob)
    await world.bob.click(world.public()[-1], label="Accept")
    assert "**#b1**" in told(await world.cara.slash(world.channel, "gipf board"))
    choices = await world.cara.autocomplete(world.channel, "gipf record", "game", "")
    assert [choice["name"] for choice in choices] == ["#b1 vs Bob", "#a1 Ann vs Bob"]


async def test_many_own_games_hide_none_of_others(world: World) -> None:
    """Cara plays in all games that moved last."""
    await playing(world, *PLAYED[:2])
    async with world.store.transaction() as db:
        for _ in range(MOST_CHOICES):
            await games.add_game(
                db, STANDARD, (seat(world.cara), seat(world.bob)), world.home, world.bot.app.now() + 60
            )
    assert "You follow **#a1** Ann vs Bob" in told(await world.cara.slash(world.channel, "gipf follow"))


# ── /gipf board turn: ──


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        ("0", "the start · the newest turn is Black's turn 2"),
        ("1", "**1. White:** a2 → b2 · the newest turn is Black's turn 2"),
        ("2b", "**2. Black:** i5 → h5 · this is the newest turn"),
    ],
)
async def test_board_of_an_earlier_turn(world: World, turn: str, said: str) -> None:
    await playing(world, *PLAYED[:4])
    shown = Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game="#a1", turn=turn))
    assert said in shown.text
    assert shown.labels == ["Board", "Study", SHOW_HERE_LABEL]
    await shown.press("Board")
    assert "waiting for Ann" in shown.text


async def test_board_of_an_earlier_turn_as_text_after_picking(world: World) -> None:
    await playing(world, *PLAYED[:4])
    await playing(world)
    asked = Desk(world.ann, await world.ann.slash(world.channel, "gipf board", turn="1b", text=True))
    await asked.choose("#a1 vs Bob")
    assert "**1. Black:** f1 → e2" in asked.text
    assert "[ ] the last push" in asked.text
    assert asked.message.attachments == []


@pytest.mark.parametrize("turn", ["x", "3", "-1", "2b2b2b2b2b2b2b2b", "99999999999", "`<@1>`"])
async def test_turn_that_does_not_exist_is_named(world: World, turn: str) -> None:
    await playing(world, *PLAYED[:4])
    said = told(await world.cara.slash(world.channel, "gipf board", game="#a1", turn=turn))
    assert "isn't a turn of this record, which goes from `0` (the start) to `2b`" in said


async def test_studies_and_games_to_watch_are_both_offered(world: World) -> None:
    await playing(world, *PLAYED[:2])
    board = private(await world.cara.slash(world.channel, "gipf board"))
    await world.cara.click(board, label="Study")
    shown = private(await world.cara.slash(world.channel, "gipf board"))
    assert shown.content == study_texts.WHICH_STUDY
    assert [*options(shown)] == ["study 1 · #a1 · Ann vs Bob", "#a1 Ann vs Bob"]
