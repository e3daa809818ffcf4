"""Challenges and open seeks: who may press what, who is pinged, and what is refused before it is posted."""

import asyncio
from typing import Any

import discord
import pytest
import simcord

from gipfbot.match import REQUEST_LIFETIME, RequestState
from gipfbot.ui.kit import Button, texts
from gipfbot.ui.lobby import lobby_texts
from tests.ui.terms_page import challenge
from tests.ui.world import (
    FOR_EVER,
    World,
    buttons,
    challenge_state,
    challenged,
    counted,
    custom_ids,
    labels,
    options,
    private,
    seat,
    sought,
    told,
)

ACCEPT, DECLINE, WITHDRAW, PLAY = "Accept", "Decline", "Withdraw", "Play"
HOW = texts.HOW_TO_PLAY_LABEL
POST = lobby_texts.POST_SEEK_LABEL, lobby_texts.OTHER_TERMS_LABEL


async def test_challenge_names_terms_and_pings_opponent_alone(world: World) -> None:
    message = await challenged(world, rules="basic", colour="black")
    assert message.content.splitlines()[0] == f"{world.bob.mention} Ann challenges you to GIPF"
    assert "**Basic** · Ann plays Black" in message.content
    (card,) = message.attachments
    assert card.description == "Challenge. GIPF Basic. Ann with Black asks Bob. Time: 3 days for each turn. Rated: no."
    assert buttons(message) == [ACCEPT, DECLINE, HOW]
    assert world.pings(message) == {world.bob.id}
    assert message.embeds == []


async def test_accepting_begins_game_and_pings_first_player(world: World) -> None:
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
    assert buttons(board) == ["Move", "More…", texts.HOW_TO_PLAY_LABEL]


@pytest.mark.parametrize("options", [{}, {"takers": 2}, {"opponent": True}])
async def test_closed_card_says_who_has_white_and_no_random_colours(world: World, options: dict[str, Any]) -> None:
    """The picture of a challenge, which stays, never names random colours. That of a seek, which asks anybody, goes."""
    named = {"opponent": world.bob} if "opponent" in options else options
    await challenge(world.ann, world.channel, **named)
    (message,) = world.public()
    assert "random colours" in message.content
    assert "random" not in (message.attachments[0].description or "")
    for person in (world.bob, world.cara)[: options.get("takers", 1)]:
        assert world.public()[0].attachments
        await world.person(person.id).click(world.public()[0], label=ACCEPT if "opponent" in options else "Play")
    closed, game = world.public()[0], await world.game(options.get("takers", 1))
    assert closed.components == []
    assert f"{game.seats[0].name} has White and begins" in closed.content
    assert "random" not in closed.content
    assert bool(closed.attachments) is ("opponent" in options)


async def test_menu_of_a_person_challenges_them_to_standard(world: World) -> None:
    answer = await world.ann.context_menu(world.channel, "Challenge to GIPF", world.bob)
    assert "Bob has been" in told(answer)
    assert "**Standard** · random colours" in world.public()[-1].content
    assert world.pings(world.public()[-1]) == {world.bob.id}


@pytest.mark.parametrize(
    ("name", "label", "sentence", "offered"),
    [
        ("cara", ACCEPT, "This challenge is for Bob", [HOW, lobby_texts.FIND_OPPONENT_LABEL]),
        ("cara", DECLINE, "This challenge is for Bob", [HOW, lobby_texts.FIND_OPPONENT_LABEL]),
        ("ann", ACCEPT, "your own challenge", [WITHDRAW, HOW]),
        ("ann", DECLINE, "This is your own challenge: withdraw it if you like.", [WITHDRAW, HOW]),
        ("bob", WITHDRAW, "Only Ann can withdraw", [ACCEPT, DECLINE, HOW]),
        ("cara", WITHDRAW, "Only Ann can withdraw", [HOW, lobby_texts.FIND_OPPONENT_LABEL]),
    ],
)
async def test_wrong_person_is_led_on_privately(
    world: World, name: str, label: str, sentence: str, offered: list[str]
) -> None:
    """A card that an earlier version has posted has Withdraw, too."""
    card = await challenged(world)
    assert buttons(card) == [ACCEPT, DECLINE, HOW]
    if label == WITHDRAW:
        row = (Button(WITHDRAW, f"challenge:1:{WITHDRAW.lower()}"),)
        await world.bot.delivery.strip_buttons(world.channel.id, card.id, card.content, (row,))
    person: simcord.MemberActor = getattr(world, name)
    answer = await person.click(world.public()[-1], label=label)
    assert sentence in told(answer)
    assert labels(private(answer)) == offered
    assert await challenge_state(world) is RequestState.OPEN
    assert buttons(world.public()[-1]) == ([WITHDRAW] if label == WITHDRAW else [ACCEPT, DECLINE, HOW])
    assert await counted(world, "games") == 0


