"""Engines for tests: the bot's own without its process, and engines that fail."""

import asyncio
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any, TypeVar

from gipfbot.engines.engine_loop import serve
from gipfbot.engines.protocol import (
    AnalyseRequest,
    EngineFailed,
    EngineRequest,
    PlayRequest,
    SearchAnswer,
    parse_answer,
    request_line,
)
from gipfbot.engines.worker import Wish

A = TypeVar("A")


@dataclass
class EngineInThread:
    """The bot's own engine in a thread. It notes what it was asked.

    With a `score`, it says this of each turn. `faults` are sentences with which it fails first, one for each request.
    `nodes` limits each search.
    """

    faults: list[str] = field(default_factory=list)
    nodes: int = 300
    score: int | None = None
    from_turn: int = 0  # from which number of earlier turns on it says this score
    is_cut: bool = False  # whether it says that time has ended each search
    asked: list[Any] = field(default_factory=list)

    async def ask(self, request: EngineRequest[A], wish: Wish) -> A:
        """Return the engine's answer."""
        await wish.begins()
        self.asked.append(request)
        if self.faults:
            raise EngineFailed(self.faults.pop(0))
        asked: Any = request
        if isinstance(asked, PlayRequest | AnalyseRequest):
            asked = type(asked)(**{**vars(asked), "nodes": min(asked.nodes, self.nodes)})
        target = BytesIO()
        await asyncio.to_thread(serve, BytesIO(request_line(1, asked)), target)
        answer = parse_answer(target.getvalue(), 1, request)
        if self.is_cut and isinstance(answer, SearchAnswer):
            answer = replace(answer, cut=True)
        told = self.score is not None and len(asked.before) >= self.from_turn
        if told and isinstance(answer, SearchAnswer) and self.score is not None:
            return replace(answer, turns=(answer.best._replace(score=self.score),))
        return answer
