"""`/gipf board`: show a game or a study to one person, with buttons for everything that they may do."""

from collections.abc import Iterator, Mapping, Sequence

from discord import app_commands
from discord.app_commands import Choice

from gipfbot.languages import say
from gipfbot.match import Game, RequestKind, Status
from gipfbot.notation import Notation
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.service.kit.loaded_games import parse_study_name, study_name
from gipfbot.ui.board import public_board
from gipfbot.ui.board.public_board import (
    game_picture,
    how_to_play_buttons,
    move_button_label,
    newest_board_link,
    reasons_buttons,
    way_on_button,
    why_removed_buttons,
)
from gipfbot.ui.clock import reminders
from gipfbot.ui.delivery import venues
from gipfbot.ui.kit import (
    Button,
    Interaction,
    PrivateRow,
    Reply,
    answers_privately,
    handles,
    handles_picked_game,
    join_lines,
    notation_of,
    show_reply,
    slash_command,
    texts,
    visibility,
)
from gipfbot.ui.kit.components import Select
from gipfbot.ui.kit.game_picker import (
    MOST_CHOICES,
    PICK_GAME,
    Findable,
    game_select,
    matching_choices,
    pick_seen_game_or_ask,
    picked_game,
    running_games_to_find,
    running_unless_named,
    suggests_in_time,
    watchable_games_to_find,
)
from gipfbot.ui.kit.picture_words import spoken_words
from gipfbot.ui.kit.respond import show_here_buttons
from gipfbot.ui.kit.texts import with_code_block
from gipfbot.ui.records import study, study_texts
from gipfbot.ui.records.explorer import explore_game_buttons
from gipfbot.ui.records.records import study_button
from gipfbot.ui.records.replay import LONGEST_TURN_NUMBER, show_past_board
from gipfbot.ui.requests.claim_win import claim_win_button
from gipfbot.ui.requests.conditionals import SAVED_PLANS, if_button, lines_saved, plans_button, saved_plans_text
from gipfbot.ui.requests.game_requests import open_request_rows
from gipfbot.ui.watching.follow import NEWS_PATTERN, follow_button, follow_shown, followed_rows
from gipfbot.ui.watching.guess import guess_button, guess_note, guesses_shown
from gipfbot.ui.watching.watching_texts import OFF
from gipfbot.values import GameBrief, Guess, News, StoredGame, StudyBrief
from render import text_board

from . import game_texts
from .desk_view import note_turn_is_seen, open_desk_id, type_turn_id, with_back_button
from .held_turns import held_note
from .notes import keep_shown_note, note_button

SHOWN_AS_TEXT = "text"  # shows a board of letters instead of a picture
# In pixels, on a screen 390 wide. Buttons of three letters and more never exceed the five that a row may have.
PHONE_WIDTH, BUTTON_WIDTH, LETTER_WIDTH = 306.0, 36, 7.6


def menu_rows(
    game: Game,
    user: int,
    asked: Mapping[RequestKind, Sequence[PrivateRow]],
    ways_on: tuple[Button, ...],
    following: tuple[Button, ...],
    showing: tuple[Button, ...],
    page: str,
    *,
    flipped: bool,
) -> list[PrivateRow]:
    """Return the rows below a game's private board: open requests, then `ways_on`, then all other buttons.

    A phone shows each row of buttons in one line. `asked` has the rows of each open request. A spectator gets
    `following`, and buttons that change nothing. `showing` explains the last removal, and shows the board to everybody.
    `page` is as in `desk_view`. `flipped` says how the board is shown now.
    """
    watching = (
        Button(say(game_texts.FLIP_LABEL), _flip_id(game, page, flipped)),
        *_turns_played_buttons(game),
        study_button(game.id),
        *explore_game_buttons(game),
    )
    if game.colour_of(user) is None:
        return [*_phone_rows((*following, *watching, *_analyse_buttons(game), *showing))]
    undo = (_undo_button(game),) if RequestKind.TAKEBACK not in asked and game.has_played(game.colour_of(user)) else ()
    offer = (_draw_button(game),) if RequestKind.DRAW not in asked and game.ruleset.agreed_draw else ()
    requests = [row for kind in RequestKind for row in asked.get(kind, ())]
    last = _analyse_buttons(game) if game.status is Status.RUNNING else _ended_buttons(game)
    running = _running_buttons(game, (*undo, *offer))
    return [*requests, *_phone_rows((*ways_on, *running, *watching, *last, *showing))]


