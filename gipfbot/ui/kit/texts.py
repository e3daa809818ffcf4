"""Every sentence a person reads, in one place: short, friendly, exact, and telling what to do next."""

import re
from collections.abc import Sequence

from gipfbot.match import Challenge, Game
from gipfbot.notation import NOTATIONS, Completion, Notation
from gipfbot.rules import Action, Colour, Kind, Piece, Position, Push, Reason, Result, play
from gipfbot.rules.changes import Removed
from gipfbot.rules.pending import Question, RowChoice
from gipfbot.rules.pieces import WORTH
from gipfbot.service.kit.game_names import game_name
from gipfbot.service.records.studies import ListedGame
from gipfbot.store import GameBrief
from gipfbot.ui.clock import clock_texts

from .pictures import describe_actions

GIPF_PIECE_LABEL, BASIC_PIECE_LABEL = "GIPF-piece", "Basic piece"
TAKE_FIRST_LABEL, PUSH_THEN_TAKE_LABEL, OTHER_DIRECTION_LABEL = (
    "Take GIPF-pieces…",
    "Push, then take…",
    "Other direction",
)
OTHER_PIECE_LABEL, KEEP_ALL_LABEL, BACK_LABEL, DONE_LABEL = "Other piece", "Keep all, end the turn", "Back", "Done"
DOT_PLACEHOLDER, GAME_PLACEHOLDER = "Choose a dot", "Choose a game"
KIND_CAPTION, DOT_CAPTION, PUSH_CAPTION = "Which piece do you bring in?", "Choose a dot", "Push, or choose another dot"
ROW_CAPTION, PIECES_CAPTION = "Which row comes first?", "Which GIPF-pieces do you take?"
ACCEPT_LABEL, DECLINE_LABEL, WITHDRAW_LABEL, TAKE_SEEK_LABEL = "Accept", "Decline", "Withdraw", "Play"
RESIGN_LABEL, CANCEL_GAME_LABEL, KEEP_PLAYING_LABEL = "Resign", "Call it off", "Keep playing"
MOVE_LABEL, REMOVE_LABEL = "Move", "Remove"
RECORD_LABEL, STUDY_LABEL, REMATCH_LABEL = "Record", "Study", "Rematch"
LIST_LENGTH = 1300  # of the 2,000 characters of a message; the rest is for what follows a list
WHOLE_LENGTH = 1950
MESSAGE_LENGTH = 2000  # characters, which Discord's limit is


def escape_text(name: str) -> str:
    """Return a name so that Discord shows it as it is, links nowhere and pings nobody."""
    escaped = "".join(f"\\{char}" if char in "\\*_~`|>[]()#" else char for char in name)
    return escaped.replace("@", "@\u200b").replace("://", ":\u200b//")


def join_lines(*parts: str) -> str:
    """Return the sentences that there are, one a line."""
    return "\n".join(part for part in parts if part)


def with_code_block(text: str, block: str) -> str:
    """Return a text with lines below that keep their places; of the text as many lines as one message then holds."""
    room, lines = MESSAGE_LENGTH - len(block) - len("\n```\n\n```"), text.splitlines()
    while len(lines) > 1 and len("\n".join(lines)) > room:
        lines.pop()
    return join_lines(shorten_text("\n".join(lines), room), "```", block, "```")


