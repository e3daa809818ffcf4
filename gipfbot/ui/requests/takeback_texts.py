"""The texts about takebacks."""

from gipfbot.match import Game, RequestState, Status, TakebackRequest, is_turn_last
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit import texts

REQUEST_TAKEBACK_LABEL = "Ask to take back"
BACK_LABEL = "Back"
TAKEBACK_POSTED_LATER = "Your request isn't posted yet; the bot keeps trying."


def confirm_takeback_text(request: TakebackRequest, game: Game) -> str:
    """Return the text that asks a player whether to make this takeback request."""
    _, opponent = _asker_and_receiver(request, game)
    turn, *answer = _bold_turns(request)
    answered = f" and {opponent}'s answer {answer[0]}" if answer else ""
    if game.terms.house:
        return f"Take back {turn}{answered} in {game_name(game.id)}? {opponent} agrees at once."
    return texts.join_lines(
        f"Ask {opponent} to let you take back {turn}{answered} in {game_name(game.id)}?",
        f"{opponent} is pinged, and has to agree. {_takeback_consequences(game)}".rstrip(),
    )


def takeback_receiver(request: TakebackRequest, game: Game) -> int:
    """Return the user who must agree to a takeback."""
    return next(seat.user for seat in game.seats if seat.user != request.by)


def takeback_request_text(request: TakebackRequest, game: Game) -> str:
    """Return the text of an open takeback request.

    The first line is the push notification, so it must make sense alone.
    """
    by, _ = _asker_and_receiver(request, game)
    ping = texts.ping_user(takeback_receiver(request, game))
    return texts.join_lines(
        f"{ping} {by} asks to take back {_turn_and_answer(request, 'your')} · {game_name(game.id)}",
        f"Open until <t:{request.expires_at}:D>, or until one of you plays.",
        _takeback_consequences(game),
    )


def takeback_settled_text(request: TakebackRequest, game: Game) -> str:
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
    return f"{by}'s request to take back {_turns_to_take_back(request)} in {game_name(game.id)} {became}"


def _expiry_cause(request: TakebackRequest, game: Game) -> str:
    if game.status is not Status.RUNNING:
        return "the game is over"
    if game.turn_serial != request.turn_serial:
        return "somebody played first"
    if is_turn_last(game):
        return "the time for the turn is over"
    return "nobody answered in time"


def takeback_sent_text(request: TakebackRequest, game: Game, link: str | None) -> str:
    """Return the reply to a player whose takeback request is posted.

    `link` is the address of the request's message. None leaves the link out.
    """
    _, to = _asker_and_receiver(request, game)
    asked = texts.link_to("asked", link) if link else "asked"
    return texts.join_lines(
        f"{to} has been {asked} to let you take back {_turn_and_answer(request, 'their')} in {game_name(game.id)}.",
        f"The game stays as it is until they accept. {_takeback_consequences(game)}".rstrip(),
    )


def takeback_pending_text(request: TakebackRequest, game: Game, link: str | None) -> str:
    """Return the text of an open takeback request for the player who made it.

    `link` is the address of the request's message, None if it is not posted.
    """
    _, to = _asker_and_receiver(request, game)
    later = "It isn't posted yet; the bot keeps trying."
    where = f"{texts.link_to('Here is your request', link)}." if link else later
    what = f"to take back {_turns_to_take_back(request)} in {game_name(game.id)}"
    return f"You've asked {what}. {to} has to answer. {where}"


def takeback_to_answer_text(request: TakebackRequest, game: Game) -> str:
    """Return the text of an open takeback request for the player who has to answer it."""
    by, _ = _asker_and_receiver(request, game)
    asked = f"{by} asks to take back {_turn_and_answer(request, 'your')} in {game_name(game.id)}. Accept?"
    return texts.join_lines(asked, _takeback_consequences(game))


def takeback_hint(request: TakebackRequest, game: Game) -> str:
    """Return the line on the desk of the player who has to answer an open takeback request."""
    by, _ = _asker_and_receiver(request, game)
    return f"{by} asks to take back {' and '.join(_bold_turns(request))}. Answer with **{texts.MORE_LABEL}**."


def _asker_and_receiver(request: TakebackRequest, game: Game) -> tuple[str, str]:
    """Return the names of the player who requests a takeback and of the player who must agree."""
    colour = game.colour_of(request.by)
    assert colour is not None
    return texts.escape_text(game.seats[colour].name), texts.escape_text(game.seats[colour.other].name)


def _turns_to_take_back(request: TakebackRequest) -> str:
    return " and ".join(_requested_turns(request))


def _requested_turns(request: TakebackRequest) -> list[str]:
    return [texts.escape_turn(turn) for turn in request.turns]


def _bold_turns(request: TakebackRequest) -> list[str]:
    return [f"**{turn}**" for turn in _requested_turns(request)]


def _turn_and_answer(request: TakebackRequest, whose: str) -> str:
    """Return the turn to take back, and the opponent's answer to it if there is one. `whose` is `your` or `their`."""
    first, *answer = _requested_turns(request)
    return f"{first} and {whose} answer {answer[0]}" if answer else first


def _takeback_consequences(game: Game) -> str:
    return "If it's accepted, both clocks go back to the start of that turn." if game.clock else ""