async def test_challenge_is_declined(world: World) -> None:
    await world.bob.click(await challenged(world), label=DECLINE)
    await assert_closed(world, RequestState.DECLINED)


async def assert_closed(world: World, ended: RequestState) -> None:
    """Check that a challenge has ended without a game, and that its public message says so."""
    assert await challenge_state(world) is ended
    assert str(ended) in world.public()[-1].content
    assert custom_ids(world.public()[-1]) == set()
    assert bool(world.public()[-1].attachments) is ("open challenge" not in world.public()[-1].content)
    assert await counted(world, "games") == 0


@pytest.mark.parametrize("to", ["bob", ""])
async def test_challenger_withdraws_on_their_own_answer(world: World, to: str) -> None:
    """It then says that the challenge was withdrawn, once."""
    answer = await challenge(world.ann, world.channel, **({"opponent": world.bob} if to else {}))
    assert labels(private(answer))[-1] == WITHDRAW
    pressed = await world.ann.click(private(answer), label=WITHDRAW)
    assert told(pressed).splitlines()[0].endswith("was withdrawn.")
    assert pressed.followups == [], "nothing beside the answer that was pressed"
    await assert_closed(world, RequestState.WITHDRAWN)


@pytest.mark.parametrize("to", ["bob", ""])
async def test_withdrawing_a_taken_challenge_leads_to_its_game(world: World, to: str) -> None:
    answer = await challenge(world.ann, world.channel, **({"opponent": world.bob} if to else {}))
    await world.bob.click(world.public()[-1], label=ACCEPT if to else PLAY)
    pressed = await world.ann.click(private(answer), label=WITHDRAW)
    assert pressed.followups == [], "the answer that was pressed says it all"
    assert told(pressed).splitlines()[0].endswith("was accepted; the board follows." if to else "is taken.")
    assert labels(private(answer)) == [texts.BOARD_LABEL]
    await world.ann.click(private(answer), label=texts.BOARD_LABEL)
    assert "**#a1**" in private(answer).content


@pytest.mark.parametrize("to", ["bob", ""])
async def test_challenger_withdraws_after_a_restart(world: World, to: str) -> None:
    """The list of games leads there, and their own button on the public card."""
    await challenge(world.ann, world.channel, **({"opponent": world.bob} if to else {}))
    await world.restart()
    pressed = await world.ann.click(world.public()[-1], label=ACCEPT if to else PLAY)
    assert labels(private(pressed))[0] == WITHDRAW
    listed = private(await world.ann.slash(world.channel, "gipf games"))
    (name,) = options(listed)
    assert name == ("You challenge Bob" if to else "You're looking for an opponent") + " · Standard"
    await world.ann.select(listed, [options(listed)[name]])
    assert labels(listed)[0] == WITHDRAW
    await world.ann.click(listed, label=WITHDRAW)
    await assert_closed(world, RequestState.WITHDRAWN)


async def test_challenged_person_answers_from_their_list_of_games(world: World) -> None:
    await challenged(world)
    listed = private(await world.bob.slash(world.channel, "gipf games"))
    await world.bob.select(listed, [*options(listed).values()])
    assert labels(listed) == [ACCEPT, DECLINE, HOW]
    await world.bob.click(listed, label=ACCEPT)
    assert await counted(world, "games") == 1


async def test_two_who_accept_at_once_get_one_game(world: World) -> None:
    await sought(world)
    accept = world.bot.app.lobby.accept_challenge
    answers = await asyncio.gather(accept(1, seat(world.bob)), accept(1, seat(world.cara)), return_exceptions=True)
    assert sum(isinstance(answer, Exception) for answer in answers) == 1
    assert await counted(world, "games") == 1


