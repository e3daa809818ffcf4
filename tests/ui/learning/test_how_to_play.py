"""**How to play** for somebody who was invited: from the challenge card, from boards, and the way back."""

import pytest
import simcord

from gipfbot.match import RequestState
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.delivery.venues import undeliverable_board_text
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.components import LONGEST_CUSTOM_ID
from gipfbot.ui.kit.texts import RULES_LABEL
from gipfbot.ui.learning.lessons import START_OVER_LABEL
from tests.support.tutorial_presses import PRESSES
from tests.ui.forged import forger
from tests.ui.settings.panel import forged
from tests.ui.table import Desk, challenge_bot, open_desk
from tests.ui.world import World, buttons, challenge_state, challenged, components, labels, private, sought

TO_CARD, TO_GAME = "Back to the challenge", "Back to #a1"
BOT = "Play the bot"


async def taught(world: World, person: simcord.MemberActor) -> Desk:
    """Return the tutorial as a person opens it from the newest public message."""
    return Desk(person, await person.click(world.public()[-1], label=texts.HOW_TO_PLAY_LABEL))


async def finish_a_game(world: World) -> None:
    """Let Ann and Bob finish a game, so that they are no newcomers."""
    await world.bot.app.games.resign(await world.begin(), world.ann.id)


async def test_challenge_card_leads_to_the_tutorial_and_back(world: World) -> None:
    """One press leads there, and the card stays as it is. It is accepted from where the learner came back."""
    card = await challenged(world, colour="white")
    desk = await taught(world, world.bob)
    assert "**Tutorial 1 of 4" in desk.text
    assert buttons(world.public()[-1])[0] == "Accept"
    await desk.press("e1")
    await desk.press(TO_CARD)
    assert desk.text.splitlines()[0].endswith("Ann challenges you to GIPF")
    assert desk.alt.startswith("Challenge. GIPF Standard. Ann with White asks Bob.")
    assert desk.labels == ["Accept", "Decline", texts.HOW_TO_PLAY_LABEL]
    await desk.press("Accept")
    assert world.public()[0].id == card.id
    assert world.public()[0].content.splitlines()[:2] == [
        "The challenge by Ann to Bob was accepted; the board follows.",
        "Ann has White and begins.",
    ]
    assert buttons(world.public()[0]) == []
    assert desk.text.startswith("You play game #a1 against Ann")
    assert "You have Black. Here is [the board]" in desk.text
    assert desk.last.followups == []
    await desk.press("Board")
    assert "waiting for Ann" in desk.text


@pytest.mark.parametrize(("who", "label", "state"), [("bob", "Decline", "declined"), ("ann", "Withdraw", "withdrawn")])
async def test_challenge_is_closed_on_its_private_card(world: World, who: str, label: str, state: str) -> None:
    await challenged(world)
    desk = await taught(world, getattr(world, who))
    await desk.press(TO_CARD)
    await desk.press(label)
    assert await challenge_state(world) is RequestState(state)
    assert f"was {state}." in desk.text
    assert f"was {state}." in world.public()[0].content
    assert desk.labels == []


async def test_open_challenge_leads_there_and_is_taken_from_there(world: World) -> None:
    await sought(world, colour="black")
    desk = await taught(world, world.cara)
    await desk.press(TO_CARD)
    assert desk.labels == ["Play", texts.HOW_TO_PLAY_LABEL, BOT]
    await desk.press("Play")
    said = "**#a1** · Cara has White and begins against Ann."
    assert world.public()[0].content.splitlines()[:2] == ["Ann's open challenge is taken.", said]
    assert "(not rated, because one of you hasn't finished a game" in desk.text
    assert "You have White and begin. Here is [the board]" in desk.text
    assert desk.labels == ["Board"]


async def test_card_says_who_has_white_while_more_may_take_it(world: World) -> None:
    card = await sought(world, colour="white", takers=3)
    for name, game in (("bob", "#a1"), ("cara", "#b1")):
        await getattr(world, name).click(card, label="Play")
        line = f"**{game}** · Ann has White and begins against {name.capitalize()}."
        assert world.public()[0].content.splitlines()[2] == line
        assert buttons(world.public()[0]) == ["Play", texts.HOW_TO_PLAY_LABEL, BOT]


async def test_accepted_rematch_says_who_has_white(world: World) -> None:
    await finish_a_game(world)
    await world.ann.slash(world.channel, "move", notation="rematch", game="#a1")
    asked = world.public()[-1].id
    await world.bob.slash(world.channel, "move", notation="rematch", game="#a1")
    (card,) = [message for message in world.public() if message.id == asked]
    assert "Bob has White and begins." in card.content.splitlines()


async def test_card_accepted_meanwhile_leads_to_the_board(world: World) -> None:
    """Also where the tutorial was opened before."""
    card = await challenged(world, colour="white")
    desk = await taught(world, world.bob)
    await world.bob.click(card, label="Accept")
    await desk.press(TO_CARD)
    assert "Ann has White and begins." in desk.text
    assert desk.labels == ["Board"]


