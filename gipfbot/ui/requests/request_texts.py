"""The texts about takebacks, draws by agreement, and claims of a win."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from gipfbot.match import Game, GameRequest, RequestKind, RequestState, Status, is_turn_last
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.requests.claim_win import ClaimedWin
from gipfbot.ui.kit import texts

BACK_LABEL = "Back"
REQUEST_TAKEBACK_LABEL, OFFER_DRAW_LABEL = "Ask to take back", "Offer a draw"
TAKE_BACK_LAST_LABEL = "Take back my last turn…"
TURN_IS_BEGUN = "You are in the middle of your turn, and nobody else has seen it."
TAKEBACK_POSTED_LATER = "Your request isn't posted yet; the bot keeps trying."
DRAW_POSTED_LATER = "Your offer isn't posted yet; the bot keeps trying."
_GIVEN_UP = (
    "Discord doesn't take its message in the game's channel, so your opponent got no ping. "
    "They can answer it on **/gipf board**."
)
TAKEBACK_GIVEN_UP = f"Your request stands, but {_GIVEN_UP}"
DRAW_GIVEN_UP = f"Your offer stands, but {_GIVEN_UP}"
UNTIL_PLAYED = "The offer ends when one of you plays."

CLAIM_WIN_LABEL, NOT_NOW_LABEL = "Claim", "Not now"
NOTHING_TO_CLAIM = "Nothing to claim. After 30 days without a turn you can claim a game that has no time limit."
WHICH_GAME_TO_CLAIM = "You can claim several games. Which one?"
ALL_CLAIMED = "You've claimed every game you can. To see when a claim ends: **/move notation:claim game:…**"
NOTHING_CLAIMED = "Nothing was claimed. The game goes on."
Text: TypeAlias = Callable[[GameRequest, Game], str]
LinkedText: TypeAlias = Callable[[GameRequest, Game, str | None], str]  # the link is to the message of the request


def request_receiver(request: GameRequest, game: Game) -> int:
    """Return the user who can accept a request."""
    return next(seat.user for seat in game.seats if seat.user != request.by)


def _asker_and_receiver(request: GameRequest, game: Game) -> tuple[str, str]:
    """Return the names of the player who makes a request and of the player who can accept it."""
    colour = game.colour_of(request.by)
    assert colour is not None
    return texts.escape_text(game.seats[colour].name), texts.escape_text(game.seats[colour.other].name)


# ── Takebacks ──


def confirm_takeback_text(request: GameRequest, game: Game) -> str:
    """Return the question whether a player wants to make this takeback request."""
    _, opponent = _asker_and_receiver(request, game)
    turn, *answer = _bold_turns(request)
    answered = f" and {opponent}'s answer {answer[0]}" if answer else ""
    if game.terms.house:
        return f"Take back {turn}{answered} in game {game_name(game.id)}? {opponent} agrees at once."
    return texts.join_lines(
        f"Ask {opponent} to let you take back {turn}{answered} in game {game_name(game.id)}?",
        f"{opponent} is pinged, and has to agree. {_takeback_consequences(game)}".rstrip(),
    )


def takeback_request_text(request: GameRequest, game: Game) -> str:
    """Return the text of an open takeback request.

    The first line is the push notification, so it must make sense alone.
    """
    by, _ = _asker_and_receiver(request, game)
    ping = texts.ping_user(request_receiver(request, game))
    return texts.join_lines(
        f"{ping} {by} asks to take back {_turn_and_answer(request, 'your')} · game {game_name(game.id)}",
        f"Open until <t:{request.expires_at}:D>, or until one of you plays.",
        _takeback_consequences(game),
    )


def takeback_settled_text(request: GameRequest, game: Game) -> str:
    """Return the text of a takeback request that is no longer open.

    It pings nobody. Raises KeyError for an open one.
    """
    by, to = _asker_and_receiver(request, game)
    became = {
        RequestState.ACCEPTED: f"was accepted by {to}. The board follows.",
        RequestState.DECLINED: f"was declined by {to}. The game goes on.",
        RequestState.WITHDRAWN: "was withdrawn. The game goes on.",
        RequestState.EXPIRED: f"has expired: {_expiry_cause(request, game)}.",
    }[request.state]
    return f"{by}'s request to take back {_turns_to_take_back(request)} in game {game_name(game.id)} {became}"


def _expiry_cause(request: GameRequest, game: Game) -> str:
    if game.status is not Status.RUNNING:
        return "the game is over"
    if game.turn_serial != request.turn_serial:
        return "somebody played first"
    if is_turn_last(game):
        return "the time for the turn is over"
    return "nobody answered in time"


def takeback_sent_text(request: GameRequest, game: Game, link: str | None) -> str:
    """Return the reply to a player whose takeback request is posted.

    `link` is the address of the request's message. None leaves the link out.
    """
    _, to = _asker_and_receiver(request, game)
    asked = texts.link_to("asked", link) if link else "asked"
    turns = _turn_and_answer(request, "their")
    return texts.join_lines(
        f"{to} has been {asked} to let you take back {turns} in game {game_name(game.id)}.",
        f"The game stays as it is until they accept. {_takeback_consequences(game)}".rstrip(),
    )


def takeback_pending_text(request: GameRequest, game: Game, link: str | None) -> str:
    """Return the text of an open takeback request for the player who made it.

    `link` is the address of the request's message, None if it is not posted.
    """
    _, to = _asker_and_receiver(request, game)
    later = "It isn't posted yet; the bot keeps trying."
    where = f"{texts.link_to('Here is your request', link)}." if link else later
    what = f"to take back {_turns_to_take_back(request)} in game {game_name(game.id)}"
    return f"You've asked {what}. {to} has to answer. {where}"


def takeback_to_answer_text(request: GameRequest, game: Game) -> str:
    """Return the text of an open takeback request for the player who has to answer it."""
    by, _ = _asker_and_receiver(request, game)
    asked = f"{by} asks to take back {_turn_and_answer(request, 'your')} in game {game_name(game.id)}. Accept?"
    return texts.join_lines(asked, _takeback_consequences(game))


def takeback_hint(request: GameRequest, game: Game) -> str:
    """Return the line on the desk of the player who has to answer an open takeback request."""
    by, _ = _asker_and_receiver(request, game)
    return f"{by} asks to take back {' and '.join(_bold_turns(request))}. Answer with **{texts.MORE_LABEL}**."


def _turns_to_take_back(request: GameRequest) -> str:
    return " and ".join(_requested_turns(request))


def _requested_turns(request: GameRequest) -> list[str]:
    return [texts.escape_turn(turn) for turn in request.turns]


def _bold_turns(request: GameRequest) -> list[str]:
    return [f"**{turn}**" for turn in _requested_turns(request)]


def _turn_and_answer(request: GameRequest, whose: str) -> str:
    """Return the turn to take back, and the opponent's answer to it if there is one. `whose` is `your` or `their`."""
    first, *answer = _requested_turns(request)
    return f"{first} and {whose} answer {answer[0]}" if answer else first