def _phone_rows(buttons: Sequence[Button]) -> Iterator[tuple[Button, ...]]:
    """Yield the buttons in rows that a phone shows in one line each. Their widths are estimated by their labels."""
    row, left = list[Button](), PHONE_WIDTH
    for button in buttons:
        width = BUTTON_WIDTH + LETTER_WIDTH * len(button.label)
        if row and width > left:
            yield tuple(row)
            row, left = [], PHONE_WIDTH
        row.append(button)
        left -= width
    if row:
        yield tuple(row)


def _flip_id(game: Game, page: str, flipped: bool) -> str:
    return f"more:{game.id}:{page}:{'' if flipped else 'flipped'}"


def _turns_played_buttons(game: Game) -> tuple[Button, ...]:
    if not game.turn_number:
        return ()
    return Button(say(texts.REPLAY_LABEL), f"replay:{game.id}"), Button(say(texts.RECORD_LABEL), f"record:{game.id}")


def _analyse_buttons(game: Game) -> tuple[Button, ...]:
    """Return the button of a finished game's analysis."""
    if game.status is Status.RUNNING or not game.turn_number:
        return ()
    return (Button(say(texts.ANALYSE_LABEL), f"analyse:{game.id}"),)


def _ended_buttons(game: Game) -> tuple[Button, ...]:
    """Return the buttons that only a player of a finished game has, beside that of its analysis."""
    return way_on_button(game.id, game.terms.tournament), *_analyse_buttons(game), note_button(game.id)


def _running_buttons(game: Game, requests: tuple[Button, ...]) -> tuple[Button, ...]:
    if game.status is not Status.RUNNING:
        return ()
    return (note_button(game.id), *requests, Button(say(game_texts.END_GAME_LABEL), f"ask_end_game:{game.id}"))


def _undo_button(game: Game) -> Button:
    return Button(say(game_texts.ASK_TAKEBACK_LABEL), f"ask_request:takeback:{game.id}")


def _draw_button(game: Game) -> Button:
    return Button(say(game_texts.ASK_DRAW_LABEL), f"ask_request:draw:{game.id}")


