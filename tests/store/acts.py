"""What the bot asks of the database, each with all its statements."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random

from sqlalchemy import update

from gipfbot.match import (
    REQUEST_LIFETIME,
    Challenge,
    Clock,
    GameRequest,
    RequestKind,
    RequestState,
    Side,
    accept_challenge,
)
from gipfbot.match.analysis import FoundTurn
from gipfbot.match.explorer import ExploredStep
from gipfbot.match.glicko import Rating
from gipfbot.match.puzzle import puzzle_study
from gipfbot.match.ratings import RatedResult, rate_month, standing_now
from gipfbot.match.study import Study
from gipfbot.match.tournament import Entrant, Outcome, TieBreak, rank
from gipfbot.rules import BASIC, Colour
from gipfbot.store import (
    Connection,
    analyses,
    challenges,
    clocks,
    conditionals,
    deletions,
    due,
    due_work,
    explorer,
    game_lists,
    games,
    hashed_ids,
    meta,
    names,
    outbox,
    personal_data,
    profiles,
    puzzles,
    ratings,
    requests,
    retention,
    servers,
    standings,
    studies,
    tables,
    timelines,
    tournaments,
    users,
    watching,
)
from gipfbot.values import (
    AnalysisState,
    DueRow,
    ExploredTurn,
    Follow,
    Guess,
    LastListed,
    LostReason,
    News,
    Nickname,
    Shards,
    StoredStudy,
    Venue,
)
from gipfbot.values.tournaments import Pairing, Tournament, TournamentState
from tests.store.helpers import MESSAGE, answered
from tests.support.games import E1
from tests.support.people import ANN, BOB, CARA, CLUB, HALL, HOME
from tests.support.puzzles import THREE, TWO, proven
from tests.support.terms import THREE_DAYS
from tests.support.times import NOW

Act = Callable[[Connection], Awaitable[object]]


async def take_turn(db: Connection) -> None:
    stored = await games.load_game(db, 1)
    assert stored
    after = answered(stored.game, Random(1))
    await games.save_game(db, stored.game, after.game, after.turn, by=ANN.user, how="buttons", now=NOW)
    await games.count_occurrences(db, 1, "0" * 32)
    await games.turns_of(db, 1)
    await games.waiting_since(db, 1)
    row_id = await outbox.owe(db, f"board:1:{after.game.version}", "board", HALL, {}, NOW, 1)
    await outbox.was_owed(db, "board:1:1")
    await outbox.lease(db, row_id, NOW, 60)
    await outbox.retry_later(db, row_id, NOW + 1)
    await outbox.mark_posted(db, row_id, MESSAGE, NOW)
    again = await outbox.owe_leased(db, "board:1:again", "board", HALL, {}, NOW, 1, by=ANN.user, seconds=60)
    assert again
    await outbox.put_back(db, again, 60)
    await outbox.make_due(db, again.id, NOW)
    await games.set_board_message(db, 1, after.game.turn_number, HALL, MESSAGE)


async def meet(db: Connection) -> None:
    new = await challenges.add_challenge(db, Challenge(0, ANN, BOB, BASIC, Side.LOT, NOW + REQUEST_LIFETIME), HOME)
    await challenges.set_challenge_message(db, new.challenge.id, MESSAGE)
    await challenges.close_unseen(db, new.challenge.id + 1, NOW)
    await challenges.load_challenge(db, new.challenge.id)
    accepted, _ = accept_challenge(new.challenge, BOB, NOW, white_by_lot=True)
    await challenges.save_challenge(db, accepted, game=1)
    await game_lists.game_from_challenge(db, new.challenge.id, BOB.user)
    await game_lists.people_with_results(db, [ANN.user, BOB.user])
    await game_lists.count_running(db, [ANN.user, BOB.user], CLUB)
    await game_lists.people_with_results(db, [ANN.user, BOB.user])
    await game_lists.count_running_anywhere(db, BOB.user)
    await game_lists.private_games(db, BOB.user)
    await challenges.earlier_challenges(db, ANN.user, BOB.user, NOW)
    await challenges.earlier_challenges(db, ANN.user, None, NOW)
    await challenges.count_mentions(db, CLUB, NOW)


async def look(db: Connection) -> None:
    await game_lists.listed_games(db, ANN.user)
    await game_lists.save_last_listed(db, ANN.user, {1: LastListed(1, 0), 2: None})
    await requests.open_requests(db, [1, 2])
    await due.unfinished_in_games(db, "claim_win", [1, 2])
    await due.hasten_on_server(db, "retry", CLUB, NOW)
    await games.versions(db, [1, 2])


async def be_known(db: Connection) -> None:
    await users.set_settings(db, ANN.user, {"pinned": 1}, NOW)
    await users.set_setting(db, ANN.user, "pinned", 1)
    await users.set_language(db, ANN.user, "de")
    await users.load_person(db, ANN.user)
    await users.load_person(db, ANN.user, CLUB, Nickname(CLUB, "Anna"))
    await names.rename_in_games(db, ANN.user, CLUB, "Anna", 20)
    await names.rename_in_challenges(db, ANN.user, CLUB, "Anna")
    await meta.save_value(db, "a", "1")
    await meta.load_value(db, "a")


async def move_house(db: Connection) -> None:
    await games.set_unreachable(db, 1, "gone")
    await games.set_reachable(db, 1, "gone")
    await outbox.drop_row(db, 1, "gone", NOW)
    await outbox.drop_rows_of_game(db, 1, "gone", NOW)
    await outbox.dropped_payload(db, 1)
    await outbox.requeue_row(db, 1, 1, {}, NOW)
    await games.move_games_to_parent(db, 1)
    await games.set_venue(db, 1, Venue(CLUB, 7, 5))
    assert await games.move_games_to_parent(db, 7) == (5, [1])
    await games.set_venue(db, 1, Venue(None, 1))
    await games.add_event(db, 1, "resign", ANN.user, NOW)


async def hold_tournament(db: Connection) -> None:
    new = Tournament(0, "league", "A cup", HOME, ANN, BASIC, THREE_DAYS, 0, NOW, NOW)
    before = replace(new, id=await tournaments.add_tournament(db, new))
    await tournaments.add_entry(db, before.id, 1, ANN, 0, NOW)
    await tournaments.add_entry(db, before.id, 1, BOB, 1, NOW)
    (ann, bob) = await tournaments.entries_of(db, before.id, 1)
    await tournaments.number_entries(db, {ann.id: (1, 1)})
    await tournaments.delete_entry(db, bob.id)
    await tournaments.add_pairings(db, before.id, [Pairing(1, 1, ann.id, bob.id)], NOW)
    (pairing,) = await tournaments.pairings_of(db, before.id, 1)
    await tournaments.note_game(db, before.id, pairing, 1)
    await tournaments.pairing_of_game(db, 1)
    await tournaments.decide_pairing(db, before.id, pairing, Outcome.WHITE, NOW)
    await tournaments.note_left(db, ann.id, NOW)
    await tournaments.leave_tournaments(db, BOB.user, NOW)
    await tournaments.note_called_off(db, before.id, 1, NOW)
    await tournaments.save_tournament(db, before, replace(before, begun=1))
    stored = await tournaments.load_tournament(db, before.id)
    assert stored
    await tournaments.load_played(db, stored, 1)
    await tournaments.tournaments_on(db, CLUB, [TournamentState.OPEN], 10)
    await tournaments.entered_in(db, ANN.user)
    await tournaments.ids_going_on(db)
    await tournaments.note_places(db, [rank([Entrant(ann.id, 0)], [], TieBreak.BUCHHOLZ)])
    await tournaments.titles_of(db, ANN.user, 9)
    await games.change_terms(db, 1, tournament=None, rated=False)
    await games.ended_among(db, [1])


async def study(db: Connection) -> None:
    new = StoredStudy(Study(0, BASIC, ("a", "b"), ()), ANN.user, "", 1)
    study_id = await studies.add_study(db, new, NOW, NOW + 1)
    found = await studies.load_study(db, study_id, ANN.user, NOW)
    assert found
    assert await studies.study_of_game(db, 1, ANN.user, NOW)
    await studies.save_study(db, found.study, found, NOW + 2)
    await studies.delete_study(db, study_id)


async def be_reminded(db: Connection) -> None:
    await due.schedule(db, "reminder:1:0", "reminder", NOW, ANN.user, 1)
    await due.schedule_in_untimed_games(db, "weekly_reminder", 7, NOW)
    await due.ready_rows(db, "reminder", NOW)
    await due.reschedule(db, 1, NOW, NOW)
    await due.finish_row(db, 1, NOW)
    await due.unschedule_in_game(db, "reminder", 1, "reminder:1:1")
    await due.take_games(db, due.UNTOLD, ANN.user)
    await due.schedule_anew(db, "reminder", {"a": DueRow(0, "a", 1, ANN.user, NOW)}, [1])
    await due.set_game(db, "a", 1)
    await due.unfinished_row(db, "a")
    await users.quiet_of_seats(db, ANN.user, [1, 2])
    await game_lists.next_waiting_games(db, ANN.user, 0, 10)
    await game_lists.vacation_games(db, ANN.user)
    await due.unschedule_of_user(db, "vacation_used_up", ANN.user)
    await users.dms_shut(db, ANN.user, NOW)
    await users.dms_shut_at(db, ANN.user)
    await users.set_dms_shut(db, ANN.user, NOW)
    await users.choices_in_game(db, ANN.user, 1)
    await users.set_quiet(db, ANN.user, 1)
    await users.set_quiet_turn(db, ANN.user, 1, 0)
    await users.end_quiet(db, ANN.user, 1)
    await outbox.payloads_posted_since(db, "digest:1:1", "digest:1:2", NOW)
    await users.quiet_games(db, ANN.user)
    await users.set_note(db, ANN.user, 1, "mine")
    await game_lists.load_games(db, [1, 2])
    await users.end_all_quiet(db, ANN.user)


async def be_away(db: Connection) -> None:
    new = await clocks.add_vacation(db, ANN.user, NOW, NOW + 1)
    await clocks.current_vacation(db, ANN.user)
    await clocks.vacations_since(db, ANN.user, NOW)
    await clocks.vacations_of_each(db, [ANN.user, BOB.user], NOW)
    await clocks.vacations_of(db, [ANN.user, BOB.user])
    await clocks.end_vacation(db, new.id, NOW)
    await clocks.load_vacation(db, new.id)
    await outbox.owe(db, "told", "vacation", 1, {}, NOW)
    await outbox.payload_of(db, "told")
    await outbox.rows_by_key(db, "vacation:1:", "vacation:1;", 5)
    await due.unschedule(db, "vacation:1")


async def be_managed(db: Connection) -> None:
    await servers.settings_of_server(db, CLUB)
    await servers.save_server_settings(db, CLUB, {"cap": 1})
    await outbox.last_owed(db, "settings_changed:1:", "settings_changed:1:~")
    await outbox.owed_lately(db, "shown:1:", "shown:1:~", NOW, 5)
    await outbox.payload_with_mark(db, "shown", "0123456789abcdef")
    await servers.set_language(db, CLUB, "de")
    await servers.set_language_of_manager(db, CLUB, "de")
    await servers.language_of_server(db, CLUB)
    await servers.save_arrival(db, CLUB, NOW)
    await servers.was_joined_at(db, CLUB, NOW)
    await servers.save_departure(db, CLUB, NOW)


async def follow(db: Connection) -> None:
    follow_id = await watching.add_follow(db, Follow(0, CARA.user, 1, None, "Ann vs Bob", News.EACH_TURN), NOW)
    await watching.load_follow(db, follow_id)
    await watching.follow_of_game(db, CARA.user, 1)
    await watching.follow_of_player(db, CARA.user, ANN.user)
    await watching.follows_of(db, CARA.user)
    await watching.count_followers(db, 1, News.EACH_TURN)
    await watching.set_news(db, follow_id, News.RESULT)
    await watching.known_check(db, CARA.user, HALL, NOW)
    await watching.save_check(db, CARA.user, HALL, NOW, sees=True)
    await watching.lose_follow(db, follow_id, LostReason.HIDDEN)
    await watching.lose_all_follows(db, CARA.user, LostReason.SHUT)
    await watching.take_lost_follows(db, CARA.user)
    await watching.delete_follow(db, follow_id)


async def block(db: Connection) -> None:
    await users.add_block(db, ANN.user, CARA, NOW)
    await users.blocks_of(db, ANN.user)
    await users.count_blocks(db, ANN.user)
    found = await users.blocks_among(db, [ANN.user, BOB.user], [CARA.user, BOB.user])
    assert found == {(ANN.user, CARA.user): CARA}
    await watching.lose_follows_by(db, CARA.user, ANN.user)
    await watching.lose_follows_of(db, ANN.user)
    await users.delete_block(db, ANN.user, CARA.user)


async def make_guess(db: Connection) -> None:
    guess = Guess(1, 0, CARA.user, (E1,))
    await watching.save_guess(db, guess, NOW)
    assert await watching.guesses_of(db, CARA.user, 1, [0]) == {0: guess}
    assert await watching.guessed_turns(db, 1, 0) == {"e1e2": (E1,)}
    await watching.set_points(db, 1, 0, "e1e2", 3)
    await watching.guess_score(db, CARA.user)


async def tell_followers(db: Connection) -> None:
    await outbox.payloads_by_channel(db, "followed:1:1:", "followed:1:1;")
    await watching.followers(db, 1, [ANN.user, BOB.user], [News.EACH_TURN], 100)


async def be_rated(db: Connection) -> None:
    result = RatedResult(1, ANN.user, BOB.user, "basic", 24000, CLUB, NOW, 1.0, ANN.user, True)
    both = ANN.user, BOB.user
    await ratings.results_since_month(db, "basic", both, 24000)
    await ratings.is_away(db, result)
    await ratings.add_results(db, (result, result.of_opponent))
    await ratings.months_around(db, "basic", both, 24000)
    new = rate_month(None, [(result, Rating())])
    await ratings.save_months(db, [new])
    await ratings.newest_months(db, ANN.user)
    await standings.standings_of(db, both, "basic")
    await standings.is_unlisted(db, ANN.user)
    await standings.listed_on(db, "basic", both)
    entry = standing_now(new, CLUB, NOW)
    assert entry
    await standings.replace_standings(db, [], [entry])
    await standings.replace_standings(db, [entry], [])


async def look_at_leaderboard(db: Connection) -> None:
    await standings.standings_of(db, [ANN.user])
    await standings.changing_standings(db, NOW, 10)
    await standings.count_standings(db, "basic", CLUB)
    await standings.ask_again(db, CLUB, [ANN.user, BOB.user], NOW)
    await standings.save_membership(db, CLUB, ANN.user, False, NOW)
    await standings.is_gone(db, CLUB, ANN.user)


async def look_at_profile(db: Connection) -> None:
    await ratings.months_of_player(db, ANN.user)
    await ratings.count_uncounted(db, ANN.user)
    for against in (None, BOB.user):
        await profiles.count_ends(db, ANN.user, against)
        await profiles.opponents_of(db, ANN.user, against, 5)
        await profiles.count_openings(db, ANN.user, against)
        await profiles.longest_game(db, ANN.user, against)
        await profiles.running_between(db, ANN.user, against, 10)


async def count_for_explorer(db: Connection) -> None:
    await db.execute(update(tables.games).where(tables.games.c.id == 1).values(ended_at=NOW))
    await explorer.games_to_count(db, NOW, 50)
    assert await explorer.mark_counted(db, [1, 2], NOW) == {1}
    step = ExploredStep(-7, "e2")
    for _ in range(2):
        await explorer.add_turns(db, {step: ExploredTurn(step.turn, 1, 0, 2, (1,))})


async def solve_puzzles(db: Connection) -> None:
    """Open two puzzles, enter a turn, end both first tries, and look at the puzzles of a server's days."""
    await puzzles.add_puzzles(db, {7: proven(TWO, 2), 8: proven(THREE, 3)}, NOW)
    one, two = [await puzzles.add_try(db, number, ANN.user, None) for number in (1, 2)]
    one = await puzzles.save_board(db, one, puzzle_study(proven(TWO, 2)))
    await puzzles.move_try(db, one, CLUB)
    for known in (one, two):
        assert await puzzles.end_first_try(db, known, solved=True, now=NOW, month=24000)
        assert not await puzzles.end_first_try(db, known, solved=False, now=NOW, month=24000)
    assert await puzzles.load_try(db, 1, ANN.user)
    assert len(await puzzles.results_of_month(db, ANN.user, 1, 24000)) == 3
    await puzzles.newest_month(db, ANN.user, -1)
    assert (await puzzles.solvers_on_server(db, 1, CLUB, NOW, NOW + 1)).solvers == (ANN.user,)
    await puzzles.add_day(db, CLUB, 9, 1)
    assert await puzzles.puzzle_of_day(db, CLUB, 9) == 1
    assert await puzzles.last_day(db, CLUB, 10) == 9
    assert await puzzles.was_puzzle_before(db, CLUB, 1, 10)
    await puzzles.load_puzzle(db, 1)
    await puzzles.newest_puzzle(db)
    assert await puzzles.newest_and_untried(db, 0) == (await puzzles.newest_puzzle(db), 0)
    await puzzles.save_rating(db, 1, 1600.0)
    for own_turns in (2, None):
        await puzzles.unfinished_puzzles(db, ANN.user, own_turns, CLUB, 10, 5)
        await puzzles.next_puzzles(db, BOB.user, own_turns, 1500.0, CLUB, 10, 5)
    await puzzles.next_uncut_game(db, NOW)
    await puzzles.next_uncut_game(db, NOW, Shards(0, 1, 4))
    await puzzles.mark_cut(db, 1, NOW)


