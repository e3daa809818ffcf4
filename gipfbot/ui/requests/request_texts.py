"""The texts about takebacks, draws by agreement, and claims of a win."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias, TypedDict

from gipfbot.languages import mark, say, say_name
from gipfbot.match import Game, GameRequest, RequestKind, RequestState, Status, is_turn_last
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.requests.claim_win import ClaimedWin
from gipfbot.ui.kit import texts

BACK_LABEL = mark("Back")
REQUEST_TAKEBACK_LABEL, OFFER_DRAW_LABEL = mark("Ask to take back"), mark("Offer a draw")
TAKE_BACK_LAST_LABEL = mark("Take back my last turn…")
TURN_IS_BEGUN = mark("You are in the middle of your turn, and nobody else has seen it.")
TAKEBACK_POSTED_LATER = mark("Your request isn't posted yet; the bot keeps trying.")
DRAW_POSTED_LATER = mark("Your offer isn't posted yet; the bot keeps trying.")
TAKEBACK_GIVEN_UP = mark(
    "Your request stands, but Discord doesn't take its message in the game's channel, so your opponent got no ping. "
    "They can answer it on **/gipf board**."
)
DRAW_GIVEN_UP = mark(
    "Your offer stands, but Discord doesn't take its message in the game's channel, so your opponent got no ping. "
    "They can answer it on **/gipf board**."
)
UNTIL_PLAYED = mark("The offer ends when one of you plays.")

CLAIM_WIN_LABEL, NOT_NOW_LABEL = mark("Claim"), mark("Not now")
NOTHING_TO_CLAIM = mark("Nothing to claim. After 30 days without a turn you can claim a game that has no time limit.")
WHICH_GAME_TO_CLAIM = mark("You can claim several games. Which one?")
ALL_CLAIMED = mark("You've claimed every game you can. To see when a claim ends: **/move notation:claim game:…**")
NOTHING_CLAIMED = mark("Nothing was claimed. The game goes on.")
Text: TypeAlias = Callable[[GameRequest, Game], str]
LinkedText: TypeAlias = Callable[[GameRequest, Game, str | None], str]  # the link is to the message of the request


def request_receiver(request: GameRequest, game: Game) -> int:
    """Return the user who can accept a request."""
    return next(seat.user for seat in game.seats if seat.user != request.by)


class _Facts(TypedDict):
    """What the sentences about a request name: its asker, who can accept it, and the game."""

    by: str
    to: str
    game: str


def _facts(request: GameRequest, game: Game) -> _Facts:
    colour = game.colour_of(request.by)
    assert colour is not None
    by, to = (texts.escape_text(game.seats[each].name) for each in (colour, colour.other))
    return {"by": by, "to": to, "game": game_name(game.id)}


# ── Takebacks ──


class _TurnsTold(NamedTuple):
    """How a reader is told of the turns to take back: with the answer to the first, and in newcomers' games."""

    answered: str
    last: str
    last_answered: str


_TO_ASKER = _TurnsTold(
    mark("{turn} and their answer {answer}"), mark("your last turn"), mark("your last turn and their answer")
)
_TO_ASKER_BY_NAME = _TurnsTold(
    mark("{turn} and {to}'s answer {answer}"), mark("your last turn"), mark("your last turn and {to}'s answer")
)
_TO_RECEIVER = _TurnsTold(
    mark("{turn} and your answer {answer}"), mark("their last turn"), mark("their last turn and your answer")
)
_TO_ALL = _TurnsTold(
    mark("{turn} and the answer {answer}"), mark("their last turn"), mark("their last turn and the answer")
)


def _turns_to_take_back(request: GameRequest, game: Game, told: _TurnsTold, stars: str = "") -> str:
    """Return the turn to take back, and the answer to it, if there is one. `stars` stand around each notation."""
    turn, *answer = (f"{stars}{texts.escape_turn(turn)}{stars}" for turn in request.turns)
    if game.terms.newcomer:
        return say_name(told.last_answered if answer else told.last, **_facts(request, game))
    return say_name(told.answered, turn=turn, answer=answer[0], **_facts(request, game)) if answer else turn


