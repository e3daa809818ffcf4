"""`make flood` in short: each heavy kind has a row, each row is sent, and others do not wait for one person's flood."""

import asyncio
import re
from collections.abc import Callable

import pytest

from gipfbot.ui.kit.interactions import KINDS as BUTTONS
from tests.standin import StandIn
from tests.standin.interaction import AUTOCOMPLETE
from tests.standin.rates import IN_CHANNEL, Rates
from tests.support.reached import names_behind
from tests.ui.slash_commands import slash_commands

from .flood_at_once import Learner, Pair
from .flood_kinds import GAMES_AT_ONCE, KINDS, Mallory, Prepared, play_bot, prepare_games
from .posted import mixed_messages
from .running import OWED, WAKEFUL, Bot

# What is called for work that people share: threads, engines, the bot's turns, pictures in parts, one job each.
SHARED = (
    "aside.run",
    "engine.ask",
    "schedule_house",
    "analysis_loop.wake",
    "painter.next_part",
    "deletions.finish",
    "one_job",
)
HEAVY = re.compile(rf"\b({'|'.join(map(re.escape, (*SHARED, 'completions')))})$")
# A change of the bot: all its games are at level 1, and an analysis searches little.
EASY = f"""{WAKEFUL}
from gipfbot.service.house import house_player
from gipfbot.service.records import analyses
ask = house_player.request_of_level
house_player.request_of_level = lambda position, before, level, seed: ask(position, before, 1, seed)
analyses.ANALYSIS_LEVEL = analyses.ANALYSIS_LEVEL._replace(nodes=300, slow_nodes=30)
"""
# A change of the bot: its engines begin no search while there is a file `held`.
HELD = f"""{WAKEFUL}
import asyncio, pathlib
from gipfbot.engines.engine_process import EngineProcess
exchange = EngineProcess.exchange
async def exchange_later(self, request):
    while pathlib.Path("held").exists():
        await asyncio.sleep(0.01)
    return await exchange(self, request)
EngineProcess.exchange = exchange_later
"""
MOST_TURNS = 3  # of the bot for one person before that for another: what it has begun, and what is next in rotation
UNANSWERED = re.compile(r"use=(.*) outcome=(?!answered)")
BOTS_TURNS = "SELECT count(*) FROM turns WHERE how = 'house' AND game <> ?"
TO_DO = "SELECT count(*) FROM due WHERE kind = 'house' AND done_at IS NULL"
NO_GAMES = Prepared((), (), ())


def handlers() -> dict[str, Callable[..., object]]:
    """Return the functions behind all commands, their suggestions, buttons and forms."""
    found: dict[str, Callable[..., object]] = {name: kind.handler for name, kind in BUTTONS.items()}
    for command in slash_commands():
        found[command.qualified_name] = command.callback
        for name, option in command._params.items():
            if callable(option.autocomplete):
                found[f"{command.qualified_name} {name}"] = option.autocomplete
    return found


def test_each_heavy_kind_has_a_row_in_the_flood() -> None:
    known = {use for kind in KINDS.values() for use in (*kind.uses, *kind.ways)}
    assert known <= handlers().keys(), "a row of tests/process/flood_kinds.py names what there is not"
    for name, handler in handlers().items():
        if heavy := sorted(filter(HEAVY.search, names_behind(handler))):
            said = f"“{name}” comes to {heavy[0]}: add a row to KINDS in tests/process/flood_kinds.py that sends it"
            assert name in known, said


@pytest.mark.sqlite
async def test_each_row_of_the_flood_is_sent_and_answered(bot: Bot, discord: StandIn) -> None:
    prepared = await prepare_games(bot, discord.user("mallory"), discord.general, 22)
    mallory = Mallory(bot, discord, discord.general, prepared, paced=False)
    await bot.start(EASY)
    mallory.begun["1"] = mallory.begun["7"] = GAMES_AT_ONCE - 1  # so the first row begins one, and plays in it
    discord.world.interactions.clear()
    for kind in KINDS.values():
        seen = len(discord.world.interactions)
        for number in range(2 if kind.at_once > 1 else 1):
            await kind.send(mallory, number)
            await discord.wait_for(lambda: bot.rows(TO_DO) == bot.rows(OWED) == [0], what="the bot's turns")
        sent = [*discord.world.interactions.values()]
        assert {*kind.uses} <= {used_in(each.what) for each in sent[seen:]}
        acts = sum(each.type != AUTOCOMPLETE for each in sent)
        await discord.wait_for(lambda: bot.log.count(" outcome=") == acts, what="the ends")  # noqa: B023  (at once)
    assert [use for use in UNANSWERED.findall(bot.log) if "type_turn_form" not in use] == []
    assert mixed_messages(discord) == []


def used_in(what: str) -> str:
    """Return the command, suggestion, button or form in the name of an interaction."""
    return re.split("[:~]", what.removeprefix("modal ").removeprefix("/"))[0]


async def test_flood_of_one_person_goes_behind_the_others(bot: Bot, discord: StandIn) -> None:
    """Their games wait for the bot's turn in somebody's game, and their boards for the board of two others."""
    await bot.start(HELD)
    pair, learner = (kind(bot, discord, discord.general, kind.__name__) for kind in (Pair, Learner))
    for person in (pair, learner):
        await person.begin()
    await discord.wait_for(lambda: bot.rows(OWED) == [0], what="the boards")
    mallory, held = Mallory(bot, discord, discord.general, NO_GAMES, paced=False), bot.folder / "held"
    discord.rates = Rates()
    held.touch()
    await asyncio.gather(*(play_bot(mallory, level, 0) for level in "21" for _ in range(GAMES_AT_ONCE)))
    found, answer = bot.rows(BOTS_TURNS, learner.game)[0], await learner.type_turn() + 1
    await discord.wait_for(lambda: learner.is_played(answer - 1), what="the turn")
    held.unlink()
    await discord.wait_for(lambda: learner.is_played(answer), what="the bot's turn")
    assert bot.rows(BOTS_TURNS, learner.game)[0] - found <= MOST_TURNS

    boards, played = public_boards(discord), await pair.type_turn(pair.me)
    await discord.wait_for(lambda: pair.is_posted(played), what="the board")
    assert public_boards(discord) - boards <= IN_CHANNEL


def public_boards(discord: StandIn) -> int:
    """Return the number of boards in the channel."""
    return sum(bool(message.attachments) and not message.ephemeral for message in discord.general.messages)