async def explore(db: Connection) -> None:
    await explorer.turns_from(db, -7)
    await explorer.listed_by_id(db, [1, 2])


async def analyse(db: Connection) -> None:
    known = await analyses.add_analysis(db, 1, 2, NOW, NOW)
    await analyses.add_asker(db, ANN.user, 1, NOW)
    assert await analyses.awaited_games(db) == {known.game: ANN.user}
    after = replace(known, found=((), (FoundTurn((E1,), 5, ((E1,),)),)), state=AnalysisState.DONE)
    await analyses.save_found(db, known, after)
    assert await analyses.load_analysis(db, 1) == after
    assert await analyses.asked_game(db, ANN.user) == 1
    assert await analyses.take_askers(db, 1) == {ANN.user: NOW}
    await analyses.keep_until(db, 1, NOW + 1)
    await analyses.delete_expired_analyses(db, NOW)
    await analyses.delete_analysis(db, 1)


async def look_at_server(db: Connection) -> None:
    await servers.count_running_on_server(db, CLUB)
    await servers.count_results(db, CLUB)
    await servers.count_turns_by_day(db, CLUB, NOW)
    await servers.most_followed_games(db, CLUB, [HALL], CARA.user, 10)


async def be_watched(db: Connection) -> None:
    await outbox.owed_messages(db)
    await outbox.count_owed_on_server(db, CLUB)
    await servers.count_undeliverable_servers(db)
    await servers.refusing_channels(db, CLUB, 10)


