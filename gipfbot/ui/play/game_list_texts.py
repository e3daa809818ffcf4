"""Texts of the list of a person's games. Their lines are short, as phones are narrow, and a button stands beside."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gipfbot.match import GameRequest, Status
from gipfbot.notation import OFFICIAL, Notation, turn_text
from gipfbot.rules import Colour, ruleset_words
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board.public_board import board_url
from gipfbot.ui.kit.listed_game import (
    GRACE_HINT,
    LISTED_NOTE_LENGTHS,
    listed_game_time,
    listed_opponent_name,
    shorten_notes,
)
from gipfbot.ui.kit.texts import escape_text, escape_turn, join_lines, link_to, short_turn, shorten_text, turn_place
from gipfbot.values import EndedGame, GameBrief

PREVIOUS_PAGE_LABEL, NEXT_PAGE_LABEL = "◀", "▶"
MOST_UNREADABLE_NAMED = MOST_ENDED_NAMED = 5
LISTED_TURN_LENGTH = 30
CAN_GO_ON_ELSEWHERE = "⚠ marks a game that can't go on in its channel: **/gipf board** moves it to another."
NOTHING_WAITS = "Nothing waits for you."


@dataclass(frozen=True)
class GamePage:
    """One page of a person's games: those that wait for the person, and the others.

    `totals` counts both kinds over all pages.
    """

    waiting: Sequence[GameBrief]
    others: Sequence[GameBrief]
    totals: tuple[int, int]
    page_number: int  # counts from 0
    last_page: int

    @property
    def briefs(self) -> tuple[GameBrief, ...]:
        """All games of the page."""
        return (*self.waiting, *self.others)


@dataclass(frozen=True)
class GameDetails:
    """What the list shows of games besides their briefs. Each table has the ids of games as keys.

    `away` has the ends of opponents' vacations, and `win_claims` those of the warnings that the person has got.
    `takebacks` has the open requests of either player.
    """

    away: Mapping[int, int] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)
    takebacks: Mapping[int, GameRequest] = field(default_factory=dict)
    win_claims: Mapping[int, int] = field(default_factory=dict)
    notation: Notation = OFFICIAL


# ── One game ──


def listed_game_texts(briefs: Sequence[GameBrief], user: int, details: GameDetails, most: int) -> dict[int, str]:
    """Return the text of each game, by its id, together at most `most` characters long.

    If they are longer, the notes are cut, then the links are left out, and at last every text is cut.
    """
    cuts = [(length, True) for length in LISTED_NOTE_LENGTHS] + [(0, False)]
    for note_length, linked in cuts:
        notes = shorten_notes(details.notes, note_length)
        shown = {brief.id: _listed_game_text(brief, user, details, notes.get(brief.id, ""), linked) for brief in briefs}
        if sum(map(len, shown.values())) <= most:
            return shown
    return {game: shorten_text(text, most // len(shown)) for game, text in shown.items()}


def _listed_game_text(brief: GameBrief, user: int, details: GameDetails, note: str, linked: bool) -> str:
    name, alarm = _linked_name(brief.id, board_url(brief) if linked else None), " ⚠" if brief.unreachable else ""
    return join_lines(
        f"{name} vs {listed_opponent_name(brief, user)} · you're {brief.colour_of(user)}{alarm}",
        last_turn_line(brief, user, details.notation),
        *_requests_to_answer(brief, user, details),
        listed_game_time(brief, user, details.away),
        f"-# {escape_text(note)}" if note else "",
    )


def _linked_name(game: int, url: str | None) -> str:
    """Return a game's name in bold, as a link to its newest board if there is one."""
    name = game_name(game)
    return f"**{link_to(name, url) if url else name}**"


def last_turn_line(brief: GameBrief, user: int, notation: Notation = OFFICIAL) -> str:
    """Return the last turn of a game, or what has happened in it since the person's list last showed it."""
    news = _news(brief, user, notation)
    if news:
        return f"**New:** {' · '.join(news)}"
    if brief.last is None:
        return f"No turn yet · {_beginner(brief, user)}"
    return f"**{turn_place(brief.last.turn_number)}** {_last_turn(brief, notation)}"