def shorten_text(text: str, most: int = 60) -> str:
    """Return a text that somebody typed, cut to a length that can be shown."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def escape_turn(text: str) -> str:
    return text.replace("*", "\\*")


def ping_user(user: int) -> str:
    return f"<@{user}>"


def game_label(brief: ListedGame, user: int) -> str:
    return f"{game_name(brief.id)} vs {opponent_of(brief, user)}"


def opponent_of(brief: ListedGame, user: int) -> str:
    return brief.names[1] if brief.users[0] == user else brief.names[0]


# ── The desk ──


def choose_kind_text() -> str:
    return (
        "Bring in a **GIPF-piece** (2 of your reserve) or a **basic piece**? "
        "After your first basic piece you may bring in no more GIPF-pieces."
    )


def choose_dot_text(kind: Kind, *, tried: bool) -> str:
    """Return what asks for a dot; of a turn that is only tried nothing is final anyway."""
    said = f"Choose the dot for your {'GIPF-piece' if kind is Kind.GIPF else 'piece'}."
    return said if tried else f"{said} Nothing is final until you press Push."


def confirm_push_text(push: Push, text: str) -> str:
    return f"Your piece lies on **{push.dot}**. Push it to play **{escape_turn(text)}**, or choose another dot to take it back."


def push_label(dot: str, furthest: str) -> str:
    return f"Push {dot}→{furthest}"


GIPF_PIECE_REQUIRED = (
    "A basic piece is not possible now: until you have a GIPF-piece on the board you must bring one in "
    "(R5.1, FAQ 12): press **GIPF-piece**."
)
TOO_FEW_FOR_GIPF_PIECE = "A GIPF-piece costs 2 of your reserve, and you have only 1 left (R5.3): press **Basic piece**."


def choose_row_text(asked: Question) -> str:
    if asked.due:
        return "These rows share a spot: which one do you remove first? What it takes no longer counts for the other."
    if not asked.pushes and not asked.pushed:
        return "You have nothing left to push: take at least one GIPF-piece. From which row?"
    return "These rows hold GIPF-pieces only and may stay. From which one do you take?"


def choose_pieces_text(position: Position, row: RowChoice, *, may_keep: bool) -> str:
    name = f"Row **{row_name(row)}**"
    if not row.due and not may_keep:
        return f"{name} holds GIPF-pieces only. You have nothing left to push: take at least one, then press Done."
    if not row.due:
        return f"{name} holds GIPF-pieces only and may stay whole. Press the numbers of those you take, then Done."
    return f"{name}: {_row_effect(position, row)}. Press the number of a GIPF-piece to take it too, then Done."


def _row_effect(position: Position, row: RowChoice) -> str:
    returned, captured = _row_worth(position, row)
    return ", ".join(part for part in (returned and f"{returned} return", captured and f"{captured} captured") if part)


def _row_worth(position: Position, row: RowChoice) -> tuple[int, int]:
    pieces = position.pieces()
    gone = [pieces[spot] for spot in row.must]
    own = sum(WORTH[piece.kind] for piece in gone if piece.owner is position.mover)
    return own, sum(WORTH[piece.kind] for piece in gone) - own


def row_name(row: RowChoice) -> str:
    return f"{row.stretch[0]}–{row.stretch[-1]}"


def row_label(letter: str, position: Position, row: RowChoice) -> str:
    return f"{letter} {row_name(row)}: {_row_effect(position, row) if row.due else 'may stay'}"


def piece_toggle_label(number: int, toggle: Sequence[str], goes: bool) -> str:
    return f"{number} G{' G'.join(toggle)} {'goes' if goes else 'stays'}"


def forced_removals_text(turn_start: Position, draft: Sequence[Action], then: Sequence[Action]) -> str:
    """Say which removals without a choice are done for the player who is asked now."""
    position = turn_start
    for action in draft:
        position = play(position, action)
    removed = (event for event in describe_actions(position, then) if isinstance(event, Removed))
    return join_lines(*(f"Your row had to go and left no choice: {_removed_pieces_text(event)}." for event in removed))


def _removed_pieces_text(event: Removed) -> str:
    parts = []
    if event.returned:
        parts.append(f"{piece_codes(event.returned)} returned to the reserve")
    if event.captured:
        parts.append(f"{piece_codes(event.captured)} captured")
    return ", ".join(parts)


def piece_codes(gone: Sequence[tuple[str, Piece]]) -> str:
    return " ".join(f"{piece.kind}{spot}" for spot, piece in gone)


def you_played_text(text: str) -> str:
    return f"Played **{escape_turn(text)}**."


def already_played_text(text: str) -> str:
    return f"You have already played **{escape_turn(text)}** here."


def games_waiting_text(number: int) -> str:
    return {0: "No other game waits for you.", 1: "1 game waits:"}.get(number, f"{number} games wait:")


def game_ended_text(result: Result, colour: Colour) -> str:
    if result.winner is None:
        void = "it is void, the same position stands for the third time (R6.3)"
        return f"That ends the game: {void}. The next one begins by itself."
    if result.by is Reason.TIME and result.winner is not colour:
        return (
            "That ends the game: your time was over before, and this turn did not win, so it is lost on time "
            "(R6.4, FAQ 11)."
        )
    return "That ends the game: you have **won**!" if result.winner is colour else "That ends the game: you have lost."


BOARD_FOLLOWS = "Your turn stands. Its board could not be posted yet and follows as soon as Discord takes it."
CHANNEL_UNREACHABLE = (
    "Your turn stands, but its board cannot be posted in the game's channel. "
    "Use **/gipf board** in a channel that both of you see: it brings the game there."
)


def next_game_label(brief: GameBrief, user: int) -> str:
    return shorten_text(f"Next: {game_label(brief, user)}", 80)


def open_turn_text(text: str, asked: Question) -> str:
    typed = f"`{shorten_text(' '.join(text.replace('`', ' ').split()))}`"
    if asked.pushed:
        return f"Your push is made; your text ({typed}) leaves open what you take, so I ask you here."
    if asked.due:
        return f"First a removal of yours that {typed} leaves open; what comes after it you then play or type again."
    return f"Read {typed}. Now your push:"


def newest_board_text(link: str | None) -> str:
    return f"This board is an old one: here is {link_to('the newest', link)}." if link else OLD_BOARD


OLD_BOARD = "This board is an old one. Use **/gipf board**."


def link_to(words: str, address: str) -> str:
    """Return words that lead to a message; the bare address would fill three lines of a phone."""
    return f"[{words}]({address})"


# ── The end ──


def confirm_resign_text(game: str, opponent: str, may_cancel: bool) -> str:
    call_off = " Not both of you have moved yet, so you can also call it off without a result." if may_cancel else ""
    return f"Resign {game} against {escape_text(opponent)}? That ends the game at once.{call_off}"


GAME_GOES_ON = "Good: the game goes on."


def resigned_text(game: str) -> str:
    return f"You have resigned {game}."


def cancelled_text(game: str) -> str:
    return f"{game} is called off; it counts for nobody."


# ── Anything wrong ──


OWN_CHALLENGE_DECLINED = "This is your own challenge: withdraw it if you like."
UNKNOWN_BUTTON = "I do not know this button any more; nothing was changed. **/gipf games** lists your games."


def escape_sentence(said: object) -> str:
    """Return a sentence that quotes what somebody typed so that Discord shows it as it is and pings nobody."""
    return re.sub(r"([\\*_~`|<>])", r"\\\1", str(said)).replace("@", "@\u200b")


def bad_game_name_text(text: str) -> str:
    said = shorten_text(text.replace("`", " "), 20)
    return f"`{said}` is no game. Games are called #a7, #b12, …; **/gipf games** lists yours."


def two_games_named_text(text: str, option: str) -> str:
    return f"Your text is for {text}, the option says {option}; nothing was played. Name one game."


TOO_LONG_TO_CONFIRM = "That turn is too long to be confirmed with one button; nothing was played. Play it here."
TURN_TOO_LONG = "That is far too long for a turn. Write it like g1-c3;xc2,d3,e4,f4, or use /move with nothing typed."
SOMETHING_WENT_WRONG = (
    "Something went wrong on my side. Your move is either saved whole or not played at all: see **/gipf board**."
)
NOT_BOTH_SEE_CHANNEL = (
    "This game cannot go on where it was: its channel is gone, or a player has left. "
    "Use **/gipf board** in a channel of a server that both of you can see."
)


def board_link_text(link: str | None) -> str:
    return link_to("The newest board", link) if link else ""


def relocated_text(game: str) -> str:
    return f"{game} now has its boards here."


NO_DRAWS = """\
GIPF knows no draw (R6.3): a game goes on until one of you cannot push, or has lost the last GIPF-piece.
• The same position for the third time makes the game void; the next one begins by itself, with colours swapped.
• **/gipf undo** asks to take a turn back, **/gipf resign** gives the game up or, before both have moved, calls it off.
• **/gipf claim** ends a game without time limit in which your opponent has not played for 30 days."""

HELP_TEXT = """\
**GIPF by correspondence.** Each turn you put a piece on a dot and push it one step along a line. Four or more of \
your colour in a row leave the board: yours return to your reserve, your opponent's are captured.
• **/gipf challenge** asks somebody (or anybody) for a game of Basic, Standard or Tournament; so does *Challenge to \
GIPF* in the menu of a person.
• **/move** plays: type a turn such as `e2`, `Ge8` or `g1-c3;xc2,d3,e4,f4`, or type nothing and use buttons.
• **/gipf board** shows a game or a study to you alone, and moves a game here when its channel is gone.
• **/gipf record** sends a game as a file; **/gipf import** makes a study of one: step through it and try other turns.
• **/gipf replay** shows a game in motion.
• **/gipf games** lists what waits for you, **/gipf note** keeps a note of yours, **/gipf seeks** tells \
who looks for a game, **/gipf resign** gives one up.
• **/gipf if** leaves an answer to a turn that your opponent may play: it plays itself, and nobody sees it before.
• **/gipf undo** asks to take a turn back, **/gipf claim** ends a game that your opponent has left.
• **/gipf-server settings** is for those who manage a server: terms, the channel for games, and more.
• **/gipf-me settings** chooses whether a typed turn is shown to you before it is played, and, with `notation`, how \
turns are written for you.
• **/gipf-me reminders** chooses when you are reminded, or one digest a day; **/gipf-me vacation** stops \
your clocks for some days.
A push to a vacant spot is written as that spot (`e2`), any other as dot and furthest spot moved (`e1-e4`). \
`x` lists what a row takes off the board, `G` is a GIPF-piece, `*` a captured piece. \
You may as well type Julio974's notation, such as `g1*` or `g1*Xf6`.
**Winning:** your opponent has no piece left to push, or (Standard, Tournament) no GIPF-piece on the board.
Every game has a short name such as #a7. Challenges and seeks need a channel of a server; all else works in my direct \
messages, too."""

GAME_MOVED_ON = "The game has moved on since that was drawn; this is how it stands now."
GAME_JUST_CHANGED = "The game changed at that very moment; nothing was played. Have another look with **/gipf board**."
NO_ANSWER_FOLLOWS = "Your opponent's time is over: any turn now ends the game (R6.4), so no answer can follow it."
PLAY_LABEL, PLAY_ANYWAY_LABEL, SOMETHING_ELSE_LABEL = "Play it", "Play it anyway", "Something else"


def desk_heading(game: Game, user: int) -> str:
    colour = game.colour_of(user)
    assert colour is not None
    opponent = escape_text(game.seats[colour.other].name)
    title = f"**{game_name(game.id)}** vs {opponent} · you are {colour} · turn {game.turn_number + 1}"
    return join_lines(f"{title}{clock_texts.clock_summary(game)}", clock_texts.your_grace_text(game.clock))


def confirm_typed_text(text: str) -> str:
    return f"You typed **{escape_turn(shorten_text(text))}**; the picture shows it. Play it?"


def confirm_loss_text(text: str, *, on_time: bool) -> str:
    """Return what is asked before a turn that loses the game, on time or by itself."""
    lost = "does not win, so the game would be lost on time" if on_time else "loses the game"
    return f"The picture shows **{escape_turn(shorten_text(text))}**: it {lost}. Play it anyway?"


NAME_THE_GAME = "Several games are possible: name one with the option **game**, such as #a7. Nothing was done."
PLAYED_ELSEWHERE = "That game is played on another server; only its players can look at it from here."
CANNOT_SEE_GAME = "You cannot see the channel of that game; only its players can look at it from here."
NOT_YOUR_GAME = "You do not play in this game. **/gipf games** lists yours, **/gipf challenge** starts one."
ASKED_AGAIN = "The game has changed since you were asked, so I ask again; nothing was done."


def turn_choice_label(found: Completion, brief: GameBrief, user: int) -> str:
    home = f"{found.returned} return{'s' if found.returned == 1 else ''}" if found.returned else ""
    taken = ", ".join(filter(None, (home, f"{found.captured} captured" if found.captured else "")))
    return f"{found.text}{taken and f' ✕ {taken}'} · {game_label(brief, user)}"


def private_board_heading(game: Game, user: int, outcome: str, away: int | None) -> str:
    """Return what stands above a board that is shown to one person.

    `outcome` says how a finished game ended, `away` until when the player is on vacation whom it waits for.
    """
    names = " vs ".join(f"{escape_text(seat.name)} ({colour})" for seat, colour in zip(game.seats, Colour, strict=True))
    said = f"**{game_name(game.id)}** · {names} · {game.ruleset.name.capitalize()}"
    if game.asked is None:
        return join_lines(f"{said} · the game is over.", outcome)
    asked = game.seats[game.asked]
    mine = asked.user == user
    said = f"{said} · turn {game.turn_number + 1}, waiting for {'you' if mine else escape_text(asked.name)}"
    if away is not None:
        who_is, left = (
            "You are" if mine else f"{escape_text(asked.name)} is",
            game.clock.paused_left if game.clock else None,
        )
        return join_lines(f"{said}.", clock_texts.on_vacation_text(who_is, away, left))
    return join_lines(
        f"{said}{clock_texts.clock_summary(game)}.", clock_texts.your_grace_text(game.clock) if mine else ""
    )


def user_settings_text(confirm: bool, notation: Notation, theme: str, *, own_side: bool) -> str:
    """Return what a person has set, and how to change it."""
    said = "is shown to you before it is played" if confirm else "is played at once"
    other = next(name for name, other in NOTATIONS.items() if other is not notation)
    return join_lines(
        f"A typed turn {said}. Change it with **/gipf-me settings confirm_typed:{not confirm}**.",
        f"Turns are written for you in {notation.title} notation, as in {NOTATION_EXAMPLES[notation.name]}; you may type "
        f"either. Change it with **/gipf-me settings notation:{NOTATIONS[other].title.capitalize()}**.",
        f"Your private boards have the theme **{theme}**; the samples below show all. "
        "**/gipf-me settings theme:…** changes it.",
        f"As Black you see them from {'your own side' if own_side else 'the side of White'}. Change it with "
        f"**/gipf-me settings own_side:{not own_side}**.",
        "Boards that everybody sees are in official notation, and look as the server has set it.",
    )


NOTATION_EXAMPLES = {"official": "`g1-c3;xc2,d3,e4,f4`", "julio974": "`g1*X`"}  # one turn, written in either


def seek_button_label(number: int, challenge: Challenge, user: int) -> str:
    """Return what the button of a seek says that has this number in its list."""
    what = (
        f"{WITHDRAW_LABEL} my seek" if challenge.by.user == user else f"{TAKE_SEEK_LABEL} against {challenge.by.name}"
    )
    return f"{number} · {what}"


DEMO_WELCOME = """\
**Welcome** to a simulated Discord: nothing leaves your computer.
**Try this first:** you are Ann, and it is your turn. Press **Move** above, choose the dot **f8** and press **Push \
f8→f7**: that makes a row. Then choose **Bob** under *Viewing as* at the top and answer. You can also type your turns: \
`/move`. `/gipf help` explains the rest."""
