"""The texts about challenges, seeks and rematches."""

from collections.abc import Callable, Sequence

from gipfbot.languages import mark, say, say_name, say_number
from gipfbot.match import LEVEL_NAMES, Challenge, Game, House, RequestState, Side
from gipfbot.rules import Colour, Ruleset
from gipfbot.rules.powers import POWERS
from gipfbot.service.house.house_player import LONG_SECONDS
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit import escape_text, join_lines
from gipfbot.ui.kit.clock_texts import terms_text, time_control_text
from gipfbot.ui.kit.notation_texts import ruleset_text, sentence_text
from gipfbot.ui.kit.texts import (
    LIST_LENGTH,
    address_users,
    channel_mention,
    link_to,
    player_name,
    quote_text,
    role_mention,
    texts_of_course,
    time_text,
    without_empty_links,
)

# ── The welcome ──


SET_UP_LABEL, FIND_OPPONENT_LABEL = mark("Set up"), mark("Find an opponent")
WELCOME_CAPTION = mark("Four in a row leave the board")
WELCOME_TEXT = mark(
    """\
**GIPF is here.** Play the board game GIPF against each other, one turn at a time, over days or weeks.
Push pieces in from the edge. Four of your colour in a row leave the board: they come back to you, and your \
opponent's pieces right beside them in that line are captured. You win when your opponent has no piece left to \
push, or no GIPF-piece (a double piece) on the board.
After each turn the bot posts a picture. It pings only the player to move."""
)
# Whether a game is rated; None: only if both have finished a game between people, as is seen when the seek is taken.
RATED_TEXTS = {True: mark("rated"), False: mark("not rated"), None: mark("rated unless it is somebody's first game")}
RATED_CARD_TEXTS = {True: mark("yes"), False: mark("no"), None: mark("unless it is a first game")}
UNRATED_AS_NEW = mark(
    "You play game {game} against {name} (not rated, because one of you hasn't finished a game with another person "
    "yet)."
)
HOUSE_UNRATED = mark("Games against the bot are never rated.")
NEVER_RATED = mark("Games of Overboard are never rated.")
FIRST_GAMES_UNRATED = mark(
    "This game isn't rated, as one of you hasn't finished a game with another person yet. To play a rated one anyway, "
    "withdraw the challenge and use **/gipf challenge** with **rated:True**."
)
CHALLENGE_POSTED_LATER = mark("Your challenge isn't posted yet; the bot keeps trying.")
SEEK_POSTED_LATER = mark("Your open challenge isn't posted yet; the bot keeps trying.")
WHILE_YOU_WAIT = mark("While you wait, learn the game or play the bot:")
CHALLENGE_NOT_POSTED = mark(
    "Discord doesn't take the challenge in this channel, so nobody was asked. Try another channel, or ask the managers "
    "of this server: the bot may lack a permission here, or AutoMod may block a name."
)
NO_THREAD_IN_THREADS = mark("The game stays in this thread; it doesn't get its own.")
SERVER_MAKES_THREADS = mark("This server gives each game a thread of its own.")
SERVER_MAKES_NO_THREADS = mark("This server gives games no threads of their own.")
OWN_CHALLENGE_DECLINED = mark("This is your own challenge: withdraw it if you like.")
WHOM_TO_CHALLENGE = mark("Choose somebody else, or leave **opponent** out: then anybody can take your challenge.")
CANNOT_CHALLENGE_ONESELF = mark(
    "You can't challenge yourself. Choose somebody else, or leave **opponent** out: then anybody can take your "
    "challenge."
)
CANNOT_CHALLENGE_BOT = mark("Other bots don't play GIPF. Choose a person, or play this one with **/gipf bot**.")
IN_PRIVATE_THREAD = mark(
    "Games can't be played in a private thread. Use the command in a channel or in a public thread."
)
CHALLENGE_NEEDS_SERVER = mark(
    "A challenge needs a channel that your opponent can see: use **/gipf challenge** in a server. "
    "Here you can play the bot: **/gipf bot**."
)
OPEN_CHALLENGES_LABEL = mark("Open challenges: answer or withdraw…")
POST_SEEK_LABEL, CHALLENGE_LABEL = mark("Look for a game"), mark("Challenge")
OTHER_TERMS_LABEL = mark("Other terms…")
NO_OPEN_SEEKS = mark(
    "Nobody is looking for a game here right now. **Look for a game** posts an open challenge, which anybody here "
    "can take. Or ask somebody with **/gipf challenge**, or play the bot with **/gipf bot**."
)
ALREADY_LOOKING = mark("You're already looking for a game: your own challenge is listed, too.")
SEEKS_NEED_SERVER = mark("Use **/gipf seeks** on a server: it lists the open challenges of that server.")
CANNOT_SEE_SEEK = mark("You can't see the channel of this open challenge. **/gipf seeks** lists the ones you can take.")


