"""Answers left in advance, on a real database: when they are played, when they lapse, and who knows of them."""

import asyncio
from collections.abc import Awaitable, Sequence

import pytest
from sqlalchemy import select

from gipfbot import match
from gipfbot.match import UNTIMED, Refused, Side, Status, Terms, Why
from gipfbot.match.conditionals import MOST_CONDITIONALS, ConditionalLine, read_conditional
from gipfbot.match.study import Study, go_to_place, perform_in_study, read_study_turn
from gipfbot.notation import NotationError, completions, parse_position, parse_turn
from gipfbot.rules import BASIC, PASS, PUSHES, STANDARD, Kind, Reason, Ruleset
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import REMINDER
from gipfbot.service.clock.vacations import Vacations
from gipfbot.service.play.board_message import BoardMessage, unpack_board
from gipfbot.service.play.conditionals_on_turn import CONDITIONAL, DISCARDED
from gipfbot.service.records.studies import Studies
from gipfbot.service.requests.conditionals import Conditionals
from gipfbot.service.requests.takebacks import Takebacks
from gipfbot.service.service import Service
from gipfbot.store import OutboxRow, StoredStudy, conditionals, games, outbox, tables, users
from tests.service.test_service import ANN, BOB, HOME, put
from tests.service.test_timekeeping import DAY, SAVING, THREE_DAYS, repeat

from .conftest import Clock, posted

LINE = "c2 g2 b3 h3"


@pytest.fixture
def left(service: Service) -> Conditionals:
    return Conditionals(service.store, service.now)


async def begun(service: Service, terms: Terms = UNTIMED, rules: Ruleset = BASIC) -> int:
    """Return a game of Ann, White, and Bob, whose first board is posted."""
    offered, _ = await service.challenge(ANN, BOB, rules, Side.WHITE, HOME, terms)
    id = (await service.accept_challenge(offered.challenge.id, BOB))[1].game.id
    await posted(service.store)
    return id


async def played(service: Service, id: int) -> list[tuple[int, str, str]]:
    """Return the turns of a game: by whom, what, and by which way it came."""
    async with service.store.reading() as db:
        return [(turn.by, turn.text, turn.how) for turn in await games.turns_of(db, id)]


async def stored_lines(service: Service, id: int) -> list[ConditionalLine]:
    async with service.store.reading() as db:
        return await conditionals.conditional_lines(db, id)


async def boards(service: Service, id: int) -> list[BoardMessage]:
    async with service.store.reading() as db:
        rows = await db.execute(select(tables.outbox).order_by(tables.outbox.c.id))
        return [unpack_board(row.game, row.payload) for row in rows if row.kind == "board" and row.game == id]


async def letters(service: Service) -> list[OutboxRow]:
    """Return the direct messages about lapsed answers that are owed."""
    async with service.store.transaction() as db:
        ids = await db.scalars(select(tables.outbox.c.id).where(tables.outbox.c.kind == DISCARDED))
        rows = [await outbox.lease(db, id, service.now(), 15) for id in ids]
    return [row for row in rows if row]


async def refused(work: Awaitable[object]) -> Why:
    with pytest.raises(Refused) as refusal:
        await work
    return refusal.value.why


async def test_an_answer_is_played_with_the_turn_it_was_left_for(service: Service, left: Conditionals) -> None:
    """What is left of the line answers the next turn; then the line is spent."""
    id = await begun(service)
    await left.add_typed_line(id, BOB.user, LINE)
    done = await service.play_typed(id, ANN.user, "c2")
    assert done.turn
    assert (done.turn.text, [turn.text for turn in done.conditional_turns], done.game.turn_number) == ("c2", ["g2"], 2)
    assert await played(service, id) == [(ANN.user, "c2", "typed"), (BOB.user, "g2", CONDITIONAL)]
    assert (await service.game(id)).game == done.game
    assert [line.turn_number for line in await stored_lines(service, id)] == [2]
    assert [turn.text for turn in (await service.play_typed(id, ANN.user, "b3")).conditional_turns] == ["h3"]
    assert (await stored_lines(service, id), await letters(service)) == ([], [])
    assert (await service.play_typed(id, ANN.user, "b4")).conditional_turns == ()