async def test_open_seek_pings_nobody_and_anybody_takes_it(world: World) -> None:
    message = await sought(world, rules="basic", colour="white")
    assert buttons(message) == [PLAY, HOW, lobby_texts.PLAY_BOT_LABEL]
    assert world.pings(message) == set()
    assert "your own open challenge: somebody else has to take it" in told(await world.ann.click(message, label=PLAY))
    await world.cara.click(message, label=PLAY)
    game = await world.game(1)
    assert [seat.user for seat in game.seats] == [world.ann.id, world.cara.id]
    assert world.pings(world.public()[-1]) == {world.ann.id}


async def test_list_of_seeks_takes_and_withdraws_them(world: World) -> None:
    """The public message and the list change. A list opened earlier says that the seek is closed."""
    await sought(world)
    await sought(world, rules="basic")
    mine, bobs, caras = [
        private(await person.slash(world.channel, "gipf seeks")) for person in (world.ann, world.bob, world.cara)
    ]
    assert labels(mine) == ["1 · Withdraw my challenge", "2 · Withdraw my challenge", *POST]
    assert mine.content.splitlines()[1] == lobby_texts.ALREADY_LOOKING
    assert lobby_texts.ALREADY_LOOKING not in bobs.content
    assert labels(bobs) == ["1 · Play against Ann", "2 · Play against Ann", *POST]
    assert [line[:2] for line in bobs.content.splitlines()[1:]] == ["1.", "2."]
    first, second = (row[0]["custom_id"] for row in bobs.rows[:2])
    accepted = told(await world.bob.click(bobs, custom_id=first))
    begins = "You have White and begin" if (await world.game(1)).seats[0].user == world.bob.id else "You have Black"
    link = f"Here is [the board]({world.board(1).jump_url})"
    assert accepted == f"{lobby_texts.UNRATED_AS_NEW.format(game='#a1', name='Ann')} {begins}. {link}."
    late = told(await world.cara.click(caras, custom_id=first))
    assert late == "This open challenge is closed: it was taken. **/gipf seeks** lists those that are still open."
    assert (labels(bobs), "Basic" in bobs.content) == (["1 · Play against Ann", *POST], True), "what is left"
    assert labels(caras) == ["1 · Play against Ann", *POST]
    own = mine.rows[1][0]["custom_id"]
    assert "withdrawn" in told(await world.ann.click(mine, custom_id=own))
    assert mine.content.startswith("Nobody is looking for a game here right now")
    assert labels(mine) == [*POST]
    assert "is closed: it was withdrawn" in told(await world.cara.click(caras, custom_id=second))
    taken, withdrawn, board = world.public()
    assert "open challenge is taken" in taken.content
    assert "withdrawn" in withdrawn.content
    assert custom_ids(taken) == custom_ids(withdrawn) == set()
    assert world.pings(board) <= {world.ann.id, world.bob.id}
    assert "Nobody is looking for a game" in told(await world.cara.slash(world.channel, "gipf seeks"))


async def test_list_of_many_seeks_fits_into_a_message(world: World) -> None:
    for _ in range(30):
        await sought(world)
    answer = private(await world.bob.slash(world.channel, "gipf seeks"))
    assert answer.content.endswith("… and more.")
    assert "the first 5 have buttons below." in answer.content
    assert "To take another, tap its player's name, if it's a link" in answer.content
    assert len(labels(answer)) == 5


async def test_seeks_of_another_server_are_not_listed(world: World) -> None:
    await sought(world)
    other = await world.add_guild("Other")
    cara = other.add_member(world.cara.user)
    assert "Nobody is looking for a game" in told(await cara.slash(other.create_text_channel("gipf"), "gipf seeks"))
    assert "on a server: it lists" in told(await world.bob.user.slash("gipf seeks"))


