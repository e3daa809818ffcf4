"""`/gipf-me`: what holds for one person alone."""

from collections.abc import Mapping
from typing import Any

from discord import app_commands

from gipfbot.match import Refused, Why
from gipfbot.notation import NOTATIONS
from gipfbot.service.service import notation_in
from render import THEMES

from . import texts
from .challenging import given
from .looks import look_in
from .reminders import reminders
from .replies import Interaction, guarded, show
from .samples import samples
from .vacation import vacation

NOTATION_CHOICES = [
    app_commands.Choice(name=notation.title.capitalize(), value=name) for name, notation in NOTATIONS.items()
]

THEME_CHOICES = [app_commands.Choice(name=theme.name, value=name) for name, theme in THEMES.items()]

me = app_commands.Group(name="gipf-me", description="What holds for you alone")


@me.command(name="settings", description="See and change your settings")
@app_commands.describe(
    confirm_typed="Show a typed turn before it is played",
    notation="How turns are written for you; whatever you choose, you may type either",
    theme="The colours of your private boards; samples of all stand under the answer",
    own_side="Whether you see your private boards from below as Black, too",
)
@app_commands.choices(notation=NOTATION_CHOICES, theme=THEME_CHOICES)
async def settings(
    interaction: Interaction,
    confirm_typed: bool | None = None,
    notation: str | None = None,
    theme: str | None = None,
    own_side: bool | None = None,
) -> None:
    """Show a person's settings, changed if he says so."""
    await interaction.response.defer(ephemeral=True)
    chosen = {"confirm_typed": confirm_typed, "notation": notation, "theme": theme, "own_side": own_side}
    await guarded(interaction, _settings(interaction, given(chosen)))


async def _settings(interaction: Interaction, changes: Mapping[str, Any]) -> None:
    for name, offered in (("notation", NOTATIONS), ("theme", THEMES)):
        if changes.get(name, next(iter(offered))) not in offered:
            raise Refused(Why.NOT_OFFERED, option=name, value=changes[name])
    bot, user = interaction.client, interaction.user.id
    for key, value in changes.items():
        await bot.service.set_setting(user, key, value)
    known = await bot.service.settings(user)
    look = look_in(known)
    said = texts.settings(bool(known.get("confirm_typed")), notation_in(known), look.theme.name, own_side=look.own_side)
    await show(interaction, said, files=await samples(bot.painter))


me.add_command(reminders)
me.add_command(vacation)
