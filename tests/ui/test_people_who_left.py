"""Nothing begins with a person who has left the server, and nobody is told that they were asked."""

from collections.abc import Awaitable

import discord
import pytest
import simcord

from gipfbot.match import RequestState, Status
from gipfbot.rules import OVERBOARD, start
from gipfbot.ui.kit import texts
from gipfbot.ui.play.game_list import CAN_GO_ON_ELSEWHERE
from gipfbot.ui.requests import request_texts
from tests.support.times import DAY
from tests.ui.table import ask_takeback, challenge_bot
from tests.ui.world import FOR_EVER, World, challenge_state, challenged, private, sought, told

pytestmark = pytest.mark.looks_every(60)
NO_GAME = (
    "Ann has left the server. No game begins. "
    "**/gipf seeks** lists who else looks for one, **/gipf challenge** asks somebody."
)
NOTHING_DONE = "{} has left the server. Nothing was done. "
MOVES = " **/gipf board** in a channel of another server that both of you see moves the game there."
CANCEL = "**/gipf resign** cancels the game with no result." + MOVES
CLAIM = "If they don't play for 30 days, **Claim** in **More…** ends the game." + MOVES
TIME = "If they don't play, you win once their time and grace are over." + MOVES


async def leave(world: World, person: simcord.MemberActor) -> None:
    world.guild.remove_member(person)
    await world.env.settle()


async def asked_about(world: World, person: simcord.MemberActor, act: Awaitable[object]) -> int:
    """Return how often Discord is asked about a person while somebody does something."""
    path = f"/guilds/{world.guild.id}/members/{person.id}"
    before = len(world.env.http_requests)
    await act
    await world.env.settle()
    return sum((call.method, call.path) == ("GET", path) for call in [*world.env.http_requests][before:])


async def played(world: World, *turns: str, pace: str = "none") -> int:
    """Return a Basic game of Ann, White, and Bob after these turns."""
    posted = await challenged(world, rules="basic", colour="white", pace=pace)
    await world.bob.click(posted, label="Accept")
    for number, turn in enumerate(turns):
        await (world.bob if number % 2 else world.ann).slash(world.channel, "move", notation=turn)
    return 1


@pytest.mark.parametrize("seek", [False, True])
async def test_challenge_of_somebody_who_left_begins_no_game(world: World, seek: bool) -> None:
    """It stays open: they may come back."""
    posted, label = (await sought(world), "Play") if seek else (await challenged(world), "Accept")
    await leave(world, world.ann)
    assert told(await world.bob.click(posted, label=label)) == NO_GAME
    assert await challenge_state(world) is RequestState.OPEN
    assert await world.bot.app.games.running_games(world.bob.id) == []
    world.guild.add_member(world.ann.user)
    await world.bob.click(world.public()[-1], label=label)
    assert (await world.game()).status is Status.RUNNING


async def test_seek_in_the_list_of_seeks_begins_no_game(world: World) -> None:
    await sought(world)
    listed = private(await world.bob.slash(world.channel, "gipf seeks"))
    await leave(world, world.ann)
    assert told(await world.bob.click(listed, label="1 · Play against Ann")) == NO_GAME


async def test_challenge_that_is_not_theirs_asks_discord_nothing(world: World) -> None:
    posted = await challenged(world)
    await leave(world, world.ann)
    assert await asked_about(world, world.ann, world.cara.click(posted, label="Accept")) == 0
    await world.bob.click(posted, label="Decline")
    assert await challenge_state(world) is RequestState.DECLINED


@pytest.mark.parametrize(
    ("turns", "pace", "way"),
    [(("c2",), "none", CANCEL), (("c2", "g2", "d2"), "none", CLAIM), (("c2", "g2", "d2"), "3", TIME)],
)
async def test_takeback_is_not_asked_of_somebody_who_left(
    world: World, turns: tuple[str, ...], pace: str, way: str
) -> None:
    """The answer says how the game can end, or go on."""
    game = await played(world, *turns, pace=pace)
    before = world.public()
    await leave(world, world.bob)
    asked = private(await world.ann.slash(world.channel, "move", notation="undo"))
    said = told(await world.ann.click(asked, label=request_texts.REQUEST_TAKEBACK_LABEL))
    assert said == NOTHING_DONE.format("Bob") + way
    assert world.public() == before
    assert await world.bot.app.requests.open_requests([await world.game(game)]) == []


async def test_takeback_is_not_granted_to_somebody_who_left(world: World) -> None:
    """It can still be declined."""
    game = await played(world, "c2", "g2")
    await ask_takeback(world, world.bob)
    request = world.public()[-1]
    await leave(world, world.bob)
    assert told(await world.ann.click(request, label="Accept")) == NOTHING_DONE.format("Bob") + CLAIM
    assert (await world.game(game)).turn_number == 2
    await world.ann.click(request, label="Decline")
    assert "was declined by Ann" in world.public()[-1].content


