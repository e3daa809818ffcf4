"""Texts for refused challenges: those that are closed, of others or one's own, and limits on challenges and games."""

from gipfbot.languages import mark, mark_number, say, say_number
from gipfbot.match import RequestState

from .texts import escape_text, time_text


def too_many_games_text(name: str | None, cap: int, plays: int) -> str:
    """Return the text for a player who plays too many games on a server. `name` is None for the reader."""
    over = plays - cap + 1
    if name is None:
        count = say_number(
            "You play {number} game here; this server allows {most}.",
            "You play {number} games here; this server allows {most}.",
            plays,
            most=cap,
        )
        forms = mark_number(
            "Finish one first: **/gipf games** lists yours.", "Finish {number} first: **/gipf games** lists yours."
        )
    else:
        count = say_number(
            "{name} plays {number} game here; this server allows {most}.",
            "{name} plays {number} games here; this server allows {most}.",
            plays,
            name=escape_text(name),
            most=cap,
        )
        forms = mark_number("Try again when one is over.", "Try again when {number} are over.")
    return f"{count} {say_number(*forms, over)}"


def too_many_challenges_text(most: int) -> str:
    """Return the text for a person who has the most challenges that one may have open."""
    return say_number(
        "You have {number} open challenge, which is the most. Withdraw one first: **/gipf games** lists them.",
        "You have {number} open challenges, which is the most. Withdraw one first: **/gipf games** lists them.",
        most,
    )


def too_many_seeks_text(most: int) -> str:
    """Return the text for a person who has the most challenges to anybody that one may have open."""
    return say_number(
        "You have {number} challenge open to anybody, which is the most. Withdraw one first: **/gipf games** lists "
        "them.",
        "You have {number} challenges open to anybody, which is the most. Withdraw one first: **/gipf games** lists "
        "them.",
        most,
    )


def too_many_running_text(name: str | None, most: int) -> str:
    """Return the text for a player who plays the most games that one may play. `name` is None for the reader."""
    if name is None:
        return say_number(
            "You play {number} game, which is the most. Finish one first: **/gipf games** lists yours.",
            "You play {number} games, which is the most. Finish one first: **/gipf games** lists yours.",
            most,
        )
    return say_number(
        "{name} plays {number} game, which is the most. Try again when one is over.",
        "{name} plays {number} games, which is the most. Try again when one is over.",
        most,
        name=escape_text(name),
    )


def too_many_pings_text(name: str, most: int, at: int) -> str:
    """Return the text for a person who has challenged somebody too often."""
    challenged = say_number(
        "You've challenged {name} once within 24 hours, so this challenge wasn't sent.",
        "You've challenged {name} {number} times within 24 hours, so this challenge wasn't sent.",
        most,
        name=escape_text(name),
    )
    counted = say("Rematches count, and challenges that were accepted, declined or withdrawn.")
    again = say("You can challenge them again {time}. Until then, they can challenge you.", time=time_text(at, "R"))
    return f"{challenged} {counted} {again}"


_SEEK_CLOSED = {
    RequestState.ACCEPTED: mark("This open challenge is closed: it was taken."),
    RequestState.DECLINED: mark("This open challenge is closed: it was declined."),
    RequestState.WITHDRAWN: mark("This open challenge is closed: it was withdrawn."),
    RequestState.EXPIRED: mark("This open challenge is closed: it has expired."),
}
_CHALLENGE_CLOSED = {
    RequestState.ACCEPTED: mark("This challenge is closed: it was accepted."),
    RequestState.DECLINED: mark("This challenge is closed: it was declined."),
    RequestState.WITHDRAWN: mark("This challenge is closed: it was withdrawn."),
    RequestState.EXPIRED: mark("This challenge is closed: it has expired."),
}


def challenge_not_open_text(state: RequestState, is_seek: bool) -> str:
    """Return the text for a challenge that is closed: what became of it."""
    if is_seek:
        return f"{say(_SEEK_CLOSED[state])} {say('**/gipf seeks** lists those that are still open.')}"
    return f"{say(_CHALLENGE_CLOSED[state])} {say('**/gipf challenge** starts a new one.')}"


def own_challenge_text(is_seek: bool) -> str:
    """Return the text for a person who would take their own challenge."""
    if is_seek:
        return say("This is your own open challenge: somebody else has to take it. You can withdraw it.")
    return say("This is your own challenge: somebody else has to accept it. You can withdraw it.")


def not_your_challenge_text(name: str, is_seek: bool) -> str:
    """Return the text for a person who would withdraw the challenge of somebody else."""
    sentence = mark("Only {name} can withdraw this challenge. **/gipf challenge** starts one of your own.")
    if is_seek:
        sentence = mark("Only {name} can withdraw this open challenge. **/gipf challenge** starts one of your own.")
    return say(sentence, name=escape_text(name))


def not_for_you_text(name: str | None) -> str:
    """Return the text for a challenge to somebody else. `name` is None if it is open to anybody."""
    if name is None:
        return say("This is an open challenge: press Play to take it, or leave it to others.")
    sentence = mark("This challenge is for {name}. **/gipf challenge** starts one of your own.")
    return say(sentence, name=escape_text(name))
