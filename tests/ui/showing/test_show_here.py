"""**Show here** and **Look**: what is posted, who may post it where, and what those see who press."""

import asyncio
from typing import Any

import discord
import pytest

from gipfbot.service.delivery.showing import MOST_SHOWN, SHOWN_WITHIN
from gipfbot.service.puzzles import making
from gipfbot.service.puzzles.making import store_puzzle
from gipfbot.ui.kit.texts import SHOW_HERE_LABEL
from gipfbot.ui.showing import shown_games
from gipfbot.ui.showing.show_here import IN_WORK, LOOK_LABEL, NOT_SHOWN, SHOWN_TEXT, THINGS
from gipfbot.values import Venue
from tests.support.games import PLAYED
from tests.support.puzzles import TWO, proven
from tests.ui.forged import answered_text, direct_forger
from tests.ui.locales import locales_sent
from tests.ui.puzzles.entering import opened, solve
from tests.ui.records.analysed_games import analysed
from tests.ui.studying import QUICK_FILM, playing
from tests.ui.table import Desk
from tests.ui.tournaments.tournament_people import win_season
from tests.ui.watching.hidden import hidden_game, press_carried
from tests.ui.world import World, buttons, custom_ids, labels, private, time_out, told

from .shown import look, show

pytestmark = pytest.mark.looks_every(60)


async def study_of_game(world: World) -> Desk:
    """Return Cara's study of the game, at its end."""
    board = private(await world.cara.slash(world.channel, "gipf board", game="#a1"))
    return Desk(world.cara, await world.cara.click(board, label="Study"))


async def test_board_is_shown_once_with_one_button(world: World) -> None:
    await playing(world, *PLAYED)
    before = len(world.public())
    shown = private(await world.cara.slash(world.channel, "gipf board", game="#a1", turn="2"))
    assert await show(world, world.cara, shown) == SHOWN_TEXT
    posted = world.public()[-1]
    first = f"<@{world.cara.id}> shows a board: **#a1** · Ann (White) vs Bob (Black)"
    assert posted.content == f"{first}\n**2. White:** b1 → b2"
    assert buttons(posted) == [LOOK_LABEL]
    assert custom_ids(posted) == {"look:board:1:3"}
    assert posted.attachments[0].description == shown.attachments[0].description
    assert world.pings(posted) == set()
    assert "already" in await show(world, world.cara, shown)
    assert len(world.public()) == before + 1
    seen = await look(world, world.bob, posted)
    assert "**2. White:** b1 → b2" in seen.content


async def test_board_as_it_is_now_stays_that_board(world: World) -> None:
    """Also when the game has gone on; the button opens the same board, not the newest."""
    game = await playing(world, *PLAYED[:2])
    shown = private(await world.cara.slash(world.channel, "gipf board", game="#a1"))
    await world.ann.slash(world.channel, "move", notation=PLAYED[2])
    await show(world, world.cara, shown)
    posted = world.public()[-1]
    assert "**1. Black:** f1 → e2" in posted.content
    assert "**1. Black:** f1 → e2" in (await look(world, world.bob, posted)).content
    assert (await world.game(game)).turn_number == 3


async def test_replay_is_drawn_beside_the_lane_and_is_small(world: World) -> None:
    await playing(world, *PLAYED)
    shown = private(await world.bob.slash(world.channel, "gipf replay", **QUICK_FILM))
    await show(world, world.bob, shown)
    posted = world.public()[-1]
    assert posted.content == (f"<@{world.bob.id}> shows a replay: **#a1**: Ann (White) vs Bob (Black), turns 1 to 3")
    assert [file.filename for file in posted.attachments] == ["a1.gif"]
    assert posted.attachments[0].description == shown.attachments[0].description
    assert await posted.attachments[0].read() == await shown.attachments[0].read()
    seen = await look(world, world.cara, posted)
    assert [file.filename for file in seen.attachments] == ["a1.gif"]


async def test_a_replay_is_drawn_in_the_language_of_its_server(world: World) -> None:
    await playing(world, *PLAYED)
    with locales_sent({}, {world.guild.id: "de"}):
        shown = private(await world.bob.slash(world.channel, "gipf replay", **QUICK_FILM))
        await show(world, world.bob, shown)
    assert "White" in (shown.attachments[0].description or "")
    assert "Weiß" in (world.public()[-1].attachments[0].description or "")