# ── The public message ──


_COLOURS = {
    Side.LOT: mark("random colours"),
    Side.WHITE: mark("{name} plays White"),
    Side.BLACK: mark("{name} plays Black"),
}


def challenge_terms_text(challenge: Challenge, by: str, *, drawn: bool = False) -> str:
    """Return the terms of a challenge in one line. `by` is the name of the challenger.

    `drawn` says that random colours have been drawn: then they are not random any more.
    """
    colours = "" if drawn and challenge.side is Side.LOT else say(_COLOURS[challenge.side], name=by)
    rules, terms = ruleset_text(challenge.ruleset.name), terms_text(challenge.terms)
    rated = _rated(challenge)
    open_still = rated is not None or challenge.state is RequestState.OPEN
    return " · ".join(filter(None, (f"**{rules}**", colours, terms, say(RATED_TEXTS[rated]) if open_still else "")))


def _rated(challenge: Challenge) -> bool | None:
    """Return whether the game will be rated; None for a seek where that depends on who takes it."""
    terms = challenge.terms
    return None if challenge.to is None and terms.rated and terms.rated_if_finished else terms.rated


def changed_rules_text(ruleset: Ruleset) -> str:
    """Return one line on what potentials or the rules of Overboard change. Empty if neither is played."""
    if changes := texts_of_course(ruleset).changes:
        return say(changes)
    if not ruleset.potentials:
        return ""
    powers = [POWERS[letter] for letter, _ in ruleset.potentials]
    jumps = [sentence_text(power.jump_sentence) for power in powers if power.jump_sentence]
    sentence = mark(
        "Potentials are special pieces, which come in on top of basic ones. Each is used once, instead of a push."
    )
    return " ".join([say(sentence), *jumps])


def challenge_card_title(challenge: Challenge) -> str:
    """Return the title in the picture of a challenge."""
    if challenge.rematch_of:
        return say("Rematch of {game}", game=game_name(challenge.rematch_of))
    return say("Challenge") if challenge.to else say("Open challenge")


def challenge_card_terms(challenge: Challenge) -> tuple[tuple[str, str], ...]:
    """Return the terms in the picture of a challenge, as pairs of a name and a value.

    Colours are left out, because the picture shows each player's pieces, and it stays when colours have been drawn.
    """
    terms = challenge.terms
    off = terms.time_control and not terms.weekends
    weekends = ((say("Weekends"), say("do not count (UTC)")),) if off else ()
    rated = (say("Rated"), say(RATED_CARD_TEXTS[_rated(challenge)]))
    return ((say("Time"), time_control_text(terms.time_control)), *weekends, rated)


