"""The texts about challenges, seeks and rematches."""

from collections.abc import Sequence

from gipfbot.languages import mark
from gipfbot.match import Challenge, Game, House, RequestState, Side
from gipfbot.rules import Colour, Ruleset, ruleset_words
from gipfbot.rules.powers import POWERS
from gipfbot.service.house.house_player import LONG_SECONDS
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.lobby.lobby import MOST_MENTIONS
from gipfbot.ui.kit import escape_text, join_lines
from gipfbot.ui.kit.clock_texts import terms_text, time_control_text
from gipfbot.ui.kit.permissions import permission_name
from gipfbot.ui.kit.slash_commands import LEVEL_NAMES
from gipfbot.ui.kit.texts import (
    LIST_LENGTH,
    TAKE_SEEK_LABEL,
    WITHDRAW_LABEL,
    link_to,
    ping_user,
    quote_text,
    texts_of_course,
)

# ── The welcome ──


SET_UP_LABEL, FIND_OPPONENT_LABEL = mark("Set up"), mark("Find an opponent")
WELCOME_CAPTION = "Four in a row leave the board"
WELCOME_TEXT = """\
**GIPF is here.** Play the board game GIPF against each other, one turn at a time, over days or weeks.
Push pieces in from the edge. Four of your colour in a row leave the board: they come back to you, and your \
opponent's pieces right beside them in that line are captured. You win when your opponent has no piece left to \
push, or no GIPF-piece (a double piece) on the board.
After each turn the bot posts a picture. It pings only the player to move."""
# Whether a game is rated; None: only if both have finished a game between people, as is seen when the seek is taken.
RATED_TEXTS = {True: "rated", False: "not rated", None: "rated unless it is somebody's first game"}
RATED_CARD_TEXTS = {True: "yes", False: "no", None: "unless it is a first game"}
UNRATED_AS_NEW = "not rated, because one of you hasn't finished a game with another person yet"
HOUSE_UNRATED, NEVER_RATED = "Games against the bot are never rated.", "Games of Overboard are never rated."
FIRST_GAMES_UNRATED = (
    "This game isn't rated, as one of you hasn't finished a game with another person yet. To play a rated one anyway, "
    "withdraw the challenge and use **/gipf challenge** with **rated:True**."
)
CHALLENGE_POSTED_LATER = "Your challenge isn't posted yet; the bot keeps trying."
SEEK_POSTED_LATER = "Your open challenge isn't posted yet; the bot keeps trying."
WHILE_YOU_WAIT = "While you wait, learn the game or play the bot:"
CHALLENGE_NOT_POSTED = (
    "Discord doesn't take the challenge in this channel, so nobody was asked. Try another channel, or ask the managers "
    "of this server: the bot may lack a permission here, or AutoMod may block a name."
)
NO_THREAD_IN_THREADS = "The game stays in this thread; it doesn't get its own."
SERVER_MAKES_THREADS = "This server gives each game a thread of its own."
SERVER_MAKES_NO_THREADS = "This server gives games no threads of their own."
OWN_CHALLENGE_DECLINED = "This is your own challenge: withdraw it if you like."
WHOM_TO_CHALLENGE = "Choose somebody else, or leave **opponent** out: then anybody can take your challenge."
CANNOT_CHALLENGE_ONESELF = f"You can't challenge yourself. {WHOM_TO_CHALLENGE}"
CANNOT_CHALLENGE_BOT = "Other bots don't play GIPF. Choose a person, or play this one with **/gipf bot**."
IN_PRIVATE_THREAD = mark(
    "Games can't be played in a private thread. Use the command in a channel or in a public thread."
)
CHALLENGE_NEEDS_SERVER = (
    "A challenge needs a channel that your opponent can see: use **/gipf challenge** in a server. "
    "Here you can play the bot: **/gipf bot**."
)
OPEN_CHALLENGES_LABEL = mark("Open challenges: answer or withdraw…")
POST_SEEK_LABEL, CHALLENGE_LABEL, OTHER_TERMS_LABEL = "Look for a game", "Challenge", "Other terms…"
NO_OPEN_SEEKS = (
    f"Nobody is looking for a game here right now. **{POST_SEEK_LABEL}** posts an open challenge, which anybody here "
    "can take. Or ask somebody with **/gipf challenge**, or play the bot with **/gipf bot**."
)
ALREADY_LOOKING = "You're already looking for a game: your own challenge is listed, too."
SEEKS_NEED_SERVER = "Use **/gipf seeks** on a server: it lists the open challenges of that server."
CANNOT_SEE_SEEK = "You can't see the channel of this open challenge. **/gipf seeks** lists the ones you can take."