async def test_each_turn_has_its_board_and_only_the_last_asks_somebody(service: Service, left: Conditionals) -> None:
    id = await begun(service)
    await left.add_typed_line(id, BOB.user, LINE)
    done = await service.play_typed(id, ANN.user, "c2")
    first, second = (await boards(service, id))[1:]
    assert (first.turn_number, first.conditional_follows, first.was_conditional) == (1, True, False)
    assert (second.turn_number, second.conditional_follows, second.was_conditional) == (2, False, True)
    assert [owed.payload["turn_number"] for owed in done.owed] == [1]  # the other goes behind it


async def test_the_same_position_by_another_push_is_the_turn_it_was_left_for(
    service: Service, left: Conditionals
) -> None:
    """The spot b3 is pushed to from a2 or a3."""
    id = await begun(service)
    await left.add_typed_line(id, BOB.user, "b3 g2")
    assert len((await service.play_actions(id, ANN.user, [PUSHES["a3", "b3", Kind.BASIC]])).conditional_turns) == 1


async def test_what_does_not_fit_lapses_and_its_owner_is_told_which_turn_came(
    service: Service, left: Conditionals
) -> None:
    """Until he has played himself he can still see that something lapsed."""
    id = await begun(service)
    for line in (LINE, "b4 g2"):
        await left.add_typed_line(id, BOB.user, line)
    assert (await service.play_typed(id, ANN.user, "b3")).conditional_turns == ()
    (letter,) = await letters(service)
    assert (letter.channel, letter.game) == (BOB.user, None)
    told = await left.discarded_conditionals(letter)
    assert told
    assert (told.user, told.turn.text, told.own_turn, len(told.lines)) == (BOB.user, "b3", None, 2)
    now = await left.conditionals_of(id, BOB.user)
    assert (now.lines, now.discarded) == ((), 2)
    await service.play_typed(id, BOB.user, "h3")
    assert (await left.conditionals_of(id, BOB.user)).discarded == 0
    assert await left.discarded_conditionals(letter) is None, "he has been here"


async def test_the_other_answers_lapse_when_one_is_played_and_are_told_with_it(
    service: Service, left: Conditionals
) -> None:
    id = await begun(service)
    for line in ("b3 h3", LINE, "c2 g2 a2 h3"):
        await left.add_typed_line(id, BOB.user, line)
    await service.play_typed(id, ANN.user, "c2")
    (letter,) = await letters(service)
    told = await left.discarded_conditionals(letter)
    assert told
    assert told.own_turn
    assert (told.turn.text, told.own_turn.text, [line.id for line in told.lines]) == ("c2", "g2", [1])
    now = await left.conditionals_of(id, BOB.user)
    assert ([line.id for line in now.lines], now.discarded) == ([2, 3], 1)
    await left.add_typed_line(id, BOB.user, "b4 h4")
    assert (await left.conditionals_of(id, BOB.user)).discarded == 0


async def test_that_an_answer_has_lapsed_is_told_once(service: Service, left: Conditionals) -> None:
    """Its owner, for whom others are played in the next turns, hears no more of it."""
    id = await begun(service)
    for text in ("c2 g2 d2 f2", "b3 h3"):
        await left.add_typed_line(id, BOB.user, text)
    for text in ("c2", "d2"):
        await service.play_typed(id, ANN.user, text)
    assert [text for _, text, _ in await played(service, id)] == ["c2", "g2", "d2", "f2"]
    assert len(await letters(service)) == 1


