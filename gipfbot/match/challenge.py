"""Challenges and open seeks: making, accepting, declining and withdrawing them. Pure: `now` is an argument."""

from dataclasses import dataclass, replace
from enum import StrEnum

from gipfbot.rules import ByColour, Colour, Ruleset

from .clock import UNTIMED, Terms
from .errors import Refused, Why
from .game import Game, Seat, Status, check_player

REQUEST_LIFETIME = 7 * 24 * 3600  # seconds until an unanswered challenge expires
MOST_TAKERS = 10


class Side(StrEnum):
    """The colour the challenger asks for."""

    LOT = "lot"
    WHITE = "white"
    BLACK = "black"


class RequestState(StrEnum):
    """The state of a challenge, or of a request in a game."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


@dataclass(frozen=True)
class Challenge:
    """An offer to play a game. If `to` is None, the offer is an open seek for anybody. Times are UTC seconds."""

    id: int
    by: Seat
    to: Seat | None
    ruleset: Ruleset
    side: Side
    expires_at: int
    state: RequestState = RequestState.OPEN
    terms: Terms = UNTIMED
    rematch_of: int | None = None  # the game to play again with colours swapped
    takes_left: int = 1  # how many people may still accept it; each gets a separate game


def check_takers(challenge: Challenge) -> None:
    """Raise Refused if the number of takers is out of range, or above one in a challenge to one person."""
    if not 1 <= challenge.takes_left <= MOST_TAKERS:
        raise Refused(Why.NOT_OFFERED, option="takers", value=challenge.takes_left)
    if challenge.to and challenge.takes_left > 1:
        raise Refused(Why.TAKERS_OF_CHALLENGE)


def propose_rematch(game: Game, by: int) -> tuple[Seat, Side]:
    """Return the opponent to challenge to a rematch, and the colour of `by` in it. Colours are swapped.

    Raises Refused if `by` does not play in the game, if it belongs to a tournament, or if it still runs.
    """
    colour = check_player(game, by)
    if game.terms.tournament is not None:
        raise Refused(Why.TOURNAMENT_NO_REMATCH)
    if game.status is Status.RUNNING:
        raise Refused(Why.STILL_RUNNING)
    return game.seats[colour.other], Side.BLACK if colour is Colour.WHITE else Side.WHITE


def accept_challenge(challenge: Challenge, by: Seat, now: int, white_by_lot: bool) -> tuple[Challenge, ByColour[Seat]]:
    """Return the challenge after `by` has accepted it, and the seats of the new game.

    The challenge stays open while others may still accept it. `white_by_lot` says whether the challenger gets White if
    the colours are random. Does not check for an earlier acceptance by the same person. Raises Refused if the
    challenge is closed, made by `by`, or for somebody else.
    """
    _check_challenge_open(challenge, now)
    if by.user == challenge.by.user:
        raise Refused(Why.OWN_CHALLENGE, is_seek=challenge.to is None)
    _check_challenge_receiver(challenge, by.user)
    white = white_by_lot if challenge.side is Side.LOT else challenge.side is Side.WHITE
    seats = (challenge.by, by) if white else (by, challenge.by)
    left = challenge.takes_left - 1
    return replace(challenge, state=RequestState.OPEN if left else RequestState.ACCEPTED, takes_left=left), seats


def decline_challenge(challenge: Challenge, by: int, now: int) -> Challenge:
    """Return the declined challenge. Raises Refused if it is closed, an open seek, or for somebody else."""
    _check_challenge_open(challenge, now)
    _check_challenge_receiver(challenge, by)
    if challenge.to is None:
        raise Refused(Why.NOT_FOR_YOU, name=None)
    return replace(challenge, state=RequestState.DECLINED)


def withdraw_challenge(challenge: Challenge, by: int, now: int) -> Challenge:
    """Return the withdrawn challenge. Raises Refused if it is closed, or if somebody else made it."""
    _check_challenge_open(challenge, now)
    if by != challenge.by.user:
        raise Refused(Why.NOT_YOUR_CHALLENGE, name=challenge.by.name, is_seek=challenge.to is None)
    return replace(challenge, state=RequestState.WITHDRAWN)


def expire_challenge(challenge: Challenge) -> Challenge:
    """Return the challenge closed as expired. Does not check that its time is over."""
    return replace(challenge, state=RequestState.EXPIRED)


def _check_challenge_open(challenge: Challenge, now: int) -> None:
    state = (
        RequestState.EXPIRED
        if challenge.state is RequestState.OPEN and now >= challenge.expires_at
        else challenge.state
    )
    if state is not RequestState.OPEN:
        raise Refused(Why.CHALLENGE_CLOSED, state=state, is_seek=challenge.to is None)


def _check_challenge_receiver(challenge: Challenge, user: int) -> None:
    if challenge.to and challenge.to.user != user:
        raise Refused(Why.NOT_FOR_YOU, name=challenge.to.name)
