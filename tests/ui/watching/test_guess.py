"""The button **Guess**, as people see it."""

import pytest

from gipfbot.ui.kit import texts
from gipfbot.ui.watching import watching_texts
from tests.support.games import OPENING, PLAYED
from tests.ui.studying import playing
from tests.ui.table import Desk
from tests.ui.world import World, private, told

from .hidden import hidden_game

pytestmark = pytest.mark.looks_every(60)


async def watching(world: World) -> Desk:
    """Return the game as Cara sees it."""
    return Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game="#a1"))


async def guessed(board: Desk, text: str, label: str = watching_texts.GUESS_LABEL) -> str:
    """Fill in the form behind the button of a board. Return the answer."""
    return told(await board.person.submit_modal(await board.person.click(board.message, label=label), {"text": text}))


async def test_spectator_guesses_and_learns_how_good_it_was(world: World) -> None:
    await playing(world, *PLAYED[:2])
    board = await watching(world)
    assert board.labels[:2] == ["Follow", "Guess"]
    said = await guessed(board, "b1-b3")
    assert said.startswith("Your guess for 2. White in #a1: **b1-b3**.\nNobody else sees it.")
    again = await watching(world)
    assert "Your guess: **b1-b3**" in again.text
    assert watching_texts.GUESS_AGAIN_LABEL in again.labels
    await world.ann.slash(world.channel, "move", notation="b1-b3")
    after = await watching(world)
    assert "Your guess was **b1-b3**: the exact turn, 3 points" in after.text
    assert "So far 3 points from 1 guess: 1 exact, 0 with the same push." in await guessed(after, "i5-g5")


async def test_guess_is_seen_by_its_author_alone(world: World) -> None:
    await playing(world, *PLAYED[:2])
    await guessed(await watching(world), "b1-b3")
    for person in (world.ann, world.bob):
        shown = private(await person.slash(world.channel, "gipf board"))
        assert "guess" not in shown.content.lower()
        assert "Guess" not in str(shown.components)
    assert [message.content for message in world.public() if "guess" in message.content.lower()] == []


async def test_same_push_brings_a_point(world: World) -> None:
    await playing(world, *OPENING[:4])
    await guessed(await watching(world), "b6-b4")
    await world.ann.slash(world.channel, "move", notation="b6-b4;xb2,b3,Gb4,b5")
    assert "Your guess was **b6-b4**: the same push, 1 point" in (await watching(world)).text


async def test_guess_that_comes_too_late_is_not_saved(world: World) -> None:
    await playing(world, *PLAYED[:2])
    board = await watching(world)
    await world.ann.slash(world.channel, "move", notation="b1-b3")
    assert await guessed(board, "b1-b3") == (
        "Ann played **b1-b3**.\n"
        "The game has moved on, so your guess doesn't count. **/gipf board** shows it now.\n"
        "You wrote `b1-b3`."
    )
    assert "guess" not in (await watching(world)).text


@pytest.mark.parametrize("text", ["hello", "a1-b1", "xb5"])
async def test_text_that_is_no_turn_is_explained(world: World, text: str) -> None:
    await playing(world, *PLAYED[:2])
    board = await watching(world)
    assert "Nothing was guessed." in await guessed(board, text)
    assert (
        await guessed(board, "b1") == "Two pushes lead from b1, so nothing was guessed. Write **b1-b3** or **b1-d3**."
    )
    assert "guess" not in (await watching(world)).text


async def test_hidden_game_takes_no_guess(world: World) -> None:
    """The form may have been opened while the channel was seen."""
    await hidden_game(world, *PLAYED[:2])
    await playing(world, *PLAYED[:2])
    shown = Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game="#b1"))
    opened = await world.cara.click(shown.message, label="Guess")
    form = opened._interaction.modal
    assert form
    form["custom_id"] = "guess_form:1:2:00"
    assert told(await world.cara.submit_modal(opened, {"text": "b1-b3"})) == texts.CANNOT_SEE_GAME
    assert await world.bot.app.guesses.guesses_of(world.cara.id, 1, 2) == {}
