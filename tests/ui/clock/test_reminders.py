"""Reminders arrive by direct message, or in the game's channel where direct messages are closed."""

import pytest

from gipfbot.app import create_bot
from gipfbot.ui.clock import reminder_texts
from gipfbot.values import NO_LIMITS
from tests.support.times import DAY, HOUR
from tests.ui.table import Desk
from tests.ui.timed_games import SHUT, letters, limited
from tests.ui.world import FOR_EVER, World, buttons, custom_ids, labels, looks_seldom, private, told

pytestmark = [pytest.mark.simcord(settle_timeout=60), pytest.mark.looks_every(4)]
OFF = [reminder_texts.OFF_FOR_TURN_LABEL, reminder_texts.OFF_FOR_GAME_LABEL, reminder_texts.OFF_FOR_GOOD_LABEL]


async def test_one_reminder_a_turn_comes_by_direct_message(world: World) -> None:
    game_id = await limited(world)
    posted = len(world.public())
    await world.env.advance_time(2 * DAY)
    assert letters(world) == []
    await world.env.advance_time(10 * HOUR)
    (letter,) = letters(world)
    assert letter.content.startswith("Your turn in #a1 vs Bob: 1")
    assert "hours left" in letter.content.splitlines()[0]
    assert world.board(game_id).jump_url in letter.content
    assert len(letter.attachments) == 1
    assert buttons(letter) == ["Move", *OFF]
    assert len(world.public()) == posted
    await world.env.advance_time(4 * HOUR)
    assert len(letters(world)) == 1
    assert letters(world, world.bob) == []


async def test_button_of_a_reminder_opens_the_desk(world: World) -> None:
    game_id = await limited(world)
    await world.env.advance_time(2 * DAY + 10 * HOUR)
    desk = private(await world.ann.user.click(letters(world)[0], label="Move"))
    assert "your turn 1 as White" in desk.content
    assert [buttons(letter)[0] for letter in letters(world)] == ["Move"], "the reminder stays"
    for label in ("c1", "→ c2"):
        await world.ann.user.click(desk, label=label)
    assert await world.confirmed(desk.content) == "c2", "three presses from the direct message"
    assert (await world.game(game_id)).turn_number == 1


async def test_buttons_turn_reminders_off(world: World) -> None:
    game_id = await limited(world)
    await world.env.advance_time(2 * DAY + 10 * HOUR)
    (letter,) = letters(world)
    assert "Reminders are off in **#a1**" in told(
        await world.ann.user.click(letter, label=reminder_texts.OFF_FOR_GAME_LABEL)
    )
    assert "Reminders are off in #a1." in told(await world.ann.slash(world.channel, "gipf-me reminders"))
    assert "Reminders are off in all games" in told(
        await world.ann.user.click(letter, label=reminder_texts.OFF_FOR_GOOD_LABEL)
    )
    assert "Reminders: off." in told(await world.ann.slash(world.channel, "gipf-me reminders"))
    for person, turn in ((world.ann, "c2"), (world.bob, "g2")):
        await person.slash(world.channel, "move", notation=turn)
    await world.env.advance_time(2 * DAY + 20 * HOUR)
    assert len(letters(world)) == 1
    assert "10 % of time left" in told(await world.ann.slash(world.channel, "gipf-me reminders", when="10%"))
    assert (await world.game(game_id)).turn_number == 2


async def test_reminders_go_off_for_a_turn_and_on_again(world: World) -> None:
    """The answer is a message of its own. Its buttons change it, and the reminder stays."""
    game_id = await limited(world)
    await world.env.advance_time(2 * DAY + 10 * HOUR)
    (letter,) = letters(world)
    shown = Desk(world.ann, await world.ann.user.click(letter, label=reminder_texts.OFF_FOR_TURN_LABEL))
    assert "off for this turn in **#a1** vs Bob" in shown.text
    assert shown.labels == [reminder_texts.REMIND_AGAIN_LABEL, reminder_texts.OFF_FOR_GAME_LABEL]
    off = told(await world.ann.slash(world.channel, "gipf-me reminders"))
    assert "off for this turn in #a1." in off
    await world.ann.user.click(shown.message, label=reminder_texts.REMIND_AGAIN_LABEL)
    assert shown.text.startswith("Reminders are on in **#a1** vs Bob.")
    assert "No more reminders this turn." in shown.text
    assert shown.labels == [reminder_texts.OFF_FOR_TURN_LABEL, reminder_texts.OFF_FOR_GAME_LABEL]
    await world.ann.user.click(shown.message, label=reminder_texts.OFF_FOR_GAME_LABEL)
    assert "Reminders are off in **#a1** vs Bob. Turn them on with the button" in shown.text
    assert shown.labels == [reminder_texts.REMIND_AGAIN_LABEL]
    assert [message.content for message in letters(world)] == [letter.content]
    await world.ann.slash(world.channel, "move", notation="c2")
    assert "moved on" in told(await world.ann.user.click(letter, label=reminder_texts.OFF_FOR_TURN_LABEL))
    await world.bot.app.games.resign(game_id, world.bob.id)
    for label in (reminder_texts.OFF_FOR_TURN_LABEL, reminder_texts.OFF_FOR_GAME_LABEL):
        assert "This game is over" in told(await world.ann.user.click(letter, label=label))