# ── The role that open challenges mention ──


JOIN_SEEKERS_LABEL, LEAVE_SEEKERS_LABEL = "Mention me", "Don't mention me"
SEEKERS_JOINED = "You have joined the role that open challenges mention."
SEEKERS_LEFT = "You have left the role that open challenges mention."
SEEKERS_OFF = "Open challenges mention nobody here at present."
SEEKERS_GONE = "The role that open challenges mentioned was deleted, so they mention nobody now."
MAY_NOT_GIVE_ROLE = (
    "The bot can't give or take this role. Ask somebody who manages the server: the bot needs the permission "
    "**Manage Roles**, and its own role must stand above this one."
)
MAY_NOT_GIVE_SEEKERS = (
    "**Nobody can join the role that open challenges mention: the bot lacks the permission Manage Roles.**"
)
MAY_NOT_MENTION_SEEKERS = (
    "**The mention notifies nobody yet: switch on “Allow anyone to @mention this role” in the role's settings, or let "
    "the bot mention all roles.**"
)
NEEDS_MANAGE_ROLES = mark(
    "Nothing was changed: only somebody with the permission **Manage Roles** can choose the role that open "
    "challenges mention."
)
CANNOT_CHOOSE_SEEKERS = mark(
    "Only somebody with the permission **Manage Roles** can choose this role. Ask one of them to open "
    "**/gipf-server settings**."
)
ROLE_IS_EVERYONE, ROLE_IS_MANAGED = "has everybody in it", "belongs to an app or to Discord itself"
ROLE_IS_ABOVE, ROLE_CHALLENGES = "doesn't stand below the bot's own role", "is the role that may challenge"
ROLE_MANAGES = "may use **/gipf-server**"


def role_may_more_text(permissions: Sequence[str]) -> str:
    """Return why a role cannot be the one that seeks mention: it has these permissions, and not everybody has them."""
    names = ", ".join(permission_name(name) for name in permissions[:3])
    return f"has permissions that not everybody has ({names}{' …' if len(permissions) > 3 else ''})"


def role_is_allowed_text(channel: int) -> str:
    """Return why a role cannot be the one that seeks mention: a channel allows it something."""
    return f"has permissions of its own in <#{channel}>"


def role_refused_text(role: int, reason: str) -> str:
    """Return the refusal of a role that a manager has chosen. `reason` is one of those above."""
    if reason == ROLE_CHALLENGES:
        return (
            f"Nothing was changed: <@&{role}> can't be both the role that may challenge and the one that open "
            "challenges mention, because anybody may join the mentioned one. Choose two roles."
        )
    return (
        f"Nothing was changed: <@&{role}> {reason}. Anybody may join the role that open challenges mention, "
        "so choose one without permissions."
    )


def cannot_join_text(role: int, reason: str) -> str:
    """Return the refusal to a player who wants to join a role. `reason` is one of those above."""
    return f"<@&{role}> {reason}, so nobody can join it here. Tell somebody who manages the server."


def nobody_joins_text(reason: str) -> str:
    """Return the warning about the role that seeks mention. `reason` is one of those above."""
    return f"**Nobody can join the role that open challenges mention, because it {reason}. Choose another.**"