async def be_exported(db: Connection) -> None:
    await deletions.is_known(db, ANN.user)
    await personal_data.own_rows(db, ANN.user)
    await personal_data.game_ids(db, ANN.user)
    await personal_data.rows_of_games(db, ANN.user, [1, 2])
    await personal_data.turns_of_games(db, [1, 2])
    await deletions.messages_about(db, ANN.user, ["vacation"], 1, await deletions.last_message(db) + 100)


async def be_deleted(db: Connection) -> None:
    known = await deletions.add_deletion(db, ANN.user, await deletions.draw_pseudonym(db), NOW)
    assert await deletions.load_deletion(db, ANN.user) == known
    await deletions.close_challenges(db, ANN.user)
    await deletions.rename_player(db, ANN.user, known.pseudonym, NOW)
    await deletions.delete_own_rows(db, ANN.user, known.pseudonym)
    assert await deletions.challenges_to_rename(db, known, 50) == []
    await deletions.rename_challenges(db, known, [1, 2], NOW)
    await hashed_ids.forget_pings(db, NOW)
    await deletions.games_to_rename(db, known, 50)
    await deletions.games_among(db, known.pseudonym, [1, 2])
    await deletions.is_vacation_of(db, known.pseudonym, 1)
    await deletions.rename_in_games(db, known, [1, 2])
    await deletions.rewrite_messages(db, {1: ("board:1:0", {})})
    await deletions.delete_messages(db, [1, 2])
    await deletions.save_progress(db, known)
    await deletions.end_deletion(db, known)


