"""Challenges and open seeks: who may press what, who is pinged, and what is refused before it is posted."""

import asyncio

import discord
import pytest
import simcord

from gipfbot.match import State

from .world import World, buttons, challenge_state, challenged, counted, custom_ids, labels, private, seat, sought, told

ACCEPT, DECLINE, WITHDRAW, PLAY = "Accept", "Decline", "Withdraw", "Play"


async def test_a_challenge_names_the_terms_and_pings_the_opponent_alone(world: World) -> None:
    message = await challenged(world, rules="basic", colour="black")
    assert message.content.splitlines()[0] == f"{world.bob.mention} Ann challenges you to GIPF"
    assert "**Basic** · Ann plays Black" in message.content
    assert buttons(message) == [ACCEPT, DECLINE, WITHDRAW]
    assert world.pings(message) == {world.bob.id}
    assert message.embeds == []


async def test_accepting_begins_the_game_and_pings_whoever_begins(world: World) -> None:
    message = await challenged(world, rules="tournament", colour="black")
    await world.bob.click(message, label=ACCEPT)
    answered, board = world.public()
    assert "accepted" in answered.content
    assert answered.components == []
    assert world.pings(answered) == set()
    game = await world.game(1)
    assert (game.seats[0].user, game.seats[1].user) == (world.bob.id, world.ann.id)
    assert game.ruleset.name == "tournament"
    assert world.pings(board) == {world.bob.id}
    assert buttons(board) == ["Move"]


async def test_the_menu_of_a_person_challenges_him_to_standard(world: World) -> None:
    answer = await world.ann.context_menu(world.channel, "Challenge to GIPF", world.bob)
    assert "Bob has been" in told(answer)
    assert "**Standard** · colours by lot" in world.public()[-1].content
    assert world.pings(world.public()[-1]) == {world.bob.id}


@pytest.mark.parametrize(
    ("name", "label", "sentence"),
    [
        ("cara", ACCEPT, "This challenge is for Bob"),
        ("cara", DECLINE, "This challenge is for Bob"),
        ("ann", ACCEPT, "your own challenge"),
        ("ann", DECLINE, "This challenge is for Bob"),
        ("bob", WITHDRAW, "Only Ann can withdraw"),
        ("cara", WITHDRAW, "Only Ann can withdraw"),
    ],
)
async def test_the_wrong_person_is_refused_privately(world: World, name: str, label: str, sentence: str) -> None:
    message = await challenged(world)
    person: simcord.MemberActor = getattr(world, name)
    assert sentence in told(await person.click(message, label=label))
    assert await challenge_state(world) is State.OPEN
    assert buttons(world.public()[-1]) == [ACCEPT, DECLINE, WITHDRAW]
    assert await counted(world, "games") == 0


@pytest.mark.parametrize(
    ("name", "label", "ended"), [("bob", DECLINE, State.DECLINED), ("ann", WITHDRAW, State.WITHDRAWN)]
)
async def test_a_challenge_is_declined_or_withdrawn(world: World, name: str, label: str, ended: State) -> None:
    message = await challenged(world)
    person: simcord.MemberActor = getattr(world, name)
    await person.click(message, label=label)
    assert await challenge_state(world) is ended
    assert str(ended) in world.public()[-1].content
    assert custom_ids(world.public()[-1]) == set()
    assert await counted(world, "games") == 0


async def test_two_who_accept_at_once_get_one_game(world: World) -> None:
    await sought(world)
    accept = world.bot.service.accept
    answers = await asyncio.gather(accept(1, seat(world.bob)), accept(1, seat(world.cara)), return_exceptions=True)
    assert sum(isinstance(answer, Exception) for answer in answers) == 1
    assert await counted(world, "games") == 1


async def test_an_open_seek_pings_nobody_and_anybody_may_take_it(world: World) -> None:
    message = await sought(world, rules="basic", colour="white")
    assert buttons(message) == [PLAY, WITHDRAW]
    assert world.pings(message) == set()
    assert "your own challenge" in told(await world.ann.click(message, label=PLAY))
    assert "Only Ann can withdraw" in told(await world.bob.click(message, label=WITHDRAW))
    await world.cara.click(message, label=PLAY)
    game = await world.game(1)
    assert [seat.user for seat in game.seats] == [world.ann.id, world.cara.id]
    assert world.pings(world.public()[-1]) == {world.ann.id}


async def test_the_list_of_seeks_takes_and_withdraws_them(world: World) -> None:
    """The public message follows; a list that somebody else opened before finds the seek closed."""
    await sought(world)
    await sought(world, rules="basic")
    mine, bobs, caras = [
        private(await person.slash(world.channel, "gipf seeks")) for person in (world.ann, world.bob, world.cara)
    ]
    assert labels(mine) == ["Withdraw my seek"] * 2
    assert labels(bobs) == ["Play against Ann"] * 2
    first, second = (row["components"][0]["custom_id"] for row in bobs.components)
    assert "accepted" in told(await world.bob.click(bobs, custom_id=first))
    assert "no longer open: it was accepted" in told(await world.cara.click(caras, custom_id=first))
    own = mine.components[1]["components"][0]["custom_id"]
    assert "withdrawn" in told(await world.ann.click(mine, custom_id=own))
    assert "no longer open: it was withdrawn" in told(await world.cara.click(caras, custom_id=second))
    taken, withdrawn, board = world.public()
    assert "accepted" in taken.content
    assert "withdrawn" in withdrawn.content
    assert custom_ids(taken) == custom_ids(withdrawn) == set()
    assert world.pings(board) <= {world.ann.id, world.bob.id}
    assert "No open seeks" in told(await world.cara.slash(world.channel, "gipf seeks"))


