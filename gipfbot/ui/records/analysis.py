"""`/gipf-learn analyse` and the button **Analyse** of a finished game: show its turning points.

The first request starts the analysis, which runs in the background. Later requests show its progress until it is done.
"""

from discord import app_commands

from gipfbot.languages import say
from gipfbot.match.study import MOST_STUDIES, go_to_place
from gipfbot.service.app import App
from gipfbot.service.records.analyses import ANALYSIS, AnalysisView
from gipfbot.ui.desk.screens import replay_study_aside
from gipfbot.ui.kit import (
    Button,
    Interaction,
    OutboxMessage,
    PrivateRow,
    Reply,
    answers_privately,
    handles,
    handles_picked_game,
    notation_of,
    outbox_message,
    show_reply,
    slash_command,
    texts,
    visibility,
)
from gipfbot.ui.kit.components import Select
from gipfbot.ui.kit.game_picker import MOST_CHOICES, complete_ended_game, pick_game_or_ask
from gipfbot.ui.kit.interactions import chosen_number
from gipfbot.ui.kit.respond import show_here_buttons
from gipfbot.values import AnalysisState, OutboxRow

from . import analysis_texts, study_texts
from .study_view import show_study

MOST_OPTIONS = 25  # Discord's limit for a select


@outbox_message(ANALYSIS)
async def build_analysis_over(_: App, row: OutboxRow) -> OutboxMessage:
    """Build the message that says that an analysis is ready or has failed."""
    game, state = row.payload["game"], AnalysisState(row.payload["state"])
    label = analysis_texts.ANALYSIS_LABEL if state is AnalysisState.DONE else texts.ANALYSE_LABEL
    button = Button(say(label), f"analyse:{game}", "primary")
    return OutboxMessage(analysis_texts.analysis_over_text(game, state), rows=((button,),))


@slash_command("gipf-learn analyse", 40, "A finished game's turning points, and what was better")
@app_commands.describe(game="Which finished game, such as #a7")
@app_commands.autocomplete(game=complete_ended_game)
@answers_privately
async def analyse_command(interaction: Interaction, game: str = "") -> None:
    """Analyse a finished game. If it is not clear which game is meant, ask."""
    named, ended = game.strip(), []
    if not named:
        ended = await interaction.client.app.studies.ended_games(interaction.user.id, MOST_CHOICES)
    none, ask = say(analysis_texts.NO_FINISHED_GAMES), say(analysis_texts.WHICH_ANALYSIS)
    if picked := await pick_game_or_ask(interaction, named, ended, "analyse", none, ask):
        await show_analysis(interaction, picked)


@handles_picked_game("analyse")
async def _show_picked_analysis(interaction: Interaction, game: int, _: str) -> None:
    await show_analysis(interaction, game)


@handles("analyse", "{game}", Reply.APART)
async def press_analyse(interaction: Interaction, game: int) -> None:
    """Show the analysis of a game in a new private message, or start it."""
    await show_analysis(interaction, game)


@handles("analysis", "{game}")
async def press_analysis(interaction: Interaction, game: int) -> None:
    """Show the analysis of a game as it is now, in place of the private message that was pressed."""
    await show_analysis(interaction, game)


async def show_analysis(interaction: Interaction, game: int) -> None:
    """Show the analysis of a finished game. If it is not done yet, start it if needed, and show its progress.

    If the person may not see the game, say so. Raises Refused as `Analyses.ask` does.
    """
    app = interaction.client.app
    if reason := await visibility.why_game_hidden(interaction, await app.games.game(game)):
        await show_reply(interaction, reason)
        return
    view = await app.analyses.ask(game, interaction.user.id)
    if view.judged is None:
        interaction.client.analysis_loop.wake()
        again = Button(say(analysis_texts.LOOK_AGAIN_LABEL), f"analysis:{game}")
        await show_reply(interaction, analysis_texts.progress_text(view), rows=((again,),))
    else:
        await _show_overview(interaction, view)


async def _show_overview(interaction: Interaction, view: AnalysisView) -> None:
    assert view.judged
    game, judged, notation = view.stored.game, view.judged, await notation_of(interaction)
    text = analysis_texts.overview_text(game, judged, notation)
    points = analysis_texts.told_points(judged, MOST_OPTIONS)
    options = tuple((analysis_texts.point_label(turn, notation), str(turn.place)) for turn in points)
    placeholder = say(analysis_texts.POINT_PLACEHOLDER)
    select = (Select(placeholder, f"analysis_point:{game.id}", options),) if options else ()
    first = judged.marked[0].place if judged.marked else 0
    study = Button(say(analysis_texts.OPEN_STUDY_LABEL), f"analysis_study:{game.id}:{first}", "primary")
    buttons = study, *show_here_buttons(interaction, f"analysis:{game.id}")
    rows: tuple[PrivateRow, ...] = (*select, buttons, f"-# {say(analysis_texts.HOW_IT_IS_FOUND)}")
    await show_reply(interaction, text, analysis_texts.balance_plot(game, judged), rows)


@handles("analysis_study", "{game}:{place}", Reply.APART)
async def press_step_through(interaction: Interaction, game: int, place: int) -> None:
    """Open the person's study of a game at its first turning point, or at its start if it has none."""
    await _open_study_at(interaction, game, place)


@handles("analysis_point", "{game}")
async def choose_turning_point(interaction: Interaction, game: int) -> None:
    """Open the person's study of a game at the turning point that they have chosen."""
    await _open_study_at(interaction, game)


async def _open_study_at(interaction: Interaction, game: int, named: int | None = None) -> None:
    """Open the person's study of a game at the named place, or at the one that they have chosen from a list."""
    app, user = interaction.client.app, interaction.user.id
    if reason := await visibility.why_game_hidden(interaction, await app.games.game(game)):
        await show_reply(interaction, reason)
        return
    place = chosen_number(interaction) if named is None else named
    stored, gone = await app.studies.study_of_game(game, user)
    await replay_study_aside(interaction, stored.study)
    version = stored.study.version
    there = await app.studies.change(stored.study.id, user, version, lambda study: go_to_place(study, place))
    await show_study(interaction, there, note=study_texts.dropped_study_text(gone, MOST_STUDIES))