async def be_forgotten(db: Connection) -> None:
    batch = retention.Batch(NOW, retention.RowPlace(1, 1), 10)
    assert await retention.full_messages(db, batch) == await retention.emptied_messages(db, batch) == []
    await retention.empty_messages(db, [1, 2], NOW)
    await retention.forget_left_servers(db, batch)
    for aging in retention.AGING:
        await retention.delete_aged(aging, db, batch)
    await outbox.stored_rows(db, [1, 2])
    await due.unfinished_keys(db, ["a", "b"])
    await requests.ids_to_tell(db, [1, 2])
    await clocks.current_ids(db, [1, 2])
    await games.running_turn_serials(db, [1, 2])
    await games.unreachable_games(db, [1, 2])


async def begin_again(db: Connection) -> None:
    await challenges.rematch_challenge_of(db, 1)
    await challenges.load_challenges(db, [1, 2])
    await challenges.move_challenges_to_parent(db, 7, 5)
    await games.note_expected(db, 1, 0, [[E1]])
    await games.newest_board_message(db, 1)
    await games.load_venue(db, 1)
    await games.events_of_kinds(db, 1, ["resign"])
    await games.next_game(db, 1)
    await users.carry_over_choices(db, 1, 1)
    await users.settings_of_user(db, ANN.user)
    await game_lists.choosable_games(db, ANN.user)
    await game_lists.standing_positions(db, ANN.user)
    await game_lists.running_and_unreadable_games(db, ANN.user)