async def test_many_seeks_are_listed_as_far_as_a_message_holds_them(world: World) -> None:
    for _ in range(30):
        await sought(world)
    answer = private(await world.bob.slash(world.channel, "gipf seeks"))
    assert answer.content.endswith("… and more.")
    assert len(labels(answer)) == 5


async def test_seeks_of_another_server_are_not_listed(world: World) -> None:
    await sought(world)
    other = world.env.create_guild("Other")
    cara = other.add_member(world.cara.user)
    assert "No open seeks" in told(await cara.slash(other.create_text_channel("gipf"), "gipf seeks"))
    assert "No open seeks" in told(await world.bob.user.slash("gipf seeks"))


@pytest.mark.parametrize(
    ("whom", "sentence"),
    [("ann", "cannot challenge yourself"), ("robot", "Bots do not play"), ("stranger", "cannot see this channel")],
)
async def test_whom_one_cannot_challenge(world: World, whom: str, sentence: str) -> None:
    """Nothing is posted, and nothing stored."""
    guild, env = world.guild, world.env
    stranger = guild.add_member(env.create_user("stranger"))
    hidden = discord.PermissionOverwrite(view_channel=False)
    channel = guild.create_text_channel("members", overwrites={stranger: hidden})
    opponent = {
        "ann": world.ann,
        "robot": guild.add_member(env.create_user("robot", bot=True)),
        "stranger": stranger,
    }[whom]
    for answer in (
        await world.ann.slash(channel, "gipf challenge", opponent=opponent),
        await world.ann.context_menu(channel, "Challenge to GIPF", opponent),
    ):
        assert sentence in told(answer)
    assert world.public(channel) == []
    assert await counted(world, "challenges") == await counted(world, "outbox") == 0


@pytest.mark.parametrize(
    ("permission", "words"),
    [("view_channel", "see the channel"), ("send_messages", "send messages"), ("attach_files", "attach files")],
)
async def test_no_challenge_where_the_bot_may_not_play(world: World, permission: str, words: str) -> None:
    bot = world.bot.user
    assert bot
    denied = discord.PermissionOverwrite(**{permission: False})
    channel = world.guild.create_text_channel("closed", overwrites={bot: denied})
    assert words in told(await world.ann.slash(channel, "gipf challenge", opponent=world.bob))
    assert words in told(await world.ann.slash(channel, "gipf challenge"))
    assert await counted(world, "challenges") == 0


async def test_in_a_thread_the_permission_for_threads_counts(world: World) -> None:
    """A game lives in a thread like in a channel, also where the bot may write in threads only."""
    bot = world.bot.user
    assert bot
    threads_only = discord.PermissionOverwrite(send_messages=False, send_messages_in_threads=True)
    channel = world.guild.create_text_channel("threads", overwrites={bot: threads_only})
    place = world.bot.get_channel(channel.id)
    assert isinstance(place, discord.TextChannel)
    await place.create_thread(name="game", type=discord.ChannelType.public_thread)
    await world.env.settle()
    assert "send messages" in told(await world.ann.slash(channel, "gipf challenge", opponent=world.bob))
    id = await world.begin("basic", channel.threads[-1])
    answer = await world.ann.slash(channel.threads[-1], "move", notation="c2")
    assert told(answer).startswith("Played")
    assert world.pings(world.board(id, channel.threads[-1])) == {world.bob.id}


async def test_no_challenge_in_a_private_chat(world: World) -> None:
    assert "in a server" in told(await world.ann.user.slash("gipf challenge"))
    assert "in a server" in told(await world.ann.user.slash("gipf challenge", opponent=world.bob.user))
    assert await counted(world, "challenges") == 0


async def test_open_challenges_stand_in_the_list_of_games(world: World) -> None:
    await challenged(world)
    for person in (world.ann, world.bob):
        assert "Ann asks Bob" in told(await person.slash(world.channel, "gipf games"))
    assert "Ann asks" not in told(await world.cara.slash(world.channel, "gipf games"))


async def test_a_challenge_answered_before_it_could_be_posted_is_not_posted(world: World) -> None:
    """A seek taken from the list while Discord refused its message leaves nothing but the board."""
    world.fail("POST", f"/channels/{world.channel.id}/messages", 500)
    await world.ann.slash(world.channel, "gipf challenge")
    assert world.public() == []
    bobs = private(await world.bob.slash(world.channel, "gipf seeks"))
    await world.bob.click(bobs, label="Play against Ann")
    await world.env.advance_time(60)
    assert [buttons(message) for message in world.public()] == [["Move"]]
