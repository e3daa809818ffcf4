"""Describe pictures of games and challenges in the viewer's style, and draw them in one worker thread."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from traceback import extract_tb
from typing import Any, TypeVar

from gipfbot.languages import say_name
from gipfbot.match import Challenge, Side
from gipfbot.rules import Action, Colour, Position, play, start
from gipfbot.rules.changes import Event, events
from gipfbot.rules.pending import question
from gipfbot.service.delivery.board_message import BoardMessage
from gipfbot.service.kit.aside import FairQueue
from render import CLASSIC, THEMES, ChallengeCard, Described, Marks, Picture, ResultCard, Theme, png
from render.film import film_parts
from render.replay import Replay

from .picture_words import spoken_words
from .texts import player_name, player_names

BOARD_WIDTH, RESULT_WIDTH = 800, 704  # pixels; these make a result as high as a board
FILM_SECONDS = 4  # that a result waits for its film: less than a try of its message may take
DrawnPart = TypeVar("DrawnPart")
ROW_LETTERS = "ABCDEFGHIJKLMNOPQRSTU"


@dataclass(frozen=True)
class BoardStyle:
    """A theme, and whether Black sees the board from their own side."""

    theme: Theme = CLASSIC
    own_side: bool = False

    def seen_by(self, described: Described, colour: Colour | None, *, turned: bool = False) -> Described:
        """Return a picture as the player of `colour` sees it. `colour` is None for a person who does not play.

        With `turned`, it is seen from the other side. Only boards are turned; a card stays as it is.
        """
        flipped = (self.own_side and colour is Colour.BLACK) != turned
        return replace(described, flipped=flipped) if flipped and isinstance(described, Picture) else described


def board_style_of(settings: Mapping[str, Any]) -> BoardStyle:
    """Return the board style in a person's settings. The theme is classic if it is missing or unknown."""
    return BoardStyle(THEMES.get(settings.get("theme", ""), CLASSIC), bool(settings.get("own_side")))


def describe_actions(position: Position, actions: Sequence[Action]) -> Iterator[Event]:
    """Yield the events of these actions, played one after the other from `position`."""
    for action in actions:
        after = play(position, action)
        yield from events(position, action, after)
        position = after


def board_picture(board: BoardMessage, caption: str) -> Picture:
    """Return the picture of a board message. It marks the last turn, and the rows to remove first."""
    called_off, names = board.cancelled_by is not None, player_names(board.names)
    if board.before is None:
        return Picture(board.position, names, caption, cancelled=called_off, flipped=board.flipped)
    asked = question(board.position)
    rows = [row.stretch for row in asked.rows if row.due] if asked and not called_off else []
    marks = Marks.of_turn(describe_actions(board.before, board.actions))
    marks = replace(marks, rows=tuple(("", row) for row in rows))  # a letter would need a sentence that explains it
    return Picture(board.position, names, caption, marks, called_off, board.flipped)


def challenge_card(challenge: Challenge, title: str, terms: tuple[tuple[str, str], ...]) -> ChallengeCard:
    """Return the picture of a challenge. `terms` are the (label, value) pairs below the players."""
    side = {Side.WHITE: Colour.WHITE, Side.BLACK: Colour.BLACK}.get(challenge.side)
    return ChallengeCard(
        title,
        player_name(challenge.by.name),
        player_name(challenge.to.name) if challenge.to else say_name("anybody"),
        side,
        start(challenge.ruleset),
        terms,
    )


class Painter:
    """Draws pictures in one thread, so that the event loop stays free. More threads would starve the loop.

    People are served in rotation: `person` is the person who waits for a picture; None if nobody in particular does.
    `note_seconds` is told how long each picture took, and each part of a film, without the wait for others.
    """

    def __init__(self, note_seconds: Callable[[float], None] = lambda _: None) -> None:
        self._note_seconds = note_seconds
        self._worker = ThreadPoolExecutor(1, "painter")
        self._queue, self._films = FairQueue(), asyncio.Lock()
        self._faults = set[tuple[type[Exception], str, int | None]]()

    async def png(
        self, picture: Described, theme: Theme = CLASSIC, width: int = BOARD_WIDTH, person: int | None = None
    ) -> bytes:
        """Return a picture as PNG. `width` is in pixels; result cards ignore it. Raises any error of the drawing."""
        size = RESULT_WIDTH if isinstance(picture, ResultCard) else width
        return await self._draw(partial(png, picture, size=size, theme=theme, words=spoken_words()), person)

    async def film(self, card: ResultCard, last_turns: Replay, theme: Theme = CLASSIC) -> bytes:
        """Return the film of a result as GIF. Films come one after the other; others are served between images.

        Raises any error of the drawing, and TimeoutError if it is not ready after FILM_SECONDS.
        """
        async with asyncio.timeout(FILM_SECONDS), self._films:
            parts, data = film_parts(card, last_turns, theme, spoken_words()), list[bytes]()
            while (part := await self.next_part(parts)) is not None:
                data.append(part)
        return b"".join(data)

    def is_new_fault(self, fault: Exception) -> bool:
        """Return whether an error of this type is raised at this line of code for the first time.

        The error is remembered, so that a lasting fault does not fill the log.
        """
        place = extract_tb(fault.__traceback__)[-1]
        seen = type(fault), place.filename, place.lineno
        new = seen not in self._faults
        self._faults.add(seen)
        return new

    async def next_part(self, parts: Iterator[DrawnPart], person: int | None = None) -> DrawnPart | None:
        """Return the next of `parts`, computed in the worker thread; None after the last."""
        return await self._draw(partial(next, parts, None), person)

    async def _draw(self, work: Callable[[], DrawnPart], person: int | None) -> DrawnPart:
        async with self._queue.slot(person):
            begun = time.perf_counter()
            drawn = await asyncio.get_running_loop().run_in_executor(self._worker, work)
            self._note_seconds(time.perf_counter() - begun)
            return drawn

    def close(self) -> None:
        """Finish the picture that is being drawn, then stop the worker thread. Pictures that still wait fail."""
        self._worker.shutdown()
