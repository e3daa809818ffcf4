"""The replay of a game, made while the person waits: a moving picture, sent to him alone.

What is being made is known to this process alone (`GipfBot.replays`): there is nothing to go on with after a restart.
"""

import io
from typing import NamedTuple, Self

import discord
from discord import app_commands

from gipfbot.match import Game, Refused, Why
from gipfbot.notation import Notation, Record, Step, turn_text
from gipfbot.rules import start
from gipfbot.service.boards import Board
from render import Picture
from render.replay import PACES, Part, Replay, Turn, parts

from . import board_texts, homes, replay_texts, study_texts
from .choices import CHOICES, complete_record
from .items import handles
from .looks import look_in
from .pictures import board_picture
from .replies import Interaction, guarded, notation_of, settings_of, show
from .screens import Button, Row, game_picture
from .which import game_or_ask, picked_for

MOST = 4  # replays that are made at a time
PATIENCE = 2  # seconds from one word on how far it has come to the next
LARGEST = 10 * 1024 * 1024  # bytes, whatever Discord would take: phones load it
GONE = 10008  # Discord does not know the message any more: it was dismissed
SIZES = {"small": 400, "medium": 600, "large": 800}


class Wish(NamedTuple):
    """What somebody wants to see of a game, and how; without a last turn, all of it."""

    pace: str = "normal"
    size: str = "medium"
    first: int = 1
    last: int = 0

    @classmethod
    def read(cls, text: str) -> Self:
        """Return what `text` gives, which the person's choice of a game is kept with."""
        pace, size, first, last = text.split(":")
        return cls(pace, size, int(first), int(last))

    def text(self) -> str:
        """Return it as a text."""
        return f"{self.pace}:{self.size}:{self.first}:{self.last}"


@app_commands.command(name="replay", description="A game as a moving picture, for you alone")
@app_commands.describe(
    game="Which game, such as #a7, also one that is over",
    pace="How fast it goes (default: normal)",
    size="How large it is (default: medium)",
    first="The first turn that is played (default: the game's first)",
    last="The last turn (default: the newest)",
)
@app_commands.rename(first="from", last="to")
@app_commands.choices(
    pace=[app_commands.Choice(name=name.capitalize(), value=name) for name in PACES],
    size=[
        app_commands.Choice(name=f"{name.capitalize()}: {width} pixels", value=name) for name, width in SIZES.items()
    ],
)
async def replay(
    interaction: Interaction,
    game: str = "",
    pace: str = "normal",
    size: str = "medium",
    first: app_commands.Range[int, 1, 100_000] = 1,
    last: app_commands.Range[int, 1, 100_000] | None = None,
) -> None:
    """Send the replay of a game."""
    await interaction.response.defer(ephemeral=True)
    wish = Wish(pace, size, first, last or 0)

    async def work() -> None:
        for option, value, offered in (("pace", pace, PACES), ("size", size, SIZES)):
            if value not in offered:
                raise Refused(Why.NOT_OFFERED, option=option, value=value)
        bot, user = interaction.client, interaction.user.id
        mine = await bot.service.running(user) or await bot.studies.ended(user, CHOICES)
        ask, none = replay_texts.WHICH_REPLAY, study_texts.NO_GAMES
        if id := await game_or_ask(interaction, game.strip(), mine, f"replay:{wish.text()}", none, ask):
            await _replay(interaction, id, wish)

    await guarded(interaction, work())


replay.autocomplete("game")(complete_record)


@picked_for("replay")
async def _replay_picked(interaction: Interaction, id: int, wanted: str) -> None:
    await _replay(interaction, id, Wish.read(wanted))


@handles("j")
async def press_replay(interaction: Interaction, rest: str) -> None:
    """The button of a game's last board: sends its replay to whoever presses it."""

    async def work() -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await _replay(interaction, int(rest), Wish())

    await guarded(interaction, work())


