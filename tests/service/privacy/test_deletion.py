"""Deleting all that is stored about a person, in batches, while the games of the others go on."""

from dataclasses import replace

import pytest
from sqlalchemy import select, update

from gipfbot.match import UNTIMED, RequestState, Seat, Side, Status, Why
from gipfbot.rules import BASIC, OVERBOARD, Colour, Reason, Result
from gipfbot.service.app import App, create_app
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.competing.results import rebuild_ratings
from gipfbot.service.privacy import deletion
from gipfbot.service.privacy.deletion import Deletions
from gipfbot.service.requests.game_requests import DRAW
from gipfbot.store import Store, game_lists, tables, watching
from gipfbot.values import FORMER_NAME, Follow, LostReason, News, is_former_player
from tests.service.helpers import (
    Host,
    assert_refused,
    basic_game_after,
    begin_game,
    begun,
    boards,
    delete_all,
    deliver,
    offered,
    passes,
    play_texts,
)
from tests.service.privacy.stored_values import all_values, columns_naming
from tests.support.games import TURNS
from tests.support.people import ANN, BOB, CARA, CLUB, DAN, HOME
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, NOW

RATED = replace(THREE_DAYS, rated=True)


# Of a record that somebody else has imported, nobody knows which person its names mean.
IMPORTED = {"studies.white", "studies.black", "studies.title", "studies.notes"}


@pytest.mark.parametrize("person", [ANN, BOB, CARA], ids=lambda person: person.name)
async def test_nothing_stored_names_a_former_player(filled_store: Store, person: Seat) -> None:
    store = filled_store
    app = create_app(store, lambda: NOW + 100 * DAY, lambda: True)
    assert len(await columns_naming(store, person)) > 5
    await delete_all(app, person.user)
    assert await columns_naming(store, person) <= IMPORTED
    assert not await app.deletions.stored_about(person.user)
    async with store.reading() as db:
        waiting = await db.scalars(select(tables.games.c.waiting_user).where(tables.games.c.status == Status.RUNNING))
        assert not [user for user in waiting if is_former_player(user)], "a running game was not resigned"


async def test_ratings_of_the_others_stay(filled_store: Store) -> None:
    store = filled_store
    app = create_app(store, lambda: NOW + 100 * DAY, lambda: True)
    await rebuild_ratings(store, app.now)
    await delete_all(app, BOB.user)
    found = await rebuild_ratings(store, app.now)
    assert {name: different for name, (_, different) in found.items()} == dict.fromkeys(found, 0)
    assert found["standings"][0] > 0


async def rated_game(app: App, host: Host, loser: Seat) -> int:
    """Return an ended Basic game of Ann and Bob that counts."""
    game = await basic_game_after(app, 4, RATED)
    host.passes(60)
    await app.games.resign(game, loser.user)
    return game


async def line_of(app: App, name: str) -> float:
    """Return the rating of a player on the leaderboard of all servers."""
    page = await app.leaderboards.page("basic", None, 1)
    (found,) = [line.rating.value for line in page.lines if line.name == name]
    return found


async def test_former_player_stays_on_the_leaderboard_without_a_name(app: App, host: Host) -> None:
    await rated_game(app, host, BOB)
    ann, bob = await line_of(app, "Ann"), await line_of(app, "Bob")
    await delete_all(app, ANN.user)
    assert (await line_of(app, FORMER_NAME), await line_of(app, "Bob")) == (ann, bob)
    (former,) = [line.user for line in (await app.leaderboards.page("basic", CLUB, 1)).lines if line.name != "Bob"]
    assert is_former_player(former)
    assert await app.leaderboards.people_to_ask_about(CLUB, [former, BOB.user]) == [BOB.user]
    assert (await app.profiles.profile(ANN.user, None)).is_empty


async def test_former_player_who_had_left_the_leaderboards_stays_off(app: App, host: Host) -> None:
    await rated_game(app, host, BOB)
    await app.leaderboards.set_listed(ANN.user, False)
    await delete_all(app, ANN.user)
    await rebuild_ratings(app.games.store, app.now)
    assert [line.name for line in (await app.leaderboards.page("basic", None, 1)).lines] == ["Bob"]