@pytest.mark.parametrize(
    ("whom", "sentence"),
    [
        ("ann", "can't challenge yourself"),
        ("robot", "Other bots don't"),
        ("stranger", "cannot see this channel"),
    ],
)
async def test_oneself_bots_and_strangers_cannot_be_challenged(world: World, whom: str, sentence: str) -> None:
    """Nothing is posted or stored."""
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
    [("view_channel", "View Channel"), ("send_messages", "Send Messages"), ("attach_files", "Attach Files")],
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
    """A game can be played in a thread if the bot may write in threads only."""
    bot = world.bot.user
    assert bot
    threads_only = discord.PermissionOverwrite(send_messages=False, send_messages_in_threads=True)
    channel = world.guild.create_text_channel("threads", overwrites={bot: threads_only})
    place = world.bot.get_channel(channel.id)
    assert isinstance(place, discord.TextChannel)
    await place.create_thread(name="game", type=discord.ChannelType.public_thread)
    await world.env.settle()
    assert "Send Messages" in told(await world.ann.slash(channel, "gipf challenge", opponent=world.bob))
    game_id = await world.begin("basic", channel.threads[-1])
    answer = await world.ann.slash(channel.threads[-1], "move", notation="c2")
    assert told(answer).startswith("Played")
    assert world.pings(world.board(game_id, channel.threads[-1])) == {world.bob.id}


async def test_no_challenge_in_a_private_chat(world: World) -> None:
    assert "in a server" in told(await world.ann.user.slash("gipf challenge"))
    assert "in a server" in told(await world.ann.user.slash("gipf challenge", opponent=world.bob.user))
    assert await counted(world, "challenges") == 0


async def test_list_of_games_shows_open_challenges(world: World) -> None:
    await challenged(world)
    for person, said in ((world.ann, "You challenge Bob"), (world.bob, "Ann challenges you")):
        assert f"• [{said}](" in told(await person.slash(world.channel, "gipf games"))
    assert "challenge Bob" not in told(await world.cara.slash(world.channel, "gipf games"))


async def test_challenge_answered_before_posting_is_not_posted(world: World) -> None:
    """If a seek is taken from the list before its message is posted, only the board is posted."""
    world.fail("POST", f"/channels/{world.channel.id}/messages", 500)
    await world.ann.slash(world.channel, "gipf challenge")
    assert world.public() == []
    bobs = private(await world.bob.slash(world.channel, "gipf seeks"))
    await world.bob.click(bobs, label="1 · Play against Ann")
    await world.env.advance_time(60)
    assert [buttons(message) for message in world.public()] == [["Move", "More…", texts.HOW_TO_PLAY_LABEL]]


async def test_seek_in_hidden_channel_is_neither_listed_nor_taken(world: World) -> None:
    """An older button does not take it either. A thread is as visible as its channel."""
    never = discord.PermissionOverwrite(view_channel=False)
    hidden = world.guild.create_text_channel("hidden", overwrites={world.bob: never})
    await world.ann.slash(hidden, "gipf challenge")
    place = world.bot.get_channel(hidden.id)
    assert isinstance(place, discord.TextChannel)
    await place.create_thread(name="game", type=discord.ChannelType.public_thread)
    await world.env.settle()
    await world.ann.slash(hidden.threads[-1], "gipf challenge")
    assert "Nobody is looking for a game" in told(await world.bob.slash(world.channel, "gipf seeks"))
    caras = private(await world.cara.slash(world.channel, "gipf seeks"))
    assert labels(caras) == ["1 · Play against Ann", "2 · Play against Ann", *POST]
    member = world.bot.get_guild(world.guild.id)
    assert member
    await place.set_permissions(await member.fetch_member(world.cara.id), view_channel=False)
    await world.env.settle()
    answer = await world.cara.click(caras, custom_id="challenge:1:accept")
    assert "You can't see the channel of this open challenge" in told(answer)
    assert await challenge_state(world) is RequestState.OPEN


async def test_closed_challenge_loses_its_buttons_at_the_next_press(world: World) -> None:
    """Its message then says what became of it."""
    message = await challenged(world)
    await world.bot.app.lobby.decline_challenge(1, world.bob.id)
    assert "it was declined. **/gipf challenge** starts a new one" in told(await world.bob.click(message, label=ACCEPT))
    assert "was declined" in world.public()[-1].content
    assert buttons(world.public()[-1]) == []


