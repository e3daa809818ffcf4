"""The slash commands: each finds out which game is meant, and hands over."""

from discord import app_commands

from gipfbot.ui.kit.autocomplete import complete_any_game, complete_running_game
from gipfbot.ui.kit.groups import gipf_group
from gipfbot.ui.lobby import challenge_answers
from gipfbot.ui.lobby.challenge import challenge_command, challenge_menu
from gipfbot.ui.lobby.help import help_command
from gipfbot.ui.lobby.rematch import rematch_command
from gipfbot.ui.lobby.seeks import seeks_command
from gipfbot.ui.play.game_end import resign_command
from gipfbot.ui.play.game_list import games_command, note_command
from gipfbot.ui.play.move import move_command
from gipfbot.ui.play.private_board import board_command, complete_game_or_study
from gipfbot.ui.records.export import record_command
from gipfbot.ui.records.replay import replay_command
from gipfbot.ui.requests.claim_win import claim_win_command
from gipfbot.ui.requests.conditionals import if_command
from gipfbot.ui.requests.takeback import takeback_command
from gipfbot.ui.settings.server import gipf_server_group
from gipfbot.ui.settings.user import gipf_me_group

# Imported, it registers what buttons do that no command leads to.
HANDLER_MODULES = (challenge_answers,)

# ── /move ──


# ── In one game ──


# ── /gipf ──


gipf_group.add_command(challenge_command)
gipf_group.add_command(help_command)
gipf_group.add_command(rematch_command)
gipf_group.add_command(seeks_command)
gipf_group.add_command(takeback_command)
gipf_group.add_command(claim_win_command)
gipf_group.add_command(if_command)
gipf_group.add_command(games_command)
gipf_group.add_command(note_command)
gipf_group.add_command(replay_command)

move_command.autocomplete("game")(complete_running_game)
board_command.autocomplete("game")(complete_game_or_study)
record_command.autocomplete("game")(complete_any_game)
resign_command.autocomplete("game")(complete_running_game)


COMMANDS: tuple[app_commands.Command | app_commands.Group | app_commands.ContextMenu, ...]  # type: ignore[type-arg]
COMMANDS = (move_command, gipf_group, gipf_me_group, gipf_server_group, challenge_menu)
