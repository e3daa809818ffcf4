"""The slash commands: each finds out which game is meant, and hands over."""

import re
from collections.abc import Sequence
from operator import itemgetter

from discord import app_commands

from gipfbot.match import Status, check_running
from gipfbot.notation import completions
from gipfbot.service.kit.game_names import game_name, parse_game_name, parse_study_name
from gipfbot.service.play.board_message import new_board_message
from gipfbot.service.records.studies import ListedGame
from gipfbot.service.service import StoredGame
from gipfbot.ui.kit.autocomplete import (
    LONGEST_CHOICE,
    MOST_CHOICES,
    complete_any_game,
    complete_ended_game,
    complete_game_or_study,
    complete_running_game,
)
from gipfbot.ui.kit.components import handles_kind
from gipfbot.ui.kit.game_picker import PICKED_GAME_HANDLERS, handles_picked_game, pick_game_or_ask
from gipfbot.ui.kit.respond import Interaction, notation_of, run_guarded, show_reply
from gipfbot.ui.lobby.challenge import RULES_CHOICES, challenge_command, challenge_menu
from gipfbot.ui.play.back_to_list import with_back_button
from gipfbot.ui.play.desk import board_url, play_typed_turn, show_desk
from gipfbot.ui.play.desk_screens import Button, ComponentRow, Select, game_picture
from gipfbot.ui.play.game_list import games_command, note_command
from gipfbot.ui.records.replay import replay_command
from gipfbot.ui.requests.claim_win import claim_win_button, claim_win_command
from gipfbot.ui.requests.conditionals import if_button, if_command
from gipfbot.ui.requests.takeback import takeback_command
from gipfbot.ui.settings.server import gipf_server_group
from gipfbot.ui.settings.user import NOTATION_CHOICES, gipf_me_group
from render import text_board

from .clock import reminders
from .delivery import venue
from .kit import texts
from .lobby import lobby_texts, seeks
from .play import board_texts, game_list_texts
from .records import export, import_record, study, study_texts

LONGEST_TYPED_TURN = 200  # characters; the longest legal turn has fewer
SHOWN_AS_TEXT = "text"  # how a board may be shown
MOST_GAMES_COMPLETED = 3  # games whose turns are offered when none is named
_GAME_THEN_TURN = re.compile(r"(#[a-zA-Z][0-9]+)\s*(.*)", re.DOTALL)


# ── /move ──


@app_commands.command(name="move", description="Play your turn: type it, or type nothing and use buttons")
@app_commands.describe(notation="Your turn, such as e2 or g1-c3;xc2,d3,e4,f4", game="Which game, such as #a7")
async def move_command(interaction: Interaction, notation: str = "", game: str = "") -> None:
    """Play a turn, or open the desk."""
    await interaction.response.defer(ephemeral=True)
    await run_guarded(interaction, _play_or_open_desk(interaction, notation.strip(), game.strip()))


async def _play_or_open_desk(interaction: Interaction, notation: str, game: str) -> None:
    if named := _GAME_THEN_TURN.fullmatch(notation):
        if _name_two_games(named[1], game):
            await show_reply(
                interaction, texts.two_games_named_text(named[1].lower(), game_name(parse_game_name(game) or 0))
            )
            return
        game, notation = game or named[1], named[2]
    if len(notation) > LONGEST_TYPED_TURN:
        await show_reply(interaction, texts.TURN_TOO_LONG)
        return
    waiting = await interaction.client.service.waiting_games(interaction.user.id)
    ask = lobby_texts.which_game_for_turn_text(notation) if notation else lobby_texts.WHICH_GAME_TO_MOVE
    if id := await pick_game_or_ask(interaction, game, waiting, f"move:{notation}", lobby_texts.NO_GAME_TO_MOVE, ask):
        await _move_in_game(interaction, id, notation)


def _name_two_games(text: str, option: str) -> bool:
    """Return whether the text and the option name two games; an option that names none is another fault."""
    other = parse_game_name(option)
    return other is not None and other != parse_game_name(text)


