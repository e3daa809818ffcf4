"""One action reads once: how many statements the actions cost that people repeat all day."""

from dataclasses import replace
from itertools import chain

import pytest

from gipfbot.match import Status
from gipfbot.rules import Colour, Reason, Result, legal
from gipfbot.service.competing.results import save_and_rate
from gipfbot.store import hashed_ids
from gipfbot.ui.desk.desk_texts import START_OVER_LABEL
from gipfbot.ui.learning.rule_pages import NEXT_STEP_LABEL
from tests.support.games import CIRCLE, PLAYED
from tests.support.tutorial_presses import PRESSES

from .counted_statements import assert_costs, noted_statements, statements_of
from .positions import GIPF_ROW
from .studying import playing
from .table import Desk, challenge_bot
from .world import World, challenged, labels

pytestmark = pytest.mark.looks_every(1000)  # no sweep is counted
LOAD_OF_GAMES = "FROM games JOIN seats"


async def test_list_of_games_and_board(world: World) -> None:
    await playing(world, *CIRCLE[:3])
    for most in (6, 5):  # what the list has shown is noted once
        await assert_costs(world, most, world.ann.slash(world.channel, "gipf games"))
    await world.cara.slash(world.channel, "gipf follow", game="#a1")
    await assert_costs(world, 6, world.cara.slash(world.channel, "gipf games"))
    for person in (world.ann, world.bob, world.cara):
        await assert_costs(world, 8, person.slash(world.channel, "gipf board", game="#a1"))
    await assert_costs(world, 3, world.bob.slash(world.channel, "gipf board"))


async def test_plans_cost_one_statement_where_there_are_some(world: World) -> None:
    """In the list, however many games have some, and on the board."""
    games, counts = [await playing(world, *PLAYED[:2]) for _ in range(2)], list[tuple[int, int]]()
    await world.bob.slash(world.channel, "gipf games")
    for _ in range(2):
        listed = await statements_of(world, world.bob.slash(world.channel, "gipf games"))
        board = await statements_of(world, world.bob.slash(world.channel, "gipf board", game="#a1"))
        counts.append((len(listed), len(board)))
        for game in games:
            await world.bot.app.conditionals.add_typed_line(game, world.bob.id, "b1-b3 g2")
    assert counts[1] == (counts[0][0] + 1, counts[0][1] + 1)


async def test_help_and_pages_of_the_rules(world: World) -> None:
    await assert_costs(world, 1, world.cara.slash(world.channel, "gipf help"))
    page = Desk(world.cara, await world.cara.slash(world.channel, "gipf-learn rules", topic="along"))
    await assert_costs(world, 1, page.press(NEXT_STEP_LABEL))


async def test_lessons(world: World) -> None:
    """The end of a lesson saves which one follows, for somebody new as for somebody known."""
    await assert_costs(world, 1, world.cara.slash(world.channel, "gipf-learn tutorial"))
    desk = Desk(world.cara, await world.cara.slash(world.channel, "gipf-learn tutorial"))
    ends = list[int]()
    for label in chain.from_iterable(PRESSES[:2]):
        found = await statements_of(world, desk.press(label))
        is_end = found[-1].startswith(("INSERT INTO users", "UPDATE users"))
        ends += [len(found)] if is_end else []
        assert is_end or len(found) == 1, "\n".join(found)
    assert ends == [3, 3]


async def test_a_turn_reads_its_game_once_before_its_transaction(world: World) -> None:
    """The person, one list, and the game under its lock."""
    await playing(world, *CIRCLE[:2])
    found = await statements_of(world, world.ann.slash(world.channel, "move", notation=CIRCLE[2]))
    written = next(at for at, statement in enumerate(found) if statement.startswith("UPDATE"))
    loads = [at for at, statement in enumerate(found[:written]) if LOAD_OF_GAMES in statement]
    assert loads == [1, 2], "\n".join(found)


async def test_presses_before_a_turn(world: World) -> None:
    game = await playing(world, *CIRCLE[:3])
    desk = Desk(world.bob, await world.bob.click(world.board(game), label="Move"))
    assert "More…" in labels(desk.message)
    await assert_costs(world, 6, world.bob.click(world.board(game), label="Move"))
    await assert_costs(world, 4, desk.press(desk.dots[0]))


async def test_a_turn_that_is_started_over(world: World) -> None:
    """It costs what a part of a turn costs."""
    desk = Desk(world.ann, await world.ann.click(world.board(await world.prepared(GIPF_ROW)), label="Remove row"))
    part = await statements_of(world, desk.press("Done"))
    over = await statements_of(world, desk.press(START_OVER_LABEL))
    assert len(over) <= len(part) <= 10, "\n".join([*part, "", *over])


async def test_a_typed_turn_until_its_board_is_confirmed(world: World) -> None:
    game = await playing(world, *CIRCLE[:3])
    await assert_costs(world, 20, world.bob.slash(world.channel, "move", notation=CIRCLE[3]))
    assert (await world.game(game)).turn_number == 4


async def test_a_turn_by_three_presses(world: World) -> None:
    game = await playing(world, *CIRCLE[:3])
    with noted_statements(world) as found:
        desk = Desk(world.bob, await world.bob.click(world.board(game), label="Move"))
        await desk.press("b1")
        await desk.press("→ b2")
        await world.env.settle()
    assert (await world.game(game)).turn_number == 4
    assert len(found) <= 30, "\n".join(found)


async def test_board_that_gives_way_costs_one_statement(world: World) -> None:
    """A turn between people never costs it, nor one against the bot that has nothing to post."""
    await challenge_bot(world, rules="basic")
    games, counts = world.bot.app.games, list[int]()
    for _ in range(3):
        game = await world.game()
        assert game.asked is not None
        with noted_statements(world) as found:
            done = await games.play_actions(game.id, game.seats[game.asked].user, legal(game.current)[:1])
        counts.append(len(found))
        await world.bot.app.outbox.put_back(done.owed[0])
    assert counts[2] == counts[0] + 1, counts


async def test_accepting_a_challenge_until_its_board_is_confirmed(world: World) -> None:
    posted = await challenged(world)
    await assert_costs(world, 20, world.bob.click(posted, label="Accept"))
    assert world.board().content


async def test_the_end_of_a_rated_game(world: World) -> None:
    """Where people have deleted their data, it costs no more."""
    results = world.guild.create_text_channel("results")
    for channel, most in ((None, 13), (results.id, 14)):
        await world.bot.app.servers.change(world.guild.id, {"results": channel})
        for at_first in (True, False):
            game = await playing(world, *PLAYED[:4])
            with noted_statements(world) as found:
                await world.bot.app.games.resign(game, world.bob.id)
            assert len(found) == most, "\n".join(found)
            async with world.store.transaction() as db:
                await hashed_ids.hash_id(db, world.ann.id) if at_first else None


async def test_a_loss_on_time_asks_once_what_its_player_has_done(world: World) -> None:
    for result in (Result(Colour.WHITE, Reason.RESIGN), Result(Colour.WHITE, Reason.TIME)):
        before = await world.stored(await playing(world, *PLAYED[:4]))
        position = before.game.position._replace(result=result)
        after = replace(before.game, position=position, status=Status.OVER, version=before.game.version + 1)
        with noted_statements(world) as found:
            async with world.store.transaction() as db:
                await save_and_rate(db, before, after, by=0, now=world.bot.app.now())
        assert len(found) == (10 if result.by is Reason.TIME else 9), "\n".join(found)
