"""Conditional turns on a real database: when they are played, when they are discarded, and who knows of them."""

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy import select

from gipfbot import match
from gipfbot.match import UNTIMED, Moment, Refused, RequestState, Status, Terms, Why
from gipfbot.match.conditionals import MOST_CONDITIONALS, read_conditional
from gipfbot.match.study import Study, go_to_place, perform_in_study, read_study_turn
from gipfbot.notation import NotationError, completions, parse_position, parse_turn, turn_text
from gipfbot.rules import BASIC, PASS, PUSHES, STANDARD, Kind, Reason, Ruleset
from gipfbot.service.app import App
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import REMINDER
from gipfbot.service.delivery.board_message import BoardMessage
from gipfbot.service.play.turn import DISCARDED
from gipfbot.service.requests.conditionals import Conditionals
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import conditionals, games, outbox, tables, users
from gipfbot.values import OutboxRow, StoredStudy
from gipfbot.values.games import CONDITIONAL
from tests.service.helpers import Host, begun, boards, play_texts, put, repeat, stored_lines, why_refused
from tests.support.games import CIRCLE
from tests.support.people import ANN, BOB
from tests.support.terms import SAVING, THREE_DAYS
from tests.support.times import DAY

LINE = "c2 g2 b3 h3"


@pytest.fixture
def left(app: App) -> Conditionals:
    return app.conditionals


async def basic_game(app: App, terms: Terms = UNTIMED, ruleset: Ruleset = BASIC) -> int:
    """Return a game of Ann, White, and Bob, whose first board is posted."""
    return await begun(app, terms, ruleset)


async def played(app: App, game_id: int) -> list[tuple[int, str, str]]:
    """Return the turns of a game: by whom, what, and by which way it came."""
    async with app.games.store.reading() as db:
        return [(turn.by, turn.text, turn.how) for turn in await games.turns_of(db, game_id)]


async def boards_of(app: App, game_id: int) -> list[BoardMessage]:
    """Return all boards that a game has ever owed, oldest first."""
    return [board for board in await boards(app) if board.game == game_id]


async def notices(app: App) -> list[OutboxRow]:
    """Return the notices of discarded lines that are owed."""
    async with app.games.store.transaction() as db:
        ids = await db.scalars(select(tables.outbox.c.id).where(tables.outbox.c.kind == DISCARDED))
        rows = [await outbox.lease(db, game_id, app.now(), 15) for game_id in ids]
    return [row for row in rows if row]


async def test_a_conditional_turn_follows_the_turn_it_fits(app: App, left: Conditionals) -> None:
    """The rest of the line waits for the next turn. Then the line is used up."""
    game_id = await basic_game(app)
    await left.add_typed_line(game_id, BOB.user, LINE)
    done = await app.games.play_typed(game_id, ANN.user, "c2")
    assert done.turn
    assert (done.turn.text, [turn.text for turn in done.conditional_turns], done.game.turn_number) == ("c2", ["g2"], 2)
    assert await played(app, game_id) == [(ANN.user, "c2", "typed"), (BOB.user, "g2", CONDITIONAL)]
    assert (await app.games.game(game_id)).game == done.game
    assert [line.turn_number for line in await stored_lines(app, game_id)] == [2]
    assert [turn.text for turn in (await app.games.play_typed(game_id, ANN.user, "b3")).conditional_turns] == ["h3"]
    assert (await stored_lines(app, game_id), await notices(app)) == ([], [])
    assert (await app.games.play_typed(game_id, ANN.user, "b4")).conditional_turns == ()


async def test_each_turn_owes_a_board_and_only_the_last_asks(app: App, left: Conditionals) -> None:
    game_id = await basic_game(app)
    await left.add_typed_line(game_id, BOB.user, LINE)
    done = await app.games.play_typed(game_id, ANN.user, "c2")
    first, second = (await boards_of(app, game_id))[1:]
    assert (first.turn_number, first.conditional_follows, first.was_conditional) == (1, True, False)
    assert (second.turn_number, second.conditional_follows, second.was_conditional) == (2, False, True)
    assert [owed.payload["turn_number"] for owed in done.owed] == [1]  # the other goes behind it


