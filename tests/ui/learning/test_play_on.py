"""**Practise from here**: positions of the tutorial and of the rules are played on against the bot, privately."""

from functools import partial

import pytest
from sqlalchemy import update

from gipfbot.match import Status
from gipfbot.match.fair_play import GUARDED_FROM
from gipfbot.match.study import begin_practice, bot_decides, perform_in_study, practice_colour, study_game
from gipfbot.rules import Colour, legal
from gipfbot.store import tables
from gipfbot.ui.desk.screens import BACK_ONE_TURN_LABEL
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.components import MOST_COMPONENTS
from gipfbot.ui.learning.play_on import PLAY_ON_LABEL, WHOLE_GAME_LABEL
from gipfbot.ui.learning.rule_pages import NEXT_STEP_LABEL
from gipfbot.ui.learning.rule_topics import all_topics
from gipfbot.ui.learning.topics import topic_steps
from gipfbot.ui.records import study_texts
from gipfbot.ui.records.study_texts import ASK_AGAIN_LABEL, START_OVER_LABEL
from gipfbot.values import StoredStudy
from tests.support.tutorial_presses import PRESSES
from tests.ui.settings.panel import forged
from tests.ui.table import Desk
from tests.ui.world import World, game_name

pytestmark = pytest.mark.looks_every(1)
WINNING = ("e9", "→ e8", "Take")  # Black's last GIPF-piece
OWN = [START_OVER_LABEL, BACK_ONE_TURN_LABEL]


async def page(world: World, topic: str, steps: int = 0) -> Desk:
    """Return a page of the rules that Cara has stepped through so far."""
    shown = Desk(world.cara, await world.cara.slash(world.channel, "gipf-learn rules", topic=topic))
    for _ in range(steps):
        await shown.press(NEXT_STEP_LABEL)
    return shown


async def pressed(desk: Desk, label: str = PLAY_ON_LABEL) -> Desk:
    """Return the practice that a button opens in a new message."""
    return Desk(desk.person, await desk.person.click(desk.message, label=label))


async def practised(world: World, topic: str, steps: int = 0) -> Desk:
    return await pressed(await page(world, topic, steps))


async def stored(world: World) -> StoredStudy:
    """Return Cara's last practice."""
    app = world.bot.app
    newest = max(brief.id for brief in await app.studies.studies(world.cara.id))
    return await app.practices.practice(newest, world.cara.id)


async def push(desk: Desk, dot: str, end: str) -> None:
    await desk.press(dot)
    await desk.push(end)


async def test_a_page_is_played_on_against_the_bot(world: World) -> None:
    """The page stays, and nothing is public. Each turn is answered, and the board is the person's again."""
    shown = await page(world, "row")
    desk = await pressed(shown)
    assert desk.text.startswith("**Practice · Four in a row** · you are White, the bot plays at level 2")
    assert study_texts.PRACTICE_BEGINS in desk.text
    assert desk.labels == desk.dots
    await push(desk, "e1", "e2")
    assert "You: **e1 → e2** (e2 e3 e4 e5 off) · Bot: **" in desk.text
    assert (desk.answers, bool(desk.dots)) == (OWN, True)
    assert len((await stored(world)).study.tried) == 2
    assert world.public() == []
    await shown.press(NEXT_STEP_LABEL)
    async with world.store.reading() as db:
        for table in (tables.games, tables.outbox, tables.due):
            assert (await db.execute(table.select())).all() == []


async def test_after_a_whole_turn_the_person_plays_black(world: World) -> None:
    desk = await practised(world, "row", 2)
    assert "you are Black" in desk.text
    assert practice_colour((await stored(world)).study) is Colour.BLACK


async def test_inside_a_turn_the_person_decides_first(world: World) -> None:
    desk = await practised(world, "gipf-pieces", 1)
    assert (await stored(world)).study.draft
    assert desk.dots == []


async def test_a_turn_is_taken_back_and_begun_anew(world: World) -> None:
    desk = await practised(world, "push")
    start = desk.alt
    for dot, end in (("e1", "e2"), ("i5", "h5")):
        await push(desk, dot, end)
    assert len((await stored(world)).study.tried) == 4
    await desk.press(BACK_ONE_TURN_LABEL)
    assert len((await stored(world)).study.tried) == 2
    await desk.press(START_OVER_LABEL)
    assert (desk.alt, (await stored(world)).study.trying) == (start, False)
    assert desk.answers == []


async def test_a_turn_by_the_rules_alone_is_said(world: World) -> None:
    desk = await practised(world, "push")
    world.bot.app.practices.engine = None
    await push(desk, "e1", "e2")
    assert desk.answers == OWN
    assert study_texts.BY_RULES in desk.text


async def test_an_old_button_shows_the_board_and_plays_nothing(world: World) -> None:
    desk = await practised(world, "push")
    study = (await stored(world)).study.id
    old = Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game=f"study {study}"))
    await push(desk, "e1", "e2")
    now = await stored(world)
    await old.press("i5")
    assert study_texts.PRACTICE_MOVED_ON in old.text
    assert (await stored(world), old.answers) == (now, OWN)