def _takeback_consequences(game: Game) -> str:
    return "If it's accepted, both clocks go back to the start of that turn." if game.clock else ""


# ── Draws ──


def confirm_draw_text(offer: GameRequest, game: Game) -> str:
    """Return the question whether a player wants to offer a draw."""
    _, opponent = _asker_and_receiver(offer, game)
    pinged = "" if game.terms.house else f" {opponent} is pinged."
    return f"Offer {opponent} a draw in {game_name(game.id)}?{pinged} {UNTIL_PLAYED}"


def draw_offer_text(offer: GameRequest, game: Game) -> str:
    """Return the public text of an open draw offer.

    The first line is the push notification, so it must make sense alone.
    """
    by, opponent = _asker_and_receiver(offer, game)
    if game.terms.house:
        return f"{by} offers {opponent} a draw · {game_name(game.id)} · {opponent} answers soon"
    ping = texts.ping_user(request_receiver(offer, game))
    return texts.join_lines(f"{ping} {by} offers a draw · {game_name(game.id)}", UNTIL_PLAYED)


def draw_sent_text(offer: GameRequest, game: Game, link: str | None) -> str:
    """Return the reply to a player whose draw offer is open.

    `link` is the address of the offer's message. None leaves the link out.
    """
    _, opponent = _asker_and_receiver(offer, game)
    offered = texts.link_to("offered", link) if link else "offered"
    return f"You've {offered} {opponent} a draw in {game_name(game.id)}. {UNTIL_PLAYED}"


