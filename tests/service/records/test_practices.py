"""Practices: what the bot answers, what they leave behind, and what happens if the engine fails."""

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from gipfbot.engines.worker import Wish
from gipfbot.match import UNTIMED, Game, Refused, Why, position_after
from gipfbot.match.study import (
    MOST_PRACTICES,
    MOST_STUDIES,
    Actions,
    begin_practice,
    bot_decides,
    perform_in_study,
    read_study_turn,
    study_game,
    take_back_own,
)
from gipfbot.notation import parse_position, parse_turn, position_text, read_record
from gipfbot.rules import BASIC, Position, legal, start
from gipfbot.search.requests import LEVELS
from gipfbot.service.app import App
from gipfbot.service.records import studies
from gipfbot.service.records.studies import PracticeAnswer, Practices
from gipfbot.store import tables
from gipfbot.values import StoredStudy
from tests.service.helpers import assert_refused, begun as begun_game, play_on
from tests.support.engines import EngineInThread
from tests.support.games import CIRCLE
from tests.support.people import ANN, BOB

OVERBOARD = parse_position("overboard w W=Gb2,Gc2,e2 B=d4,Ge3,e5,Ge6,Gh5 reserve=17-16 captured=0-0")


class Engine(EngineInThread):
    """An engine that can wait, and that says any turn it is told to."""

    said: str | None = None
    before_answer: Any = None

    async def ask(self, request: Any, wish: Wish) -> Any:
        """Return the engine's answer."""
        assert (wish.person, wish.is_small) == (ANN.user, True)
        if self.before_answer:
            await self.before_answer()
        answer = await super().ask(request, wish)
        return replace(answer, turns=(answer.best._replace(turn=self.said),)) if self.said else answer


@pytest.fixture
def engine() -> Engine:
    return Engine()


@pytest.fixture
def desk(app: App, engine: Engine) -> Practices:
    return Practices(app.studies, app.aside, engine)


async def begun(desk: Practices, position: Any = None, level: int = 1) -> StoredStudy:
    return await desk.begin(ANN.user, "A page", begin_practice(position or start(BASIC)), level)


async def with_turn(desk: Practices, stored: StoredStudy, text: str) -> StoredStudy:
    """Return a practice after a turn of the person."""
    study = stored.study
    actions = read_study_turn(study, text)
    return await desk.studies.change(study.id, ANN.user, study.version, lambda old: perform_in_study(old, actions))


async def test_the_bot_answers_each_turn_of_the_person(desk: Practices, engine: Engine) -> None:
    stored = await begun(desk)
    for count, turn in enumerate(("g2", "b1"), 1):
        stored = (await desk.answer(await with_turn(desk, stored, turn))).stored
        assert len(stored.study.tried) == 2 * count
        assert not bot_decides(stored.study)
        assert stored == await desk.practice(stored.study.id, ANN.user)
    assert [len(asked.before) for asked in engine.asked] == [1, 3]
    assert [asked.nodes for asked in engine.asked] == [LEVELS[0].nodes] * 2
    assert engine.asked[1].before[0] == position_text(start(BASIC))


async def test_it_asks_as_its_level_does(desk: Practices, engine: Engine) -> None:
    stored = (await desk.answer(await with_turn(desk, await begun(desk, level=2), "g2"))).stored
    (asked,) = engine.asked
    assert (asked.nodes, asked.seed, stored.level) == (LEVELS[1].nodes, stored.study.id, 2)


async def test_nothing_is_asked_when_the_person_decides(desk: Practices, engine: Engine) -> None:
    stored = await begun(desk)
    assert await desk.answer(stored) == PracticeAnswer(stored)
    assert engine.asked == []


@pytest.mark.parametrize("said", ["e5", "nonsense", "g2-f3"])
async def test_an_illegal_answer_is_replaced_by_the_rules(desk: Practices, engine: Engine, said: str) -> None:
    engine.said = said
    stored = (await desk.answer(await with_turn(desk, await begun(desk), "g2"))).stored
    assert len(stored.study.tried) == 2


@pytest.mark.parametrize("without", [True, False])
async def test_a_failing_engine_is_replaced_by_the_rules(app: App, desk: Practices, without: bool) -> None:
    desk.engine = None if without else EngineInThread(["It broke."])
    answer = await desk.answer(await with_turn(desk, await begun(desk), "g2"))
    assert len(answer.stored.study.tried) == 2
    assert answer.by_rules


async def test_a_slow_engine_is_not_waited_for(
    desk: Practices, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studies, "PATIENCE", 0.01)
    engine.before_answer = asyncio.Event().wait
    stored = (await desk.answer(await with_turn(desk, await begun(desk), "g2"))).stored
    assert len(stored.study.tried) == 2


async def test_what_the_person_changes_meanwhile_stays(desk: Practices, engine: Engine) -> None:
    """They take their turn back while the bot thinks: its answer is dropped."""
    stored = await with_turn(desk, await begun(desk), "g2")

    async def take_back() -> None:
        await desk.studies.change(stored.study.id, ANN.user, stored.study.version, take_back_own)

    engine.before_answer = take_back
    after = (await desk.answer(stored)).stored
    assert (after.study.tried, after.study.version) == ((), stored.study.version + 1)


