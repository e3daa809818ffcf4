"""`/gipf games`: a person's running games page by page, with their studies and open challenges.

The most urgent game of a page is at its bottom: that is the part of a message that a person sees first.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gipfbot.languages import mark, say, say_name, say_number
from gipfbot.match import GameRequest, RequestKind, Status
from gipfbot.rules import Colour
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board.public_board import PLANNED, board_url, played_text
from gipfbot.ui.clock import vacations
from gipfbot.ui.delivery import venues
from gipfbot.ui.kit import (
    Button,
    Interaction,
    PrivateRow,
    Reply,
    answers_privately,
    escape_text,
    handles,
    join_lines,
    show_reply,
    slash_command,
    texts,
)
from gipfbot.ui.kit.components import LONGEST_LAYOUT_TEXT, ListedText, Select, parse_sent_number
from gipfbot.ui.kit.game_picker import MOST_CHOICES
from gipfbot.ui.kit.listed_game import (
    GAMES_PER_PAGE,
    GRACE_HINT,
    LISTED_NOTE_LENGTHS,
    listed_game_time,
    listed_opponent_name,
    shorten_notes,
)
from gipfbot.ui.kit.notation_texts import ruleset_text
from gipfbot.ui.kit.texts import link_to, number_repeats, shorten_text, turn_place
from gipfbot.ui.kit.turn_words import spoken_turn
from gipfbot.ui.lobby import lobby_texts, open_challenges
from gipfbot.ui.lobby.play_bot import play_bot_button
from gipfbot.ui.records import study_texts
from gipfbot.ui.requests.conditionals import plan_count
from gipfbot.ui.requests.request_texts import takeback_turns_listed
from gipfbot.ui.watching.watching_texts import follows_line
from gipfbot.values import EndedGame, GameBrief, StoredChallenge

from .desk_view import show_desk
from .game_texts import is_turn_begun
from .private_board import show_private_board

PREVIOUS_PAGE_LABEL, NEXT_PAGE_LABEL, ENDED_GAMES_LABEL = "◀", "▶", mark("Ended games")
MOST_UNREADABLE_NAMED = MOST_ENDED_NAMED = 5
LISTED_TURNS_LENGTH = 50
CAN_GO_ON_ELSEWHERE = mark("⚠ marks a game that can't go on in its channel: **/gipf board** moves it to another.")
NOTHING_WAITS, TURN_BEGUN = mark("Nothing waits for you."), mark("**you have begun your turn**")
NEXT, NEXT_OF_SEVERAL = mark("Next: {game} vs {name}"), mark("Next, most urgent: {game} vs {name}")

ROOM_ABOVE_GAMES = 700  # least number of characters, so that hints and studies always fit


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

    @property
    def up_next(self) -> GameBrief | None:
        """The most urgent of all games that wait for the person, on the first page."""
        return self.waiting[0] if self.waiting and self.page_number == 0 else None


@dataclass(frozen=True)
class GameDetails:
    """Details of games that are not in their briefs. Each table has the ids of games as keys.

    `away` has the ends of opponents' vacations. `win_claims` has the ends of the claim warnings to the person.
    `takebacks` has the open requests of either player. `plans` has the numbers of the person's plans.
    """

    away: Mapping[int, int] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)
    takebacks: Mapping[int, GameRequest] = field(default_factory=dict)
    win_claims: Mapping[int, int] = field(default_factory=dict)
    plans: Mapping[int, int] = field(default_factory=dict)


# ── One game ──


def listed_game_texts(
    briefs: Sequence[GameBrief], user: int, details: GameDetails, most: int, up_next: GameBrief | None = None
) -> dict[int, str]:
    """Return the text of each game, by its id. Together they have at most `most` characters.

    The text of `up_next` begins by naming it as the next game, and as the most urgent if others wait, too. If the
    texts are longer, the notes are cut first, then the links are left out, then every text is cut.
    """
    several_wait = sum(brief.users[brief.asked] == user for brief in briefs) > 1
    next_is = NEXT_OF_SEVERAL if several_wait else NEXT
    cuts = [(length, True) for length in LISTED_NOTE_LENGTHS] + [(0, False)]
    for note_length, linked in cuts:
        notes = shorten_notes(details.notes, note_length)
        shown = {
            brief.id: _listed_game_text(
                brief,
                user,
                details,
                notes.get(brief.id, ""),
                linked=linked,
                next_is=next_is if brief is up_next else "",
            )
            for brief in briefs
        }
        if sum(map(len, shown.values())) <= most:
            return shown
    return {game: shorten_text(text, most // len(shown)) for game, text in shown.items()}


def _listed_game_text(
    brief: GameBrief, user: int, details: GameDetails, note: str, *, linked: bool, next_is: str
) -> str:
    """Return the text of a game. `next_is` is the sentence that names it if it is the next one, or empty."""
    name, alarm = _linked_name(brief.id, board_url(brief) if linked else None), " ⚠" if brief.unreachable else ""
    opponent, time = listed_opponent_name(brief, user), listed_game_time(brief, user, details.away)
    head = say("**{game}** vs {name}", game=name, name=opponent)
    if next_is:
        head = f"**{say(next_is, game=name, name=opponent)} · {time}**"
    your_colour = say("you're {colour}", colour=say_name(str(brief.colour_of(user))))
    return join_lines(
        f"{head} · {your_colour}{alarm}",
        last_turn_line(brief, user),
        *_requests_to_answer(brief, user, details),
        " · ".join(filter(None, ("" if next_is else time, *_own_marks(brief, user, details)))),
        f"-# {escape_text(note)}" if note else "",
    )


def _own_marks(brief: GameBrief, user: int, details: GameDetails) -> Iterator[str]:
    """Yield what only the person knows of a game: that they have begun their turn, or how many plans wait."""
    if brief.stored and brief.users[brief.asked] == user and is_turn_begun(brief.stored.game):
        yield say(TURN_BEGUN)
    if brief.id in details.plans:
        yield plan_count(details.plans[brief.id])


def _linked_name(game: int, url: str | None) -> str:
    """Return a game's name, as a link to its newest board if there is one."""
    return link_to(game_name(game), url) if url else game_name(game)


