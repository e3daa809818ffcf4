"""What is said about challenges, seeks, and which game is meant."""

from collections.abc import Sequence

from gipfbot.match import Challenge, RequestState, Side
from gipfbot.service.kit.game_names import game_name
from gipfbot.ui.kit import clock_texts, text_parts
from gipfbot.ui.kit.texts import TAKE_SEEK_LABEL, WITHDRAW_LABEL


def challenge_terms_text(challenge: Challenge, by: str, vacation: int) -> str:
    """Return what is agreed on by accepting; `vacation` is how many days a year the server allows."""
    colours = {Side.LOT: "colours by lot", Side.WHITE: f"{by} plays White", Side.BLACK: f"{by} plays Black"}
    return f"**{challenge.ruleset.name.capitalize()}** · {colours[challenge.side]} · {clock_texts.terms_text(challenge.terms, vacation)}"


def challenge_card_title(challenge: Challenge) -> str:
    """Return what a challenge's picture says on top."""
    if challenge.rematch_of:
        return f"Rematch of {game_name(challenge.rematch_of)}"
    return "Challenge" if challenge.to else "Open seek"


def challenge_card_terms(challenge: Challenge) -> tuple[tuple[str, str], ...]:
    """Return what its picture says below the players, whose pieces show their colours."""
    lot = (("Colours", "by lot"),) if challenge.side is Side.LOT else ()
    weekends = (
        (("Weekends", "do not count (UTC)"),) if challenge.terms.time_control and not challenge.terms.weekends else ()
    )
    return (*lot, ("Time", clock_texts.time_control_text(challenge.terms.time_control)), *weekends)


def challenge_text(challenge: Challenge, vacation: int) -> str:
    """Return the text of an open challenge's message; `vacation` is how many days a year the server allows."""
    by = text_parts.escape_text(challenge.by.name)
    said = challenge_terms_text(challenge, by, vacation)
    if challenge.to:
        again = (
            f"asks for a rematch of {game_name(challenge.rematch_of)}"
            if challenge.rematch_of
            else "challenges you to GIPF"
        )
        first = f"{text_parts.ping_user(challenge.to.user)} {by} {again}"
        return text_parts.join_lines(first, said, f"Accept or decline until <t:{challenge.expires_at}:D>.")
    return text_parts.join_lines(f"{by} looks for a game of GIPF", said, _seek_room_text(challenge))


def challenge_closed_text(challenge: Challenge, vacation: int) -> str:
    """Return the text of the message of a challenge that is open no more; `vacation` is as for `challenge_text`."""
    by = text_parts.escape_text(challenge.by.name)
    what = (
        f"The challenge by {by} to {text_parts.escape_text(challenge.to.name)}"
        if challenge.to
        else f"The open seek by {by}"
    )
    ended = {
        RequestState.ACCEPTED: "was accepted; the board follows."
        if challenge.to
        else "is full: whoever took it has a game.",
        RequestState.DECLINED: "was declined.",
        RequestState.WITHDRAWN: "was withdrawn.",
        RequestState.EXPIRED: f"has expired{' unanswered' if challenge.to else ''}.",
    }[challenge.state]
    return text_parts.join_lines(f"{what} {ended}", challenge_terms_text(challenge, by, vacation))


def _seek_room_text(challenge: Challenge) -> str:
    until, left = f"until <t:{challenge.expires_at}:D>", challenge.takes_left
    if left == 1:
        return f"Anybody may press Play {until}; there is room for one."
    return f"Anybody may press Play {until}, each for a game of their own; there is room for {left}."


def seek_taken_text(by: str, game: str, link: str | None, channel: int) -> str:
    where = f"here is {text_parts.link_to('the board', link)}" if link else f"its board follows in <#{channel}>"
    return f"Accepted: you play {game} against {text_parts.escape_text(by)}; {where}."


def rematch_begins_text(game: str, link: str | None) -> str:
    """Return the answer to whoever asks for a rematch that the other has asked for already."""
    where = f": here is {text_parts.link_to('the board', link)}" if link else ""
    return f"Your opponent had asked for it, too, so {game} begins{where}."


def challenge_sent_text(challenge: Challenge, channel: int, link: str | None) -> str:
    """Return the answer to whoever has posted a challenge or a seek in this channel."""
    if challenge.to is None:
        posted = text_parts.link_to("posted", link) if link else "posted"
        return f"Your open seek is {posted}; anybody who sees <#{channel}> may take it."
    asked = text_parts.link_to("asked", link) if link else "asked"
    where = "the game's own thread" if challenge.terms.thread else f"<#{channel}>"
    return f"{text_parts.escape_text(challenge.to.name)} has been {asked}. You will be pinged in {where} when it is your turn."


