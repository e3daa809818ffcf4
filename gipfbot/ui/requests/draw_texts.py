"""The texts about draws by agreement."""

from gipfbot.match import DrawEvent, DrawStep, Game
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit import texts

OFFER_DRAW_LABEL = "Offer a draw"
BACK_LABEL = "Back"
DRAW_POSTED_LATER = "Your offer isn't posted yet; the bot keeps trying."
UNTIL_PLAYED = "The offer ends when one of you plays."


def confirm_draw_text(game: Game, user: int) -> str:
    """Return the text that asks a player whether to offer a draw."""
    opponent = _opponent(game, user)
    pinged = "" if game.terms.house else f" {opponent} is pinged."
    return f"Offer {opponent} a draw in {game_name(game.id)}?{pinged} {UNTIL_PLAYED}"


def draw_offer_text(game: Game, offer: DrawEvent) -> str:
    """Return the public text of an open draw offer.

    The first line is the push notification, so it must make sense alone.
    """
    if game.terms.house:
        opponent = _opponent(game, offer.by)
        return f"{_name(game, offer.by)} offers {opponent} a draw · {game_name(game.id)} · {opponent} answers soon"
    ping = texts.ping_user(draw_receiver(game, offer))
    return texts.join_lines(f"{ping} {_name(game, offer.by)} offers a draw · {game_name(game.id)}", UNTIL_PLAYED)


def draw_receiver(game: Game, offer: DrawEvent) -> int:
    """Return the user who can accept a draw offer."""
    return next(seat.user for seat in game.seats if seat.user != offer.by)


def draw_sent_text(game: Game, user: int, link: str | None) -> str:
    """Return the reply to a player whose draw offer is open.

    `link` is the address of the offer's message. None leaves the link out.
    """
    offered = texts.link_to("offered", link) if link else "offered"
    return f"You've {offered} {_opponent(game, user)} a draw in {game_name(game.id)}. {UNTIL_PLAYED}"


def draw_to_answer_text(game: Game, offer: DrawEvent) -> str:
    """Return the text of an open draw offer for the player who can accept it."""
    return f"{_name(game, offer.by)} offers a draw in {game_name(game.id)}. {UNTIL_PLAYED}"


def draw_settled_text(game: Game, step: DrawEvent) -> str:
    """Return the text of a draw offer that was answered. It pings nobody. Raises KeyError for an open offer."""
    by = _name(game, step.by)
    became = {
        DrawStep.ACCEPTED: f"accepted by {by}. The game is a draw.",
        DrawStep.DECLINED: f"declined by {by}. The game goes on.",
        DrawStep.WITHDRAWN: "withdrawn. The game goes on.",
    }[step.step]
    offered_by = by if step.step is DrawStep.WITHDRAWN else _opponent(game, step.by)
    return f"{offered_by}'s draw offer in {game_name(game.id)} was {became}"


def draw_closed_text(game: int) -> str:
    """Return the text of a draw offer that ended because somebody played. It pings nobody."""
    return f"This draw offer in {game_name(game)} is no longer open."


def _name(game: Game, user: int) -> str:
    return texts.escape_text(next(seat.name for seat in game.seats if seat.user == user))


def _opponent(game: Game, user: int) -> str:
    return texts.escape_text(next(seat.name for seat in game.seats if seat.user != user))