@pytest.mark.parametrize("fault", [False, True])
async def test_answer_says_when_the_replay_is_there(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: bool
) -> None:
    """The one answer changes, and nothing else is said. If it cannot be drawn, it says that."""
    opened, next_part = asyncio.Event(), world.bot.painter.next_part

    async def wait(parts: Any, person: int) -> Any:
        await world.env.external_wait(opened.wait(), reason="the drawing waits")
        if fault:
            raise OSError("no memory")
        return await next_part(parts, person)

    await playing(world, *PLAYED)
    shown = private(await world.bob.slash(world.channel, "gipf replay", **QUICK_FILM))
    monkeypatch.setattr(world.bot.painter, "next_part", wait)
    pressed = await world.bob.click(shown, label=SHOW_HERE_LABEL)
    assert told(pressed) == IN_WORK
    before = len(world.public())
    opened.set()
    await world.bot.delivery.finish_sweep()
    await world.env.settle()
    assert told(pressed) == (NOT_SHOWN if fault else SHOWN_TEXT)
    assert len(pressed.followups) == 1
    assert len(world.public()) == before + (not fault)
    caplog.clear()


async def test_record_is_shown_in_the_notation_of_the_answer(world: World) -> None:
    await playing(world, *PLAYED)
    shown = private(await world.ann.slash(world.channel, "gipf record", notation="julio974"))
    await show(world, world.ann, shown)
    posted = world.public()[-1]
    assert posted.content == f"<@{world.ann.id}> shows a record: {shown.content}"
    (file,) = posted.attachments
    assert file.filename == "a1.gipf"
    (own,) = shown.attachments
    assert await file.read() == await own.read()
    assert (await look(world, world.cara, posted)).content == shown.content


async def test_position_of_a_study_is_shown_without_the_study(world: World) -> None:
    await playing(world, *PLAYED)
    study = await study_of_game(world)
    await study.press("◀")
    await show(world, world.cara, study.message)
    posted = world.public()[-1]
    assert (
        posted.content == f"<@{world.cara.id}> shows a position: **#a1** · Ann vs Bob\n"
        "**3. White:** b6 → b5 · also written `b6-b4;xb2,b3,Gb4,b5`"
    )
    assert posted.attachments[0].description
    await study.press("◀")
    seen = await look(world, world.bob, posted)
    assert "**3. White" in seen.content, "the place that was shown, not where Cara is now"
    assert seen.attachments[0].description == posted.attachments[0].description


async def test_shown_line_of_a_study_says_that_it_was_tried(world: World) -> None:
    await playing(world, *PLAYED[:2])
    study = await study_of_game(world)
    await study.press("Try a turn from here")
    await study.press("e1")
    await study.push("e2")
    await show(world, world.cara, study.message)
    assert world.public()[-1].content.endswith(
        "**2. White:** e1 → e2 · also written `e1-e3` · a line that was tried, not what was played"
    )


def test_older_rows_keep_the_place_before_the_turn() -> None:
    assert shown_games._shown_turn({"said": "7. White e1-e3"}) == "e1-e3"
    assert not shown_games._shown_turn({"said": ""})


async def test_study_that_has_changed_is_not_shown(world: World) -> None:
    await playing(world, *PLAYED)
    study = await study_of_game(world)
    before = study.message
    await study.press("◀")
    assert "changed since" in await press_carried(world, world.cara, "show:study:1:0")
    assert labels(before)


async def test_solution_of_a_puzzle_is_a_spoiler(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "shipped_puzzles", tuple)
    two = proven(TWO, 2)
    await store_puzzle(world.store, two, world.bot.app.now())
    desk = await opened(world)
    assert SHOW_HERE_LABEL not in desk.labels
    assert "haven't finished" in await press_carried(world, world.cara, "show:puzzle:1")
    await solve(desk, two)
    await show(world, world.cara, desk.message)
    posted = world.public()[-1]
    heading, solution = posted.content.splitlines()
    assert heading == f"<@{world.cara.id}> shows a puzzle: **Puzzle 1 · White wins in two**"
    assert solution.startswith("Solution: ||")
    assert solution.endswith("||")
    assert "White to move" in (posted.attachments[0].description or "")
    assert "Your first try counts" in (await look(world, world.bob, posted)).content


