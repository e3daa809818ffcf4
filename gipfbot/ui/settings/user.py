"""`/gipf-me settings` and `/gipf-me block`: the settings of one person, shown to them alone."""

import io
import logging
from collections.abc import Callable, Mapping
from typing import Any

import discord
from discord import app_commands

from gipfbot.match import Refused, Seat, Why
from gipfbot.match.game import clean_name
from gipfbot.notation import NOTATIONS, parse_position
from gipfbot.rules.actions import PUSHES
from gipfbot.rules.pieces import Kind
from gipfbot.service.clock.reminders import DEFAULT_WISH, WISH_SETTING, WISHES
from gipfbot.service.competing.leaderboards import LISTED_SETTING
from gipfbot.service.settings.users import MOST_BLOCKS, notation_in_settings
from gipfbot.service.watching.watching import FOLLOWERS_SETTING
from gipfbot.ui.clock import vacation_texts
from gipfbot.ui.clock.reminders import SHOW_REMINDERS, SHOW_SETTINGS
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Button, ComponentRow, Select, with_note_above
from gipfbot.ui.kit.game_picker import MOST_CHOICES
from gipfbot.ui.kit.interactions import (
    answers_privately,
    chosen_number,
    chosen_value,
    handles,
    slash_command,
    slash_group,
)
from gipfbot.ui.kit.pictures import Painter, board_style_of
from gipfbot.ui.kit.respond import show_reply
from gipfbot.ui.kit.slash_commands import NOTATION_CHOICES, chosen_options
from gipfbot.ui.kit.texts import join_lines, setting_change_text
from render import CLASSIC, THEMES, Marks, Picture

from . import user_texts

log = logging.getLogger(__name__)
PREVIEW_WIDTH = 400  # pixels
PREVIEW_POSITION = parse_position("standard b W=Gb5,Ge2,Gh5,c6,d4,e4 B=Gb2,Ge8,Gh2,d3,f3,g4 reserve=9-9 captured=0-0")
PREVIEW_MARKS = Marks(act=PUSHES["c7", "c6", Kind.BASIC], moved=("c6",))

block_group = slash_group("gipf-me block", 40, "Players who can't challenge, follow or nudge you")

THEME_CHOICES = [app_commands.Choice(name=theme.name, value=name) for name, theme in THEMES.items()]
SWITCH_VALUES = {"on": True, "off": False}  # the ends of a button's `custom_id`
USER_SWITCHES = ("confirm_typed", "own_side", LISTED_SETTING, FOLLOWERS_SETTING)
USER_CHECKS: Mapping[str, Callable[[Any], bool]] = {
    "notation": NOTATIONS.__contains__,
    "theme": THEMES.__contains__,
    WISH_SETTING: WISHES.__contains__,
    **dict.fromkeys(USER_SWITCHES, lambda value: isinstance(value, bool)),
}


async def draw_theme_preview(
    painter: Painter, name: str, person: int | None = None, *, flipped: bool
) -> list[discord.File]:
    """Draw a small board in the theme `name`, seen from Black's side if `flipped`.

    `person` is the person who waits for it, if anybody does. An unknown theme counts as the classic one. If the drawing
    fails, the error is logged once, and the list is empty.
    """
    theme = THEMES.get(name, CLASSIC)
    side = f"{theme.name}, from {'Black' if flipped else 'White'}'s side"
    picture = Picture(PREVIEW_POSITION, ("White", "Black"), side, PREVIEW_MARKS, flipped=flipped)
    try:
        image = await painter.png(picture, theme, PREVIEW_WIDTH, person)
    except Exception as fault:
        if painter.is_new_fault(fault):
            log.exception("a preview could not be drawn; as long as this lasts, settings go without")
        return []
    return [discord.File(io.BytesIO(image), "theme.png", description=f"A board in the theme {side}")]