async def test_command_shows_and_changes_reminders_of_one_game(world: World) -> None:
    await limited(world)
    await world.begin("basic")
    found = await world.ann.autocomplete(world.channel, "gipf-me reminders", "game", "")
    assert [choice["value"] for choice in found] == ["#a1", "#b1"]
    shown = Desk(world.ann, await world.ann.slash(world.channel, "gipf-me reminders", game="#a1"))
    assert shown.text.startswith("Reminders are on in **#a1** vs Bob.\nOne reminder a turn")
    assert "This turn's reminder comes <t:" in shown.text
    await shown.press(reminder_texts.OFF_FOR_TURN_LABEL)
    assert "They're back on from your next turn." in shown.text
    await shown.press(reminder_texts.REMIND_AGAIN_LABEL)
    assert "This turn's reminder comes <t:" in shown.text
    other = Desk(world.bob, await world.bob.slash(world.channel, "gipf-me reminders", game="#a1"))
    assert other.labels == [reminder_texts.OFF_FOR_GAME_LABEL], "it is not his turn"
    assert "This turn" not in other.text
    untimed = told(await world.ann.slash(world.channel, "gipf-me reminders", game="b1"))
    assert "It has no time limit: one reminder a week, at most 4 a turn." in untimed
    assert "This turn's next reminder comes <t:" in untimed
    assert "In games with no time limit: one reminder a week" in told(
        await world.ann.slash(world.channel, "gipf-me reminders")
    )
    await world.ann.slash(world.channel, "gipf-me reminders", when="off")
    assert "off in all your games" in told(await world.ann.slash(world.channel, "gipf-me reminders", game="#a1"))
    await world.ann.slash(world.channel, "gipf-me reminders", digest="8", zone="utc")
    assert "Your digest lists **#b1**" in told(await world.ann.slash(world.channel, "gipf-me reminders", game="#b1"))


async def test_reminders_of_a_game_one_does_not_play_are_refused(world: World) -> None:
    game_id = await limited(world)
    await world.bot.app.reminders.set_wish(world.ann.id, "12h")
    for person, options, said in (
        (world.ann, {"game": "first"}, "`first` isn't a game"),
        (world.ann, {"game": "#z9"}, "There is no such game"),
        (world.cara, {"game": "#a1"}, "You do not play in this game"),
        (world.ann, {"game": "#a1", "when": "2h"}, "Nothing was changed"),
    ):
        assert said in told(await person.slash(world.channel, "gipf-me reminders", **options))
    assert (await world.bot.app.reminders.reminder_settings(world.ann.id)).wish == "12h"
    await world.bot.app.games.resign(game_id, world.bob.id)
    assert "This game is over" in told(await world.ann.slash(world.channel, "gipf-me reminders", game="#a1"))


async def test_player_who_has_moved_is_not_reminded(world: World) -> None:
    await limited(world)
    await world.env.advance_time(2 * DAY)
    await world.ann.slash(world.channel, "move", notation="c2")
    await world.env.advance_time(DAY)
    assert letters(world) == []
    await world.env.advance_time(DAY + 12 * HOUR)
    (letter,) = letters(world, world.bob)
    assert letter.content.splitlines()[0].endswith("Ann played b1 → c2")


async def test_player_with_closed_messages_is_pinged_in_the_channel(world: World) -> None:
    """After the 403 nothing more is sent there until the person uses a command in direct messages."""
    game_id = await limited(world)
    dm = f"/channels/{world.ann.user.dm_channel.id}/messages"
    world.fail("POST", dm, *SHUT, times=FOR_EVER)
    await world.env.advance_time(2 * DAY + 12 * HOUR)
    call = world.public()[-1]
    assert "your turn in #a1 vs Bob: " in call.content
    assert world.pings(call) == {world.ann.id}
    assert buttons(call) == ["Move", *OFF]
    for other in (world.bob, world.cara):
        for label in OFF:
            assert told(await other.click(call, label=label)).startswith("This reminder is for Ann.")
    assert (await world.bot.app.reminders.reminder_settings(world.bob.id)).quiet_games == ()
    assert "off for this turn" in told(await world.ann.click(call, label=reminder_texts.OFF_FOR_TURN_LABEL))
    assert "can't send you direct messages" in told(await world.ann.slash(world.channel, "gipf-me reminders"))
    tried = len(world.env.http_requests)
    for turn in ("c2", "g2"):
        await world.player(await world.game(game_id)).slash(world.channel, "move", notation=turn)
    await world.env.advance_time(2 * DAY + 12 * HOUR)
    assert "your turn in #a1 vs Bob: " in world.public()[-1].content
    assert not [call for call in world.env.http_requests[tried:] if (call.method, call.path) == ("POST", dm)]
    world.heal()
    await world.ann.user.slash("gipf games")
    assert "closed" not in told(await world.ann.slash(world.channel, "gipf-me reminders"))


