"""Texts about turns before and after they are played, about the end of a game, and about notes."""

from collections.abc import Sequence

from gipfbot.languages import mark, say, say_name, say_number
from gipfbot.match import Game, Turn
from gipfbot.notation import Completion, Notation
from gipfbot.notation.errors import excerpt
from gipfbot.notation.normalise import NONE_SIGN
from gipfbot.rules import Colour, Reason, Result
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board import public_board
from gipfbot.ui.kit import clock_texts, escape_text, escape_turn, join_lines, texts
from gipfbot.ui.kit.notation_texts import ruleset_text
from gipfbot.ui.kit.texts import game_label, pair_number, quote_text, shorten_text, turn_in_words
from gipfbot.ui.kit.turn_words import game_notation, pressed_turn, pressed_with_notation, records_line
from gipfbot.values import GameBrief, ListedGame, StoredGame

# ── Before a turn ──

PLAY_LABEL, PLAY_ANYWAY_LABEL = mark("Play it"), mark("Play it anyway")
SOMETHING_ELSE_LABEL = mark("Choose another turn")
MOST_WAITING_NAMED = 5  # games named to a person who has no turn to play
WHICH_GAME_TO_MOVE = mark("Several games wait for you. Which one?")
TOO_LONG_TO_CONFIRM = mark("That turn is too long to confirm with one button, so nothing was played. Play it here.")
TURN_TOO_LONG = mark(
    "That's too long for a turn. Write it like g1-c3;xc2,d3,e4,f4, or use **/move** without typing one."
)

NOTE_TITLE, NOTE_FIELD = mark("Your note"), mark("Only you see it")
NOTE_HINT = mark("Up to {count} characters; leave empty to remove it")
UNKNOWN_NOTE_HINT = mark("Up to {count} characters; leave empty to keep it")
WRITE_NOTE_LABEL, EDIT_NOTE_LABEL, NOTE_LABEL = mark("Write a note"), mark("Edit note"), mark("Private note")
WHICH_GAME_TO_NOTE = mark("You have several games. Which one is the note for?")
BOARD_FOLLOWS = mark("Your turn is played. Its board isn't posted yet; the bot keeps trying.")
CHANNEL_UNREACHABLE = mark(
    "Your turn is played, but its board can't be posted in the game's channel. "
    "Use **/gipf board** in a channel that you both see: the game moves there."
)
OFFERED_BEFORE = mark("The game has moved on since that was offered, so nothing was played yet.")
OLD_BOARD = mark("This board is out of date. **/gipf board** shows the newest.")
TYPE_TURN_LABEL, TYPE_AGAIN_LABEL = mark("Type a turn"), mark("Type it again")
FLIP_LABEL, ASK_TAKEBACK_LABEL, ASK_DRAW_LABEL = mark("Flip"), mark("Ask to take back…"), mark("Offer a draw…")
END_GAME_LABEL, KEEP_ALL_LABEL = mark("Resign…"), mark("Keep all")
TYPE_TURN_FIELD = mark("Your turn")
TYPE_TURN_HINT = mark("Such as e2, or e1-e3 if the piece on e2 moves on to e3")
RESIGN_LABEL, CANCEL_GAME_LABEL, KEEP_PLAYING_LABEL = mark("Resign"), mark("Cancel it"), mark("Keep playing")
PLAY_IN_CHANNEL_LABEL = mark("Play in the channel…")
BEGUN_IS_KEPT = mark("This board doesn't show it yet. **Continue turn** goes on where you stopped.")
MOVE_TO_CHANNEL_LABEL, KEEP_PRIVATE_LABEL = mark("Play in the channel"), mark("Keep it private")
NO_CHANNEL_HERE = mark("Use **Play in the channel…** in a channel of a server: the game moves there.")
GAME_GOES_ON = mark("The game goes on.")
ASKED_AGAIN = mark("The game has changed since you were asked; nothing was done.")


