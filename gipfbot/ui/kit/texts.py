"""Labels, sentences and pieces of text that several rooms use."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from gipfbot.characters import cut_text
from gipfbot.languages import mark, mark_number, say, say_amount, say_name
from gipfbot.match.game import drop_controls
from gipfbot.rules import ByColour, Colour, Kind, Ruleset
from gipfbot.rules.pending import RowChoice
from gipfbot.rules.rulesets import OFFICIAL_COURSE, OVERBOARD_COURSE
from gipfbot.rules.sentences import Sentence
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.values import ListedGame, Trouble

_LISTED = re.compile(r"(?:[-*]|\d+\.) ")  # the beginning of an item of a list
MESSAGE_LENGTH = 2000  # characters: Discord's limit
_INVITE = re.compile(r"(discord(?:app)?\.(?:gg|com(?=/invite)))/", re.IGNORECASE)  # linked even without https://
WHOLE_LENGTH = 1950  # characters of a message that is only a list
LIST_LENGTH = 1300  # characters of a list with more text below
LONGEST_QUOTE = 600  # characters of a typed text that is handed back

GAME_PLACEHOLDER = mark("Choose a game")
ACCEPT_LABEL, DECLINE_LABEL, WITHDRAW_LABEL = mark("Accept"), mark("Decline"), mark("Withdraw")
TAKE_SEEK_LABEL = mark("Play")
MOVE_LABEL = mark("Move")
REMOVE_LABEL = mark("Remove row")
GO_ON_LABEL = mark("Continue turn")
DECIDE_LABEL = mark("Decide")
ALL_GAMES_LABEL, MY_GAMES_LABEL, BOARD_LABEL = mark("All games"), mark("My games"), mark("Board")
BACK_TO_GAME_LABEL = mark("Back to the game")
TUTORIAL_LABEL, HOW_TO_PLAY_LABEL, RULES_LABEL = mark("Tutorial"), mark("How to play"), mark("The rules")
RECORD_LABEL, STUDY_LABEL, REMATCH_LABEL, REPLAY_LABEL = mark("Record"), mark("Study"), mark("Rematch"), mark("Replay")
STANDINGS_LABEL = mark("Standings")
MORE_LABEL, EXPLORER_LABEL, ANALYSE_LABEL = mark("More…"), mark("Explorer"), mark("Analyse")
SHOW_HERE_LABEL = mark("Show here")

# ── Which game ──

WHICH_GAME = mark("You have several games. Which one?")
NAME_THE_GAME = mark("You have several games: name one with the option **game**, such as #a7. Nothing was done.")
NO_RUNNING_GAMES = mark("You have no running games. Start one with **/gipf challenge** or **/gipf bot**.")
NOT_YOUR_GAME = mark("You do not play in this game. **/gipf games** lists yours, **/gipf challenge** starts one.")
PRIVATE_GAME = mark("That's a private game against the bot: only its player sees it.")
PLAYED_ELSEWHERE = mark("That game is played on another server, in a channel that you can't see.")
CANNOT_SEE_GAME = mark("You can't see that game's channel, so only its players can show you the game.")

COLOUR_NAMES = {Colour.WHITE: mark("White"), Colour.BLACK: mark("Black")}
RemovedText = Callable[[Colour, Sequence[Kind], Sequence[Kind]], str]

# ── Why nothing was done ──

ONLY_ON_SERVERS = mark("Use this command on a server: it is about that server alone.")
ONLY_FOR_MANAGERS = mark(
    "Only those who may use **/gipf-server** can do this: people with the permission **Manage Server**, unless this "
    "server has decided otherwise. You don't need it to play."
)
UNKNOWN_BUTTON = mark("This button is out of date; nothing was changed. **/gipf games** lists your games.")
LOST_BUTTON = mark(
    "The bot was restored from a backup, and what this button was for is lost. Nothing was done. "
    "**/gipf games** lists your games, **/gipf board** shows one as it stands."
)
GAME_MOVED_ON = mark("The game has moved on. Here's the current board.")
GAME_JUST_CHANGED = mark("The game has just changed; nothing was played. **/gipf board** shows the current board.")
NO_ANSWER_FOLLOWS = mark("Your opponent's time is over. Their next turn ends the game, so no plan can follow it.")
DISCORD_CANNOT_TELL = mark("Discord can't tell the bot right now what you may see and do there. Please try again soon.")
FILES_REFUSED = mark("Discord doesn't take that file here. In a chat with the bot it may work.")
REQUESTS_STOPPED = mark("Discord limits the bot for some minutes, so that did not work. Please try again later.")
SOMETHING_WENT_WRONG = mark("Something went wrong. If you made a move, **/gipf board** shows whether it was played.")
MAYBE_SAVED = mark(
    "The bot can't reach its games right now. Try again later. "
    "If you made a move, **/gipf board** then shows whether it was played."
)
NOT_BOTH_SEE_CHANNEL = mark(
    "This game can't go on in its channel: the channel is gone, or a player has left. "
    "Use **/gipf board** in a server's channel that both of you can see."
)
DEMO_WELCOME = mark(
    """\
