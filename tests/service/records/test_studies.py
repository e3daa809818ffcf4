"""Records of games, and studies of them and of others, on a real database."""

from dataclasses import replace

import pytest

from gipfbot.match import Refused, Why
from gipfbot.match.study import MOST_STUDIES, STUDY_LIFETIME, go_to_place, perform_in_study, read_study_turn, study_game
from gipfbot.notation import NotationError, position_text, read_record
from gipfbot.rules import PRESETS, Colour, Reason
from gipfbot.service.app import App
from gipfbot.service.records.studies import Studies
from gipfbot.values import StoredStudy
from tests.service.helpers import Host, begin_game, play_on
from tests.support.games import OPENING, PLAYED
from tests.support.people import ANN, BOB, CARA

SHEET = '[White "ann"]\n1. e1-e3 {why not} g2! 1-0'


@pytest.fixture
def desk(app: App, host: Host) -> Studies:
    return app.studies


async def playing(app: App, *texts: str, rules: str = "standard") -> int:
    """Return a game of Ann and Bob in which these turns have been played."""
    game = (await begin_game(app, ruleset=PRESETS[rules])).game
    await play_on(app, game.id, *texts)
    return game.id


async def made(desk: Studies, text: str = SHEET, user: int = ANN.user) -> StoredStudy:
    """Return the study of this text."""
    record = read_record(text, "basic")
    assert record.broken is None
    return (await desk.add_study(user, record))[0]


async def ids(desk: Studies, user: int = ANN.user) -> list[int]:
    return [brief.id for brief in await desk.studies(user)]


# ── Records ──


async def test_a_record_has_the_games_turns_and_result(app: App, desk: Studies) -> None:
    game_id = await playing(app, *PLAYED)
    stored, record = await desk.record(game_id, BOB.user)
    assert tuple(step.text for step in record.turns) == PLAYED
    assert [step.turn_number for step in record.turns] == [1, 2, 3, 4, 5, 6]
    assert (record.end, record.result, record.rules) == (stored.game.position, None, stored.game.ruleset)
    await app.games.resign(game_id, BOB.user)
    stored, record = await desk.record(game_id, BOB.user)
    assert record.result == "1-0"
    assert stored.game.position.result
    assert stored.game.position.result.by is Reason.RESIGN


async def test_an_unfinished_turn_is_in_no_record_or_study(app: App, desk: Studies) -> None:
    game_id = await playing(app, *PLAYED[:4])
    nothing_begun = (await desk.record(game_id, BOB.user))[1], (await desk.study_of_game(game_id, BOB.user))[0]
    await app.games.play_typed(game_id, ANN.user, "b6-b4")
    assert (await app.games.game(game_id)).game.draft
    now = (await desk.record(game_id, BOB.user))[1], (await desk.study_of_game(game_id, BOB.user))[0]
    assert now == nothing_begun


async def test_the_record_of_an_unknown_game_is_refused(desk: Studies) -> None:
    with pytest.raises(Refused) as refusal:
        await desk.record(7, BOB.user)
    assert refusal.value.why is Why.NO_GAME


async def test_ended_games_are_listed_latest_first(app: App, desk: Studies, host: Host) -> None:
    games = [await playing(app) for _ in range(4)]
    for game_id in (games[2], games[0], games[3]):
        host.passes(1)
        await app.games.resign(game_id, ANN.user)
    assert [game.id for game in await desk.ended_games(BOB.user, 2)] == [games[3], games[0]]
    assert [game.id for game in await desk.ended_games(ANN.user, 9)] == [games[3], games[0], games[2]]
    assert await desk.ended_games(CARA.user, 9) == []


# ── Studies of games ──


async def test_a_study_of_a_game_begins_at_its_end(app: App, desk: Studies) -> None:
    game_id = await playing(app, *PLAYED[:3])
    stored, gone = await desk.study_of_game(game_id, BOB.user)
    assert (stored.game, stored.study.place, stored.study.names, gone) == (game_id, 3, (ANN.name, BOB.name), None)
    assert study_game(stored.study).position == (await app.games.game(game_id)).game.position


async def test_a_player_has_one_study_of_a_game(app: App, desk: Studies) -> None:
    """It gets the turns played since, and the result. The opponent has their own study."""
    game_id = await playing(app, *PLAYED[:3])
    first = (await desk.study_of_game(game_id, BOB.user))[0].study
    await desk.change(first.id, BOB.user, first.version, lambda study: go_to_place(study, 1))
    await play_on(app, game_id, *PLAYED[3:])
    await app.games.resign(game_id, ANN.user)
    again = (await desk.study_of_game(game_id, BOB.user))[0]
    assert (again.study.id, again.study.place, len(again.study.turns)) == (first.id, 1, 6)
    assert (again.result, again.reason) == ("0-1", Reason.RESIGN)
    assert await desk.study(first.id, BOB.user) == again == await desk.reopen(first.id, BOB.user)
    assert (await desk.study_of_game(game_id, ANN.user))[0].study.id != first.id
    assert await ids(desk, BOB.user) == [first.id]


async def test_a_study_begins_at_the_position_of_its_record(desk: Studies) -> None:
    line = "basic b W=e2 B=e8 reserve=14-14 captured=0-0"
    study = (await made(desk, f'[Position "{line}"]\n1... e9-e7! 2. e1-e3')).study
    assert position_text(study_game(study).position) == line
    assert study_game(go_to_place(study, 1)).position.mover is Colour.WHITE
    stored = await desk.study(study.id, ANN.user)
    assert (stored.study, [*stored.notes]) == (study, [1])