async def answer_conditionally(db: Connection) -> None:
    await conditionals.add_conditional_line(db, 1, BOB.user, 1, [[E1], [E1]], NOW)
    (line,) = await conditionals.conditional_lines(db, 1)
    await conditionals.lines_in_games(db, [1], BOB.user)
    await conditionals.advance_line(db, line, line)
    await conditionals.advance_line(db, line, None)
    await conditionals.delete_lines(db, [line])
    await conditionals.delete_lines_of_game(db, 1)


async def request(db: Connection) -> None:
    asked = await requests.add_request(db, GameRequest(0, RequestKind.TAKEBACK, 1, ANN.user, 0, 0, NOW), NOW)
    await requests.load_request(db, asked.id)
    await requests.requests_of(db, 1)
    await requests.expired_requests(db, NOW, 10)
    await requests.save_request(db, replace(asked, state=RequestState.EXPIRED))


async def run_clocks(db: Connection) -> None:
    """Save the clock of a game, and look for late ones."""
    stored = await games.load_game(db, 1)
    assert stored
    await clocks.save_clock(db, stored.game)
    await clocks.save_clocks(db, [stored.game])
    await clocks.next_running_clocks(db, 0, 10)
    await clocks.save_running_clocks(db, [clocks.RunningClock(1, Colour.WHITE, THREE_DAYS, Clock((0, 0)), HALL)])
    await clocks.running_clocks(db)
    await clocks.overdue_games(db, NOW, "board", "vacation_end")
    await clocks.beginnings_since(db, ANN.user, NOW)


