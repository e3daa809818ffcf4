"""The list of games, notes and the digest of a player with many games."""

import re

import pytest
import simcord
from sqlalchemy import update

from gipfbot.match import Seat, Terms, days_per_turn
from gipfbot.rules import BASIC
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.play.games import LONGEST_NOTE
from gipfbot.service.watching.follows import MOST_FOLLOWS
from gipfbot.store import games, tables
from gipfbot.ui.clock import reminder_texts
from gipfbot.ui.kit import texts
from gipfbot.ui.play import game_texts
from gipfbot.ui.play.game_list import TURN_BEGUN
from gipfbot.ui.watching import watching_texts
from gipfbot.values import News
from tests.support.times import HOUR
from tests.ui.listed_games import listed_ids, press_listed
from tests.ui.positions import GIPF_ROW
from tests.ui.table import Desk, ask_takeback, open_desk, open_note, write_note
from tests.ui.timed_games import letters, limited
from tests.ui.world import World, buttons, full_custom_id, labels, options, private, seat, told

pytestmark = [pytest.mark.simcord(settle_timeout=60), pytest.mark.looks_every(1)]


async def added(world: World, number: int, *, days: int | None = None, own: bool = True) -> None:
    """Add games without boards that wait for Ann; with `own=False` for Bob."""
    players = (seat(world.ann), seat(world.bob)) if own else (seat(world.bob), seat(world.ann))
    terms = Terms(days_per_turn(days) if days else None)
    async with world.store.transaction() as db:
        for _ in range(number):
            await games.add_game(db, BASIC, players, world.home, world.bot.app.now(), terms)


async def test_pages_of_ten_with_a_button_for_each_game(world: World) -> None:
    """The most urgent game is at the bottom, then come untimed ones, then those of others. Stale buttons work."""
    await added(world, 12)
    await added(world, 2, own=False)
    await added(world, 1, days=3)
    await added(world, 1, days=1)
    await write_note(world.ann, await open_note(world, world.ann, game="#a1"), "closed: e5 _stays_")
    shown = Desk(world.ann, await world.ann.slash(world.channel, "gipf games"))
    assert listed_ids(shown) == [*range(8, 0, -1), 15, 16]
    assert shown.labels == [*(f"Move {game_name(game)}" for game in listed_ids(shown)), "◀", "▶", "Ended games"]
    lines = shown.text.splitlines()
    assert lines[:2] == ["**Your games** · page 1 of 2", "**Waiting for you** · 14"]
    assert lines[2].startswith("**#h1** vs Bob")
    assert lines[-6] == "-# closed: e5 \\_stays\\_"
    clocks = {game: (await world.game(game)).clock for game in (15, 16)}
    due = {game: f"due <t:{clock.deadline}:R>" for game, clock in clocks.items() if clock}
    assert lines[-5:] == [
        "**#o1** vs Bob · you're White",
        "**New:** Basic · you begin",
        due[15],
        f"**Next, most urgent: #p1 vs Bob · {due[16]}** · you're White",
        "**New:** Basic · you begin",
    ]
    assert [button["label"] for button in shown.message.rows[-1]] == ["Move #p1", "◀", "▶", "Ended games"]
    await shown.press("▶")
    assert shown.text.startswith("**Your games** · page 2 of 2\n**Waiting for others** · 2\n")
    assert "\n**Waiting for you** · 14\n" in shown.text
    assert "Next:" not in shown.text
    assert listed_ids(shown) == [*range(14, 8, -1)]
    assert [label.split()[0] for label in shown.labels] == ["Board"] * 2 + ["Move"] * 4 + ["◀", "▶", "Ended"]
    for game_id in range(1, 8):
        await world.bot.app.games.resign(game_id, world.bob.id)
    await shown.press("◀")
    assert "page" not in shown.text
    assert listed_ids(shown) == [*range(14, 7, -1), 15, 16]
    assert [label.split()[0] for label in shown.labels] == ["Board"] * 2 + ["Move"] * 7 + ["Ended"]
    await press_listed(shown, "#m1")
    assert "waiting for Bob" in shown.text
    shown = Desk(world.ann, await world.ann.slash(world.channel, "gipf games"))
    await press_listed(shown, "#o1")
    assert "your turn 1 as White" in shown.text
    played = private(await world.ann.slash(world.channel, "move", notation="c2", game="#h1"))
    assert "6 more games wait for you." in played.content
    assert labels(played)[-1] == "Next: #p1 vs Bob"


