"""Show past boards of a game to one person: `/gipf replay`, an animation, and `/gipf board turn:`, a single board.

The person waits while the animation is made. `AppClient.replays` holds the replays that are being made. It is not
stored, so a restart of the bot ends them.
"""

import io
from typing import NamedTuple, Self

import discord
from discord import app_commands

from gipfbot.languages import mark, say
from gipfbot.match import Game, Refused, Why
from gipfbot.match.study import Study, parse_place
from gipfbot.notation import Notation, Record, RecordedTurn, decision_text
from gipfbot.rules import Ruleset, start
from gipfbot.service.delivery.board_message import BoardMessage
from gipfbot.ui.board import public_board
from gipfbot.ui.board.public_board import game_picture, reasons_buttons, seat_names
from gipfbot.ui.kit import (
    Button,
    Interaction,
    Reply,
    answers_privately,
    handles,
    handles_picked_game,
    join_lines,
    notation_of,
    show_reply,
    slash_command,
    texts,
    visibility,
)
from gipfbot.ui.kit.components import Malformed, parse_sent_number
from gipfbot.ui.kit.game_picker import complete_any_game
from gipfbot.ui.kit.picture_words import spoken_words
from gipfbot.ui.kit.pictures import board_picture, board_style_of
from gipfbot.ui.kit.rate_limits import check_no_job
from gipfbot.ui.kit.refusal_texts import removal_why_buttons
from gipfbot.ui.kit.respond import show_here_buttons, user_settings_of
from gipfbot.ui.kit.slash_commands import said_choices
from gipfbot.ui.kit.texts import with_code_block
from gipfbot.values import StoredGame
from render import Picture, text_board
from render.replay import REPLAY_PACES, GifPart, Replay, ReplayTurn, replay_parts

from . import record_texts, study_texts
from .explorer import explore_game_buttons
from .records import pick_played_game, study_button

LONGEST_TURN_NUMBER = 10  # characters

MOST_REPLAYS = 4  # replays that are made at the same time
PROGRESS_SECONDS = 2  # seconds between two reports of progress
LARGEST_REPLAY = 10 * 1024 * 1024  # bytes, even if Discord allows more: phones must load it
MESSAGE_GONE = 10008  # the error code for a message that was dismissed
REPLAY_WIDTHS = {"small": 400, "medium": 600, "large": 800}
_PACE_NAMES = {"slow": mark("Slow"), "normal": mark("Normal"), "fast": mark("Fast")}
_SIZES = {
    "small": mark("Small: {pixels} pixels"),
    "medium": mark("Medium: {pixels} pixels"),
    "large": mark("Large: {pixels} pixels"),
}


async def show_past_board(interaction: Interaction, game_id: int, turn: str, *, as_text: bool) -> None:
    """Show a game after the turn with the number `turn`, such as `12b`, if the person may see the game.

    If no turn has that number, list the valid numbers.
    """
    stored, record = await interaction.client.app.studies.record(game_id, interaction.user.id)
    if reason := await visibility.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
        return
    turns = tuple(step.actions for step in record.turns)
    study = Study(0, record.rules, seat_names(stored.game), turns)
    place = parse_place(turn, study)
    if place is None or place > len(turns):
        await show_reply(interaction, study_texts.bad_move_number_text(turn, study))
        return
    await _show_place(interaction, stored.game, record, place, as_text=as_text)


async def show_place_of_game(interaction: Interaction, game_id: int, place: int) -> None:
    """Show a game after its first `place` turns, if the person may see it; after the last one, if it has fewer now."""
    stored, record = await interaction.client.app.studies.record(game_id, interaction.user.id)
    if reason := await visibility.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
        return
    await _show_place(interaction, stored.game, record, min(place, len(record.turns)), as_text=False)


async def _show_place(interaction: Interaction, game: Game, record: Record, place: int, *, as_text: bool) -> None:
    notation = await notation_of(interaction)
    picture = place_picture(game, record, place, notation)
    text = record_texts.past_board_text(game, record, place, notation, newest=True)
    why = removal_why_buttons(record.turns[place - 1], f"{game.id}:{place}") if place else ()
    buttons = Button(say(texts.BOARD_LABEL), f"more:{game.id}::"), study_button(game.id)
    explaining = reasons_buttons(game, place, record.turns[place - 1].after) if place else ()
    showing = show_here_buttons(interaction, f"board:{game.id}:{place}")
    rows = [row for row in ((*buttons, *explore_game_buttons(game, place), *why, *explaining), showing) if row]
    if as_text:
        await show_reply(interaction, with_code_block(text, text_board(picture, spoken_words())), rows=rows)
    else:
        await show_reply(interaction, text, picture, rows, colour=game.colour_of(interaction.user.id))


def place_picture(game: Game, record: Record, place: int, notation: Notation) -> Picture:
    """Return the board of a game after the first `place` turns of its record. After the last one, it shows the end."""
    if place == len(record.turns):
        return game_picture(game, notation)
    return turn_picture(game, record.turns[place - 1], notation) if place else start_picture(game, record.rules)


