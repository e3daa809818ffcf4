"""What is said about claiming a game that nobody goes on with."""

from gipfbot.match import Game
from gipfbot.service.kit.game_names import game_name
from gipfbot.ui.kit import text_parts

CLAIM_WIN_LABEL, NOT_NOW_LABEL = "Claim", "Not now"
NOTHING_TO_CLAIM = "No game of yours without a time limit waits for an opponent. **/gipf games** lists your games."
WHICH_GAME_TO_CLAIM = "You may claim several games. Which one?"
ALL_CLAIMED = "You have claimed all that you can. **/gipf claim** with a **game** tells how long its claim runs."
NOTHING_CLAIMED = "Nothing was claimed: the game goes on as it is."


def first_claimable_text(game: int, at: int) -> str:
    """Return that no game can be claimed yet, and which can be first, and from when on."""
    return f"None of your games can be claimed yet. The first is {game_name(game)}, from <t:{at}:f> on."


def claim_warning_text(game: Game, until: int, pinged: str = "") -> str:
    """Return what is said to the player who lets another wait; its first line stands alone."""
    assert game.asked is not None
    claimant = text_parts.escape_text(game.seats[game.asked.other].name)
    end = (
        "not both of you have moved, so it is then called off without a result."
        if game.may_cancel
        else f"otherwise {claimant} wins on time."
    )
    return text_parts.join_lines(
        f"{pinged} {claimant} claims {game_name(game.id)}: play until <t:{until}:F> (<t:{until}:R>)".lstrip(),
        f"Nothing has happened in it for 30 days. Any move of yours ends the claim; {end}",
        "Should I be away meanwhile, you have as much longer; a vacation of yours comes first, too.",
    )


def confirm_claim_text(game: Game) -> str:
    """Return what is asked before a game is claimed."""
    return text_parts.join_lines(
        f"Do you want to claim {game_name(game.id)}? {_awaited_player(game)} is warned publicly, and has 7 days to play.",
        f"If nothing happens until then, {_claim_outcome(game)}. A claim cannot be taken back; any move ends it.",
    )


def claim_made_text(game: Game, until: int, *, posted: bool) -> str:
    """Return the answer to whoever has claimed a game."""
    name = game_name(game.id)
    if posted:
        return f"{_awaited_player(game)} is warned: if nothing happens in {name} until <t:{until}:F>, {_claim_outcome(game)}."
    later = f"The warning to {_awaited_player(game)} could not be posted yet; it follows as soon as it can."
    return f"{later} If nothing happens in {name} in the 7 days from then on, {_claim_outcome(game)}."


def _awaited_player(game: Game) -> str:
    assert game.asked is not None
    return text_parts.escape_text(game.seats[game.asked].name)


def _claim_outcome(game: Game) -> str:
    return "the game is called off without a result" if game.may_cancel else "you have won"