def challenge_text(challenge: Challenge, begun: str = "", mentioned_role: int | None = None) -> str:
    """Return the text of the public message of an open challenge or seek.

    `begun` is the sentence of `begun_text` on the newest game of a seek that more people may take.
    """
    by = escape_text(challenge.by.name)
    terms, changed = challenge_terms_text(challenge, by), changed_rules_text(challenge.ruleset)
    if challenge.to is None:
        mention = f"{role_mention(mentioned_role)} " if mentioned_role else ""
        first = f"{mention}{say('{name} looks for a game of GIPF', name=by)}"
        return join_lines(first, terms, changed, begun, _seek_room_text(challenge))
    asks = say("{name} challenges you to GIPF", name=by)
    if challenge.rematch_of:
        asks = say("{name} asks for a rematch of {game}", name=by, game=game_name(challenge.rematch_of))
    until = say("Accept or decline until {day}.", day=time_text(challenge.expires_at, "D"))
    return join_lines(f"{address_users(challenge.to.user)} {asks}", terms, changed, until)


def _seek_room_text(challenge: Challenge) -> str:
    room = say_number("for {number} opponent", "for up to {number} opponents, a game with each", challenge.takes_left)
    return f"{say('Open until {day}', day=time_text(challenge.expires_at, 'D'))} · {room}"


def begun_text(challenge: Challenge, game: Game) -> str:
    """Return who has White in the game of a challenge. For a seek, also which game it is and who has taken it."""
    white, black = (escape_text(seat.name) for seat in game.seats)
    if challenge.to:
        return say("{name} has White and begins.", name=white)
    begins = say("{white} has White and begins against {black}.", white=white, black=black)
    return f"**{game_name(game.id)}** · {begins}"


_CLOSED_CHALLENGES = {
    RequestState.ACCEPTED: mark("The challenge by {by} to {to} was accepted; the board follows."),
    RequestState.DECLINED: mark("The challenge by {by} to {to} was declined."),
    RequestState.WITHDRAWN: mark("The challenge by {by} to {to} was withdrawn."),
    RequestState.EXPIRED: mark("The challenge by {by} to {to} has expired unanswered."),
}
_CLOSED_SEEKS = {
    RequestState.ACCEPTED: mark("{by}'s open challenge is taken."),
    RequestState.DECLINED: mark("{by}'s open challenge was declined."),
    RequestState.WITHDRAWN: mark("{by}'s open challenge was withdrawn."),
    RequestState.EXPIRED: mark("{by}'s open challenge has expired."),
}


def challenge_closed_text(challenge: Challenge, begun: str = "") -> str:
    """Return the text of the public message of a closed challenge or seek. Raises KeyError for an open one.

    `begun` is the sentence of `begun_text` on its game; empty if there is none.
    """
    by, to = escape_text(challenge.by.name), challenge.to
    if to:
        ended = say(_CLOSED_CHALLENGES[challenge.state], by=by, to=escape_text(to.name))
    else:
        ended = say(_CLOSED_SEEKS[challenge.state], by=by)
    return join_lines(ended, begun, challenge_terms_text(challenge, by, drawn=bool(begun)))


# ── Private answers ──


def challenge_sent_text(challenge: Challenge, channel: int, link: str | None) -> str:
    """Return the reply to the sender of a challenge or seek. `channel` is where its message goes.

    `link` is the address of the message, None if it is not posted.
    """
    if challenge.to is None:
        posted = mark("Your open challenge is [posted]({link}). Anybody in {channel} can take it with **Play**.")
        return without_empty_links(say(posted, link=link or "", channel=channel_mention(channel)))
    asked = say("{name} has been [asked]({link}).", name=escape_text(challenge.to.name), link=link or "")
    begins = mark("Once they accept, the game begins in {channel}. The bot pings you when it's your turn.")
    if challenge.terms.thread:
        begins = mark(
            "Once they accept, the game begins in a thread of its own. The bot pings you when it's your turn."
        )
    return f"{without_empty_links(asked)} {say(begins, channel=channel_mention(channel))}"


_BOARD_IS_HERE = mark("Here is [the board]({link}).")