async def test_profile_names_only_games_that_all_here_may_see(world: World) -> None:
    await playing(world, *PLAYED[:3])
    await hidden_game(world)
    shown = private(await world.bob.slash(world.channel, "gipf profile", player=world.ann))
    assert "#b1" in shown.content
    await show(world, world.bob, shown)
    posted = world.public()[-1]
    assert posted.content.startswith(f"<@{world.bob.id}> shows a profile: **Ann**\n")
    assert "**#a1** Ann vs Bob" in posted.content
    assert "#b1" not in posted.content
    assert "**Ann**" in (await look(world, world.cara, posted)).content
    assert "#b1" in (await look(world, world.bob, posted)).content


async def test_profile_names_only_titles_that_all_here_may_see(world: World) -> None:
    """Bob sees the hidden channel, too. What the message names stays as it was when it was shown."""
    hidden = await hidden_game(world)
    await world.bot.app.games.resign(hidden.id, world.ann.id)
    for name, channel in (("Secret Cup", hidden.channel.id), ("Spring League", world.channel.id)):
        await win_season(world, name, channel)
    shown = private(await world.bob.slash(world.channel, "gipf profile", player=world.ann))
    assert "**Won:** Spring League, season 1 · Secret Cup, season 1\n" in shown.content
    await show(world, world.bob, shown)
    assert "**Won:** Spring League, season 1 · 1 more\n" in world.public()[-1].content


async def test_running_games_are_those_that_all_here_may_see(world: World) -> None:
    await hidden_game(world)
    shown = private(await world.bob.slash(world.channel, "gipf live"))
    assert "Not everybody here may see these games" in await show(world, world.bob, shown)
    await playing(world, *PLAYED[:3])
    shown = private(await world.bob.slash(world.channel, "gipf live"))
    assert "#a1" in shown.content
    await show(world, world.bob, shown)
    posted = world.public()[-1]
    assert posted.content.startswith(
        f"<@{world.bob.id}> shows the running games: **Games running here** · latest turn first\n"
    )
    assert "#b1" in posted.content
    assert "#a1" not in posted.content
    assert "#a1" not in (posted.attachments[0].description or "")
    assert "#a1" in (await look(world, world.bob, posted)).content
    assert "#a1" not in (await look(world, world.cara, posted)).content


async def test_leaderboard_and_rules_are_shown(world: World) -> None:
    shown = private(await world.bob.slash(world.channel, "gipf leaderboard", pool="basic"))
    await show(world, world.bob, shown)
    posted = world.public()[-1]
    assert posted.content.startswith(f"<@{world.bob.id}> shows a leaderboard: **Leaderboard · Basic · this server**")
    assert "Leaderboard · Basic" in (await look(world, world.cara, posted)).content
    page = Desk(world.cara, await world.cara.slash(world.channel, "gipf-learn rules", topic="R4.1"))
    await page.press("Next step")
    await show(world, world.cara, page.message)
    posted = world.public()[-1]
    assert posted.content == f"<@{world.cara.id}> shows a page of the rules: {page.text}"
    assert posted.attachments[0].description == page.alt
    assert (await look(world, world.bob, posted)).content == page.text


async def test_analysis_shows_balance_and_marks_alone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world.bot.analysis_loop, "wake", lambda: None)
    await analysed(world)
    shown = private(await world.ann.slash(world.channel, "gipf-learn analyse", game="#a1"))
    assert "b1-b3" in shown.content
    await show(world, world.ann, shown)
    posted = world.public()[-1]
    assert posted.content == (
        f"<@{world.ann.id}> shows an analysis: **Analysis of #a1** · Ann vs Bob · Standard\n"
        "White, Ann: 1 blunder (`??`)\nBlack, Bob: no marks"
    )
    assert posted.attachments[0].filename == "balance.png"
    assert (await look(world, world.bob, posted)).content == shown.content


async def test_game_that_not_all_here_may_see_is_not_shown(world: World) -> None:
    """A player cannot show it elsewhere, not even privately opened there; in its own channel they can."""
    hidden = await hidden_game(world, *PLAYED[:3])
    before = len(world.public())
    for command, options in (
        ("gipf board", {}),
        ("gipf board", {"turn": "1"}),
        ("gipf record", {}),
        ("gipf replay", QUICK_FILM),
    ):
        shown = private(await world.ann.slash(world.channel, command, game="#a1", **options))
        assert "Not everybody here may see" in await show(world, world.ann, shown), command
    assert len(world.public()) == before
    shown = private(await world.ann.slash(hidden.channel, "gipf record", game="#a1"))
    assert await show(world, world.ann, shown) == SHOWN_TEXT
    posted = world.public(hidden.channel)[-1]
    assert LOOK_LABEL in buttons(posted)
    assert "can't see that game's channel" in await press_carried(world, world.cara, "look:record:1:official")