async def test_running_games_are_resigned_with_a_last_board(app: App) -> None:
    game = await basic_game_after(app, 4, RATED)
    await delete_all(app, ANN.user)
    stored = await app.games.game(game)
    assert stored.game.status is Status.OVER
    assert [seat.name for seat in stored.game.seats] == [FORMER_NAME, "Bob"]
    assert await app.games.running_games(BOB.user) == []
    last = (await boards(app))[-1]
    assert (last.over, last.names, last.pinged_at_end) == (True, (FORMER_NAME, "Bob"), (BOB.user,))
    assert (await app.profiles.profile(BOB.user, None)).score(*Colour).won == 1


async def test_nobody_can_ask_a_former_player_for_a_rematch(app: App) -> None:
    game = await basic_game_after(app, 4, RATED)
    await delete_all(app, ANN.user)
    await assert_refused(Why.OPPONENT_GONE, app.lobby.rematch(game, BOB))


async def test_open_challenges_are_closed(app: App) -> None:
    by_ann, seek = await offered(app, CARA), await offered(app, None)
    to_ann, _ = await app.lobby.challenge(DAN, ANN, BASIC, Side.LOT, HOME)
    closed = await app.deletions.begin(ANN.user)
    assert closed is not None
    found = {stored.challenge.id: stored.challenge for stored in closed}
    states = {number: challenge.state for number, challenge in found.items()}
    withdrawn = dict.fromkeys((by_ann, seek), RequestState.WITHDRAWN)
    assert states == {**withdrawn, to_ann.challenge.id: RequestState.DECLINED}
    assert found[by_ann].by.name == found[seek].by.name == FORMER_NAME
    assert found[to_ann.challenge.id].to == Seat(found[seek].by.user, FORMER_NAME)


async def test_what_others_have_of_the_person_loses_the_name(app: App) -> None:
    game = await basic_game_after(app, 2)
    await app.follows.follow_player(CARA.user, ANN, News.RESULT)
    await app.follows.follow_game(DAN.user, game, News.RESULT)
    await app.blocks.block(CARA.user, ANN)
    study, _ = await app.studies.study_of_game(game, CARA.user)
    await app.deletions.begin(BOB.user)  # the resignation is not told yet, so the follow still stands
    assert [follow.name for follow in await stored_follows(app, DAN)] == [f"Ann vs {FORMER_NAME}"]
    await app.deletions.finish(BOB.user)
    assert await written_names(app, DAN) == [f"Ann vs {FORMER_NAME}"]
    await delete_all(app, ANN.user)
    assert [(follow.name, follow.lost) for follow in await app.follows.take_lost(CARA.user)] == [
        (FORMER_NAME, LostReason.IMPOSSIBLE)
    ]
    assert [seat.name for seat in await app.blocks.blocks_of(CARA.user)] == [FORMER_NAME]
    assert (await app.studies.study(study.study.id, CARA.user)).study.names == (FORMER_NAME, FORMER_NAME)


async def stored_follows(app: App, person: Seat) -> list[Follow]:
    async with app.games.store.reading() as db:
        followed = tables.follows.c
        rows = await db.execute(select(followed.id).where(followed.user == person.user))
        found = [await watching.load_follow(db, row.id) for row in rows.all()]
    return [follow for follow in found if follow]


async def written_names(app: App, person: Seat) -> list[str]:
    """Return the names of a person's follows as they stand in the database."""
    async with app.games.store.reading() as db:
        followed = tables.follows.c
        return [*(await db.execute(select(followed.name).where(followed.user == person.user))).scalars()]


async def found_under(app: App, person: Seat) -> list[object]:
    """Return what lists say of a person."""
    async with app.games.store.reading() as db:
        waiting = await game_lists.waiting_games(db, person.user)
        told = await game_lists.next_waiting_games(db, person.user, 0, 99)
    games = await app.games.running_games(person.user), await app.lobby.challenges_of(person.user)
    profile = await app.profiles.profile(person.user, None)
    lines = [line for line in (await app.leaderboards.page("basic", None, 1)).lines if line.user == person.user]
    return [*waiting, *told[0], *games[0], *games[1], *lines, *([] if profile.is_empty else [profile])]