async def test_draw_is_not_offered_to_somebody_who_left(world: World) -> None:
    game = await world.prepared(start(OVERBOARD))
    before = world.public()
    asked = private(await world.ann.slash(world.channel, "move", notation="draw"))
    await leave(world, world.bob)
    said = told(await world.ann.click(asked, label=request_texts.OFFER_DRAW_LABEL))
    assert said == NOTHING_DONE.format("Bob") + CANCEL
    assert world.public() == before
    assert await world.bot.app.requests.open_requests([await world.game(game)]) == []


async def test_draw_that_somebody_offered_before_they_left_is_accepted(world: World) -> None:
    """It begins nothing: the game ends."""
    game = await world.prepared(start(OVERBOARD))
    asked = private(await world.ann.slash(world.channel, "move", notation="draw"))
    await world.ann.click(asked, label=request_texts.OFFER_DRAW_LABEL)
    await leave(world, world.ann)
    await world.bob.click(world.public()[-1], label="Accept")
    assert (await world.game(game)).status is Status.OVER


async def over(world: World) -> discord.Message:
    """Return the last board of a game of Ann and Bob."""
    game = await played(world, "c2", "g2")
    done = await world.bot.app.games.resign(game, world.bob.id)
    await world.bot.delivery.deliver(done.owed)
    await world.env.settle()
    return world.public()[-1]


async def test_rematch_with_somebody_who_left_does_not_begin(world: World) -> None:
    """Neither by asking nor by accepting, by the button or the command."""
    board = await over(world)
    await leave(world, world.ann)
    assert told(await world.bob.click(board, label="Rematch")) == NO_GAME
    assert told(await world.bob.slash(world.channel, "move", notation="rematch", game="#a1")) == NO_GAME
    assert world.public()[-1] == board


@pytest.mark.parametrize("by_command", [False, True])
async def test_rematch_that_somebody_asked_for_before_they_left_does_not_begin(world: World, by_command: bool) -> None:
    board = await over(world)
    await world.ann.click(board, label="Rematch")
    asked = world.public()[-1]
    await leave(world, world.ann)
    if by_command:
        assert told(await world.bob.slash(world.channel, "move", notation="rematch", game="#a1")) == NO_GAME
    else:
        assert told(await world.bob.click(asked, label="Accept")) == NO_GAME
    assert await world.bot.app.games.running_games(world.bob.id) == []


async def test_somebody_who_left_is_not_nudged(world: World) -> None:
    """Nor is it said that they got a ping."""
    await played(world, "c2", "g2", "d2")
    await world.env.advance_time(2 * DAY)
    shown = private(await world.ann.slash(world.channel, "gipf board"))
    before = world.public()
    await leave(world, world.bob)
    assert told(await world.ann.click(shown, label="Nudge")) == NOTHING_DONE.format("Bob") + CLAIM
    assert world.public() == before


@pytest.mark.parametrize("by", ["the one who waits", "the one who left", "/gipf board"])
async def test_game_of_somebody_who_comes_back_goes_on_where_it_was(world: World, by: str) -> None:
    """Nobody reads any longer that it can't, and it moves nowhere. While Discord cannot tell, nothing changes."""
    await played(world, "c2", "g2", "d2")
    await world.env.advance_time(2 * DAY)
    await leave(world, world.bob)
    assert CAN_GO_ON_ELSEWHERE in told(await world.ann.slash(world.channel, "gipf games"))
    assert CAN_GO_ON_ELSEWHERE in told(await world.ann.slash(world.channel, "gipf games")), "they are still away"
    world.guild.add_member(world.bob.user)
    await world.env.settle()
    world.fail("GET", f"/guilds/{world.guild.id}/members/{world.bob.id}", 500, times=FOR_EVER)
    assert CAN_GO_ON_ELSEWHERE in told(await world.ann.slash(world.channel, "gipf games")), "nobody can tell"
    world.heal()
    if by == "/gipf board":
        await world.ann.slash(world.guild.create_text_channel("other"), "gipf board", game="#a1")
    else:
        person = world.bob if by == "the one who left" else world.ann
        assert "⚠" not in told(await person.slash(world.channel, "gipf games"))
    stored = await world.stored()
    assert (stored.unreachable, stored.venue) == (False, world.home)


async def test_game_whose_channel_is_gone_stays_so_though_its_players_are_there(world: World) -> None:
    game = await played(world, "c2", "g2", "d2")
    await world.bot.app.venues.note_unreachable(game, "gone")
    assert CAN_GO_ON_ELSEWHERE in told(await world.ann.slash(world.channel, "gipf games"))
    await world.bot.app.venues.note_player_back(game)
    assert (await world.stored(game)).unreachable