async def do_tasks(db: Connection) -> None:
    """Plan tasks, look for them, lock and do them."""
    await due.schedule(db, "a", "reminder", NOW, ANN.user, 1)
    await due.scheduled_for(db, "a")
    await due.scheduled_key(db, "reminder", 1)
    await due.lock_tasks(db, await due.ready_rows(db, "reminder", NOW))
    await due.house_tasks(db, "reminder", NOW)
    await due.lock_games(db, [1, 2])
    await due.postpone(db, "a", NOW + 1)
    await due.lease(db, "a", NOW, NOW + 60)
    await due.release_leases(db, "reminder", NOW, [1])
    assert await due.hold(db, "a", NOW + 60, 1, 0)
    assert await due.held_for(db, "a") == 1
    await due.release_held(db, NOW)
    await due.hasten_kind(db, "reminder", NOW)
    await due.unschedule_unfinished(db, "reminder", [1, 2])


async def follow_up_messages(db: Connection) -> None:
    """Look for messages in many ways, send them elsewhere, and queue them again."""
    await outbox.owe_each(db, "news", "settings_changed", {5: {}, 6: {}}, NOW)
    row_id = await outbox.owe(db, "nudge:1", "nudge", HALL, {}, NOW, 1)
    await outbox.lease_in_lane(db, row_id, NOW, 60)
    await outbox.find_by_mark(db, "0123456789abcdef", HALL)
    await outbox.message_with_mark(db, "0123456789abcdef")
    await outbox.posted_message(db, "nudge:1")
    await outbox.was_dropped(db, "nudge:1")
    await outbox.is_used(db, "nudge:1")
    await outbox.forget_dropped(db, "nudge:1")
    await outbox.is_owed_to(db, row_id, HALL)
    await outbox.is_owed_for(db, 1, "nudge")
    await outbox.owed_since(db, 1, "nudge")
    await outbox.owed_ids(db, 1, "nudge")
    await outbox.redirect_owed(db, HALL, 5, NOW, 1)
    await outbox.give_way(db, 1, NOW)
    await outbox.drop_row(db, row_id, "gone", NOW)
    assert await outbox.requeue_dropped(db, "nudge:1", HALL, NOW)
    await outbox.posted_rows(db, [1, 2])
    await outbox.retry_all_now(db, NOW)
    await outbox.delete_row(db, row_id)


