"""Texts about following games and players."""

from collections.abc import Sequence

from gipfbot.match import Game
from gipfbot.notation import Notation, turn_text
from gipfbot.rules import Colour
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board import board_texts
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.texts import asked_for, escape_text, escape_turn, join_lines, short_turn, shorten_text
from gipfbot.values import Follow, LostReason, News

FOLLOW_LABEL, FOLLOWING_LABEL, STOP_LABEL = "Follow", "Following…", "Stop following"
NEWS_LABELS = {News.EACH_TURN: "Each turn", News.RESULT: "Only the result"}
STOP_PLACEHOLDER = "Stop following…"
WHICH_TO_FOLLOW = "Which game do you want to follow?"
NOTHING_TO_FOLLOW = "No games of others are running here that you can see. **/gipf follow player:** follows a player."
GAME_OR_PLAYER = "Choose a game or a player, not both. Nothing was changed."
FOLLOWS_A_BOT = "Bots play no games. Choose a person to follow."
FOLLOWS_NOTHING = "You follow nothing. **/gipf live** lists the games that you can follow."
NOT_FOLLOWED = "You don't follow this any more, so nothing was changed."
LONGEST_LISTED_NAME = 60  # characters
OFF = "off"


def followed_name(follow: Follow) -> str:
    """Return whom a person follows: a game with its players, or a player."""
    name = escape_text(shorten_text(follow.name, LONGEST_LISTED_NAME))
    return f"**{game_name(follow.game)}** {name}" if follow.game is not None else f"**{name}**"


def option_label(follow: Follow) -> str:
    """Return the label of a follow in a select."""
    return f"{game_name(follow.game)} {follow.name}" if follow.game is not None else follow.name


def _news_words(follow: Follow) -> str:
    if follow.news is News.EACH_TURN:
        return "each turn"
    return "the result" if follow.game is not None else "results only"


def following_text(follow: Follow) -> str:
    """Return the confirmation that a person follows a game or a player."""
    where = "" if follow.game is not None else " in games that you can see"
    return f"You follow {followed_name(follow)}: the bot sends you a direct message on {_news_words(follow)}{where}."


def unfollowed_text(follow: Follow) -> str:
    """Return the confirmation that a person has stopped following."""
    return f"You no longer follow {followed_name(follow)}."


def follows_text(follows: Sequence[Follow], most: int) -> str:
    """Return the list of what a person follows, which are at most `most`."""
    lines = [f"• {followed_name(follow)} · {_news_words(follow)}" for follow in follows]
    return "\n".join([f"**You follow** · {len(follows)} of {most}", *lines])


def lost_follows_text(lost: Sequence[Follow]) -> str:
    """Return the notice of what a person no longer follows without their doing. Empty if there is nothing."""
    if not lost:
        return ""
    lines = [f"• {followed_name(follow)}: {LOST_WORDS[follow.lost]}" for follow in lost if follow.lost]
    return "\n".join(["**You no longer follow:**", *lines])


LOST_WORDS = {
    LostReason.HIDDEN: "you can't see its channel any more",
    LostReason.SHUT: "your direct messages are shut",
    LostReason.REFUSED: "Discord didn't take the direct message",
    LostReason.IMPOSSIBLE: "it isn't possible any more",
}


# ── The direct messages ──


def news_text(game: Game, taken_back: Sequence[str], notation: Notation, link: str | None) -> str:
    """Return the text of a direct message to a follower. The first line is the push notification.

    `taken_back` are the texts of the turns that were just taken back. `link` leads to the newest board.
    """
    white, black = (escape_text(seat.name) for seat in game.seats)
    head = f"{game_name(game.id)} {white} vs {black}"
    if game.asked is None:
        said = f"{head} is over. {board_texts.outcome_text(new_board_message(game))}"
    else:
        said = f"{head} · {_happened(game, game.asked, taken_back, notation)}"
    return join_lines(said, texts.board_link_text(link))


def _happened(game: Game, asked: Colour, taken_back: Sequence[str], notation: Notation) -> str:
    awaited = f"{escape_text(game.seats[asked].name)}'s {asked_for(answering=game.answering)}"
    if taken_back:
        said = " and ".join(map(escape_turn, taken_back))
        return f"{said} {'was' if len(taken_back) == 1 else 'were'} taken back · {awaited}"
    assert game.last
    played = escape_turn(short_turn(turn_text(game.last.before, game.last.actions, notation)))
    return f"{escape_text(game.seats[game.last.colour].name)} played {played} · {awaited}"