**Welcome** to a simulated Discord: nothing leaves your computer.
**Try this first:** you are Ann, and it is your turn. Press **Move** above, then the dot **f8**, then \
**→ f7 · row: 3 or 5 back**. That makes a row: choose whether your GIPF-piece on e8 comes off with it. \
Then choose **Bob** under *Viewing as* at the top and answer. As **Cara** you watch: press **More…** and look around. \
You can also type your turns: `/move`. To play the bot, use `/gipf bot`. `/gipf-learn puzzle` \
is today's puzzle. `/gipf-tournament new` opens a league: people of this page join it and play their own turns. \
`/gipf help` explains the rest."""
)
DEMO_STARTS_SOON = mark("Nobody waits for days on this page: the games of {tournament} begin in a few seconds.")


def player_name(name: str, most: int | None = None) -> str:
    """Return the name of a player as it is shown. One made of words, such as the bot's, is said; others stay.

    With `most` it is cut to so many signs. The words of one made of words stay whole. `escape_text` and `shorten_text`
    say a name, too.
    """
    if not isinstance(name, Sentence):
        return name if most is None else shorten_text(name, most)
    facts = {at: player_name(fact, most) for at, fact in name.facts.items() if isinstance(fact, str)}
    return say_name(name.template, **facts)


def player_names(names: ByColour[str]) -> ByColour[str]:
    """Return the names of both players as they are shown."""
    return player_name(names[0]), player_name(names[1])


def escape_text(name: str) -> str:
    """Return a name escaped for Discord: it is shown unchanged, links nowhere and pings nobody.

    Signs that turn the direction of text are left out.
    """
    shown = drop_controls(player_name(name))
    escaped = re.sub(r"[\\*_~`|<>\[\]()]|#(?!\ufe0f?\u20e3)", r"\\\g<0>", shown)  # no keycap is torn
    return _INVITE.sub("\\1\u200b/", escaped.replace("@", "@\u200b").replace("://", ":\u200b//"))


def join_lines(*parts: str) -> str:
    """Return the parts that are not empty, each on a line of its own.

    After a list an empty line follows: else Discord shows the next line as part of the last item.

    >>> join_lines("From now on:", "- Pace", "", "Have fun.").splitlines()
    ['From now on:', '- Pace', '', 'Have fun.']
    """
    lines = "\n".join(part for part in parts if part).split("\n")
    ends = [bool(_LISTED.match(line)) and not _LISTED.match(after) and bool(after) for line, after in pairwise(lines)]
    return "\n".join(f"{line}\n" if ends_list else line for line, ends_list in zip(lines, [*ends, False], strict=True))


def setting_change_text(label: str, before: str, after: str) -> str:
    """Return the line on how a setting was changed, such as `Theme: Wood → Night.`, or that it is unchanged."""
    if before == after:
        return f"{label}: {after}, {say('as before')}."
    return f"{label}: {before} → {after}."