async def test_a_letter_of_before_turns_were_taken_back_says_nothing_any_more(
    service: Service, left: Conditionals
) -> None:
    """The same numbers come again: other answers, and perhaps another turn, would stand for those it was about."""
    id = await begun(service)
    await left.add_typed_line(id, BOB.user, LINE)
    await service.play_typed(id, ANN.user, "b3")
    offers = Takebacks(service.store, service.now)
    await offers.accept_takeback((await offers.request_takeback(id, ANN.user)).request.id, BOB.user)
    await left.add_typed_line(id, BOB.user, LINE)
    (letter,) = await letters(service)
    assert await left.discarded_conditionals(letter) is None, "no turn has come instead yet"
    await service.play_typed(id, ANN.user, "b4")
    assert await left.discarded_conditionals(letter) is None
    (now,) = await letters(service)
    told = await left.discarded_conditionals(now)
    assert told
    assert told.turn.text == "b4"


async def test_who_shut_his_messages_gets_none_and_sees_it_in_the_game(service: Service, left: Conditionals) -> None:
    id = await begun(service)
    async with service.store.transaction() as db:
        await users.set_dms_shut(db, BOB.user, True)
    await left.add_typed_line(id, BOB.user, LINE)
    await service.play_typed(id, ANN.user, "b3")
    assert (await letters(service), (await left.conditionals_of(id, BOB.user)).discarded) == ([], 1)


async def test_an_answer_costs_no_time_and_reminders_are_for_the_player_who_is_asked(
    service: Service, left: Conditionals, clock: Clock
) -> None:
    id = await begun(service, SAVING)
    await left.add_typed_line(id, BOB.user, LINE)
    clock.time += 2 * DAY
    done = await service.play_typed(id, ANN.user, "c2")
    assert done.game.clock
    assert (done.game.clock.bank, done.game.clock.deadline) == ((9 * DAY, 11 * DAY), clock.time + 9 * DAY)
    async with service.store.reading() as db:
        rows = await db.execute(select(tables.due.c.user).where(tables.due.c.kind == REMINDER))
        assert [row.user for row in rows] == [ANN.user]


async def test_an_answer_is_played_although_its_owner_is_on_vacation(
    service: Service, left: Conditionals, clock: Clock
) -> None:
    id = await begun(service, SAVING)
    await left.add_typed_line(id, BOB.user, LINE)
    await Vacations(service.store, service.now).start_vacation(BOB.user, 5)
    done = await service.play_typed(id, ANN.user, "c2")
    assert done.game.clock
    assert (len(done.conditional_turns), done.game.clock.bank[1]) == (1, 11 * DAY)


async def test_r6_3_counts_the_answers(service: Service, left: Conditionals) -> None:
    """A turn that makes the position stand for the third time is not answered; an answer may be that turn."""
    for third, length in (("c2", 1), ("g2", 2)):
        id = await begun(service)
        turns = read_conditional((await service.game(id)).game, BOB.user, "c2 g2")
        after = (await service.game(id)).game.position
        for actions in turns[:length]:
            after = match.position_after(after, actions)
        async with service.store.transaction() as db:
            await repeat(db, id, match.position_hash(after))
        await left.add_typed_line(id, BOB.user, LINE)
        done = await service.play_typed(id, ANN.user, "c2")
        assert done.game.position.result
        assert (done.game.position.result.by, done.game.turn_number) == (Reason.REPETITION, length), third
        assert (await boards(service, id))[-1].followed_by == id + 1
        assert await stored_lines(service, id) == []


async def test_an_answer_that_wins_ends_the_game(service: Service, left: Conditionals) -> None:
    id = await begun(service, rules=STANDARD)
    won = parse_position("standard w W=Gd6,h3 B=Gb3,d2,d3,d4,d5 reserve=15-12 captured=0-0")
    await put(service, await service.game(id), position=won)
    await left.add_typed_line(id, BOB.user, "h4 xd2,d3,d4,d5,Gd6*")
    done = await service.play_typed(id, ANN.user, "h4")
    assert done.game.position.result
    assert (done.game.position.result.winner, done.game.status) == (1, Status.OVER)
    last = (await boards(service, id))[-1]
    assert (last.over, last.was_conditional) == (True, True)