async def keep_values(db: Connection) -> None:
    await meta.lock_value(db, "a")
    await meta.load_values(db, ["a", "b"])


async def come_back(db: Connection) -> None:
    """Find out whether a backup was restored, and what is lost."""
    here = timelines.new_timeline(NOW)
    await timelines.save_timeline(db, here)
    await timelines.load_timeline(db)
    await timelines.lock_timeline(db)
    await timelines.add_former_timelines(db, ["x"])
    await timelines.former_timelines(db)
    await timelines.note_move(db, NOW)
    await timelines.moved_at(db)
    await timelines.add_lost_time(db, NOW, NOW + 1)
    await timelines.lost_times(db)
    await timelines.load_copy_note(db)
    await timelines.forget_copy_note(db)


async def tell_of_a_restore(db: Connection) -> None:
    await timelines.remember_deletion(db, ANN.user, NOW)
    _, asked = await timelines.timeline_and_deletions(db)
    assert asked == await timelines.asked_deletions(db)
    await timelines.save_deletions(db, asked, NOW)
    await timelines.plan_news(db, NOW, [1], NOW)
    await timelines.planned_news(db)
    await timelines.games_to_tell_of_restore(db)
    await timelines.save_requests_to_renew(db, [1])
    await timelines.requests_to_renew(db)
    await timelines.running_games(db)


