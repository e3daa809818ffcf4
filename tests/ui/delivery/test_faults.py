"""A picture or post that fails never loses a turn: the message follows, or the game waits."""

import asyncio

import discord
import pytest
import simcord

from gipfbot.match import Refused, RequestState
from gipfbot.service.kit.loaded_games import GameUpdate
from gipfbot.ui.kit import pictures
from gipfbot.ui.play import game_texts
from gipfbot.values import Stale
from render import Described, Theme, Words, text
from tests.ui.table import Desk, open_desk
from tests.ui.world import FOR_EVER, World, board_ids, buttons, challenge_state, custom_ids, private, told

GONE = [(403, 50001), (403, 50013), (404, 10003)]


def posting(world: World, channel: simcord.ChannelHandle | None = None) -> str:
    return f"/channels/{(channel or world.channel).id}/messages"


def posts(world: World, channel: simcord.ChannelHandle | None = None) -> int:
    """Return how many posts a channel was sent, refused ones included."""
    return sum((call.method, call.path) == ("POST", posting(world, channel)) for call in world.env.http_requests)


# ── Discord fails for a while ──


@pytest.mark.parametrize("status", [500, 502, 503, 429])
async def test_a_refused_board_is_posted_as_soon_as_possible(world: World, status: int) -> None:
    """It is posted once, with its picture, and pings its player."""
    await world.begin("basic")
    world.fail("POST", posting(world), status)
    answer = told(await world.ann.slash(world.channel, "move", notation="c2"))
    assert await world.confirmed(answer) == "c2"
    assert game_texts.BOARD_FOLLOWS in answer
    assert (await world.game()).turn_number == 1
    assert custom_ids(world.public()[-1]) == board_ids(1, 0)
    await world.env.advance_time(40)
    assert custom_ids(world.public()[-1]) == board_ids(1, 1)
    assert world.pings(world.public()[-1]) == {world.bob.id}
    assert len(world.public()[-1].attachments) == 1
    posted = posts(world)
    await world.env.advance_time(60)
    assert posts(world) == posted


async def test_boards_held_up_are_posted_once_and_in_order(world: World) -> None:
    """The game goes on meanwhile, as the desk does not need them."""
    await world.begin("basic")
    world.fail("POST", posting(world), 500, times=FOR_EVER)
    for turn in ("c2", "g2", "d2"):
        answer = await world.player(await world.game()).slash(world.channel, "move", notation=turn)
        assert told(answer).startswith("Played")
    world.heal()
    await world.env.advance_time(90)
    boards = [custom_ids(m) for m in world.public() if m.content.startswith("<@") and custom_ids(m)]
    assert boards == [board_ids(1, 3)]
    notified = [m.content.splitlines()[0].partition(" played ")[2] for m in world.public()[-3:]]
    assert notified == ["b1 → c2 · Bob is Black", "g1 → g2", "c1 → d2"]


async def test_what_was_owed_is_posted_after_a_restart(world: World) -> None:
    await world.begin("basic")
    world.fail("POST", posting(world), 500)
    await world.ann.slash(world.channel, "move", notation="c2")
    await world.restart()
    await world.env.advance_time(60)
    assert custom_ids(world.public()[-1]) == board_ids(1, 1)


async def test_a_game_accepted_while_discord_fails_begins_all_the_same(world: World) -> None:
    await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob, colour="white")
    world.fail("POST", posting(world), 500)
    await world.bob.click(world.public()[-1], label="Accept")
    assert (await world.game()).turn_number == 0
    await world.env.advance_time(40)
    assert world.pings(world.board()) == {world.ann.id}


async def test_a_challenge_that_cannot_be_posted_follows(world: World) -> None:
    world.fail("POST", posting(world), 500)
    answer = await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob)
    assert "isn't posted yet" in told(answer)
    await world.env.advance_time(40)
    assert buttons(world.public()[-1]) == ["Accept", "Decline", "How to play"]
    assert world.pings(world.public()[-1]) == {world.bob.id}


@pytest.mark.parametrize(("status", "code"), [(500, 0), (401, 50027)])
async def test_a_lost_private_answer_loses_no_turn(
    world: World, caplog: pytest.LogCaptureFixture, status: int, code: int
) -> None:
    await world.begin("basic")
    world.fail("PATCH", "/webhooks/*/messages/@original", status, code)
    await world.ann.slash(world.channel, "move", notation="c2")
    assert (await world.game()).turn_number == 1
    assert world.pings(world.board()) == {world.bob.id}
    caplog.clear()