def with_code_block(text: str, block: str) -> str:
    """Return `text` above a code block. The end of `text` is cut if both do not fit into one message."""
    room, lines = MESSAGE_LENGTH - len(block) - len("\n```\n\n```"), text.splitlines()
    while len(lines) > 1 and len("\n".join(lines)) > room:
        lines.pop()
    return "\n".join(filter(None, (shorten_text("\n".join(lines), room), "```", block, "```")))


def left_server_text(name: str, server: str | None) -> str:
    """Return that a person has left a server. `server` is as `name_of_left_server` of visibility.py returns it."""
    if server is None:
        return say("{name} has left the server.", name=escape_text(name))
    if not server:
        return say("{name} has left the game's server.", name=escape_text(name))
    return say("{name} has left the server {server}.", name=escape_text(name), server=escape_text(server))


def shorten_text(text: str, most: int = 60) -> str:
    """Return a text cut to at most `most` signs. A text that was cut ends in `…`, and nothing in it is torn apart."""
    text = player_name(text)
    return text if len(text) <= most else cut_text(text, most - 1).rstrip("\\") + "…"


def shorten_lines(text: str, most: int = MESSAGE_LENGTH) -> str:
    """Return a text cut at a line to at most `most` signs. If it was cut, `…` follows, and a block of code is closed.

    A first line that is too long is cut within.
    """
    if len(text) <= most:
        return text
    lines = text.splitlines()[:-1]
    while len(lines) > 1 and len(_cut_after(lines)) > most:
        lines.pop()
    return shorten_text(_cut_after(lines) if lines else text, most)


def _cut_after(lines: Sequence[str]) -> str:
    text = "\n".join(lines)
    return "\n".join([text, *(["```"] if text.count("```") % 2 else []), "…"])


def quote_text(text: str, most: int = 60) -> str:
    """Quote a typed text as code on one line, cut to at most `most` characters.

    Signs that would end the code, control something, or turn the direction of text are left out.
    """
    plain = " ".join(drop_controls(text.replace("`", " ")).split())
    return f"`{shorten_text(plain, most) or '?'}`"


def you_wrote_text(text: str) -> str:
    """Return a typed text that had no effect, quoted so that it can be copied. A long text is shortened."""
    return say("You wrote {text}.", text=quote_text(text, LONGEST_QUOTE))


def escape_turn(text: str) -> str:
    """Return a turn with its stars escaped, so that Discord shows them."""
    return text.replace("*", "\\*")


def pair_number(turn_number: int) -> int:
    """Return the number that records give a turn. They number White's turn and Black's answer together.

    `turn_number` counts the turns of both players from 1. 0 stays 0.
    """
    return (turn_number + 1) // 2


def colour_name(colour: Colour) -> str:
    """Return the name of a colour, which may stand in a sentence."""
    return say_name(COLOUR_NAMES[colour])


def turn_count_text(turns: int) -> str:
    """Return a number of turns as text: `1 turn`, `1,000 turns`. White's turn and Black's answer are two."""
    return say_amount("{number} turn", "{number} turns", turns)


def game_length_text(turns: int) -> str:
    """Return how long a game is, as its turns are numbered: White's turn 7 and Black's turn 7 are `7 turns`.

    `turns` counts the turns of both players.
    """
    return turn_count_text(pair_number(turns))


def turn_in_words(turn_number: int) -> str:
    """Return a turn's number and colour for a sentence: `White's turn 7`. `turn_place` is for records.

    `turn_number` counts the turns of both players from 1, records those of each player.
    """
    number = str(pair_number(turn_number))
    if turn_number % 2:
        return say_name("White's turn {number}", number=number)
    return say_name("Black's turn {number}", number=number)


def turn_place(turn_number: int) -> str:
    """Return a turn's number and colour as records count them, before the turn's own text: `7. White`.

    `turn_number` counts the turns of both players from 1.
    """
    return f"{pair_number(turn_number)}. {colour_name(Colour.WHITE if turn_number % 2 else Colour.BLACK)}"