async def test_a_turn_that_decides_the_game_is_not_answered(service: Service, left: Conditionals, clock: Clock) -> None:
    """FAQ 11: played after the flag has fallen, it does not win, so the game is lost on time."""
    id = await begun(service, THREE_DAYS)
    await left.add_typed_line(id, BOB.user, LINE)
    clock.time += 3 * DAY + 1
    await FlagWatch(service.store, clock, clock).check_flags()
    game = (await service.game(id)).game
    assert game.clock
    assert game.clock.flagged
    done = await service.play_typed(id, ANN.user, "c2", sure=True)
    assert (done.conditional_turns, done.game.status, await stored_lines(service, id)) == ((), Status.OVER, [])


@pytest.mark.parametrize("end", ["resign", "cancel_game", "takeback"])
async def test_nothing_is_left_after_an_end_or_a_turn_taken_back(
    service: Service, left: Conditionals, end: str
) -> None:
    id = await begun(service)
    await service.play_typed(id, ANN.user, "c2")
    await left.add_typed_line(id, ANN.user, "g2 b3")
    if end == "takeback":
        offers = Takebacks(service.store, service.now)
        await offers.accept_takeback((await offers.request_takeback(id, ANN.user)).request.id, BOB.user)
    else:
        await getattr(service, end)(id, BOB.user)
    assert await stored_lines(service, id) == []


async def test_a_newer_line_replaces_one_that_answers_the_same_turns_otherwise(
    service: Service, left: Conditionals
) -> None:
    id = await begun(service)
    for line in (LINE, "b4 g2"):
        await left.add_typed_line(id, BOB.user, line)
    now = await left.add_typed_line(id, BOB.user, "c2 h4")
    assert now.added
    assert (now.replaced, [line.id for line in now.lines], now.added.id) == (1, [2, 3], 3)
    assert [turn.text for turn in (await service.play_typed(id, ANN.user, "c2")).conditional_turns] == ["h4"]


async def test_a_line_is_withdrawn_by_its_owner_as_it_was_drawn(service: Service, left: Conditionals) -> None:
    id = await begun(service)
    (line,) = (await left.add_typed_line(id, BOB.user, LINE)).lines
    assert await refused(left.withdraw_line(id, ANN.user, line.id, 0)) is Why.NO_CONDITIONAL
    assert await refused(left.withdraw_line(id, 3, line.id, 0)) is Why.NOT_A_PLAYER
    await service.play_typed(id, ANN.user, "c2")
    assert await refused(left.withdraw_line(id, BOB.user, line.id, 0)) is Why.STALE
    assert (await left.withdraw_line(id, BOB.user, line.id, 2)).lines == ()
    assert await refused(left.withdraw_line(id, BOB.user, line.id, 2)) is Why.NO_CONDITIONAL
    assert (await service.play_typed(id, ANN.user, "b3")).conditional_turns == ()


async def test_nobody_else_sees_a_line(service: Service, left: Conditionals) -> None:
    id = await begun(service)
    await left.add_typed_line(id, BOB.user, LINE)
    now = await left.conditionals_of(id, ANN.user)
    assert (now.lines, now.discarded) == ((), 0)
    assert await refused(left.conditionals_of(id, 3)) is Why.NOT_A_PLAYER


async def test_what_is_refused_changes_nothing(service: Service, left: Conditionals) -> None:
    id = await begun(service)
    await left.add_typed_line(id, BOB.user, LINE)
    wrong: Sequence[tuple[int, str, int | None, Why]] = (
        (ANN.user, "c2 g2", None, Why.OWN_TURN),
        (3, "c2 g2", None, Why.NOT_A_PLAYER),
        (BOB.user, "c2", None, Why.CONDITIONAL_UNANSWERED),
        (BOB.user, "c2 h3", 1, Why.STALE),
    )
    for by, text, serial, why in wrong:
        assert await refused(left.add_typed_line(id, by, text, turn_serial=serial)) is why
    with pytest.raises(NotationError):
        await left.add_typed_line(id, BOB.user, "c2 c2")
    assert len(await stored_lines(service, id)) == 1
    await service.resign(id, ANN.user)
    assert await refused(left.add_typed_line(id, BOB.user, "c2 g2")) is Why.OVER
    assert await refused(left.conditionals_of(99, BOB.user)) is Why.NO_GAME