def takeback_turns_listed(request: GameRequest, game: Game) -> str:
    """Return the turns to take back for a list of the player who has to answer, without the removals in them."""
    pushed = tuple(map(texts.pushed_part, request.turns))
    return _turns_to_take_back(replace(request, turns=pushed), game, _TO_RECEIVER)


def confirm_takeback_text(request: GameRequest, game: Game) -> str:
    """Return the question whether a player wants to make this takeback request."""
    facts, turns = _facts(request, game), _turns_to_take_back(request, game, _TO_ASKER_BY_NAME, "**")
    if game.terms.house:
        return say("Take back {turns} in game {game}? {to} agrees at once.", turns=turns, **facts)
    pinged = say("{to} is pinged, and has to agree.", **facts)
    return texts.join_lines(
        say("Ask {to} to let you take back {turns} in game {game}?", turns=turns, **facts),
        f"{pinged} {_takeback_consequences(game)}".rstrip(),
    )


def takeback_request_text(request: GameRequest, game: Game) -> str:
    """Return the text of an open takeback request.

    The first line is the push notification, so it must make sense alone.
    """
    assert request.expires_at is not None
    turns = _turns_to_take_back(request, game, _TO_RECEIVER)
    asks = say("{by} asks to take back {turns} · game {game}", turns=turns, **_facts(request, game))
    return texts.join_lines(
        f"{texts.address_users(request_receiver(request, game))} {asks}",
        say("Open until {day}, or until one of you plays.", day=texts.time_text(request.expires_at, "D")),
        _takeback_consequences(game),
    )


def takeback_settled_text(request: GameRequest, game: Game) -> str:
    """Return the text of a takeback request that is no longer open.

    It pings nobody. Raises KeyError for an open one.
    """
    became = {
        RequestState.ACCEPTED: mark(
            "{by}'s request to take back {turns} in game {game} was accepted by {to}. The board follows."
        ),
        RequestState.DECLINED: mark(
            "{by}'s request to take back {turns} in game {game} was declined by {to}. The game goes on."
        ),
        RequestState.WITHDRAWN: mark(
            "{by}'s request to take back {turns} in game {game} was withdrawn. The game goes on."
        ),
        RequestState.EXPIRED: _expired_sentence(request, game),
    }[request.state]
    return say(became, turns=_turns_to_take_back(request, game, _TO_ALL), **_facts(request, game))


def takeback_answered_text(request: GameRequest, game: Game) -> str:
    """Return the text of a takeback request that is no longer open, for the player who made it."""
    if request.state is not RequestState.ACCEPTED:
        return takeback_settled_text(request, game)
    return say(
        "You have taken back {turns} in game {game}.",
        turns=_turns_to_take_back(request, game, _TO_ASKER),
        **_facts(request, game),
    )


def _expired_sentence(request: GameRequest, game: Game) -> str:
    if game.status is not Status.RUNNING:
        return mark("{by}'s request to take back {turns} in game {game} has expired: the game is over.")
    if game.turn_serial != request.turn_serial:
        return mark("{by}'s request to take back {turns} in game {game} has expired: somebody played first.")
    if is_turn_last(game):
        return mark("{by}'s request to take back {turns} in game {game} has expired: the time for the turn is over.")
    return mark("{by}'s request to take back {turns} in game {game} has expired: nobody answered in time.")


def takeback_sent_text(request: GameRequest, game: Game, link: str | None) -> str:
    """Return the reply to a player whose takeback request is posted.

    `link` is the address of the request's message. None leaves the link out.
    """
    asked = say(
        "{to} has been [asked]({link}) to let you take back {turns} in game {game}.",
        turns=_turns_to_take_back(request, game, _TO_ASKER),
        link=link or "",
        **_facts(request, game),
    )
    stays = say("The game stays as it is until they accept.")
    return texts.join_lines(texts.without_empty_links(asked), f"{stays} {_takeback_consequences(game)}".rstrip())


