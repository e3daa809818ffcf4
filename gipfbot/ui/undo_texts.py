"""What is said about taking a turn back, about claiming a game that nobody goes on with, and about draws."""

from collections.abc import Sequence

from gipfbot.match import Game, State, Undo
from gipfbot.service.ids import game_name

from . import texts

CLAIM = "Claim"


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


def request(offer: Undo, game: Game, turns: Sequence[str]) -> str:
    """Return the text of an open request to take back these turns; its first line stands alone."""
    by, _ = _names(offer, game)
    also = f", and with it your answer {texts.code(turns[1])}" if len(turns) > 1 else ""
    first = f"{texts.ping(receiver(offer, game))} {by} asks to take back {texts.code(turns[0])}{also}"
    return texts.join(
        f"{first} · {game_name(game.id)}",
        f"Accept or decline until <t:{offer.expires_at}:D>; it lapses as soon as one of you plays.",
    )


def settled(offer: Undo, game: Game) -> str:
    """Return the text of a request that is no longer open; it pings nobody."""
    by, to = _names(offer, game)
    became = {
        State.ACCEPTED: f"was accepted by {to}; the board follows.",
        State.DECLINED: f"was declined by {to}: the game goes on.",
        State.WITHDRAWN: "was withdrawn: the game goes on.",
        State.EXPIRED: "has lapsed: the game has gone on without it, or it was not answered in time.",
    }[offer.state]
    return f"{by}'s request to take back turn {offer.turn} of {game_name(game.id)} {became}"


def asked(offer: Undo, game: Game, link: str | None) -> str:
    """Return the answer to whoever has asked."""
    _, to = _names(offer, game)
    said = texts.link_to("asked", link) if link else "asked"
    return f"{to} has been {said} to let you take your turn back. Until you have an answer the game stands as it is."


def asked_already(offer: Undo, game: Game, link: str | None) -> str:
    """Return the answer to whoever asks again before he has an answer."""
    _, to = _names(offer, game)
    said = f" {texts.link_to('Here is your request', link)}." if link else ""
    return f"You have asked already: now it is for {to} to answer.{said}"


def answer_first(offer: Undo, game: Game, turns: Sequence[str]) -> str:
    """Return the answer to whoever asks while he has been asked himself."""
    by, _ = _names(offer, game)
    back = " and ".join(map(texts.code, turns))
    return f"{by} has asked you first, to take back {back} in {game_name(game.id)}: please answer that."


POSTED_LATER = "Your request is saved; it could not be posted yet and follows as soon as it can."

# ── Claims ──


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
    )


def claimed(game: Game, until: int, *, posted: bool) -> str:
    """Return the answer to whoever has claimed a game."""
    assert game.asked is not None
    opponent = texts.plain(game.seats[game.asked].name)
    warned = f"{opponent} is warned" if posted else f"The warning to {opponent} is posted as soon as it can be"
    end = "the game is called off without a result" if game.may_abort else "you have won"
    return f"{warned}: if nothing happens in {game_name(game.id)} until <t:{until}:F>, {end}."


# ── Draws ──

NO_DRAW = """\
GIPF knows no draw (R6.3): a game goes on until one of you cannot push, or has lost the last GIPF-piece.
• The same position for the third time makes the game void; the next one begins by itself, with colours swapped.
• **/gipf undo** asks to take a turn back, **/gipf resign** gives the game up or, before both have moved, calls it off.
• **/gipf claim** ends a game without time limit in which your opponent has not played for 30 days."""
