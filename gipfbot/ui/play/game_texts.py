"""What is said about turns that were played, and about the end of a game."""

from gipfbot.match import Game
from gipfbot.notation import Completion
from gipfbot.rules import Colour, Reason, Result
from gipfbot.service.kit.game_names import game_name
from gipfbot.ui.kit import clock_texts, text_parts
from gipfbot.ui.kit.text_parts import escape_text, escape_turn, game_label, join_lines, link_to, shorten_text
from gipfbot.values import GameBrief

RESIGN_LABEL, CANCEL_GAME_LABEL, KEEP_PLAYING_LABEL = "Resign", "Call it off", "Keep playing"


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


def newest_board_text(link: str | None) -> str:
    return f"This board is an old one: here is {link_to('the newest', link)}." if link else OLD_BOARD


OLD_BOARD = "This board is an old one. Use **/gipf board**."


def confirm_resign_text(game: str, opponent: str, may_cancel: bool) -> str:
    call_off = " Not both of you have moved yet, so you can also call it off without a result." if may_cancel else ""
    return f"Resign {game} against {escape_text(opponent)}? That ends the game at once.{call_off}"


GAME_GOES_ON = "Good: the game goes on."


def resigned_text(game: str) -> str:
    return f"You have resigned {game}."


def cancelled_text(game: str) -> str:
    return f"{game} is called off; it counts for nobody."


def two_games_named_text(text: str, option: str) -> str:
    return f"Your text is for {text}, the option says {option}; nothing was played. Name one game."


TOO_LONG_TO_CONFIRM = "That turn is too long to be confirmed with one button; nothing was played. Play it here."


TURN_TOO_LONG = "That is far too long for a turn. Write it like g1-c3;xc2,d3,e4,f4, or use /move with nothing typed."


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


def which_game_for_turn_text(text: str) -> str:
    return f"Several games wait for you. In which one do you play `{text_parts.shorten_text(text.replace('`', ' '))}`?"


WHICH_GAME_TO_MOVE = "Several games wait for you. Which one?"


NO_GAME_TO_MOVE = "No game waits for you. **/gipf games** lists yours; **/gipf challenge** starts one."


NO_DRAWS = """\
GIPF knows no draw (R6.3): a game goes on until one of you cannot push, or has lost the last GIPF-piece.
• The same position for the third time makes the game void; the next one begins by itself, with colours swapped.
• **/gipf undo** asks to take a turn back, **/gipf resign** gives the game up or, before both have moved, calls it off.
• **/gipf claim** ends a game without time limit in which your opponent has not played for 30 days."""
