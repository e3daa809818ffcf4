"""Why something was refused, and what to do instead."""

from collections.abc import Sequence

from gipfbot.match import Refused, State, Why
from gipfbot.match.conditions import DEEPEST, MOST
from gipfbot.service.ids import game_name

from . import texts, time_texts


def refused(error: Refused) -> str:
    """Return why something was refused, and what to do."""
    facts, name = error.facts, texts.plain(str(error.facts.get("name")))
    return {
        Why.NOT_A_PLAYER: texts.NOT_YOURS,
        Why.NOT_YOUR_TURN: f"It is not your turn: the game waits for {texts.plain(str(facts.get('waiting_for')))}.",
        Why.STALE: "The game has moved on since that was drawn. **/gipf board** shows how it stands.",
        Why.OVER: "This game is over. **/gipf rematch** or **/gipf challenge** starts another.",
        Why.ILLEGAL: "That is not possible in this position; nothing was played. Open the desk with **/move**.",
        Why.TOO_LATE_TO_ABORT: "Both of you have moved, so the game can no longer be called off. You can resign.",
        Why.CHALLENGE_CLOSED: _closed(facts.get("state")),
        Why.OWN_CHALLENGE: "This is your own challenge: somebody else has to accept it. You can withdraw it.",
        Why.STILL_RUNNING: "This game is not over yet: a rematch can follow it. **/gipf board** shows it.",
        Why.REMATCH_ASKED: f"You have already asked {name}: now it is for them to accept.",
        Why.REMATCH_BEGUN: f"The next game has begun: it is {_game(facts.get('game'))}. **/gipf games** lists it.",
        Why.NOT_FOR_YOU: _not_for_you(facts.get("name")),
        Why.NOT_YOUR_CHALLENGE: (
            f"Only {name} can withdraw this challenge. **/gipf challenge** starts one of your own."
        ),
        Why.ON_VACATION: time_texts.on_vacation(facts.get("until", 0)),
        Why.NO_VACATION: "You are not on vacation. **/gipf-me vacation start** begins one.",
        Why.VACATION_TOO_LONG: time_texts.vacation_too_long(facts.get("left", 0)),
        Why.OWN_TURN: "It is your own turn: **/move** plays it.",
        Why.GIVES_UP: "Your time is over, and this turn does not win: it would lose the game. Nothing was changed.",
        Why.NOT_REMINDED: f"This reminder is for {name}. **/gipf-me reminders** shows and changes when you get yours.",
        Why.NUDGED: "You have nudged your opponent in this turn already; once is enough.",
        Why.NUDGE_TOO_EARLY: time_texts.too_early(facts.get("at", 0)),
        Why.OPPONENT_AWAY: time_texts.opponent_away(facts.get("until", 0)),
        Why.NOTHING_TO_UNDO: "You have not played a turn in this game yet, so there is none to take back.",
        Why.UNDO_ASKED: "You have asked already; **/gipf undo** shows how it stands.",
        Why.UNDO_TO_ANSWER: "Your opponent has asked you first: **/gipf undo** shows what for.",
        Why.UNDO_AGAIN: f"Your request to take this turn back was {facts.get('state')}; you can ask once a turn.",
        Why.UNDO_TOO_LATE: "The time for this turn is over, so it decides the game (R6.4): no turn can be taken back.",
        Why.UNDO_OWN: f"This is your own request: {name} has to answer it.",
        Why.UNDO_NOT_YOURS: f"Only {name} can withdraw this request; you can decline it.",
        Why.UNDO_CLOSED: f"This request is no longer open: it {_settled(facts.get('state'))}. Nothing was changed.",
        Why.NO_UNDO: "This request is gone. **/gipf undo** makes a new one.",
        Why.CLAIM_HAS_PACE: (
            "This game has a time limit: once your opponent's time and grace are over, you win without a claim."
        ),
        Why.CLAIM_TOO_EARLY: f"It is too early: you can claim this game from {_time(facts.get('at', 0))} on.",
        Why.CLAIMED: _claimed(facts.get("at")),
        Why.LINE_TOO_DEEP: f"That goes too deep: a line holds {DEEPEST} turns of your opponent, each with your answer.",
        Why.LINE_UNANSWERED: (
            "A line is your opponent's turn and your answer, such as `e2 g3`: here the last turn has no answer."
            + _read(facts.get("said", ()))
        ),
        Why.LINE_GOES_ON: "One of those turns ends the game, so none can follow it.",
        Why.LINE_TOO_LATE: texts.NO_ANSWER_FOLLOWS,
        Why.TOO_MANY_LINES: f"You can leave {MOST} lines in a game: **/gipf if** lists and withdraws them.",
        Why.NO_LINE: "That answer is not there any more. **/gipf if** lists yours.",
        Why.NOT_OFFERED: _not_offered(facts.get("option"), facts.get("value", "")),
        Why.TAKEN_ALREADY: f"You have taken this seek already: it is {_game(facts.get('game'))}.",
        Why.CHALLENGES_CROSS: f"{name} has challenged you already, and waits for your answer. Nothing was posted.",
        Why.TAKERS_OF_CHALLENGE: "A challenge is for one person: leave out **takers**, or **opponent** for a seek.",
        Why.TOO_MANY_GAMES: _too_many(facts.get("name"), facts.get("cap", 0), facts.get("plays", 0)),
        Why.NOTE_TOO_LONG: f"A note has at most {facts.get('most', 0)} characters; nothing was changed. Shorten it.",
        Why.NO_ZONE: _no_zone(facts.get("zone", ""), facts.get("near", ())),
        Why.NO_GAME: "There is no such game. **/gipf games** lists yours.",
        Why.NO_STUDY: "There is no such study, or no longer. **/gipf board** offers yours, **/gipf import** makes one.",
        Why.NO_CHALLENGE: "This challenge is gone. **/gipf challenge** starts a new one.",
    }[error.why]