async def test_what_the_list_opened_leads_back_to_its_page(world: World) -> None:
    """A board and a desk have a way back in every state, also after the turn. Only what the list opened has it."""
    await added(world, 11)
    await added(world, 1, own=False)
    shown = Desk(world.ann, await world.ann.slash(world.channel, "gipf games"))
    await shown.press("▶")
    await press_listed(shown, "#l1")
    assert "waiting for Bob" in shown.text
    await shown.press(texts.ALL_GAMES_LABEL)
    assert shown.text.startswith("**Your games** · page 2 of 2")
    await press_listed(shown, "#k1")
    await shown.press("b1")
    assert texts.ALL_GAMES_LABEL in shown.labels
    await world.restart()
    await shown.press(shown.answers[0])
    assert await world.confirmed(shown.text)
    listed = private(await world.ann.click(shown.message, label=texts.ALL_GAMES_LABEL)).content
    assert listed.startswith("**Your games** · page 2 of 2")
    assert "#k1" in listed.partition("**Waiting for others**")[2].partition("**Waiting for you**")[0]
    for command in ("gipf board", "move"):
        alone = private(await world.ann.slash(world.channel, command, game="#a1"))
        assert texts.ALL_GAMES_LABEL not in labels(alone)


async def test_list_says_what_is_new_once(world: World) -> None:
    """New is what the opponent did since the person last looked at the list. Each player has a look of their own."""
    await world.begin("basic")
    assert "**New:** Basic · you begin" in await listed(world)
    assert "New" not in await listed(world)
    await world.ann.slash(world.channel, "move", notation="c2")
    assert "**New:** Ann played b1 → c2" in await listed(world, world.bob)
    assert "New" not in await listed(world, world.bob)
    assert "**1. White:** b1 → c2" in await listed(world)
    await world.bob.slash(world.channel, "move", notation="g2")
    assert "**New:** Bob played g1 → g2" in await listed(world)
    seen = await listed(world)
    assert "**1. Black:** g1 → g2" in seen
    assert f"**Next: [#a1]({world.board().jump_url}) vs Bob · " in seen
    await ask_takeback(world, world.bob)
    for _ in range(2):
        assert "Bob asks to take back their last turn" in await listed(world)
    assert "asks" not in await listed(world, world.bob)
    await world.ann.click(world.public()[-1], label="Accept")
    assert "**New:** a turn was taken back" in await listed(world)
    assert "asks" not in await listed(world)


async def test_request_leaves_the_list_when_the_game_goes_on(world: World) -> None:
    """The request itself is closed later."""
    await world.begin("basic")
    await world.ann.slash(world.channel, "move", notation="c2")
    await ask_takeback(world, world.ann)
    assert "Ann asks to take back their last turn" in await listed(world, world.bob)
    await world.bob.slash(world.channel, "move", notation="g2")
    assert "asks" not in await listed(world, world.bob)


async def test_only_the_page_that_was_shown_has_been_seen(world: World) -> None:
    await added(world, 11)
    shown = Desk(world.ann, await world.ann.slash(world.channel, "gipf games"))
    assert shown.text.count("**New:**") == 10
    shown = Desk(world.ann, await world.ann.slash(world.channel, "gipf games"))
    assert shown.text.count("**New:**") == 0
    await shown.press("▶")
    assert shown.text.count("**New:**") == 1


