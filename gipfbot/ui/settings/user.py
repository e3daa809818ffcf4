"""`/gipf-me settings` and `/gipf-me block`: the settings of one person, shown to them alone."""

import io
import logging
from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord import app_commands

from gipfbot.languages import mark, say, say_name
from gipfbot.match import Seat
from gipfbot.match.game import clean_name
from gipfbot.notation import parse_position
from gipfbot.rules import PUSHES, Kind
from gipfbot.service.clock.digests import DigestPlan
from gipfbot.service.settings.setting_rows import AS_DISCORD
from gipfbot.service.settings.users import MOST_BLOCKS, UserSettings
from gipfbot.ui.clock import reminder_texts, vacations
from gipfbot.ui.clock.reminders import SHOW_REMINDERS, SHOW_SETTINGS
from gipfbot.ui.kit import (
    Button,
    Interaction,
    PrivateRow,
    answers_privately,
    controls,
    escape_text,
    handles,
    join_lines,
    show_reply,
)
from gipfbot.ui.kit.components import Select, button_rows, with_note_above
from gipfbot.ui.kit.controls import SETTING_TEXTS, SettingText
from gipfbot.ui.kit.game_picker import MOST_CHOICES
from gipfbot.ui.kit.interactions import chosen_number, chosen_value, slash_group
from gipfbot.ui.kit.pictures import Painter
from gipfbot.ui.kit.slash_commands import NOTATION_CHOICES
from gipfbot.ui.kit.spoken import keep_chosen, language_name
from gipfbot.ui.kit.texts import nth_label, number_repeats, player_name
from render import CLASSIC, THEMES, Marks, Picture

USER_SETTINGS_TEXT = mark(
    """\
**Your GIPF settings**
**Notation** is how turns are written for you. Keep the official one unless you know Julio974's short form.
Theme and notation change only what you see privately. In channels, the server's settings hold."""
)
NOTATION_NAMES = {"official": mark("official"), "julio974": mark("short form by Julio974")}
NOTATION_EXAMPLES = {"official": "g1-c3", "julio974": "g1*"}  # the same push in both notations
_THEME_NAMES = {
    "wood": mark("Wood"),
    "night": mark("Night"),
    "felt": mark("Felt"),
    "contrast": mark("High contrast"),
    "clear": mark("Clear for colour-blind eyes"),
}


def theme_name(name: str) -> str:
    """Return the name of a theme, a key of THEMES."""
    return say_name(_THEME_NAMES[name])


def _notation_name(name: str) -> str:
    return say_name(NOTATION_NAMES[name])


USER_TEXTS = {
    "language": SettingText(
        mark("Language"),
        mark("What you alone read"),
        in_words=lambda code: say("that of your Discord") if code == AS_DISCORD else language_name(code),
    ),
    "confirm_typed": SettingText(mark("Confirm typed turns"), mark("Show a typed turn before it is played")),
    "notation": SettingText(
        mark("Notation"),
        mark("How turns are written for you (you can always type both)"),
        in_words=lambda name: f"{_notation_name(name)} ({NOTATION_EXAMPLES[name]})",
        in_short=_notation_name,
        choices=NOTATION_CHOICES,
    ),
    "theme": SettingText(mark("Theme"), mark("The colours of your private boards"), in_words=theme_name),
    "own_side": SettingText(
        mark("Flip boards as Black"),
        mark("When you play Black, have Black at the bottom of your private boards"),
    ),
    "leaderboard": SettingText(
        mark("Shown on leaderboards"),
        mark("Whether leaderboards show you"),
        apply=lambda app: app.leaderboards.set_listed,
    ),
    "followers": SettingText(
        mark("Followers"), mark("Whether others may follow you"), apply=lambda app: app.follows.set_followers
    ),
    "reminders": SettingText(
        mark("Reminders"), "", in_words=reminder_texts.when_reminded, apply=lambda app: app.reminders.set_wish
    ),
}
SETTING_TEXTS[UserSettings] = USER_TEXTS