@pytest.mark.parametrize("batches", [0, 1, 2])
async def test_no_list_finds_the_person_once_a_deletion_has_begun(
    app: App, host: Host, monkeypatch: pytest.MonkeyPatch, batches: int
) -> None:
    """Whichever of its transactions was the last before a crash."""
    await rated_game(app, host, BOB)
    await basic_game_after(app, 4)
    await offered(app, CARA)
    await app.users.change(ANN.user, {"notation": "julio974"})
    assert len(await found_under(app, ANN)) == 6
    with monkeypatch.context() as patch:
        patch.setattr(app.deletions, "_take_step", crash_at_once)
        with pytest.raises(Crash):
            await app.deletions.begin(ANN.user)
    for _ in range(batches):
        assert await app.deletions._take_step(ANN.user)
    assert await found_under(app, ANN) == []
    await app.deletions.resume_all()
    assert await columns_naming(app.games.store, ANN) == set()


async def crash_at_once(_: int) -> bool:
    raise Crash


class Crash(Exception):
    pass


async def test_deletion_is_resumed_after_a_crash(app: App, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever batch fails, the next process does all that is left, and nothing twice."""
    monkeypatch.setattr(deletion, "RESIGNED_AT_ONCE", 1)
    monkeypatch.setattr(deletion, "RENAMED_AT_ONCE", 2)
    monkeypatch.setattr(deletion, "ROWS_AT_ONCE", 3)
    for _ in range(5):
        await rated_game(app, host, BOB)
    running = [await basic_game_after(app, 4, RATED) for _ in range(3)]
    assert await app.deletions.begin(ANN.user) is not None
    batches = 0
    while True:
        store = app.games.store
        again = Deletions(store, app.now, app.kinds)  # another process
        before = await all_values(store)
        with monkeypatch.context() as patch:
            patch.setattr(again, "_do_batch", crash_after(again))
            with pytest.raises(Crash):
                await again.finish(ANN.user)
        assert await all_values(store) == before
        if not await again._take_step(ANN.user):
            break
        batches += 1
    assert batches > 10
    assert await columns_naming(app.games.store, ANN) == set()
    resigned = [event for event in await events(app.games.store) if event == ("resign", True)]
    assert len(resigned) == len(running)
    found = await rebuild_ratings(app.games.store, app.now)
    assert all(different == 0 for _, different in found.values())


def crash_after(deletions: Deletions) -> object:
    whole = deletions._do_batch

    async def do_and_crash(*arguments: object) -> None:
        await whole(*arguments)  # type: ignore[arg-type]
        raise Crash

    return do_and_crash


async def events(store: Store) -> list[tuple[str, bool]]:
    """Return the kinds of all events, each with whether a former player caused it."""
    async with store.reading() as db:
        rows = await db.execute(select(tables.events.c.kind, tables.events.c.by))
        return [(row.kind, is_former_player(row.by)) for row in rows]


async def test_sweep_finishes_a_deletion_in_some_passes(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deletion, "RESIGNED_AT_ONCE", 1)
    monkeypatch.setattr(deletion, "MOST_STEPS", 2)
    for _ in range(5):
        await basic_game_after(app, 4, RATED)
    await app.deletions.begin(ANN.user)
    await app.deletions.resume_all()  # the challenges, and one game
    assert len(await app.games.running_games(BOB.user)) == 4, "other work goes on in between"
    for _ in range(5):
        await app.deletions.resume_all()
    assert await columns_naming(app.games.store, ANN) == set()


async def test_person_who_plays_meanwhile_begins_anew(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """What they do after the beginning is theirs, and stays."""
    monkeypatch.setattr(deletion, "RENAMED_AT_ONCE", 1)
    old = [await basic_game_after(app, 4, RATED) for _ in range(3)]
    await app.games.resign(old[0], BOB.user)
    await app.deletions.begin(ANN.user)
    new = await basic_game_after(app, 0, RATED)
    await app.users.change(ANN.user, {"notation": "julio974"})
    await app.notes.set_note(new, ANN.user, "mine")
    await play_texts(app, new, TURNS[:4])
    await app.games.resign(new, BOB.user)
    another = await basic_game_after(app, 1)
    await app.deletions.finish(ANN.user)
    assert [brief.id for brief in await app.games.running_games(ANN.user)] == [another]
    assert (await app.users.user_settings(ANN.user))["notation"] == "julio974"
    assert [seat.name for seat in (await app.games.game(new)).game.seats] == ["Ann", "Bob"]
    assert await app.notes.note(new, ANN.user) == "mine"
    profile = await app.profiles.profile(ANN.user, None)
    assert profile.score(*Colour).won == 1
    names = [line.name for line in (await app.leaderboards.page("basic", None, 1)).lines]
    assert sorted(names) == ["Ann", "Bob", FORMER_NAME]
    found = await rebuild_ratings(app.games.store, app.now)
    assert all(different == 0 for _, different in found.values())


async def test_second_deletion_waits_for_the_first(app: App) -> None:
    await basic_game_after(app, 4, RATED)
    assert await app.deletions.begin(ANN.user) == []
    before = await all_values(app.games.store)
    assert await app.deletions.begin(ANN.user) is None
    assert await all_values(app.games.store) == before
    await app.deletions.finish(ANN.user)
    before = await all_values(app.games.store)
    await delete_all(app, ANN.user)
    assert await all_values(app.games.store) == before


async def test_person_who_never_played_changes_nothing(app: App) -> None:
    await basic_game_after(app, 4, RATED)
    assert not await app.deletions.stored_about(CARA.user)
    before = await all_values(app.games.store)
    await delete_all(app, CARA.user)
    assert await all_values(app.games.store) == before


async def test_unreadable_game_does_not_stop_a_deletion(app: App) -> None:
    damaged, running = await basic_game_after(app, 4), await basic_game_after(app, 4)
    async with app.games.store.transaction() as db:
        await db.execute(update(tables.games).where(tables.games.c.id == damaged).values(position="damaged"))
    await delete_all(app, ANN.user)
    assert await columns_naming(app.games.store, ANN) == set()
    assert (await app.games.game(running)).game.status is Status.OVER


async def test_opponent_may_act_between_the_batches(app: App, host: Host) -> None:
    """A turn, a flag and a reminder meet a player who has gone."""
    game = await basic_game_after(app, 5)
    await app.deletions.begin(ANN.user)
    await app.games.play_typed(game, BOB.user, "h4")
    host.passes(2 * DAY)
    await app.reminders.owe_due_reminders()
    await app.digests.owe_due_digests()
    await app.deletions.finish(ANN.user)
    assert (await app.games.game(game)).game.status is Status.OVER
    assert await columns_naming(app.games.store, ANN) == set()


async def test_time_losses_draw_offers_and_nudges_lose_the_id(app: App, host: Host, flag_watch: FlagWatch) -> None:
    drawn = (await begin_game(app, UNTIMED, OVERBOARD)).game.id
    await app.requests.make(DRAW, drawn, ANN.user)
    late = await basic_game_after(app, 4, RATED)
    nudged = await begun(app)
    host.passes(DAY)
    await app.reminders.nudge(nudged, BOB.user, 0)
    for days in (4, 1):  # the time is over, then the grace
        await passes(flag_watch, host, days * DAY)
    assert (await app.games.game(late)).game.position.result == Result(Colour.BLACK, Reason.TIME)
    named = await columns_naming(app.games.store, ANN)
    assert {"rated_results.late_user", "requests.by", "outbox.payload", "events.by"} <= named
    await delete_all(app, ANN.user)
    assert await columns_naming(app.games.store, ANN) == set()


async def test_what_was_owed_to_the_person_is_not_sent(app: App) -> None:
    game = await basic_game_after(app, 2)
    await app.follows.follow_game(CARA.user, game, News.EACH_TURN)
    await deliver(app, await app.games.play_typed(game, ANN.user, TURNS[2]))
    await delete_all(app, CARA.user)
    async with app.games.store.reading() as db:
        assert await db.scalar(select(tables.outbox.c.id).where(tables.outbox.c.channel == CARA.user)) is None