def _news(brief: GameBrief, user: int, notation: Notation) -> list[str]:
    """Return what has happened in a game since the person's list last showed it, without their own turns."""
    colour = brief.colour_of(user)
    before = brief.last_listed[colour]
    news = []
    if before is None and brief.last is None:
        news.append(f"{ruleset_words(brief.ruleset)} · {_beginner(brief, user)}")
    if before and (taken_back := brief.taken_back - before.taken_back):
        news.append("a turn was taken back" if taken_back == 1 else f"{taken_back} turns were taken back")
    is_later = before is None or brief.turn_number > before.turn_number
    if brief.last and brief.last.colour is not colour and is_later:
        news.append(f"{listed_opponent_name(brief, user)} played {_last_turn(brief, notation)}")
    return news


def _beginner(brief: GameBrief, user: int) -> str:
    """Return who plays the first turn."""
    return "you begin" if brief.colour_of(user) is Colour.WHITE else f"{listed_opponent_name(brief, user)} begins"


def _last_turn(brief: GameBrief, notation: Notation) -> str:
    assert brief.last
    text = turn_text(brief.last.before, brief.last.actions, notation)
    return escape_turn(shorten_text(short_turn(text), LISTED_TURN_LENGTH))


def _requests_to_answer(brief: GameBrief, user: int, details: GameDetails) -> Iterator[str]:
    name = listed_opponent_name(brief, user)
    if (request := details.takebacks.get(brief.id)) and request.by != user:
        turns = " and ".join(map(short_turn, request.turns))
        yield f"{name} asks to take back {escape_turn(shorten_text(turns, LISTED_TURN_LENGTH))}"
    if brief.id in details.win_claims:
        yield f"{name} claims the win: play by <t:{details.win_claims[brief.id]}:D>"


# ── What stands above and below the games ──


def game_list_head(page: GamePage) -> str:
    """Return what stands above the first game of a page."""
    waiting, _ = page.totals
    place = f"Page {page.page_number + 1} of {page.last_page + 1}" if page.last_page else ""
    nothing = NOTHING_WAITS if page.page_number == 0 else ""
    return join_lines(place, f"**Waiting for you** · {waiting}" if page.waiting else nothing)


def others_heading(page: GamePage) -> str:
    """Return what stands above the first of a page's games that wait for others."""
    return f"**Waiting for others** · {page.totals[1]}"


def game_list_hints(page: GamePage) -> str:
    """Return what stands below the games of a page: what their signs mean."""
    late = any(brief.flagged for brief in page.waiting)
    unreachable = any(brief.unreachable for brief in page.briefs)
    return join_lines(GRACE_HINT if late else "", CAN_GO_ON_ELSEWHERE if unreachable else "")


def unreadable_games_line(games: Sequence[int]) -> str:
    """Return the line that names a person's unreadable games; empty if there are none."""
    if not games:
        return ""
    more = f" and {len(games) - MOST_UNREADABLE_NAMED} more" if len(games) > MOST_UNREADABLE_NAMED else ""
    names = ", ".join(f"**{game_name(game)}**" for game in games[:MOST_UNREADABLE_NAMED])
    return f"⚠ {names}{more} can't be read any more. Tell the people who host the bot. Your other games go on."


def ended_games_text(ended: Sequence[EndedGame], user: int) -> str:
    """Return the lines on games that have ended since the person's list last showed them; empty if there are none."""
    if not ended:
        return ""
    lines = [_ended_game_line(game, user) for game in ended[:MOST_ENDED_NAMED]]
    more = f"… and {len(ended) - MOST_ENDED_NAMED} more" if len(ended) > MOST_ENDED_NAMED else ""
    return join_lines("**Ended since you last looked**", *lines, more)


def _ended_game_line(game: EndedGame, user: int) -> str:
    opponent = listed_opponent_name(game, user)
    return f"{_linked_name(game.id, board_url(game))} vs {opponent} · {_ending(game, user)}"


def _ending(game: EndedGame, user: int) -> str:
    if game.status is Status.CANCELLED:
        return "cancelled"
    if game.winner is None:
        return "draw" if game.drawn else "void"
    return "you won" if game.winner is game.colour_of(user) else "you lost"
