"""The puzzle of the day in a server's channel, from the settings to the solution."""

import discord
import pytest
import simcord

from gipfbot.match.puzzle import PUZZLE_LEVELS, Puzzle
from gipfbot.service.puzzles import making
from gipfbot.ui.puzzles import solving
from gipfbot.ui.settings import server
from gipfbot.values import PuzzleSolvers, StoredPuzzle
from tests.support.puzzles import THREE, TWO, proven
from tests.support.times import DAY
from tests.ui.puzzles.entering import enter
from tests.ui.settings.panel import Panel
from tests.ui.table import Desk
from tests.ui.world import World, buttons, deliver, told

pytestmark = pytest.mark.looks_every(1)


@pytest.fixture
async def both(world: World, monkeypatch: pytest.MonkeyPatch) -> tuple[Puzzle, Puzzle]:
    """Two puzzles, the only ones."""
    monkeypatch.setattr(making, "shipped_puzzles", tuple)
    found = proven(TWO, 2), proven(THREE, 3)
    for puzzle in found:
        await making.store_puzzle(world.store, puzzle, world.bot.app.now())
    return found


@pytest.fixture
def channel(world: World) -> simcord.ChannelHandle:
    return world.guild.create_text_channel("puzzles")


async def look(world: World) -> None:
    """Let the bot do what is due."""
    await world.bot.app.daily_puzzles.owe_due_puzzles()
    await deliver(world)


async def test_puzzle_is_posted_solved_and_explained(
    world: World, boss: simcord.MemberActor, channel: simcord.ChannelHandle, both: tuple[Puzzle, Puzzle]
) -> None:
    """The whole way. Nobody is pinged, and the solution names those who found it on the first try."""
    await boss.slash(world.channel, "gipf-server settings", puzzles=channel)
    await look(world)
    (message,) = world.public(channel)
    assert message.content == (
        "**Puzzle of the day · White wins in two**\nOnly one first turn forces it. The solution comes tomorrow."
    )
    assert buttons(message) == [solving.SOLVE_LABEL]
    desk = Desk(world.cara, await world.cara.click(message, label=solving.SOLVE_LABEL))
    assert desk.text.startswith("**Puzzle of the day · White wins in two**\nYou play White.")
    failing = Desk(world.bob, await world.bob.click(message, label=solving.SOLVE_LABEL))
    await failing.press(solving.GIVE_UP_LABEL)
    opened = await world.bot.app.puzzles.look(1, world.cara.id, world.guild.id)
    for turn in both[0].line[::2]:
        opened = await world.bot.app.puzzles.play(opened, turn)
    await world.env.advance_time(DAY)
    await look(world)
    _, solution, following = world.public(channel)
    assert solution.content.startswith("**The last puzzle of the day: White won in two**\nSolution: **b1-b4 · ")
    assert solution.content.endswith(f"Solved on the first try by <@{world.cara.id}>: 1 of 2 who tried.")
    assert world.pings(solution) == set()
    assert following.content.startswith("**Puzzle of the day · White wins in three**")
    steps = Desk(world.ann, await world.ann.click(solution, label=solving.STEPS_LABEL))
    assert "Solution: b1-b4 · " in steps.text
    assert "no such puzzle left" not in told(await world.ann.slash(channel, "gipf-learn puzzle"))


async def test_puzzle_of_yesterday_is_solved_without_a_rating(
    world: World, boss: simcord.MemberActor, channel: simcord.ChannelHandle, both: tuple[Puzzle, Puzzle]
) -> None:
    """What the person reads says so, before and after."""
    await boss.slash(world.channel, "gipf-server settings", puzzles=channel)
    await look(world)
    await world.env.advance_time(DAY)
    await look(world)
    message, _, _ = world.public(channel)
    desk = Desk(world.cara, await world.cara.click(message, label=solving.SOLVE_LABEL))
    assert f"two turns to win. {solving.SOLUTION_POSTED}" in desk.text
    before, _, last = both[0].line
    await enter(desk, both[0], (), before)
    await enter(desk, both[0], both[0].line[:2], last)
    assert f"{solving.SOLVED}\n{solving.SOLUTION_POSTED}" in desk.text


async def test_channel_is_chosen_and_unset_on_the_page(
    world: World, boss: simcord.MemberActor, channel: simcord.ChannelHandle, both: tuple[Puzzle, Puzzle]
) -> None:
    panel = Panel(boss, await boss.slash(world.channel, "gipf-server settings"))
    await panel.turn_to("Places")
    await panel.choose_channel(channel, "puzzles")
    assert f"A puzzle is posted in <#{channel.id}> every day at 8:00 UTC." in panel.text
    await panel.press(server.PUZZLES_PLACE.unset_label)
    assert "daily puzzle goes" not in panel.text
    await look(world)
    assert world.public(channel) == []


async def test_channel_and_no_channel_at_once_change_nothing(
    world: World, boss: simcord.MemberActor, channel: simcord.ChannelHandle
) -> None:
    said = told(await boss.slash(world.channel, "gipf-server settings", puzzles=channel, no_puzzles=True))
    assert "**no_puzzles:True** for no daily puzzle" in said
    assert (await world.bot.app.servers.settings(world.guild.id)).puzzles is None


async def test_channel_where_the_bot_may_not_post_is_refused(world: World, boss: simcord.MemberActor) -> None:
    bot = world.bot.user
    assert bot
    shut = world.guild.create_text_channel("shut", overwrites={bot: discord.PermissionOverwrite(attach_files=False)})
    said = told(await boss.slash(world.channel, "gipf-server settings", puzzles=shut))
    assert server.channel_refused_text(["Attach Files"], shut.id) in said
    assert (await world.bot.app.servers.settings(world.guild.id)).puzzles is None


@pytest.mark.parametrize(
    ("solvers", "said"),
    [
        (PuzzleSolvers((), 0), "Nobody tried it."),
        (PuzzleSolvers((), 3), "3 tried it. Nobody solved it on the first try."),
        (PuzzleSolvers((7, 8), 2), "Solved on the first try by <@7>, <@8>: 2 of 2 who tried."),
        (PuzzleSolvers(tuple(range(25)), 30), "<@19> and 5 more: 25 of 30 who tried."),
    ],
)
def test_solvers_are_named_as_far_as_there_is_room(solvers: PuzzleSolvers, said: str) -> None:
    text = solving.posted_solution_text(StoredPuzzle(1, proven(TWO, 2)), solvers)
    assert text.endswith(said)


@pytest.mark.parametrize("level", PUZZLE_LEVELS)
def test_each_level_has_its_sentences(level: int) -> None:
    assert all(level in sentences for sentences in (solving.WINS_IN, solving.WON_IN, solving.TASKS))
    left = range(1, level)
    assert all(turns in sentences for turns in left for sentences in (solving.STILL_TO_WIN, solving.TOO_LATE))