def mentions_text(role: int) -> str:
    """Return the clause on the role that seeks mention."""
    return f"The first {MOST_MENTIONS} open challenges of a day mention <@&{role}>"


def seekers_text(role: int, *, joined: bool) -> str:
    """Return the sentence on the role that seeks mention, above the button by which a player joins or leaves it."""
    ping = mentions_text(role)
    return f"{ping}, and you have that role." if joined else f"{ping}. **{JOIN_SEEKERS_LABEL}** gives you that role."


def mentioned_enough_text(role: int) -> str:
    """Return the note to a person whose seek mentions nobody, because other seeks of the last day did."""
    return f"<@&{role}> was mentioned {MOST_MENTIONS} times within a day already, so your challenge mentions nobody."


# ── The public message ──


def challenge_terms_text(challenge: Challenge, by: str, *, drawn: bool = False) -> str:
    """Return the terms of a challenge in one line. `by` is the name of the challenger.

    `drawn` says that random colours have been drawn: then they are not random any more.
    """
    lot = "" if drawn else "random colours"
    colours = {Side.LOT: lot, Side.WHITE: f"{by} plays White", Side.BLACK: f"{by} plays Black"}[challenge.side]
    rules, terms = ruleset_words(challenge.ruleset.name), terms_text(challenge.terms)
    rated = _rated(challenge)
    open_still = rated is not None or challenge.state is RequestState.OPEN
    return " · ".join(filter(None, (f"**{rules}**", colours, terms, RATED_TEXTS[rated] if open_still else "")))


def _rated(challenge: Challenge) -> bool | None:
    """Return whether the game will be rated; None for a seek where that depends on who takes it."""
    terms = challenge.terms
    return None if challenge.to is None and terms.rated and terms.rated_if_finished else terms.rated


def changed_rules_text(ruleset: Ruleset) -> str:
    """Return one line on what potentials or the rules of Overboard change. Empty if neither is played."""
    if changes := texts_of_course(ruleset).changes:
        return changes
    powers = [POWERS[letter] for letter, _ in ruleset.potentials]
    jumps = "; ".join(f"{power.name} {power.jump}" for power in powers if power.jump)
    said = "Potentials are special pieces, which come in on top of basic ones. Each is used once, instead of a push"
    return f"{said}: {jumps}." if powers else ""


def challenge_card_title(challenge: Challenge) -> str:
    """Return the title in the picture of a challenge."""
    if challenge.rematch_of:
        return f"Rematch of {game_name(challenge.rematch_of)}"
    return "Challenge" if challenge.to else "Open challenge"


def challenge_card_terms(challenge: Challenge) -> tuple[tuple[str, str], ...]:
    """Return the terms in the picture of a challenge, as pairs of a name and a value.

    Colours are left out, because the picture shows each player's pieces, and it stays when colours have been drawn.
    """
    terms = challenge.terms
    weekends = (("Weekends", "do not count (UTC)"),) if terms.time_control and not terms.weekends else ()
    rated = ("Rated", RATED_CARD_TEXTS[_rated(challenge)])
    return (("Time", time_control_text(terms.time_control)), *weekends, rated)


def challenge_text(challenge: Challenge, begun: str = "", mentioned_role: int | None = None) -> str:
    """Return the text of the public message of an open challenge or seek.

    `begun` is the sentence of `begun_text` on the newest game of a seek that more people may take.
    """
    by = escape_text(challenge.by.name)
    terms, changed = challenge_terms_text(challenge, by), changed_rules_text(challenge.ruleset)
    if challenge.to is None:
        mention = f"<@&{mentioned_role}> " if mentioned_role else ""
        first = f"{mention}{by} looks for a game of GIPF"
        return join_lines(first, terms, changed, begun, _seek_room_text(challenge))
    first = f"{ping_user(challenge.to.user)} {by} challenges you to GIPF"
    if challenge.rematch_of:
        first = f"{ping_user(challenge.to.user)} {by} asks for a rematch of {game_name(challenge.rematch_of)}"
    return join_lines(first, terms, changed, f"Accept or decline until <t:{challenge.expires_at}:D>.")