def last_turn_line(brief: GameBrief, user: int) -> str:
    """Return the last turn of a game, or what has happened in it since the person's list last showed it."""
    news = _news(brief, user)
    if news:
        return f"{say('**New:**')} {' · '.join(news)}"
    if brief.last is None:
        return f"{say('No turn yet')} · {_beginner(brief, user)}"
    return f"**{turn_place(brief.last.turn_number)}:** {spoken_turn(brief.last.actions)}{_planned(brief)}"


def _news(brief: GameBrief, user: int) -> list[str]:
    """Return the news of a game since the person's list last showed it, without their own turns."""
    colour = brief.colour_of(user)
    before = brief.last_listed[colour]
    news = []
    if before is None and brief.last is None:
        news.append(f"{ruleset_text(brief.ruleset)} · {_beginner(brief, user)}")
    if before and (taken_back := brief.taken_back - before.taken_back):
        news.append(say_number("a turn was taken back", "{number} turns were taken back", taken_back))
    is_later = before is None or brief.turn_number > before.turn_number
    name = listed_opponent_name(brief, user)
    if brief.last and is_later and brief.last.colour is not colour:
        news.append(f"{played_text(name, brief.last.actions)}{_planned(brief)}")
    elif brief.last and is_later and brief.stored and brief.stored.last_planned:
        answered = say("{name} played, and you answered {turn}", name=name, turn=spoken_turn(brief.last.actions))
        news.append(f"{answered}{_planned(brief)}")
    return news


def _beginner(brief: GameBrief, user: int) -> str:
    """Return the clause on who plays the first turn."""
    if brief.colour_of(user) is Colour.WHITE:
        return say("you begin")
    return say("{name} begins", name=listed_opponent_name(brief, user))