@pytest.mark.parametrize("times", [1, FOR_EVER])
async def test_an_answer_that_comes_too_late_plays_nothing(world: World, times: int | None) -> None:
    """Discord answers 10062. Nothing is played, and no error is logged."""
    await world.begin("basic")
    desk = await open_desk(world)
    await desk.press("c1")
    before, posted = await world.stored(), posts(world)
    world.fail("POST", "/interactions/*/callback", 404, 10062, times=times)
    await world.ann.slash(world.channel, "move", notation="c2")
    world.heal()
    world.fail("POST", "/interactions/*/callback", 404, 10062, times=times)
    await world.ann.click(desk.message, label="→ c2")
    world.heal()
    assert await world.stored() == before
    assert posts(world) == posted


async def test_an_acceptance_that_cannot_be_acknowledged_changes_nothing(world: World) -> None:
    """The button still works."""
    await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob, colour="white")
    world.fail("POST", "/interactions/*/callback", 404, 10062)
    await world.bob.click(world.public()[-1], label="Accept")
    assert await challenge_state(world) is RequestState.OPEN
    await world.bob.click(world.public()[-1], label="Accept")
    assert world.pings(world.board()) == {world.ann.id}


async def test_an_acceptance_whose_message_cannot_be_changed_stands(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob, colour="white")
    world.fail("PATCH", "/webhooks/*/messages/@original", 500, times=FOR_EVER)
    await world.bob.click(world.public()[-1], label="Accept")
    world.heal()
    assert world.pings(world.board()) == {world.ann.id}
    caplog.clear()


# ── Pictures ──


async def test_a_message_without_its_picture_has_a_text_board(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Desk and board work. The next picture is tried again, and the fault is logged once."""

    def broken(picture: Described, *, size: int, theme: Theme, words: Words) -> bytes:
        raise MemoryError(picture, size, theme, words)

    def no_film(*_: object) -> None:
        raise MemoryError

    await world.begin("basic")
    with monkeypatch.context() as patch:
        patch.setattr(pictures, "png", broken)
        patch.setattr(pictures, "film_parts", no_film)
        desk = await open_desk(world)
        await desk.press("c1")
        assert desk.message.attachments == []
        assert "c1 chosen. Possible pushes: c2" in desk.text
        await desk.push("c2")
        assert "It took 1 turn." not in world.board().content
        shown = world.board()
        await world.bot.app.games.resign(1, world.bob.id)
        await world.env.advance_time(40)
    assert await world.confirmed(desk.text) == "c2"
    assert shown.attachments == []
    assert "\n```\nBlack to move.\nWhite pushed c1 → c2.\n" in shown.content
    assert "[c1]" in shown.content
    assert world.pings(shown) == {world.bob.id}
    last = world.public()[-1]
    assert "\n```\nWhite wins, Black: resigned.\nIt took 1 turn.\n" in last.content
    assert caplog.text.count("a picture could not be drawn") == 1
    caplog.clear()
    assert len(private(await world.ann.slash(world.channel, "gipf board", game="#a1")).attachments) == 1


@pytest.mark.full_size  # a small picture may have been kept from an earlier test
async def test_a_challenge_is_posted_without_its_broken_card(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A font that cannot be read is an OSError."""
    monkeypatch.setattr(text, "FONTS", text.FONTS / "gone")
    text.load_font.cache_clear()
    text.can_draw.cache_clear()
    await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob)
    message = world.public()[-1]
    assert message.attachments == []
    assert "```" not in message.content
    assert buttons(message) == ["Accept", "Decline", "How to play"]
    assert "cannot open resource" in caplog.text
    caplog.clear()


# ── The channel is gone ──


@pytest.mark.parametrize(("status", "code"), GONE)
async def test_a_refused_game_waits_until_it_is_relocated(world: World, status: int, code: int) -> None:
    """Its board is tried once. Both see it in their lists, and it goes on where both can read."""
    await world.begin("basic")
    other = world.guild.create_text_channel("other")
    world.fail("POST", posting(world), status, code, times=FOR_EVER)
    tried = posts(world)
    answer = told(await world.ann.slash(other, "move", notation="c2"))
    assert await world.confirmed(answer) == "c2"
    assert game_texts.CHANNEL_UNREACHABLE in answer
    stored = await world.stored()
    assert (stored.game.turn_number, stored.unreachable) == (1, True)
    await world.env.advance_time(120)
    assert posts(world) == tried + 1
    for person in (world.ann, world.bob):
        assert "**/gipf board** moves it to another" in told(await person.slash(other, "gipf games"))
    shown = private(await world.bob.slash(other, "gipf board"))
    assert "#a1 goes on here" in shown.content
    assert world.board(1, other).jump_url in shown.content
    assert world.pings(world.board(1, other)) == {world.bob.id}
    stored = await world.stored()
    assert (stored.unreachable, stored.venue.channel) == (False, other.id)
    assert "moves it" not in told(await world.ann.slash(other, "gipf games"))
    assert await world.confirmed(told(await world.bob.slash(other, "move", notation="g2"))) == "g2"
    assert len(world.public(other)) == 2
    assert posts(world) == tried + 1