async def elsewhere(world: World) -> tuple[simcord.ChannelHandle, simcord.MemberActor]:
    """Return the channel of another server on which both players are, and Bob there."""
    other = await world.add_guild("Hall")
    other.add_member(world.ann.user)
    return other.create_text_channel("games"), other.add_member(world.bob.user)


async def test_elsewhere_the_server_that_somebody_left_is_named(world: World) -> None:
    """They are on the server where the other one reads it."""
    await over(world)
    hall, bob = await elsewhere(world)
    await leave(world, world.ann)
    assert told(await bob.slash(hall, "move", notation="rematch", game="#a1")) == NO_GAME.replace(
        "server", "server Club"
    )
    there = told(await bob.user.slash("move", notation="rematch", game="#a1"))
    assert there == NO_GAME.replace("server", "server Club"), "in direct messages, too"


async def test_takeback_asked_for_elsewhere_names_the_server(world: World) -> None:
    await played(world, "c2", "g2", "d2")
    hall, bob = await elsewhere(world)
    await leave(world, world.ann)
    asked = private(await bob.slash(hall, "move", notation="undo"))
    said = told(await bob.click(asked, label=request_texts.REQUEST_TAKEBACK_LABEL))
    assert said == NOTHING_DONE.format("Ann").replace("server", "server Club") + CLAIM


async def test_claim_made_elsewhere_names_the_server(world: World) -> None:
    await played(world, "c2", "g2")
    hall, bob = await elsewhere(world)
    await world.env.advance_time(31 * DAY)
    await leave(world, world.ann)
    asked = private(await bob.slash(hall, "move", notation="claim"))
    said = told(await bob.click(asked, label=request_texts.CLAIM_WIN_LABEL))
    assert said.startswith("The warning is posted. Ann has left the server Club. ")


def test_server_that_somebody_left_is_described_if_it_has_no_name() -> None:
    """The bot does not know it yet, or any longer."""
    assert texts.left_server_text("Ann", "") == "Ann has left the game's server."
    assert texts.left_server_text("Ann", "*_x_*") == "Ann has left the server \\*\\_x\\_\\*."


async def test_claim_says_that_the_warned_player_has_left(world: World) -> None:
    """The claim stands: it is how such a game ends."""
    await played(world, "c2", "g2", "d2")
    await world.env.advance_time(31 * DAY)
    asked = private(await world.ann.slash(world.channel, "move", notation="claim"))
    await leave(world, world.bob)
    said = told(await world.ann.click(asked, label=request_texts.CLAIM_WIN_LABEL))
    assert said.startswith("The warning is posted. Bob has left the server. If they don't play in #a1 by <t:")
    await world.env.advance_time(10 * DAY)
    assert (await world.game()).status is Status.OVER


async def test_challenge_to_somebody_who_left_says_so(world: World) -> None:
    await leave(world, world.bob)
    said = told(await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob.user))
    assert said.startswith("Bob isn't on this server, so nobody was asked.")
    assert world.public() == []


@pytest.mark.parametrize(("status", "code"), [(500, 0), (403, 40333), (404, 0), (404, 10004), (403, 50001)])
async def test_somebody_is_still_there_if_discord_cannot_tell(world: World, status: int, code: int) -> None:
    posted = await challenged(world)
    world.fail("GET", f"/guilds/{world.guild.id}/members/{world.ann.id}", status, code, times=FOR_EVER)
    await world.bob.click(posted, label="Accept")
    world.heal()
    assert (await world.game()).status is Status.RUNNING


async def test_deleted_account_has_left(world: World) -> None:
    posted = await challenged(world)
    world.fail("GET", f"/guilds/{world.guild.id}/members/{world.ann.id}", 404, 10013)
    assert told(await world.bob.click(posted, label="Accept")) == NO_GAME


async def test_discord_is_asked_once_where_something_begins_and_on_no_turn(world: World) -> None:
    posted = await challenged(world, rules="basic", colour="white")
    assert await asked_about(world, world.ann, world.bob.click(posted, label="Accept")) == 1
    turn = world.ann.slash(world.channel, "move", notation="c2")
    assert await asked_about(world, world.bob, turn) == 0
    assert await asked_about(world, world.bob, ask_takeback(world, world.ann)) == 1
    assert await asked_about(world, world.ann, world.bob.click(world.public()[-1], label="Accept")) == 1


async def test_game_against_the_bot_asks_discord_nothing(world: World) -> None:
    await challenge_bot(world, rules="basic")
    await world.ann.slash(world.channel, "move", notation="c2")
    bot = world.bot.user
    assert bot
    before = len(world.env.http_requests)
    await ask_takeback(world, world.ann)
    asked = [call.path for call in [*world.env.http_requests][before:] if "/members/" in call.path]
    assert asked == []
