"""Texts for refused actions and for turns that cannot be played, and the button to the rule behind them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gipfbot.languages import mark, say, say_list
from gipfbot.match import Game, Refused, RequestKind, RequestState, Turn, Why
from gipfbot.match.conditionals import DEEPEST_CONDITIONAL, MOST_CONDITIONALS
from gipfbot.notation import (
    JULIO974,
    OFFICIAL,
    BrokenRecord,
    IllegalTurn,
    NotationError,
    OpenTurn,
    RecordedTurn,
    typed_warnings,
)
from gipfbot.rules import Remove
from gipfbot.service.clock.zones import ABBREVIATIONS
from gipfbot.service.kit.loaded_games import game_name

from . import texts
from .components import Button
from .notation_texts import error_text, sentence_text, warning_lines
from .texts import texts_of_course

NO_DRAWS = """\
GIPF has no draws: you play until one of you cannot push or has no GIPF-piece left.
• If a position occurs three times, the game is void. A new game starts by itself, with colours swapped.
• **More…** below the board asks to take a turn back. **/gipf resign** gives up, or cancels the game before both have \
moved.
• No time limit, and your opponent hasn't played for 30 days? **Claim** in **More…** warns them. \
If they don't play within 7 days, the game ends."""

TURNS_OFFERED = 2  # in place of a turn that cannot be played
_NOTHING = {
    "played": mark("Nothing was played."),
    "saved": mark("Nothing was saved."),
    "tried": mark("Nothing was tried."),
    "guessed": mark("Nothing was guessed."),
}
_READINGS = {
    "": "{turn}",
    OFFICIAL.title: mark("{turn} (official notation)"),
    JULIO974.title: mark("{turn} (Julio974 notation)"),
}

RULE_LABEL = mark("See the rule")
WHY_ROW_LABEL, WHY_CAPTURE_LABEL = "Why this row?", "Why this capture?"
# The rule behind each refusal that follows from a rule. Other refusals concern permissions or limits of the bot.
RULES_OF_REFUSALS = {
    Why.ILLEGAL: "R3",
    Why.LOSES_ON_TIME: "R6.4",
    Why.NO_DRAWS: "R6.3",
    Why.CONDITIONAL_GOES_ON: "R6",
    Why.CONDITIONAL_TOO_LATE: "R6.4",
    Why.CONDITIONAL_SAME_PLAYER: "R8.4",
}
DECISION_RULE = "R8.4"  # the rule behind each refusal that waits for a decision in the other player's turn
_NEW_CHALLENGE = "**/gipf challenge** starts a new one."
_OTHER_SEEKS = "**/gipf seeks** lists those that are still open."


def refusal_text(error: Refused) -> str:
    """Return the text for a refusal: the reason, and what to do instead.

    Raises TypeError unless the refusal has exactly the facts that its text needs. A test covers all refusals.
    """
    said = REFUSAL_TEXTS[error.why]
    return said if isinstance(said, str) else said(**error.facts)


def _understood_turns_text(turns: Sequence[str]) -> str:
    """Return the sentence that quotes the turns understood in a typed conditional line.

    Empty if `turns` is empty.
    """
    said = ", ".join(texts.quote_text(turn, 40) for turn in turns)
    return f" Understood as {len(turns)} turn{'' if len(turns) == 1 else 's'}: {said}." if turns else ""


class _RequestRefusals(NamedTuple):
    """The sentences for the refusals of one kind of request."""

    open: str
    to_answer: str
    again: str
    own: str
    not_yours: str
    closed: str


_REQUESTS = {
    RequestKind.TAKEBACK: _RequestRefusals(
        "You have already asked. **More…** shows your request.",
        "Your opponent has already asked to take a turn back. **More…** shows the request.",
        "Your request to take this turn back was {state}. You can ask only once for each turn.",
        "This is your own request: {name} has to answer it.",
        "Only {name} can withdraw this request; you can decline it.",
        "This request is no longer open: it {became}. Nothing was changed.",
    ),
    RequestKind.DRAW: _RequestRefusals(
        "You have already offered a draw. **More…** shows your offer.",
        "Your opponent has already offered a draw. **More…** shows the offer.",
        "You have already offered a draw in this turn. You can offer one again after the next turn.",
        "This is your own offer: {name} has to answer it.",
        "Only {name} can withdraw this offer; you can decline it.",
        "This draw offer is no longer open. Nothing was changed.",
    ),
}


def _already_claimed_text(at: int | None) -> str:
    said = "This game is already claimed"
    if at is None:
        return f"{said}, but the warning isn't posted yet. Once it is, your opponent has 7 days to play."
    return f"{said}: your opponent may play until {_short_timestamp(at)}."


def _not_offered_text(option: str | None, value: object) -> str:
    said = texts.quote_text(str(value), 40)
    where = f"for **{option}**" if option else "here"
    return f"{said} cannot be chosen {where}; nothing was changed. Choose a value that Discord offers."


def _may_not_post_text(channel: int, until: int | None) -> str:
    if until is not None:
        return f"You're timed out, so the bot posts nothing for you in <#{channel}>. Try again <t:{until}:R>."
    return (
        f"You can't send messages in <#{channel}>, so the bot posts nothing for you there. "
        "Ask somebody who manages the channel."
    )


_ENDS_WITHOUT_OPPONENT = {
    "cancel": "**/gipf resign** cancels the game with no result.",
    "time": "If they don't play, you win once their time and grace are over.",
    "claim": "If they don't play for 30 days, **Claim** in **More…** ends the game.",
}


def _left_server_text(name: str, server: str | None, end: str | None) -> str:
    """Return the text for something that would begin with a person who has left. `end` ends their running game."""
    left = texts.left_server_text(name, server)
    if end is None:
        others = "**/gipf seeks** lists who else looks for one, **/gipf challenge** asks somebody."
        return f"{left} No game begins. {others}"
    return (
        f"{left} Nothing was done. {_ENDS_WITHOUT_OPPONENT[end]} "
        "**/gipf board** in a channel of another server that both of you see moves the game there."
    )


def _unknown_zone_text(zone: str, near: Sequence[str]) -> str:
    """Return the text for an unknown time zone, or the abbreviation of several. `near` is those that may be meant."""
    said = "is short for several time zones" if zone.strip().lower() in ABBREVIATIONS else "isn't a time zone"
    meant = f" Did you mean {', '.join(near)}?" if near else " Type a big city near you, then pick from the list."
    return f"{texts.quote_text(zone, 40)} {said}; nothing was changed.{meant}"


def _too_many_games_text(name: str | None, cap: int, plays: int) -> str:
    over = plays - cap + 1
    count = f"{plays} game{'' if plays == 1 else 's'} here; this server allows {cap}."
    if name is None:
        return f"You play {count} Finish {_number_or_one(over)} first: **/gipf games** lists yours."
    end = f"when {_number_or_one(over)} {'is' if over == 1 else 'are'} over"
    return f"{texts.escape_text(name)} plays {count} Try again {end}."


def _too_many_open_text(what: str, most: int) -> str:
    if most == 1:
        what = what.replace("challenges", "challenge")
    return f"You have {most} {what}, which is the most. Withdraw one first: **/gipf games** lists them."


def _too_many_running_text(name: str | None, most: int) -> str:
    games = "1 game" if most == 1 else f"{most} games"
    if name is None:
        return f"You play {games}, which is the most. Finish one first: **/gipf games** lists yours."
    return f"{texts.escape_text(name)} plays {games}, which is the most. Try again when one is over."


def _too_many_pings_text(name: str, most: int, at: int) -> str:
    who, times = texts.escape_text(name), "once" if most == 1 else f"{most} times"
    return (
        f"You've challenged {who} {times} within 24 hours, so this challenge wasn't sent. "
        "Rematches count, and challenges that were accepted, declined or withdrawn. "
        f"You can challenge them again <t:{at}:R>. Until then, they can challenge you."
    )


def _number_or_one(number: int) -> str:
    return "one" if number == 1 else str(number)


def _settled_phrase(state: RequestState | None) -> str:
    return "has expired" if state is RequestState.EXPIRED else f"was {state}"


def _challenge_not_open_text(state: RequestState | None, is_seek: bool) -> str:
    became = "was taken" if is_seek and state is RequestState.ACCEPTED else _settled_phrase(state)
    said = f"This {_challenge_noun(is_seek)} is closed: it {became}."
    return f"{said} {_OTHER_SEEKS if is_seek else _NEW_CHALLENGE}"


def _own_challenge_text(is_seek: bool) -> str:
    said = f"This is your own {_challenge_noun(is_seek)}: somebody else has to"
    return f"{said} {'take' if is_seek else 'accept'} it. You can withdraw it."


def _not_your_challenge_text(name: str, is_seek: bool) -> str:
    said = f"Only {texts.escape_text(name)} can withdraw this {_challenge_noun(is_seek)}."
    return f"{said} **/gipf challenge** starts one of your own."


def _challenge_noun(is_seek: bool) -> str:
    return "open challenge" if is_seek else "challenge"


def _short_timestamp(at: int) -> str:
    return f"<t:{at}:f>"


def _not_for_you_text(name: str | None) -> str:
    if name is None:
        return f"This is an open challenge: press {texts.TAKE_SEEK_LABEL} to take it, or leave it to others."
    return f"This challenge is for {texts.escape_text(name)}. **/gipf challenge** starts one of your own."


def _already_on_vacation_text(until: int) -> str:
    return f"You're already on vacation, until <t:{until}:D>. **/gipf-me vacation end** ends it."


def _vacation_too_long_text(left: int) -> str:
    if not left:
        return "You have no days of vacation left this year; nothing was changed."
    days = "1 day" if left == 1 else f"{left} days"
    return f"You have {days} of vacation left this year; nothing was changed. Choose fewer days."


def _line_unanswered_text(said: Sequence[str]) -> str:
    rule = "Each turn of your opponent needs your answer, such as `e2 g3`. Your last answer is missing."
    return rule + _understood_turns_text(said)


def _not_your_turn_text(game: int, waiting_for: str, decision: bool) -> str:
    """Return the text for a player who has nothing to decide now.

    `decision` says whether it is their turn, in which the opponent has to decide.
    """
    name, said = texts.escape_text(waiting_for), f"**{game_name(game)}** is waiting for"
    return f"{said} {name}'s decision in your turn." if decision else f"It's not your turn. {said} {name}."


def _line_ends_text(answer: str, name: str) -> str:
    """Return the text for a line that goes on after an answer, although the same player plays next."""
    said, who = texts.quote_text(answer, 40), texts.escape_text(name)
    return f"After {said} {who} is to play again, so nothing can follow it in this plan."


# Each value is a text, or a function that builds the text from the refusal's facts.
REFUSAL_TEXTS: dict[Why, str | Callable[..., str]] = {
    Why.NOT_A_PLAYER: texts.NOT_YOUR_GAME,
    Why.NOT_YOUR_TURN: _not_your_turn_text,
    Why.STALE: "The game has moved on. **/gipf board** shows the current board.",
    Why.OVER: "This game is over. **Rematch** below its last board or **/gipf challenge** starts another.",
    Why.ILLEGAL: "That is not possible in this position; nothing was played. **/move** shows what you can play.",
    Why.TOO_LATE_TO_CANCEL: "Both of you have moved, so the game can no longer be cancelled. You can resign.",
    Why.CHALLENGE_CLOSED: _challenge_not_open_text,
    Why.OWN_CHALLENGE: _own_challenge_text,
    Why.STILL_RUNNING: "This game is not over yet, so there is no rematch. **/gipf board** shows it.",
    Why.REMATCH_ASKED: lambda name: f"You have already asked {texts.escape_text(name)}, who has to accept.",
    Why.REMATCH_BEGUN: lambda game: f"The next game has already begun: {game_name(game)}. **/gipf games** lists it.",
    Why.OPPONENT_GONE: "Your opponent has deleted their data. **/gipf challenge** finds you another.",
    Why.NOT_FOR_YOU: _not_for_you_text,
    Why.NOT_YOUR_CHALLENGE: _not_your_challenge_text,
    Why.ON_VACATION: _already_on_vacation_text,
    Why.NO_VACATION: "You are not on vacation. **/gipf-me vacation start** begins one.",
    Why.VACATION_TOO_LONG: _vacation_too_long_text,
    Why.TOO_MANY_VACATIONS: lambda most, at: (
        f"You've begun {most} vacations within 24 hours. You can begin another one <t:{at}:R>."
    ),
    Why.OWN_TURN: lambda decision: (
        "It's your decision: **/move** makes it." if decision else "It's your turn: **/move** plays it."
    ),
    Why.LOSES_ON_TIME: (
        "Your time is over: only a winning turn counts now, and this one would lose the game. Nothing was changed."
    ),
    Why.NOT_REMINDED: lambda name: (
        f"This reminder is for {texts.escape_text(name)}. **/gipf-me reminders** shows when you get yours."
    ),
    Why.NUDGED: "You have already nudged your opponent in this turn. Once is enough.",
    Why.HOUSE_THINKS: lambda: "The bot is thinking. It plays as soon as it can, and needs no reminder.",
    Why.NUDGE_TOO_EARLY: lambda at: (
        f"Give your opponent a day: you can nudge from {_short_timestamp(at)} on. Nobody was pinged."
    ),
    Why.OPPONENT_AWAY: lambda until: f"Your opponent is on vacation until <t:{until}:D>. Nobody was pinged.",
    Why.NOTHING_TO_TAKE_BACK: "You have not played a turn in this game yet, so there is none to take back.",
    Why.TAKEBACK_TOO_LATE: "The time for this turn is over, so no turn can be taken back any more.",
    Why.NO_DRAWS: NO_DRAWS,
    Why.REQUEST_OPEN: lambda kind, request: _REQUESTS[kind].open,
    Why.REQUEST_TO_ANSWER: lambda kind, request: _REQUESTS[kind].to_answer,
    Why.REQUEST_AGAIN: lambda kind, state: _REQUESTS[kind].again.format(state=state),
    Why.REQUEST_OWN: lambda kind, name: _REQUESTS[kind].own.format(name=texts.escape_text(name)),
    Why.REQUEST_NOT_YOURS: lambda kind, name: _REQUESTS[kind].not_yours.format(name=texts.escape_text(name)),
    Why.REQUEST_CLOSED: lambda kind, state: _REQUESTS[kind].closed.format(became=_settled_phrase(state)),
    Why.NO_REQUEST: "This request is gone. Nothing was changed.",
    Why.CLAIM_WIN_TIMED: (
        "This game has a time limit: once your opponent's time and grace are over, you win without a claim."
    ),
    Why.CLAIM_WIN_TOO_EARLY: lambda at: f"It's too early. You can claim this game from {_short_timestamp(at)}.",
    Why.CLAIM_WIN_PENDING: _already_claimed_text,
    Why.CONDITIONAL_TOO_DEEP: (
        f"That goes too deep: a plan has at most {DEEPEST_CONDITIONAL} turns of your opponent, each with your answer."
    ),
    Why.CONDITIONAL_UNANSWERED: _line_unanswered_text,
    Why.CONDITIONAL_GOES_ON: "One of these turns ends the game, so no turn can follow it.",
    Why.CONDITIONAL_SAME_PLAYER: _line_ends_text,
    Why.CONDITIONAL_TOO_LATE: texts.NO_ANSWER_FOLLOWS,
    Why.CONDITIONAL_BEGUN: lambda played: f"This turn has already begun with `{played}`: try that first.",
    Why.TOO_MANY_CONDITIONALS: (
        f"You can have at most {MOST_CONDITIONALS} plans in a game. Withdraw one with **/gipf if** first."
    ),
    Why.NO_CONDITIONAL: "This plan is gone. **/gipf if** lists the ones you have.",
    Why.NOT_OFFERED: _not_offered_text,
    Why.COMMAND_CHANGED: "This command has changed, so nothing was done. Reload Discord, then try again.",
    Why.TAKEN_ALREADY: lambda game: f"You have already taken this challenge: your game is {game_name(game)}.",
    Why.CHALLENGES_CROSS: lambda name, challenge: (
        f"{texts.escape_text(name)} has already challenged you and is waiting for your answer. Nothing was posted."
    ),
    Why.TAKERS_OF_CHALLENGE: (
        "A challenge is for one person. Only an open challenge, without **opponent**, can be taken by several."
    ),
    Why.TOO_MANY_GAMES: _too_many_games_text,
    Why.JOB_RUNNING: (
        "You already have one being made: a replay, a record, an import or your data. Try again when you have it."
    ),
    Why.TOO_FAST: lambda at: f"That was a lot at once, so nothing was done this time. Try again <t:{at}:R>.",
    Why.CHALLENGE_PENDING: lambda name, challenge: (
        f"You've already challenged {texts.escape_text(name)}. Wait for the answer, or withdraw that challenge: "
        "**/gipf games** lists it."
    ),
    Why.TOO_MANY_CHALLENGES: lambda most: _too_many_open_text("open challenges", most),
    Why.TOO_MANY_SEEKS: lambda most: _too_many_open_text("challenges open to anybody", most),
    Why.TOO_MANY_RUNNING: _too_many_running_text,
    Why.TOO_MANY_PRIVATE: lambda most, game: (
        f"You play {most} private games against the bot, which is the most. Finish or resign one first, such as "
        f"**{game_name(game)}**, which has waited longest."
    ),
    Why.TOO_MANY_PINGS: _too_many_pings_text,
    Why.NOTE_TOO_LONG: lambda most: f"A note has at most {most} characters; nothing was changed. Shorten it.",
    Why.NO_ZONE: _unknown_zone_text,
    Why.FOLLOWS_OWN_GAME: (
        "You play in this game, so the bot tells you of it anyway. **/gipf live** lists games to follow."
    ),
    Why.FOLLOWS_SELF: "You can't follow yourself. **/gipf games** lists your games.",
    Why.TOO_MANY_FOLLOWS: lambda most: (
        f"You follow {most} games and players, which is the most. **/gipf follow** lists them: stop following one."
    ),
    Why.TOO_MANY_FOLLOWERS: lambda game, most: (
        f"Each turn of {game_name(game)} already goes to {most} people. You can still follow its **result**."
    ),
    Why.NOT_EXPLORED: "That position has changed meanwhile. Open the game or study again, then press **Explorer**.",
    Why.ANALYSED_WHILE_RUNNING: lambda game: (
        f"**{game_name(game)}** isn't over yet, so there is no analysis. Ask again when it has ended."
    ),
    Why.NOTHING_TO_ANALYSE: lambda game: (
        f"No turn was played in **{game_name(game)}**, so there is nothing to analyse."
    ),
    Why.ANALYSES_OWN_GAME: lambda game: (
        f"A position of this analysis is on the board in your own game **{game_name(game)}**, or could be there after "
        "one turn, so it is hidden from you until that game has moved on."
    ),
    Why.ANSWERS_OWN_GAME: lambda game: (
        f"The bot doesn't answer here yet: this position is on the board in your own game **{game_name(game)}**, or "
        "could be there after one turn. Play something else here, or ask again when that game has moved on."
    ),
    Why.OTHER_ANALYSIS: lambda game, found, turns: (
        f"You're waiting for the analysis of **{game_name(game)}**: {found} of {turns} positions so far. "
        "One at a time: ask again when it's done."
    ),
    Why.NO_ENGINE: "This bot can't analyse games. The person who runs it can change that.",
    Why.NO_PAGE: lambda pages: f"There is no such page: the last one is {pages}.",
    Why.NOT_POSSIBLE: "That isn't possible. Nothing was changed.",
    Why.BLOCKED_BY_YOU: lambda name: (
        f"You block {texts.escape_text(name)}. To play them, unblock them first: **/gipf-me block remove**."
    ),
    Why.BLOCKS_SELF: "You can't block yourself. Choose somebody else.",
    Why.TOO_MANY_BLOCKS: lambda most: (
        f"You block {most} players, which is the most. **/gipf-me block list** lists them: unblock one."
    ),
    Why.MAY_NOT_POST: _may_not_post_text,
    Why.MAY_NOT_MAKE_THREADS: lambda channel: (
        f"You can't make threads in <#{channel}>, so the bot makes none for you. Challenge without a thread."
    ),
    Why.BOT_NOT_INVITED: lambda link, here: (
        f"The bot itself isn't on {'this' if here else 'that'} server, so it can't post or see channels there. "
        f"Somebody who manages the server can [invite the bot]({link})."
    ),
    Why.LEFT_SERVER: _left_server_text,
    Why.SHOWN_ALREADY: "You've shown that here already. Open it again to show it again.",
    Why.SHOWN_TOO_OFTEN: lambda most, at: (
        f"You've shown {most} things within 10 minutes, which is the most. You can show more <t:{at}:R>."
    ),
    Why.SHOWN_TOO_LATE: "That message is more than a week old. Open it again to show it.",
    Why.SHOWN_ON_SERVERS: "Here only you would see it. Open it in a server's channel to show it there.",
    Why.NOT_FOR_ALL: (
        "Not everybody here may see that game, so it isn't shown here. In the game's own channel you can show it."
    ),
    Why.PRIVATE_NOT_SHOWN: (
        "Nothing was shown: only its player can show boards of a private game, and its replay and record after its end."
    ),
    Why.NOTHING_FOR_ALL: "Not everybody here may see these games, so there is nothing to show.",
    Why.STUDY_CHANGED: "Your study has changed since. Show it from its newest message.",
    Why.NOT_SOLVED: "You haven't finished this puzzle, so you can't show its solution. Solve it first.",
    Why.MAY_NOT_ATTACH: lambda channel: (
        f"You can't send files in <#{channel}>, so the bot posts none for you there. "
        "Ask somebody who manages the channel."
    ),
    Why.WATCHED_OVER: "This game is over. **/gipf live** lists the games that are running.",
    Why.GUESSES_OWN_GAME: "You play in this game, so you can't guess its turns. **/gipf live** lists other games.",
    Why.GUESS_TOO_LATE: "The game has moved on, so your guess doesn't count. **/gipf board** shows it now.",
    Why.NO_GAME: "There is no such game. **/gipf games** lists yours.",
    Why.UNREADABLE: lambda game: (
        f"{game_name(game)} can't be read any more. Tell the people who host the bot. Your other games go on."
    ),
    Why.NO_STUDY: "There is no such study any more. **/gipf board** offers yours, **/gipf import** makes one.",
    Why.NO_PUZZLE: "There is no such puzzle left for you. New ones come in from finished games: try again another day.",
    Why.PUZZLE_OF_OWN_GAME: lambda game: (
        f"A position of this puzzle is on the board in your own game **{game_name(game)}**, or could be there after "
        "one turn. Solve it when that game has moved on."
    ),
    Why.NO_CHALLENGE: "This challenge is gone. **/gipf challenge** starts a new one.",
}


def turn_error_text(error: NotationError, done: str = "played") -> str:
    """Return why a typed turn cannot be played, where the fault is, and what to type instead.

    `done` completes the sentence `Nothing was …`: `played`, `saved`, `tried` or `guessed`.
    """
    if isinstance(error, OpenTurn):
        return _open_turn_choices(error, done)
    named = bool(error.near) and error.near[0] in error.advice
    more = "" if named else _suggestion_text(error.near)
    return texts.join_lines(error_text(error) + _caret_block(error), more, say(_NOTHING[done]))


def typed_warnings_text(game: Game, turn: Turn | None, text: str) -> str:
    """Return the warnings about a typed text that was played. Empty if there are none.

    `turn` is the turn that the text completed, None if it completed none. `game` is the game after it.
    """
    number = turn.turn_number if turn else game.turn_number + 1
    return warning_lines(typed_warnings(text, number, turn.after.reserve[turn.colour] if turn else None))


def _open_turn_choices(error: OpenTurn, done: str) -> str:
    titles, codes = error.readings or [""] * len(error.choices), [f"`{text}`" for text in error.choices]
    lines = [say(_READINGS[title], turn=code) for title, code in zip(titles, codes, strict=True)]
    order = say("Type one of these:") if len(lines) > 1 else say("Type this:")
    return texts.join_lines(" ".join((sentence_text(error.why), say(_NOTHING[done]), order)), *lines)


def _caret_block(error: NotationError) -> str:
    """Return a code block with the typed turn and a caret under the fault; empty if the whole turn is at fault."""
    if error.at is None or (not error.at and isinstance(error, IllegalTurn)):
        return ""
    return "\n```\n" + error.caret.replace("`", "'") + "\n```"


def _suggestion_text(turns: Sequence[str]) -> str:
    listed = [f"`{text}`" for text in turns[:TURNS_OFFERED]]
    return say("Did you mean {turns}?", turns=say_list(listed, one_of=True)) if listed else ""


def rule_of_refusal(fault: Exception) -> str | None:
    """Return the number of the rule that a refusal rests on, such as `R4.4`. None if it rests on no rule."""
    if isinstance(fault, BrokenRecord):
        return rule_of_refusal(fault.fault)
    if isinstance(fault, IllegalTurn):
        return fault.rule
    if not isinstance(fault, Refused):
        return None
    return DECISION_RULE if fault.facts.get("decision") else RULES_OF_REFUSALS.get(fault.why)


def buttons_of_refusal(refusal: Refused) -> tuple[Button, ...]:
    """Return the buttons below a refusal. Where a private game has to end first, it asks whether to resign that one."""
    if refusal.why is Why.TOO_MANY_PRIVATE:
        game: int = refusal.facts["game"]
        return (Button(f"Resign {game_name(game)}", f"ask_end_game:{game}", "danger", is_custom_id=True),)
    return why_buttons(refusal)


def why_buttons(fault: Exception) -> tuple[Button, ...]:
    """Return a tuple with the button to the rule behind a refusal. Empty if it rests on no rule."""
    rule = rule_of_refusal(fault)
    return (_rule_link(rule),) if rule else ()


def removal_why_buttons(step: Turn | RecordedTurn, turn: str = "") -> tuple[Button, ...]:
    """Return a tuple with the button that explains why pieces left the board in a turn. Empty if no row was removed.

    `turn` names it as the turn of a game: `<game>:<number>`. Without it, the button leads to the rule's page.
    """
    if not any(isinstance(action, Remove) for action in step.actions):
        return ()
    if not turn:
        return (_rule_link(texts_of_course(step.before.rules).row_rule),)
    label = WHY_ROW_LABEL if step.after.captured == step.before.captured else WHY_CAPTURE_LABEL
    return (Button(label, f"why_row:{turn}", is_custom_id=True),)


def _rule_link(rule: str) -> Button:
    return Button(RULE_LABEL, f"why:{rule}", is_custom_id=True)
