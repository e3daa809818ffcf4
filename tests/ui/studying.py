"""Records and studies as a person makes them: games with some turns, imports, and the forms of a study."""

import asyncio
from collections.abc import Iterator

from simcord.results import InteractionResult

from gipfbot.ui.kit import texts
from gipfbot.ui.kit.texts import SHOW_HERE_LABEL
from gipfbot.ui.records import study_texts
from render.replay import GifPart

from .table import Desk
from .world import World, components, game_name, private, told

SHEET = """[Event "A cup"]
[White "Ann"]
[Black "Bob"]
[Rules "standard"]
1. a2-c2 {see [this](https://e.org) @everyone} f1-d2?! 2. b1-b3 i5-g5 3. b6-b4;xb2,b3,Gb4,b5 e1-e3 1-0"""
FIRST, PREVIOUS, NEXT, LAST = (
    study_texts.FIRST_TURN_LABEL,
    study_texts.PREVIOUS_TURN_LABEL,
    study_texts.NEXT_TURN_LABEL,
    study_texts.LAST_TURN_LABEL,
)
WALK = [FIRST, PREVIOUS, NEXT, LAST]
WALK += [study_texts.JUMP_LABEL, study_texts.TRY_TURN_LABEL, texts.EXPLORER_LABEL, SHOW_HERE_LABEL]

QUICK_FILM = {"pace": "fast", "size": "small"}  # options of a replay


class Gate:
    """Hold a replay after so many parts, until the gate is opened."""

    def __init__(self, world: World, parts: int) -> None:
        self.open, self.made, self._world = asyncio.Event(), 0, world
        self._parts, self._next = parts, world.bot.painter.next_part
        world.bot.painter.next_part = self._wait  # type: ignore[method-assign, assignment]

    async def _wait(self, parts: Iterator[GifPart], person: int | None = None) -> GifPart | None:
        if self.made == self._parts:
            await self._world.env.external_wait(self.open.wait(), reason="the gate")
        self.made += 1
        return await self._next(parts, person)


async def fill_import(world: World, values: dict[str, object], **chosen: str) -> InteractionResult:
    """Return the answer when Ann fills in the form of /gipf import."""
    opened = await world.ann.slash(world.channel, "gipf import", **chosen)
    return await world.ann.submit_modal(opened, values)


async def imported(world: World, text: str = SHEET, **chosen: str) -> Desk:
    """Return the study that Ann has made of a text."""
    return Desk(world.ann, await fill_import(world, {"text": text}, **chosen))


async def fill(desk: Desk, label: str, text: str) -> str:
    """Fill in the form behind a button; return what is said beside the study, if anything."""
    answer = await desk.person.submit_modal(await desk.person.click(desk.message, label=label), {"text": text})
    assert answer.acknowledged
    return answer.followups[-1].content if answer.followups else ""


def disabled(desk: Desk) -> list[str]:
    """Return the buttons that cannot be pressed."""
    return [item["label"] for item in components(desk.message) if item.get("disabled")]


async def playing(world: World, *turns: str, rules: str = "standard") -> int:
    """Return a game of Ann, White, and Bob in which these turns have been played."""
    game = await world.begin(rules)
    for turn in turns:
        player = world.player(await world.game(game))
        answered = await player.slash(world.channel, "move", notation=turn, game=game_name(game))
        assert told(answered).startswith("Played")
    return game


async def studied(world: World, game: int = 1) -> Desk:
    """Return the study that Ann opens from the board of a game of hers."""
    shown = private(await world.ann.slash(world.channel, "gipf board", game=game_name(game)))
    return Desk(world.ann, await world.ann.click(shown, label="Study"))
