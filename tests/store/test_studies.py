"""Studies are stored whole, for their owner only, until they expire."""

from dataclasses import replace

import pytest

from gipfbot.match.study import Study, go_to_place, study_game
from gipfbot.notation import parse_position
from gipfbot.rules import BASIC, TOURNAMENT, Reason
from gipfbot.store import Store, studies
from gipfbot.values import Note, Stale, StoredStudy, StudyBrief
from tests.match.studies import CHOICE, study, tried
from tests.store.helpers import added
from tests.support.people import ANN, BOB
from tests.support.times import NOW

HALF = tried(study(2), "b1-b3", "i5-g5", "b6-b4")
NOTES = {0: Note("", ("before",)), 3: Note("!?", ("a", "b"))}
WHOLE = StoredStudy(HALF, ANN.user, "A cup", None, "1-0", NOTES, Reason.TIME, "It stops there.")


async def kept(store: Store, new: StoredStudy = WHOLE, expires_at: int = NOW + 100) -> int:
    """Store a new study and return its id."""
    async with store.transaction() as db:
        return await studies.add_study(db, new, NOW, expires_at)


async def found(store: Store, study_id: int, user: int = ANN.user, now: int = NOW) -> StoredStudy | None:
    async with store.reading() as db:
        return await studies.load_study(db, study_id, user, now)


async def listed(store: Store, user: int = ANN.user, now: int = NOW) -> list[StudyBrief]:
    async with store.reading() as db:
        return await studies.studies_of(db, user, now)


async def test_a_study_is_loaded_as_stored(store: Store) -> None:
    """It includes the place, the tried turns, the unfinished turn, and the notes of the record."""
    assert HALF.draft
    assert HALF.tried
    study_id = await kept(store)
    assert await found(store, study_id) == replace(WHOLE, study=replace(HALF, id=study_id))


async def test_an_empty_study_is_loaded_as_stored(store: Store) -> None:
    bare = StoredStudy(Study(0, TOURNAMENT, ("White", "Black"), ()), ANN.user, "", None, None, {})
    study_id = await kept(store, bare)
    assert await found(store, study_id) == replace(bare, study=replace(bare.study, id=study_id))


async def test_a_study_is_only_for_its_owner(store: Store) -> None:
    study_id = await kept(store)
    assert await found(store, study_id, BOB.user) is None
    assert await listed(store, BOB.user) == []


async def test_each_player_has_their_own_study_of_a_game(store: Store) -> None:
    game = (await added(store)).id
    ids = [await kept(store, replace(WHOLE, user=user, game=game)) for user in (ANN.user, BOB.user)]
    async with store.reading() as db:
        for study_id, user in zip(ids, (ANN.user, BOB.user), strict=True):
            mine = await studies.study_of_game(db, game, user, NOW)
            assert mine
            assert mine.study.id == study_id
        assert await studies.study_of_game(db, game + 1, ANN.user, NOW) is None


async def test_added_turns_are_saved(store: Store) -> None:
    study_id = await kept(store)
    before = await found(store, study_id)
    assert before
    longer = replace(before.study, turns=(*before.study.turns, before.study.turns[0]), version=before.study.version + 1)
    async with store.transaction() as db:
        await studies.save_study(db, before.study, replace(before, study=longer), NOW + 100)
    assert await found(store, study_id) == replace(before, study=longer)


async def test_a_step_is_saved_and_postpones_the_expiry(store: Store) -> None:
    study_id = await kept(store)
    before = await found(store, study_id)
    assert before
    after = replace(before, study=go_to_place(before.study, CHOICE), result="0-1", reason=Reason.RESIGN)
    async with store.transaction() as db:
        await studies.save_study(db, before.study, after, NOW + 500)
    assert await found(store, study_id, now=NOW + 499) == after
    assert await found(store, study_id, now=NOW + 500) is None


async def test_the_second_of_two_changes_is_stale(store: Store) -> None:
    study_id = await kept(store)
    before = await found(store, study_id)
    assert before
    async with store.transaction() as db:
        await studies.save_study(db, before.study, replace(before, study=go_to_place(before.study, 1)), NOW + 200)
    with pytest.raises(Stale):
        async with store.transaction() as db:
            await studies.save_study(db, before.study, replace(before, study=go_to_place(before.study, 4)), NOW + 900)
    now = await found(store, study_id, now=NOW + 199)
    assert now
    assert now.study.place == 1


async def test_the_last_used_study_comes_first(store: Store) -> None:
    ids = [await kept(store, expires_at=NOW + late) for late in (100, 300, 200, 300)]
    assert [brief.id for brief in await listed(store)] == [ids[3], ids[1], ids[2], ids[0]]
    assert (await listed(store))[0] == StudyBrief(ids[3], None, ("ann", "bob"), "A cup", "standard", 6)


async def test_a_list_counts_the_turns_of_each_study(store: Store) -> None:
    for turns in (0, 1, 6):
        await kept(store, replace(WHOLE, study=replace(HALF, turns=HALF.turns[:turns])))
    assert [brief.turns for brief in await listed(store)] == [6, 1, 0]


async def test_only_expired_studies_are_deleted(store: Store) -> None:
    """An expired study is not listed, even before it is deleted. Ids are never reused."""
    ids = [await kept(store, expires_at=NOW + late) for late in (10, 11)]
    assert [brief.id for brief in await listed(store, now=NOW + 10)] == [ids[1]]
    async with store.transaction() as db:
        await studies.delete_expired_studies(db, NOW + 10)
    assert await found(store, ids[0]) is None
    assert await found(store, ids[1])
    async with store.transaction() as db:
        await studies.delete_study(db, ids[1])
    assert await kept(store) > ids[1]


async def test_a_study_keeps_its_start_position(store: Store) -> None:
    begin = parse_position("basic b W=e2 B=e8 reserve=14-14 captured=0-0")
    new = replace(WHOLE, study=Study(0, BASIC, ("ann", "bob"), ((),), start_position=begin))
    loaded = await found(store, await kept(store, new))
    assert loaded
    assert loaded.study.start_position == begin
    assert study_game(go_to_place(loaded.study, 0)).position == begin
