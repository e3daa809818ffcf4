"""Games against the bot where Discord refuses what they say: shut direct messages, a channel that takes nothing."""

from dataclasses import replace

from gipfbot.match import Game, House, RequestState, Seat, Side, Status
from gipfbot.rules import BASIC, OVERBOARD, legal
from gipfbot.service.requests.game_requests import DRAW
from gipfbot.values import Venue
from tests.standin import Channel
from tests.support.background_work import do_next_task
from tests.support.routes import MESSAGES
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR

from . import house as desk
from .house import said


async def begin(house: desk.House, place: Channel) -> int:
    """Return a game of Ann, White, against the bot in her direct messages."""
    ann, bot = house.seats()[0], house.discord.world.bot
    terms = replace(THREE_DAYS, house=House(1, bot.id))
    begun = await house.app.lobby.challenge_house(
        ann, Seat(bot.id, "GIPF"), BASIC, Side.WHITE, Venue(None, place.id), terms
    )
    await house.deliver(begun)
    return begun.game.id


async def play(house: desk.House, game_id: int) -> Game:
    """Let Ann play a turn and the bot answer; return the game."""
    game = await house.game(game_id)
    played = await house.app.games.play_actions(game_id, house.mover(game), legal(game.current)[:1])
    await house.deliver(played)
    while done := await do_next_task(house.app):
        await house.bot.delivery.deliver(done.owed)
    return await house.game(game_id)


async def look(house: desk.House, seconds: int) -> None:
    """Let time pass, and the bot retry what is due."""
    house.clock.moved += seconds
    await house.app.undeliverable.retry_due_boards()
    await house.sweep()


async def test_shut_messages_lose_no_turn_and_no_time(house: desk.House) -> None:
    """Ann plays on from a server. When she opens her messages, the newest board comes once."""
    ann = house.discord.user("ann")
    place = house.discord.dm(ann)
    game_id = await begin(house, place)
    ann.dms_open = False
    game = await play(house, game_id)
    assert (game.turn_number, game.asked) == (2, game.house_colour and game.house_colour.other)
    for _ in range(3):
        await look(house, DAY)
    game = await house.game(game_id)
    assert game.clock
    assert game.clock.deadline is None, "her time stands still while she cannot see her turn"
    assert (await play(house, game_id)).turn_number == 4
    assert said(place) == ["board 0"]

    ann.dms_open = True
    await look(house, DAY)
    await look(house, HOUR)
    assert said(place) == ["board 0", "board 4"]
    clock = (await house.game(game_id)).clock
    assert clock
    assert clock.deadline
    assert (await play(house, game_id)).turn_number == 6
    assert said(place) == ["board 0", "board 4", "board 5", "board 6"]
    tried = [call for call in house.discord.called("POST", MESSAGES) if str(place.id) in call.path]
    assert len(tried) < 20, "a shut place is not tried at every look"


# ── Draws ──


async def offered_in_vain(house: desk.House) -> int:
    """Return a game in which the bot has declined a draw offer of Ann that is not posted yet."""
    ann, bot = house.seats()[0], house.discord.world.bot
    terms = replace(THREE_DAYS, house=House(1, bot.id))
    begun = await house.app.lobby.challenge_house(ann, Seat(bot.id, "GIPF"), OVERBOARD, Side.WHITE, house.home(), terms)
    await house.deliver(begun)
    await house.app.requests.make(DRAW, begun.game.id, ann.user)  # the caller does not post it
    done = await do_next_task(house.app)
    assert done
    assert done.draw
    assert (done.draw.request.state, done.draw.message) == (RequestState.DECLINED, None)
    return begun.game.id


DECLINED = "Ann's draw offer in #a1 was declined by GIPF. The game goes on."


async def test_an_offer_that_is_posted_after_its_answer_tells_the_answer(house: desk.House) -> None:
    game_id = await offered_in_vain(house)
    await house.sweep(HOUR)
    message = house.channel.last()
    assert message.content == DECLINED
    assert not [each for each in message.custom_ids if each.startswith("request:")]
    assert (await house.game(game_id)).status is Status.RUNNING
    await house.assert_each_posted_once()


async def test_the_answer_is_told_after_the_next_turn_too(house: desk.House) -> None:
    game_id = await offered_in_vain(house)
    played = legal((await house.game(game_id)).current)[:1]
    await house.app.games.play_actions(game_id, house.seats()[0].user, played)
    await house.sweep(HOUR)
    assert [each.content for each in house.channel.messages].count(DECLINED) == 1


async def test_the_answer_follows_the_game_to_another_channel(house: desk.House) -> None:
    game_id = await offered_in_vain(house)
    await house.discord.deny(house.channel, "send_messages")
    await house.sweep(HOUR)
    other = await house.discord.add_channel("other")
    await house.deliver(await house.app.venues.relocate(game_id, house.home(other)))
    await house.sweep(HOUR)
    assert [each.content for each in other.messages].count(DECLINED) == 1