def desk_heading(game: Game, user: int) -> str:
    """Return the heading of a player's desk: the game, the opponent, the turn and the deadline.

    `user` must be a player of the game.
    """
    colour = game.colour_of(user)
    assert colour is not None
    opponent = escape_text(game.seats[colour.other].name)
    number = game.turn_number + 1
    title = say("**{game}** vs {name}", game=game_name(game.id), name=opponent)
    if game.answering:
        what = say("your decision in {turn}", turn=turn_in_words(number))
    else:
        what = say("your turn {number} as {colour}", number=str(pair_number(number)), colour=say_name(str(colour)))
    return join_lines(
        f"{title} · {what}{clock_texts.clock_summary(game)}",
        clock_texts.your_grace_text(game.clock, answering=game.answering),
    )


def private_game_heading(game: Game) -> str:
    """Return the heading of a private game that does not wait for its player."""
    white, black = (escape_text(seat.name) for seat in game.seats)
    return f"**{game_name(game.id)}** · {say('{white} vs {black}', white=white, black=black)}"


def house_thinks_text(game: Game) -> str:
    """Return the line that the bot thinks. The message that has it is shown anew with the answer."""
    return say("{name} is thinking. The answer appears here.", name=escape_text(game.seats[game.decider].name))


def cut_line(stored: StoredGame) -> str:
    """Return the line below a turn of the bot that says that time ended its search; empty if it did not."""
    return say(public_board.WAS_CUT) if stored.last_cut else ""


def confirm_channel_text(game: str, channel: int) -> str:
    """Return the question whether to move a private game into a channel for good."""
    sentence = mark("Play {game} in {channel}? Its boards are posted there from now on, for all who see that channel.")
    return say(sentence, game=game, channel=f"<#{channel}>")


def ended_unseen_text(stored: StoredGame) -> str:
    """Return how a private game has ended, to its player who has not seen that."""
    over = say("**{game}** is over.", game=game_name(stored.game.id))
    return f"{over} {public_board.outcome_text(new_board_message(stored.game))}"


def waits_long_text(stored: StoredGame) -> str:
    """Return the reminder of a private game whose player takes no direct messages."""
    assert stored.waiting_since is not None
    sentence = mark("**{game}**, your private game against the bot, has waited for you since {day}.")
    return say(sentence, game=game_name(stored.game.id), day=texts.time_text(stored.waiting_since, "D"))


def go_on_in_label(game: int) -> str:
    """Return the label of the button to the game that follows one that a repetition has ended."""
    return say("Go on in {game}", game=game_name(game))


def is_turn_begun(game: Game) -> bool:
    """Return whether the player to move has begun a turn that only they know of."""
    return bool(game.draft) and not game.handed_over and game.asked is game.position.mover


def begun_turn_text(game: Game, notation: Notation) -> str:
    """Return the player's own unfinished turn as a sentence. Empty if nothing is played, or if both players decide."""
    if not is_turn_begun(game):
        return ""
    begun = (*game.draft, *game.forced)
    turn = pressed_with_notation(begun, game_notation(game, game.position, begun, notation))
    return say("You have begun your turn: {turn}. Nobody sees it before it is finished.", turn=turn)


def started_over_text(game: Game) -> str:
    """Return the note on a turn that was started over. `game` is the game after that."""
    if game.handed_over:
        return say("What you had begun is taken back. What was public stands.")
    return say("Your turn starts over. Nobody saw what you had begun.")


def last_turn_line(game: Game) -> str:
    """Return the line on the last turn of a game: who played what, and what left the board. Empty at the start.

    If the opponent decides within a turn, return the line on that turn so far (R8.4).
    """
    if game.handed_over:
        turn = pressed_turn((*game.draft, *game.forced))
        return say("{name} played **{turn}**.", name=escape_text(game.seats[game.position.mover].name), turn=turn)
    if game.last is None:
        return ""
    before, actions = game.last.before, game.last.actions
    off, worth = public_board.removed_pieces_count(before, actions), public_board.gipf_worth_note(before, actions)
    name = escape_text(game.seats[game.last.colour].name)
    played = say("{name} played **{turn}**", name=name, turn=pressed_turn(actions))
    return f"{' · '.join(filter(None, (played, off)))}.{worth}"


