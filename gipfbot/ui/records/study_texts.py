"""The texts of studies and practices."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle

from gipfbot.languages import mark, say, say_name
from gipfbot.match import Game
from gipfbot.match.study import UNNAMED, Study, practice_colour, study_game
from gipfbot.notation import Notation, turn_number_text, turn_text
from gipfbot.rules import Action, ByColour, Colour, Reason, Result
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.service.kit.loaded_games import game_name, study_name
from gipfbot.ui.board import public_board
from gipfbot.ui.kit import escape_text, escape_turn, join_lines
from gipfbot.ui.kit.notation_texts import ruleset_text
from gipfbot.ui.kit.texts import (
    BACK_TO_GAME_LABEL,
    LONGEST_QUOTE,
    game_length_text,
    player_name,
    quote_text,
    shorten_text,
    turn_in_words,
    turn_place,
)
from gipfbot.ui.kit.turn_words import placed_turn, pressed_turn, removed_spots
from gipfbot.values import StoredStudy, StudyBrief

from . import record_texts

FIRST_TURN_LABEL, PREVIOUS_TURN_LABEL, NEXT_TURN_LABEL, LAST_TURN_LABEL = "⏮", "◀", "▶", "⏭"
JUMP_LABEL, TRY_TURN_LABEL = mark("Jump…"), mark("Try a turn from here")
TYPE_TURN_LABEL, TYPE_AGAIN_LABEL = mark("Type a turn…"), mark("Type it again…")
BACK_TO_RECORD_LABEL = mark("Back to the record")
JUMP_TITLE, TYPE_TITLE = mark("Jump to a turn"), mark("Try a turn")
JUMP_FIELD, JUMP_HINT = mark("Turn number"), mark("2: White's turn 2 · 2b: Black's · 0: the start")
TYPE_FIELD = mark("The turn, in either notation")
TYPE_HINT = mark("e2 or g1-c3;xc2,d3,e4,f4")
STUDY_MOVED_ON = mark("The study has moved on. Here it is now.")
WHICH_STUDY = mark("You have no running games. Which study do you want to open?")
STUDY_PLACEHOLDER = mark("Open a study")
COMMENT_LENGTH, TRIED_LENGTH = 200, 300  # characters
BRIEF_LENGTH, MOST_STUDIES_NAMED = 60, 3  # characters of a study, and studies, in the list of games

START_OVER_LABEL, ASK_AGAIN_LABEL = mark("Start over"), mark("Ask again")
PRACTICE_BEGINS = mark("Play from here: the bot answers. Only you see this, and there is no clock and no rating.")
PRACTICE_MOVED_ON = mark("You have played on since then. Here is the current board.")
BY_RULES = mark("The bot's engine was busy or failed, so the bot played the first turn that the rules allow.")
BOT_THINKS = mark("The bot is thinking…")
NEXT_GAME_TEXT = mark("Next: **/gipf bot** begins a whole game against the bot.")
# Why a practice has ended, by the reason and by whether the person has won.
ENDED_BY = {
    (Reason.GIPF, True): mark("The bot has no GIPF-piece left."),
    (Reason.GIPF, False): mark("You have no GIPF-piece left."),
    (Reason.RESERVE, True): mark("The bot has no piece left to push."),
    (Reason.RESERVE, False): mark("You have no piece left to push."),
}

# ── The name of a study ──


def study_label(brief: StudyBrief) -> str:
    """Return the label of a study in a list.

    The label of an imported study also has its rule set and length, because many such studies have no names. A
    practice has no record, so its label has neither.
    """
    is_named = brief.game is not None or brief.level is not None
    length = [] if is_named else [f"{ruleset_text(brief.ruleset)}, {game_length_text(brief.turns)}"]
    title = brief.title if brief.level is None else say_name(brief.title)
    name = say_name("study {number}", number=str(brief.id))
    return " · ".join((name, *_study_subject(brief.game, brief.names, title), *length))


def study_heading(stored: StoredStudy) -> str:
    """Return the first line of a study: its number, game or title, players and rule set."""
    study = stored.study
    what = _study_subject(stored.game, study.names, escape_text(stored.title), escape_text)
    return " · ".join((f"**{_study_title(study.id)}**", *what, ruleset_text(study.ruleset.name)))


def _study_title(study: int) -> str:
    return say("Study {number}", number=str(study))


def _study_subject(
    game: int | None, names: ByColour[str], title: str, shown: Callable[[str], str] = player_name
) -> list[str]:
    """Return the parts that identify a study: its game or title, and its players if they have names.

    `shown` writes a name.
    """
    players = "" if names == UNNAMED else say_name("{white} vs {black}", white=shown(names[0]), black=shown(names[1]))
    return [part for part in (game_name(game) if game else title, players) if part]


def studies_line(briefs: Sequence[StudyBrief]) -> str:
    """Return the line about a person's studies below the list of their games. Empty if they have none."""
    if not briefs:
        return ""
    named = [escape_text(shorten_text(study_label(brief), BRIEF_LENGTH)) for brief in briefs[:MOST_STUDIES_NAMED]]
    more = len(briefs) - MOST_STUDIES_NAMED
    if more > 0:
        said = say("**Studies**: {studies} and {count} more.", studies="; ".join(named), count=more)
    else:
        said = say("**Studies**: {studies}.", studies="; ".join(named))
    opens = mark("**/gipf board game:{study}** opens it.")
    if len(briefs) > 1:
        opens = mark("**/gipf board game:{study}** opens the newest.")
    return f"{said} {say(opens, study=study_name(briefs[0].id))}"