async def remember_deleted(db: Connection) -> None:
    await hashed_ids.hash_id(db, ANN.user)
    await hashed_ids.keep_pings(db, ANN.user, [1, 2], NOW)
    await hashed_ids.keep_pairs(db, ANN.user, NOW)
    await hashed_ids.add_to_pair(db, (ANN.user, BOB.user), "basic", 24000)


async def look_at_places(db: Connection) -> None:
    await games.set_server_reachable(db, CLUB, "removed")
    await ratings.newest_in_pool(db, "basic", ANN.user)
    await standings.standings_page(db, "basic", CLUB, 0, 10, NOW)
    await standings.place_of(db, "basic", CLUB, ANN.user, NOW)


ACTS: dict[str, Act] = {
    "a rematch": begin_again,
    "conditional turns": answer_conditionally,
    "a request": request,
    "clocks": run_clocks,
    "tasks": do_tasks,
    "messages again": follow_up_messages,
    "values": keep_values,
    "a start after a restore": come_back,
    "news of a restore": tell_of_a_restore,
    "puzzles that are known": lambda db: puzzles.known_keys(db, [7, 8]),
    "what is known of the deleted": remember_deleted,
    "servers": look_at_places,
    "what is over": be_forgotten,
    "whether anything is over": lambda db: retention.has_old_rows(db, NOW),
    "an export": be_exported,
    "a button after a restore": lambda db: timelines.is_known_message(db, "0123456789abcdef", HOME.channel, MESSAGE),
    "a deletion": be_deleted,
    "a sweep for the explorer": count_for_explorer,
    "the explorer": explore,
    "a puzzle": solve_puzzles,
    "an analysis": analyse,
    "the figures of a server": look_at_server,
    "the health": be_watched,
    "a profile": look_at_profile,
    "following": follow,
    "blocking": block,
    "a guess": make_guess,
    "news": tell_followers,
    "a rated result": be_rated,
    "a leaderboard": look_at_leaderboard,
    "a turn": take_turn,
    "a challenge": meet,
    "a person": be_known,
    "a server": be_managed,
    "a new venue": move_house,
    "a server that is left": lambda db: games.set_server_unreachable(db, CLUB, "removed"),
    "a downtime": lambda db: clocks.credit_untimed_games(db, 60, NOW),
    "waiting games": lambda db: game_lists.waiting_games(db, ANN.user),
    "a look at the games": look,
    "a tournament": hold_tournament,
    "a study": study,
    "studies of a person": lambda db: studies.studies_of(db, ANN.user, NOW),
    "expired studies": lambda db: studies.delete_expired_studies(db, NOW),
    "ended games": lambda db: game_lists.ended_games(db, ANN.user, 10),
    "running games": lambda db: game_lists.running_games(db, ANN.user),
    "games to watch": lambda db: game_lists.live_page(db, CLUB, [HALL], 9, 9),
    "channel of the last game": lambda db: game_lists.last_channel(db, CLUB),
    "games to choose": lambda db: game_lists.listed_of_others(db, CLUB, [HALL], ANN.user, 25),
    "the number of games": game_lists.count_all_running,
    "seeks": lambda db: challenges.open_seeks(db, CLUB),
    "seeks without a server": lambda db: challenges.open_seeks(db, None),
    "challenges of a person": lambda db: challenges.challenges_of(db, ANN.user),
    "expired challenges": lambda db: challenges.expired_challenges(db, NOW, 10),
    "what is due": lambda db: due_work.what_is_due(db, NOW),
    "reminders": be_reminded,
    "vacation": be_away,
    "due posts": lambda db: outbox.deliverable_rows(db, NOW, 10),
    "posts by channel": lambda db: outbox.rows_by_channel(db, NOW, 10),
}
