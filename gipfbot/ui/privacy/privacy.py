"""`/gipf-me privacy`: export or delete all data that is stored about a person."""

import io
from collections.abc import Sequence
from contextlib import suppress

import discord

from gipfbot.languages import mark, say, say_number
from gipfbot.service.privacy.export_words import ExportFile, write_export
from gipfbot.ui.kit import AppClient, Button, Interaction, answers_privately, handles, join_lines, show_reply
from gipfbot.ui.kit.interactions import slash_group
from gipfbot.ui.kit.rate_limits import one_job
from gipfbot.ui.kit.respond import add_privately
from gipfbot.ui.kit.spoken import forget_person
from gipfbot.ui.lobby import open_challenges
from gipfbot.values import StoredChallenge

DELETE_LABEL, KEEP_LABEL = mark("Delete everything"), mark("Keep my data")
NOTHING_STORED = mark("Nothing is stored about you.")
DATA_KEPT = mark("Nothing was deleted.")
DELETION_RUNS = mark("Your data is already being deleted. Nothing more to do.")
DELETION_BEGUN = mark("Your data is being deleted. You needn't wait.")
DELETED = mark("Done: your data is deleted. If you play again, you begin anew.")

LARGEST_FILE = 8 * 2**20  # bytes; Discord's own limit differs between servers and direct messages
privacy_group = slash_group("gipf-me privacy", 50, "What is stored about you: get it, or delete it")


def export_text(number: int, files: int) -> str:
    """Return the text beside file `number` of an export, which has `files` files."""
    part = say("Part {count} of {files}.", count=number, files=files) if files > 1 else ""
    return join_lines(say("All that is stored about you, as JSON. Only you see this."), part)


_DELETION_EFFECTS = (
    mark("Your open challenges are closed."),
    mark("Your settings, reminders, vacations, notes, planned turns, studies, follows, guesses, blocks are deleted."),
    mark("Your finished games stay with your opponents. In them you become “a former player”."),
    mark("The results of your finished games stay, so your opponents' ratings don't change."),
    mark("Messages that the bot has posted stay in their channels."),
)


def confirm_deletion_text(running: int) -> str:
    """Return the text on the effects of deleting a person's data. `running` is how many games they are playing."""
    resigned = say_number(
        "You resign your running game. If rated, that counts as a loss.",
        "You resign your {number} running games. If rated, that counts as a loss.",
        running,
    )
    effects = [*([resigned] if running else []), *map(say, _DELETION_EFFECTS)]
    return join_lines(
        say("**Delete all your data?** This can't be undone."),
        *(f"• {effect}" for effect in effects),
        say("**/gipf-me privacy export** gives you a copy first."),
    )


@privacy_group.command(name="export", description="Get all that is stored about you, as a file")
@answers_privately
async def export_command(interaction: Interaction) -> None:
    """Send a person all that is stored about them."""
    app, user = interaction.client.app, interaction.user.id
    if not await app.deletions.stored_about(user):
        forget_person(interaction)
        await show_reply(interaction, say(NOTHING_STORED))
        return
    with one_job(interaction):
        data = await app.exports.collect(user)
        limit = min(LARGEST_FILE, interaction.filesize_limit)
        files = await app.aside.run(user, write_export, data, limit)
        await _send_files(interaction, files)


async def _send_files(interaction: Interaction, files: Sequence[ExportFile]) -> None:
    """Send the files of an export, each in a private message of its own."""
    for number, file in enumerate(files, 1):
        text = export_text(number, len(files))
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
        forget_person(interaction)
        await show_reply(interaction, say(NOTHING_STORED))
        return
    buttons = (
        Button(say(DELETE_LABEL), "delete", "danger"),
        Button(say(KEEP_LABEL), "keep"),
    )
    text = confirm_deletion_text(await deletions.count_running(user))
    await show_reply(interaction, text, rows=(buttons,), prefix="delete_data:")


@handles("delete_data", "{verb:delete|keep}")
async def press_delete_data(interaction: Interaction, verb: str) -> None:
    """Delete all that is stored about a person, or keep it."""
    if verb == "keep":
        await show_reply(interaction, say(DATA_KEPT))
        return
    deletions, user = interaction.client.app.deletions, interaction.user.id
    closed = await deletions.begin(user)
    forget_person(interaction)
    if closed is None:
        await show_reply(interaction, say(DELETION_RUNS))
        return
    await show_reply(interaction, say(DELETION_BEGUN))
    await interaction.client.app.timelines.write()  # so that a backup cannot restore the deleted data
    await _update_challenge_messages(interaction.client, closed)
    await deletions.finish(user)
    with suppress(discord.HTTPException):  # after 15 minutes, Discord takes no more answers
        await show_reply(interaction, say(DELETED))


async def _update_challenge_messages(bot: AppClient, closed: Sequence[StoredChallenge]) -> None:
    """Show in the public messages of a person's challenges that these are closed, without the person's name."""
    for stored in closed:
        await open_challenges.show_outcome(bot, stored)