def seek_taken_text(
    challenge: Challenge, game: str, link: str | None, channel: int, *, colour: Colour, rated: bool
) -> str:
    """Return the reply to the player who takes a challenge or seek. It says why a rating that was left open is none."""
    sentence = mark("You play game {game} against {name} (rated).")
    if not rated:
        was_open = _rated(challenge) is None
        sentence = UNRATED_AS_NEW if was_open else mark("You play game {game} against {name} (not rated).")
    plays = say(sentence, game=game, name=escape_text(challenge.by.name))
    begins = say("You have White and begin.") if colour is Colour.WHITE else say("You have Black.")
    if link:
        return f"{plays} {begins} {say(_BOARD_IS_HERE, link=link)}"
    return f"{plays} {begins} {say('Its board follows in {channel}.', channel=channel_mention(channel))}"


def rematch_begins_text(game: str, link: str | None, *, against_bot: bool = False) -> str:
    """Return the reply to a player who asks for a rematch after their opponent did. The new game has begun.

    The bot never has to be asked first. `link` is the address of the new game's board, None if it is not posted.
    """
    begins = mark("Your opponent asked for a rematch first, so {game} begins.")
    if against_bot:
        begins = mark("{game} begins, with colours swapped.")
    return f"{say(begins, game=game)} {say(_BOARD_IS_HERE, link=link) if link else ''}".rstrip()


def challenges_cross_text(by: str, link: str | None) -> str:
    """Return the reply to a challenger whose opponent `by` has already challenged them.

    `link` is the address of the opponent's challenge, None if it is not posted.
    """
    sentence = mark(
        "{name} [has challenged you]({link}) already, so nothing was posted. Accept or decline that challenge first."
    )
    return without_empty_links(say(sentence, name=escape_text(by), link=link or ""))


def challenge_pending_text(to: str, link: str | None) -> str:
    """Return the reply to a challenger who has already challenged `to` and has no answer yet.

    `link` is the address of that challenge, None if it is not posted.
    """
    sentence = mark(
        "You've [already challenged]({link}) {name}, so nothing was posted. Wait for the answer, or withdraw it."
    )
    return without_empty_links(say(sentence, name=escape_text(to), link=link or ""))


PLAY_BOT_LABEL, OTHER_ENGINE = mark("Play the bot"), mark("Another engine")
PRIVATE_TERMS = mark("A private game has no time limit and no thread, and is never rated.")


def level_name(level: int) -> str:
    """Return the name of a level of the bot."""
    return say_name(LEVEL_NAMES[level])


def play_bot_text(*, private: bool) -> str:
    """Return the text of the page on which a person chooses at which level the bot plays them."""
    seen = say("Only you see the game. It has no time limit.") if private else say("You play it here.")
    return join_lines(
        say("**Play the bot**"), seen, say("How well shall the bot play? Press a level, and the game begins.")
    )


def private_game_begins_text(house: House) -> str:
    """Return the note above the first desk of a private game against the bot."""
    begins = mark("You play the bot, level {level} ({name}). Only you see this game; **/gipf games** finds it again.")
    if house.engine:
        begins = mark(
            "You play {engine}, level {level} ({name}). Only you see this game; **/gipf games** finds it again."
        )
    return say(begins, engine=house.engine, level=house.level, name=level_name(house.level))


# What begins, by whether an engine plays instead of the bot, and whether its board is posted.
_HOUSE_BEGINS = {
    (False, False): mark("You play game {game} against the bot, level {level} ({name}); its board follows."),
    (False, True): mark("You play game {game} against the bot, level {level} ({name}); here is [the board]({link})."),
    (True, False): mark("You play game {game} against {engine}, level {level} ({name}); its board follows."),
    (True, True): mark("You play game {game} against {engine}, level {level} ({name}); here is [the board]({link})."),
}