def number_repeats(labels: Sequence[str]) -> list[str]:
    """Return the labels of one message. Of equal ones, the second ends in ` (2)`, the third in ` (3)`, and so on.

    A screen reader reads nothing but the label.
    """
    return [nth_label(label, labels[:at].count(label)) for at, label in enumerate(labels)]


def nth_label(label: str, before: int) -> str:
    """Return the label of a control if `before` others of its message have the same: `Watch`, then `Watch (2)`."""
    return f"{label} ({before + 1})" if before else label


def short_turn(text: str) -> str:
    """Return a turn whose removals are cut to `x…`. A turn that only removes stays whole.

    `text` is a turn in the official notation: `g1-c3;xc2,d3` becomes `g1-c3;x…`.
    """
    parts = text.split(";")
    short = ["x…" if part.startswith("x") else part for part in parts]
    return text if {*short} == {"x…"} else ";".join(short)


def pushed_part(text: str) -> str:
    """Return a turn without its removals, to name it: `g1-c3`. A turn that only removes stays whole."""
    return ";".join(part for part in text.split(";") if not part.startswith("x")) or text


def ping_user(user: int) -> str:
    """Return the mention that pings a person."""
    return f"<@{user}>"


def address_users(*users: int) -> str:
    """Return the mentions that ping people, in front of a sentence that speaks to them. Empty without people."""
    return say("{ping}", ping=" ".join(map(ping_user, users))) if users else ""


def role_mention(role: int) -> str:
    """Return a role as a message names it. It notifies only if the message says so."""
    return f"<@&{role}>"


def channel_mention(channel: int) -> str:
    """Return the mention of a channel, which leads to it."""
    return f"<#{channel}>"


def game_label(brief: ListedGame, user: int) -> str:
    """Return a game's label in a choice: its name, and the opponent of `user`, or both players if they only watch."""
    game = game_name(brief.id)
    if user not in brief.users:
        white, black = player_names(brief.names)
        return say_name("{game} {white} vs {black}", game=game, white=white, black=black)
    return say_name("{game} vs {name}", game=game, name=opponent_of(brief, user))


def opponent_of(brief: ListedGame, user: int, most: int | None = None) -> str:
    """Return the name of the opponent of `user` in a game. `most` is as in `player_name`."""
    return player_name(brief.names[1] if brief.users[0] == user else brief.names[0], most)


def time_text(at: int, style: str = "f") -> str:
    """Return a time in UTC seconds as each reader's Discord writes it. `style` is one of Discord's: `D`, `f`, `R`."""
    return f"<t:{at}:{style}>"


def without_empty_links(text: str) -> str:
    """Return a text in which a link without an address is only its words.

    >>> without_empty_links("[Ann has been [asked]().")
    '[Ann has been asked.'
    """
    return re.sub(r"\[([^\[\]]*)\]\(\)", r"\1", text)


def link_to(words: str, address: str) -> str:
    """Return `words` as a link to `address`. A bare address would fill three lines on a phone."""
    return f"[{words}]({address})"


def escape_sentence(said: object) -> str:
    """Return a sentence that quotes typed text, escaped so that Discord shows it unchanged and pings nobody."""
    escaped = re.sub(r"([\\*_~`|<>])", r"\\\1", drop_controls(str(said))).replace("@", "@\u200b")
    return _INVITE.sub("\\1\u200b/", escaped)


def row_name(row: RowChoice) -> str:
    """Return the name of a row: the two ends of its four or more pieces of one colour, `e8–h5`."""
    return f"{row.core[0]}–{row.core[-1]}"


def bad_game_name_text(text: str) -> str:
    """Return the answer to a text that is not the name of a game."""
    sentence = mark("{text} isn't a game. Games have names like #a7 or #b12: **/gipf games** lists yours.")
    return say(sentence, text=quote_text(text, 20))


# ── Outdated buttons and errors ──


def trouble_text(trouble: Trouble) -> str:
    """Return the text for a person whose action could not be saved."""
    if trouble is Trouble.FULL:
        return say("Nothing was saved: the bot's disk is full. Try again later; your games are safe.")
    if trouble is Trouble.UNREACHABLE:  # the server may have saved the action, but its answer is lost
        return say(MAYBE_SAVED)
    return say("Nothing was saved: the bot can't reach its games right now. Try again later.")