@block_group.command(name="add", description="Keep a player from challenging, following and nudging you")
@app_commands.describe(player="Whom you block; they are not told")
@answers_privately
async def block_command(interaction: Interaction, player: discord.User) -> None:
    """Block a player."""
    if player.bot:
        await show_reply(interaction, user_texts.BLOCKS_A_BOT)
        return
    blocked = Seat(player.id, clean_name(player.display_name))
    new = await interaction.client.app.blocks.block(interaction.user.id, blocked)
    await show_reply(interaction, user_texts.blocked_text(blocked, new=new))


@block_group.command(name="remove", description="Unblock a player")
@app_commands.describe(player="Whom you no longer block")
@answers_privately
async def unblock_command(interaction: Interaction, player: discord.User) -> None:
    """Unblock a player."""
    found = await interaction.client.app.blocks.unblock(interaction.user.id, player.id)
    missing = user_texts.not_blocked_text(Seat(player.id, clean_name(player.display_name)))
    await show_reply(interaction, user_texts.unblocked_text(found) if found else missing)


@block_group.command(name="list", description="See whom you block")
@answers_privately
async def blocks_command(interaction: Interaction) -> None:
    """List the players whom the person blocks."""
    await _show_blocks(interaction)


@handles("unblock", "{number}")
async def choose_unblocked(interaction: Interaction, number: int) -> None:
    """Unblock the player who was chosen from the list, and show the list again."""
    await interaction.client.app.blocks.unblock(interaction.user.id, chosen_number(interaction))
    await _show_blocks(interaction)


async def _show_blocks(interaction: Interaction) -> None:
    """List the players whom the person blocks, with selects to unblock each."""
    found = await interaction.client.app.blocks.blocks_of(interaction.user.id)
    parts = [found[at : at + MOST_CHOICES] for at in range(0, len(found), MOST_CHOICES)]
    rows = tuple(_unblock_select(part, number) for number, part in enumerate(parts))
    text = user_texts.blocks_text(found, MOST_BLOCKS) if found else user_texts.BLOCKS_NOBODY
    await show_reply(interaction, text, rows=rows)


def _unblock_select(blocked: list[Seat], number: int) -> Select:
    options = tuple((one.name, str(one.user)) for one in blocked)
    return Select(user_texts.UNBLOCK_PLACEHOLDER, f"unblock:{number}", options)


@slash_command("gipf-me settings", 10, "See and change your settings")
@app_commands.describe(
    confirm_typed="Show a typed turn before it is played",
    notation="How turns are written for you (you can always type both)",
    theme="The colours of your private boards",
    own_side="As Black, see your private boards from your own side",
    leaderboard="Whether leaderboards show you",
    followers="Whether others may follow you",
)
@app_commands.choices(notation=NOTATION_CHOICES, theme=THEME_CHOICES)
@answers_privately
async def user_settings_command(
    interaction: Interaction,
    confirm_typed: bool | None = None,
    notation: str | None = None,
    theme: str | None = None,
    own_side: bool | None = None,
    leaderboard: bool | None = None,
    followers: bool | None = None,
) -> None:
    """Change the user's settings, and show all with their controls. An option that is None changes nothing."""
    options: dict[str, Any]
    options = {"confirm_typed": confirm_typed, "notation": notation, "theme": theme, "own_side": own_side}
    options |= {LISTED_SETTING: leaderboard, FOLLOWERS_SETTING: followers}
    await _update_user_settings(interaction, chosen_options(options))


@handles(SHOW_SETTINGS, "")
async def press_user_settings(interaction: Interaction) -> None:
    """Show the user's settings in place of the reminders' screen."""
    await _update_user_settings(interaction, {})


@handles("user_setting", f"{{name:{'|'.join(USER_CHECKS)}}}:{{value:on|off|}}")
async def press_user_setting(interaction: Interaction, name: str, value: str) -> None:
    """Change one of the user's settings to the value of the button, or to the one chosen in the select."""
    said = value or chosen_value(interaction)
    await _update_user_settings(interaction, {name: SWITCH_VALUES.get(said, said) if name in USER_SWITCHES else said})


