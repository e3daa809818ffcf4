"""What is said about answers left in advance."""

import re
from collections.abc import Sequence

from gipfbot.match import Game, Turn, advance
from gipfbot.match.conditions import DEEPEST, ends_anyway
from gipfbot.match.study import Actions
from gipfbot.notation import BrokenRecord, Notation, NotationError, numbered, turn_text
from gipfbot.rules import Colour, Position
from gipfbot.service.boards import Board
from gipfbot.service.conditions import Lapsed, Left
from gipfbot.service.ids import game_name

from . import fault_texts, texts

IF, AGAIN, KEEP = "If…", "Try again", "Keep as answers"
FORM_TITLE, FIELD = "Answers left in advance", "Their turn, your answer, and so on"
HINT = f"e2 g3 d7 b3: if they play e2 you play g3, then if d7, b3; up to {DEEPEST} answers"
LONGEST = 2_000  # characters of a line; the longest legal turn has fewer than 200
QUOTED = 600
TOO_LONG = f"That is far too long: a line has at most {DEEPEST} turns of your opponent, each with your answer."
NONE_WAITS = (
    "None of your games waits for your opponent now. You can leave an answer when it is their turn: "
    "**/gipf games** lists your games."
)
WHICH = "In which game? You can leave answers where it is your opponent's turn."
WITHDRAWN, NOT_KEPT = "Withdrawn.", "Nothing was kept."
OWN_TURN = "It is your own turn: **/move** plays it. Answers are left while your opponent has to move."


def line(position: Position, turns: Sequence[Actions], notation: Notation, room: int) -> str:
    """Return a line that begins in this position: `if e2 then g3, if d7 then b3`; `e2 g3 d7 b3` if that is too long."""
    said = list[str]()
    for actions in turns:
        said.append(texts.code(turn_text(position, actions, notation)))
        position = advance(position, actions)
    pairs = ", ".join(f"if {turn} then {answer}" for turn, answer in zip(said[::2], said[1::2], strict=True))
    return pairs if len(pairs) <= room else texts.short(" ".join(said), room)


def left(shown: Left, user: int, notation: Notation) -> str:
    """Return what a player has left in a game."""
    game, opponent = shown.game, _opponent(shown.game, user)
    head = f"**{game_name(game.id)}** vs {opponent}"
    dropped = lapsed_here(shown.lapsed, game, user)
    if game.asked is not None and game.seats[game.asked].user == user:
        return texts.join(head, dropped, OWN_TURN)
    late = texts.NO_ANSWER_FOLLOWS if ends_anyway(game) else ""
    if not shown.lines:
        none = f"You have left no answer here. **{IF}** leaves one. {_played_if(opponent)}"
        return texts.join(head, dropped, late or none)
    room = texts.LIST_LENGTH // len(shown.lines)
    lines = (line(game.position, known.turns, notation, room) for known in shown.lines)
    listed = (f"{number}. {said}" for number, said in enumerate(lines, 1))
    return texts.join(head, dropped, f"{_left(shown)} {late or _played_if(opponent)}", *listed)


def _played_if(opponent: str) -> str:
    return f"It is played at once if {opponent} plays that turn, and nobody sees it before."


def _left(shown: Left) -> str:
    """Say that a line has been left just now, and what made way for it, or how many there are."""
    if shown.new is None:
        return f"You have left {_answers(len(shown.lines))} here."
    others = f" It replaces {_answers(shown.replaced)} that you had left for the same turns." if shown.replaced else ""
    return f"Your answer is kept.{others}"


def _answers(number: int) -> str:
    return f"{number} line{'' if number == 1 else 's'} of answers"


def lapsed_here(number: int, game: Game, user: int) -> str:
    """Say how many lines have lapsed in a game; empty without any."""
    if not number:
        return ""
    other = _opponent(game, user)
    return f"{_answers(number)} that you had left {'is' if number == 1 else 'are'} dropped: {other} played otherwise."


def _opponent(game: Game, user: int) -> str:
    colour = game.colour(user)
    assert colour is not None
    return texts.plain(game.seats[colour.other].name)


def withdraw(number: int) -> str:
    return f"{texts.WITHDRAW} {number}"


def wrote(text: str) -> str:
    """Return what somebody typed and nothing came of, ready to be copied."""
    return f"You wrote `{texts.short(' '.join(text.replace('`', ' ').split()), QUOTED)}`."


def written(message: str) -> str:
    """Return what somebody typed, from a message that ends with what `wrote` says; empty where it is not all there."""
    found = re.search(r"^You wrote `([^`]*[^`…])`\.$", message, re.MULTILINE)
    return found[1] if found else ""


def broken(fault: BrokenRecord, game: Game, user: int) -> str:
    """Return which turn of a line cannot be played, and why."""
    own = (Colour.WHITE if fault.number % 2 else Colour.BLACK) is game.colour(user)
    whose = "your answer" if own else f"{_opponent(game, user)}'s turn"
    assert isinstance(fault.fault, NotationError)
    return f"**{numbered(fault.number)}** {whose}: {fault_texts.unreadable(fault.fault, 'kept')}"


# ── As they are played ──


def follows(shown: Board) -> str:
    """Return the first line of the board of a turn that was answered at once."""
    mover, owner = texts.plain(shown.names[shown.mover]), texts.plain(shown.names[shown.position.mover])
    return f"{game_name(shown.game)} · {mover} played {texts.code(shown.text)} · {owner} had left an answer to it"


def had_left(name: str, text: str) -> str:
    return f"{name} had left this answer: {texts.code(text)}"


def answered(game: Game, then: Sequence[Turn], notation: Notation) -> str:
    """Tell whoever has played which answers followed at once; empty without any."""
    return texts.join(*(_answered(game, turn, notation) for turn in then))


def _answered(game: Game, turn: Turn, notation: Notation) -> str:
    name, text = game.seats[turn.colour].name, turn_text(turn.before, turn.actions, notation)
    return f"{had_left(texts.plain(name), text)}."


def forgotten(game: Game, user: int) -> str:
    """Return the direct message to a player whose answers went with turns that were taken back."""
    first = f"{game_name(game.id)} vs {_opponent(game, user)}: turns were taken back by consent"
    return texts.join(first, "Answers that you had left there are dropped with them: **/gipf if** leaves new ones.")


def lapsed(found: Lapsed, notation: Notation) -> str:
    """Return the direct message to a player of whose answers some have lapsed; its first line stands alone."""
    game, opponent = found.game, _opponent(found.game, found.user)
    turn = texts.code(turn_text(found.turn.before, found.turn.actions, notation))
    first = f"{game_name(game.id)} vs {opponent}: {opponent} played {turn}"
    if found.answer:
        answer = texts.code(turn_text(found.answer.before, found.answer.actions, notation))
        first += f", and your answer {answer} was played at once"
    room = texts.LIST_LENGTH // len(found.lines)
    lines = (line(found.turn.before, known.turns, notation, room) for known in found.lines)
    mine = game.asked is not None and game.seats[game.asked].user == found.user
    dropped = f"Dropped, since it was not for that turn: {'; '.join(lines)}."
    return texts.join(first, dropped, "It is your turn." if mine else "")
