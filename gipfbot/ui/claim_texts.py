"""What is said about claiming a game that nobody goes on with."""

from gipfbot.match import Game
from gipfbot.service.ids import game_name

from . import texts

CLAIM, NOT_NOW = "Claim", "Not now"
NONE = "No game of yours without a time limit waits for an opponent. **/gipf games** lists your games."
WHICH = "You may claim several games. Which one?"
ALL_CLAIMED = "You have claimed all that you can. **/gipf claim** with a **game** tells how long its claim runs."
KEPT = "Nothing was claimed: the game goes on as it is."


def not_yet(game: int, at: int) -> str:
    """Return that no game can be claimed yet, and which can be first, and from when on."""
    return f"None of your games can be claimed yet. The first is {game_name(game)}, from <t:{at}:f> on."


def warning(game: Game, until: int, pinged: str = "") -> str:
    """Return what is said to the player who lets another wait; its first line stands alone."""
    assert game.asked is not None
    claimant = texts.plain(game.seats[game.asked.other].name)
    end = (
        "not both of you have moved, so it is then called off without a result."
        if game.may_abort
        else f"otherwise {claimant} wins on time."
    )
    return texts.join(
        f"{pinged} {claimant} claims {game_name(game.id)}: play until <t:{until}:F> (<t:{until}:R>)".lstrip(),
        f"Nothing has happened in it for 30 days. Any move of yours ends the claim; {end}",
        "Should I be away meanwhile, you have as much longer; a vacation of yours comes first, too.",
    )


def ask(game: Game) -> str:
    """Return what is asked before a game is claimed."""
    return texts.join(
        f"Do you want to claim {game_name(game.id)}? {_opponent(game)} is warned publicly, and has 7 days to play.",
        f"If nothing happens until then, {_end(game)}. A claim cannot be taken back; any move ends it.",
    )


def claimed(game: Game, until: int, *, posted: bool) -> str:
    """Return the answer to whoever has claimed a game."""
    name = game_name(game.id)
    if posted:
        return f"{_opponent(game)} is warned: if nothing happens in {name} until <t:{until}:F>, {_end(game)}."
    later = f"The warning to {_opponent(game)} could not be posted yet; it follows as soon as it can."
    return f"{later} If nothing happens in {name} in the 7 days from then on, {_end(game)}."


def _opponent(game: Game) -> str:
    assert game.asked is not None
    return texts.plain(game.seats[game.asked].name)


def _end(game: Game) -> str:
    return "the game is called off without a result" if game.may_abort else "you have won"