async def test_expired_challenge_says_so_before_the_next_sweep(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    message = await challenged(world)
    later = world.bot.app.now() + REQUEST_LIFETIME
    monkeypatch.setattr(world.bot.app.lobby, "now", lambda: later)
    assert "it has expired" in told(await world.bob.click(message, label=ACCEPT))
    assert "has expired unanswered" in world.public()[-1].content
    assert buttons(world.public()[-1]) == []


async def test_board_comes_though_challenge_message_cannot_be_edited(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    message = await challenged(world)
    world.fail("PATCH", "/webhooks/*/messages/@original", 500, times=FOR_EVER)
    await world.bob.click(message, label=ACCEPT)
    world.heal()
    assert buttons(world.public()[-1]) == ["Move", "More…", texts.HOW_TO_PLAY_LABEL]
    caplog.clear()


async def test_challenging_back_leads_to_the_open_challenge(world: World) -> None:
    message = await challenged(world)
    for answer in (
        await world.bob.slash(world.channel, "gipf challenge", opponent=world.ann, pace="3"),
        await world.bob.context_menu(world.channel, "Challenge to GIPF", world.ann),
    ):
        assert told(answer).startswith(f"Ann [has challenged you]({message.jump_url}) already, so nothing was posted.")
    assert await counted(world, "challenges") == await counted(world, "outbox") == 1


async def test_list_of_games_with_challenges_fits_into_a_message(world: World) -> None:
    """The names are as long as possible."""
    odd = world.guild.add_member(world.env.create_user("odd", global_name="*" * 32))
    for _ in range(12):
        await odd.slash(world.channel, "gipf challenge", opponent=world.ann)
    shown = told(await odd.slash(world.channel, "gipf games"))
    assert shown.count("• [") == 12
    for _ in range(12):
        await odd.slash(world.channel, "gipf challenge", opponent=world.bob, rules="tournament")
        await world.bob.click(world.public()[-1], label=ACCEPT)
    first = private(await odd.slash(world.channel, "gipf games"))
    assert len(first.content) < 4000
    await odd.click(first, label="▶")
    shown = first.content
    assert shown.startswith("**Your games** · page 2 of 2")
    assert "**Open challenges**" in shown
    assert shown.count("• [") == 12
    assert len(shown) < 4000
    assert all(line == line.rstrip() for line in shown.splitlines())


@pytest.mark.parametrize(
    "custom_id",
    [
        "challenge:x:accept",
        "challenge:1",
        "challenge:1:eat",
        "challenge:1:accept:2",
        "end_game:1:resign",
        "end_game:x:0:resign",
    ],
)
async def test_button_of_another_version_is_answered(world: World, custom_id: str) -> None:
    await challenged(world)
    place = world.bot.get_channel(world.channel.id)
    assert isinstance(place, discord.TextChannel)
    view: discord.ui.View = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="Old", custom_id=custom_id))
    message = await place.send("old", view=view)
    view.stop()
    assert "This button is out of date" in told(await world.bob.click(message, label="Old"))
    assert await challenge_state(world) is RequestState.OPEN


async def test_first_challenge_says_that_it_is_not_rated_and_how_it_would_be(world: World) -> None:
    sent = told(await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob))
    assert "**rated:True**" in sent
    assert world.public()[-1].content.splitlines()[1].endswith(" · not rated")
    rated = told(await world.ann.slash(world.channel, "gipf challenge", opponent=world.cara, rated=True))
    assert "**rated:True**" not in rated
    assert world.public()[-1].content.splitlines()[1].endswith(" · rated")


async def test_open_challenge_says_what_decides_whether_it_is_rated(world: World) -> None:
    seek = await sought(world)
    assert seek.content.splitlines()[1].endswith(" · rated unless it is somebody's first game")
    assert (seek.attachments[0].description or "").endswith("Rated: unless it is a first game.")


async def test_taker_reads_why_a_game_is_not_rated_only_if_newcomers_decide_it(world: World) -> None:
    for seek in [await sought(world, rated=False), await sought(world, rules="overboard")]:
        assert "against Ann (not rated). " in told(await world.bob.click(seek, label="Play"))


async def test_rated_overboard_is_answered_by_a_note(world: World) -> None:
    sent = told(
        await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob, rules="overboard", rated=True)
    )
    assert sent.endswith("Games of Overboard are never rated.")
    _, terms, changed, _ = world.public()[-1].content.splitlines()
    assert terms.endswith(" · not rated")
    assert "A row seldom decides it" in changed