def _seek_room_text(challenge: Challenge) -> str:
    return f"Open until <t:{challenge.expires_at}:D> · for {takers_text(challenge.takes_left)}"


def begun_text(challenge: Challenge, game: Game) -> str:
    """Return who has White in the game of a challenge. For a seek, also which game it is and who has taken it."""
    white, black = (escape_text(seat.name) for seat in game.seats)
    begins = f"{white} has White and begins"
    return f"{begins}." if challenge.to else f"**{game_name(game.id)}** · {begins} against {black}."


def challenge_closed_text(challenge: Challenge, begun: str = "") -> str:
    """Return the text of the public message of a closed challenge or seek. Raises KeyError for an open one.

    `begun` is the sentence of `begun_text` on its game; empty if there is none.
    """
    by, to = escape_text(challenge.by.name), challenge.to
    ended = {
        RequestState.ACCEPTED: "was accepted; the board follows." if to else "is taken.",
        RequestState.DECLINED: "was declined.",
        RequestState.WITHDRAWN: "was withdrawn.",
        RequestState.EXPIRED: "has expired unanswered." if to else "has expired.",
    }[challenge.state]
    what = f"The challenge by {by} to {escape_text(to.name)}" if to else f"{by}'s open challenge"
    return join_lines(f"{what} {ended}", begun, challenge_terms_text(challenge, by, drawn=bool(begun)))


# ── Private answers ──


def challenge_sent_text(challenge: Challenge, channel: int, link: str | None) -> str:
    """Return the reply to the sender of a challenge or seek. `channel` is where its message goes.

    `link` is the address of the message, None if it is not posted.
    """
    if challenge.to is None:
        posted = link_to("posted", link) if link else "posted"
        return f"Your open challenge is {posted}. Anybody in <#{channel}> can take it with **{TAKE_SEEK_LABEL}**."
    asked = link_to("asked", link) if link else "asked"
    where = "a thread of its own" if challenge.terms.thread else f"<#{channel}>"
    begins = f"Once they accept, the game begins in {where}. The bot pings you when it's your turn."
    return f"{escape_text(challenge.to.name)} has been {asked}. {begins}"


def seek_taken_text(
    challenge: Challenge, game: str, link: str | None, channel: int, *, colour: Colour, rated: bool
) -> str:
    """Return the reply to the player who takes a challenge or seek. It says why a rating that was left open is none."""
    where = f"Here is {link_to('the board', link)}" if link else f"Its board follows in <#{channel}>"
    begins = f"You have {colour}{' and begin' if colour is Colour.WHITE else ''}"
    rating = UNRATED_AS_NEW if _rated(challenge) is None and not rated else RATED_TEXTS[rated]
    return f"You play game {game} against {escape_text(challenge.by.name)} ({rating}). {begins}. {where}."


def rematch_begins_text(game: str, link: str | None, *, against_bot: bool = False) -> str:
    """Return the reply to a player who asks for a rematch after their opponent did. The new game has begun.

    The bot never has to be asked first. `link` is the address of the new game's board, None if it is not posted.
    """
    board = f" Here is {link_to('the board', link)}." if link else ""
    if against_bot:
        return f"{game} begins, with colours swapped.{board}"
    return f"Your opponent asked for a rematch first, so {game} begins.{board}"


def challenges_cross_text(by: str, link: str | None) -> str:
    """Return the reply to a challenger whose opponent `by` has already challenged them.

    `link` is the address of the opponent's challenge, None if it is not posted.
    """
    asks = link_to("has challenged you", link) if link else "has challenged you"
    return f"{escape_text(by)} {asks} already, so nothing was posted. Accept or decline that challenge first."


def challenge_pending_text(to: str, link: str | None) -> str:
    """Return the reply to a challenger who has already challenged `to` and has no answer yet.

    `link` is the address of that challenge, None if it is not posted.
    """
    challenge = link_to("already challenged", link) if link else "already challenged"
    return f"You've {challenge} {escape_text(to)}, so nothing was posted. Wait for the answer, or withdraw it."