@suggests_in_time
async def complete_game_or_study(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Suggest the person's running games, then their studies, then the games that they can watch."""
    briefs = await interaction.client.app.studies.studies(interaction.user.id)
    known = [Findable(study_texts.study_label(brief), study_name(brief.id), brief.people) for brief in briefs]
    own, others = await running_games_to_find(interaction), await watchable_games_to_find(interaction)
    return matching_choices(interaction, current, [*own, *known, *others])


@slash_command("gipf board", 20, "See a game or a study, privately")
@app_commands.describe(
    game="Which game, such as #a7, or study, such as study 7",
    text="A game's board as text, for screen readers and terminals",
    turn="After this turn: 7 is White's, 7b Black's, 0 the start (default: now)",
)
@app_commands.autocomplete(game=complete_game_or_study)
@answers_privately
async def board_command(interaction: Interaction, game: str = "", text: bool = False, turn: str = "") -> None:
    """Show a game's board, or a study, to the person alone."""
    named = game.strip()
    if study_id := parse_study_name(named):
        await study.show_named_study(interaction, study_id)
    else:
        shown = f"{SHOWN_AS_TEXT if text else ''}:{turn.strip()[:LONGEST_TURN_NUMBER]}"
        await _show_board_meant(interaction, named, shown)


async def _show_board_meant(interaction: Interaction, named: str, shown: str) -> None:
    """Show the board of the game meant. A person without running games is offered their studies, and games to watch."""
    user, app = interaction.user.id, interaction.client.app
    running = await running_unless_named(interaction, named)
    if not named and not running and (known := await app.studies.studies(user)):
        others = await visibility.watchable_games(interaction, MOST_CHOICES)
        rows = (_study_select(known), *((game_select(others, user, f"board:{shown}"),) if others else ()))
        await show_reply(interaction, say(study_texts.WHICH_STUDY), rows=rows)
        return
    none, ask = say(texts.NO_RUNNING_GAMES), say(texts.WHICH_GAME)
    if picked := await pick_seen_game_or_ask(interaction, named, running, f"board:{shown}", none, ask):
        await _show_picked_board(interaction, picked, shown, running)


def _study_select(known: list[StudyBrief]) -> Select:
    options = tuple((study_texts.study_label(brief), str(brief.id)) for brief in known[:MOST_CHOICES])
    return Select(say(study_texts.STUDY_PLACEHOLDER), f"{PICK_GAME}:study", options)


@handles_picked_game("board")
async def _show_picked_board(
    interaction: Interaction, game: int, shown: str, running: Sequence[GameBrief] = ()
) -> None:
    """Show a game's board. `shown` has the form `text:12b`; either part may be empty.

    `text` asks for a board of letters; after the colon comes the number of a turn. `running` is as in `picked_game`.
    """
    form, _, turn = shown.partition(":")
    if turn:
        await show_past_board(interaction, game, turn, as_text=form == SHOWN_AS_TEXT)
    else:
        stored = await picked_game(interaction, game, running)
        await show_private_board(interaction, stored, as_text=form == SHOWN_AS_TEXT)


@handles_picked_game("study")
async def _show_picked_study(interaction: Interaction, study_id: int, _: str) -> None:
    await study.show_named_study(interaction, study_id)


@handles("game_board", "{game}", Reply.APART)
async def press_game_board(interaction: Interaction, game: int) -> None:
    """Show a game's board in a new private message. The message that was pressed stays."""
    await show_private_board(interaction, await interaction.client.app.games.game(game))


@handles("more", "{game}:{page:[0-9]*}:{side:|flipped}")
async def press_more(interaction: Interaction, game: int, page: str, side: str) -> None:
    """Show a game's board with all that the person may do, in place of the private message that was pressed."""
    stored = await interaction.client.app.games.game(game)
    if await _may_see(interaction, stored):
        await _show_board(interaction, stored, page=page, flipped=bool(side))


@handles("board_more", "{game}", Reply.APART)
async def press_board_more(interaction: Interaction, game: int) -> None:
    """Show a game's board with all that the person may do. The message that was pressed stays."""
    stored = await interaction.client.app.games.game(game)
    if await _may_see(interaction, stored):
        await _show_board(interaction, stored)


@handles("follow", "{game}")
async def press_follow(interaction: Interaction, game: int) -> None:
    """Follow each turn of a game, unless the person follows it already. Its board then shows how they follow it."""
    known = await interaction.client.app.follows.follow_of_game(interaction.user.id, game)
    await press_board_follow(interaction, game, known.news if known else News.EACH_TURN)


@handles("board_follow", f"{{game}}:{{news:{NEWS_PATTERN}}}")
async def press_board_follow(interaction: Interaction, game: int, news: str) -> None:
    """Change what the person is told of a game, on the board that was pressed."""
    app, user = interaction.client.app, interaction.user.id
    stored = await app.games.game(game)
    if news == OFF:
        await app.follows.unfollow_game(user, game)
    if await _may_see(interaction, stored):
        if news != OFF:
            await app.follows.follow_game(user, game, News(news))
        await _show_board(interaction, stored)


async def show_private_board(
    interaction: Interaction, stored: StoredGame, page: str = "", *, note: str = "", as_text: bool = False
) -> None:
    """Show a game to the person alone, if they may see it, with buttons for what they can do.

    A player's game that is unreachable is relocated first. `page` is as in `desk_view`. `note` comes first.
    """
    if await _may_see(interaction, stored):
        said, stored = await _bring_back(interaction, stored)
        await _show_board(interaction, stored, join_lines(note, said), page, as_text=as_text)


async def _may_see(interaction: Interaction, stored: StoredGame) -> bool:
    """Return whether the person may see a game. If not, say why."""
    if reason := await visibility.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
    return not reason


async def _show_board(
    interaction: Interaction,
    stored: StoredGame,
    note: str = "",
    page: str = "",
    *,
    as_text: bool = False,
    flipped: bool = False,
) -> None:
    """Show a game with buttons for what the person can do. Does not check that they may see it."""
    stored = await note_turn_is_seen(interaction, stored)
    game, user = stored.game, interaction.user.id
    is_player = game.colour_of(user) is not None
    asked = await open_request_rows(interaction, stored) if is_player else {}
    plans = await lines_saved(interaction, stored) if is_player else ()
    ways_on = (*await _ways_on(interaction, stored, page), *plans_button(game, plans)) if is_player else ()
    guesses = await guesses_shown(interaction, game)
    known = await follow_shown(interaction, game)
    following = (*follow_button(game, known), *guess_button(game, guesses)) if not is_player else ()
    explaining = reasons_buttons(game, game.last.turn_number, game.last.after) if game.last else ()
    explaining += how_to_play_buttons(game, user)
    ways_on += _play_in_channel_buttons(stored) if is_player else ()
    following, ways_on = (following, (*ways_on, *explaining)) if is_player else ((*following, *explaining), ways_on)
    showing = why_removed_buttons(game) + show_here_buttons(interaction, f"board:{game.id}:{game.turn_number}")
    menu = menu_rows(game, user, asked, ways_on, following, showing, page, flipped=flipped)
    rows = with_back_button((*await followed_rows(interaction, known), *menu), page)
    notation = await notation_of(interaction)
    text, picture = await _private_board_text(interaction, stored, guesses, notation), game_picture(game, notation)
    begun = game_texts.begun_turn_text(game, notation) if user == _asked_user(game) else ""
    kept = say(game_texts.BEGUN_IS_KEPT) if begun else ""
    text = join_lines(note, text, saved_plans_text(plans, SAVED_PLANS), begun, kept)
    if stored.venue.is_private and game.status is not Status.RUNNING:
        await interaction.client.app.untold.note_seen(game.id)
    if as_text:
        await show_reply(interaction, with_code_block(text, text_board(picture, spoken_words())), rows=rows)
    else:
        await show_reply(interaction, text, picture, rows, colour=game.colour_of(user), turned=flipped)


def _play_in_channel_buttons(stored: StoredGame) -> tuple[Button, ...]:
    """Return the button that moves a running private game into the channel where it is pressed."""
    if not stored.venue.is_private or stored.game.status is not Status.RUNNING:
        return ()
    return (Button(say(game_texts.PLAY_IN_CHANNEL_LABEL), f"play_in_channel:{stored.game.id}"),)


def _asked_user(game: Game) -> int | None:
    return None if game.asked is None else game.seats[game.asked].user


async def _bring_back(interaction: Interaction, stored: StoredGame) -> tuple[str, StoredGame]:
    """Relocate a running game if it is unreachable and the person is one of its players.

    Return what to tell the player, empty if nothing was done, and the game as it is now.
    """
    if stored.game.status is not Status.RUNNING or stored.game.colour_of(interaction.user.id) is None:
        return "", stored
    said = await venues.bring_game_back(interaction, stored)
    return said, await interaction.client.app.games.game(stored.game.id) if said else stored


async def _ways_on(interaction: Interaction, stored: StoredGame, page: str) -> tuple[Button, ...]:
    """Return the buttons for what a player can do next.

    On the player's turn, these are the buttons to play by pressing or by typing. On the opponent's turn, these are the
    buttons to nudge the opponent, to claim the win, and to add conditional turns, as far as each is allowed.
    """
    game, user = stored.game, interaction.user.id
    if _waits_for(game, user):
        typed = Button(say(game_texts.TYPE_TURN_LABEL), type_turn_id(game, user))
        return Button(move_button_label(game), open_desk_id(game.id, page), "primary"), typed
    nudge, claim = await reminders.nudge_button(interaction, stored), await claim_win_button(interaction, stored)
    return (*nudge, *claim, *if_button(game, user))


def _waits_for(game: Game, user: int) -> bool:
    return game.asked is not None and game.seats[game.asked].user == user


async def _private_board_text(
    interaction: Interaction, stored: StoredGame, guesses: Mapping[int, Guess], notation: Notation
) -> str:
    game, user, app = stored.game, interaction.user.id, interaction.client.app
    board, note = new_board_message(game), stored.note_of(user)
    keep_shown_note(interaction, game.id, note)
    outcome = "" if game.status is Status.RUNNING else public_board.outcome_text(board)
    away = await app.vacations.waits_for_vacation_until(stored)
    is_player = game.colour_of(user) is not None
    played = "" if is_player else game_texts.last_turn_line(game)
    return join_lines(
        game_texts.private_board_heading(game, user, outcome, away),
        await held_note(app, game, user),
        played,
        public_board.waiting_player_bank_text(board),
        game_texts.own_note_text(note),
        guess_note(game, guesses, notation),
        newest_board_link(stored),
    )