def dropped_study_text(gone: StudyBrief | None, most: int) -> str:
    """Return the note that the study `gone` was deleted to make room for a new one. Empty if `gone` is None.

    `most` is the number of studies that a person can have.
    """
    if gone is None:
        return ""
    sentence = mark("You can have {most} studies, so the least recently used was deleted: {study}.")
    return say(sentence, most=most, study=escape_text(study_label(gone)))


# ── In the record ──


def last_turn_text(game: Game, notation: Notation) -> str:
    """Return the last turn of a game with its number: `7. White e2`. Empty if no turn has been played."""
    last = game.last
    return f"{turn_place(last.turn_number)} {turn_text(last.before, last.actions, notation)}" if last else ""


def study_caption(stored: StoredStudy, game: Game) -> str:
    """Return the caption in the picture of a study: its name, and the last turn as it is pressed."""
    last = game.last
    where = caption_turn(last.turn_number, last.actions) if last else say("the start")
    return f"{_study_title(stored.study.id)} · {where}"


def caption_turn(turn_number: int, actions: Sequence[Action]) -> str:
    """Return a turn as it is pressed, with its place, without marks: `7. White e1 → e2`."""
    return f"{turn_place(turn_number)} {pressed_turn(actions)}"


def study_place_text(stored: StoredStudy, game: Game, notation: Notation) -> str:
    """Return the place of a study in its record, and the record's comment there. At the end, add the result."""
    study, note = stored.study, stored.note(stored.study.place)
    comment = shorten_text(escape_text(" ".join(note.comments)), COMMENT_LENGTH)
    newest = say("the newest turn is {turn}", turn=turn_in_words(study.last_number))
    where = f"{say('The start')} · {newest}" if study.turns else say("No turn has been played yet.")
    if game.last:
        end = say("this is the newest turn") if study.place == len(study.turns) else newest
        text = turn_text(game.last.before, game.last.actions, notation) + note.mark
        where = f"{placed_turn(game.last.turn_number, game.last.actions, text)} · {end}"
    said = f"> “{comment}”" if comment else ""
    removed = public_board.row_removed_text(game.last.before, game.last.actions) if game.last else ""
    return join_lines(where, removed, said, _record_end_text(stored, game))


def _record_end_text(stored: StoredStudy, game: Game) -> str:
    """Return the text on the end of a study's record, such as the game's result.

    Empty if the study is at an earlier place in the record, if the record breaks there, or if nothing is known.
    """
    if not _is_at_end(stored, game):
        return ""
    if result := game.position.result or _stated_result(stored):
        ended = replace(game, position=game.position._replace(result=result))
        return public_board.outcome_text(new_board_message(ended))
    if stored.broken or stored.fault:
        return ""
    if stored.result:
        return say("The record ends here: **{result}**.", result=stored.result)
    return ""


def record_fault_text(stored: StoredStudy, game: Game) -> str:
    """Return why a study's record stops here. Empty if the study is at another place, or if its record is whole."""
    if not _is_at_end(stored, game):
        return ""
    return record_texts.broken_record_text(stored.broken) if stored.broken else stored.fault


def _is_at_end(stored: StoredStudy, game: Game) -> bool:
    return game.turn_number >= stored.study.last_number


def _stated_result(stored: StoredStudy) -> Result | None:
    """Return the result of a game that ended without a turn, such as by resignation; None for any other game."""
    winner = {"1-0": Colour.WHITE, "0-1": Colour.BLACK}.get(stored.result or "")
    return Result(winner, stored.reason) if stored.reason else None