def house_name(engine: str, level: int) -> str:
    """Return the name of the bot as a player of a level, or of the engine that plays instead."""
    return f"{engine} {LEVEL_NAMES[level]}"


PLAY_BOT_LABEL, OTHER_ENGINE = "Play the bot", "Another engine"
PRIVATE_TERMS = "A private game has no time limit and no thread, and is never rated."


def play_bot_text(*, private: bool) -> str:
    """Return the text of the page on which a person chooses at which level the bot plays them."""
    seen = "Only you see the game. It has no time limit." if private else "You play it here."
    return join_lines("**Play the bot**", seen, "How well shall the bot play? Press a level, and the game begins.")


def private_game_begins_text(house: House) -> str:
    """Return the note above the first desk of a private game against the bot."""
    level = f"level {house.level} ({LEVEL_NAMES[house.level]})"
    return f"You play {house.engine or 'the bot'}, {level}. Only you see this game; **/gipf games** finds it again."


def house_begins_text(house: House, game: str, link: str | None) -> str:
    """Return the reply to a person who has begun a game against the bot in direct messages.

    `link` is the address of its first board, None if it is not posted.
    """
    where = f"here is {link_to('the board', link)}" if link else "its board follows"
    opponent = house.engine or "the bot"
    return f"You play game {game} against {opponent}, level {house.level} ({LEVEL_NAMES[house.level]}); {where}."


# ── Why nothing is posted ──


def thinks_text(seconds: float) -> str:
    """Return what the label of a level says of its time, if that is long."""
    return f" · thinks about {round(seconds)} s here" if seconds > LONG_SECONDS else ""


def slow_level_text(level: int, seconds: float) -> str:
    """Return the refusal of a level at which the bot would think too long on its host's machine."""
    name = f"level {level} ({LEVEL_NAMES[level]})"
    return f"The bot would think about {round(seconds)} seconds a turn at {name} here. Choose a lower level."


def no_level_text(typed: str, engines: Sequence[str]) -> str:
    """Return the refusal of a level that does not exist. `engines` can be chosen instead of the bot itself."""
    other = f" or **{engines[0]} 3**" if engines else ""
    return f"{quote_text(typed, 40)} isn't a level. Choose one that is suggested, such as **3**{other}."


def only_role_challenges_text(role: int) -> str:
    """Return the refusal of a challenge because only another role may challenge on this server."""
    return f"Only <@&{role}> may challenge on this server. **/gipf seeks** lists open challenges that you can take."


def not_on_server_text(name: str) -> str:
    """Return the refusal of a challenge to a person who is not on the server, or not any more."""
    said = f"{escape_text(name)} isn't on this server, so nobody was asked."
    return f"{said} {WHOM_TO_CHALLENGE}"


def cannot_see_channel_text(name: str | None, games: int | None) -> str:
    """Return the refusal of a challenge because a person cannot see its channel.

    `name` is the person's name, None for the challenger. `games` is the server's channel for games, None if the
    challenge would go to the channel of the command.
    """
    who = "You" if name is None else escape_text(name)
    if games is None:
        return f"{who} cannot see this channel. Challenge in one that both of you can see."
    return (
        f"{who} cannot see <#{games}>, where all games of this server go. "
        "Ask somebody who manages the server to give access to it."
    )


def cannot_make_thread_text(permissions: Sequence[str], channel: int, *, by_server: bool) -> str:
    """Return the refusal of a challenge because the bot cannot make a thread for its game.

    `permissions` names what the bot may not do in `channel`. `by_server` says that the server wants the thread.
    """
    instead = "Ask" if by_server else f"Switch the thread off under **{OTHER_TERMS_LABEL}**, or ask"
    return (
        f"The game would get a thread of its own, but in <#{channel}> the bot lacks permissions: "
        f"{', '.join(permissions)}. {instead} somebody who manages the channel."
    )