BLOCKS_A_BOT = mark("Bots play no games. Choose a person to block.")
BLOCKS_NOBODY = mark(
    "You block nobody. **/gipf-me block add** keeps a player from challenging, following or nudging you."
)
UNBLOCK_PLACEHOLDER = mark("Unblock…")
LONGEST_BLOCKED_NAME = 60  # characters

log = logging.getLogger(__name__)
PREVIEW_WIDTH = 400  # pixels
PREVIEW_POSITION = parse_position("standard b W=Gb5,Ge2,Gh5,c6,d4,e4 B=Gb2,Ge8,Gh2,d3,f3,g4 reserve=9-9 captured=0-0")
PREVIEW_MARKS = Marks(act=PUSHES["c7", "c6", Kind.BASIC], moved=("c6",))

block_group = slash_group("gipf-me block", 40, "Players who can't challenge, follow or nudge you")

SWITCH_CODES = {True: "on", False: "off"}  # the last part of a button's `custom_id`


def digest_label(plan: DigestPlan) -> str:
    """Return the label of the button that leads to the reminders and the digest."""
    if plan.hour is None or not plan.next_at:
        return say("Daily digest: off…")
    return say("Daily digest: {time}…", time=reminder_texts.hour_label(plan.hour))


def _blocked_name(player: Seat) -> str:
    return f"**{escape_text(player_name(player.name, LONGEST_BLOCKED_NAME))}**"


def blocked_text(player: Seat, *, new: bool) -> str:
    """Return the confirmation that a person blocks a player. `new` says whether they did not before."""
    if not new:
        return say("You block {player} already. Nothing was changed.", player=_blocked_name(player))
    sentence = mark(
        "You block {player}: they can't challenge you, take your open challenges, follow you or nudge you. They are "
        "not told. Your running games go on."
    )
    return say(sentence, player=_blocked_name(player))


def unblocked_text(player: Seat) -> str:
    """Return the confirmation that a person no longer blocks a player."""
    return say("You no longer block {player}.", player=_blocked_name(player))


def not_blocked_text(player: Seat) -> str:
    """Return the answer to a person who unblocks a player whom they do not block."""
    return say("You don't block {player}. Nothing was changed.", player=_blocked_name(player))


def blocks_text(blocked: Sequence[Seat], most: int) -> str:
    """Return the list of the players whom a person blocks. `most` is the limit of how many they can block."""
    heading = f"{say('**You block**')} · {say('{count} of {most}', count=len(blocked), most=most)}"
    return "\n".join([heading, *(f"• {_blocked_name(one)}" for one in blocked)])


# By whether a board is seen from Black's side: the caption of its picture, and the alt text.
_PREVIEW_TEXTS = {
    False: (mark("{theme}, from White's side"), mark("A board in the theme {theme}, from White's side")),
    True: (mark("{theme}, from Black's side"), mark("A board in the theme {theme}, from Black's side")),
}


async def draw_theme_preview(
    painter: Painter, name: str, person: int | None = None, *, flipped: bool
) -> list[discord.File]:
    """Draw a small board in the theme `name`, seen from Black's side if `flipped`.

    `person` is the person who waits for it, if anybody does. An unknown theme counts as the classic one. If the drawing
    fails, the error is logged once, and the list is empty.
    """
    theme = THEMES.get(name, CLASSIC)
    named = theme_name(name if name in THEMES else "wood")
    caption, alt = (say(sentence, theme=named) for sentence in _PREVIEW_TEXTS[flipped])
    picture = Picture(PREVIEW_POSITION, (say("White"), say("Black")), caption, PREVIEW_MARKS, flipped=flipped)
    try:
        image = await painter.png(picture, theme, PREVIEW_WIDTH, person)
    except Exception as fault:
        if painter.is_new_fault(fault):
            log.exception("a preview could not be drawn; as long as this lasts, settings go without")
        return []
    return [discord.File(io.BytesIO(image), "theme.png", description=alt)]