def bad_move_number_text(text: str, study: Study) -> str:
    """Return the reply to a typed `text` that names no turn of a study's record."""
    last = turn_number_text(study.last_number).replace("…", "b").rstrip(".") if study.turns else "0"
    return say(
        "{text} isn't a turn of this record, which goes from `0` (the start) to `{last}`. "
        "`2` is White's second turn, `2b` Black's.",
        text=quote_text(text, 20),
        last=last,
    )


def stale_study_text(typed: str) -> str:
    """Return the notice that a study has changed since its message was shown.

    `typed` is reported as not tried. It is empty if nothing was typed.
    """
    dropped = say("{text} was not tried.", text=quote_text(typed, LONGEST_QUOTE)) if typed else ""
    return join_lines(say(STUDY_MOVED_ON), dropped)


# ── Trying turns ──


def leave_trying_label(stored: StoredStudy) -> str:
    """Return the label of the button that drops the turns tried in a study."""
    return say(BACK_TO_GAME_LABEL if stored.game else BACK_TO_RECORD_LABEL)


def tried_turns_text(stored: StoredStudy, game: Game, written: Sequence[str]) -> str:
    """Return the line on the turns tried in a study, and on whose turn it is. `written` holds these turns as texts."""
    study = stored.study
    since = turn_in_words(study.turn_number) if study.place else ""
    if not written:
        next_one = say("{colour} is to move.", colour=say_name(str(game.position.mover)))
        return f"{_try_text(since)} {next_one}"
    line = _numbered_turns(written, study.turn_number + 1)
    line = escape_turn(line if len(line) <= TRIED_LENGTH else f"…{line[1 - TRIED_LENGTH :]}")
    if since:
        tried = say("Line after {turn}: **{turns}**", turn=since, turns=line)
    else:
        tried = say("Line from the start: **{turns}**", turns=line)
    if game.position.result:
        return join_lines(tried, public_board.outcome_text(new_board_message(game)))
    return f"{tried} · {say('{colour} is next', colour=say_name(str(game.decider)))}"


def _try_text(since: str) -> str:
    """Return the task to try a turn. `since` is the turn before it; empty at the start."""
    if since:
        return say("Try a turn after {turn}: the record stays as it is.", turn=since)
    return say("Try a turn from the start: the record stays as it is.")


def _numbered_turns(written: Sequence[str], first: int) -> str:
    """Return turns as one text. The first turn and each turn of White have their numbers.

    `first` is the turn number of the first turn, counted from 1 for both players together.
    """
    turns = enumerate(written, first)
    return " ".join(f"{turn_number_text(at)} {text}" if at % 2 or at == first else text for at, text in turns)


def practice_heading(stored: StoredStudy) -> str:
    """Return the first line of a practice: its title, the person's colour and the level of the bot."""
    colour, title = practice_colour(stored.study), escape_text(say_name(stored.title))
    plays = say(
        "you are {colour}, the bot plays at level {level}", colour=say_name(str(colour)), level=str(stored.level)
    )
    return f"**{say('Practice')} · {title}** · {plays}"


def last_turns_text(stored: StoredStudy) -> str:
    """Return the line on the last turn of each player: the person's turn, and the bot's answer.

    A turn is told as it is pressed, with the spots that it clears: learners know no notation.
    """
    study = stored.study
    assert study.start_position, "a practice begins at a position"
    first, own = study.start_position.mover, practice_colour(study)
    turns = [*zip(cycle((first, first.other)), study.tried, strict=False)]
    played = mark("You: {turn}"), mark("Bot: {turn}")
    return " · ".join(say(played[by is not own], turn=_cleared_turn(actions)) for by, actions in turns[-2:])


def _cleared_turn(actions: Sequence[Action]) -> str:
    turn, removed = pressed_turn(actions), removed_spots(actions)
    return say_name("**{turn}** ({spots} off)", turn=turn, spots=removed) if removed else f"**{turn}**"


def practice_end_text(stored: StoredStudy) -> str:
    """Return how a practice has ended, and what the person can do next. Empty as long as it goes on."""
    result = study_game(stored.study).position.result
    if result is None:
        return ""
    if result.winner is None:
        return join_lines(say("This position stands for the third time, so nobody wins."), say(NEXT_GAME_TEXT))
    won = result.winner is practice_colour(stored.study)
    said, why = say("**You win!**") if won else say("**The bot wins.**"), ENDED_BY.get((result.by, won))
    return join_lines(f"{said} {say(why)}" if why else said, say(NEXT_GAME_TEXT))
