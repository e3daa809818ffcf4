"""Texts about turns before and after they are played, about the end of a game, and about notes."""

from collections.abc import Sequence

from gipfbot.languages import say
from gipfbot.match import Game, Turn
from gipfbot.notation import Completion, Notation
from gipfbot.notation.errors import excerpt
from gipfbot.notation.normalise import NONE_SIGN
from gipfbot.rules import Colour, Reason, Result, ruleset_words
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.play.games import LONGEST_NOTE
from gipfbot.ui.board import public_board
from gipfbot.ui.kit import clock_texts, escape_text, escape_turn, join_lines, texts
from gipfbot.ui.kit.texts import game_label, link_to, pair_number, quote_text, shorten_text, turn_in_words
from gipfbot.ui.kit.turn_words import game_notation, pressed_turn, pressed_with_notation, records_line
from gipfbot.values import GameBrief, ListedGame, StoredGame

# ── Before a turn ──

PLAY_LABEL, PLAY_ANYWAY_LABEL, SOMETHING_ELSE_LABEL = "Play it", "Play it anyway", "Choose another turn"
MOST_WAITING_NAMED = 5  # games named to a person who has no turn to play
WHICH_GAME_TO_MOVE = "Several games wait for you. Which one?"
TOO_LONG_TO_CONFIRM = "That turn is too long to confirm with one button, so nothing was played. Play it here."
TURN_TOO_LONG = "That's too long for a turn. Write it like g1-c3;xc2,d3,e4,f4, or use **/move** without typing one."

NOTE_TITLE, NOTE_HINT = "Your note", f"Up to {LONGEST_NOTE} characters"
NOTE_FIELD, UNKNOWN_NOTE_FIELD = "Only you see it; leave empty to remove it", "Only you see it; leave empty to keep it"
WRITE_NOTE_LABEL, EDIT_NOTE_LABEL, NOTE_LABEL = "Write a note", "Edit note", "Private note"
WHICH_GAME_TO_NOTE = "You have several games. Which one is the note for?"
BOARD_FOLLOWS = "Your turn is played. Its board isn't posted yet; the bot keeps trying."
CHANNEL_UNREACHABLE = (
    "Your turn is played, but its board can't be posted in the game's channel. "
    "Use **/gipf board** in a channel that you both see: the game moves there."
)
OFFERED_BEFORE = "The game has moved on since that was offered, so nothing was played yet."
OLD_BOARD = "This board is out of date. **/gipf board** shows the newest."
TYPE_TURN_LABEL, TYPE_AGAIN_LABEL = "Type a turn", "Type it again"
FLIP_LABEL, ASK_TAKEBACK_LABEL, ASK_DRAW_LABEL = "Flip", "Ask to take back…", "Offer a draw…"
END_GAME_LABEL, KEEP_ALL_LABEL = "Resign…", "Keep all"
TYPE_TURN_FIELD, TYPE_TURN_HINT = "Your turn", "Such as e2, or e1-e3 if the piece on e2 moves on to e3"
RESIGN_LABEL, CANCEL_GAME_LABEL, KEEP_PLAYING_LABEL = "Resign", "Cancel it", "Keep playing"
PLAY_IN_CHANNEL_LABEL = "Play in the channel…"
BEGUN_IS_KEPT = f"This board doesn't show it yet. **{texts.GO_ON_LABEL}** goes on where you stopped."
MOVE_TO_CHANNEL_LABEL, KEEP_PRIVATE_LABEL = "Play in the channel", "Keep it private"
NO_CHANNEL_HERE = "Use **Play in the channel…** in a channel of a server: the game moves there."
GAME_GOES_ON = "The game goes on."
ASKED_AGAIN = "The game has changed since you were asked; nothing was done."


def desk_heading(game: Game, user: int) -> str:
    """Return the heading of a player's desk: the game, the opponent, the turn and the deadline.

    `user` must be a player of the game.
    """
    colour = game.colour_of(user)
    assert colour is not None
    opponent = escape_text(game.seats[colour.other].name)
    number = game.turn_number + 1
    what = f"your decision in {turn_in_words(number)}" if game.answering else f"your turn {pair_number(number)}"
    title = f"**{game_name(game.id)}** vs {opponent} · {what if game.answering else f'{what} as {colour}'}"
    return join_lines(
        f"{title}{clock_texts.clock_summary(game)}", clock_texts.your_grace_text(game.clock, answering=game.answering)
    )


def private_game_heading(game: Game) -> str:
    """Return the heading of a private game that does not wait for its player."""
    white, black = (escape_text(seat.name) for seat in game.seats)
    return f"**{game_name(game.id)}** · {white} vs {black}"


def house_thinks_text(game: Game) -> str:
    """Return the line that the bot thinks. The message that has it is shown anew with the answer."""
    return f"{escape_text(game.seats[game.decider].name)} is thinking. The answer appears here."


def cut_line(stored: StoredGame) -> str:
    """Return the line below a turn of the bot that says that time ended its search; empty if it did not."""
    return say(public_board.WAS_CUT) if stored.last_cut else ""


