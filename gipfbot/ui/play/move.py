"""`/move` and typed turns. Legal turns are suggested, and the desk asks about choices that a text leaves open.

A turn is played at the moment of the game for which it was typed, or handed back to its player.
"""

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from operator import itemgetter

from discord import app_commands
from discord.app_commands import Choice

from gipfbot.languages import say
from gipfbot.match import Game, Moment, Refused, Why, check_moment, check_player, check_turn, perform, read_typed_turn
from gipfbot.notation import Notation, NotationError, OpenTurn, ParseError, action_code, bare_dot_pushes, completions
from gipfbot.rules.pending import question
from gipfbot.rules.powers import POWERS
from gipfbot.service.kit.loaded_games import game_name, parse_game_name
from gipfbot.service.settings.users import notation_in_settings
from gipfbot.ui.board.public_board import move_button_label
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.desk.screens import PLAY_VERB, Focus, desk_prefix, marked_picture, start_over_button
from gipfbot.ui.kit import (
    Button,
    Interaction,
    Reply,
    answers_privately,
    handles,
    handles_picked_game,
    join_lines,
    notation_of,
    show_reply,
    slash_command,
)
from gipfbot.ui.kit.components import LONGEST_CUSTOM_ID, build_form, form_answers, text_field
from gipfbot.ui.kit.game_picker import (
    LONGEST_CHOICE,
    MOST_CHOICES,
    complete_running_game,
    game_select,
    pick_game_or_ask,
    picked_game,
    picked_moment,
    suggests_in_time,
)
from gipfbot.ui.kit.moments import changed_since_text, parse_moment
from gipfbot.ui.kit.refusal_texts import TURNS_OFFERED, turn_error_text, typed_warnings_text, why_buttons
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.respond import read_aside, user_settings_of
from gipfbot.ui.kit.texts import shorten_text
from gipfbot.ui.lobby.help import show_help
from gipfbot.ui.requests.claim_win import claim_win_of_game_meant
from gipfbot.ui.requests.game_requests import offer_draw_in_game_meant, take_back_in_game_meant
from gipfbot.values import GameBrief, ListedGame, StoredGame

from . import game_texts
from .desk_view import (
    note_turn_is_seen,
    open_desk_id,
    show_after_turn,
    show_desk,
    show_turn_to_confirm,
    type_turn_id,
)
from .ended_games import rematch_of_game_meant
from .game_end import resign_game_meant
from .notes import note_game_meant

ACT_BEFORE_LISTS = re.compile(r"(?:[xX][^;]*;)*[^xX;]+(?=;x|X)")  # the part of a turn before its last removals
_NAMED_PIECE = re.compile(rf"\s*[{''.join(POWERS)}][0-9]", re.IGNORECASE)
LONGEST_TYPED_TURN = 200  # characters; the longest legal turn has fewer

MOST_GAMES_COMPLETED = 3  # games whose turns are suggested if no game is named
_GAME_THEN_TURN = re.compile(r"(#[a-zA-Z][0-9]+)(?:@([0-9]{1,9}(?:[.][0-9]{1,9}){2}))?\s*(.*)", re.DOTALL)


async def play_typed_turn(interaction: Interaction, stored: StoredGame, text: str, at: Moment | None) -> None:
    """Play a turn that was typed at the moment `at`. The desk asks about choices that the text leaves open.

    If the text is no legal turn, say why, and offer buttons for likely turns. If the game has changed since, play
    nothing, and hand the text back. `at` is None if an earlier version of the bot did not note it.
    """
    game, user = stored.game, interaction.user.id
    try:
        check_moment(game, user, at)
        if not await _show_bare_dot(interaction, stored, text):
            await _play_or_confirm(interaction, stored, text, at)
    except NotationError as fault:
        note_refusal(interaction, fault)
        interaction.client.kept_texts.keep(user, type_turn_id(game, user), text)
        await _show_fault(interaction, stored, fault)
    except Refused as refusal:
        if refusal.why is Why.NOT_YOUR_TURN:
            await show_desk(interaction, await interaction.client.app.games.game(game.id))
            return
        if refusal.why is not Why.STALE:
            raise
        note_refusal(interaction, refusal)
        await _hand_back(interaction, await interaction.client.app.games.game(game.id), text, at)