# ── Other terms ──


def other_terms_text(to: str, label: str) -> str:
    """Return the text above the terms of a challenge to a person, or of an open one if `to` is empty.

    `label` is that of the button that begins it.
    """
    what = f"challenge to {to}" if to else "open challenge"
    return f"**The terms of your {what}** · **{label}** posts it."


def takers_text(number: int) -> str:
    """Return how many people may take an open challenge."""
    return "1 opponent" if number == 1 else f"up to {number} opponents, a game with each"


def takes_text(number: int) -> str:
    """Return how many people may take an open challenge, as a number."""
    return "1" if number == 1 else f"up to {number}, a game with each"


# ── Lists ──


def seek_list_text(open_seeks: Sequence[tuple[Challenge, str | None]], buttons: int, user: int) -> str:
    """Return the text of the list of open seeks, as `user` sees it.

    `open_seeks` pairs each seek with the address of its message, or with None if it has no posted message. Only the
    first `buttons` seeks have a button below the list.
    """
    if not open_seeks:
        return NO_OPEN_SEEKS
    head = "**Open challenges**"
    if len(open_seeks) > buttons:
        head += f" · the first {buttons} have buttons below. To take another, tap its player's name, if it's a link"
    own = any(challenge.by.user == user for challenge, _ in open_seeks)
    lines = [_seek_line(number, *seek, user) for number, seek in enumerate(open_seeks, 1)]
    return _cut_list([head, *([ALREADY_LOOKING] if own else []), *lines])


def _seek_line(number: int, challenge: Challenge, link: str | None, user: int) -> str:
    by = escape_text(challenge.by.name)
    who = "**You**" if challenge.by.user == user else by
    opponents = f" · for up to {challenge.takes_left} opponents" if challenge.takes_left > 1 else ""
    terms = challenge_terms_text(challenge, by)
    return f"{number}. {link_to(who, link) if link else who}: {terms}{opponents}"


def _cut_list(lines: list[str]) -> str:
    text = join_lines(*lines)
    while len(text) > LIST_LENGTH:
        lines = lines[:-1]
        text = join_lines(*lines, "… and more.")
    return text


def seek_button_label(number: int, challenge: Challenge, user: int) -> str:
    """Return the label of a seek's button: `user` takes the seek, or withdraws it if it is their own.

    `number` is the number of the seek in the list.
    """
    is_own = challenge.by.user == user
    return (
        f"{number} · {WITHDRAW_LABEL} my challenge"
        if is_own
        else f"{number} · {TAKE_SEEK_LABEL} against {challenge.by.name}"
    )


def open_challenges_text(challenges: Sequence[tuple[Challenge, str | None]], user: int, most: int) -> str:
    """Return a list of the open challenges by and to `user`, as many as fit into `most` characters.

    Each challenge comes with the address of its message, or None if it is not posted. Empty if there are none.
    """
    lines = [_open_challenge_line(challenge, user, link) for challenge, link in challenges]
    for shown in range(len(lines), -1 if lines else 0, -1):
        more = [f"… and {len(lines) - shown} more."] if shown < len(lines) else []
        text = join_lines("**Open challenges**", *lines[:shown], *more)
        if len(text) <= most:
            return text
    return ""


def open_challenge_label(challenge: Challenge, user: int) -> str:
    """Return the label of an open challenge in a select, as this person says it."""
    return f"{_who_asks(challenge, user)} · {ruleset_words(challenge.ruleset.name)}"


def _open_challenge_line(challenge: Challenge, user: int, link: str | None) -> str:
    said = escape_text(_who_asks(challenge, user))
    return f"• {link_to(said, link) if link else said}"


def _who_asks(challenge: Challenge, user: int) -> str:
    if challenge.by.user != user:
        return f"{challenge.by.name} challenges you"
    return f"You challenge {challenge.to.name}" if challenge.to else "You're looking for an opponent"
