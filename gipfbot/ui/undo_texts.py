"""What is said about taking a turn back."""

from collections.abc import Sequence

from gipfbot.match import Game, State, Undo
from gipfbot.service.ids import game_name

from . import texts


def taken_back(turns: Sequence[str]) -> str:
    """Return what the board says that undoes these turns."""
    said = " and ".join(map(texts.code, turns))
    return f"{said} {'was' if len(turns) == 1 else 'were'} taken back by consent"


def _names(offer: Undo, game: Game) -> tuple[str, str]:
    """Return who asks, and who is asked."""
    colour = game.colour(offer.by)
    assert colour is not None
    return texts.plain(game.seats[colour].name), texts.plain(game.seats[colour.other].name)


def receiver(offer: Undo, game: Game) -> int:
    """Return who is asked to agree."""
    return next(seat.user for seat in game.seats if seat.user != offer.by)


def request(offer: Undo, game: Game) -> str:
    """Return the text of an open request; its first line stands alone."""
    by, _ = _names(offer, game)
    return texts.join(
        f"{texts.ping(receiver(offer, game))} {by} asks to take back {_with(offer, 'your')} · {game_name(game.id)}",
        f"Accept or decline until <t:{offer.expires_at}:D>; it lapses as soon as one of you plays.",
        _consequences(game),
    )


def _back(offer: Undo) -> str:
    """Name the turns that a request is about."""
    return " and ".join(_named(offer))


def _named(offer: Undo) -> list[str]:
    return [texts.code(turn) for turn in offer.turns] or [f"turn {offer.turn}"]


def _with(offer: Undo, whose: str) -> str:
    """Name the turn that somebody wants to take back, and the answer to it."""
    first, *answer = _named(offer)
    return f"{first}, and with it {whose} answer {answer[0]}" if answer else first


def _consequences(game: Game) -> str:
    """Say what comes of taking turns back."""
    dropped = "answers left in advance in this game are dropped"
    clocks = "both have the time again that they had when that turn began, and " if game.clock else ""
    return f"If it is accepted, {clocks}{dropped}."


def settled(offer: Undo, game: Game) -> str:
    """Return the text of a request that is no longer open; it pings nobody."""
    by, to = _names(offer, game)
    became = {
        State.ACCEPTED: f"was accepted by {to}; the board follows.",
        State.DECLINED: f"was declined by {to}: the game goes on.",
        State.WITHDRAWN: "was withdrawn: the game goes on.",
        State.EXPIRED: "has lapsed: the game has gone on without it, or it was not answered in time.",
    }[offer.state]
    return f"{by}'s request to take back {_back(offer)} in {game_name(game.id)} {became}"


def asked(offer: Undo, game: Game, link: str | None) -> str:
    """Return the answer to whoever has asked."""
    _, to = _names(offer, game)
    said = texts.link_to("asked", link) if link else "asked"
    return texts.join(
        f"{to} has been {said} to let you take back {_with(offer, 'their')} in {game_name(game.id)}.",
        f"Until you have an answer the game stands as it is. {_consequences(game)}",
    )


def asked_already(offer: Undo, game: Game, link: str | None) -> str:
    """Return the answer to whoever asks again before he has an answer."""
    _, to = _names(offer, game)
    later = "It could not be posted yet; it follows as soon as it can."
    said = f" {texts.link_to('Here is your request', link)}." if link else f" {later}"
    what = f"to take back {_back(offer)} in {game_name(game.id)}"
    return f"You have asked already {what}: now it is for {to} to answer.{said}"


def answer_first(offer: Undo, game: Game) -> str:
    """Return the answer to whoever asks while he has been asked himself."""
    by, _ = _names(offer, game)
    asked = f"{by} has asked you first, to take back {_back(offer)} in {game_name(game.id)}: please answer that."
    return texts.join(asked, _consequences(game))


POSTED_LATER = "Your request is saved; it could not be posted yet and follows as soon as it can."