@block_group.command(name="add", description="Keep a player from challenging, following and nudging you")
@app_commands.describe(player="Whom to block; they are not told")
@answers_privately
async def block_command(interaction: Interaction, player: discord.User) -> None:
    """Block a player."""
    if player.bot:
        await show_reply(interaction, say(BLOCKS_A_BOT))
        return
    blocked = Seat(player.id, clean_name(player.display_name))
    new = await interaction.client.app.blocks.block(interaction.user.id, blocked)
    await show_reply(interaction, blocked_text(blocked, new=new))


@block_group.command(name="remove", description="Unblock a player")
@app_commands.describe(player="Whom to unblock")
@answers_privately
async def unblock_command(interaction: Interaction, player: discord.User) -> None:
    """Unblock a player."""
    found = await interaction.client.app.blocks.unblock(interaction.user.id, player.id)
    missing = not_blocked_text(Seat(player.id, clean_name(player.display_name)))
    await show_reply(interaction, unblocked_text(found) if found else missing)


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
    text = blocks_text(found, MOST_BLOCKS) if found else say(BLOCKS_NOBODY)
    await show_reply(interaction, text, rows=rows)


def _unblock_select(blocked: list[Seat], number: int) -> Select:
    labels = number_repeats([one.name for one in blocked])
    options = tuple((label, str(one.user)) for label, one in zip(labels, blocked, strict=True))
    return Select(nth_label(say(UNBLOCK_PLACEHOLDER), number), f"unblock:{number}", options)


@handles(SHOW_SETTINGS, "")
async def press_user_settings(interaction: Interaction) -> None:
    """Show the user's settings in place of the reminders' screen."""
    await change_user_settings(interaction, {})


@handles("user_setting", "{name:[a-z_]+}:{value:on|off|}")
async def press_user_setting(interaction: Interaction, name: str, value: str) -> None:
    """Change one of the user's settings to the value of the button, or to the one chosen in the select."""
    row, said = controls.find_setting(interaction.client.app.users.kind, name), value or chosen_value(interaction)
    await change_user_settings(interaction, {name: controls.parse_value(row, said, _value_code)})


def _value_code(value: Any) -> str:
    return SWITCH_CODES.get(value, str(value))


async def change_user_settings(interaction: Interaction, changes: Mapping[str, Any]) -> None:
    """Change these settings of the user, and show all. Raises Refused for a value that is not offered."""
    app, user = interaction.client.app, interaction.user.id
    before = app.users.kind.read(await app.users.user_settings(user))
    before.with_changes(changes)
    others = dict(changes)
    for name, text in SETTING_TEXTS[app.users.kind].items():
        if text.apply and name in others:
            await text.apply(app)(user, others.pop(name))
    if others:
        await app.users.change(user, others)
    after = app.users.kind.read(await app.users.user_settings(user))
    keep_chosen(interaction, after.language)
    await _show_user_settings(interaction, after, [controls.change_line(name, before, after) for name in changes])


async def _show_user_settings(interaction: Interaction, known: UserSettings, changed: list[str]) -> None:
    """Show these settings, with a preview of the theme. `changed` are the lines that say what was changed just now."""
    app, user = interaction.client.app, interaction.user.id
    plan, status = await app.digests.plan(user), await app.vacations.vacation_status(user)
    await app.end_snapshot()
    preview = await draw_theme_preview(interaction.client.painter, known.theme, user, flipped=known.own_side)
    digest = Button(digest_label(plan), SHOW_REMINDERS)
    controls = (*_user_setting_rows(known), (digest,), vacations.vacation_summary(status))
    rows = with_note_above(join_lines(*changed), controls)
    await show_reply(interaction, say(USER_SETTINGS_TEXT), rows=rows, files=preview)


def _user_setting_rows(known: UserSettings) -> tuple[PrivateRow, ...]:
    shown = controls.shown_settings(known)
    lists = [controls.setting_list(each, "user_setting:{}:", {}) for each in shown if not each.row.is_switch]
    buttons = [controls.setting_button(each, "user_setting", _value_code) for each in shown if each.row.is_switch]
    return (*lists, *button_rows(buttons))


user_settings_command = controls.settings_command(
    "gipf-me settings", mark("See and change your settings"), UserSettings, change_user_settings
)
