"""All commands of the bot, in the order in which people see them."""

from typing import Any, TypeAlias

from discord import app_commands

from gipfbot.ui.competing.leaderboard import leaderboard_command
from gipfbot.ui.competing.profile import profile_command
from gipfbot.ui.health.status import server_status_command
from gipfbot.ui.learning.rule_pages import rules_command
from gipfbot.ui.learning.tutorial import tutorial_command
from gipfbot.ui.lobby import challenge_answers
from gipfbot.ui.lobby.challenge import challenge_command, challenge_menu
from gipfbot.ui.lobby.help import help_command
from gipfbot.ui.lobby.rematch import rematch_command
from gipfbot.ui.lobby.seeks import seeks_command
from gipfbot.ui.play import desk, turn_reasons
from gipfbot.ui.play.game_end import resign_command
from gipfbot.ui.play.game_list import games_command
from gipfbot.ui.play.move import move_command
from gipfbot.ui.play.notes import note_command
from gipfbot.ui.play.private_board import board_command
from gipfbot.ui.privacy.privacy import privacy_group
from gipfbot.ui.puzzles.solving import puzzle_command
from gipfbot.ui.records.analysis import analyse_command
from gipfbot.ui.records.replay import replay_command
from gipfbot.ui.requests.claim_win import claim_win_command
from gipfbot.ui.requests.conditionals import if_command
from gipfbot.ui.requests.draws import draw_command
from gipfbot.ui.requests.takebacks import takeback_command
from gipfbot.ui.settings.server import gipf_server_group
from gipfbot.ui.settings.user import gipf_me_group
from gipfbot.ui.watching.follow import follow_command
from gipfbot.ui.watching.live import live_command

from .competing.profile import server_stats_command
from .records.records import import_command, record_command

Command: TypeAlias = app_commands.Command[Any, ..., Any]

# Importing these modules registers the handlers of buttons that belong to no command.
HANDLER_MODULES = challenge_answers, desk, turn_reasons

GIPF_COMMANDS: tuple[Command, ...] = (
    seeks_command,
    board_command,
    resign_command,
    record_command,
    import_command,
    rematch_command,
    draw_command,
    help_command,
    challenge_command,
    takeback_command,
    claim_win_command,
    if_command,
    games_command,
    note_command,
    replay_command,
    live_command,
    follow_command,
    leaderboard_command,
    profile_command,
)
gipf_group = app_commands.Group(name="gipf", description="Play GIPF by correspondence")
for gipf_command in GIPF_COMMANDS:
    gipf_group.add_command(gipf_command)

LEARN_COMMANDS: tuple[Command, ...] = (tutorial_command, rules_command, puzzle_command, analyse_command)
gipf_learn_group = app_commands.Group(name="gipf-learn", description="Learn the game")
for learn_command in LEARN_COMMANDS:
    gipf_learn_group.add_command(learn_command)

gipf_me_group.add_command(privacy_group)
gipf_server_group.add_command(server_stats_command)
gipf_server_group.add_command(server_status_command)

COMMANDS: tuple[Command | app_commands.Group | app_commands.ContextMenu, ...] = (
    move_command,
    gipf_group,
    gipf_learn_group,
    gipf_me_group,
    gipf_server_group,
    challenge_menu,
)
