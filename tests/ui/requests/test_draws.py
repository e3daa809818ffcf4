"""Agreeing on a draw, as people see it."""

from dataclasses import replace

import pytest

from gipfbot.match import Status
from gipfbot.rules import STANDARD, Reason, Result, start
from gipfbot.ui.kit import texts
from gipfbot.ui.play import game_texts
from gipfbot.ui.requests import request_texts
from tests.support.times import DAY
from tests.ui.forged import forger, formatted_text
from tests.ui.table import ask_takeback
from tests.ui.world import World, buttons, custom_ids, labels, private, told

pytestmark = [pytest.mark.simcord(settle_timeout=60), pytest.mark.looks_every(60)]


async def drawable_game(world: World) -> int:
    """Return a game of Ann and Bob whose rules know a draw."""
    return await world.prepared(start(replace(STANDARD, agreed_draw=True)))


async def offer_draw(world: World) -> None:
    asked = private(await world.ann.slash(world.channel, "move", notation="draw"))
    assert "Offer Bob a draw in #a1? Bob is pinged." in asked.content
    await world.ann.click(asked, label=request_texts.OFFER_DRAW_LABEL)


async def test_draw_is_offered_and_accepted(world: World) -> None:
    """The offer pings the opponent. The last board says that the game is a draw."""
    game_id = await drawable_game(world)
    await offer_draw(world)
    offer = world.public()[-1]
    assert offer.content.startswith(f"<@{world.bob.id}> Ann offers a draw · #a1")
    assert (buttons(offer), world.pings(offer)) == (["Accept", "Decline", "Withdraw"], {world.bob.id})
    await world.bob.click(offer, label="Accept")
    offer, board = world.public()[-2:]
    assert offer.content == "Ann's draw offer in #a1 was accepted by Bob. The game is a draw."
    assert custom_ids(offer) == set()
    assert "game #a1 is a draw: you both agreed." in board.content
    game = await world.game(game_id)
    assert (game.status, game.position.result) == (Status.OVER, Result(None, Reason.AGREEMENT))


async def test_more_leads_to_the_offer(world: World) -> None:
    game_id = await drawable_game(world)
    menu = private(await world.ann.click(world.board(game_id), label="More…"))
    await world.ann.click(menu, label=game_texts.ASK_DRAW_LABEL)
    assert "Offer Bob a draw in #a1?" in menu.content


async def test_declined_offer_changes_nothing_and_is_not_repeated(world: World) -> None:
    game_id = await drawable_game(world)
    await offer_draw(world)
    offer = world.public()[-1]
    assert "your own offer: Bob has to answer" in told(await world.ann.click(offer, label="Accept"))
    assert "Only Ann can withdraw" in told(await world.bob.click(offer, label="Withdraw"))
    assert "do not play in this game" in told(await world.cara.click(offer, label="Accept"))
    await world.bob.click(offer, label="Decline")
    assert world.public()[-1].content == "Ann's draw offer in #a1 was declined by Bob. The game goes on."
    assert "already offered a draw in this turn" in told(await world.ann.slash(world.channel, "move", notation="draw"))
    assert (await world.game(game_id)).status is Status.RUNNING


async def test_offer_can_be_answered_from_more(world: World) -> None:
    game_id = await drawable_game(world)
    await offer_draw(world)
    answer = await world.bob.click(world.board(game_id), label="More…")
    menu = private(answer)
    assert "Ann offers a draw in #a1" in menu.content
    assert game_texts.ASK_DRAW_LABEL not in labels(menu)
    await world.bob.click(menu, label="Decline")
    assert "was declined by Bob" in world.public()[-1].content


async def test_buttons_of_two_open_requests_name_their_kinds(world: World) -> None:
    """More… shows both requests, each with its own buttons."""
    game_id = await drawable_game(world)
    await world.ann.slash(world.channel, "move", notation="e1-e3")
    await ask_takeback(world, world.ann)
    await offer_draw(world)
    menus = [private(await each.click(world.board(game_id), label="More…")) for each in (world.ann, world.bob)]
    assert labels(menus[0])[:2] == ["Withdraw takeback", "Withdraw draw"]
    assert labels(menus[1])[:4] == ["Accept takeback", "Decline takeback", "Accept draw", "Decline draw"]
    await world.bob.click(menus[1], label="Decline draw")
    assert "draw offer in #a1 was declined by Bob" in world.public()[-1].content


async def test_offer_ends_when_somebody_plays(world: World) -> None:
    game_id = await drawable_game(world)
    await offer_draw(world)
    offer = world.public()[-1]
    await world.ann.slash(world.channel, "move", notation="e1-e3")
    assert "no longer open. Nothing was changed." in told(await world.bob.click(offer, label="Accept"))
    assert world.public()[-2].content == "This draw offer in #a1 is no longer open."
    assert custom_ids(world.public()[-2]) == set()
    assert (await world.game(game_id)).status is Status.RUNNING


async def test_offer_that_has_expired_loses_its_buttons_by_itself(world: World) -> None:
    """As a takeback request does. Without a turn it stays open for any time."""
    await drawable_game(world)
    await offer_draw(world)
    await world.env.advance_time(30 * DAY)
    (offer,) = [message for message in world.public() if "offers a draw" in message.content]
    assert len(custom_ids(offer)) == 3
    await world.ann.slash(world.channel, "move", notation="e1-e3")
    await world.env.advance_time(3 * DAY)
    (offer,) = [message for message in world.public() if message.id == offer.id]
    assert (offer.content, custom_ids(offer)) == ("This draw offer in #a1 is no longer open.", set())


@pytest.mark.parametrize("old", ["draw:1:0:accept", "offer_draw:1:0", "takeback:1:accept", "request_takeback:1:0"])
async def test_buttons_of_older_kinds_say_that_they_are_too_old(world: World, old: str) -> None:
    game_id = await drawable_game(world)
    await offer_draw(world)
    bob = await forger(world, world.bob, world.channel)
    assert texts.UNKNOWN_BUTTON in formatted_text(await bob.send(old))
    assert (await world.game(game_id)).status is Status.RUNNING


async def test_command_without_such_a_game_says_that_gipf_has_no_draws(world: World) -> None:
    game_id = await world.begin()
    said = told(await world.ann.slash(world.channel, "move", notation="draw"))
    assert "no draws" in said
    assert "/gipf resign" in said
    assert "no draws" in told(await world.ann.slash(world.channel, "move", notation="draw", game="#a1"))
    assert game_texts.ASK_DRAW_LABEL not in labels(private(await world.ann.click(world.board(game_id), label="More…")))
