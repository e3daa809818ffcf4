"""`/gipf-me privacy`: a person gets all that is stored about them, or deletes it."""

import io
from collections.abc import Sequence
from contextlib import suppress

import discord

from gipfbot.service.privacy.export_words import ExportFile, write_export
from gipfbot.ui.kit.client import AppClient, Interaction
from gipfbot.ui.kit.components import Button
from gipfbot.ui.kit.interactions import answers_privately, handles, slash_group
from gipfbot.ui.kit.rate_limits import one_job
from gipfbot.ui.kit.respond import add_privately, show_reply
from gipfbot.ui.lobby import lobby_texts
from gipfbot.values import StoredChallenge

from . import privacy_texts

LARGEST_FILE = 8 * 2**20  # bytes; servers and direct messages differ in what they take
privacy_group = slash_group("gipf-me privacy", 50, "What is stored about you: get it, or delete it")


@privacy_group.command(name="export", description="Get all that is stored about you, as a file")
@answers_privately
async def export_command(interaction: Interaction) -> None:
    """Send a person all that is stored about them."""
    app, user = interaction.client.app, interaction.user.id
    if not await app.deletions.stored_about(user):
        await show_reply(interaction, privacy_texts.NOTHING_STORED)
        return
    with one_job(interaction):
        data = await app.exports.collect(user)
        limit = min(LARGEST_FILE, interaction.filesize_limit)
        files = await app.aside.run(user, write_export, data, limit)
        await _send_files(interaction, files)


async def _send_files(interaction: Interaction, files: Sequence[ExportFile]) -> None:
    """Send the files of an export, each in a private message of its own."""
    for number, file in enumerate(files, 1):
        text = privacy_texts.export_text(number, len(files))
        attached = [discord.File(io.BytesIO(file.content), file.name)]
        if number == 1:
            await show_reply(interaction, text, files=attached)
        else:
            await add_privately(interaction, text, attached)


@privacy_group.command(name="delete", description="Delete all that is stored about you; asks once")
@answers_privately
async def delete_command(interaction: Interaction) -> None:
    """Ask whether to delete all that is stored about a person."""
    deletions, user = interaction.client.app.deletions, interaction.user.id
    if not await deletions.stored_about(user):
        await show_reply(interaction, privacy_texts.NOTHING_STORED)
        return
    buttons = (
        Button(privacy_texts.DELETE_LABEL, "delete", "danger"),
        Button(privacy_texts.KEEP_LABEL, "keep"),
    )
    text = privacy_texts.confirm_deletion_text(await deletions.count_running(user))
    await show_reply(interaction, text, rows=(buttons,), prefix="delete_data:")


@handles("delete_data", "{verb:delete|keep}")
async def press_delete_data(interaction: Interaction, verb: str) -> None:
    """Delete all that is stored about a person, or keep it."""
    if verb == "keep":
        await show_reply(interaction, privacy_texts.DATA_KEPT)
        return
    deletions, user = interaction.client.app.deletions, interaction.user.id
    closed = await deletions.begin(user)
    if closed is None:
        await show_reply(interaction, privacy_texts.DELETION_RUNS)
        return
    await show_reply(interaction, privacy_texts.DELETION_BEGUN)
    await interaction.client.app.lives.write()  # so that a backup brings nothing back that is deleted now
    await _update_challenge_messages(interaction.client, closed)
    await deletions.finish(user)
    with suppress(discord.HTTPException):  # after 15 minutes, Discord takes no more answers
        await show_reply(interaction, privacy_texts.DELETED)


async def _update_challenge_messages(bot: AppClient, closed: Sequence[StoredChallenge]) -> None:
    """Say on the messages of a person's open challenges that these are closed, without their name."""
    for stored in closed:
        if stored.message:
            text = lobby_texts.challenge_closed_text(stored.challenge)
            await bot.delivery.strip_buttons(stored.venue.channel, stored.message, text)