def takeback_pending_text(request: GameRequest, game: Game, link: str | None) -> str:
    """Return the text of an open takeback request for the player who made it.

    `link` is the address of the request's message, None if it is not posted.
    """
    turns = _turns_to_take_back(request, game, _TO_ASKER)
    asked = say(
        "You've asked to take back {turns} in game {game}. {to} has to answer.", turns=turns, **_facts(request, game)
    )
    linked = say("[Here is your request]({link}).", link=link) if link else say(TAKEBACK_POSTED_LATER)
    return f"{asked} {linked}"


def takeback_to_answer_text(request: GameRequest, game: Game) -> str:
    """Return the text of an open takeback request for the player who has to answer it."""
    turns = _turns_to_take_back(request, game, _TO_RECEIVER)
    asked = say("{by} asks to take back {turns} in game {game}. Accept?", turns=turns, **_facts(request, game))
    return texts.join_lines(asked, _takeback_consequences(game))


def takeback_hint(request: GameRequest, game: Game) -> str:
    """Return the line on the desk of the player who has to answer an open takeback request."""
    turns = _turns_to_take_back(request, game, _TO_RECEIVER, "**")
    return say("{by} asks to take back {turns}. **More…** has the answers.", turns=turns, **_facts(request, game))


def _takeback_consequences(game: Game) -> str:
    return say("If it's accepted, both clocks go back to the start of that turn.") if game.clock else ""


# ── Draws ──


def confirm_draw_text(offer: GameRequest, game: Game) -> str:
    """Return the question whether a player wants to offer a draw."""
    ask = mark("Offer {to} a draw in {game}? {to} is pinged.")
    if game.terms.house:
        ask = mark("Offer {to} a draw in {game}?")
    return f"{say(ask, **_facts(offer, game))} {say(UNTIL_PLAYED)}"


def draw_offer_text(offer: GameRequest, game: Game) -> str:
    """Return the public text of an open draw offer.

    The first line is the push notification, so it must make sense alone.
    """
    if game.terms.house:
        return say("{by} offers {to} a draw · {game} · {to} answers soon", **_facts(offer, game))
    offers = say("{by} offers a draw · {game}", **_facts(offer, game))
    return texts.join_lines(f"{texts.address_users(request_receiver(offer, game))} {offers}", say(UNTIL_PLAYED))


def draw_sent_text(offer: GameRequest, game: Game, link: str | None) -> str:
    """Return the reply to a player whose draw offer is open.

    `link` is the address of the offer's message. None leaves the link out.
    """
    offered = say("You've [offered]({link}) {to} a draw in {game}.", link=link or "", **_facts(offer, game))
    return f"{texts.without_empty_links(offered)} {say(UNTIL_PLAYED)}"


def draw_to_answer_text(offer: GameRequest, game: Game) -> str:
    """Return the text of an open draw offer for the player who can accept it."""
    return f"{say('{by} offers a draw in {game}.', **_facts(offer, game))} {say(UNTIL_PLAYED)}"


def draw_settled_text(offer: GameRequest, game: Game) -> str:
    """Return the text of a draw offer that is no longer open.

    It pings nobody. Raises KeyError for an open one.
    """
    became = {
        RequestState.ACCEPTED: mark("{by}'s draw offer in {game} was accepted by {to}. The game is a draw."),
        RequestState.DECLINED: mark("{by}'s draw offer in {game} was declined by {to}. The game goes on."),
        RequestState.WITHDRAWN: mark("{by}'s draw offer in {game} was withdrawn. The game goes on."),
        RequestState.EXPIRED: mark("This draw offer in {game} is no longer open."),
    }[offer.state]
    return say(became, **_facts(offer, game))


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
    answered: Text  # the same for the player who made it
    answer_labels: tuple[str, str, str]  # to accept, decline and withdraw it, if another request is shown, too


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
        answered=takeback_answered_text,
        answer_labels=(mark("Accept takeback"), mark("Decline takeback"), mark("Withdraw takeback")),
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
        answered=draw_settled_text,
        answer_labels=(mark("Accept draw"), mark("Decline draw"), mark("Withdraw draw")),
    ),
}