async def test_a_line_fits_another_push_to_the_same_position(app: App, left: Conditionals) -> None:
    """The spot b3 is pushed to from a2 or a3."""
    game_id = await basic_game(app)
    await left.add_typed_line(game_id, BOB.user, "b3 g2")
    assert (
        len((await app.games.play_actions(game_id, ANN.user, [PUSHES["a3", "b3", Kind.BASIC]])).conditional_turns) == 1
    )


async def test_a_line_that_cannot_fit_is_discarded_with_a_notice(app: App, left: Conditionals) -> None:
    """Until its owner has played in person, they can still see that a line was discarded."""
    game_id = await basic_game(app)
    for line in (LINE, "b4 g2"):
        await left.add_typed_line(game_id, BOB.user, line)
    assert (await app.games.play_typed(game_id, ANN.user, "b3")).conditional_turns == ()
    (notice,) = await notices(app)
    assert (notice.channel, notice.game) == (BOB.user, None)
    told = await left.discarded_conditionals(notice)
    assert told
    assert (told.user, turn_text(told.begun, told.played), told.own, len(told.lines)) == (BOB.user, "b3", None, 2)
    now = await left.conditionals_of(game_id, BOB.user)
    assert (now.lines, now.discarded) == ((), 2)
    await app.games.play_typed(game_id, BOB.user, "h3")
    assert (await left.conditionals_of(game_id, BOB.user)).discarded == 0
    assert await left.discarded_conditionals(notice) is None, "its owner has been here"


async def test_other_lines_are_discarded_when_one_is_played(app: App, left: Conditionals) -> None:
    game_id = await basic_game(app)
    for line in ("b3 h3", LINE, "c2 g2 d7 h3"):
        await left.add_typed_line(game_id, BOB.user, line)
    await app.games.play_typed(game_id, ANN.user, "c2")
    (notice,) = await notices(app)
    told = await left.discarded_conditionals(notice)
    assert told
    assert told.own
    said = turn_text(told.begun, told.played), turn_text(*told.own)
    assert (said, [line.id for line in told.lines]) == (("c2", "g2"), [1])
    now = await left.conditionals_of(game_id, BOB.user)
    assert ([line.id for line in now.lines], now.discarded) == ([2, 3], 1)
    await left.add_typed_line(game_id, BOB.user, "b4 h4")
    assert (await left.conditionals_of(game_id, BOB.user)).discarded == 0


async def test_a_discard_is_told_once(app: App, left: Conditionals) -> None:
    """Conditional turns that follow in the next turns tell the owner nothing more."""
    game_id = await basic_game(app)
    for text in ("c2 g2 d2 f2", "b3 h3"):
        await left.add_typed_line(game_id, BOB.user, text)
    for text in ("c2", "d2"):
        await app.games.play_typed(game_id, ANN.user, text)
    assert [text for _, text, _ in await played(app, game_id)] == ["c2", "g2", "d2", "f2"]
    assert len(await notices(app)) == 1


async def test_a_notice_from_before_a_takeback_is_needless(app: App, left: Conditionals) -> None:
    """The turn numbers come again. Other lines, and perhaps another turn, would be named."""
    game_id = await basic_game(app)
    await left.add_typed_line(game_id, BOB.user, LINE)
    await app.games.play_typed(game_id, ANN.user, "b3")
    takebacks = app.requests
    await takebacks.settle(
        (await takebacks.make(TAKEBACK, game_id, ANN.user)).request.id, BOB.user, RequestState.ACCEPTED
    )
    await left.add_typed_line(game_id, BOB.user, LINE)
    (notice,) = await notices(app)
    assert await left.discarded_conditionals(notice) is None, "no turn has come instead yet"
    await app.games.play_typed(game_id, ANN.user, "b4")
    assert await left.discarded_conditionals(notice) is None
    (now,) = await notices(app)
    told = await left.discarded_conditionals(now)
    assert told
    assert turn_text(told.begun, told.played) == "b4"