async def test_game_of_a_thread_is_shown_there_and_beside_it(world: World) -> None:
    """Who sees the channel sees its public threads."""
    await playing(world, *PLAYED)
    known = world.bot.get_channel(world.channel.id)
    assert isinstance(known, discord.TextChannel)
    thread = await known.create_thread(name="game", type=discord.ChannelType.public_thread)
    await world.env.settle()
    await world.post_board(1, Venue(world.guild.id, thread.id, world.channel.id))
    for place in (world.channel.threads[-1], world.channel):
        shown = private(await world.ann.slash(place, "gipf record", game="#a1"))
        assert await show(world, world.ann, shown) == SHOWN_TEXT
        assert LOOK_LABEL in buttons(world.public(place)[-1])


async def test_game_of_a_private_thread_is_shown_to_nobody_outside(world: World) -> None:
    await playing(world, *PLAYED)
    known = world.bot.get_channel(world.channel.id)
    assert isinstance(known, discord.TextChannel)
    thread = await known.create_thread(name="game", type=discord.ChannelType.private_thread)
    await world.env.settle()
    await world.post_board(1, Venue(world.guild.id, thread.id, world.channel.id))
    shown = private(await world.ann.slash(world.channel, "gipf record", game="#a1"))
    assert "Not everybody here may see" in await show(world, world.ann, shown)


@pytest.mark.parametrize("right", ["send_messages", "attach_files"])
async def test_person_without_the_right_shows_nothing(world: World, right: str) -> None:
    never = discord.PermissionOverwrite(**{right: False})
    place = world.guild.create_text_channel("quiet", overwrites={world.cara: never})
    await playing(world, *PLAYED)
    shown = private(await world.cara.slash(place, "gipf board", game="#a1"))
    said = await show(world, world.cara, shown)
    assert "can't send" in said
    assert world.public(place) == []


async def test_person_who_is_timed_out_shows_nothing(world: World) -> None:
    await playing(world, *PLAYED)
    shown = private(await world.cara.slash(world.channel, "gipf board", game="#a1"))
    before = len(world.public())
    await time_out(world, world.cara)
    assert "You're timed out" in await show(world, world.cara, shown)
    assert len(world.public()) == before


async def test_nothing_is_offered_or_shown_in_direct_messages(world: World) -> None:
    await playing(world, *PLAYED)
    for command in ("gipf board", "gipf record", "gipf replay", "gipf-learn rules", "gipf profile", "gipf leaderboard"):
        options = {"game": "#a1"} if command.split()[1] in ("board", "record", "replay") else {}
        shown = private(await world.ann.user.slash(command, **options))
        assert SHOW_HERE_LABEL not in labels(shown), command
    answer = await (await direct_forger(world, world.ann)).send("show:rules:row:0")
    assert "Here only you would see it" in answered_text(answer)


async def test_at_most_five_things_in_ten_minutes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sixth says when. A restart changes nothing, and others have their own five."""
    for number in range(MOST_SHOWN):
        shown = private(await world.cara.slash(world.channel, "gipf-learn rules", topic="R4.1"))
        assert await show(world, world.cara, shown) == SHOWN_TEXT, number
    before = len(world.public())
    await world.restart()
    shown = private(await world.cara.slash(world.channel, "gipf-learn rules", topic="R4.1"))
    assert "5 things within 10 minutes" in await show(world, world.cara, shown)
    assert len(world.public()) == before
    other = private(await world.bob.slash(world.channel, "gipf-learn rules", topic="R4.1"))
    assert await show(world, world.bob, other) == SHOWN_TEXT
    await world.env.advance_time(SHOWN_WITHIN + 1)
    assert await show(world, world.cara, shown) == SHOWN_TEXT


async def test_each_thing_that_can_be_shown_is_tested() -> None:
    assert {*THINGS} == set("board replay record study puzzle profile live leaderboard rules analysis".split())