def _planned(brief: GameBrief) -> str:
    return f" ({say(PLANNED)})" if brief.stored and brief.stored.last_planned else ""


def _requests_to_answer(brief: GameBrief, user: int, details: GameDetails) -> Iterator[str]:
    name = listed_opponent_name(brief, user)
    if (request := details.takebacks.get(brief.id)) and request.by != user:
        assert brief.stored is not None, "the list reads whole games"
        turns = takeback_turns_listed(request, brief.stored.game)
        turns = shorten_text(turns, LISTED_TURNS_LENGTH)
        yield say("{name} asks to take back {turns}", name=name, turns=turns)
    if brief.id in details.win_claims:
        ends = texts.time_text(details.win_claims[brief.id], "R")
        yield say("{name} claims the win: play, or lose {time}", name=name, time=ends)


# ── Around the games ──


def game_list_head(page: GamePage) -> str:
    """Return the heading of a page."""
    said = say("**Your games**")
    if not page.last_page:
        return said
    return f"{said} · {say('page {number} of {last}', number=page.page_number + 1, last=page.last_page + 1)}"


def waiting_heading(page: GamePage) -> str:
    """Return the heading of the games that wait for the person."""
    return f"{say('**Waiting for you**')} · {page.totals[0]}"


def others_heading(page: GamePage) -> str:
    """Return the heading of the games that wait for others."""
    return f"{say('**Waiting for others**')} · {page.totals[1]}"


def game_list_hints(page: GamePage) -> str:
    """Return the legend of the games of a page: what their signs mean."""
    late = any(brief.flagged for brief in page.waiting)
    unreachable = any(brief.unreachable for brief in page.briefs)
    return join_lines(say(GRACE_HINT) if late else "", say(CAN_GO_ON_ELSEWHERE) if unreachable else "")


def unreadable_games_line(games: Sequence[int]) -> str:
    """Return the line that names a person's unreadable games; empty if there are none."""
    if not games:
        return ""
    names = ", ".join(f"**{game_name(game)}**" for game in games[:MOST_UNREADABLE_NAMED])
    more = len(games) - MOST_UNREADABLE_NAMED
    sentence = mark("⚠ {games} can't be read any more. Tell the people who host the bot. Your other games go on.")
    if more > 0:
        sentence = mark(
            "⚠ {games} and {count} more can't be read any more. "
            "Tell the people who host the bot. Your other games go on."
        )
    return say(sentence, games=names, count=more)


def ended_games_text(ended: Sequence[EndedGame], user: int) -> str:
    """Return the lines on games that have ended since the person's list last showed them; empty if there are none."""
    if not ended:
        return ""
    lines = [ended_game_line(game, user) for game in ended[:MOST_ENDED_NAMED]]
    more = len(ended) - MOST_ENDED_NAMED
    rest = say("… and {count} more", count=more) if more > 0 else ""
    return join_lines(say("**Ended since you last looked**"), *lines, rest)


def ended_game_line(game: EndedGame, user: int) -> str:
    """Return the line of an ended game in a list: its name, the opponent of `user`, and how it ended for them."""
    opponent = listed_opponent_name(game, user)
    said = say("**{game}** vs {name}", game=_linked_name(game.id, board_url(game)), name=opponent)
    return f"{said} · {_ending(game, user)}"


def _ending(game: EndedGame, user: int) -> str:
    if game.status is Status.CANCELLED:
        return say("cancelled")
    if game.winner is None:
        return say("draw") if game.drawn else say("void")
    return say("you won") if game.winner is game.colour_of(user) else say("you lost")


@slash_command("gipf games", 130, "Your games: what is new, and what waits for you, the most urgent last")
@answers_privately
async def games_command(interaction: Interaction) -> None:
    """Show the first page of the person's games. First note which games have become unreachable."""
    app, user = interaction.client.app, interaction.user.id
    listed = await app.games.listed_games(user)
    if await venues.note_unreachable_games(interaction, sorted(listed[0], key=lambda brief: brief.waiting_since)):
        listed = await app.games.listed_games(user)
    await _show_games(interaction, *listed)