async def _update_user_settings(interaction: Interaction, changes: Mapping[str, Any]) -> None:
    """Change these settings of the user, and show all. Raises Refused for a value that is not offered."""
    for name, value in changes.items():
        if not USER_CHECKS[name](value):
            raise Refused(Why.NOT_OFFERED, option=name, value=value)
    users, user = interaction.client.app.users, interaction.user.id
    before = _known_values(await users.user_settings(user))
    if wish := changes.get(WISH_SETTING):
        await interaction.client.app.reminders.set_wish(user, wish)
    if LISTED_SETTING in changes:
        await interaction.client.app.leaderboards.set_listed(user, changes[LISTED_SETTING])
    if FOLLOWERS_SETTING in changes:
        await interaction.client.app.follows.set_followers(user, changes[FOLLOWERS_SETTING])
    apart = (WISH_SETTING, LISTED_SETTING, FOLLOWERS_SETTING)
    if others := {name: changes[name] for name in changes if name not in apart}:
        await users.change(user, others)
    after = _known_values(await users.user_settings(user))
    await _show_user_settings(interaction, after, [_user_change_text(name, before, after) for name in changes])


def _known_values(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return a person's settings by name, in the order of their controls. Unknown values count as not set."""
    style, wish = board_style_of(settings), settings.get(WISH_SETTING)
    return {
        "notation": notation_in_settings(settings).name,
        "theme": next(name for name, theme in THEMES.items() if theme == style.theme),
        WISH_SETTING: wish if wish in WISHES else DEFAULT_WISH,
        "confirm_typed": bool(settings.get("confirm_typed")),
        "own_side": style.own_side,
        LISTED_SETTING: settings.get(LISTED_SETTING) is not False,
        FOLLOWERS_SETTING: settings.get(FOLLOWERS_SETTING) is not False,
    }


def _user_change_text(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    old, new = (user_texts.user_value_text(name, known[name]) for known in (before, after))
    return setting_change_text(user_texts.USER_LABELS[name], old, new)


async def _show_user_settings(interaction: Interaction, known: Mapping[str, Any], changed: list[str]) -> None:
    """Show these settings, with a preview of the theme. `changed` are the lines that say what was changed just now."""
    app, user = interaction.client.app, interaction.user.id
    plan, status = await app.digests.plan(user), await app.vacations.vacation_status(user)
    await app.end_snapshot()
    preview = await draw_theme_preview(
        interaction.client.painter, known["theme"], interaction.user.id, flipped=known["own_side"]
    )
    digest = Button(user_texts.digest_label(plan), SHOW_REMINDERS)
    controls = (*_user_setting_rows(known), (digest,), vacation_texts.vacation_summary(status))
    rows = with_note_above(join_lines(*changed), controls)
    await show_reply(interaction, user_texts.USER_SETTINGS_TEXT, rows=rows, files=preview)


def _user_setting_rows(known: Mapping[str, Any]) -> tuple[ComponentRow, ...]:
    offered = {"notation": tuple(NOTATIONS), "theme": tuple(THEMES), WISH_SETTING: tuple(WISHES)}
    selects = [_user_select(name, values, known[name]) for name, values in offered.items()]
    return (*selects, tuple(_user_switch(name, value) for name, value in known.items() if isinstance(value, bool)))


def _user_select(name: str, values: tuple[str, ...], chosen: str) -> Select:
    options = tuple((user_texts.user_setting_label(name, value), value) for value in values)
    return Select(user_texts.USER_LABELS[name], f"user_setting:{name}:", options, chosen)


def _user_switch(name: str, value: bool) -> Button:
    """Return the button that shows a setting which is on or off, and changes it to the other."""
    action = f"user_setting:{name}:{'off' if value else 'on'}"
    return Button(user_texts.user_setting_label(name, value), action, "success" if value else "secondary")