async def test_twenty_lines_are_the_most_and_the_next_is_refused(service: Service, left: Conditionals) -> None:
    id = await begun(service)
    first = (await service.game(id)).game.position
    turns = (found.text for found in completions(first, (), "", 50))
    one_each = {match.position_after(first, parse_turn(first, turn)): turn for turn in turns}
    *most, last = [*one_each.values()][: MOST_CONDITIONALS + 1]
    for turn in most:
        await left.add_typed_line(id, BOB.user, f"{turn} e9")
    assert await refused(left.add_typed_line(id, BOB.user, f"{last} e9")) is Why.TOO_MANY_CONDITIONALS
    assert len((await left.add_typed_line(id, BOB.user, f"{most[0]} f8")).lines) == MOST_CONDITIONALS


async def test_a_line_left_while_its_turn_is_played_is_played_or_refused(service: Service, left: Conditionals) -> None:
    id = await begun(service)
    both = await asyncio.gather(
        service.play_typed(id, ANN.user, "c2"), left.add_typed_line(id, BOB.user, LINE), return_exceptions=True
    )
    done, kept = both
    assert not isinstance(done, BaseException)
    assert (len(done.conditional_turns) == 1) is not isinstance(kept, Refused)


async def test_a_stored_answer_that_is_no_longer_legal_spoils_nobodys_turn(
    service: Service, left: Conditionals
) -> None:
    id = await begun(service)
    turns = read_conditional((await service.game(id)).game, BOB.user, "c2 g2")
    async with service.store.transaction() as db:
        await conditionals.add_conditional_line(db, id, BOB.user, 0, (turns[0], (PASS,)), 0)
    done = await service.play_typed(id, ANN.user, "c2")
    assert (done.conditional_turns, done.game.turn_number, (await left.conditionals_of(id, BOB.user)).discarded) == (
        (),
        1,
        1,
    )


# ── From a study ──


async def tried(service: Service, id: int, by: int, place: int, *turns: str) -> StoredStudy:
    """Return a study of a game in which these turns were tried at this place."""

    def change(study: Study) -> Study:
        study = go_to_place(study, place)
        for text in turns:
            study = perform_in_study(study, read_study_turn(study, text))
        return study

    studies = Studies(service.store, service.now)
    found = (await studies.study_of_game(id, by))[0].study
    return await studies.change(found.id, by, found.version, change)


async def test_what_was_tried_in_a_study_is_kept_as_a_line(service: Service, left: Conditionals) -> None:
    id = await begun(service)
    await service.play_typed(id, ANN.user, "c2")
    study = await tried(service, id, ANN.user, 1, "g2", "b3")
    assert await left.may_add_from_study(study)
    assert len((await left.add_line_from_study(study)).lines) == 1
    assert [turn.text for turn in (await service.play_typed(id, BOB.user, "g2")).conditional_turns] == ["b3"]


async def test_what_is_no_line_from_the_position_as_it_stands_is_not_kept(service: Service, left: Conditionals) -> None:
    id = await begun(service)
    assert not await left.may_add_from_study(await tried(service, id, ANN.user, 0, "c2", "g2")), "it is her own turn"
    for by, turn in ((ANN, "c2"), (BOB, "g2"), (ANN, "b3")):
        await service.play_typed(id, by.user, turn)
    assert not await left.may_add_from_study(await tried(service, id, ANN.user, 3, "h3")), "it ends with his turn"
    assert not await left.may_add_from_study(await tried(service, id, ANN.user, 1, "h3", "b4")), "it begins elsewhere"
    study = await tried(service, id, ANN.user, 3, "h3", "b4")
    assert await left.may_add_from_study(study)
    await service.play_typed(id, BOB.user, "h4")
    assert await refused(left.add_line_from_study(study)) is Why.STALE
