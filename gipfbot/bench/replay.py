"""Replays as the bot makes them, at the largest size it offers: how long it takes, and how large they are."""

import asyncio
from collections.abc import Iterator
from itertools import islice
from random import Random
from time import process_time

from gipfbot.match import position_after
from gipfbot.notation import turn_text
from gipfbot.rules import STANDARD, start
from gipfbot.service.delivery.board_message import BoardMessage
from gipfbot.ui.board.board_texts import board_caption
from gipfbot.ui.kit.pictures import Painter, board_picture
from gipfbot.ui.records.replay import LARGEST_REPLAY, REPLAY_WIDTHS
from render.replay import Replay, ReplayTurn, gif_file, replay_parts

from .figures import Counts, Figure, quantile
from .samples import SEATS, lasting_game
from .turn import LATE, probe_loop

SECONDS, MIB = 3, 8  # at most
SIZE = max(REPLAY_WIDTHS.values())
REPLAYS_MADE = 5  # times a replay is made, so that there are enough looks at the loop


def replay_figures(counts: Counts) -> Iterator[Figure]:
    """Yield what a replay takes and how large it is, and how late the event loop is while one is made for somebody.

    Its players avoid the end of the game, so that the board is crowded and much is removed.
    """
    replay = lasting_replay(counts.replayed)
    begun = process_time()
    file = gif_file(replay, LARGEST_REPLAY, size=SIZE)
    yield Figure("replay.seconds", process_time() - begun, "s", at_most=SECONDS)
    yield Figure("replay.size", len(file) / 1024 / 1024, "MiB", at_most=MIB)
    late = asyncio.run(_loop_delays(replay))
    yield Figure("replay.loop_p99.9", 1000 * quantile(late, 0.999), "ms", at_most=LATE)


def lasting_replay(count: int) -> Replay:
    """Return the replay of a game of so many turns."""
    position, turns = start(STANDARD), list[ReplayTurn]()
    names = SEATS[0].name, SEATS[1].name
    begin = BoardMessage(1, 0, (1, 2), names, position)
    for number, actions in enumerate(islice(lasting_game(Random(5)), count), 1):
        after = position_after(position, actions)
        board = BoardMessage(1, number, (1, 2), names, after, position, actions, turn_text(position, actions))
        turns.append(ReplayTurn(actions, board_picture(board, board_caption(board))))
        position = after
    return Replay(board_picture(begin, board_caption(begin)), tuple(turns))


async def _loop_delays(replay: Replay) -> list[float]:
    late, painter = list[float](), Painter()
    async with probe_loop(late):
        for coming in (replay_parts(replay, LARGEST_REPLAY, size=SIZE) for _ in range(REPLAYS_MADE)):
            while await painter.next_part(coming):
                pass
    painter.close()
    return late
