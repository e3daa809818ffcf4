"""`/gipf-me`: what holds for one person alone."""

from collections.abc import Mapping
from typing import Any

from discord import app_commands

from gipfbot.match import Refused, Why
from gipfbot.notation import NOTATIONS
from gipfbot.service.settings.users import notation_in_settings
from gipfbot.ui.clock.reminders import reminders_command
from gipfbot.ui.clock.vacation import vacation_group
from gipfbot.ui.kit.board_style import board_style_of
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.command_options import NOTATION_CHOICES, chosen_options
from gipfbot.ui.kit.respond import run_guarded, show_reply
from gipfbot.ui.settings import user_texts
from render import THEMES

from .theme_samples import draw_theme_samples

THEME_CHOICES = [app_commands.Choice(name=theme.name, value=name) for name, theme in THEMES.items()]

gipf_me_group = app_commands.Group(name="gipf-me", description="What holds for you alone")


@gipf_me_group.command(name="settings", description="See and change your settings")
@app_commands.describe(
    confirm_typed="Show a typed turn before it is played",
    notation="How turns are written for you; whatever you choose, you may type either",
    theme="The colours of your private boards; samples of all stand under the answer",
    own_side="Whether you see your private boards from below as Black, too",
)
@app_commands.choices(notation=NOTATION_CHOICES, theme=THEME_CHOICES)
async def user_settings_command(
    interaction: Interaction,
    confirm_typed: bool | None = None,
    notation: str | None = None,
    theme: str | None = None,
    own_side: bool | None = None,
) -> None:
    """Show a person's settings, changed if he says so."""
    await interaction.response.defer(ephemeral=True)
    chosen = {"confirm_typed": confirm_typed, "notation": notation, "theme": theme, "own_side": own_side}
    await run_guarded(interaction, _update_user_settings(interaction, chosen_options(chosen)))


async def _update_user_settings(interaction: Interaction, changes: Mapping[str, Any]) -> None:
    for name, offered in (("notation", NOTATIONS), ("theme", THEMES)):
        if changes.get(name, next(iter(offered))) not in offered:
            raise Refused(Why.NOT_OFFERED, option=name, value=changes[name])
    bot, user = interaction.client, interaction.user.id
    for key, value in changes.items():
        await bot.app.users.set_setting(user, key, value)
    known = await bot.app.users.user_settings(user)
    look = board_style_of(known)
    said = user_texts.user_settings_text(
        bool(known.get("confirm_typed")), notation_in_settings(known), look.theme.name, own_side=look.own_side
    )
    await show_reply(interaction, said, files=await draw_theme_samples(bot.painter))


gipf_me_group.add_command(reminders_command)
gipf_me_group.add_command(vacation_group)
