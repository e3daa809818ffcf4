"""What people can show of games: boards, replays, records, studies and analyses.

A function `allow_…` raises Refused, or returns what the row of the message keeps. A function `post_…` builds the
message from that row. A function `look_…` opens the same for one person; THINGS names those of other files, too.
"""

from dataclasses import replace
from typing import Any

from gipfbot.languages import mark, say
from gipfbot.match import Refused, Why
from gipfbot.match.study import study_game
from gipfbot.notation import NOTATIONS, OFFICIAL, Notation, turn_text
from gipfbot.service.app import App
from gipfbot.service.delivery.board_message import new_board_message, pack_board, unpack_board
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board.public_board import seat_names
from gipfbot.ui.desk.screens import replay_study_aside
from gipfbot.ui.kit import (
    AppClient,
    Interaction,
    OutboxMessage,
    escape_text,
    join_lines,
    notation_of,
    show_reply,
    visibility,
)
from gipfbot.ui.kit.components import split_mark
from gipfbot.ui.kit.outbox_messages import Attachment
from gipfbot.ui.kit.permissions import server_name
from gipfbot.ui.kit.picture_words import spoken_words
from gipfbot.ui.kit.pictures import board_picture
from gipfbot.ui.kit.turn_words import placed_turn
from gipfbot.ui.records import analysis_texts, record_texts, study_texts
from gipfbot.ui.records.records import sheet_and_record, study_button
from gipfbot.ui.records.replay import (
    REPLAY_WIDTHS,
    ReplayWish,
    describe_replay,
    place_picture,
    send_replay,
)
from gipfbot.values import OutboxRow
from render import Theme
from render.replay import REPLAY_PACES, replay_parts

from .rights import check_for_all_here

LARGEST_SHOWN = 1_000_000  # bytes of a replay
TOO_OLD = mark("This was shown too long ago to be opened here. The message itself stays.")


def row_notation(row: OutboxRow) -> Notation:
    """Return the notation of the person who shows something."""
    return NOTATIONS.get(row.payload["notation"], OFFICIAL)


async def _allow_game(interaction: Interaction, game: int, what: str) -> dict[str, Any]:
    await check_for_all_here(interaction, await interaction.client.app.games.game(game), what)
    return {"games": [game]}


# ── A board ──


async def allow_board(interaction: Interaction, game: int, place: int) -> dict[str, Any]:
    """Allow a board of a game after any turn."""
    return await _allow_game(interaction, game, "board")


async def post_board(app: App, row: OutboxRow, game: int, place: int) -> OutboxMessage | None:
    """Build the message with the board of a game after `place` turns. None if it has fewer, after a takeback."""
    stored, record = await app.studies.record(game, row.payload["by"])
    if place > len(record.turns):
        return None
    notation = row_notation(row)
    text = record_texts.past_board_text(stored.game, record, place, notation, newest=False)
    return OutboxMessage(text, picture=place_picture(stored.game, record, place, notation))


# ── A replay ──


async def allow_replay(interaction: Interaction, game: int, wish: str) -> dict[str, Any]:
    """Allow a replay of some turns of a game."""
    ReplayWish.parse(wish)
    return await _allow_game(interaction, game, "replay")


async def post_replay(app: App, row: OutboxRow, game: int, wish: str) -> OutboxMessage:
    """Build the message beside a replay."""
    wanted = ReplayWish.parse(wish)
    stored = await app.games.game(game)
    return OutboxMessage(record_texts.replay_heading(stored.game, wanted.first, wanted.last))


async def draw_replay(client: AppClient, row: OutboxRow, theme: Theme, game: int, wish: str) -> Attachment:
    """Draw a replay of at most LARGEST_SHOWN bytes. If turns were taken back meanwhile, it shows what is left."""
    by, wanted, notation = row.payload["by"], ReplayWish.parse(wish), row_notation(row)
    stored, record = await client.app.studies.record(game, by)
    last = min(wanted.last, len(record.turns))
    wanted = wanted._replace(first=max(1, min(wanted.first, last)), last=last)
    described = await client.app.aside.run(by, describe_replay, stored.game, record, wanted, notation)
    size, pace = REPLAY_WIDTHS[wanted.size], REPLAY_PACES[wanted.pace]
    words, data = spoken_words(), list[bytes]()
    coming = replay_parts(described, LARGEST_SHOWN, size=size, theme=theme, pace=pace, words=words)
    while part := await client.painter.next_part(coming, by):
        data.append(part.data)
    board = described.board(len(described.turns))
    alt = record_texts.replay_alt_text(game, wanted.first, wanted.last, board)
    return Attachment(record_texts.replay_file_name(game), b"".join(data), alt)


async def look_at_replay(interaction: Interaction, game: int, wish: str) -> None:
    """Send the same replay."""
    await send_replay(interaction, game, ReplayWish.parse(wish))


# ── A record ──