def confirm_channel_text(game: str, channel: int) -> str:
    """Return the question whether to move a private game into a channel for good."""
    return f"Play {game} in <#{channel}>? Its boards are posted there from now on, for all who see that channel."


def ended_unseen_text(stored: StoredGame) -> str:
    """Return how a private game has ended, to its player who has not seen that."""
    return f"**{game_name(stored.game.id)}** is over. {public_board.outcome_text(new_board_message(stored.game))}"


def waits_long_text(stored: StoredGame) -> str:
    """Return the reminder of a private game whose player takes no direct messages."""
    assert stored.waiting_since is not None
    name = game_name(stored.game.id)
    return f"**{name}**, your private game against the bot, has waited for you since <t:{stored.waiting_since}:D>."


def go_on_in_label(game: int) -> str:
    """Return the label of the button to the game that follows one that a repetition has ended."""
    return f"Go on in {game_name(game)}"


def is_turn_begun(game: Game) -> bool:
    """Return whether the player to move has begun a turn that only they know of."""
    return bool(game.draft) and not game.handed_over and game.asked is game.position.mover


def begun_turn_text(game: Game, notation: Notation) -> str:
    """Return the player's own unfinished turn as a sentence. Empty if nothing is played, or if both players decide."""
    if not is_turn_begun(game):
        return ""
    begun = (*game.draft, *game.forced)
    turn = pressed_with_notation(begun, game_notation(game, game.position, begun, notation))
    return f"You have begun your turn: {turn}. Nobody sees it before it is finished."


def started_over_text(game: Game) -> str:
    """Return the note on a turn that was started over. `game` is the game after that."""
    if game.handed_over:
        return "What you had begun is taken back. What was public stands."
    return "Your turn starts over. Nobody saw what you had begun."


def last_turn_line(game: Game) -> str:
    """Return the line on the last turn of a game: who played what, and what left the board. Empty at the start.

    If the opponent decides within a turn, return the line on that turn so far (R8.4).
    """
    if game.handed_over:
        turn = pressed_turn((*game.draft, *game.forced))
        return f"{escape_text(game.seats[game.position.mover].name)} played **{turn}**."
    if game.last is None:
        return ""
    before, actions = game.last.before, game.last.actions
    off, worth = public_board.removed_pieces_count(before, actions), public_board.gipf_worth_note(before, actions)
    played = f"{escape_text(game.seats[game.last.colour].name)} played **{pressed_turn(actions)}**"
    return f"{' · '.join(filter(None, (played, off)))}.{worth}"


def confirm_typed_text(typed: str, text: str, *, same_turn: bool = False) -> str:
    """Return the text that asks whether to play the turn `text`, as the bot understood the text `typed`.

    `same_turn` says that the person typed the turn in full, but not in their own notation.
    """
    said, turn = shorten_text(" ".join(typed.split())), f"**{escape_turn(shorten_text(text))}**"
    if not said:
        return f"Play {turn}?"
    if said == shorten_text(text):
        return f"You typed {turn}. Play it?"
    if same_turn:
        return f"“{escape_text(said)}” is {turn} in your notation. Play it?"
    return f"“{escape_text(said)}” means {turn}. Play it?"


def play_turn_label(text: str) -> str:
    """Return the label of a button that plays this turn at once, or gives this answer in the opponent's turn."""
    return KEEP_ALL_LABEL if text == NONE_SIGN else f"Play {text}"


def typed_in_vain_text(text: str) -> str:
    """Return the sentences that hand a typed turn back, which was not played."""
    return f"Nothing was played. {texts.you_wrote_text(text)}"


def not_a_turn_text(text: str) -> str:
    """Return the answer to a typed text that is not a turn. The button to play by pressing stands below it."""
    return f"“{escape_text(excerpt(' '.join(text.split()), length=20))}” isn't a turn."


def confirm_loss_text(text: str, *, on_time: bool) -> str:
    """Return the text that asks whether to play a turn that loses the game.

    `on_time` means that it loses only because the player's time is over.
    """
    lost = "doesn't win, so you'd lose on time" if on_time else "loses the game"
    return f"**{escape_turn(shorten_text(text))}** {lost}. Play it anyway?"


def which_game_for_turn_text(text: str) -> str:
    """Return the text that asks in which game to play a typed turn."""
    return f"Several games wait for you. In which one do you play {quote_text(text)}?"


def two_games_named_text(text: str, option: str) -> str:
    """Return the reply to a typed turn that names one game while the option `game` names another."""
    return f"You typed {text} but chose {option}, so nothing was played. Name one game."


def no_game_to_move_text(running: Sequence[GameBrief]) -> str:
    """Return the answer to a person who has no turn to play. `running` is their running games."""
    if not running:
        return texts.NO_RUNNING_GAMES
    named = running[:MOST_WAITING_NAMED]
    waiting = ", ".join(
        f"**{game_name(brief.id)}** {'for' if at else 'is waiting for'} {escape_text(brief.names[brief.asked])}"
        for at, brief in enumerate(named)
    )
    more = f" and {len(running) - len(named)} more" if len(running) > len(named) else ""
    return f"It's not your turn. {waiting}{more}."


