"""The headers and the file name of a game's record, and the message that shows its turns."""

from datetime import UTC, datetime

from gipfbot.match import Game, Status
from gipfbot.match.game import clean_name
from gipfbot.notation import Notation, Record, turn_text
from gipfbot.rules import Colour, Reason, ruleset_words
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board import board_texts
from gipfbot.ui.kit.texts import WHOLE_LENGTH, escape_text, escape_turn, join_lines, pair_number, turn_place
from gipfbot.values import StoredGame

NO_GAMES_PLAYED = "You have played no games yet. Start one with **/gipf challenge**."
WHICH_RECORD = "Which game's record?"


def record_headers(stored: StoredGame, server: str | None) -> tuple[tuple[str, str], ...]:
    """Return the headers of a game's record, except rules and result. `server` is the name of its server, or None."""
    game = stored.game
    return (
        ("Event", "GIPF by correspondence"),
        ("Site", clean_name(server or "", "Discord")),
        ("Date", datetime.fromtimestamp(stored.created_at, UTC).strftime("%Y.%m.%d")),
        ("White", game.seats[0].name),
        ("Black", game.seats[1].name),
        ("Termination", _termination_header(game)),
    )


def _termination_header(game: Game) -> str:
    if game.status is Status.CANCELLED:
        return "cancelled"
    result = game.position.result
    if result is None:
        return "unfinished"
    return {
        Reason.GIPF: "no GIPF-piece left on the board",
        Reason.RESERVE: "no piece left in reserve",
        Reason.RESIGN: "resigned",
        Reason.TIME: "time",
        Reason.REPETITION: "the same position for the third time",
        Reason.AGREEMENT: "agreed draw",
    }.get(result.by, str(result.by))


def record_file_name(game: int) -> str:
    """Return the file name of a game's record, such as `a7.gipf`."""
    return f"{game_name(game).removeprefix('#')}.gipf"


def record_sheet(stored: StoredGame, record: Record, notation: Notation) -> str:
    """Return the message that comes with the file of a record. It shows as many turns as fit."""
    game, turns = stored.game, len(record.turns)
    ended = record.result or ("cancelled" if game.status is Status.CANCELLED else "not finished")
    rules = ruleset_words(game.ruleset.name)
    last = f", last turn {turn_place(turns)}" if turns else ""
    head = f"**{game_name(game.id)}** · {players_text(game)} · {rules} · {ended}{last}"
    if not turns:
        return f"{head}\nNo turn has been played yet, so the file has only headers, such as the players' names."
    written = [turn_text(step.before, step.actions, notation) for step in record.turns]
    lines = [f"{at // 2 + 1}. {' '.join(written[at : at + 2])}" for at in range(0, turns, 2)]
    return f"{head}\n{_turns_block(lines, WHOLE_LENGTH - len(head))}"


def _turns_block(lines: list[str], most: int) -> str:
    shown = len(lines)
    while True:
        left = len(lines) - shown
        more = f"\n… and {left:,} more: the file has all turns." if left > 0 else ""
        block = "\n".join(["```", *lines[:shown], f"```{more}"])
        if len(block) <= most or not shown:
            return block
        shown -= 1


def players_text(game: Game) -> str:
    """Return the names of a game's players with their colours: `Ann (White) vs Bob (Black)`."""
    return " vs ".join(f"{escape_text(seat.name)} ({colour})" for seat, colour in zip(game.seats, Colour, strict=True))


def past_board_text(game: Game, record: Record, place: int, notation: Notation) -> str:
    """Return the text beside the board of a game after the first `place` turns of its record."""
    turns = len(record.turns)
    where, removed = "the start", ""
    if place:
        step = record.turns[place - 1]
        removed = board_texts.row_removed_text(step.before, step.actions)
        where = f"**{turn_place(place)}** {escape_turn(turn_text(step.before, step.actions, notation))}"
    last = f"of {turn_count_text(turns)} so far" if turns else "no turn has been played yet"
    return join_lines(f"**{game_name(game.id)}** · {players_text(game)}", f"{where} · {last}", removed)


def turn_count_text(turns: int) -> str:
    """Return a game's length as text, as records number turns: `1 turn`, `1,000 turns`.

    `turns` counts the turns of both players.
    """
    number = pair_number(turns)
    return f"{number:,} turn" + ("" if number == 1 else "s")