async def allow_record(interaction: Interaction, game: int, notation: str) -> dict[str, Any]:
    """Allow the record of a game. The row keeps the name of the game's server, which its headers need."""
    stored = await interaction.client.app.games.game(game)
    await check_for_all_here(interaction, stored, "record")
    return {"games": [game], "site": await server_name(interaction.client, stored.venue.server)}


async def post_record(app: App, row: OutboxRow, game: int, notation: str) -> OutboxMessage:
    """Build the message with the record of a game, as a file and as text."""
    by = row.payload["by"]
    stored, record = await app.studies.record(game, by)
    tournament = await app.tournaments.part_of(stored.game)
    record = record._replace(headers=record_texts.record_headers(stored, row.payload["site"], tournament))
    sheet, text = await app.aside.run(by, sheet_and_record, stored, record, NOTATIONS[notation])
    return OutboxMessage(sheet, attached=Attachment(record_texts.record_file_name(game), text.encode()))


# ── A study ──


async def allow_study(interaction: Interaction, study: int, version: int) -> dict[str, Any]:
    """Allow the position that a person's study shows. The row keeps it, because only they can open their study."""
    app = interaction.client.app
    stored = await app.studies.study(study, interaction.user.id)
    if stored.study.version != version or stored.level is not None:
        raise Refused(Why.STUDY_CHANGED)
    await replay_study_aside(interaction, stored.study)
    game = study_game(stored.study)
    board = new_board_message(game)
    if stored.game is not None:
        of = await app.games.game(stored.game)
        await check_for_all_here(interaction, of, "study")
        white, black = of.game.seats
        board = replace(board, seats=(white.user, black.user), names=seat_names(of.game))
    last, notation = game.last, await notation_of(interaction)
    turn = turn_text(last.before, last.actions, notation) if last else ""
    games = [] if stored.game is None else [stored.game]
    return {**pack_board(board), "games": games, "title": stored.title, "turn": turn, "tried": bool(stored.study.tried)}


def _shown_turn(payload: dict[str, Any]) -> str:
    """Return the last turn in the notation of the person who shows it. Empty at the start of the game."""
    if "turn" in payload:
        return str(payload["turn"])
    return "".join(payload["said"].split(maxsplit=2)[2:])  # older rows keep its place before it: 7. White e2


def _study_message(payload: dict[str, Any]) -> OutboxMessage:
    board = unpack_board(next(iter(payload["games"]), 0), payload)
    white, black = map(escape_text, board.names)
    name, title = next(map(game_name, payload["games"]), ""), payload["title"]
    players = say("{white} vs {black}", white=white, black=black)
    subject = f"**{name or escape_text(title) or say('A study')}** · {players}"
    tried = f" · {say('a line that was tried, not what was played')}" if payload["tried"] else ""
    if turn := _shown_turn(payload):
        place = placed_turn(board.turn_number, board.actions, turn)
        where = study_texts.caption_turn(board.turn_number, board.actions)
    else:
        where = say("the start")
        place = f"**{where}**"
    text = join_lines(subject, f"{place}{tried}")
    return OutboxMessage(text, picture=board_picture(board, f"{name or title or say('Study')} · {where}"))


async def post_study(app: App, row: OutboxRow, study: int, version: int) -> OutboxMessage:
    """Build the message with the position of a study."""
    return _study_message(row.payload)


async def look_at_study(interaction: Interaction, study: int, version: int) -> None:
    """Show the same position, as the row of the message keeps it, to a person who may see its game."""
    data: Any = interaction.data
    app = interaction.client.app
    payload = await app.showing.shown_with(split_mark(data["custom_id"])[1])
    if payload is None:
        await show_reply(interaction, say(TOO_OLD))
        return
    for game in payload["games"]:
        if reason := await visibility.why_game_hidden(interaction, await app.games.game(game)):
            await show_reply(interaction, reason)
            return
    shown = _study_message(dict(payload))
    rows = tuple((study_button(game),) for game in payload["games"])
    await show_reply(interaction, shown.text, shown.picture, rows)


# ── An analysis ──


async def allow_analysis(interaction: Interaction, game: int) -> dict[str, Any]:
    """Allow the balance and the marks of an analysis that is done."""
    allowed = await _allow_game(interaction, game, "analysis")
    if await interaction.client.app.analyses.view(game, interaction.user.id) is None:
        raise Refused(Why.NOTHING_TO_ANALYSE, game=game)
    return allowed


async def post_analysis(app: App, row: OutboxRow, game: int) -> OutboxMessage | None:
    """Build the message with an analysis's balance and marks: no turns, and no lines. None if it is gone."""
    view = await app.analyses.view(game, row.payload["by"])
    if view is None or view.judged is None:
        return None
    of = view.stored.game
    text = analysis_texts.marks_text(of, view.judged)
    return OutboxMessage(text, picture=analysis_texts.balance_plot(of, view.judged))
