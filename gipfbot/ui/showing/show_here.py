"""**Show here** posts once, for everybody, what a private answer shows. **Look** opens the same for one person.

THINGS is the table of what can be shown. The `custom_id` of both buttons says which thing: `board:7:12` is the board of
game 7 after 12 turns.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import aiohttp
import discord

from gipfbot.languages import mark, say, say_name
from gipfbot.match import Refused
from gipfbot.notation import NOTATIONS
from gipfbot.service.app import App
from gipfbot.service.delivery.showing import SHOWN
from gipfbot.ui.competing.leaderboard import LEADERBOARD, show_leaderboard_page
from gipfbot.ui.kit import (
    AppClient,
    Button,
    Interaction,
    OutboxMessage,
    Reply,
    handles,
    notation_of,
    outbox_message,
    show_reply,
)
from gipfbot.ui.kit.components import Malformed
from gipfbot.ui.kit.interactions import compile_pattern, parse_parts, write_parts
from gipfbot.ui.kit.outbox_messages import Attachment
from gipfbot.ui.kit.permissions import missing_permissions, venue_of
from gipfbot.ui.kit.texts import missing_permissions_text, ping_user, shorten_lines
from gipfbot.ui.learning.rule_pages import show_topic
from gipfbot.ui.puzzles.solving import press_open_puzzle
from gipfbot.ui.records.analysis import show_analysis
from gipfbot.ui.records.records import send_record
from gipfbot.ui.records.replay import show_place_of_game
from gipfbot.ui.watching.live import show_live_page
from gipfbot.values import OutboxRow
from gipfbot.values.people import is_former_player
from render import CLASSIC, THEMES, Theme

from . import shown_games as games, shown_pages as pages
from .rights import check_may_show, is_still_for_all

log = logging.getLogger(__name__)
_SAYING = set[asyncio.Task[None]]()  # tasks that nothing else keeps
LOOK_LABEL = mark("Look")
SHOWN_TEXT = mark("Shown here.")
IN_WORK = mark("The bot draws it, then posts it here for everybody.")
SHOWN_NOT = mark("Discord doesn't take it in this channel: AutoMod may block a name. It wasn't shown.")
NOT_SHOWN = mark("It couldn't be shown here.")
FORMER_PLAYER = mark("A former player")


class Thing(NamedTuple):
    """A thing that can be shown: the parts of its `custom_id` behind its name, as in `handles`, and what happens to it.

    `said` is the sentence in front of what `post` says: "@Ann shows a board: **#a7** …".

    The row of the outbox keeps the parts by name. The other fields are functions that get them, too, `look` in order.

    `allow` raises Refused unless the person may show it here, and returns what its row of the outbox keeps. `post`
    builds its message, without the button; None if it is gone. `look` opens it for one person, if they may see it.
    `draw` draws its file, if that takes longer than a try to post may.
    """

    parts: str
    said: str
    allow: Callable[..., Awaitable[dict[str, Any]]]
    post: Callable[..., Awaitable[OutboxMessage | None]]
    look: Callable[..., Awaitable[None]]
    draw: Callable[..., Awaitable[Attachment]] | None = None

    def parse(self, text: str) -> dict[str, str | int]:
        """Return the parts by name. Raises Malformed for a text that does not fit."""
        parts = parse_parts(compile_pattern(self.parts), text)
        if parts is None:
            raise Malformed(text)
        return parts

    def parts_of(self, row: OutboxRow) -> dict[str, Any]:
        """Return the parts that a row of the outbox keeps."""
        return {name: row.payload[name] for name in compile_pattern(self.parts)[0].groupindex}


_RECORD = f"{{game}}:{{notation:{'|'.join(NOTATIONS)}}}"
_REPLAY = "{game}:{wish:[a-z]+:[a-z]+:[0-9]+:[0-9]+}"
THINGS = {
    "board": Thing(
        "{game}:{place}",
        mark("{name} shows a board:"),
        games.allow_board,
        games.post_board,
        show_place_of_game,
    ),
    "replay": Thing(
        _REPLAY,
        mark("{name} shows a replay:"),
        games.allow_replay,
        games.post_replay,
        games.look_at_replay,
        games.draw_replay,
    ),
    "record": Thing(_RECORD, mark("{name} shows a record:"), games.allow_record, games.post_record, send_record),
    "study": Thing(
        "{study}:{version}",
        mark("{name} shows a position:"),
        games.allow_study,
        games.post_study,
        games.look_at_study,
    ),
    "analysis": Thing(
        "{game}", mark("{name} shows an analysis:"), games.allow_analysis, games.post_analysis, show_analysis
    ),
    "puzzle": Thing(
        "{puzzle}", mark("{name} shows a puzzle:"), pages.allow_puzzle, pages.post_puzzle, press_open_puzzle
    ),
    "profile": Thing(
        "{player}:{against}",
        mark("{name} shows a profile:"),
        pages.allow_profile,
        pages.post_profile,
        pages.look_at_profile,
    ),
    "leaderboard": Thing(
        f"{LEADERBOARD}:{{page}}",
        mark("{name} shows a leaderboard:"),
        pages.allow_leaderboard,
        pages.post_leaderboard,
        show_leaderboard_page,
    ),
    "rules": Thing(
        "{name:[a-z0-9-]+}:{step}",
        mark("{name} shows a page of the rules:"),
        pages.allow_rules,
        pages.post_rules,
        show_topic,
    ),
    "live": Thing("{page}", mark("{name} shows the running games:"), pages.allow_live, pages.post_live, show_live_page),
}
_WHAT = f"{{what:{'|'.join(THINGS)}}}:{{which:.+}}"


@handles("show", _WHAT, Reply.APART)
async def press_show_here(interaction: Interaction, what: str, which: str) -> None:
    """Post what a private answer shows, if the person may show it here. The answer stays."""
    await check_may_show(interaction)
    if missing := missing_permissions(interaction):
        await show_reply(interaction, missing_permissions_text(missing))
        return
    app, here, message = interaction.client.app, venue_of(interaction), interaction.message
    if message is None:
        raise Malformed(which)
    parts = THINGS[what].parse(which)
    allowed = await THINGS[what].allow(interaction, **parts)
    notation = (await notation_of(interaction)).name
    kept = {"what": what, "notation": notation, "server": here.server, "parent": here.parent, **allowed, **parts}
    sent_at = int(discord.utils.snowflake_time(message.id).timestamp())
    source = interaction.user.id, message.id, sent_at
    owed = await app.showing.show(*source, f"{what}:{which}", here.channel, kept)
    posted = interaction.client.delivery.posted(owed[0])
    await interaction.client.delivery.deliver(owed)
    if posted.done():
        await show_reply(interaction, say(SHOWN_TEXT) if posted.result() else say(SHOWN_NOT))
    else:
        await show_reply(interaction, say(IN_WORK))
        posted.add_done_callback(partial(_say, interaction))


def _say(interaction: Interaction, posted: asyncio.Future[bool]) -> None:
    """Begin to replace IN_WORK by what has become of it, unless the bot stops."""
    if posted.cancelled():
        return
    work = _replace_answer(interaction, say(SHOWN_TEXT) if posted.result() else say(NOT_SHOWN))
    task = asyncio.get_running_loop().create_task(work, name="saying what is shown")
    _SAYING.add(task)
    task.add_done_callback(_SAYING.discard)


async def _replace_answer(interaction: Interaction, text: str) -> None:
    """Replace a private answer. If Discord does not let the bot edit it any more, it stays."""
    try:
        await show_reply(interaction, text)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.info("it could not be said that something is shown: %s", error)


@handles("look", _WHAT, Reply.APART)
async def press_look(interaction: Interaction, what: str, which: str) -> None:
    """Open privately what a message shows, if the person may see it."""
    await THINGS[what].look(interaction, *THINGS[what].parse(which).values())


async def _theme(app: App, row: OutboxRow) -> Theme:
    return THEMES.get((await app.servers.settings(row.payload["server"])).theme, CLASSIC)


def _draw(client: AppClient, row: OutboxRow) -> Callable[[], Awaitable[Attachment]] | None:
    """Return what draws the file of a row; None if it needs none."""
    thing = THINGS[row.payload["what"]]
    draw = thing.draw

    async def drawn() -> Attachment:
        assert draw
        return await draw(client, row, await _theme(client.app, row), **thing.parts_of(row))

    return drawn if draw else None


@outbox_message(SHOWN, guard=is_still_for_all, draw=_draw)
async def build_shown(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the message that shows something: who shows it, and one button."""
    what = row.payload["what"]
    thing, parts = THINGS[what], THINGS[what].parts_of(row)
    try:
        built = await thing.post(app, row, **parts)
    except Refused:  # it was possible when the person pressed
        return None
    if built is None:
        return None
    by = row.payload["by"]
    who = say_name(FORMER_PLAYER) if is_former_player(by) else ping_user(by)  # pings nobody, because `pinged` is empty
    look = Button(say(LOOK_LABEL), f"look:{what}:{write_parts(thing.parts, parts)}")
    text = shorten_lines(f"{say(thing.said, name=who)} {built.text}")
    return replace(built, text=text, rows=((look,),), theme=await _theme(app, row))