@handles_picked_game("move")
async def _move_in_game(interaction: Interaction, game_id: int, notation: str) -> None:
    if notation:
        await play_typed_turn(interaction, game_id, notation)
    else:
        await show_desk(interaction, await interaction.client.service.game(game_id))


@move_command.autocomplete("notation")
async def complete_turn(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Offer legal turns that fit what is typed, each carrying its game."""
    named = _GAME_THEN_TURN.match(current)
    typed = named[2] if named else current
    option = str(interaction.namespace.game or "")
    if named and _name_two_games(named[1], option):
        return []
    game = named[1] if named else option
    user, service = interaction.user.id, interaction.client.service
    wanted = parse_game_name(game)
    waiting = [brief for brief in await service.waiting_games(user) if not game or brief.id == wanted]
    waiting.sort(key=lambda brief: brief.venue.channel != interaction.channel_id)
    shown = await notation_of(interaction)
    choices = list[tuple[tuple[int, int], app_commands.Choice[str]]]()
    for place, brief in reversed(
        [*enumerate(waiting[:MOST_GAMES_COMPLETED])]
    ):  # the first game fills up what others leave
        stored, name = (await service.game(brief.id)).game, game_name(brief.id)
        share, room = (MOST_CHOICES - len(choices)) // (place + 1), LONGEST_CHOICE - len(f"{name} ")
        for found in completions(stored.position, stored.draft, typed, share, shown, longest=room):
            said = texts.turn_choice_label(found, brief, user)[:LONGEST_CHOICE]
            choice = app_commands.Choice(name=said, value=f"{name} {found.text}")
            choices.append(((found.fit, place), choice))
    return [choice for _, choice in sorted(choices, key=itemgetter(0))]


# ── In one game ──


async def _in_running_game(interaction: Interaction, named: str, does: str) -> None:
    running = await interaction.client.service.running_games(interaction.user.id)
    id = await pick_game_or_ask(interaction, named, running, does, lobby_texts.NO_RUNNING_GAMES, lobby_texts.WHICH_GAME)
    if id:
        verb, _, more = does.partition(":")
        await PICKED_GAME_HANDLERS[verb](interaction, id, more)


@handles_picked_game("board")
async def _show_picked_board(interaction: Interaction, game_id: int, shown: str) -> None:
    await _show_private_board(interaction, await interaction.client.service.game(game_id), shown)


@handles_picked_game("resign")
async def _resign_picked_game(interaction: Interaction, game_id: int, _: str) -> None:
    await _confirm_resign(interaction, await interaction.client.service.game(game_id))


@handles_picked_game("study")
async def _show_picked_study(interaction: Interaction, study_id: int, _: str) -> None:
    await study.show_named_study(interaction, study_id)


# ── /gipf ──

gipf_group = app_commands.Group(name="gipf", description="Play GIPF by correspondence")


@gipf_group.command(name="seeks", description="Who looks for a game on this server")
async def seeks_command(interaction: Interaction) -> None:
    """List open seeks."""
    await run_guarded(interaction, seeks.list_seeks(interaction))


@gipf_group.command(
    name="board", description="Show a game or a study to you alone; brings a game here when its channel is gone"
)
@app_commands.describe(
    game="Which game, such as #a7, or study, such as study 7",
    text="A game's board as text instead of a picture, for screen readers and terminals",
)
async def board_command(interaction: Interaction, game: str = "", text: bool = False) -> None:
    """Show a board privately, or a study."""
    await interaction.response.defer(ephemeral=True)
    await run_guarded(interaction, _show_board_or_study(interaction, game.strip(), SHOWN_AS_TEXT if text else ""))


async def _show_board_or_study(interaction: Interaction, named: str, shown: str) -> None:
    user, service = interaction.user.id, interaction.client.service
    if study_id := parse_study_name(named):
        await study.show_named_study(interaction, study_id)
    elif (
        not named
        and not await service.running_games(user)
        and (known := await interaction.client.studies.studies(user))
    ):
        options = tuple((study_texts.study_label(brief), str(brief.id)) for brief in known[:MOST_CHOICES])
        await show_reply(
            interaction, study_texts.WHICH_STUDY, rows=(Select(study_texts.STUDY_PLACEHOLDER, "p:study", options),)
        )
    else:
        await _in_running_game(interaction, named, f"board:{shown}")


async def _show_private_board(interaction: Interaction, stored: StoredGame, shown: str = "") -> None:
    game, user = stored.game, interaction.user.id
    if reason := await venue.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
        return
    said = ""
    own = game.colour_of(user) is not None
    if own and game.status is Status.RUNNING and (said := await venue.bring_game_back(interaction, stored)):
        stored = await interaction.client.service.game(game.id)
    asked = game.asked
    mine = asked is not None and game.seats[asked].user == user
    label = texts.REMOVE_LABEL if board_texts.is_removal_due(game.current) else texts.MOVE_LABEL
    nudge, claims = await reminders.nudge_button(interaction, stored), await claim_win_button(interaction, stored)
    waits = (*nudge, *claims, *if_button(game, user))
    move_on = (Button(label, f"o:{game.id}", "primary"),) if mine else waits
    rows: tuple[ComponentRow, ...] = ((*move_on, export.study_button(game.id)),) if own else ()
    rows = with_back_button(interaction, rows)
    noted = game_list_texts.own_note_text(await interaction.client.notes.note_unchecked(game.id, user)) if own else ""
    away = await interaction.client.vacations.waits_for_vacation_until(stored)
    text = texts.join_lines(
        said, _private_board_text(stored, user, away), noted, texts.board_link_text(board_url(stored))
    )
    picture = game_picture(game, await notation_of(interaction))
    if shown == SHOWN_AS_TEXT:
        await show_reply(interaction, texts.with_code_block(text, text_board(picture)), rows=rows)
    else:
        await show_reply(interaction, text, picture, rows, colour=game.colour_of(user))


def _private_board_text(stored: StoredGame, user: int, away: int | None) -> str:
    game, board = stored.game, new_board_message(stored.game)
    outcome = "" if game.status is Status.RUNNING else board_texts.outcome_text(board)
    return texts.join_lines(
        texts.private_board_heading(game, user, outcome, away), board_texts.waiting_player_bank_text(board)
    )


@gipf_group.command(name="resign", description="Give up a game; asks once")
@app_commands.describe(game="Which game, such as #a7")
async def resign_command(interaction: Interaction, game: str = "") -> None:
    """Ask whether to resign, or to call the game off."""
    await interaction.response.defer(ephemeral=True)
    await run_guarded(interaction, _in_running_game(interaction, game.strip(), "resign"))


async def _confirm_resign(interaction: Interaction, stored: StoredGame, note: str = "") -> None:
    game = stored.game
    colour = game.colour_of(interaction.user.id)
    if colour is None:
        await show_reply(interaction, texts.NOT_YOUR_GAME)
        return
    check_running(game)
    call_off = (Button(texts.CANCEL_GAME_LABEL, "cancel"),) if game.may_cancel else ()
    buttons = (Button(texts.RESIGN_LABEL, "resign", "danger"), *call_off, Button(texts.KEEP_PLAYING_LABEL, "keep"))
    text = texts.confirm_resign_text(game_name(game.id), game.seats[colour.other].name, game.may_cancel)
    await show_reply(interaction, texts.join_lines(note, text), rows=(buttons,), prefix=f"e:{game.id}:{game.version}:")


@handles_kind("e")
async def press_end_game(interaction: Interaction, rest: str) -> None:
    """The answer to whether a game shall end; one that was asked for an older version is not carried out."""

    async def work() -> None:
        await interaction.response.defer()
        bot, user = interaction.client, interaction.user.id
        number, drawn_for, verb = rest.split(":")
        id, version = int(number), int(drawn_for)
        stored, name = await bot.service.game(id), game_name(id)
        if stored.game.status is not Status.RUNNING:
            await _show_private_board(interaction, stored)
            return
        if verb == "keep":
            await show_reply(interaction, texts.GAME_GOES_ON)
            return
        if stored.game.version != version:
            await _confirm_resign(interaction, stored, texts.ASKED_AGAIN)
            return
        done = await (bot.service.cancel_game if verb == "cancel" else bot.service.resign)(id, user, version)
        await bot.delivery.deliver(done.owed)
        await show_reply(interaction, texts.cancelled_text(name) if verb == "cancel" else texts.resigned_text(name))

    await run_guarded(interaction, work())


@gipf_group.command(name="record", description="The record of a game, as a file and to be read")
@app_commands.describe(
    game="Which game, such as #a7, also one that is over", notation="How its turns are written (default: your setting)"
)
@app_commands.choices(notation=NOTATION_CHOICES)
async def record_command(interaction: Interaction, game: str = "", notation: str = "") -> None:
    """Send the record of a game."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        user, none, ask = interaction.user.id, study_texts.NO_GAMES_PLAYED, study_texts.WHICH_RECORD
        mine: Sequence[ListedGame] = await interaction.client.service.running_games(user)
        mine = mine or await interaction.client.studies.ended_games(user, MOST_CHOICES)
        if id := await pick_game_or_ask(interaction, game.strip(), mine, f"record:{notation}", none, ask):
            await export.send_record(interaction, id, notation)

    await run_guarded(interaction, work())


@gipf_group.command(name="import", description="Study a record: step through it and try turns, on a private message")
@app_commands.describe(rules="Which version of GIPF (default: what the record says)")
@app_commands.choices(rules=RULES_CHOICES)
async def import_command(interaction: Interaction, rules: str = "") -> None:
    """Ask for a record."""
    await run_guarded(interaction, import_record.open_import_form(interaction, rules))


@gipf_group.command(name="rematch", description="Ask for another game after one that is over, colours swapped")
@app_commands.describe(game="Which game, such as #a7")
async def rematch_command(interaction: Interaction, game: str) -> None:
    """Ask for a rematch."""
    await interaction.response.defer(ephemeral=True)
    await run_guarded(interaction, _rematch_named_game(interaction, game.strip()))


async def _rematch_named_game(interaction: Interaction, named: str) -> None:
    id = parse_game_name(named)
    if id is None:
        await show_reply(interaction, texts.bad_game_name_text(named))
    else:
        await seeks.ask_or_accept_rematch(interaction, id)


@gipf_group.command(name="draw", description="Whether a game can end in a draw, and how else it can end")
async def draw_command(interaction: Interaction) -> None:
    """Say that there is no draw."""
    await interaction.response.send_message(texts.NO_DRAWS, ephemeral=True)


@gipf_group.command(name="help", description="How to play here")
async def help_command(interaction: Interaction) -> None:
    """Say how to play."""
    await interaction.response.send_message(texts.HELP_TEXT, ephemeral=True)


gipf_group.add_command(challenge_command)
gipf_group.add_command(takeback_command)
gipf_group.add_command(claim_win_command)
gipf_group.add_command(if_command)
gipf_group.add_command(games_command)
gipf_group.add_command(note_command)
gipf_group.add_command(replay_command)

move_command.autocomplete("game")(complete_running_game)
board_command.autocomplete("game")(complete_game_or_study)
record_command.autocomplete("game")(complete_any_game)
rematch_command.autocomplete("game")(complete_ended_game)
resign_command.autocomplete("game")(complete_running_game)


COMMANDS: tuple[app_commands.Command | app_commands.Group | app_commands.ContextMenu, ...]  # type: ignore[type-arg]
COMMANDS = (move_command, gipf_group, gipf_me_group, gipf_server_group, challenge_menu)