async def test_a_spectator_without_games_reads_what_they_follow(world: World) -> None:
    """A player's list has no room for it."""
    await world.begin("basic")
    where = watching_texts.WHERE_TO_WATCH
    assert (await listed(world, world.cara)).endswith(f"{texts.NO_RUNNING_GAMES}\n{where}")
    follows = world.bot.app.follows
    await follows.follow_game(world.cara.id, 1, News.EACH_TURN)
    for number in range(MOST_FOLLOWS - 1):
        await follows.follow_player(world.cara.id, Seat(number + 1, f"{number:*^32}"), News.RESULT)
    said = await listed(world, world.cara)
    assert "\n**You follow**: **#a1** Ann vs Bob, **" in said
    assert said.endswith(f" and {MOST_FOLLOWS - 3} more. **/gipf follow** changes that. {where}")
    assert where not in await listed(world)


async def test_ended_games_are_named_once(world: World) -> None:
    """A game that the list has never shown is not missed. Without running games, the list says so, too."""
    for _ in range(2):
        await world.begin("basic")
    await listed(world)
    await world.bot.app.games.resign(1, world.bob.id)
    await world.bot.app.games.cancel_game(2, world.bob.id)
    said = await listed(world)
    assert texts.NO_RUNNING_GAMES in said
    assert ")** vs Bob · you won" in said
    assert ")** vs Bob · cancelled" in said
    assert "Ended" not in await listed(world)
    assert "Ended" not in await listed(world, world.bob)


async def test_claim_stands_in_the_list_of_the_person_warned(world: World) -> None:
    await world.begin("basic")
    async with world.store.transaction() as db:
        await db.execute(update(tables.games).values(changed_at=0))
    await world.bot.app.win_claims.claim_win(1, world.bob.id)
    assert "Bob claims the win: play, or lose <t:" in await listed(world)
    assert "claims" not in await listed(world, world.bob)
    for person, turn in ((world.ann, "c2"), (world.bob, "g2")):
        await person.slash(world.channel, "move", notation=turn)
        assert "claims" not in await listed(world) + await listed(world, world.bob)


async def listed(world: World, person: simcord.MemberActor | None = None) -> str:
    """Return the list of a person's games, Ann's unless another is named."""
    return told(await (person or world.ann).slash(world.channel, "gipf games"))


async def test_a_note_is_shown_to_its_writer_alone(world: World) -> None:
    game_id = await world.begin("basic")
    shown = await open_note(world, world.ann)
    await write_note(world.ann, shown, "watch *c5*")
    assert "Your note on #a1" in shown.text
    assert "-# watch \\*c5\\*" in told(await world.ann.slash(world.channel, "gipf board"))
    assert "-# watch \\*c5\\*" in (await open_desk(world, game_id)).text
    for person in (world.bob, world.cara):
        assert "watch" not in told(await person.slash(world.channel, "gipf board", game="#a1"))
    assert "do not play in this game" in (await open_note(world, world.cara, game="#a1")).text


async def test_note_form_opens_with_the_note_there_is(world: World) -> None:
    """An empty form removes the note, if there was one."""
    await world.begin("basic")
    shown = await open_note(world, world.ann)
    assert shown.labels == [game_texts.WRITE_NOTE_LABEL, texts.BACK_TO_GAME_LABEL]
    await write_note(world.ann, shown, "watch *c5*")
    assert shown.labels == [game_texts.EDIT_NOTE_LABEL, texts.BACK_TO_GAME_LABEL]
    form = await write_note(world.ann, shown, "two\nlines")
    assert "watch *c5*" in form
    assert "-# two\n-# lines" in shown.text
    assert "-# two\n-# lines" in told(await world.ann.slash(world.channel, "gipf board"))
    again = await open_note(world, world.ann)
    await write_note(world.ann, again, "three")
    form = await write_note(world.ann, shown, " ")
    assert "three" in form
    assert "You have no note on #a1" in shown.text
    assert "-# three" in again.text
    assert "-# three" not in told(await world.ann.slash(world.channel, "gipf board"))


