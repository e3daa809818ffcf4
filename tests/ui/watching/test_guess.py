"""The button **Guess**, as people see it."""

from dataclasses import replace

import pytest

from gipfbot.ui.desk.desk_texts import START_OVER_LABEL
from gipfbot.ui.desk.screens import TYPE_IT_LABEL
from gipfbot.ui.kit import texts
from gipfbot.ui.watching import guess, watching_texts
from tests.support.games import OPENING, PLAYED
from tests.ui.positions import GIPF_ROW
from tests.ui.studying import playing
from tests.ui.table import Desk, typing_form
from tests.ui.world import World, private, told

from .hidden import hidden_game, press_carried

pytestmark = pytest.mark.looks_every(60)


async def watching(world: World) -> Desk:
    """Return the game as Cara sees it."""
    return Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game="#a1"))


async def guessed(board: Desk, text: str, label: str = watching_texts.GUESS_LABEL) -> str:
    """Fill in the form behind the button of a board. Return the answer."""
    form = await typing_form(board.person, board.message, label)
    return told(await board.person.submit_modal(form, {"text": text}))


async def test_spectator_guesses_and_learns_how_good_it_was(world: World) -> None:
    await playing(world, *PLAYED[:2])
    board = await watching(world)
    assert board.labels[:2] == ["Follow", "Guess"]
    said = await guessed(board, "b1-b3")
    assert said.startswith("Your guess for Ann's turn 2 in game #a1: **b1 → b2**.\nNobody else sees your guess.")
    assert "press **More…** on the new board to see how you did." in said
    assert "You get 3 points if they play exactly this, removals too; 1 point if only the push is right." in said
    again = await watching(world)
    assert "Your guess: **b1 → b2**" in again.text
    assert watching_texts.GUESS_AGAIN_LABEL in again.labels
    await world.ann.slash(world.channel, "move", notation="b1-b3")
    after = await watching(world)
    assert "Your guess was **b1 → b2**: right, the exact turn, 3 points" in after.text
    assert "So far 3 points from 1 guess: 1 exact, 0 with only the push right." in await guessed(after, "i5-g5")


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
    assert (
        "Your guess was **b6 → b5**: nearly, the right push but not the whole turn, 1 point"
        in (await watching(world)).text
    )