async def test_the_bot_answers_inside_the_persons_turn(desk: Practices) -> None:
    """In Overboard, Black is asked about GIPF-pieces in White's turn (R8.4)."""
    stored = await with_turn(desk, await begun(desk, OVERBOARD), "a4-b4")
    while not bot_decides(stored.study):
        first = legal(study_game(stored.study).current)[:1]
        stored = await desk.studies.change(
            stored.study.id, ANN.user, stored.study.version, partial(perform_in_study, actions=first)
        )
    assert (len(stored.study.tried), bool(stored.study.draft)) == (0, True)
    stored = (await desk.answer(stored)).stored
    assert len(stored.study.tried) == 2
    assert study_game(stored.study).asked is not None


async def test_it_leaves_no_game_rating_or_message_behind(app: App, desk: Practices) -> None:
    await desk.answer(await with_turn(desk, await begun(desk), "g2"))
    async with app.studies.store.reading() as db:
        stored = {table.name for table in tables.metadata.sorted_tables if (await db.execute(table.select())).first()}
    assert stored - {"meta", "alembic_version"} == {"studies"}


async def test_only_the_newest_practices_are_kept_and_no_study_goes(app: App, desk: Practices) -> None:
    sheet = read_record("1. e1-e3 g2", "basic")
    for _ in range(MOST_STUDIES):
        assert (await app.studies.add_study(ANN.user, sheet))[1] is None
    kept = [await begun(desk) for _ in range(MOST_PRACTICES + 1)][1:]
    assert (await app.studies.add_study(BOB.user, sheet))[1] is None
    listed = await app.studies.studies(ANN.user)
    assert {brief.id for brief in listed if brief.level} == {stored.study.id for stored in kept}
    assert sum(brief.level is None for brief in listed) == MOST_STUDIES
    assert (await app.studies.add_study(ANN.user, sheet))[1]


async def test_nobody_else_opens_a_practice(app: App, desk: Practices) -> None:
    stored, _ = await app.studies.add_study(ANN.user, read_record("1. e1-e3 g2", "basic"))
    for study_id, user in (((await begun(desk)).study.id, BOB.user), (stored.study.id, ANN.user), (99, ANN.user)):
        with pytest.raises(Refused) as refused:
            await desk.practice(study_id, user)
        assert refused.value.why is Why.NO_STUDY


# ── Positions that stand in running games between people ──


@pytest.fixture
async def standing(app: App) -> Game:
    """A game of Ann, White, and Bob that stands after six turns."""
    game = await begun_game(app, UNTIMED, BASIC)
    await play_on(app, game, *CIRCLE[:6])
    return (await app.games.game(game)).game


async def asked_at(desk: Practices, position: Position, played: Actions) -> StoredStudy:
    """Return a practice in which Ann has just played a turn."""
    stored = await begun(desk, position)
    study = stored.study
    return await desk.studies.change(study.id, ANN.user, study.version, partial(perform_in_study, actions=played))


async def assert_silent(desk: Practices, stored: StoredStudy, game: int) -> None:
    """Assert that the bot does not answer, and leaves the practice as it is."""
    for _ in range(2):
        assert await assert_refused(Why.ANSWERS_OWN_GAME, desk.answer(stored)) == {"game": game}
    assert await desk.practice(stored.study.id, ANN.user) == stored


async def test_bot_does_not_answer_what_stands_in_a_game_of_the_person(
    app: App, desk: Practices, engine: Engine, standing: Game
) -> None:
    """It answers once that game has moved on."""
    assert standing.last
    stored = await asked_at(desk, standing.last.before, standing.last.actions)
    await assert_silent(desk, stored, standing.id)
    assert engine.asked == []
    await play_on(app, standing.id, CIRCLE[6])
    assert len((await desk.answer(stored)).stored.study.tried) == 2


async def test_bot_does_not_answer_one_turn_later_either(app: App, desk: Practices, standing: Game) -> None:
    stored = await asked_at(desk, standing.position, parse_turn(standing.position, CIRCLE[6]))
    await assert_silent(desk, stored, standing.id)
    await app.games.resign(standing.id, BOB.user)
    assert len((await desk.answer(stored)).stored.study.tried) == 2


async def test_rules_alone_do_not_answer_in_its_place(desk: Practices, standing: Game) -> None:
    desk.engine = None
    stored = await asked_at(desk, standing.position, parse_turn(standing.position, CIRCLE[6]))
    await assert_silent(desk, stored, standing.id)


async def test_bot_answers_two_turns_later(desk: Practices, standing: Game) -> None:
    later = position_after(standing.position, parse_turn(standing.position, CIRCLE[6]))
    stored = await asked_at(desk, later, parse_turn(later, CIRCLE[7]))
    assert len((await desk.answer(stored)).stored.study.tried) == 2
