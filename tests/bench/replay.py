"""Measure how long the bot takes to make a replay, how large the file is, and how late the event loop is meanwhile.

Replays are made at the largest size that the bot offers.
"""

import asyncio
from collections.abc import Iterator
from itertools import islice
from random import Random

from gipfbot.match import position_after
from gipfbot.notation import turn_text
from gipfbot.rules import STANDARD, start
from gipfbot.service.delivery.board_message import BoardMessage
from gipfbot.ui.board.public_board import board_caption
from gipfbot.ui.kit.pictures import Painter, board_picture
from gipfbot.ui.records.replay import LARGEST_REPLAY, REPLAY_WIDTHS
from render.replay import Replay, ReplayTurn, replay_parts

from .figures import Counts, Figure
from .loop_delay import LoopProbe
from .samples import SEATS, lasting_game
from .yardstick import measure_steps

YARDS, MIB = 340, 8  # at most
SIZE = max(REPLAY_WIDTHS.values())
REPLAYS_MADE = 5  # times a replay is made, so that the loop is probed often enough


def replay_figures(counts: Counts) -> Iterator[Figure]:
    """Yield the time to make a replay and its size, and how late the event loop is while the bot makes replays.

    The players in the replayed game avoid its end, so that the board is crowded and many pieces are removed.
    """
    replay = lasting_replay(counts.replayed)
    pace = measure_steps(len(part.data) for part in replay_parts(replay, LARGEST_REPLAY, size=SIZE))
    yield Figure("replay.seconds", pace.seconds, "s")
    yield Figure("replay.yards", pace.yards, "yards", at_most=YARDS)
    yield Figure("replay.size", pace.done / 1024 / 1024, "MiB", at_most=MIB)
    yield from asyncio.run(_probe_replays(replay, counts.beside)).figures("replay")


def lasting_replay(count: int) -> Replay:
    """Return the replay of a long Standard game of `count` turns."""
    position, turns = start(STANDARD), list[ReplayTurn]()
    names = SEATS[0].name, SEATS[1].name
    begin = BoardMessage(1, 0, (1, 2), names, position)
    for number, actions in enumerate(islice(lasting_game(Random(5)), count), 1):
        after = position_after(position, actions)
        board = BoardMessage(1, number, (1, 2), names, after, position, actions, turn_text(position, actions))
        turns.append(ReplayTurn(actions, board_picture(board, board_caption(board))))
        position = after
    return Replay(board_picture(begin, board_caption(begin)), tuple(turns))


async def _probe_replays(replay: Replay, beside: float) -> LoopProbe:
    probe, painter = LoopProbe(), Painter()
    async with probe.running():
        for coming in (replay_parts(replay, LARGEST_REPLAY, size=SIZE) for _ in range(REPLAYS_MADE)):
            while await painter.next_part(coming):
                pass
            await probe.run_beside_yardstick(beside / REPLAYS_MADE)
    painter.close()
    return probe