async def _hand_back(interaction: Interaction, stored: StoredGame, text: str, at: Moment | None) -> None:
    """Say what has changed in a game since a turn was typed at the moment `at`. Nothing was played.

    If it is the player's turn, show the board with buttons to play the text on it, if that is legal, and to edit it.
    """
    game, user = stored.game, interaction.user.id
    check_player(game, user)
    notation = await notation_of(interaction)
    said = join_lines(changed_since_text(game, at, user, notation), game_texts.typed_in_vain_text(text))
    if game.asked is None or game.seats[game.asked].user != user:
        await show_desk(interaction, stored, note=said)
        return
    game = (await note_turn_is_seen(interaction, stored)).game
    interaction.client.kept_texts.keep(user, type_turn_id(game, user), text)
    await read_aside(interaction, read_typed_turn, game, user, text, notation)
    buttons = (*_turn_buttons(game, user, (text,), notation), *_other_ways(game, user))
    said, picture = join_lines(said, game_texts.desk_heading(game, user)), marked_picture(game, "")
    await show_reply(
        interaction, said, picture, rows=(buttons,), prefix=desk_prefix(game, ""), colour=game.colour_of(user)
    )


async def _show_bare_dot(interaction: Interaction, stored: StoredGame, text: str) -> bool:
    """Open the desk at a typed dot that names two pushes. Return False, and do nothing, for any other text."""
    notation = await notation_of(interaction)
    check_turn(stored.game, interaction.user.id)
    for push in bare_dot_pushes(stored.game.current, text, notation)[:1]:
        await show_desk(interaction, stored, Focus(push.kind, push.dot), desk_texts.bare_dot_text(push.dot))
        return True
    return False


@handles("type_turn", "{game}{at:(?::[0-9.]+)?}", Reply.FORM)
async def press_type_turn(interaction: Interaction, game: int, at: str) -> None:
    """Open the form for a turn, filled with the text that was refused last at the moment `at`."""
    kept = interaction.client.kept_texts.find(interaction.user.id, f"type_turn:{game}{at}")
    field = text_field(
        "text",
        say(game_texts.TYPE_TURN_FIELD),
        placeholder=say(game_texts.TYPE_TURN_HINT),
        max_length=LONGEST_TYPED_TURN,
        default=kept,
    )
    title = f"{say(game_texts.TYPE_TURN_LABEL)} · {game_name(game)}"
    await interaction.response.send_modal(build_form(title, f"type_turn_form:{game}{at}", field))


@handles("type_turn_form", "{game}{at:(?::[0-9.]+)?}:.*")
async def submit_typed_turn(interaction: Interaction, game: int, at: str) -> None:
    """Play the turn that was typed into the form, which was opened for the moment `at`."""
    stored, text = await interaction.client.app.games.game(game), form_answers(interaction)["text"].strip()
    await play_typed_turn(interaction, stored, text, parse_moment(at.removeprefix(":")))


async def _show_fault(interaction: Interaction, stored: StoredGame, fault: NotationError) -> None:
    notation = await notation_of(interaction)
    if not stored.game.draft:  # the desk asks about the removals at the end; within a turn it has done so
        fault = fault.with_near(_without_ends(fault.near))
    meant = fault.choices if isinstance(fault, OpenTurn) else fault.near
    buttons = tuple(_turn_buttons(stored.game, interaction.user.id, meant[:TURNS_OFFERED], notation))
    said, others = turn_error_text(fault), _other_ways(stored.game, interaction.user.id)
    if not stored.game.draft and _is_no_turn_at_all(fault):
        said, others = game_texts.not_a_turn_text(fault.text), others[::-1]
    rows = tuple(row for row in (buttons, (*others, *why_buttons(fault))) if row)
    await show_reply(interaction, said, rows=rows, prefix=desk_prefix(stored.game, ""))


def _other_ways(game: Game, user: int) -> tuple[Button, ...]:
    """Return the buttons to type the turn again, to play it by pressing, and to start over what is begun of it."""
    return (
        Button(say(game_texts.TYPE_AGAIN_LABEL), type_turn_id(game, user), is_custom_id=True),
        Button(move_button_label(game), open_desk_id(game.id, ""), is_custom_id=True),
        *start_over_button(game),
    )


def _without_ends(turns: Sequence[str]) -> tuple[str, ...]:
    """Merge turns that differ only in their last removals into one turn without these.

    The desk then asks about the removals.
    """
    cut = [found[0] if (found := ACT_BEFORE_LISTS.match(text)) else text for text in turns]
    return tuple(dict.fromkeys(act if cut.count(act) > 1 else text for act, text in zip(cut, turns, strict=True)))


def _is_no_turn_at_all(fault: NotationError) -> bool:
    """Return whether the text is unlike any turn: its fault is within the first spot's name, and it names no piece."""
    breaks = isinstance(fault, ParseError) and not fault.near and (fault.at or 0) < len("e2")
    return breaks and not _NAMED_PIECE.match(fault.text)