def turn_picture(game: Game, step: RecordedTurn, notation: Notation) -> Picture:
    """Return the board that was posted after a turn of a game. `notation` is that of its caption."""
    text = decision_text(step.before, step.actions, notation)
    players = (game.seats[0].user, game.seats[1].user)
    names, newcomer = seat_names(game), game.terms.newcomer
    shown = BoardMessage(
        game.id, step.turn_number, players, names, step.after, step.before, step.actions, text, newcomer=newcomer
    )
    return board_picture(shown, public_board.board_caption(shown))


def start_picture(game: Game, rules: Ruleset) -> Picture:
    """Return the board of a game before its first turn."""
    begin = BoardMessage(game.id, 0, (game.seats[0].user, game.seats[1].user), seat_names(game), start(rules))
    return board_picture(begin, public_board.board_caption(begin))


class ReplayWish(NamedTuple):
    """The turns of a game to replay, and how to draw them. `first` and `last` count the turns of both players.

    `pace` is a key of REPLAY_PACES, `size` one of REPLAY_WIDTHS. A `last` of 0 means the newest turn.
    """

    pace: str = "normal"
    size: str = "medium"
    first: int = 1
    last: int = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the wish that `to_text` has written into a `custom_id`. Raises Malformed for any other text."""
        parts = text.split(":")
        if len(parts) != 4 or parts[0] not in REPLAY_PACES or parts[1] not in REPLAY_WIDTHS:
            raise Malformed(text)
        return cls(parts[0], parts[1], parse_sent_number(parts[2]), parse_sent_number(parts[3]))

    def to_text(self) -> str:
        """Return the wish as text for a `custom_id`."""
        return f"{self.pace}:{self.size}:{self.first}:{self.last}"


def _size_text(size: str) -> str:
    return say(_SIZES[size], pixels=REPLAY_WIDTHS[size])


@slash_command("gipf replay", 150, "Watch a game as an animation, privately")
@app_commands.describe(
    game="Which game, such as #a7, running or over",
    pace="How fast it goes (default: normal)",
    size="How large it is (default: medium)",
    first="The first turn to show: 7 is White's seventh (default: 1)",
    last="The last turn to show: 7 is Black's seventh (default: the newest)",
)
@app_commands.rename(first="from", last="to")
@app_commands.choices(
    pace=[app_commands.Choice(name=_PACE_NAMES[name], value=name) for name in REPLAY_PACES],
    size=said_choices(_size_text, REPLAY_WIDTHS),
)
@app_commands.autocomplete(game=complete_any_game)
@answers_privately
async def replay_command(
    interaction: Interaction,
    game: str = "",
    pace: str = "normal",
    size: str = "medium",
    first: app_commands.Range[int, 1, 100_000] = 1,
    last: app_commands.Range[int, 1, 100_000] | None = None,
) -> None:
    """Send a replay of a game. If it is not clear which game is meant, ask.

    `first` and `last` are numbers as in a record: White's turn and Black's answer have the same number.
    Raises Refused for a pace or size that is not offered.
    """
    for option, value, offered in (("pace", pace, REPLAY_PACES), ("size", size, REPLAY_WIDTHS)):
        if value not in offered:
            raise Refused(Why.NOT_OFFERED, option=option, value=value)
    wish = ReplayWish(pace, size, 2 * first - 1, 2 * (last or 0))
    picked = await pick_played_game(interaction, game, f"replay:{wish.to_text()}", say(record_texts.WHICH_REPLAY))
    if picked:
        await send_replay(interaction, picked, wish)


@handles_picked_game("replay")
async def _send_picked_replay(interaction: Interaction, game_id: int, wish: str) -> None:
    await send_replay(interaction, game_id, ReplayWish.parse(wish))


@handles("replay", "{game}", Reply.APART)
async def press_replay(interaction: Interaction, game: int) -> None:
    """Send a replay of the whole game to the person who presses the button of its last board."""
    await send_replay(interaction, game, ReplayWish())


async def send_replay(interaction: Interaction, game_id: int, wish: ReplayWish) -> None:
    """Send a replay of a game, or explain why it cannot be made.

    A replay cannot be made if the user may not see the game, or if the game lacks the turns of the wish. Nor can it be
    made while MOST_REPLAYS replays are being made for other people. Raises Refused if something else is being made for
    the user.
    """
    check_no_job(interaction)
    stored, record = await interaction.client.app.studies.record(game_id, interaction.user.id)
    turns = len(record.turns)
    last = min(wish.last or turns, turns)
    others = [user for user in interaction.client.replays.values() if user != interaction.user.id]
    if reason := await visibility.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
    elif not turns:
        await show_reply(interaction, say(record_texts.NOTHING_TO_REPLAY))
    elif wish.first > last:
        await show_reply(interaction, record_texts.bad_range_text(game_id, wish.first, wish.last, turns))
    elif len(others) >= MOST_REPLAYS:
        await show_reply(interaction, say(record_texts.TOO_MANY_REPLAYS))
    else:
        await _make_replay(interaction, stored, record, wish._replace(last=last))


async def _make_replay(interaction: Interaction, stored: StoredGame, record: Record, wish: ReplayWish) -> None:
    """Make a replay and send it. Cancel any other replay that is being made for the user."""
    replays, job = interaction.client.replays, interaction.id
    for other in [other for other, user in replays.items() if user == interaction.user.id]:
        del replays[other]
    replays[job] = interaction.user.id
    try:
        await _draw_and_send_replay(interaction, stored, record, wish)
    except discord.NotFound as error:
        if error.code != MESSAGE_GONE:
            raise
    finally:
        replays.pop(job, None)


async def _draw_and_send_replay(interaction: Interaction, stored: StoredGame, record: Record, wish: ReplayWish) -> None:
    game, notation = stored.game, await notation_of(interaction)
    described = await _describe_if_wanted(interaction, game, record, wish, notation)
    parts = await _draw_replay(interaction, game.id, described, wish) if described else None
    if described is None or parts is None:
        await show_reply(interaction, say(record_texts.REPLAY_CANCELLED))
    else:
        await _send_replay(interaction, stored, described, parts, wish)


async def _describe_if_wanted(
    interaction: Interaction, game: Game, record: Record, wish: ReplayWish, notation: Notation
) -> Replay | None:
    """Describe a replay in a thread. Return None if it was cancelled while it waited."""
    replays, job = interaction.client.replays, interaction.id

    def describe() -> Replay | None:
        return describe_replay(game, record, wish, notation) if job in replays else None

    return await interaction.client.app.aside.run(interaction.user.id, describe)


async def _draw_replay(
    interaction: Interaction, game: int, described: Replay, wish: ReplayWish
) -> list[GifPart] | None:
    """Draw a replay and show the progress meanwhile. Return its parts, or None if it was cancelled."""
    bot, turns = interaction.client, len(described.turns)
    cancel = Button(say(record_texts.CANCEL_REPLAY_LABEL), f"cancel_replay:{interaction.id}")
    limit = min(LARGEST_REPLAY, interaction.filesize_limit)
    theme = board_style_of(await user_settings_of(interaction)).theme
    size, pace, words = REPLAY_WIDTHS[wish.size], REPLAY_PACES[wish.pace], spoken_words()
    coming = replay_parts(described, limit, size=size, theme=theme, pace=pace, words=words)
    await show_reply(interaction, record_texts.replay_progress_text(game, 0, turns), rows=((cancel,),))
    parts, shown_at = list[GifPart](), bot.app.now()
    while True:
        part = await bot.painter.next_part(coming, interaction.user.id)
        if interaction.id not in bot.replays:
            return None
        if part is None:
            return parts
        parts.append(part)
        if bot.app.now() - shown_at >= PROGRESS_SECONDS:
            await show_reply(interaction, record_texts.replay_progress_text(game, part.turn, turns), rows=((cancel,),))
            shown_at = bot.app.now()


async def _send_replay(
    interaction: Interaction, stored: StoredGame, described: Replay, parts: list[GifPart], wish: ReplayWish
) -> None:
    game = stored.game
    width = None if parts[-1].width == REPLAY_WIDTHS[wish.size] else parts[-1].width
    left_out = sum(part.turn > 0 and not part.data for part in parts)
    alt = record_texts.replay_alt_text(game.id, wish.first, wish.last, described.board(len(described.turns)))
    data = io.BytesIO(b"".join(part.data for part in parts))
    file = discord.File(data, record_texts.replay_file_name(game.id), description=alt)
    caption = record_texts.replay_caption(game, wish.first, wish.last, left_out, width)
    showing = show_here_buttons(interaction, f"replay:{game.id}:{wish.to_text()}")
    buttons = (study_button(game.id), *explore_game_buttons(game), *showing)
    if interaction.guild_id is None and stored.venue.server is not None:
        caption = join_lines(caption, say(record_texts.SHOWN_IN_CHANNEL))
    await show_reply(interaction, caption, rows=(buttons,), files=[file])


@handles("cancel_replay", "{job}")
async def press_cancel_replay(interaction: Interaction, job: int) -> None:
    """Cancel a replay that is being made for the user. If it is no longer being made, tell them.

    The code that draws the replay notices this after the next part, and then shows that the replay was cancelled.
    """
    replays = interaction.client.replays
    if replays.get(job) == interaction.user.id:
        del replays[job]
    else:
        await show_reply(interaction, say(record_texts.REPLAY_LOST))


def describe_replay(game: Game, record: Record, wish: ReplayWish, notation: Notation) -> Replay:
    """Return the description of a replay: the boards as they were posted, but in `notation`.

    `wish.last` must be a turn number, not 0.
    """
    shown = (turn_picture(game, step, notation) for step in record.turns[: wish.last])
    boards = [start_picture(game, record.rules), *shown]
    if wish.last == len(record.turns):
        boards[-1] = game_picture(game, notation)  # the last board also shows an end without a turn
    steps = record.turns[wish.first - 1 : wish.last]
    turns = (ReplayTurn(step.actions, after) for step, after in zip(steps, boards[wish.first :], strict=True))
    return Replay(boards[wish.first - 1], tuple(turns))