@pytest.mark.looks_every(24)
async def test_a_game_without_a_time_limit_is_reminded_of_weekly(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty days without a move give four letters, one a week, and nothing in the channel, also with a restart."""
    await world.begin("basic")
    posted, weeks = len(world.public()), list[int]()
    for days in (7, 7, 7, 7, 7, 7, 7, 11):
        await world.env.advance_time(days * DAY + (0 if weeks else HOUR))
        weeks.append(len(letters(world)))
        if len(weeks) == 2:
            await world.bot.close()
            world.bot = create_bot(world.store, limits=NO_LIMITS)
            looks_seldom(world.bot, 24, monkeypatch)
            await world.env.restart_bot(world.bot)
    assert weeks == [1, 2, 3, 4, 4, 4, 4, 4]
    first, about, link = letters(world)[0].content.splitlines()
    assert first == "Your turn in #a1 vs Bob, for 7 days now"
    assert about == "This game has no time limit: one reminder a week, at most 4 a turn."
    assert world.board().jump_url in link
    assert buttons(letters(world)[0]) == ["Move", *OFF]
    assert len(world.public()) == posted
    assert "No more reminders this turn." in told(await world.ann.slash(world.channel, "gipf-me reminders", game="#a1"))


@pytest.mark.looks_every(24)
async def test_without_direct_messages_a_game_without_a_time_limit_is_called_for_once(world: World) -> None:
    await world.begin("basic")
    world.fail("POST", f"/channels/{world.ann.user.dm_channel.id}/messages", *SHUT, times=FOR_EVER)
    posted = len(world.public())
    await world.env.advance_time(30 * DAY)
    (call,) = world.public()[posted:]
    assert call.content == f"<@{world.ann.id}> your turn in #a1 vs Bob, for 7 days now"
    assert world.pings(call) == {world.ann.id}
    shown = told(await world.ann.slash(world.channel, "gipf-me reminders", game="#a1"))
    assert "it reminds you in the game's channel, once a turn" in shown
    assert "No more reminders this turn." in shown


async def test_rate_limited_direct_message_is_retried(world: World) -> None:
    await limited(world)
    world.fail("POST", "/users/@me/channels", 400, 40003, times=1)
    await world.env.advance_time(2 * DAY + 10 * HOUR)
    await world.env.advance_time(4 * HOUR)
    assert len(letters(world)) == 1


async def test_postponed_reminder_is_dropped_once_the_player_moves(world: World) -> None:
    await limited(world)
    world.fail("POST", "/users/@me/channels", 400, 40003, times=FOR_EVER)
    await world.env.advance_time(2 * DAY + 10 * HOUR)
    await world.ann.slash(world.channel, "move", notation="c2")
    world.heal()
    await world.env.advance_time(12 * HOUR)
    assert letters(world) == []
    assert len(world.public()) == 3


async def test_waiting_player_nudges_from_the_private_board(world: World) -> None:
    """The player is pinged once a turn. The button is shown only where it works."""
    game_id = await limited(world)
    assert reminder_texts.NUDGE_LABEL not in labels(private(await world.bob.slash(world.channel, "gipf board")))
    await world.env.advance_time(DAY + HOUR)
    shown = private(await world.bob.slash(world.channel, "gipf board"))
    assert labels(shown)[0] == reminder_texts.NUDGE_LABEL
    assert reminder_texts.NUDGE_LABEL not in labels(private(await world.ann.slash(world.channel, "gipf board")))
    assert told(await world.bob.click(shown, label=reminder_texts.NUDGE_LABEL)) == reminder_texts.NUDGE_SENT
    nudge = world.public()[-1]
    assert "Bob is waiting for your turn in #a1" in nudge.content
    assert world.pings(nudge) == {world.ann.id}
    assert custom_ids(nudge) == {f"board:{game_id}:0"}
    assert "already" in told(await world.bob.click(shown, label=reminder_texts.NUDGE_LABEL))
    assert reminder_texts.NUDGE_LABEL not in labels(private(await world.bob.slash(world.channel, "gipf board")))
    await world.ann.slash(world.channel, "move", notation="c2")
    assert "moved on" in told(await world.bob.click(shown, label=reminder_texts.NUDGE_LABEL))
