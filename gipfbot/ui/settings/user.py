"""`/gipf-me settings`: the settings of one person, shown to them alone."""

from collections.abc import Mapping
from typing import Any

from discord import app_commands

from gipfbot.match import Refused, Why
from gipfbot.notation import NOTATIONS
from gipfbot.service.settings.users import notation_in_settings
from gipfbot.ui.clock.reminders import reminders_command
from gipfbot.ui.clock.vacations import vacation_group
from gipfbot.ui.kit.board_style import board_style_of
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.command_options import NOTATION_CHOICES, chosen_options
from gipfbot.ui.kit.interactions import answers_privately
from gipfbot.ui.kit.respond import show_reply
from gipfbot.ui.settings import user_texts
from render import THEMES

from .theme_samples import draw_theme_samples

THEME_CHOICES = [app_commands.Choice(name=theme.name, value=name) for name, theme in THEMES.items()]

gipf_me_group = app_commands.Group(name="gipf-me", description="Your own settings")


@gipf_me_group.command(name="settings", description="See and change your settings")
@app_commands.describe(
    confirm_typed="Show a typed turn before it is played",
    notation="How turns are written for you (you can always type both)",
    theme="The colours of your private boards; the reply shows samples of all",
    own_side="As Black, see your private boards from your own side",
)
@app_commands.choices(notation=NOTATION_CHOICES, theme=THEME_CHOICES)
@answers_privately
async def user_settings_command(
    interaction: Interaction,
    confirm_typed: bool | None = None,
    notation: str | None = None,
    theme: str | None = None,
    own_side: bool | None = None,
) -> None:
    """Change the user's settings, and show all with samples of the themes. An option that is None changes nothing."""
    options = {"confirm_typed": confirm_typed, "notation": notation, "theme": theme, "own_side": own_side}
    changes = chosen_options(options)
    _check_offered(changes)
    app, user = interaction.client.app, interaction.user.id
    known = await (app.users.change(user, changes) if changes else app.users.user_settings(user))
    await app.end_snapshot()
    samples = await draw_theme_samples(interaction.client.painter)
    await show_reply(interaction, _settings_text(known), files=samples)


def _check_offered(changes: Mapping[str, Any]) -> None:
    """Raise Refused for a notation or a theme that does not exist. A modified Discord client can send any value."""
    for name, offered in (("notation", NOTATIONS), ("theme", THEMES)):
        if name in changes and changes[name] not in offered:
            raise Refused(Why.NOT_OFFERED, option=name, value=changes[name])


def _settings_text(settings: Mapping[str, Any]) -> str:
    style, confirm = board_style_of(settings), bool(settings.get("confirm_typed"))
    return user_texts.user_settings_text(
        confirm, notation_in_settings(settings), style.theme.name, own_side=style.own_side
    )


gipf_me_group.add_command(reminders_command)
gipf_me_group.add_command(vacation_group)