async def _replay(interaction: Interaction, id: int, wish: Wish) -> None:
    """Send a replay, if the person may look at the game and there is something to be seen."""
    stored, record = await interaction.client.studies.record(id)
    turns = len(record.turns)
    last = min(wish.last or turns, turns)
    others = [user for user in interaction.client.replays.values() if user != interaction.user.id]
    if reason := await homes.hidden(interaction, stored):
        await show(interaction, reason)
    elif not turns:
        await show(interaction, replay_texts.NO_TURNS)
    elif wish.first > last:
        await show(interaction, replay_texts.bad_range(id, wish.first, wish.last, turns))
    elif len(others) >= MOST:
        await show(interaction, replay_texts.TOO_MANY)
    else:
        await _make(interaction, stored.game, record, wish._replace(last=last))


async def _make(interaction: Interaction, game: Game, record: Record, wish: Wish) -> None:
    making, job = interaction.client.replays, interaction.id
    for other in [other for other, user in making.items() if user == interaction.user.id]:
        del making[other]
    making[job] = interaction.user.id
    try:
        notation = await notation_of(interaction)
        described = await interaction.client.aside(_described, game, record, wish, notation)
        made = await _made(interaction, game.id, described, wish)
        if made is None:
            await show(interaction, replay_texts.CANCELLED)
        else:
            await _send(interaction, game, described, made, wish)
    except discord.NotFound as error:
        if error.code != GONE:
            raise
    finally:
        making.pop(job, None)


async def _made(interaction: Interaction, game: int, described: Replay, wish: Wish) -> list[Part] | None:
    """Return the parts of a replay, None when it was cancelled; tells meanwhile how far it has come."""
    bot, turns = interaction.client, len(described.turns)
    cancel: tuple[Row, ...] = ((Button(replay_texts.CANCEL, f"q:{interaction.id}"),),)
    limit = min(LARGEST, interaction.filesize_limit)
    theme = look_in(await settings_of(interaction)).theme
    coming = parts(described, limit, size=SIZES[wish.size], theme=theme, pace=PACES[wish.pace])
    await show(interaction, replay_texts.waiting(game, 0, turns), rows=cancel)
    made, told = list[Part](), bot.service.now()
    while True:
        part = await bot.painter.next(coming)
        if interaction.id not in bot.replays:
            return None
        if part is None:
            return made
        made.append(part)
        if bot.service.now() - told >= PATIENCE:
            await show(interaction, replay_texts.waiting(game, part.turn, turns), rows=cancel)
            told = bot.service.now()


async def _send(interaction: Interaction, game: Game, described: Replay, made: list[Part], wish: Wish) -> None:
    width = None if made[-1].width == SIZES[wish.size] else made[-1].width
    passed = sum(part.turn > 0 and not part.data for part in made)
    alt = replay_texts.alt(game.id, wish.first, wish.last, described.board(len(described.turns)))
    data = io.BytesIO(b"".join(part.data for part in made))
    file = discord.File(data, replay_texts.file_name(game.id), description=alt)
    await show(interaction, replay_texts.made(game, wish.first, wish.last, passed, width), files=[file])


@handles("q")
async def press_cancel(interaction: Interaction, rest: str) -> None:
    """Stop making a replay; the one who makes it says so when he notices."""

    async def work() -> None:
        await interaction.response.defer()
        if interaction.client.replays.pop(int(rest), None) is None:
            await interaction.edit_original_response(content=replay_texts.LOST, view=None)

    await guarded(interaction, work())


def _described(game: Game, record: Record, wish: Wish, notation: Notation) -> Replay:
    """Return what is seen of a game: each board as it was posted, but in this notation."""
    seats, names = (game.seats[0].user, game.seats[1].user), (game.seats[0].name, game.seats[1].name)

    def board(step: Step) -> Picture:
        text = turn_text(step.before, step.actions, notation)
        shown = Board(game.id, step.number, seats, names, step.after, step.before, step.actions, text)
        return board_picture(shown, board_texts.caption(shown))

    begin = Board(game.id, 0, seats, names, start(record.rules))
    boards = [board_picture(begin, board_texts.caption(begin)), *map(board, record.turns[: wish.last])]
    if wish.last == len(record.turns):
        boards[-1] = game_picture(game, notation)  # a game may end by more than its turns
    steps = record.turns[wish.first - 1 : wish.last]
    turns = (Turn(step.actions, after) for step, after in zip(steps, boards[wish.first :], strict=True))
    return Replay(boards[wish.first - 1], tuple(turns))
