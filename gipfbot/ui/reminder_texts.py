"""What is said to remind a player, and about reminders."""

from gipfbot.match import Game
from gipfbot.notation import Notation, turn_text
from gipfbot.service.digests import Plan
from gipfbot.service.ids import game_name
from gipfbot.service.reminders import OFF, Reminding

from . import texts, time_texts

NUDGE, NUDGED = "Nudge", "Nudged: your opponent is pinged in the channel of the game, once for this turn."
NUDGED_LATER = "Your nudge is saved; it could not be posted yet and follows as soon as it can."
OFF_HERE, OFF_ALWAYS, DIGEST_OFF = "Off for this game", "Off for good", "No more digests"
NAMED = 40  # games in one message
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


def stranded(game: Game) -> str:
    """Return what a direct message says whose turn's board could not be posted; its first line stands alone."""
    first = f"It is your turn in {game_name(game.id)} vs {_opponent(game)}{time_texts.running(game)}"
    return texts.join(first, STRANDED)


STRANDED = (
    "I cannot post its board where it is played, but I keep trying. Play it here, or use **/gipf board** in a channel "
    "that both of you see: it brings the game there."
)


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


def off_for_good(plan: Plan) -> str:
    """Return the answer to who wants no reminders; his digest, where he has one, is another matter."""
    if plan.next is None:
        return "I remind you no more of any game. **/gipf-me reminders** with a time turns them on again."
    return "I remind you no more of single games. Your digest still comes; **/gipf-me reminders digest:off** ends it."


def digest_off(wish: str) -> str:
    """Return the answer to who wants no digest any more."""
    return texts.join("No digest comes any more. **/gipf-me reminders** with an hour turns it on again.", _single(wish))


def hour(hour: int) -> str:
    return f"{hour}:00"


def zone(name: str, time: str) -> str:
    """Return a time zone as it is offered, with what its clocks show."""
    return f"{name.replace('_', ' ')} · now {time}"


CHOOSE_ZONE = "Where is it as late as with you?"


def which_zone(hour: int) -> str:
    return (
        f"At {hour}:00 of which time zone? Discord does not tell me yours. Choose one below, or name a big city near "
        f"you: **/gipf-me reminders digest:{hour}:00 zone:…** Your digest begins then."
    )


def reminding(now: Reminding, plan: Plan, time: str) -> str:
    """Return what a person has set, and what follows from it; `time` is that in his zone."""
    names = ", ".join(map(game_name, now.quiet[:NAMED])) + (" …" if len(now.quiet) > NAMED else "")
    off = f"They are off for {names}; choose a time to turn them on again." if names else ""
    single = _single(now.wish) if plan.next is None else _beside_digest(now.wish)
    return texts.join(_digest(plan, time), single, SHUT if now.shut else "", off)


def _digest(plan: Plan, time: str) -> str:
    if plan.next is None or plan.hour is None or plan.zone is None:
        return ""
    at = f"**{hour(plan.hour)}** ({plan.zone}, where it is {time} now)"
    return f"A digest of all games that wait for you comes daily at {at}, next <t:{plan.next}:f>."


def _single(wish: str) -> str:
    if wish == OFF:
        return "You get no reminders. Choose a time to get one for each turn that has a time limit."
    return f"You get one reminder for each turn that has a time limit: {WHEN[wish]}, but not before half of it is over."


def _beside_digest(wish: str) -> str:
    if wish == OFF:
        return "You get no other reminders. Choose a time for turns whose time would be over before the next digest."
    return f"A turn whose time would be over before the next digest has its own reminder: {WHEN[wish]}."


SHUT = (
    "Your direct messages are shut to me, so I remind you in the channel of the game. "
    "Open them and use any command there, such as **/gipf games**, to get reminders there again."
)
