"""What is said about claiming a win in a game whose opponent has stopped playing."""

from gipfbot.match import Game
from gipfbot.service.kit.game_names import game_name
from gipfbot.ui.kit import text_parts

CLAIM_WIN_LABEL, NOT_NOW_LABEL = "Claim", "Not now"
NOTHING_TO_CLAIM = "None of your games without a time limit is waiting for your opponent. **/gipf games** lists them."
WHICH_GAME_TO_CLAIM = "You can claim several games. Which one?"
ALL_CLAIMED = "You've claimed all games that you can. **/gipf claim** with a **game** tells how long its claim runs."
NOTHING_CLAIMED = "Nothing was claimed. The game goes on."


def first_claimable_text(game: int, at: int) -> str:
    """Return the answer where no game can be claimed yet: which one can be first, and when."""
    return f"You can't claim a game yet. The first is {game_name(game)}, from <t:{at}:f>."


def claim_warning_text(game: Game, until: int, pinged: str = "") -> str:
    """Return the warning to the player to move; its first line stands alone."""
    assert game.asked is not None
    claimant = text_parts.escape_text(game.seats[game.asked.other].name)
    end = "the game is cancelled with no result" if game.may_cancel else f"{claimant} wins on time"
    return text_parts.join_lines(
        f"{pinged} {claimant} claims {game_name(game.id)}: play until <t:{until}:F> (<t:{until}:R>)".lstrip(),
        f"You haven't played for 30 days. Any move of yours ends the claim; otherwise {end}.",
        "Time while the bot is away, and your vacation, don't count.",
    )


def confirm_claim_text(game: Game) -> str:
    """Return the question before a game is claimed."""
    return text_parts.join_lines(
        f"Claim {game_name(game.id)}? {_awaited_player(game)} is warned publicly, and has 7 days to play.",
        f"If nothing happens until then, {_claim_outcome(game)}. You can't take a claim back; any move ends it.",
    )


def claim_made_text(game: Game, until: int, *, posted: bool) -> str:
    """Return the answer to somebody who has claimed a game."""
    to, name, outcome = _awaited_player(game), game_name(game.id), _claim_outcome(game)
    if posted:
        return f"{to} has been warned. If nothing happens in {name} until <t:{until}:F>, {outcome}."
    later = f"The warning to {to} couldn't be posted yet and follows as soon as possible."
    return f"{later} If nothing happens in {name} for 7 days from then, {outcome}."


def _awaited_player(game: Game) -> str:
    assert game.asked is not None
    return text_parts.escape_text(game.seats[game.asked].name)


def _claim_outcome(game: Game) -> str:
    return "the game is cancelled with no result" if game.may_cancel else "you win"
