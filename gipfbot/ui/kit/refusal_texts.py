"""Texts for refused actions and for turns that cannot be played, and the button to the rule behind them."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from gipfbot.languages import mark, say, say_list, say_number
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
from .challenge_refusals import (
    challenge_not_open_text,
    not_for_you_text,
    not_your_challenge_text,
    own_challenge_text,
    too_many_challenges_text,
    too_many_games_text,
    too_many_pings_text,
    too_many_running_text,
    too_many_seeks_text,
)
from .components import Button
from .notation_texts import error_text, sentence_text, warning_lines
from .texts import channel_mention, escape_text, quote_text, texts_of_course, time_text

NO_DRAWS = mark(
    """\
GIPF has no draws: you play until one of you cannot push or has no GIPF-piece left.
• If a position occurs three times, the game is void. A new game starts by itself, with colours swapped.
• **More…** below the board asks to take a turn back. **/gipf resign** gives up, or cancels the game before both have \
moved.
• No time limit, and your opponent hasn't played for 30 days? **Claim** in **More…** warns them. \
If they don't play within 7 days, the game ends."""
)

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
WHY_ROW_LABEL, WHY_CAPTURE_LABEL = mark("Why this row?"), mark("Why this capture?")
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


def refusal_text(error: Refused) -> str:
    """Return the text for a refusal: the reason, and what to do instead.

    Raises TypeError unless the refusal has exactly the facts that its text needs. A test covers all refusals.
    """
    said = REFUSAL_TEXTS[error.why]
    return say(said) if isinstance(said, str) else said(**error.facts)


class _RequestRefusals(NamedTuple):
    """The sentences for the refusals of one kind of request."""

    open: str
    to_answer: str
    again: Mapping[RequestState, str]  # by the state of the earlier one, which was declined or withdrawn
    own: str
    not_yours: str
    closed: Mapping[RequestState, str]  # by what became of it


_OFFERED_DRAW = mark("You have already offered a draw in this turn. You can offer one again after the next turn.")
_DRAW_CLOSED = mark("This draw offer is no longer open. Nothing was changed.")
_REQUESTS = {
    RequestKind.TAKEBACK: _RequestRefusals(
        open=mark("You have already asked. **More…** shows your request."),
        to_answer=mark("Your opponent has already asked to take a turn back. **More…** shows the request."),
        again={
            RequestState.DECLINED: mark(
                "Your request to take this turn back was declined. You can ask only once for each turn."
            ),
            RequestState.WITHDRAWN: mark(
                "Your request to take this turn back was withdrawn. You can ask only once for each turn."
            ),
        },
        own=mark("This is your own request: {name} has to answer it."),
        not_yours=mark("Only {name} can withdraw this request; you can decline it."),
        closed={
            RequestState.ACCEPTED: mark("This request is no longer open: it was accepted. Nothing was changed."),
            RequestState.DECLINED: mark("This request is no longer open: it was declined. Nothing was changed."),
            RequestState.WITHDRAWN: mark("This request is no longer open: it was withdrawn. Nothing was changed."),
            RequestState.EXPIRED: mark("This request is no longer open: it has expired. Nothing was changed."),
        },
    ),
    RequestKind.DRAW: _RequestRefusals(
        open=mark("You have already offered a draw. **More…** shows your offer."),
        to_answer=mark("Your opponent has already offered a draw. **More…** shows the offer."),
        again=dict.fromkeys(RequestState, _OFFERED_DRAW),
        own=mark("This is your own offer: {name} has to answer it."),
        not_yours=mark("Only {name} can withdraw this offer; you can decline it."),
        closed=dict.fromkeys(RequestState, _DRAW_CLOSED),
    ),
}


def _already_claimed_text(at: int | None) -> str:
    if at is None:
        sentence = mark(
            "This game is already claimed, but the warning isn't posted yet. Once it is, your opponent has 7 days to "
            "play."
        )
        return say(sentence)
    return say("This game is already claimed: your opponent may play until {time}.", time=time_text(at))


def _not_offered_text(option: str | None, value: object) -> str:
    said = quote_text(str(value), 40)
    if option:
        sentence = mark(
            "{value} cannot be chosen for **{option}**; nothing was changed. Choose a value that Discord offers."
        )
        return say(sentence, value=said, option=option)
    return say("{value} cannot be chosen here; nothing was changed. Choose a value that Discord offers.", value=said)


def _may_not_post_text(channel: int, until: int | None) -> str:
    where = channel_mention(channel)
    if until is not None:
        sentence = mark("You're timed out, so the bot posts nothing for you in {channel}. Try again {time}.")
        return say(sentence, channel=where, time=time_text(until, "R"))
    sentence = mark(
        "You can't send messages in {channel}, so the bot posts nothing for you there. Ask somebody who manages the "
        "channel."
    )
    return say(sentence, channel=where)


_ENDS_WITHOUT_OPPONENT = {
    "cancel": mark("**/gipf resign** cancels the game with no result."),
    "time": mark("If they don't play, you win once their time and grace are over."),
    "claim": mark("If they don't play for 30 days, **Claim** in **More…** ends the game."),
}


def _left_server_text(name: str, server: str | None, end: str | None) -> str:
    """Return the text for something that would begin with a person who has left. `end` ends their running game."""
    left = texts.left_server_text(name, server)
    if end is None:
        others = say("**/gipf seeks** lists who else looks for one, **/gipf challenge** asks somebody.")
        return f"{left} {say('No game begins.')} {others}"
    moves = say("**/gipf board** in a channel of another server that both of you see moves the game there.")
    return f"{left} {say('Nothing was done.')} {say(_ENDS_WITHOUT_OPPONENT[end])} {moves}"


def _unknown_zone_text(zone: str, near: Sequence[str]) -> str:
    """Return the text for an unknown time zone, or the abbreviation of several. `near` is those that may be meant."""
    sentence = mark("{zone} isn't a time zone; nothing was changed.")
    if zone.strip().lower() in ABBREVIATIONS:
        sentence = mark("{zone} is short for several time zones; nothing was changed.")
    meant = (
        say("Did you mean {zones}?", zones=", ".join(near))
        if near
        else say("Type a big city near you, then pick from the list.")
    )
    return f"{say(sentence, zone=quote_text(zone, 40))} {meant}"


def _vacation_too_long_text(left: int) -> str:
    if not left:
        return say("You have no days of vacation left this year; nothing was changed.")
    return say_number(
        "You have {number} day of vacation left this year; nothing was changed. Choose fewer days.",
        "You have {number} days of vacation left this year; nothing was changed. Choose fewer days.",
        left,
    )


def _line_unanswered_text(said: Sequence[str]) -> str:
    """Return the text for a typed conditional line without its last answer. `said` is the turns understood in it."""
    rule = say("Each turn of your opponent needs your answer, such as `e2 g3`. Your last answer is missing.")
    if not said:
        return rule
    understood = say_number(
        "Understood as {number} turn: {turns}.",
        "Understood as {number} turns: {turns}.",
        len(said),
        turns=", ".join(quote_text(turn, 40) for turn in said),
    )
    return f"{rule} {understood}"


def _not_your_turn_text(game: int, waiting_for: str, decision: bool) -> str:
    """Return the text for a player who has nothing to decide now.

    `decision` says whether it is their turn, in which the opponent has to decide.
    """
    sentence = mark("It's not your turn. **{game}** is waiting for {name}.")
    if decision:
        sentence = mark("**{game}** is waiting for {name}'s decision in your turn.")
    return say(sentence, game=game_name(game), name=escape_text(waiting_for))


def _line_ends_text(answer: str, name: str) -> str:
    """Return the text for a line that goes on after an answer, although the same player plays next."""
    sentence = mark("After {turn} {name} is to play again, so nothing can follow it in this plan.")
    return say(sentence, turn=quote_text(answer, 40), name=escape_text(name))


def _not_invited_text(link: str, here: bool) -> str:
    sentence = mark(
        "The bot itself isn't on that server, so it can't post or see channels there. Somebody who manages the server "
        "can [invite the bot]({link})."
    )
    if here:
        sentence = mark(
            "The bot itself isn't on this server, so it can't post or see channels there. Somebody who manages the "
            "server can [invite the bot]({link})."
        )
    return say(sentence, link=link)


# Each value is a marked text, or a function that builds the text from the refusal's facts and says it.
REFUSAL_TEXTS: dict[Why, str | Callable[..., str]] = {
    Why.NOT_A_PLAYER: texts.NOT_YOUR_GAME,
    Why.NOT_YOUR_TURN: _not_your_turn_text,
    Why.STALE: mark("The game has moved on. **/gipf board** shows the current board."),
    Why.OVER: mark("This game is over. **Rematch** below its last board or **/gipf challenge** starts another."),
    Why.ILLEGAL: mark("That is not possible in this position; nothing was played. **/move** shows what you can play."),
    Why.TOO_LATE_TO_CANCEL: mark("Both of you have moved, so the game can no longer be cancelled. You can resign."),
    Why.CHALLENGE_CLOSED: challenge_not_open_text,
    Why.OWN_CHALLENGE: own_challenge_text,
    Why.STILL_RUNNING: mark("This game is not over yet, so there is no rematch. **/gipf board** shows it."),
    Why.REMATCH_ASKED: lambda name: say("You have already asked {name}, who has to accept.", name=escape_text(name)),
    Why.REMATCH_BEGUN: lambda game: say(
        "The next game has already begun: {game}. **/gipf games** lists it.", game=game_name(game)
    ),
    Why.OPPONENT_GONE: mark("Your opponent has deleted their data. **/gipf challenge** finds you another."),
    Why.NOT_FOR_YOU: not_for_you_text,
    Why.NOT_YOUR_CHALLENGE: not_your_challenge_text,
    Why.ON_VACATION: lambda until: say(
        "You're already on vacation, until {day}. **/gipf-me vacation end** ends it.", day=time_text(until, "D")
    ),
    Why.NO_VACATION: mark("You are not on vacation. **/gipf-me vacation start** begins one."),
    Why.VACATION_TOO_LONG: _vacation_too_long_text,
    Why.TOO_MANY_VACATIONS: lambda most, at: say_number(
        "You've begun {number} vacation within 24 hours. You can begin another one {time}.",
        "You've begun {number} vacations within 24 hours. You can begin another one {time}.",
        most,
        time=time_text(at, "R"),
    ),
    Why.OWN_TURN: lambda decision: (
        say("It's your decision: **/move** makes it.") if decision else say("It's your turn: **/move** plays it.")
    ),
    Why.LOSES_ON_TIME: mark(
        "Your time is over: only a winning turn counts now, and this one would lose the game. Nothing was changed."
    ),
    Why.NOT_REMINDED: lambda name: say(
        "This reminder is for {name}. **/gipf-me reminders** shows when you get yours.", name=escape_text(name)
    ),
    Why.NUDGED: mark("You have already nudged your opponent in this turn. Once is enough."),
    Why.HOUSE_THINKS: mark("The bot is thinking. It plays as soon as it can, and needs no reminder."),
    Why.NUDGE_TOO_EARLY: lambda at: say(
        "Give your opponent a day: you can nudge from {time} on. Nobody was pinged.", time=time_text(at)
    ),
    Why.OPPONENT_AWAY: lambda until: say(
        "Your opponent is on vacation until {day}. Nobody was pinged.", day=time_text(until, "D")
    ),
    Why.NOTHING_TO_TAKE_BACK: mark("You have not played a turn in this game yet, so there is none to take back."),
    Why.TAKEBACK_TOO_LATE: mark("The time for this turn is over, so no turn can be taken back any more."),
    Why.NO_TAKEBACKS: mark("This game is played without takebacks."),
    Why.TOURNAMENT_NOT_CANCELLED: mark("A game of a tournament can't be cancelled. You can resign."),
    Why.TOURNAMENT_NO_REMATCH: mark(
        "A game of a tournament has no rematch. **/gipf challenge** begins another game with your opponent."
    ),
    Why.NO_TOURNAMENT: mark("There is no such tournament. **/gipf-tournament list** shows those of this server."),
    Why.NO_TOURNAMENTS: mark("This bot has no tournaments: its host has not installed what pairs the players."),
    Why.NOT_IN_TOURNAMENTS: mark("GIPF Overboard is not played in tournaments. Choose another version."),
    Why.NOT_IN_TOURNAMENT: mark("You don't play in this tournament."),
    Why.TOO_MANY_TOURNAMENTS: lambda most: say(
        "This server has {most} tournaments that are open or running. Wait until one has ended, or stop one.", most=most
    ),
    Why.TOURNAMENT_OVER: mark("This tournament is over."),
    Why.TOURNAMENT_STARTED: mark("This tournament has started, so nobody can join it any more."),
    Why.TOURNAMENT_JOINED: mark("You have joined already."),
    Why.TOURNAMENT_FULL: lambda most: say("This tournament is full: it has {most} players.", most=most),
    Why.TOURNAMENT_NO_ROOM: lambda most, room: say(
        "You can have {most} running games, and a tournament needs room for {room}. Finish some games first.",
        most=most,
        room=room,
    ),
    Why.NOT_ORGANISER: mark(
        "Only those who manage this server, or have the role it has named for that, can open and stop tournaments."
    ),
    Why.NO_DRAWS: NO_DRAWS,
    Why.REQUEST_OPEN: lambda kind, request: say(_REQUESTS[kind].open),
    Why.REQUEST_TO_ANSWER: lambda kind, request: say(_REQUESTS[kind].to_answer),
    Why.REQUEST_AGAIN: lambda kind, state: say(_REQUESTS[kind].again[state]),
    Why.REQUEST_OWN: lambda kind, name: say(_REQUESTS[kind].own, name=escape_text(name)),
    Why.REQUEST_NOT_YOURS: lambda kind, name: say(_REQUESTS[kind].not_yours, name=escape_text(name)),
    Why.REQUEST_CLOSED: lambda kind, state: say(_REQUESTS[kind].closed[state]),
    Why.NO_REQUEST: mark("This request is gone. Nothing was changed."),
    Why.CLAIM_WIN_TIMED: mark(
        "This game has a time limit: once your opponent's time and grace are over, you win without a claim."
    ),
    Why.CLAIM_WIN_TOO_EARLY: lambda at: say("It's too early. You can claim this game from {time}.", time=time_text(at)),
    Why.CLAIM_WIN_PENDING: _already_claimed_text,
    Why.CONDITIONAL_TOO_DEEP: lambda: say(
        "That goes too deep: a plan has at most {count} turns of your opponent, each with your answer.",
        count=DEEPEST_CONDITIONAL,
    ),
    Why.CONDITIONAL_UNANSWERED: _line_unanswered_text,
    Why.CONDITIONAL_GOES_ON: mark("One of these turns ends the game, so no turn can follow it."),
    Why.CONDITIONAL_SAME_PLAYER: _line_ends_text,
    Why.CONDITIONAL_TOO_LATE: texts.NO_ANSWER_FOLLOWS,
    Why.CONDITIONAL_BEGUN: lambda played: say(
        "This turn has already begun with `{turn}`: try that first.", turn=played
    ),
    Why.TOO_MANY_CONDITIONALS: lambda: say(
        "You can have at most {count} plans in a game. Withdraw one with **/gipf if** first.", count=MOST_CONDITIONALS
    ),
    Why.NO_CONDITIONAL: mark("This plan is gone. **/gipf if** lists the ones you have."),
    Why.NOT_OFFERED: _not_offered_text,
    Why.COMMAND_CHANGED: mark("This command has changed, so nothing was done. Reload Discord, then try again."),
    Why.TAKEN_ALREADY: lambda game: say(
        "You have already taken this challenge: your game is {game}.", game=game_name(game)
    ),
    Why.CHALLENGES_CROSS: lambda name, challenge: say(
        "{name} has already challenged you and is waiting for your answer. Nothing was posted.", name=escape_text(name)
    ),
    Why.TAKERS_OF_CHALLENGE: mark(
        "A challenge is for one person. Only an open challenge, without **opponent**, can be taken by several."
    ),
    Why.TOO_MANY_GAMES: too_many_games_text,
    Why.JOB_RUNNING: mark(
        "You already have one being made: a replay, a record, an import or your data. Try again when you have it."
    ),
    Why.TOO_FAST: lambda at: say(
        "That was a lot at once, so nothing was done this time. Try again {time}.", time=time_text(at, "R")
    ),
    Why.CHALLENGE_PENDING: lambda name, challenge: say(
        "You've already challenged {name}. Wait for the answer, or withdraw that challenge: **/gipf games** lists it.",
        name=escape_text(name),
    ),
    Why.TOO_MANY_CHALLENGES: too_many_challenges_text,
    Why.TOO_MANY_SEEKS: too_many_seeks_text,
    Why.TOO_MANY_RUNNING: too_many_running_text,
    Why.TOO_MANY_PRIVATE: lambda most, game: say_number(
        "You play {number} private game against the bot, which is the most. Finish or resign one first, such as "
        "**{game}**, which has waited longest.",
        "You play {number} private games against the bot, which is the most. Finish or resign one first, such as "
        "**{game}**, which has waited longest.",
        most,
        game=game_name(game),
    ),
    Why.TOO_MANY_PINGS: too_many_pings_text,
    Why.NOTE_TOO_LONG: lambda most: say_number(
        "A note has at most {number} character; nothing was changed. Shorten it.",
        "A note has at most {number} characters; nothing was changed. Shorten it.",
        most,
    ),
    Why.NO_ZONE: _unknown_zone_text,
    Why.FOLLOWS_OWN_GAME: mark(
        "You play in this game, so the bot tells you of it anyway. **/gipf live** lists games to follow."
    ),
    Why.FOLLOWS_SELF: mark("You can't follow yourself. **/gipf games** lists your games."),
    Why.TOO_MANY_FOLLOWS: lambda most: say(
        "You follow {count} games and players, which is the most. **/gipf follow** lists them: stop following one.",
        count=most,
    ),
    Why.TOO_MANY_FOLLOWERS: lambda game, most: say_number(
        "Each turn of {game} already goes to {number} person. You can still follow its **result**.",
        "Each turn of {game} already goes to {number} people. You can still follow its **result**.",
        most,
        game=game_name(game),
    ),
    Why.NOT_EXPLORED: mark(
        "That position has changed meanwhile. Open the game or study again, then press **Explorer**."
    ),
    Why.ANALYSED_WHILE_RUNNING: lambda game: say(
        "**{game}** isn't over yet, so there is no analysis. Ask again when it has ended.", game=game_name(game)
    ),
    Why.NOTHING_TO_ANALYSE: lambda game: say(
        "No turn was played in **{game}**, so there is nothing to analyse.", game=game_name(game)
    ),
    Why.ANALYSES_OWN_GAME: lambda game: say(
        "A position of this analysis is on the board in your own game **{game}**, or could be there after one turn, so "
        "it is hidden from you until that game has moved on.",
        game=game_name(game),
    ),
    Why.ANSWERS_OWN_GAME: lambda game: say(
        "The bot doesn't answer here yet: this position is on the board in your own game **{game}**, or could be there "
        "after one turn. Play something else here, or ask again when that game has moved on.",
        game=game_name(game),
    ),
    Why.OTHER_ANALYSIS: lambda game, found, turns: say_number(
        "You're waiting for the analysis of **{game}**: {found} of {number} position so far. One at a time: ask again "
        "when it's done.",
        "You're waiting for the analysis of **{game}**: {found} of {number} positions so far. One at a time: ask again "
        "when it's done.",
        turns,
        found=found,
        game=game_name(game),
    ),
    Why.NO_ENGINE: mark("This bot can't analyse games. The person who runs it can change that."),
    Why.NO_PAGE: lambda pages: say("There is no such page: the last one is {page}.", page=pages),
    Why.NOT_POSSIBLE: mark("That isn't possible. Nothing was changed."),
    Why.BLOCKED_BY_YOU: lambda name: say(
        "You block {name}. To play them, unblock them first: **/gipf-me block remove**.", name=escape_text(name)
    ),
    Why.BLOCKS_SELF: mark("You can't block yourself. Choose somebody else."),
    Why.TOO_MANY_BLOCKS: lambda most: say_number(
        "You block {number} player, which is the most. **/gipf-me block list** lists them: unblock one.",
        "You block {number} players, which is the most. **/gipf-me block list** lists them: unblock one.",
        most,
    ),
    Why.MAY_NOT_POST: _may_not_post_text,
    Why.MAY_NOT_MAKE_THREADS: lambda channel: say(
        "You can't make threads in {channel}, so the bot makes none for you. Challenge without a thread.",
        channel=channel_mention(channel),
    ),
    Why.BOT_NOT_INVITED: _not_invited_text,
    Why.LEFT_SERVER: _left_server_text,
    Why.SHOWN_ALREADY: mark("You've shown that here already. Open it again to show it again."),
    Why.SHOWN_TOO_OFTEN: lambda most, at: say_number(
        "You've shown {number} thing within 10 minutes, which is the most. You can show more {time}.",
        "You've shown {number} things within 10 minutes, which is the most. You can show more {time}.",
        most,
        time=time_text(at, "R"),
    ),
    Why.SHOWN_TOO_LATE: mark("That message is more than a week old. Open it again to show it."),
    Why.SHOWN_ON_SERVERS: mark("Here only you would see it. Open it in a server's channel to show it there."),
    Why.NOT_FOR_ALL: mark(
        "Not everybody here may see that game, so it isn't shown here. In the game's own channel you can show it."
    ),
    Why.PRIVATE_NOT_SHOWN: mark(
        "Nothing was shown: only its player can show boards of a private game, and its replay and record after its end."
    ),
    Why.NOTHING_FOR_ALL: mark("Not everybody here may see these games, so there is nothing to show."),
    Why.STUDY_CHANGED: mark("Your study has changed since. Show it from its newest message."),
    Why.NOT_SOLVED: mark("You haven't finished this puzzle, so you can't show its solution. Solve it first."),
    Why.MAY_NOT_ATTACH: lambda channel: say(
        "You can't send files in {channel}, so the bot posts none for you there. Ask somebody who manages the channel.",
        channel=channel_mention(channel),
    ),
    Why.WATCHED_OVER: mark("This game is over. **/gipf live** lists the games that are running."),
    Why.GUESSES_OWN_GAME: mark(
        "You play in this game, so you can't guess its turns. **/gipf live** lists other games."
    ),
    Why.GUESS_TOO_LATE: mark("The game has moved on, so your guess doesn't count. **/gipf board** shows it now."),
    Why.NO_GAME: mark("There is no such game. **/gipf games** lists yours."),
    Why.UNREADABLE: lambda game: say(
        "{game} can't be read any more. Tell the people who host the bot. Your other games go on.", game=game_name(game)
    ),
    Why.NO_STUDY: mark("There is no such study any more. **/gipf board** offers yours, **/gipf import** makes one."),
    Why.NO_PUZZLE: mark(
        "There is no such puzzle left for you. New ones come in from finished games: try again another day."
    ),
    Why.PUZZLE_OF_OWN_GAME: lambda game: say(
        "A position of this puzzle is on the board in your own game **{game}**, or could be there after one turn. "
        "Solve it when that game has moved on.",
        game=game_name(game),
    ),
    Why.NO_CHALLENGE: mark("This challenge is gone. **/gipf challenge** starts a new one."),
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
        return (
            Button(say("Resign {game}", game=game_name(game)), f"ask_end_game:{game}", "danger", is_custom_id=True),
        )
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
    return (Button(say(label), f"why_row:{turn}", is_custom_id=True),)


def _rule_link(rule: str) -> Button:
    return Button(say(RULE_LABEL), f"why:{rule}", is_custom_id=True)