async def test_without_direct_messages_a_discard_shows_in_the_game(app: App, left: Conditionals, host: Host) -> None:
    game_id = await basic_game(app)
    async with app.games.store.transaction() as db:
        await users.set_dms_shut(db, BOB.user, host.now)
    await left.add_typed_line(game_id, BOB.user, LINE)
    await app.games.play_typed(game_id, ANN.user, "b3")
    assert (await notices(app), (await left.conditionals_of(game_id, BOB.user)).discarded) == ([], 1)


async def test_a_conditional_turn_costs_no_time_and_no_reminder(app: App, left: Conditionals, host: Host) -> None:
    game_id = await basic_game(app, SAVING)
    await left.add_typed_line(game_id, BOB.user, LINE)
    host.passes(2 * DAY)
    done = await app.games.play_typed(game_id, ANN.user, "c2")
    assert done.game.clock
    assert (done.game.clock.bank, done.game.clock.deadline) == ((9 * DAY, 11 * DAY), host.now + 9 * DAY)
    async with app.games.store.reading() as db:
        rows = await db.execute(select(tables.due.c.user).where(tables.due.c.kind == REMINDER))
        assert [row.user for row in rows] == [ANN.user]


async def test_a_conditional_turn_is_played_during_a_vacation(app: App, left: Conditionals, host: Host) -> None:
    game_id = await basic_game(app, SAVING)
    await left.add_typed_line(game_id, BOB.user, LINE)
    await app.vacations.start_vacation(BOB.user, 5)
    done = await app.games.play_typed(game_id, ANN.user, "c2")
    assert done.game.clock
    assert (len(done.conditional_turns), done.game.clock.bank[1]) == (1, 11 * DAY)


async def test_r6_3_conditional_turns_count_for_repetition(app: App, left: Conditionals) -> None:
    """A turn that makes the position stand for the third time has no reply. A conditional turn may be that turn."""
    for third, length in (("c2", 1), ("g2", 2)):
        game_id = await basic_game(app)
        turns = read_conditional((await app.games.game(game_id)).game, BOB.user, "c2 g2")
        after = (await app.games.game(game_id)).game.position
        for actions in turns[:length]:
            after = match.position_after(after, actions)
        await left.add_typed_line(game_id, BOB.user, LINE)
        async with app.games.store.transaction() as db:
            await repeat(db, game_id, match.position_hash(after))
        done = await app.games.play_typed(game_id, ANN.user, "c2")
        assert done.game.position.result
        assert (done.game.position.result.by, done.game.turn_number) == (Reason.REPETITION, length), third
        assert (await boards_of(app, game_id))[-1].followed_by == game_id + 1
        assert await stored_lines(app, game_id) == []


async def test_a_conditional_turn_may_win(app: App, left: Conditionals) -> None:
    game_id = await basic_game(app, ruleset=STANDARD)
    won = parse_position("standard w W=Gd6,h3 B=Gb3,d2,d3,d4,d5 reserve=15-12 captured=0-0")
    await put(app, await app.games.game(game_id), position=won)
    await left.add_typed_line(game_id, BOB.user, "h4 xd2,d3,d4,d5,Gd6*")
    done = await app.games.play_typed(game_id, ANN.user, "h4")
    assert done.game.position.result
    assert (done.game.position.result.winner, done.game.status) == (1, Status.OVER)
    last = (await boards_of(app, game_id))[-1]
    assert (last.over, last.was_conditional) == (True, True)


async def test_faq_11_no_conditional_turn_follows_a_lost_game(app: App, left: Conditionals, host: Host) -> None:
    """The turn is played after the flag has fallen and does not win, so the game is lost on time."""
    game_id = await basic_game(app, THREE_DAYS)
    await left.add_typed_line(game_id, BOB.user, LINE)
    host.passes(3 * DAY + 1)
    await FlagWatch(app.games.store, app.now, app.now).check_flags()
    game = (await app.games.game(game_id)).game
    assert game.clock
    assert game.clock.flagged
    done = await app.games.play_typed(game_id, ANN.user, "c2", sure=True)
    assert (done.conditional_turns, done.game.status, await stored_lines(app, game_id)) == ((), Status.OVER, [])