def _turn_buttons(game: Game, user: int, turns: Sequence[str], notation: Notation) -> Iterator[Button]:
    """Yield a button for each turn that one button can play."""
    for text in turns:
        try:
            actions = read_typed_turn(game, user, text, notation)
        except NotationError:  # a turn in the other notation, or an ambiguous one
            continue
        action = f"{PLAY_VERB}:{';'.join(map(action_code, actions))}"
        if actions and len(desk_prefix(game, "") + action) <= LONGEST_CUSTOM_ID:
            yield Button(game_texts.play_turn_label(text), action)


async def _play_or_confirm(interaction: Interaction, stored: StoredGame, text: str, at: Moment | None) -> None:
    """Play a turn that was typed at the moment `at`, or show it for confirmation.

    It is shown first if the person has set that, or if the game would be lost on time. Raises Refused if the game has
    changed since.
    """
    settings = await user_settings_of(interaction)
    games, notation, game = interaction.client.app.games, notation_in_settings(settings), stored.game
    await read_aside(interaction, read_typed_turn, game, interaction.user.id, text, notation)
    if settings.get("confirm_typed"):
        await _show_typed_turn(interaction, stored, text)
        return
    try:
        done = await games.play_typed(game.id, interaction.user.id, text, notation, at)
    except Refused as refusal:
        if refusal.why is not Why.LOSES_ON_TIME:
            raise
        stored = await games.game(game.id)  # with the flag that has fallen
        check_moment(stored.game, interaction.user.id, at)
        await _show_typed_turn(interaction, stored, text)
    else:
        asked = "" if done.turn else _open_question_note(done.game, text)
        await show_after_turn(interaction, done, join_lines(typed_warnings_text(done.game, done.turn, text), asked))


async def _show_typed_turn(interaction: Interaction, stored: StoredGame, text: str) -> None:
    """Show the turn that a typed text means, and ask whether to play it.

    If the text leaves the first choice of the turn open, show the desk instead.
    """
    game, user = stored.game, interaction.user.id
    if actions := read_typed_turn(game, user, text, await notation_of(interaction)):
        after = perform(game, user, actions)
        note = typed_warnings_text(after.game, after.turn, text)
        await show_turn_to_confirm(interaction, stored, actions, after, text, note=note)
    else:
        await show_desk(interaction, stored, note=_open_question_note(game, text))


def _open_question_note(game: Game, text: str) -> str:
    asked = question(game.current)
    return desk_texts.open_turn_text(text, asked) if asked else ""