async def test_board_leads_to_the_tutorial_and_back(world: World) -> None:
    """On each of its pages and at its end, for the player, the opponent and a spectator."""
    await world.begin()
    board = world.board()
    assert buttons(board) == ["Move", texts.MORE_LABEL, texts.HOW_TO_PLAY_LABEL]
    desk = await taught(world, world.ann)
    for label in (label for presses in PRESSES for label in presses):
        assert TO_GAME in desk.labels
        assert all(len(item["custom_id"]) <= LONGEST_CUSTOM_ID for item in components(desk.message))
        await desk.press(label)
    assert desk.labels == [TO_GAME, RULES_LABEL, START_OVER_LABEL]  # and no other game is offered
    await desk.press(TO_GAME)
    assert desk.labels[:3] == ["Move", "Type a turn", texts.HOW_TO_PLAY_LABEL]
    assert buttons(world.board()) == ["Move", texts.MORE_LABEL, texts.HOW_TO_PLAY_LABEL]
    desk = await taught(world, world.ann)
    assert TO_GAME in desk.labels, "beside the list of lessons"
    for person in (world.bob, world.cara):
        desk = await taught(world, person)
        await desk.press(TO_GAME)
        assert "waiting for Ann" in desk.text
        assert texts.HOW_TO_PLAY_LABEL in desk.labels


async def test_long_ids_fit(world: World) -> None:
    sender = await forger(world, world.cara, world.channel)
    desk = Desk(world.cara, await sender.send(f"open_tutorial:challenge{2**63 - 1}"))
    for label in (label for presses in PRESSES for label in presses):
        assert all(len(item["custom_id"]) <= LONGEST_CUSTOM_ID for item in components(desk.message))
        await desk.press(label)


async def test_not_your_turn_shows_the_board_and_more(world: World) -> None:
    """However the player tries to play."""
    await world.begin()
    said = "It's not your turn. **#a1** is waiting for Ann."
    for answer in (
        await world.bob.click(world.board(), label="Move"),
        await world.bob.slash(world.channel, "move"),
        await world.bob.slash(world.channel, "move", notation="e2"),
        await world.bob.slash(world.channel, "move", notation="e2", game="#a1"),
    ):
        desk = Desk(world.bob, answer)
        assert said in desk.text
        assert "b5" in desk.alt
        assert desk.labels == [texts.MORE_LABEL, texts.HOW_TO_PLAY_LABEL]
    await desk.press(texts.MORE_LABEL)
    assert "Flip" in desk.labels


async def test_not_your_turn_in_several_games_leads_to_each(world: World) -> None:
    await world.begin()
    await world.begin("basic")
    desk = Desk(world.bob, await world.bob.slash(world.channel, "move"))
    assert "It's not your turn. **#a1** is waiting for Ann, **#b1** for Ann." in desk.text
    assert [option[:3] for option in desk.options] == ["#a1", "#b1"]
    await desk.choose(desk.options[1])
    assert "Basic" in desk.text
    assert texts.HOW_TO_PLAY_LABEL in desk.labels


async def test_players_who_have_finished_a_game_are_taught_by_more_only(world: World) -> None:
    """Not by the board of a game of the two. The challenge card does not ask who knows the game."""
    await finish_a_game(world)
    game = await world.begin()
    assert buttons(world.board(game)) == ["Move", texts.MORE_LABEL]
    for answer in (
        await world.bob.click(world.board(game), label="Move"),
        await world.cara.click(world.board(game), label=texts.MORE_LABEL),
    ):
        assert texts.HOW_TO_PLAY_LABEL not in labels(private(answer))
    for person in (world.ann, world.bob):
        shown = private(await person.click(world.board(game), label=texts.MORE_LABEL))
        desk = Desk(person, await person.click(shown, label=texts.HOW_TO_PLAY_LABEL))
        assert "**Tutorial 1 of 4" in desk.text
        await desk.press(f"Back to {game_name(game)}")
        assert "waiting for" in desk.text
    assert texts.HOW_TO_PLAY_LABEL in buttons(await challenged(world))


async def test_ended_game_of_a_newcomer_does_not_teach(world: World) -> None:
    await finish_a_game(world)
    assert texts.HOW_TO_PLAY_LABEL not in labels(
        private(await world.bob.slash(world.channel, "gipf board", game="#a1"))
    )


async def test_black_reads_their_colour_where_they_are_pinged_first(world: World) -> None:
    game = await world.begin()
    for turn, said in (("e1-e3", " · Ann played e1 → e2 · Bob is Black"), ("f1-d2", ""), ("e1-e4", "")):
        await (await open_desk(world)).person.slash(world.channel, "move", notation=turn)
        first = world.board(game).content.splitlines()[0]
        assert said in first
        assert ("Black" in first) is bool(said)


async def test_message_instead_of_the_first_board_says_it_too(world: World) -> None:
    game = await world.begin()
    await world.ann.slash(world.channel, "move", notation="e1-e3")
    assert undeliverable_board_text(await world.game(game)).startswith("It's your turn in #a1 vs Ann · you are Black")


async def test_against_the_bot(world: World) -> None:
    await challenge_bot(world, colour="black")
    assert buttons(world.board()) == ["Move", texts.MORE_LABEL, "Why this turn?", texts.HOW_TO_PLAY_LABEL]
    assert world.board().content.splitlines()[0].endswith(" · Ann is Black")
    desk = await taught(world, world.ann)
    await desk.press(TO_GAME)
    assert texts.HOW_TO_PLAY_LABEL in desk.labels


@pytest.mark.parametrize("origin", [f"game{10**30}", f"challenge{10**30}", "game", "study7", "game-1"])
async def test_forged_origin_is_answered_as_an_old_button(world: World, origin: str) -> None:
    for custom_id in (f"open_tutorial:{origin}", f"tutorial:1{origin}::show:-"):
        assert await forged(world, world.cara, custom_id) == texts.UNKNOWN_BUTTON