# ── Where the boards go ──


def board_link_text(link: str | None) -> str:
    """Return a link to a game's newest board; empty if `link` is None."""
    return say("[The newest board]({link})", link=link) if link else ""


def relocated_text(game: str, *, posted: bool) -> str:
    """Return the answer that a game was relocated to this channel. `posted` says whether its board is there."""
    if not posted:
        sentence = mark("{game} moves to this channel, but its board isn't posted yet. The bot keeps trying.")
        return say(sentence, game=game)
    return say("{game} goes on here: its boards now come to this channel.", game=game)


def missing_permissions_text(permissions: Sequence[str], games: int | None = None) -> str:
    """Return the answer that the bot lacks `permissions` in this channel.

    If `games` is given, the bot lacks the permissions in that channel instead: the server's channel for games.
    """
    lacks = ", ".join(permissions)
    if games is None:
        here = mark(
            "The bot lacks permissions here: {permissions}. Ask somebody who manages the channel to allow it, or use "
            "another channel."
        )
        return say(here, permissions=lacks)
    there = mark(
        "All games of this server go to {channel}, but the bot lacks permissions there: {permissions}. Ask somebody "
        "who manages the server to allow it, or to choose another channel with **/gipf-server settings**."
    )
    return say(there, channel=channel_mention(games), permissions=lacks)


class CourseTexts(NamedTuple):
    """The texts of one course. All but `row_rule` and `removed` are marked sentences."""

    changes: str  # on the course in a challenge; empty for the official course
    no_potentials: str  # the note on chosen potentials that the course lacks; empty if it has them
    push_moves: str  # what a push moves
    row_rule: str  # the rule by which pieces leave the board
    removed: RemovedText  # says how many pieces left: takes the mover, the returned kinds and the lost kinds
    captured: str  # on the {spots} of lost pieces; empty if they are not listed


def _official_removed_text(mover: Colour, back: Sequence[Kind], lost: Sequence[Kind]) -> str:
    returned, captured = (sum(kind.worth for kind in kinds) for kinds in (back, lost))
    facts = {"mover": colour_name(mover), "owner": colour_name(mover.other)}
    if returned and captured:
        sentence = mark("{back} back to {mover}, {captured} captured from {owner}")
        return say_name(sentence, back=returned, captured=captured, **facts)
    if captured:
        return say_name("{captured} captured from {owner}", captured=captured, **facts)
    return say_name("{back} back to {mover}", back=returned, **facts) if returned else ""


def _overboard_removed_text(mover: Colour, back: Sequence[Kind], lost: Sequence[Kind]) -> str:
    if not lost:
        return say_name("{back} sent home", back=len(back)) if back else ""
    forms = mark_number("{number} GIPF-piece given up", "{number} GIPF-pieces given up")
    if back:
        forms = mark_number(
            "{back} sent home, {number} GIPF-piece given up", "{back} sent home, {number} GIPF-pieces given up"
        )
    return say_amount(*forms, len(lost), back=len(back))


COURSES = {
    OFFICIAL_COURSE: CourseTexts(
        changes="",
        no_potentials="",
        push_moves=mark("Pieces in its way move along."),
        row_rule="R4.2",
        removed=_official_removed_text,
        captured=mark("Captured: {spots}."),
    ),
    OVERBOARD_COURSE: CourseTexts(
        changes=mark(
            "**Overboard** contradicts the designer's rules: a push moves its whole line, and a GIPF-piece is only "
            "ever given up by its owner. A row seldom decides it: most games end by a draw, by resignation or on time."
        ),
        no_potentials=mark("Overboard has no potentials."),
        push_moves=mark("All pieces on the line move one spot. A basic piece at its far end goes home."),
        row_rule="R8.3",
        removed=_overboard_removed_text,
        captured="",
    ),
}


def texts_of_course(ruleset: Ruleset) -> CourseTexts:
    """Return the texts of a rule set's course."""
    return COURSES[ruleset.course]