def house_begins_text(house: House, game: str, link: str | None) -> str:
    """Return the reply to a person who has begun a game against the bot in direct messages.

    `link` is the address of its first board, None if it is not posted.
    """
    facts = {"game": game, "engine": house.engine, "name": level_name(house.level), "link": link or ""}
    return say(_HOUSE_BEGINS[bool(house.engine), bool(link)], level=house.level, **facts)


# ── Why nothing is posted ──


def thinks_text(seconds: float) -> str:
    """Return what the label of a level says of its time, if that is long."""
    return f" · {say('thinks about {count} s here', count=round(seconds))}" if seconds > LONG_SECONDS else ""


def slow_level_text(level: int, seconds: float) -> str:
    """Return the refusal of a level at which the bot would think too long on its host's machine."""
    return say_number(
        "The bot would think about {number} second a turn at level {level} ({name}) here. Choose a lower level.",
        "The bot would think about {number} seconds a turn at level {level} ({name}) here. Choose a lower level.",
        round(seconds),
        level=level,
        name=level_name(level),
    )


def no_level_text(typed: str, engines: Sequence[str]) -> str:
    """Return the refusal of a level that does not exist. `engines` can be chosen instead of the bot itself."""
    quoted = quote_text(typed, 40)
    if not engines:
        return say("{text} isn't a level. Choose one that is suggested, such as **3**.", text=quoted)
    sentence = mark("{text} isn't a level. Choose one that is suggested, such as **3** or **{engine} 3**.")
    return say(sentence, text=quoted, engine=engines[0])


def only_role_challenges_text(role: int) -> str:
    """Return the refusal of a challenge because only another role may challenge on this server."""
    sentence = mark(
        "Only {role} may challenge on this server. **/gipf seeks** lists open challenges that you can take."
    )
    return say(sentence, role=role_mention(role))


def not_on_server_text(name: str) -> str:
    """Return the refusal of a challenge to a person who is not on the server, or not any more."""
    said = say("{name} isn't on this server, so nobody was asked.", name=escape_text(name))
    return f"{said} {say(WHOM_TO_CHALLENGE)}"


# Who cannot see where a challenge would go: by whether it is the challenger, and whether it is the channel for games.
_CANNOT_SEE = {
    (True, False): mark("You cannot see this channel. Challenge in one that both of you can see."),
    (False, False): mark("{name} cannot see this channel. Challenge in one that both of you can see."),
    (True, True): mark(
        "You cannot see {channel}, where all games of this server go. Ask somebody who manages the server to give "
        "access to it."
    ),
    (False, True): mark(
        "{name} cannot see {channel}, where all games of this server go. Ask somebody who manages the server to give "
        "access to it."
    ),
}


def cannot_see_channel_text(name: str | None, games: int | None) -> str:
    """Return the refusal of a challenge because a person cannot see its channel.

    `name` is the person's name, None for the challenger. `games` is the server's channel for games, None if the
    challenge would go to the channel of the command.
    """
    sentence = _CANNOT_SEE[name is None, games is not None]
    return say(sentence, name=escape_text(name or ""), channel=channel_mention(games or 0))


def cannot_make_thread_text(permissions: Sequence[str], channel: int, *, by_server: bool) -> str:
    """Return the refusal of a challenge because the bot cannot make a thread for its game.

    `permissions` names what the bot may not do in `channel`. `by_server` says that the server wants the thread.
    """
    sentence = mark(
        "The game would get a thread of its own, but in {channel} the bot lacks permissions: {permissions}. "
        "Switch the thread off under **Other terms…**, or ask somebody who manages the channel."
    )
    if by_server:
        sentence = mark(
            "The game would get a thread of its own, but in {channel} the bot lacks permissions: {permissions}. "
            "Ask somebody who manages the channel."
        )
    return say(sentence, channel=channel_mention(channel), permissions=", ".join(permissions))


# ── Other terms ──


