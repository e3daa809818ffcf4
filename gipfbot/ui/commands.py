"""The slash commands: each finds out which game is meant, and hands over."""

import re
from collections.abc import Sequence
from operator import itemgetter

from discord import app_commands

from gipfbot.match import Status, check_running
from gipfbot.notation import completions
from gipfbot.service.boards import board_of
from gipfbot.service.ids import game_name, parse_game_name, parse_study_name
from gipfbot.service.service import Stored
from gipfbot.service.studies import Played
from render import text_board

from . import (
    board_texts,
    games_texts,
    homes,
    imports,
    lobby_texts,
    offers,
    records,
    reminders,
    studies,
    study_texts,
    texts,
)
from .challenging import RULES, challenge, challenge_menu
from .choices import CHOICES, LONGEST_CHOICE, complete_board, complete_ended, complete_game, complete_record
from .claims import claim, claim_button
from .conditions import if_, if_button
from .desk import board_url, play_typed, show_desk
from .games import games, note
from .items import handles
from .me import NOTATION_CHOICES, me
from .replay import replay
from .replies import Interaction, guarded, notation_of, show
from .screens import Button, Row, Select, game_picture
from .server import server
from .undo import undo
from .ways import with_way_back
from .which import PICKED, game_or_ask, picked_for

LONGEST_TURN = 200  # characters; the longest legal turn has fewer
AS_TEXT = "text"  # how a board may be shown
GAMES_COMPLETED = 3  # games whose turns are offered when none is named
_NAMED = re.compile(r"(#[a-zA-Z][0-9]+)\s*(.*)", re.DOTALL)


# ── /move ──


@app_commands.command(name="move", description="Play your turn: type it, or type nothing and use buttons")
@app_commands.describe(notation="Your turn, such as e2 or g1-c3;xc2,d3,e4,f4", game="Which game, such as #a7")
async def move(interaction: Interaction, notation: str = "", game: str = "") -> None:
    """Play a turn, or open the desk."""
    await interaction.response.defer(ephemeral=True)
    await guarded(interaction, _move(interaction, notation.strip(), game.strip()))


async def _move(interaction: Interaction, notation: str, game: str) -> None:
    if named := _NAMED.fullmatch(notation):
        if _differ(named[1], game):
            await show(interaction, texts.two_games(named[1].lower(), game_name(parse_game_name(game) or 0)))
            return
        game, notation = game or named[1], named[2]
    if len(notation) > LONGEST_TURN:
        await show(interaction, texts.TOO_LONG)
        return
    waiting = await interaction.client.service.waiting(interaction.user.id)
    ask = lobby_texts.which_game(notation) if notation else lobby_texts.WHICH_DESK
    if id := await game_or_ask(interaction, game, waiting, f"move:{notation}", lobby_texts.NOTHING_WAITS, ask):
        await _move_in(interaction, id, notation)


def _differ(text: str, option: str) -> bool:
    """Return whether the text and the option name two games; an option that names none is another fault."""
    other = parse_game_name(option)
    return other is not None and other != parse_game_name(text)


@picked_for("move")
async def _move_in(interaction: Interaction, id: int, notation: str) -> None:
    if notation:
        await play_typed(interaction, id, notation)
    else:
        await show_desk(interaction, await interaction.client.service.game(id))