async def test_it_goes_on_after_a_restart_and_from_its_name(world: World) -> None:
    """The bot ended before it had answered: it answers when the person opens the practice again."""
    await practised(world, "push")
    study = (await stored(world)).study
    first = legal(study_game(study).current)[:1]
    change = partial(perform_in_study, actions=first)
    await world.bot.app.studies.change(study.id, world.cara.id, study.version, change)
    await world.restart()
    listed = await world.cara.slash(world.channel, "gipf games")
    assert "Push a piece in · You vs Bot" in Desk(world.cara, listed).text
    desk = Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game=f"study {study.id}"))
    assert desk.answers == OWN
    assert len((await stored(world)).study.tried) == 2


async def test_what_stands_in_a_running_game_is_answered_once_that_has_moved_on(world: World) -> None:
    """The practice stays as it is, with a button to ask again."""
    desk = await practised(world, "row")
    position = study_game((await stored(world)).study).position
    game = await world.prepared(position, world.bob)
    async with world.store.transaction() as db:
        await db.execute(update(tables.games).where(tables.games.c.id == game).values(turn_number=GUARDED_FROM))
        await db.execute(update(tables.seats).where(tables.seats.c.user == world.ann.id).values(user=world.cara.id))
        await db.execute(update(tables.games).values(waiting_user=world.cara.id))
    await push(desk, "e1", "e2")
    assert f"your own game **{game_name(game)}**" in desk.text
    assert desk.labels == [ASK_AGAIN_LABEL, BACK_ONE_TURN_LABEL]
    await desk.press(ASK_AGAIN_LABEL)
    assert "The bot doesn't answer here yet" in desk.text
    async with world.store.transaction() as db:
        await db.execute(update(tables.games).values(status=Status.OVER))
    await desk.press(ASK_AGAIN_LABEL)
    assert len((await stored(world)).study.tried) == 2
    assert desk.dots


async def test_a_win_is_said_with_what_comes_next(world: World) -> None:
    desk = await practised(world, "last-gipf")
    for label in WINNING:
        await desk.press(next(each for each in desk.labels if each.startswith(label)))
    assert "**You win!** The bot has no GIPF-piece left." in desk.text
    assert "</gipf bot:" in desk.text
    assert desk.labels == OWN
    await desk.press(START_OVER_LABEL)
    assert not (await stored(world)).study.trying


@pytest.mark.parametrize(("topic", "steps"), [("reserve", 1), ("last-gipf", 2), ("goal", 2), ("ruling-10", 1)])
async def test_a_step_that_ends_the_game_offers_nothing(world: World, topic: str, steps: int) -> None:
    assert PLAY_ON_LABEL in (await page(world, topic)).labels
    assert PLAY_ON_LABEL not in (await page(world, topic, steps)).labels
    assert await forged(world, world.cara, f"play_on:{topic}:{steps}") == texts.UNKNOWN_BUTTON


@pytest.mark.parametrize("button", ["play_on:no-page:0", "play_on:row:99", "play_on_lesson:9:0", "play_on_lesson:1:9"])
async def test_a_button_of_what_is_gone_is_out_of_date(world: World, button: str) -> None:
    assert await forged(world, world.cara, button) == texts.UNKNOWN_BUTTON


async def test_lessons_are_played_on_at_their_ends(world: World) -> None:
    """The last lesson ends with a win, so a whole game is offered after it."""
    desk = Desk(world.cara, await world.cara.slash(world.channel, "gipf-learn tutorial"))
    offered = []
    for presses in PRESSES:
        for label in presses:
            if PLAY_ON_LABEL in desk.labels:
                practice = await pressed(desk)
                offered.append(practice.text.partition("\n")[0])
                assert " · Bot: **" in practice.text
            await desk.press(label)
    assert offered == [
        "**Practice · Make a row** · you are White, the bot plays at level 1",
        "**Practice · Decide about a GIPF-piece** · you are White, the bot plays at level 1",
    ]
    assert PLAY_ON_LABEL not in desk.labels
    game = await pressed(desk, WHOLE_GAME_LABEL)
    assert "you are White, the bot plays at level 1" in game.text
    assert (len(game.dots), game.message.size <= MOST_COMPONENTS) == (24, True)
    await push(game, "a2", "b3")
    assert "Bot: **" in game.text


@pytest.mark.parametrize("name", [*all_topics()])
async def test_every_step_of_a_page_can_be_played_on(world: World, name: str) -> None:
    """Whatever the rules of the page: the person is asked, and the bot answers what they decide first."""
    app, user = world.bot.app, world.cara.id
    for number, step in enumerate(topic_steps(all_topics()[name])):
        if PLAY_ON_LABEL not in (await page(world, name, number)).labels:
            continue
        begun = await app.practices.begin(user, name, begin_practice(step.before, step.played), 1)
        assert not bot_decides(begun.study)
        actions = legal(study_game(begun.study).current)[:1]
        change = partial(perform_in_study, actions=actions)
        after = (await app.practices.answer(await app.studies.change(begun.study.id, user, 0, change))).stored
        assert not bot_decides(after.study)