def other_terms_text(to: str) -> str:
    """Return the text above the terms of a challenge to a person, or of an open one if `to` is empty."""
    if to:
        return f"**{say('The terms of your challenge to {name}', name=to)}** · {say('**Challenge** posts it.')}"
    return f"**{say('The terms of your open challenge')}** · {say('**Look for a game** posts it.')}"


def takes_text(number: int) -> str:
    """Return how many people may take an open challenge, as a number."""
    if number == 1:
        return str(number)
    return say_number("up to {number}, a game with each", "up to {number}, a game with each", number)


# ── Lists ──


def seek_list_text(open_seeks: Sequence[tuple[Challenge, str | None]], buttons: int, user: int) -> str:
    """Return the text of the list of open seeks, as `user` sees it.

    `open_seeks` pairs each seek with the address of its message, or with None if it has no posted message. Only the
    first `buttons` seeks have a button below the list.
    """
    if not open_seeks:
        return say(NO_OPEN_SEEKS)
    head = say("**Open challenges**")
    if len(open_seeks) > buttons:
        more = mark("the first {count} have buttons below. To take another, tap its player's name, if it's a link")
        head = f"{head} · {say(more, count=buttons)}"
    own = any(challenge.by.user == user for challenge, _ in open_seeks)
    lines = [_seek_line(number, *seek, user) for number, seek in enumerate(open_seeks, 1)]
    return _cut_list([head, *([say(ALREADY_LOOKING)] if own else []), *lines])


def _seek_line(number: int, challenge: Challenge, link: str | None, user: int) -> str:
    by = escape_text(challenge.by.name)
    who = say("**You**") if challenge.by.user == user else by
    said = f"{number}. {link_to(who, link) if link else who}: {challenge_terms_text(challenge, by)}"
    if challenge.takes_left <= 1:
        return said
    opponents = say_number("for up to {number} opponent", "for up to {number} opponents", challenge.takes_left)
    return f"{said} · {opponents}"


def _cut_list(lines: list[str]) -> str:
    text = join_lines(*lines)
    while len(text) > LIST_LENGTH:
        lines = lines[:-1]
        text = join_lines(*lines, say("… and more."))
    return text


def seek_button_label(number: int, challenge: Challenge, user: int) -> str:
    """Return the label of a seek's button: `user` takes the seek, or withdraws it if it is their own.

    `number` is the number of the seek in the list.
    """
    if challenge.by.user == user:
        return f"{number} · {say('Withdraw my challenge')}"
    return f"{number} · {say('Play against {name}', name=player_name(challenge.by.name))}"


def open_challenges_text(challenges: Sequence[tuple[Challenge, str | None]], user: int, most: int) -> str:
    """Return a list of the open challenges by and to `user`, as many as fit into `most` characters.

    Each challenge comes with the address of its message, or None if it is not posted. Empty if there are none.
    """
    lines = [_open_challenge_line(challenge, user, link) for challenge, link in challenges]
    for shown in range(len(lines), -1 if lines else 0, -1):
        left = len(lines) - shown
        more = say_number("… and {number} more.", "… and {number} more.", left) if left else ""
        text = join_lines(say("**Open challenges**"), *lines[:shown], more)
        if len(text) <= most:
            return text
    return ""


def open_challenge_label(challenge: Challenge, user: int) -> str:
    """Return the label of an open challenge in a select, as this person says it."""
    return f"{_who_asks(challenge, user)} · {ruleset_text(challenge.ruleset.name)}"


def _open_challenge_line(challenge: Challenge, user: int, link: str | None) -> str:
    said = _who_asks(challenge, user, escape_text)
    return f"• {link_to(said, link) if link else said}"


def _who_asks(challenge: Challenge, user: int, shown: Callable[[str], str] = player_name) -> str:
    """Return who challenges whom, as `user` says it. `shown` writes a name."""
    if challenge.by.user != user:
        return say("{name} challenges you", name=shown(challenge.by.name))
    if challenge.to:
        return say("You challenge {name}", name=shown(challenge.to.name))
    return say("You're looking for an opponent")