@pytest.mark.parametrize("end", ["resign", "cancel_game", "takeback"])
async def test_no_line_outlives_the_game_or_a_takeback(app: App, left: Conditionals, end: str) -> None:
    game_id = await basic_game(app)
    await app.games.play_typed(game_id, ANN.user, "c2")
    await left.add_typed_line(game_id, ANN.user, "g2 b3")
    if end == "takeback":
        takebacks = app.requests
        await takebacks.settle(
            (await takebacks.make(TAKEBACK, game_id, ANN.user)).request.id, BOB.user, RequestState.ACCEPTED
        )
    else:
        await getattr(app.games, end)(game_id, BOB.user)
    assert await stored_lines(app, game_id) == []


async def test_a_newer_line_replaces_a_conflicting_one(app: App, left: Conditionals) -> None:
    game_id = await basic_game(app)
    for line in (LINE, "b4 g2"):
        await left.add_typed_line(game_id, BOB.user, line)
    now = await left.add_typed_line(game_id, BOB.user, "c2 h4")
    assert now.added
    assert (now.replaced, [line.id for line in now.lines], now.added.id) == (1, [2, 3], 3)
    assert [turn.text for turn in (await app.games.play_typed(game_id, ANN.user, "c2")).conditional_turns] == ["h4"]


async def test_its_owner_withdraws_a_line_unless_the_button_is_stale(app: App, left: Conditionals) -> None:
    game_id = await basic_game(app)
    (line,) = (await left.add_typed_line(game_id, BOB.user, LINE)).lines
    assert await why_refused(left.withdraw_line(game_id, ANN.user, line.id, 0)) is Why.NO_CONDITIONAL
    assert await why_refused(left.withdraw_line(game_id, 3, line.id, 0)) is Why.NOT_A_PLAYER
    await app.games.play_typed(game_id, ANN.user, "c2")
    assert await why_refused(left.withdraw_line(game_id, BOB.user, line.id, 0)) is Why.STALE
    assert (await left.withdraw_line(game_id, BOB.user, line.id, 2)).lines == ()
    assert await why_refused(left.withdraw_line(game_id, BOB.user, line.id, 2)) is Why.NO_CONDITIONAL
    assert (await app.games.play_typed(game_id, ANN.user, "b3")).conditional_turns == ()


async def test_nobody_else_sees_a_line(app: App, left: Conditionals) -> None:
    game_id = await basic_game(app)
    await left.add_typed_line(game_id, BOB.user, LINE)
    now = await left.conditionals_of(game_id, ANN.user)
    assert (now.lines, now.discarded) == ((), 0)
    assert await why_refused(left.conditionals_of(game_id, 3)) is Why.NOT_A_PLAYER


async def test_a_refused_line_changes_nothing(app: App, left: Conditionals) -> None:
    game_id = await basic_game(app)
    await left.add_typed_line(game_id, BOB.user, LINE)
    wrong: Sequence[tuple[int, str, Moment | None, Why]] = (
        (ANN.user, "c2 g2", None, Why.OWN_TURN),
        (3, "c2 g2", None, Why.NOT_A_PLAYER),
        (BOB.user, "c2", None, Why.CONDITIONAL_UNANSWERED),
        (BOB.user, "c2 h3", Moment(1, 0, 0), Why.STALE),
    )
    for by, text, at, why in wrong:
        assert await why_refused(left.add_typed_line(game_id, by, text, at=at)) is why
    with pytest.raises(NotationError):
        await left.add_typed_line(game_id, BOB.user, "c2 c2")
    assert len(await stored_lines(app, game_id)) == 1
    await app.games.resign(game_id, ANN.user)
    assert await why_refused(left.add_typed_line(game_id, BOB.user, "c2 g2")) is Why.OVER
    assert await why_refused(left.conditionals_of(99, BOB.user)) is Why.NO_GAME