def confirm_typed_text(typed: str, text: str, *, same_turn: bool = False) -> str:
    """Return the text that asks whether to play the turn `text`, as the bot understood the text `typed`.

    `same_turn` says that the person typed the turn in full, but not in their own notation.
    """
    said, turn = shorten_text(" ".join(typed.split())), escape_turn(shorten_text(text))
    if not said:
        return say("Play **{turn}**?", turn=turn)
    if said == shorten_text(text):
        return say("You typed **{turn}**. Play it?", turn=turn)
    if same_turn:
        return say("“{typed}” is **{turn}** in your notation. Play it?", typed=escape_text(said), turn=turn)
    return say("“{typed}” means **{turn}**. Play it?", typed=escape_text(said), turn=turn)


def play_turn_label(text: str) -> str:
    """Return the label of a button that plays this turn at once, or gives this answer in the opponent's turn."""
    return say(KEEP_ALL_LABEL) if text == NONE_SIGN else say("Play {turn}", turn=text)


def typed_in_vain_text(text: str) -> str:
    """Return the sentences that hand a typed turn back, which was not played."""
    return f"{say('Nothing was played.')} {texts.you_wrote_text(text)}"


def not_a_turn_text(text: str) -> str:
    """Return the answer to a typed text that is not a turn. The button to play by pressing stands below it."""
    typed = escape_text(excerpt(" ".join(text.split()), length=20))
    return say("“{typed}” isn't a turn.", typed=typed)


def confirm_loss_text(text: str, *, on_time: bool) -> str:
    """Return the text that asks whether to play a turn that loses the game.

    `on_time` means that it loses only because the player's time is over.
    """
    turn = escape_turn(shorten_text(text))
    if on_time:
        return say("**{turn}** doesn't win, so you'd lose on time. Play it anyway?", turn=turn)
    return say("**{turn}** loses the game. Play it anyway?", turn=turn)


def which_game_for_turn_text(text: str) -> str:
    """Return the text that asks in which game to play a typed turn."""
    return say("Several games wait for you. In which one do you play {turn}?", turn=quote_text(text))


def two_games_named_text(text: str, option: str) -> str:
    """Return the reply to a typed turn that names one game while the option `game` names another."""
    sentence = mark("You typed {typed} but chose {chosen}, so nothing was played. Name one game.")
    return say(sentence, typed=text, chosen=option)


def no_game_to_move_text(running: Sequence[GameBrief]) -> str:
    """Return the answer to a person who has no turn to play. `running` is their running games."""
    if not running:
        return say(texts.NO_RUNNING_GAMES)
    named = running[:MOST_WAITING_NAMED]
    first, other = mark("**{game}** is waiting for {name}"), mark("**{game}** for {name}")
    waiting = ", ".join(
        say_name(other if at else first, game=game_name(brief.id), name=escape_text(brief.names[brief.asked]))
        for at, brief in enumerate(named)
    )
    if len(running) > len(named):
        more = len(running) - len(named)
        return say("It's not your turn. {games_waiting} and {count} more.", games_waiting=waiting, count=more)
    return say("It's not your turn. {games_waiting}.", games_waiting=waiting)


def turn_choice_label(found: Completion, brief: ListedGame, user: int) -> str:
    """Return the label of a suggested turn: the turn, its effect on the board, and its game."""
    back = say("{count} back", count=found.returned) if found.returned else ""
    taken = ", ".join(filter(None, (back, say("{count} captured", count=found.captured) if found.captured else "")))
    return f"{found.text}{taken and f' ✕ {taken}'} · {game_label(brief, user)}"


# ── After a turn ──


def you_played_text(game: int, turn: Turn) -> str:
    """Return the confirmation that a turn was played in a game: the push, and what came off."""
    off = public_board.removed_pieces_count(turn.before, turn.actions)
    played = say("Played **{turn}** in game {game}", turn=pressed_turn(turn.actions), game=game_name(game))
    return f"{' · '.join(filter(None, (played, off)))}."


def played_in_records_line(game: Game, turn: Turn, notation: Notation) -> str:
    """Return the small line of that confirmation: the turn as records write it. Empty in a newcomer's game."""
    return records_line(turn.actions, game_notation(game, turn.before, turn.actions, notation))


def decided_text(game: Game) -> str:
    """Return the confirmation of a decision (R8.4). The opponent then decides in the same turn, or plays."""
    if game.decider is game.position.mover:
        return say("Decided.")
    owner = escape_text(game.seats[game.decider].name)
    return say("Played. Now {name} decides about a GIPF-piece; then the turn goes on.", name=owner)