def turn_choice_label(found: Completion, brief: ListedGame, user: int) -> str:
    """Return the label of a suggested turn: the turn, its effect on the board, and its game."""
    back = f"{found.returned} back" if found.returned else ""
    taken = ", ".join(filter(None, (back, f"{found.captured} captured" if found.captured else "")))
    return f"{found.text}{taken and f' ✕ {taken}'} · {game_label(brief, user)}"


# ── After a turn ──


def you_played_text(game: int, turn: Turn) -> str:
    """Return the confirmation that a turn was played in a game: the push, and what came off."""
    off = public_board.removed_pieces_count(turn.before, turn.actions)
    played = f"Played **{pressed_turn(turn.actions)}** in game {game_name(game)}"
    return f"{' · '.join(filter(None, (played, off)))}."


def played_in_records_line(game: Game, turn: Turn, notation: Notation) -> str:
    """Return the small line of that confirmation: the turn as records write it. Empty in a newcomer's game."""
    return records_line(turn.actions, game_notation(game, turn.before, turn.actions, notation))


def decided_text(game: Game) -> str:
    """Return the confirmation of a decision (R8.4). The opponent then decides in the same turn, or plays."""
    if game.decider is game.position.mover:
        return "Decided."
    owner = escape_text(game.seats[game.decider].name)
    return f"Played. Now {owner} decides about a GIPF-piece; then the turn goes on."


def already_played_text(text: str) -> str:
    """Return the answer to a player who has already played this turn."""
    return f"That button is from an earlier turn. Your last turn in this game was **{escape_turn(text)}**."


def game_ended_text(result: Result, colour: Colour) -> str:
    """Return the text that tells the player of `colour` how their turn has ended the game."""
    if result.winner is None:
        void = "it is void, as this position has occurred three times"
        return f"That ends the game: {void}. A new game starts by itself."
    if result.by is Reason.TIME and result.winner is not colour:
        return "That ends the game: your time was over and this turn didn't win, so you lost on time."
    return "That ends the game: you have **won**!" if result.winner is colour else "That ends the game: you have lost."


def games_waiting_text(number: int) -> str:
    """Return how many other games wait for the person. The text stands above the button to the next game."""
    few = {0: "No other game waits for you.", 1: "1 more game waits for you."}
    return few.get(number, f"{number} more games wait for you.")


def newest_board_text(link: str | None) -> str:
    """Return the answer that a board is out of date, with a link to the newest one if there is one."""
    return f"This board is out of date. Here is {link_to('the newest', link)}." if link else OLD_BOARD


# ── A game shown to one person ──


def watched_game_text(game: Game) -> str:
    """Return the sentence for somebody who wants to play a turn in a game of others."""
    white, black = (escape_text(seat.name) for seat in game.seats)
    return f"You watch this game: it is {white} vs {black}."


def private_board_heading(game: Game, user: int, outcome: str, away: int | None) -> str:
    """Return the heading of a board that is shown to one person.

    `outcome` says how a finished game ended. `away` is the end of the vacation of the player to move; None if they are
    not on vacation.
    """
    names = " vs ".join(f"{escape_text(seat.name)} ({colour})" for seat, colour in zip(game.seats, Colour, strict=True))
    said = f"**{game_name(game.id)}** · {names} · {ruleset_words(game.ruleset.name)}"
    if game.asked is None:
        return join_lines(f"{said} · the game is over.", outcome)
    asked = game.seats[game.asked]
    mine, name = asked.user == user, escape_text(asked.name)
    said = f"{said} · turn {pair_number(game.turn_number + 1)}, waiting for {'you' if mine else name}"
    if away is not None:
        left = game.clock.paused_left if game.clock else None
        return join_lines(f"{said}.", clock_texts.on_vacation_text(None if mine else name, away, left))
    grace = clock_texts.your_grace_text(game.clock, answering=game.answering) if mine else ""
    return join_lines(f"{said}{clock_texts.clock_summary(game)}.", grace)


# ── Ending a game ──


def confirm_resign_text(game: str, opponent: str, may_cancel: bool) -> str:
    """Return the text that asks whether to resign a game. With `may_cancel`, it also says that they can cancel it."""
    cancel = " You haven't both moved yet, so you can cancel it with no result." if may_cancel else ""
    return f"Resign {game} against {escape_text(opponent)}? That ends the game at once.{cancel}"


def resigned_text(game: str) -> str:
    """Return the confirmation that the person has resigned a game."""
    return f"You have resigned {game}."


def cancelled_text(game: str) -> str:
    """Return the confirmation that the person has cancelled a game."""
    return f"{game} is cancelled: no result."


def own_note_text(note: str) -> str:
    """Return a note as its author sees it on the desk; empty if the note is empty."""
    return join_lines(*(f"-# {escape_text(line)}" for line in note.splitlines() if line.strip()))


def note_text(game: int, note: str) -> str:
    """Return the answer that shows a person's note on a game, or says that there is none."""
    name = game_name(game)
    if not note:
        return f"You have no note on {name}. Nobody else will see what you write."
    return join_lines(f"Your note on {name}, which nobody else sees:", own_note_text(note))