async def begin_and_lose_channel(world: World) -> simcord.ChannelHandle:
    """Begin a game, delete its channel, and return another of the same server."""
    await world.begin("basic")
    other = world.guild.create_text_channel("other")
    gone = world.bot.get_channel(world.channel.id)
    assert isinstance(gone, discord.TextChannel)
    await gone.delete()
    await world.env.settle()
    return other


async def test_move_to_another_channel_is_told_when_it_is_so(world: World) -> None:
    """The new channel takes no messages at this moment."""
    other = await begin_and_lose_channel(world)
    world.fail("POST", f"/channels/{other.id}/messages", 500, times=FOR_EVER)
    said = told(await world.ann.slash(other, "gipf board"))
    assert "#a1 moves to this channel, but its board isn't posted yet." in said
    assert "goes on here" not in said


async def test_a_game_leaves_a_deleted_channel(world: World) -> None:
    """The board that was still owed is posted once, in the new channel."""
    other = await begin_and_lose_channel(world)
    assert await world.confirmed(told(await world.ann.slash(other, "move", notation="c2"))) == "c2"
    assert (await world.stored()).unreachable
    await world.ann.slash(other, "gipf board")
    await world.ann.slash(other, "gipf board")
    assert len(world.public(other)) == 1
    assert world.pings(world.board(1, other)) == {world.bob.id}


@pytest.mark.parametrize("how", ["deleted", "hidden from the bot", "hidden from a player"])
async def test_gipf_board_notices_an_unusable_channel(world: World, how: str) -> None:
    """No board was refused before. A game whose channel is well stays there."""
    await world.begin("basic")
    other = world.guild.create_text_channel("other")
    before = await world.stored()
    for channel in (other, world.channel):
        await world.ann.slash(channel, "gipf board")
    assert await world.stored() == before
    guild, place = world.bot.get_guild(world.guild.id), world.bot.get_channel(world.channel.id)
    assert guild
    assert isinstance(place, discord.TextChannel)
    if how == "deleted":
        await place.delete()
    else:
        whom = guild.me if how == "hidden from the bot" else await guild.fetch_member(world.bob.id)
        await place.set_permissions(whom, view_channel=False)
    await world.env.settle()
    assert "#a1 goes on here" in told(await world.ann.slash(other, "gipf board"))
    assert world.pings(world.board(1, other)) == {world.ann.id}


@pytest.mark.parametrize(("status", "code"), [(500, 0), (403, 40333), (403, 0), (404, 0)])
async def test_what_discord_cannot_tell_moves_no_game(world: World, status: int, code: int) -> None:
    await world.begin("basic")
    before = await world.stored()
    world.fail("GET", "/guilds/*/members/*", status, code, times=FOR_EVER)
    other = world.guild.create_text_channel("other")
    said = told(await world.ann.slash(other, "gipf board"))
    assert "waiting for you" in said
    assert "both of you can see" not in said
    world.heal()
    assert await world.stored() == before


async def test_a_game_goes_on_after_the_bot_was_removed(world: World) -> None:
    """The players go on in another server where the bot is, too."""
    await world.begin("basic")
    other = await world.add_guild("Other")
    ann, bob = other.add_member(world.ann.user), other.add_member(world.bob.user)
    hall = other.create_text_channel("hall")
    guild = world.bot.get_guild(world.guild.id)
    assert guild
    await guild.leave()
    await world.env.settle()
    assert await world.confirmed(told(await ann.slash(hall, "move", notation="c2"))) == "c2"
    assert "moves it to another" in told(await bob.slash(hall, "gipf games"))
    assert "goes on here" in told(await bob.slash(hall, "gipf board"))
    assert world.pings(world.board(1, hall)) == {bob.id}
    assert await world.confirmed(told(await bob.slash(hall, "move", notation="g2"))) == "g2"