def already_played_text(text: str) -> str:
    """Return the answer to a player who has already played this turn."""
    sentence = mark("That button is from an earlier turn. Your last turn in this game was **{turn}**.")
    return say(sentence, turn=escape_turn(text))


def game_ended_text(result: Result, colour: Colour) -> str:
    """Return the text that tells the player of `colour` how their turn has ended the game."""
    if result.winner is None:
        return say(
            "That ends the game: it is void, as this position has occurred three times. A new game starts by itself."
        )
    if result.winner is colour:
        return say("That ends the game: you have **won**!")
    if result.by is Reason.TIME:
        return say("That ends the game: your time was over and this turn didn't win, so you lost on time.")
    return say("That ends the game: you have lost.")


def games_waiting_text(number: int) -> str:
    """Return how many other games wait for the person. The text stands above the button to the next game."""
    if not number:
        return say("No other game waits for you.")
    return say_number("{number} more game waits for you.", "{number} more games wait for you.", number)


def newest_board_text(link: str | None) -> str:
    """Return the answer that a board is out of date, with a link to the newest one if there is one."""
    return say("This board is out of date. Here is [the newest]({link}).", link=link) if link else say(OLD_BOARD)


# ── A game shown to one person ──


def watched_game_text(game: Game) -> str:
    """Return the sentence for somebody who wants to play a turn in a game of others."""
    white, black = (escape_text(seat.name) for seat in game.seats)
    return say("You watch this game: it is {white} vs {black}.", white=white, black=black)


def private_board_heading(game: Game, user: int, outcome: str, away: int | None) -> str:
    """Return the heading of a board that is shown to one person.

    `outcome` says how a finished game ended. `away` is the end of the vacation of the player to move; None if they are
    not on vacation.
    """
    white, black = (escape_text(seat.name) for seat in game.seats)
    names = say("{white} (White) vs {black} (Black)", white=white, black=black)
    said = f"**{game_name(game.id)}** · {names} · {ruleset_text(game.ruleset.name)}"
    if game.asked is None:
        return join_lines(f"{said} · {say('the game is over.')}", outcome)
    asked = game.seats[game.asked]
    mine, name = asked.user == user, escape_text(asked.name)
    waits = mark("turn {number}, waiting for you") if mine else mark("turn {number}, waiting for {name}")
    said = f"{said} · {say(waits, number=str(pair_number(game.turn_number + 1)), name=name)}"
    if away is not None:
        left = game.clock.paused_left if game.clock else None
        return join_lines(f"{said}.", clock_texts.on_vacation_text(None if mine else name, away, left))
    grace = clock_texts.your_grace_text(game.clock, answering=game.answering) if mine else ""
    return join_lines(f"{said}{clock_texts.clock_summary(game)}.", grace)


# ── Ending a game ──


def confirm_resign_text(game: str, opponent: str, may_cancel: bool) -> str:
    """Return the text that asks whether to resign a game. With `may_cancel`, it also says that they can cancel it."""
    said = say("Resign {game} against {name}? That ends the game at once.", game=game, name=escape_text(opponent))
    if not may_cancel:
        return said
    cancel = say("You haven't both moved yet, so you can cancel it with no result.")
    return f"{said} {cancel}"


def resigned_text(game: str) -> str:
    """Return the confirmation that the person has resigned a game."""
    return say("You have resigned {game}.", game=game)


def cancelled_text(game: str) -> str:
    """Return the confirmation that the person has cancelled a game."""
    return say("{game} is cancelled: no result.", game=game)


def own_note_text(note: str) -> str:
    """Return a note as its author sees it on the desk; empty if the note is empty."""
    return join_lines(*(f"-# {escape_text(line)}" for line in note.splitlines() if line.strip()))


def note_text(game: int, note: str) -> str:
    """Return the answer that shows a person's note on a game, or says that there is none."""
    name = game_name(game)
    if not note:
        return say("You have no note on {game}. Nobody else will see what you write.", game=name)
    return join_lines(say("Your note on {game}, which nobody else sees:", game=name), own_note_text(note))
