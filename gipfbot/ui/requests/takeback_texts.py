"""What is said about taking a turn back."""

from gipfbot.match import Game, RequestState, TakebackRequest
from gipfbot.service.kit.game_names import game_name
from gipfbot.ui.kit import text_parts


def _asker_and_receiver(request: TakebackRequest, game: Game) -> tuple[str, str]:
    """Return who asks, and who is asked."""
    colour = game.colour_of(request.by)
    assert colour is not None
    return text_parts.escape_text(game.seats[colour].name), text_parts.escape_text(game.seats[colour.other].name)


def takeback_receiver(request: TakebackRequest, game: Game) -> int:
    """Return who is asked to agree."""
    return next(seat.user for seat in game.seats if seat.user != request.by)


def takeback_request_text(request: TakebackRequest, game: Game) -> str:
    """Return the text of an open request; its first line stands alone."""
    by, _ = _asker_and_receiver(request, game)
    return text_parts.join_lines(
        f"{text_parts.ping_user(takeback_receiver(request, game))} {by} asks to take back {_turn_and_answer(request, 'your')} · {game_name(game.id)}",
        f"Accept or decline until <t:{request.expires_at}:D>; it lapses as soon as one of you plays.",
        _takeback_consequences(game),
    )


def _turns_to_take_back(request: TakebackRequest) -> str:
    """Name the turns that a request is about."""
    return " and ".join(_requested_turns(request))


def _requested_turns(request: TakebackRequest) -> list[str]:
    return [text_parts.escape_turn(turn) for turn in request.turns] or [f"turn {request.turn_number}"]


def _turn_and_answer(request: TakebackRequest, whose: str) -> str:
    """Name the turn that somebody wants to take back, and the answer to it."""
    first, *answer = _requested_turns(request)
    return f"{first}, and with it {whose} answer {answer[0]}" if answer else first


def _takeback_consequences(game: Game) -> str:
    """Say what comes of taking turns back."""
    dropped = "answers left in advance in this game are dropped"
    clocks = "both have the time again that they had when that turn began, and " if game.clock else ""
    return f"If it is accepted, {clocks}{dropped}."


def takeback_settled_text(request: TakebackRequest, game: Game) -> str:
    """Return the text of a request that is no longer open; it pings nobody."""
    by, to = _asker_and_receiver(request, game)
    became = {
        RequestState.ACCEPTED: f"was accepted by {to}; the board follows.",
        RequestState.DECLINED: f"was declined by {to}: the game goes on.",
        RequestState.WITHDRAWN: "was withdrawn: the game goes on.",
        RequestState.EXPIRED: "has lapsed: the game has gone on without it, or it was not answered in time.",
    }[request.state]
    return f"{by}'s request to take back {_turns_to_take_back(request)} in {game_name(game.id)} {became}"


def takeback_sent_text(request: TakebackRequest, game: Game, link: str | None) -> str:
    """Return the answer to whoever has asked."""
    _, to = _asker_and_receiver(request, game)
    said = text_parts.link_to("asked", link) if link else "asked"
    return text_parts.join_lines(
        f"{to} has been {said} to let you take back {_turn_and_answer(request, 'their')} in {game_name(game.id)}.",
        f"Until you have an answer the game stands as it is. {_takeback_consequences(game)}",
    )


def takeback_pending_text(request: TakebackRequest, game: Game, link: str | None) -> str:
    """Return the answer to whoever asks again before he has an answer."""
    _, to = _asker_and_receiver(request, game)
    later = "It could not be posted yet; it follows as soon as it can."
    said = f" {text_parts.link_to('Here is your request', link)}." if link else f" {later}"
    what = f"to take back {_turns_to_take_back(request)} in {game_name(game.id)}"
    return f"You have asked already {what}: now it is for {to} to answer.{said}"


def answer_takeback_first_text(request: TakebackRequest, game: Game) -> str:
    """Return the answer to whoever asks while he has been asked himself."""
    by, _ = _asker_and_receiver(request, game)
    asked = f"{by} has asked you first, to take back {_turns_to_take_back(request)} in {game_name(game.id)}: please answer that."
    return text_parts.join_lines(asked, _takeback_consequences(game))


TAKEBACK_POSTED_LATER = "Your request is saved; it could not be posted yet and follows as soon as it can."