async def test_a_player_has_twenty_lines_in_a_game_at_most(app: App, left: Conditionals) -> None:
    game_id = await basic_game(app)
    first = (await app.games.game(game_id)).game.position
    turns = (found.text for found in completions(first, (), "", 50))
    one_each = {match.position_after(first, parse_turn(first, turn)): turn for turn in turns}
    *most, last = [*one_each.values()][: MOST_CONDITIONALS + 1]
    for turn in most:
        await left.add_typed_line(game_id, BOB.user, f"{turn} e9")
    assert await why_refused(left.add_typed_line(game_id, BOB.user, f"{last} e9")) is Why.TOO_MANY_CONDITIONALS
    assert len((await left.add_typed_line(game_id, BOB.user, f"{most[0]} f7")).lines) == MOST_CONDITIONALS


async def test_a_line_added_during_its_turn_is_played_or_refused(app: App, left: Conditionals) -> None:
    game_id = await basic_game(app)
    both = await asyncio.gather(
        app.games.play_typed(game_id, ANN.user, "c2"),
        left.add_typed_line(game_id, BOB.user, LINE),
        return_exceptions=True,
    )
    done, kept = both
    assert not isinstance(done, BaseException)
    assert (len(done.conditional_turns) == 1) is not isinstance(kept, Refused)


async def test_an_illegal_stored_line_does_not_spoil_the_turn(app: App, left: Conditionals) -> None:
    game_id = await basic_game(app)
    turns = read_conditional((await app.games.game(game_id)).game, BOB.user, "c2 g2")
    async with app.games.store.transaction() as db:
        await conditionals.add_conditional_line(db, game_id, BOB.user, 0, (turns[0], (PASS,)), 0)
    done = await app.games.play_typed(game_id, ANN.user, "c2")
    assert (
        done.conditional_turns,
        done.game.turn_number,
        (await left.conditionals_of(game_id, BOB.user)).discarded,
    ) == (
        (),
        1,
        1,
    )


# ── From a study ──


async def tried(app: App, game_id: int, by: int, place: int, *turns: str) -> StoredStudy:
    """Return a study of a game in which these turns were tried at this place."""

    def change(study: Study) -> Study:
        study = go_to_place(study, place)
        for text in turns:
            study = perform_in_study(study, read_study_turn(study, text))
        return study

    studies = app.studies
    found = (await studies.study_of_game(game_id, by))[0].study
    return await studies.change(found.id, by, found.version, change)


async def test_turns_tried_in_a_study_become_a_line(app: App, left: Conditionals) -> None:
    game_id = await basic_game(app)
    await app.games.play_typed(game_id, ANN.user, "c2")
    study = await tried(app, game_id, ANN.user, 1, "g2", "b3")
    assert await left.may_add_from_study(study)
    assert len((await left.add_line_from_study(study)).lines) == 1
    assert [turn.text for turn in (await app.games.play_typed(game_id, BOB.user, "g2")).conditional_turns] == ["b3"]


async def test_turns_tried_from_an_older_position_become_no_line(app: App, left: Conditionals) -> None:
    game_id = await basic_game(app)
    assert not await left.may_add_from_study(await tried(app, game_id, ANN.user, 0, "c2", "g2")), "it is their own turn"
    for by, turn in ((ANN, "c2"), (BOB, "g2"), (ANN, "b3")):
        await app.games.play_typed(game_id, by.user, turn)
    assert not await left.may_add_from_study(await tried(app, game_id, ANN.user, 3, "h3")), "it lacks a reply"
    assert not await left.may_add_from_study(await tried(app, game_id, ANN.user, 1, "h3", "b4")), "it begins elsewhere"
    study = await tried(app, game_id, ANN.user, 3, "h3", "b4")
    assert await left.may_add_from_study(study)
    await app.games.play_typed(game_id, BOB.user, "h4")
    assert await why_refused(left.add_line_from_study(study)) is Why.STALE


async def test_a_line_that_voids_the_game_cannot_go_on(app: App, left: Conditionals) -> None:
    """At its third position of a kind the game is void (R6.3), so what follows would never be played."""
    game_id = await basic_game(app)
    *before, their, own = [*CIRCLE, *CIRCLE]
    await play_texts(app, game_id, before)
    voiding = f"{their} {own}"
    assert await why_refused(left.add_typed_line(game_id, BOB.user, f"{voiding} c2 g2")) is Why.CONDITIONAL_GOES_ON
    assert (await left.add_typed_line(game_id, BOB.user, voiding)).added