async def show_game_list(interaction: Interaction, number: int = 0) -> None:
    """Show a page of the person's games as they are now. If page `number` does not exist, show the last one."""
    listed = await interaction.client.app.games.listed_games(interaction.user.id)
    await _show_games(interaction, *listed, number)


async def _show_games(
    interaction: Interaction,
    running: list[GameBrief],
    unreadable: list[int],
    ended_since: list[EndedGame],
    number: int = 0,
) -> None:
    """Show a page of these games, and note that the person has seen them."""
    app, user = interaction.client.app, interaction.user.id
    page = game_page(running, user, number)
    ended = [] if page.page_number else ended_since
    own_vacation, away = await app.vacations.vacations_in_list(page.briefs, user)
    head = join_lines(
        game_list_head(page) if running else "",
        vacations.own_vacation_line(own_vacation) if own_vacation else "",
        unreadable_games_line(unreadable),
        ended_games_text(ended, user),
    )
    watched = "" if running else follows_line(await app.follows.follows_of(user))
    around = head, watched, waiting_heading(page), others_heading(page), say(NOTHING_WAITS)
    room = LONGEST_LAYOUT_TEXT - sum(map(len, around))
    details = await _details(interaction, page, away)
    listed = listed_game_texts(page.briefs, user, details, room - ROOM_ABOVE_GAMES, page.up_next)
    challenges = await app.lobby.challenges_of(user) if page.page_number == page.last_page else []
    above = await _text_above_games(interaction, page, challenges, room - sum(map(len, listed.values())))
    text = join_lines(head, above, "" if running else say(texts.NO_RUNNING_GAMES), watched)
    rows = (*_challenge_list(challenges, interaction.user.id), *game_rows(page, listed))
    await show_reply(interaction, text, rows=rows if running else ((play_bot_button(),), *rows))
    await app.games.note_listed(user, page.briefs, ended)