async def test_study_of_a_spectator_has_complete_turns_only(app: App, desk: Studies) -> None:
    """The fifth turn is begun, and its answer is a conditional turn."""
    game_id = await playing(app, *OPENING[:4])
    await app.conditionals.add_typed_line(game_id, BOB.user, f"{OPENING[4]} e1-e3")
    draft = (await app.games.play_typed(game_id, ANN.user, "b6-b4")).game.draft
    stored, _ = await desk.study_of_game(game_id, CARA.user)
    assert draft
    assert (stored.user, len(stored.study.turns), stored.study.draft) == (CARA.user, 4, ())
    assert stored.study.tried == ()
    await app.games.play_typed(game_id, ANN.user, "xb2,b3,Gb4,b5")
    assert len((await desk.reopen(stored.study.id, CARA.user)).study.turns) == 6
    await app.games.play_typed(game_id, ANN.user, "f2")
    seen = await desk.reopen(stored.study.id, CARA.user, may_see_game=False)
    assert len(seen.study.turns) == 6


# ── Studies of records ──


async def test_an_imported_record_keeps_its_notes_and_headers(desk: Studies) -> None:
    text = '[Event "The\u202e  cup"]\n[White " ann "]\n[Black ""]\n{Before.} 1. e1-e3 {why not} g2! 1-0'
    stored = await made(desk, text)
    assert (stored.title, stored.study.names, stored.result, stored.game) == ("The cup", ("ann", "Black"), "1-0", None)
    assert (stored.study.place, len(stored.study.turns)) == (0, 2)
    notes = [(stored.note(number).mark, stored.note(number).comments) for number in range(3)]
    assert notes == [("", ("Before.",)), ("", ("why not",)), ("!", ())]
    assert await desk.study(stored.study.id, ANN.user) == stored


async def test_a_broken_record_is_shown_where_it_breaks(desk: Studies) -> None:
    """It has the error, and no result. A sound record begins at its start, and has none."""
    record = read_record("1. e1-e3 g2 2. e9-a1 1-0", "basic")
    assert record.broken
    stored = (await desk.add_study(ANN.user, record))[0]
    assert (stored.study.place, len(stored.study.turns)) == (2, 2)
    assert stored.result is None
    read = await desk.study(stored.study.id, ANN.user)
    assert str(read.broken) == str(record.broken)
    assert replace(read, broken=record.broken) == stored
    assert (await made(desk)).broken is None


async def test_names_are_cut_to_discords_length(desk: Studies) -> None:
    stored = await made(desk, f'[Event "{"c" * 99}"]\n[White "{"a" * 99}"]\n1. e1-e3')
    assert (len(stored.study.names[0]), len(stored.title)) == (32, 60)


async def test_a_study_exists_only_for_its_owner(desk: Studies) -> None:
    """For everybody else it does not exist, whatever they do."""
    study = (await made(desk)).study
    for act in (
        desk.study(study.id, BOB.user),
        desk.reopen(study.id, BOB.user),
        desk.change(study.id, BOB.user, study.version, lambda study: go_to_place(study, 1)),
    ):
        with pytest.raises(Refused) as refusal:
            await act
        assert refusal.value.why is Why.NO_STUDY
    assert (await desk.study(study.id, ANN.user)).study == study


async def test_a_stale_button_changes_no_study(desk: Studies) -> None:
    study = (await made(desk)).study
    await desk.change(study.id, ANN.user, study.version, lambda study: go_to_place(study, 2))
    with pytest.raises(Refused) as refusal:
        await desk.change(study.id, ANN.user, study.version, lambda study: go_to_place(study, 1))
    assert refusal.value.why is Why.STALE
    assert (await desk.study(study.id, ANN.user)).study.place == 2


async def test_an_illegal_turn_changes_no_study(desk: Studies) -> None:
    study = (await made(desk)).study
    with pytest.raises(NotationError):
        await desk.change(
            study.id, ANN.user, study.version, lambda study: perform_in_study(study, read_study_turn(study, "e2"))
        )
    assert (await desk.study(study.id, ANN.user)).study == study


async def test_one_study_too_many_deletes_the_oldest(desk: Studies, host: Host) -> None:
    first, second = [(await made(desk)).study for _ in range(2)]
    for _ in range(MOST_STUDIES - 2):
        host.passes(1)
        await made(desk)
    await desk.reopen(first.id, ANN.user)
    other = (await made(desk, user=BOB.user)).study
    stored, gone = await desk.add_study(ANN.user, read_record(SHEET, "basic"))
    assert gone
    assert gone.id == second.id
    kept = await ids(desk)
    assert len(kept) == MOST_STUDIES
    assert {first.id, stored.study.id} <= {*kept}
    assert second.id not in kept
    assert await ids(desk, BOB.user) == [other.id]


async def test_a_study_expires_thirty_days_after_its_last_use(desk: Studies, host: Host) -> None:
    """Listing it is no use. Opening it and stepping through it are."""
    stepped, opened, left = [(await made(desk)).study for _ in range(3)]
    host.passes(STUDY_LIFETIME - 1)
    await desk.change(stepped.id, ANN.user, stepped.version, lambda study: go_to_place(study, 1))
    await desk.reopen(opened.id, ANN.user)
    host.passes(1)
    assert {*await ids(desk)} == {stepped.id, opened.id}
    with pytest.raises(Refused):
        await desk.study(left.id, ANN.user)
    await desk.delete_expired()
    assert {*await ids(desk)} == {stepped.id, opened.id}
    host.passes(STUDY_LIFETIME - 1)
    await desk.delete_expired()
    assert await ids(desk) == []
