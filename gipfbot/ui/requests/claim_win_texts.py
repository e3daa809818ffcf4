"""The texts about claiming a win when the opponent has stopped playing."""

from gipfbot.match import Game
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit import texts

CLAIM_WIN_LABEL, NOT_NOW_LABEL = "Claim", "Not now"
NOTHING_TO_CLAIM = (
    "You have no game to claim. You can claim a game without a time limit if it is waiting for your opponent."
)
WHICH_GAME_TO_CLAIM = "You can claim several games. Which one?"
ALL_CLAIMED = "You've claimed every game you can. To see when a claim ends: **/gipf claim game:…**"
NOTHING_CLAIMED = "Nothing was claimed. The game goes on."


def first_claimable_text(game: int, at: int) -> str:
    """Return the reply to a player who cannot claim any game yet.

    `game` is the game that can be claimed first. It can be claimed from `at` on, in UTC seconds.
    """
    return f"You can't claim a game yet. You can claim {game_name(game)} from <t:{at}:f>."


def claim_warning_text(game: Game, until: int, pinged: str = "") -> str:
    """Return the warning that the opponent claims the game. The player to move has until `until`, in UTC seconds.

    The first line is the push notification, so it must make sense alone. `pinged` is the player's ping, empty in a
    direct message.
    """
    assert game.asked is not None
    claimant = texts.escape_text(game.seats[game.asked.other].name)
    end = "the game is cancelled with no result" if game.may_cancel else f"{claimant} wins on time"
    wanted, stalled = ("play a turn", "played") if not game.answering else ("decide in their turn", "decided")
    return texts.join_lines(
        f"{pinged} {claimant} has claimed {game_name(game.id)}: {wanted} by <t:{until}:F> (<t:{until}:R>)".lstrip(),
        f"You haven't {stalled} for 30 days. If you do, the claim ends; otherwise {end}.",
        "You get more time if you're on vacation or if the bot is offline.",
    )


def confirm_claim_text(game: Game) -> str:
    """Return the question that asks a player to confirm the claim of a win."""
    return texts.join_lines(
        f"Claim {game_name(game.id)}? {_awaited_player(game)} will be warned publicly and then has 7 days to play.",
        f"If they don't, {_claim_outcome(game)}. You can't withdraw a claim; it ends if they play.",
    )


def claim_made_text(game: Game, until: int, *, posted: bool) -> str:
    """Return the reply to a player who has claimed a win. `posted` says whether the warning has been posted.

    `until` is the end of the warning in UTC seconds.
    """
    to, name, outcome = _awaited_player(game), game_name(game.id), _claim_outcome(game)
    if posted:
        return f"{to} has been warned. If they don't play in {name} by <t:{until}:F>, {outcome}."
    later = f"The warning to {to} isn't posted yet; the bot keeps trying."
    return f"{later} Once warned, they have 7 days to play in {name}. If they don't, {outcome}."


def _awaited_player(game: Game) -> str:
    assert game.asked is not None
    return texts.escape_text(game.seats[game.asked].name)


def _claim_outcome(game: Game) -> str:
    return "the game is cancelled with no result" if game.may_cancel else "you win"
