"""What is said to remind a player, and about reminders."""

from collections.abc import Iterable

from gipfbot.match import Game
from gipfbot.notation import Notation, turn_text
from gipfbot.service.ids import game_name
from gipfbot.service.reminders import OFF

from . import texts, time_texts

NUDGE, NUDGED = "Nudge", "Nudged: your opponent is pinged in the channel of the game, once for this turn."
NUDGED_LATER = "Your nudge is saved; it could not be posted yet and follows as soon as it can."
OFF_HERE, OFF_ALWAYS = "Off for this game", "Off for good"
WHEN = {
    "50%": "when half of your time for a turn is left",
    "25%": "when a quarter of your time for a turn is left",
    "10%": "when a tenth of your time for a turn is left",
    "48h": "48 hours before your time is over",
    "24h": "24 hours before your time is over",
    "12h": "12 hours before your time is over",
    "6h": "6 hours before your time is over",
    "2h": "2 hours before your time is over",
    "off": "never",
}


def reminder(game: Game, notation: Notation, link: str | None, now: int) -> str:
    """Return what a direct message says to the player to move, whose clock runs; its first line stands alone."""
    opponent, last = _opponent(game), game.last
    moved = ""
    if last and last.colour is not game.position.mover:
        moved = f" · {opponent} played {texts.code(turn_text(last.before, last.actions, notation))}"
    first = f"Your turn in {game_name(game.id)} vs {opponent}: {_left(game, now)} left{moved}"
    return texts.join(first, _until(game), texts.board_link(link))


def call(game: Game, user: int, now: int) -> str:
    """Return what is said in the channel to the player to move, whose clock runs; its first line stands alone."""
    first = f"{texts.ping(user)} a reminder · {game_name(game.id)} vs {_opponent(game)} · {_left(game, now)} left"
    return texts.join(first, _until(game))


def nudge(game: Game, user: int) -> str:
    """Return what is said in the channel for the one who waits; its first line stands alone."""
    return f"{texts.ping(user)} {_opponent(game)} waits for your turn in {game_name(game.id)}{time_texts.running(game)}"


def _opponent(game: Game) -> str:
    return texts.plain(game.seats[game.position.mover.other].name)


def _left(game: Game, now: int) -> str:
    assert game.clock
    assert game.clock.deadline
    return time_texts.span(game.clock.deadline - now)


def _until(game: Game) -> str:
    assert game.clock
    return f"You have time until <t:{game.clock.deadline}:F> (<t:{game.clock.deadline}:R>)."


def off_here(game: int) -> str:
    return f"I remind you no more of {game_name(game)}. **/gipf-me reminders** with a time turns them on again."


OFF_FOR_GOOD = "I remind you no more of any game. **/gipf-me reminders** with a time turns them on again."


def reminding(wish: str, quiet: Iterable[int], *, shut: bool) -> str:
    """Return what a person has set, and what follows from it."""
    if wish == OFF:
        return "You get no reminders. Choose a time to get one for each turn that has a time limit."
    said = f"You get one reminder for each turn that has a time limit: {WHEN[wish]}, but not before half of it is over."
    names = ", ".join(map(game_name, quiet))
    off = f"They are off for {names}; choose a time to turn them on again." if names else ""
    return texts.join(said, SHUT if shut else "", off)


SHUT = (
    "Your direct messages are shut to me, so I remind you in the channel of the game. "
    "Open them and use any command there, such as **/gipf games**, to get reminders there again."
)