# ── Claims of a win ──


def first_claimable_text(game: int, at: int) -> str:
    """Return the reply to a player who cannot claim any game yet.

    `game` is the game that can be claimed first. It can be claimed from `at` on, in UTC seconds.
    """
    return say(
        "You can't claim a game yet. You can claim {game} from {time}.", game=game_name(game), time=texts.time_text(at)
    )


def claim_warning_text(game: Game, until: int, pinged: str = "") -> str:
    """Return the warning that the opponent claims the game. The player to move has until `until`, in UTC seconds.

    The first line is the push notification, so it must make sense alone. `pinged` is the player's ping, empty in a
    direct message.
    """
    assert game.asked is not None
    claims, otherwise = _CLAIM_WARNINGS[game.answering, game.may_cancel]
    claimant, name = texts.escape_text(game.seats[game.asked.other].name), game_name(game.id)
    time, left = (texts.time_text(until, style) for style in "FR")
    return texts.join_lines(
        f"{pinged} {say(claims, name=claimant, game=name, time=time, left=left)}".lstrip(),
        say(otherwise, name=claimant),
        say("You get more time if you're on vacation or if the bot is offline."),
    )


_PLAY_CLAIMED = mark("{name} has claimed {game}: play a turn by {time} ({left})")
_DECIDE_CLAIMED = mark("{name} has claimed {game}: decide in their turn by {time} ({left})")
# By whether a decision in the opponent's turn is awaited, and whether the game can still be cancelled.
_CLAIM_WARNINGS = {
    (False, False): (
        _PLAY_CLAIMED,
        mark("You haven't played for 30 days. If you do, the claim ends; otherwise {name} wins on time."),
    ),
    (False, True): (
        _PLAY_CLAIMED,
        mark(
            "You haven't played for 30 days. If you do, the claim ends; otherwise the game is cancelled with no result."
        ),
    ),
    (True, False): (
        _DECIDE_CLAIMED,
        mark("You haven't decided for 30 days. If you do, the claim ends; otherwise {name} wins on time."),
    ),
    (True, True): (
        _DECIDE_CLAIMED,
        mark(
            "You haven't decided for 30 days. If you do, the claim ends; otherwise the game is cancelled "
            "with no result."
        ),
    ),
}


def confirm_claim_text(game: Game) -> str:
    """Return the question that asks a player to confirm the claim of a win."""
    assert game.asked is not None
    outcome = mark("If they don't, you win. You can't withdraw a claim; it ends if they play.")
    if game.may_cancel:
        outcome = mark(
            "If they don't, the game is cancelled with no result. You can't withdraw a claim; it ends if they play."
        )
    name = texts.escape_text(game.seats[game.asked].name)
    asked = mark("Claim {game}? {name} will be warned publicly and then has 7 days to play.")
    return texts.join_lines(say(asked, game=game_name(game.id), name=name), say(outcome))


def claim_made_text(claimed: ClaimedWin, *, posted: bool, left: str = "") -> str:
    """Return the reply to a player who has claimed a win. `posted` says whether the warning has been posted.

    `left` says that the warned player has left the server; empty if they have not.
    """
    game, to = claimed.stored.game, texts.escape_text(claimed.warned.name)
    facts = {"game": game_name(game.id), "time": texts.time_text(claimed.until, "F")}
    if posted:
        warned = f"{say('The warning is posted.')} {left}" if left else say("{name} has been warned.", name=to)
        outcome = mark("If they don't play in {game} by {time}, you win.")
        if game.may_cancel:
            outcome = mark("If they don't play in {game} by {time}, the game is cancelled with no result.")
        return f"{warned} {say(outcome, **facts)}"
    later = say("The warning to {name} isn't posted yet; the bot keeps trying.", name=to)
    outcome = mark("Once warned, they have 7 days to play in {game}. If they don't, you win.")
    if game.may_cancel:
        outcome = mark(
            "Once warned, they have 7 days to play in {game}. If they don't, the game is cancelled with no result."
        )
    return f"{later} {say(outcome, **facts)}"