@suggests_in_time
async def complete_turn(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Suggest legal turns that match the typed text. Each begins with the name of its game."""
    named, _, typed = _split_typed(current)
    option = str(interaction.namespace.game or "")
    if named and _name_two_games(named, option):
        return []
    async with interaction.client.app.snapshot():
        notation, briefs = await notation_of(interaction), await _games_to_complete(interaction, named or option)
        stored = await interaction.client.app.games.games([brief.id for brief in briefs])
    found = [(brief, stored[brief.id].game) for brief in briefs if brief.id in stored]
    user = interaction.user.id
    return await interaction.client.readings.run(user, _choices_of_games, found, user, typed, notation)


def _choices_of_games(
    found: Sequence[tuple[ListedGame, Game]], user: int, typed: str, notation: Notation
) -> list[Choice[str]]:
    """Return turns of these games that match the typed text, the best match first."""
    offered = list[tuple[tuple[int, int], Choice[str]]]()
    for place, (brief, game) in reversed([*enumerate(found)]):  # the first game comes last and fills the rest
        share = (MOST_CHOICES - len(offered)) // (place + 1)
        choices = _turn_choices(brief, game, user, typed, share, notation)
        offered += [((fit, place), choice) for fit, choice in choices]
    return [choice for _, choice in sorted(offered, key=itemgetter(0))]


def _split_typed(text: str) -> tuple[str, Moment | None, str]:
    """Split a typed text into the game's name at its start, which may be empty, and the turn.

    Between them stands the moment at which a chosen turn was suggested. It is None for a text that a person has typed.
    """
    named = _GAME_THEN_TURN.fullmatch(text)
    return (named[1], parse_moment(named[2] or ""), named[3]) if named else ("", None, text)


def _name_two_games(text: str, option: str) -> bool:
    """Return whether the game's name in the text and the option `game` mean different games.

    False if the option is not a game's name; that fault is reported elsewhere.
    """
    other = parse_game_name(option)
    return other is not None and other != parse_game_name(text)


async def _games_to_complete(interaction: Interaction, named: str) -> Sequence[ListedGame]:
    """Return the games whose turns are suggested, the games of this channel first.

    These are the games in which it is the person's turn. If `named` is not empty, only the game of that name is kept.
    """
    wanted, user = parse_game_name(named), interaction.user.id
    running = await interaction.client.app.games.choosable_games(user)
    waiting = [brief for brief in running if brief.users[brief.asked] == user]
    meant = [brief for brief in waiting if not named or brief.id == wanted]
    return sorted(meant, key=lambda brief: brief.venue.channel != interaction.channel_id)[:MOST_GAMES_COMPLETED]


def _turn_choices(
    brief: ListedGame, game: Game, user: int, typed: str, most: int, notation: Notation
) -> Iterator[tuple[int, Choice[str]]]:
    """Yield at most `most` turns of a game that match the typed text, each with how well it matches.

    A choice carries the moment of the game: it may be sent at another one.
    """
    name = f"{game_name(game.id)}@{game.moment_for(user)}"
    room = LONGEST_CHOICE - len(f"{name} ")
    for found in completions(game.position, game.draft, typed, most, notation, longest=room):
        label = shorten_text(game_texts.turn_choice_label(found, brief, user), LONGEST_CHOICE)
        yield found.fit, Choice(name=label, value=f"{name} {found.text}")


@slash_command("move", 10, "Play your turn: type it, or type nothing and use buttons")
@app_commands.describe(
    notation="Your turn, such as e2, or e1-e3 if the piece on e2 moves on to e3", game="Which game, such as #a7"
)
@app_commands.autocomplete(notation=complete_turn, game=complete_running_game)
@answers_privately
async def move_command(interaction: Interaction, notation: str = "", game: str = "") -> None:
    """Play a typed turn, or open the desk if none is typed."""
    named, at, text = _split_typed(notation.strip())
    option = game.strip()
    if named and _name_two_games(named, option):
        option_name = game_name(parse_game_name(option) or 0)
        await show_reply(interaction, game_texts.two_games_named_text(named.lower(), option_name))
    elif len(text) > LONGEST_TYPED_TURN:
        await show_reply(interaction, say(game_texts.TURN_TOO_LONG))
    elif command := TYPED_COMMANDS.get(text.lower().removeprefix("/gipf").strip()):
        await command(interaction, option or named)
    else:
        await _move_in_game_meant(interaction, option or named, text, at)


async def _show_help(interaction: Interaction, _: str) -> None:
    await show_help(interaction)


# Words that a person may type instead of a turn, and the functions that handle them.
TYPED_COMMANDS: dict[str, Callable[[Interaction, str], Awaitable[None]]] = {
    "resign": resign_game_meant,
    "undo": take_back_in_game_meant,
    "draw": offer_draw_in_game_meant,
    "claim": claim_win_of_game_meant,
    "note": note_game_meant,
    "rematch": rematch_of_game_meant,
    "help": _show_help,
}


async def _move_in_game_meant(interaction: Interaction, named: str, text: str, at: Moment | None) -> None:
    """Play a typed turn, or open the desk. If it is not clear in which game, ask.

    `at` is the moment at which the turn was suggested; None if it was typed just now.
    """
    user, games = interaction.user.id, interaction.client.app.games
    waiting = [] if named else await games.waiting_games(user)
    if not named and not waiting:
        await _show_whose_turn(interaction, await games.running_games(user))
        return
    ask = game_texts.which_game_for_turn_text(text) if text else say(game_texts.WHICH_GAME_TO_MOVE)
    if game := await pick_game_or_ask(interaction, named, waiting, f"move:{text}", "", ask):
        stored = await picked_game(interaction, game, waiting)
        await _move_in_game(interaction, stored, text, at or stored.game.moment_for(user))


async def _show_whose_turn(interaction: Interaction, running: Sequence[GameBrief]) -> None:
    """Tell a person who has no turn to play whose turn it is. Show their game, or let them choose one of several."""
    if len(running) == 1:
        await show_desk(interaction, await picked_game(interaction, running[0].id, running))
    else:
        rows = (game_select(running, interaction.user.id, "board:"),) if running else ()
        await show_reply(interaction, game_texts.no_game_to_move_text(running), rows=rows)


@handles_picked_game("move")
async def _move_in_picked_game(interaction: Interaction, game: int, text: str) -> None:
    stored = await interaction.client.app.games.game(game)
    await _move_in_game(interaction, stored, text, picked_moment(interaction))


async def _move_in_game(interaction: Interaction, stored: StoredGame, text: str, at: Moment | None) -> None:
    """Play a turn that was typed at the moment `at`, or open the desk if none was typed."""
    if text:
        await play_typed_turn(interaction, stored, text, at)
    else:
        await show_desk(interaction, stored)