def _read(turns: Sequence[str]) -> str:
    """Quote what a line was understood to be."""
    said = ", ".join(f"`{texts.short(turn.replace('`', ' '), 40)}`" for turn in turns)
    return f" I read {len(turns)} turn{'' if len(turns) == 1 else 's'}: {said}." if turns else ""


def _game(id: int | None) -> str:
    return game_name(id) if id else "another game"


def _claimed(until: int | None) -> str:
    said = "This game is claimed already"
    if until is None:
        return f"{said}, but your opponent could not be warned yet: the 7 days begin when the warning is posted."
    return f"{said}: your opponent may play until {_time(until)}."


def _not_offered(option: str | None, value: object) -> str:
    said = texts.short(str(value).replace("`", " "), 40)
    where = f"for **{option}**" if option else "here"
    return f"`{said}` cannot be chosen {where}; nothing was changed. Choose what Discord offers."


def _no_zone(said: str, near: Sequence[str]) -> str:
    """Return that there is no such time zone, and which ones may be meant."""
    meant = f" Did you mean {', '.join(near)}?" if near else " Type a big city near you and choose what is offered."
    return f"`{texts.short(said.replace('`', ' '), 40)}` is no time zone; nothing was changed.{meant}"


def _too_many(name: str | None, cap: int, plays: int) -> str:
    over = plays - cap + 1
    most = f"This server allows {cap} {'game' if cap == 1 else 'games'} at a time, and"
    if name is None:
        return f"{most} you play {plays}. **/gipf games** lists yours: finish {_one_or(over)} first."
    left = f"{_one_or(over)} of those games {'is' if over == 1 else 'are'} over"
    return f"{most} {texts.plain(name)} plays {plays}. Try again when {left}."


def _one_or(number: int) -> str:
    return "one" if number == 1 else str(number)


def _closed(state: State | None) -> str:
    became = "it has expired" if state is State.EXPIRED else f"it was {state}"
    return f"This challenge is no longer open: {became}. **/gipf challenge** starts a new one."


def _settled(state: State | None) -> str:
    return "has lapsed, as the game went on or nobody answered in time" if state is State.EXPIRED else f"was {state}"


def _time(at: int) -> str:
    return f"<t:{at}:f>"


def _not_for_you(name: str | None) -> str:
    if name is None:
        return f"This is an open seek: press {texts.TAKE_SEEK} to take it, or leave it to others."
    return f"This challenge is for {texts.plain(name)}. **/gipf challenge** starts one of your own."