async def test_guess_that_comes_too_late_is_not_saved(world: World) -> None:
    await playing(world, *PLAYED[:2])
    form = await typing_form(world.cara, (await watching(world)).message, watching_texts.GUESS_LABEL)
    await world.ann.slash(world.channel, "move", notation="b1-b3")
    assert told(await world.cara.submit_modal(form, {"text": "b1-b3"})) == (
        "Ann played **b1 → b2**.\n"
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
    opened = await typing_form(world.cara, shown.message, "Guess")
    form = opened._interaction.modal
    assert form
    form["custom_id"] = "guess_form:1:2:00"
    assert told(await world.cara.submit_modal(opened, {"text": "b1-b3"})) == texts.CANNOT_SEE_GAME
    assert await world.bot.app.guesses.guesses_of(world.cara.id, 1, 2) == {}


# ── On the desk ──


async def desk(world: World, label: str = watching_texts.GUESS_LABEL) -> Desk:
    """Return the desk of Cara's guess."""
    return Desk(world.cara, await world.cara.click((await watching(world)).message, label=label))


async def test_a_guess_takes_three_presses_and_no_key(world: World) -> None:
    """The desk, the dot, the push."""
    await playing(world, *PLAYED[:2])
    shown = await desk(world)
    assert "**What will Ann play?** Press the dot, then the push." in shown.text
    assert shown.labels[-1] == TYPE_IT_LABEL
    await shown.press("b1")
    await shown.push("b2")
    assert shown.text.startswith("Your guess for Ann's turn 2 in game #a1: **b1 → b2**.\nNobody else sees your guess.")
    assert shown.labels == [watching_texts.GUESS_AGAIN_LABEL]
    again = await desk(world, watching_texts.GUESS_AGAIN_LABEL)
    await again.press("b6")
    await again.push("b5")
    assert "**b6 → b5**" in again.text
    await world.ann.slash(world.channel, "move", notation="b6-b4")
    assert "Your guess was **b6 → b5**: right, the exact turn, 3 points" in (await watching(world)).text


async def test_a_guess_asks_about_rows_and_can_be_started_over(world: World) -> None:
    """What is half made is kept, and is no study."""
    await world.prepared(GIPF_ROW)
    shown = await desk(world)
    begins = shown.labels
    await shown.press("2 Take d6")
    await shown.press("Done")
    assert await world.bot.app.studies.studies(world.cara.id) == []
    shown = await desk(world)
    assert shown.labels[-1] == START_OVER_LABEL
    await shown.press(START_OVER_LABEL)
    assert shown.labels == begins
    await shown.press("Done")
    await shown.press("c1")
    await shown.push("c2")
    assert "(also written `xd3,d4,d5;c2`)" in shown.text


async def test_a_guess_pressed_too_late_asks_for_the_next_turn(world: World) -> None:
    await playing(world, *PLAYED[:2])
    shown = await desk(world)
    await shown.press("b1")
    await world.ann.slash(world.channel, "move", notation="b1-b3")
    await shown.push("b2")
    assert shown.message.note == f"{watching_texts.GUESS_NOT_WHOLE} Ann played **b1 → b2** last."
    assert "What will Bob play?" in shown.text
    await shown.press("i5")
    copy = await desk(world)
    await shown.push("h5")
    assert "**i5 → h5**" in shown.text
    await copy.press("i5")
    assert copy.text == watching_texts.GUESS_GONE


async def test_guess_again_after_the_turn_says_that_it_was_played(world: World) -> None:
    """The next guess is then for the next turn. How good the last one was is said, too."""
    await playing(world, *PLAYED[:2])
    saved = await desk(world)
    await saved.press("b1")
    await saved.push("b2")
    again = await world.cara.click(saved.message, label=watching_texts.GUESS_AGAIN_LABEL)
    assert "moved on" not in told(again), "the turn is still due"
    await world.ann.slash(world.channel, "move", notation="b1-b3")
    after = Desk(world.cara, await world.cara.click(saved.message, label=watching_texts.GUESS_AGAIN_LABEL))
    played, scored = after.message.note.splitlines()
    assert played.startswith("The game has moved on, so you guess Bob's turn 2 now. Ann played **b1 → b2**")
    assert scored.endswith(": right, the exact turn, 3 points")
    assert "What will Bob play?" in after.text


async def test_a_button_of_an_older_version_guesses_the_present_turn(world: World) -> None:
    """It names no turn. It still stands on direct messages of follows."""
    await playing(world, *PLAYED[:2])
    answer = await press_carried(world, world.cara, "guess_turn:1")
    assert "What will Ann play?" in answer
    assert "moved on" not in answer


async def test_an_old_button_after_the_end_speaks_to_somebody_who_watches(world: World) -> None:
    """A rematch is for the players."""
    await playing(world, *PLAYED[:2])
    board = await watching(world)
    await (resigns := Desk(world.ann, await world.ann.slash(world.channel, "gipf resign"))).press("Resign")
    assert "Resign" not in resigns.labels
    said = told(await world.cara.click(board.message, label=watching_texts.GUESS_LABEL))
    assert said == "This game is over. **/gipf live** lists the games that are running."


async def test_players_and_the_bots_turn_are_not_guessed(world: World) -> None:
    await playing(world, *PLAYED[:2])
    await world.ann.slash(world.channel, "gipf bot", level="1")
    bots = await world.game(2)
    assert bots.house_colour is not None
    thinks = replace(bots, position=bots.position._replace(mover=bots.house_colour))
    assert guess.guess_button(thinks, {}) == ()
    assert len(guess.guess_button(replace(thinks, terms=replace(bots.terms, house=None)), {})) == 1
    assert "You play in this game" in await press_carried(world, world.ann, "guess_turn:1:2")