@move.autocomplete("notation")
async def complete_turn(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Offer legal turns that fit what is typed, each carrying its game."""
    named = _NAMED.match(current)
    typed = named[2] if named else current
    option = str(interaction.namespace.game or "")
    if named and _differ(named[1], option):
        return []
    game = named[1] if named else option
    user, service = interaction.user.id, interaction.client.service
    wanted = parse_game_name(game)
    waiting = [brief for brief in await service.waiting(user) if not game or brief.id == wanted]
    waiting.sort(key=lambda brief: brief.home.channel != interaction.channel_id)
    shown = await notation_of(interaction)
    choices = list[tuple[tuple[int, int], app_commands.Choice[str]]]()
    for place, brief in reversed([*enumerate(waiting[:GAMES_COMPLETED])]):  # the first game fills up what others leave
        stored, name = (await service.game(brief.id)).game, game_name(brief.id)
        share, room = (CHOICES - len(choices)) // (place + 1), LONGEST_CHOICE - len(f"{name} ")
        for found in completions(stored.position, stored.draft, typed, share, shown, longest=room):
            said = texts.turn_choice(found, brief, user)[:LONGEST_CHOICE]
            choice = app_commands.Choice(name=said, value=f"{name} {found.text}")
            choices.append(((found.fit, place), choice))
    return [choice for _, choice in sorted(choices, key=itemgetter(0))]


# ── In one game ──


async def _in_running_game(interaction: Interaction, named: str, does: str) -> None:
    running = await interaction.client.service.running(interaction.user.id)
    id = await game_or_ask(interaction, named, running, does, lobby_texts.NO_GAMES, lobby_texts.WHICH_GAME)
    if id:
        verb, _, more = does.partition(":")
        await PICKED[verb](interaction, id, more)


@picked_for("board")
async def _board_of(interaction: Interaction, id: int, shown: str) -> None:
    await _show_board(interaction, await interaction.client.service.game(id), shown)


@picked_for("resign")
async def _resign_in(interaction: Interaction, id: int, _: str) -> None:
    await _ask_resign(interaction, await interaction.client.service.game(id))


@picked_for("study")
async def _study_of(interaction: Interaction, id: int, _: str) -> None:
    await studies.open_study(interaction, id)


# ── /gipf ──

gipf = app_commands.Group(name="gipf", description="Play GIPF by correspondence")


@gipf.command(name="seeks", description="Who looks for a game on this server")
async def seeks(interaction: Interaction) -> None:
    """List open seeks."""
    await guarded(interaction, offers.seeks(interaction))


@gipf.command(name="board", description="Show a game or a study to you alone; brings a game here when its channel is gone")
@app_commands.describe(
    game="Which game, such as #a7, or study, such as study 7",
    text="A game's board as text instead of a picture, for screen readers and terminals",
)
async def board(interaction: Interaction, game: str = "", text: bool = False) -> None:
    """Show a board privately, or a study."""
    await interaction.response.defer(ephemeral=True)
    await guarded(interaction, _board(interaction, game.strip(), AS_TEXT if text else ""))


async def _board(interaction: Interaction, named: str, shown: str) -> None:
    user, service = interaction.user.id, interaction.client.service
    if study := parse_study_name(named):
        await studies.open_study(interaction, study)
    elif not named and not await service.running(user) and (known := await interaction.client.studies.studies(user)):
        options = tuple((study_texts.brief_name(brief), str(brief.id)) for brief in known[:CHOICES])
        await show(interaction, study_texts.WHICH_STUDY, rows=(Select(study_texts.OPEN_STUDY, "p:study", options),))
    else:
        await _in_running_game(interaction, named, f"board:{shown}")


async def _show_board(interaction: Interaction, stored: Stored, shown: str = "") -> None:
    game, user = stored.game, interaction.user.id
    if reason := await homes.hidden(interaction, stored):
        await show(interaction, reason)
        return
    said = ""
    own = game.colour(user) is not None
    if own and game.status is Status.RUNNING and (said := await homes.brought_back(interaction, stored)):
        stored = await interaction.client.service.game(game.id)
    asked = game.asked
    mine = asked is not None and game.seats[asked].user == user
    label = texts.REMOVE if board_texts.removal_due(game.current) else texts.MOVE
    nudge, claims = await reminders.nudge_button(interaction, stored), await claim_button(interaction, stored)
    waits = (*nudge, *claims, *if_button(game, user))
    move_on = (Button(label, f"o:{game.id}", "primary"),) if mine else waits
    rows: tuple[Row, ...] = ((*move_on, records.study_button(game.id)),) if own else ()
    rows = with_way_back(interaction, rows)
    noted = games_texts.own_note(await interaction.client.notes.of(game.id, user)) if own else ""
    away = await interaction.client.vacations.holds_up(stored)
    text = texts.join(said, _private_text(stored, user, away), noted, texts.board_link(board_url(stored)))
    picture = game_picture(game, await notation_of(interaction))
    if shown == AS_TEXT:
        await show(interaction, texts.with_block(text, text_board(picture)), rows=rows)
    else:
        await show(interaction, text, picture, rows, colour=game.colour(user))


def _private_text(stored: Stored, user: int, away: int | None) -> str:
    game, board = stored.game, board_of(stored.game)
    outcome = "" if game.status is Status.RUNNING else board_texts.outcome(board)
    return texts.join(texts.board_private(game, user, outcome, away), board_texts.saved(board))


@gipf.command(name="resign", description="Give up a game; asks once")
@app_commands.describe(game="Which game, such as #a7")
async def resign(interaction: Interaction, game: str = "") -> None:
    """Ask whether to resign, or to call the game off."""
    await interaction.response.defer(ephemeral=True)
    await guarded(interaction, _in_running_game(interaction, game.strip(), "resign"))


async def _ask_resign(interaction: Interaction, stored: Stored, note: str = "") -> None:
    game = stored.game
    colour = game.colour(interaction.user.id)
    if colour is None:
        await show(interaction, texts.NOT_YOURS)
        return
    check_running(game)
    call_off = (Button(texts.CALL_OFF, "abort"),) if game.may_abort else ()
    buttons = (Button(texts.RESIGN, "resign", "danger"), *call_off, Button(texts.KEEP_PLAYING, "keep"))
    text = texts.ask_resign(game_name(game.id), game.seats[colour.other].name, game.may_abort)
    await show(interaction, texts.join(note, text), rows=(buttons,), prefix=f"e:{game.id}:{game.version}:")


@handles("e")
async def press_end(interaction: Interaction, rest: str) -> None:
    """The answer to whether a game shall end; one that was asked for an older version is not carried out."""

    async def work() -> None:
        await interaction.response.defer()
        bot, user = interaction.client, interaction.user.id
        number, drawn_for, verb = rest.split(":")
        id, version = int(number), int(drawn_for)
        stored, name = await bot.service.game(id), game_name(id)
        if stored.game.status is not Status.RUNNING:
            await _show_board(interaction, stored)
            return
        if verb == "keep":
            await show(interaction, texts.KEPT_PLAYING)
            return
        if stored.game.version != version:
            await _ask_resign(interaction, stored, texts.ASKED_AGAIN)
            return
        done = await (bot.service.abort if verb == "abort" else bot.service.resign)(id, user, version)
        await bot.delivery.deliver(done.owed)
        await show(interaction, texts.called_off(name) if verb == "abort" else texts.resigned(name))

    await guarded(interaction, work())


@gipf.command(name="record", description="The record of a game, as a file and to be read")
@app_commands.describe(
    game="Which game, such as #a7, also one that is over", notation="How its turns are written (default: your setting)"
)
@app_commands.choices(notation=NOTATION_CHOICES)
async def record(interaction: Interaction, game: str = "", notation: str = "") -> None:
    """Send the record of a game."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        user, none, ask = interaction.user.id, study_texts.NO_GAMES, study_texts.WHICH_RECORD
        mine: Sequence[Played] = await interaction.client.service.running(user)
        mine = mine or await interaction.client.studies.ended(user, CHOICES)
        if id := await game_or_ask(interaction, game.strip(), mine, f"record:{notation}", none, ask):
            await records.send_record(interaction, id, notation)

    await guarded(interaction, work())


@gipf.command(name="import", description="Study a record: step through it and try turns, on a private message")
@app_commands.describe(rules="Which version of GIPF (default: what the record says)")
@app_commands.choices(rules=RULES)
async def import_(interaction: Interaction, rules: str = "") -> None:
    """Ask for a record."""
    await guarded(interaction, imports.ask_for_record(interaction, rules))


@gipf.command(name="rematch", description="Ask for another game after one that is over, colours swapped")
@app_commands.describe(game="Which game, such as #a7")
async def rematch(interaction: Interaction, game: str) -> None:
    """Ask for a rematch."""
    await interaction.response.defer(ephemeral=True)
    await guarded(interaction, _rematch(interaction, game.strip()))


async def _rematch(interaction: Interaction, named: str) -> None:
    id = parse_game_name(named)
    if id is None:
        await show(interaction, texts.bad_game(named))
    else:
        await offers.rematch(interaction, id)


@gipf.command(name="draw", description="Whether a game can end in a draw, and how else it can end")
async def draw(interaction: Interaction) -> None:
    """Say that there is no draw."""
    await interaction.response.send_message(texts.NO_DRAW, ephemeral=True)


@gipf.command(name="help", description="How to play here")
async def help_(interaction: Interaction) -> None:
    """Say how to play."""
    await interaction.response.send_message(texts.HELP, ephemeral=True)


gipf.add_command(challenge)
gipf.add_command(undo)
gipf.add_command(claim)
gipf.add_command(if_)
gipf.add_command(games)
gipf.add_command(note)
gipf.add_command(replay)

move.autocomplete("game")(complete_game)
board.autocomplete("game")(complete_board)
record.autocomplete("game")(complete_record)
rematch.autocomplete("game")(complete_ended)
resign.autocomplete("game")(complete_game)


COMMANDS: tuple[app_commands.Command | app_commands.Group | app_commands.ContextMenu, ...]  # type: ignore[type-arg]
COMMANDS = (move, gipf, me, server, challenge_menu)