def game_page(running: list[GameBrief], user: int, number: int) -> GamePage:
    """Return a page of a person's running games. Games that wait for them come before the others.

    `running` is sorted, the most urgent game first. `number` counts from 0. If that page does not exist, the last one
    is returned.
    """
    waiting = [brief for brief in running if brief.users[brief.asked] == user]
    others = [brief for brief in running if brief.users[brief.asked] != user]
    last = max(0, (len(running) - 1) // GAMES_PER_PAGE)
    number = min(number, last)
    first, end = number * GAMES_PER_PAGE, (number + 1) * GAMES_PER_PAGE
    rest = others[max(0, first - len(waiting)) : max(0, end - len(waiting))]
    return GamePage(waiting[first:end], rest, (len(waiting), len(others)), number, last)


async def _details(interaction: Interaction, page: GamePage, away: Mapping[int, int]) -> GameDetails:
    app, user = interaction.client.app, interaction.user.id
    stored = [brief.stored for brief in page.briefs if brief.stored]
    plans = await app.conditionals.lines_in_games(stored, user)
    asked = await app.requests.open_requests([each.game for each in stored if each.has_requests])
    return GameDetails(
        away,
        {each.game.id: note for each in stored if (note := each.note_of(user))},
        {request.game: request for request in asked if request.kind is RequestKind.TAKEBACK},
        await app.win_claims.win_claims_to_answer(page.briefs, user),
        {game: len(lines) for game, lines in plans.items()},
    )


def _challenge_list(challenges: Sequence[StoredChallenge], user: int) -> tuple[Select, ...]:
    """Return the select that opens one of a person's open challenges, the newest first; nothing if there is none."""
    shown = [stored.challenge for stored in reversed(challenges)][:MOST_CHOICES]
    labels = number_repeats([lobby_texts.open_challenge_label(challenge, user) for challenge in shown])
    options = tuple((label, f"{challenge.id}") for label, challenge in zip(labels, shown, strict=True))
    return (Select(say(lobby_texts.OPEN_CHALLENGES_LABEL), "choose_challenge", options),) if options else ()


async def _text_above_games(
    interaction: Interaction, page: GamePage, challenges: Sequence[StoredChallenge], most: int
) -> str:
    """Return the text between the heading and the games, at most `most` characters.

    It holds hints, and on the last page the person's studies and open `challenges`.
    """
    hints = game_list_hints(page)
    if page.page_number < page.last_page:
        return hints
    app, user = interaction.client.app, interaction.user.id
    linked = [(stored.challenge, open_challenges.challenge_url(stored)) for stored in challenges]
    known = join_lines(hints, study_texts.studies_line(await app.studies.studies(user)))
    return join_lines(known, lobby_texts.open_challenges_text(linked, user, most - len(known)))


def game_rows(page: GamePage, listed: Mapping[int, str]) -> tuple[PrivateRow, ...]:
    """Return the games of a page, the most urgent last, each with its button, and the buttons of the pages.

    The end is what the person sees first. The button of the next game stands directly below its text.
    Without a game, only the button of the ended games is left.
    """
    others = [_game_row(brief, listed, page, "board") for brief in reversed(page.others)]
    waiting = [_game_row(brief, listed, page, "desk") for brief in reversed(page.waiting)]
    rows: list[PrivateRow] = [others_heading(page), *others] if others else []
    rows += [waiting_heading(page), *waiting] if waiting else []
    buttons = _page_buttons(page)
    if page.up_next:
        rows[-1], buttons = waiting[-1].text, (waiting[-1].button, *buttons)
    elif page.page_number == 0 and others:
        rows.append(say(NOTHING_WAITS))
    return (*rows, buttons)


def _game_row(brief: GameBrief, listed: Mapping[int, str], page: GamePage, verb: str) -> ListedText:
    label, style = (say(texts.MOVE_LABEL), "primary") if verb == "desk" else (say(texts.BOARD_LABEL), "secondary")
    action = f"listed_game:{brief.id}:{page.page_number}:{verb}"
    return ListedText(listed[brief.id], Button(f"{label} {game_name(brief.id)}", action, style))


def _page_buttons(page: GamePage) -> tuple[Button, ...]:
    ended = Button(say(ENDED_GAMES_LABEL), "ended_games:0")
    return (*turning_buttons("games:page:{}", page.page_number, page.last_page), ended)


def turning_buttons(action: str, here: int, last: int) -> tuple[Button, ...]:
    """Return the buttons to the pages before and after the page `here`; none if it is the only one.

    `action` has {} for the number of a page, which counts from 0.
    """
    if not last:
        return ()
    back = Button(PREVIOUS_PAGE_LABEL, action.format(max(0, here - 1)), disabled=here == 0)
    return back, Button(NEXT_PAGE_LABEL, action.format(here + 1), disabled=here == last)


@handles("games", "page:{page}")
async def press_game_list(interaction: Interaction, page: int) -> None:
    """Show a page of the list of games on the message that was pressed."""
    await show_game_list(interaction, page)


@handles("my_games", "{page:[0-9]*}", Reply.APART)
async def press_my_games(interaction: Interaction, page: str) -> None:
    """Show a page of the list of games in a new private message. The message that was pressed stays."""
    await show_game_list(interaction, parse_sent_number(page or "0"))


@handles("listed_game", "{game}:{page:[0-9]+}:{verb:desk|board}")
async def press_listed_game(interaction: Interaction, game: int, page: str, verb: str) -> None:
    """Open a game that was chosen from the list: its desk, or its private board."""
    stored = await interaction.client.app.games.game(game)
    if verb == "desk":
        await show_desk(interaction, stored, page=page)
    else:
        await show_private_board(interaction, stored, page)