async def test_form_without_the_note_does_not_erase_it(world: World) -> None:
    """The bot has restarted. Text in the form replaces the note, an empty form keeps it."""
    await world.begin("basic")
    shown = await open_note(world, world.ann)
    await write_note(world.ann, shown, "the first")
    await world.restart()
    form = await write_note(world.ann, shown, "")
    assert "the first" not in form
    assert game_texts.UNKNOWN_NOTE_HINT.format(count=LONGEST_NOTE) in form
    assert "-# the first" in shown.text
    await world.restart()
    await write_note(world.ann, shown, "the second")
    assert "-# the second" in told(await world.ann.slash(world.channel, "gipf board"))


async def test_a_note_is_for_the_game_that_is_picked(world: World) -> None:
    await added(world, 2)
    await write_note(world.ann, await open_note(world, world.ann, game="#b1"), "the second")
    asked = await open_note(world, world.ann)
    assert game_texts.WHICH_GAME_TO_NOTE in asked.text
    await asked.choose("#b1 vs Bob")
    assert "-# the second" in asked.text
    assert "the second" not in (await open_note(world, world.ann, game="#a1")).text


async def test_digest_comes_at_the_chosen_hour(world: World) -> None:
    """The time zone is asked for. The digest has a button for each desk, and one that turns digests off."""
    game_id = await limited(world)
    await added(world, 1)
    hour = (world.bot.app.now() // HOUR + 3) % 24
    asked = Desk(world.ann, await world.ann.slash(world.channel, "gipf-me reminders", digest=str(hour)))
    assert f"{hour}:00 in which time zone?" in asked.text
    assert len(options(asked.message)) <= 25
    assert "The next one comes" not in told(await world.ann.slash(world.channel, "gipf-me reminders"))
    (azores,) = (said for said in options(asked.message) if "Azores" in said)
    await asked.choose(azores)
    assert f"Daily digest: at **{hour}:00** your time. The next one comes <t:" in asked.text
    assert "Time zone: **Atlantic/Azores**, where it is" in asked.text
    said = told(await world.ann.slash(world.channel, "gipf-me reminders", zone="utc"))
    assert f"Daily digest: at **{hour}:00** your time. The next one comes <t:" in said
    assert "Time zone: **UTC**, where it is" in said
    await world.env.advance_time(3 * HOUR + 600)
    (digest,) = letters(world)
    first = digest.content.splitlines()[0]
    assert first.startswith("Your turn in 2 games, most urgent: #a1 vs Bob, 2 days")
    assert buttons(digest) == ["#a1", "#b1", texts.ALL_GAMES_LABEL, reminder_texts.NO_DIGESTS_LABEL]
    desk = private(await world.ann.user.click(digest, label="#a1"))
    assert "**#a1** vs Bob · your turn 1 as White" in desk.content
    assert letters(world)[0].content == digest.content
    shown = Desk(world.ann, await world.ann.user.select(digest, ["2"], custom_id=full_custom_id(digest, "quiet_game")))
    assert shown.text.startswith("Your digest lists **#b1** vs Bob")
    assert shown.labels == [reminder_texts.OFF_FOR_TURN_LABEL, reminder_texts.OFF_FOR_GAME_LABEL]
    await world.ann.user.click(shown.message, label=reminder_texts.OFF_FOR_TURN_LABEL)
    assert "off for this turn in **#b1** vs Bob. Your digest leaves this game out, too." in shown.text
    assert letters(world)[0].content == digest.content
    await world.env.advance_time(24 * HOUR)
    later = letters(world)[-1]
    assert later.content.startswith("Your turn in #a1 vs Bob: 1 day")
    off = told(await world.ann.user.click(digest, label=reminder_texts.NO_DIGESTS_LABEL))
    assert "Daily digest: off." in off
    assert "25 % of time left" in off
    assert (await world.bot.app.digests.plan(world.ann.id)).next_at is None
    assert (await world.game(game_id)).turn_number == 0


async def test_time_zone_is_shown_with_its_present_time(world: World) -> None:
    bare = told(await world.ann.slash(world.channel, "gipf-me reminders"))
    zoned = told(await world.ann.slash(world.channel, "gipf-me reminders", zone="Europe/Berlin"))
    daily = told(await world.ann.slash(world.channel, "gipf-me reminders", digest="8"))
    assert "Time zone" not in bare
    for said in (zoned, daily):
        assert re.search(r"Time zone: \*\*Europe/Berlin\*\*, where it is \d\d:\d\d now\.", said)
    assert "Daily digest: off. It lists" in zoned
    assert "Daily digest: off. It lists" not in daily


async def test_an_offset_is_shown_as_it_was_meant(world: World) -> None:
    said = told(await world.ann.slash(world.channel, "gipf-me reminders", digest="8", zone="GMT+2"))
    assert re.search(r"Time zone: \*\*UTC\+2\*\*, where it is \d\d:\d\d now\.", said)
    for typed, first in (("GMT+2", "UTC+2"), ("EST", "America/New_York"), ("CST", "America/Chicago")):
        found = await world.ann.autocomplete(world.channel, "gipf-me reminders", "zone", typed)
        assert found[0]["value"] == first
        assert not [choice for choice in found if "Etc/GMT" in str(choice["value"])]


async def test_an_abbreviation_of_several_zones_is_asked_about(world: World) -> None:
    """The choice keeps the hour of the digest."""
    asked = Desk(world.ann, await world.ann.slash(world.channel, "gipf-me reminders", digest="8", zone="IST"))
    assert asked.text.startswith(
        "`IST` is short for several time zones; nothing was changed. Did you mean Asia/Kolkata, "
    )
    chosen = options(asked.message)
    assert [*chosen.values()] == ["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"]
    await asked.choose(next(label for label, zone in chosen.items() if zone == "Europe/Dublin"))
    assert "**Europe/Dublin**, where" in asked.text
    assert "at **8:00** your time" in asked.text
    other = Desk(world.bob, await world.bob.slash(world.channel, "gipf-me reminders", zone="CST"))
    await other.choose(next(label for label in options(other.message) if label.startswith("America/Havana")))
    assert "**America/Havana**, where" in other.text


async def test_unknown_time_zone_changes_nothing(world: World) -> None:
    said = told(await world.ann.slash(world.channel, "gipf-me reminders", when="off", digest="8", zone="Europe/Berln"))
    assert said.startswith("`Europe/Berln` isn't a time zone; nothing was changed. Did you mean Europe/Berlin, ")
    assert "One reminder a turn" in told(await world.ann.slash(world.channel, "gipf-me reminders"))
    for typed, first in (("berl", "Europe/Berlin"), ("", "America/New_York"), ("xyzzy", None)):
        found = await world.ann.autocomplete(world.channel, "gipf-me reminders", "zone", typed)
        assert len(found) <= 25
        assert (found[0]["value"] if found else None) == first
        assert all(" · now " in str(choice["name"]) for choice in found)
    said = told(await world.ann.slash(world.channel, "gipf-me reminders", digest="8", zone="berlin"))
    assert "**Europe/Berlin**, where" in said
    assert "One reminder a turn" in told(await world.ann.slash(world.channel, "gipf-me reminders", digest="off"))


async def test_a_begun_turn_is_marked_for_its_player_alone(world: World) -> None:
    await world.prepared(GIPF_ROW)
    begun = TURN_BEGUN.strip("*")
    marked = [begun in told(await who.slash(world.channel, "gipf games")) for who in (world.ann, world.bob)]
    desk = Desk(world.ann, await world.ann.click(world.board(), label="Remove row"))
    await desk.press("Done")
    marked += [begun in told(await who.slash(world.channel, "gipf games")) for who in (world.ann, world.bob)]
    assert marked == [False, False, True, False]