def challenges_cross_text(by: str, link: str | None) -> str:
    """Return the answer to whoever challenges somebody who has just challenged him."""
    asks = text_parts.link_to("has challenged you", link) if link else "has challenged you"
    return f"{text_parts.escape_text(by)} {asks} already, so nothing was posted. Accept or decline that first."


NO_THREAD_IN_THREADS = "The game stays in this thread: it gets none of its own."
UNTIMED_WEEKENDS = "Without a time limit it makes no difference whether weekends count."
CHALLENGE_POSTED_LATER = "Your challenge is saved; its message could not be posted yet and follows as soon as it can."
CHALLENGE_NOT_POSTED = (
    "I may not post in this channel, so nothing was offered. Try another channel, or ask who manages this one."
)
CANNOT_CHALLENGE_ONESELF = "You cannot challenge yourself. Name somebody else, or nobody for an open seek."
CANNOT_CHALLENGE_BOT = "Bots do not play GIPF. Name a person, or nobody for an open seek."
IN_PRIVATE_THREAD = (
    "This is a private thread, and I cannot tell who sees it, so no game can be played here. "
    "Challenge in a channel or in a public thread."
)
CHALLENGE_NEEDS_SERVER = "A challenge needs a channel that your opponent can see: use /gipf challenge in a server."


def cannot_see_channel_text(name: str | None, games: int | None) -> str:
    """Return why nobody is challenged: who, the challenger with None, does not see this channel, or that for games."""
    who = "You" if name is None else text_parts.escape_text(name)
    if games is None:
        return f"{who} cannot see this channel. Challenge in one that both of you can see."
    return f"{who} cannot see <#{games}>, where all games of this server go. Ask somebody who manages the server."


def cannot_make_thread_text(permissions: Sequence[str], channel: int) -> str:
    """Return why a game cannot have a thread of its own."""
    return (
        f"The game would get a thread of its own, but in <#{channel}> I cannot do this: {', '.join(permissions)}. "
        "Choose **thread:False**, or ask somebody who manages the channel."
    )


SEEKS_NEED_SERVER = "Use this on a server: seeks belong to its channels."
CANNOT_SEE_SEEK = "You cannot see the channel of this seek. **/gipf seeks** lists those that you can take."


def seek_list_text(open_seeks: Sequence[tuple[Challenge, str | None]], buttons: int, vacation: int) -> str:
    """Return the list of open seeks, of which so many have their buttons under it; `vacation` is as for `challenge_text`."""
    if not open_seeks:
        return "No open seeks here. Start one with **/gipf challenge** without an opponent."
    more = len(open_seeks) - buttons
    others = "" if more <= 0 else f" for the first {buttons}; {more} more have theirs where their names lead"
    head = f"**Open seeks** · the buttons stand under this list{others}."
    return _cut_list([head, *(_seek_line(number, *seek, vacation) for number, seek in enumerate(open_seeks, 1))])


def _seek_line(number: int, challenge: Challenge, link: str | None, vacation: int) -> str:
    by = text_parts.escape_text(challenge.by.name)
    room = f" · room for {challenge.takes_left}" if challenge.takes_left > 1 else ""
    return f"{number}. {text_parts.link_to(by, link) if link else by}: {challenge_terms_text(challenge, by, vacation)}{room}"


def games_and_challenges_text(games: str, challenges: Sequence[tuple[Challenge, str | None]]) -> str:
    """Return the list of games, and what follows it, and, as far as one message holds them, the open challenges."""
    lines = [_open_challenge_line(offer, link) for offer, link in challenges]
    for shown in range(len(lines), -1, -1):
        left = [f"… and {len(lines) - shown} more."] if shown < len(lines) else []
        text = text_parts.join_lines(games, "**Open challenges**" if lines else "", *lines[:shown], *left)
        if len(text) <= text_parts.WHOLE_LENGTH:
            return text
    return games


def _open_challenge_line(challenge: Challenge, link: str | None) -> str:
    asks = f"{text_parts.escape_text(challenge.by.name)} asks {text_parts.escape_text(challenge.to.name) if challenge.to else 'anybody'}"
    return f"• {text_parts.link_to(asks, link) if link else asks}"


def _cut_list(parts: list[str]) -> str:
    text = "\n".join(parts)
    while len(text) > text_parts.LIST_LENGTH:
        parts = parts[:-1]
        text = "\n".join(parts) + "\n… and more."
    return text


OWN_CHALLENGE_DECLINED = "This is your own challenge: withdraw it if you like."


def seek_button_label(number: int, challenge: Challenge, user: int) -> str:
    """Return what the button of a seek says that has this number in its list."""
    what = (
        f"{WITHDRAW_LABEL} my seek" if challenge.by.user == user else f"{TAKE_SEEK_LABEL} against {challenge.by.name}"
    )
    return f"{number} · {what}"
