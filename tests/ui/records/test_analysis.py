"""`/gipf-learn analyse` and the button **Analyse**: how far it is, what it says, and the study with its marks."""

import pytest
from sqlalchemy import update

from gipfbot.match import Status
from gipfbot.match.fair_play import GUARDED_FROM
from gipfbot.store import tables
from gipfbot.ui.kit import texts
from gipfbot.ui.records import analysis_texts, study_texts
from tests.service.helpers import play_on
from tests.support.background_work import search_next
from tests.support.games import PLAYED
from tests.ui.records.analysed_games import SECOND, analysed, finished
from tests.ui.table import Desk
from tests.ui.world import World, buttons, components, game_name, options, private, told


@pytest.fixture(autouse=True)
def _no_search(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be searched but by the tests."""
    monkeypatch.setattr(world.bot.analysis_loop, "wake", lambda: None)


async def searched(world: World) -> None:
    """Let all be searched, and the messages about it be posted."""
    while (owed := await search_next(world.bot.app.analysis_work)) is not None:
        await world.bot.delivery.deliver(owed)
    await world.env.settle()


async def test_analysis_is_asked_for_and_told_when_it_is_done(world: World) -> None:
    game = await finished(world)
    last = world.public()[-1]
    assert "Analyse" in buttons(last)
    begun = Desk(world.cara, await world.cara.click(last, label=texts.ANALYSE_LABEL))
    assert begun.text == (
        f"Analysing **{game_name(game)}**: 0 of 3 positions so far. "
        "The bot plays its own games first, so this can take a while.\n"
        "You get a direct message when it's done."
    )
    await search_next(world.bot.app.analysis_work)
    await begun.press(analysis_texts.LOOK_AGAIN_LABEL)
    assert ": 1 of 3 positions so far." in begun.text
    await searched(world)
    (dm,) = world.cara.user.dm_channel.history()
    assert dm.content == f"Your analysis of **{game_name(game)}** is ready."
    shown = private(await world.cara.user.click(dm, label=analysis_texts.ANALYSIS_LABEL))
    assert shown.content.startswith("**Analysis of #a1** · Ann vs Bob · Standard\nWhite, Ann: ")
    assert (shown.attachments[0].description or "").startswith("Analysis of #a1: Ann is White, Bob is Black.")
    await begun.press(analysis_texts.LOOK_AGAIN_LABEL)
    assert begun.text.startswith("**Analysis of #a1**")


async def test_overview_has_a_sentence_for_each_turning_point(world: World) -> None:
    await analysed(world)
    shown = private(await world.ann.slash(world.channel, "gipf-learn analyse", game="#a1"))
    lines = shown.content.splitlines()
    assert lines[1:3] == ["White, Ann: 1 blunder (`??`)", "Black, Bob: no marks"]
    assert lines[3].startswith(f"**2. White {PLAYED[2]}??** **")
    assert lines[3].endswith("** was better, by about 2½ pieces.")
    assert [*options(shown)] == [f"2. White {PLAYED[2]}??"]
    assert "Marks of White: 2??." in (shown.attachments[0].description or "")
    assert "-# The bot can be wrong. “1 piece” is an advantage as big as one more piece; " in shown.content


async def test_study_shows_the_mark_and_the_better_line(world: World) -> None:
    await analysed(world)
    desk = Desk(world.ann, await world.ann.slash(world.channel, "gipf-learn analyse"))
    await desk.choose(f"2. White {PLAYED[2]}??")
    assert f"**2. White:** b1 → b2 · also written `{PLAYED[2]}??`" in desk.text
    assert "** was better, by about 2½ pieces." in desk.text
    assert "Balance: " in desk.text
    await desk.press(analysis_texts.BETTER_LINE_LABEL)
    assert "Line after Black's turn 1: **2. " in desk.text
    await desk.press("Back to the game")
    assert "**1. Black:** " in desk.text
    await desk.press(analysis_texts.MARK_AFTER_LABEL)
    assert f"**2. White:** b1 → b2 · also written `{PLAYED[2]}??`" in desk.text
    await desk.press(analysis_texts.ANALYSIS_LABEL)
    assert desk.text.startswith("**Analysis of #a1**")
    await desk.press(analysis_texts.OPEN_STUDY_LABEL)
    assert f"{PLAYED[2]}??" in private(desk.last).content


async def test_study_opens_at_the_first_turning_point_wherever_it_stood(world: World) -> None:
    """The overview stays. The study goes to the turn with the mark, of which it shows the better line."""
    await analysed(world)
    overview = Desk(world.ann, await world.ann.slash(world.channel, "gipf-learn analyse"))
    for _ in range(2):
        study = Desk(world.ann, await world.ann.click(overview.message, label=analysis_texts.OPEN_STUDY_LABEL))
        assert f"**2. White:** b1 → b2 · also written `{PLAYED[2]}??`" in study.text
        assert analysis_texts.BETTER_LINE_LABEL in study.labels
        await study.press(study_texts.FIRST_TURN_LABEL)
    assert overview.text.startswith("**Analysis of #a1**")


async def test_study_without_a_turning_point_opens_at_the_start(world: World) -> None:
    await analysed(world, best_score=SECOND)
    overview = Desk(world.ann, await world.ann.slash(world.channel, "gipf-learn analyse"))
    study = Desk(world.ann, await world.ann.click(overview.message, label=analysis_texts.OPEN_STUDY_LABEL))
    (first,) = (item for item in components(study.message) if item.get("label") == study_texts.FIRST_TURN_LABEL)
    assert first["disabled"]


async def test_study_of_a_game_in_a_running_position_hides_the_marks(world: World) -> None:
    await analysed(world)
    desk = Desk(world.ann, await world.ann.slash(world.channel, "gipf-learn analyse", game="#a1"))
    running = await world.begin()
    await play_on(world.bot.app, running, PLAYED[0])
    async with world.store.transaction() as db:
        await db.execute(update(tables.games).where(tables.games.c.id == running).values(turn_number=GUARDED_FROM))
    assert "your own game **#b1**" in told(await world.ann.slash(world.channel, "gipf-learn analyse", game="#a1"))
    study = Desk(world.ann, await world.ann.click(desk.message, label=analysis_texts.OPEN_STUDY_LABEL))
    assert "your own game **#b1**" in study.text
    assert "??" not in study.text
    assert analysis_texts.BETTER_LINE_LABEL not in study.labels
    cara = Desk(world.cara, await world.cara.slash(world.channel, "gipf-learn analyse", game="#a1"))
    assert "??" in cara.text


async def test_running_game_is_refused_in_a_sentence(world: World) -> None:
    game = await world.begin()
    assert "isn't over yet" in told(await world.ann.slash(world.channel, "gipf-learn analyse", game=game_name(game)))
    assert told(await world.ann.slash(world.channel, "gipf-learn analyse")) == analysis_texts.NO_FINISHED_GAMES
    board = Desk(world.ann, await world.ann.slash(world.channel, "gipf board"))
    assert texts.ANALYSE_LABEL not in board.labels


async def test_failure_of_the_engine_is_told(world: World) -> None:
    game = await finished(world)
    await world.bot.app.analyses.ask(game, world.cara.id)
    engine = world.bot.app.analysis_work.engine
    assert engine
    engine.faults = ["no answer"] * 3  # type: ignore[attr-defined]  # an engine of the tests
    await searched(world)
    (dm,) = world.cara.user.dm_channel.history()
    assert "has failed" in dm.content
    again = private(await world.cara.user.click(dm, label=texts.ANALYSE_LABEL))
    assert "0 of 3 positions so far" in again.content


async def test_private_board_of_a_finished_game_offers_it(world: World) -> None:
    game = await finished(world)
    assert (await world.game(game)).status is Status.OVER
    for person in (world.ann, world.cara):
        board = Desk(person, await person.slash(world.channel, "gipf board", game=game_name(game)))
        assert texts.ANALYSE_LABEL in board.labels