def draw_to_answer_text(offer: GameRequest, game: Game) -> str:
    """Return the text of an open draw offer for the player who can accept it."""
    return f"{_asker_and_receiver(offer, game)[0]} offers a draw in {game_name(game.id)}. {UNTIL_PLAYED}"


def draw_settled_text(offer: GameRequest, game: Game) -> str:
    """Return the text of a draw offer that is no longer open.

    It pings nobody. Raises KeyError for an open one.
    """
    by, opponent = _asker_and_receiver(offer, game)
    if offer.state is RequestState.EXPIRED:
        return f"This draw offer in {game_name(game.id)} is no longer open."
    became = {
        RequestState.ACCEPTED: f"accepted by {opponent}. The game is a draw.",
        RequestState.DECLINED: f"declined by {opponent}. The game goes on.",
        RequestState.WITHDRAWN: "withdrawn. The game goes on.",
    }[offer.state]
    return f"{by}'s draw offer in {game_name(game.id)} was {became}"


# ── The texts of each kind ──


class RequestTexts(NamedTuple):
    """The texts of one kind of request, in the order in which they are shown."""

    confirm: Text
    make_label: str
    message: Text
    sent: LinkedText
    posted_later: str
    untaken: str
    pending: LinkedText
    to_answer: Text
    settled: Text


REQUEST_TEXTS: Mapping[RequestKind, RequestTexts] = {
    RequestKind.TAKEBACK: RequestTexts(
        confirm=confirm_takeback_text,
        make_label=REQUEST_TAKEBACK_LABEL,
        message=takeback_request_text,
        sent=takeback_sent_text,
        posted_later=TAKEBACK_POSTED_LATER,
        untaken=TAKEBACK_GIVEN_UP,
        pending=takeback_pending_text,
        to_answer=takeback_to_answer_text,
        settled=takeback_settled_text,
    ),
    RequestKind.DRAW: RequestTexts(
        confirm=confirm_draw_text,
        make_label=OFFER_DRAW_LABEL,
        message=draw_offer_text,
        sent=draw_sent_text,
        posted_later=DRAW_POSTED_LATER,
        untaken=DRAW_GIVEN_UP,
        pending=draw_sent_text,
        to_answer=draw_to_answer_text,
        settled=draw_settled_text,
    ),
}


# ── Claims of a win ──


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


def claim_made_text(claimed: ClaimedWin, *, posted: bool, left: str = "") -> str:
    """Return the reply to a player who has claimed a win. `posted` says whether the warning has been posted.

    `left` says that the warned player has left the server; empty if they have not.
    """
    game, to = claimed.stored.game, texts.escape_text(claimed.warned.name)
    name, outcome = game_name(game.id), _claim_outcome(game)
    if posted:
        warned = f"The warning is posted, but {left}" if left else f"{to} has been warned"
        return f"{warned}. If they don't play in {name} by <t:{claimed.until}:F>, {outcome}."
    later = f"The warning to {to} isn't posted yet; the bot keeps trying."
    return f"{later} Once warned, they have 7 days to play in {name}. If they don't, {outcome}."


def _awaited_player(game: Game) -> str:
    assert game.asked is not None
    return texts.escape_text(game.seats[game.asked].name)


def _claim_outcome(game: Game) -> str:
    return "the game is cancelled with no result" if game.may_cancel else "you win"