async def test_a_game_is_not_relocated_where_one_player_cannot_see(world: World) -> None:
    """Nor where the bot may not post, nor into a private chat. The board is shown anyway."""
    await world.begin("basic")
    bot = world.bot.user
    assert bot
    never = discord.PermissionOverwrite(view_channel=False)
    hidden = world.guild.create_text_channel("hidden", overwrites={world.bob: never})
    mute = world.guild.create_text_channel("mute", overwrites={bot: discord.PermissionOverwrite(send_messages=False)})
    other = await world.add_guild("Other")
    ann, hall = other.add_member(world.ann.user), other.create_text_channel("hall")
    world.fail("POST", posting(world), 403, 50001)
    await world.ann.slash(hidden, "move", notation="c2")
    before = await world.stored()
    assert before.unreachable
    for answer, sentence in (
        (await world.ann.slash(hidden, "gipf board"), "that both of you can see"),
        (await ann.slash(hall, "gipf board"), "that both of you can see"),
        (await world.ann.user.slash("gipf board"), "that both of you can see"),
        (await world.ann.slash(mute, "gipf board"), "Send Messages"),
        (await world.cara.slash(hidden, "gipf board", game="#a1"), "waiting for Bob"),
    ):
        shown = private(answer)
        assert sentence in shown.content
        assert len(shown.attachments) == 1
    assert await world.stored() == before
    assert [world.public(place) for place in (hidden, mute, hall)] == [[], [], []]


async def test_a_player_who_left_the_server_can_play_on(world: World) -> None:
    await world.begin("basic")
    await world.ann.slash(world.channel, "move", notation="c2")
    other = await world.add_guild("Other")
    ann, bob = other.add_member(world.ann.user), other.add_member(world.bob.user)
    hall = other.create_text_channel("hall")
    world.guild.remove_member(world.bob)
    await world.env.settle()
    assert "that both of you can see" in told(await world.ann.slash(world.channel, "gipf board"))
    assert await world.confirmed(told(await bob.user.slash("move", notation="g2"))) == "g2"
    assert "goes on here" in told(await ann.slash(hall, "gipf board"))
    assert world.pings(world.board(1, hall)) == {ann.id}


async def test_a_message_that_discord_rejects_is_dropped_at_once(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """The turn stands, the log says why, and the next board is posted."""
    await world.begin("basic")
    world.fail("POST", posting(world), 400, 50035)
    tried = posts(world)
    await world.ann.slash(world.channel, "move", notation="c2")
    await world.env.advance_time(60)
    assert posts(world) == tried + 1
    assert "does not take message" in caplog.text
    caplog.clear()
    assert told(await world.bob.slash(world.channel, "move", notation="g2")).startswith("Played")
    assert world.pings(world.board()) == {world.ann.id}


# ── At once ──


async def test_of_two_turns_at_the_same_moment_one_is_played(world: World) -> None:
    """The other is refused. The board is posted once, however often it is delivered."""
    await world.begin("basic")
    service, posted = world.bot.app, posts(world)
    both = await asyncio.gather(
        *(service.games.play_typed(1, world.ann.id, turn) for turn in ("c2", "d2")), return_exceptions=True
    )
    (lost,) = [answer for answer in both if isinstance(answer, BaseException)]
    (won,) = [answer for answer in both if isinstance(answer, GameUpdate)]
    assert isinstance(lost, Refused | Stale)
    assert (await world.game()).turn_number == 1
    delivery = world.bot.delivery
    await asyncio.gather(delivery.deliver(won.owed), *(delivery.sweep() for _ in range(3)))
    await world.env.advance_time(40)
    assert posts(world) == posted + 1


async def test_a_resignation_and_a_turn_at_the_same_moment(world: World) -> None:
    await world.begin("basic")
    service = world.bot.app
    await asyncio.gather(
        service.games.resign(1, world.bob.id), service.games.play_typed(1, world.ann.id, "c2"), return_exceptions=True
    )
    await world.env.advance_time(60)
    assert "resigned" in world.public()[-1].content
    assert custom_ids(world.public()[-1]) == {"rematch:1"}


async def test_a_desk_says_when_somebody_else_was_faster(world: World) -> None:
    """The game changes between reading and saving."""
    await world.begin("basic")
    desk = Desk(world.ann, await world.ann.slash(world.channel, "move"))
    await desk.press("c1")
    await world.bot.app.games.resign(1, world.bob.id)
    await desk.push("c2")
    assert "over" in desk.text
    assert (await world.game()).turn_number == 0
