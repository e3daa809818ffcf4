"""Replays on Discord: who gets one, what it shows, how far it has come, and how it is stopped."""

from dataclasses import replace
from io import BytesIO
from itertools import count
from typing import Any

import discord
import pytest
from PIL import Image, ImageChops, ImageSequence
from simcord.components import walk_components

from gipfbot.ui.board.public_board import game_picture
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.texts import SHOW_HERE_LABEL
from gipfbot.ui.records import record_texts
from gipfbot.ui.records.replay import MOST_REPLAYS
from render import THEMES, alt_text, compose_image
from render.replay import FIRST, LAST, REPLAY_PACES
from tests.support.games import PLAYED
from tests.ui.forged import answered_text, forger
from tests.ui.studying import QUICK_FILM, Gate, playing
from tests.ui.table import Desk
from tests.ui.world import World, labels, private, told

STEPS = f" · only you see it\n{record_texts.STUDY_STEPS_IT}"


async def film(shown: object) -> Image.Image:
    (file,) = shown.attachments  # type: ignore[attr-defined]
    assert file.filename == "a1.gif"
    return Image.open(BytesIO(await file.read()))


async def test_replay_is_sent_privately_as_asked_for(world: World) -> None:
    """It has the pace and the size asked for, ends with the game's board, and has an alt text."""
    game_id = await playing(world, *PLAYED)
    before = len(world.public())
    shown = private(await world.bob.slash(world.channel, "gipf replay", **QUICK_FILM))
    assert shown.content == f"Your replay of **#a1**: Ann (White) vs Bob (Black), turns 1 to 3{STEPS}"
    assert labels(shown) == ["Study", SHOW_HERE_LABEL]
    assert len(world.public()) == before
    last = game_picture(await world.game(game_id))
    assert shown.attachments[0].description == f"Replay of #a1, turns 1 to 3. At the end: {alt_text(last)}"
    moving, pace = await film(shown), REPLAY_PACES["fast"]
    durations = [frame.info["duration"] // 10 for frame in ImageSequence.Iterator(moving)]
    assert sum(durations) == FIRST + 6 * pace.push + pace.removal + 5 * pace.board + LAST
    board = compose_image(last, 400).convert("RGB")
    assert ImageChops.difference(moving.convert("RGB"), board).getbbox() is None
    assert world.bot.replays == {}


async def test_replay_has_the_viewers_theme(world: World) -> None:
    game_id = await playing(world, *PLAYED)
    await world.bob.slash(world.channel, "gipf-me settings", theme="night")
    moving = await film(private(await world.bob.slash(world.channel, "gipf replay", **QUICK_FILM)))
    last = [*ImageSequence.Iterator(moving)][-1].convert("RGB")
    board = compose_image(game_picture(await world.game(game_id)), 400, THEMES["night"]).convert("RGB")
    assert ImageChops.difference(last, board).getbbox() is None


async def test_replay_is_no_larger_than_discord_takes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord sends the limit with each command; the caption says what was left out."""
    read = discord.Interaction._from_data

    def limited(self: discord.Interaction[Any], data: Any) -> None:
        data["attachment_size_limit"] = 12_000
        read(self, data)

    await playing(world, *PLAYED)
    monkeypatch.setattr(discord.Interaction, "_from_data", limited)
    shown = private(await world.ann.slash(world.channel, "gipf replay"))
    (file,) = shown.attachments
    assert file.size <= 12_000
    assert "To fit Discord's size limit: drawn 200 pixels wide, " in shown.content
    assert shown.content.endswith(" boards not shown. Ask for fewer turns to see more.\n" + record_texts.STUDY_STEPS_IT)


async def test_replay_shows_the_turns_asked_for(world: World) -> None:
    await playing(world, *PLAYED)
    shown = private(await world.ann.slash(world.channel, "gipf replay", **{"from": 3, "to": 3}, **QUICK_FILM))
    assert shown.content.endswith(f", turn 3{STEPS}")
    assert "Black pushed" in (shown.attachments[0].description or "")
    late = private(await world.ann.slash(world.channel, "gipf replay", **{"from": 2, "to": 100}, **QUICK_FILM))
    assert late.content.endswith(f", turns 2 to 3{STEPS}")
    for wrong, sentence in (
        ({"from": 4}, "The last turn of #a1 so far is Black's turn 3, so a replay can't begin with White's turn 4."),
        ({"from": 3, "to": 2}, "White's turn 3 comes after Black's turn 2: swap **from** and **to**."),
    ):
        refused = private(await world.ann.slash(world.channel, "gipf replay", **wrong))
        assert sentence in refused.content
        assert refused.attachments == []


async def test_replay_shows_its_progress_and_can_be_cancelled(world: World) -> None:
    """The progress changes every two seconds at most."""
    await playing(world, *PLAYED[:2])
    gate = Gate(world, parts=5)  # two of the sample, the first board, both turns
    world.bot.app = replace(world.bot.app, now=count().__next__)  # a second passes between two looks at the clock
    answered = await world.ann.slash(world.channel, "gipf replay", **QUICK_FILM)
    waiting = private(answered)
    assert waiting.content == "Making a replay of #a1: board 1 of 2 …"
    assert told_so_far(world) == ["looking at the game", "looking at the game", "board 1 of 2"]
    assert labels(waiting) == ["Cancel"]
    assert waiting.attachments == []
    assert (await world.ann.click(waiting, label="Cancel")).acknowledged
    gate.open.set()
    await world.env.settle()
    stopped = private(answered)
    assert (stopped.content, labels(stopped), stopped.attachments) == (record_texts.REPLAY_CANCELLED, [], [])
    assert world.bot.replays == {}


async def test_nobody_else_cancels_a_replay(world: World) -> None:
    """The button is on a private message, but its `custom_id` can be forged."""
    await playing(world, *PLAYED[:2])
    gate = Gate(world, parts=1)
    answered = await world.ann.slash(world.channel, "gipf replay", **QUICK_FILM)
    (job,) = world.bot.replays
    sender = await forger(world, world.bob, world.channel)
    assert answered_text(await sender.send(f"cancel_replay:{job}")).strip() == record_texts.REPLAY_LOST
    gate.open.set()
    await world.env.settle()
    assert len(private(answered).attachments) == 1


def told_so_far(world: World) -> list[str]:
    bodies = [request.json for request in world.env.http_requests if isinstance(request.json, dict)]
    said = [str(shown.get("content", "")) for body in bodies for shown in walk_components(body.get("components", ()))]
    return [text.split(": ")[1].removesuffix(" …") for text in said if text.startswith("Making a replay")]


async def test_dismissing_the_message_ends_the_replay(world: World) -> None:
    await playing(world, *PLAYED[:2])
    gate = Gate(world, parts=1)
    world.bot.app = replace(world.bot.app, now=count().__next__)
    await world.ann.slash(world.channel, "gipf replay", **QUICK_FILM)
    world.fail("PATCH", "/webhooks/*/messages/@original", 404, 10008)
    gate.open.set()
    await world.env.settle()
    assert gate.made < 5, "it went on"
    assert world.bot.replays == {}
    assert told_so_far(world)[-1] == "looking at the game"


async def test_asking_again_stops_the_first_replay(world: World) -> None:
    await playing(world, *PLAYED[:2])
    gate = Gate(world, parts=1)
    first = await world.ann.slash(world.channel, "gipf replay", **QUICK_FILM)
    second = await world.ann.slash(world.channel, "gipf replay", **QUICK_FILM)
    world.bot.replays |= {other: other for other in range(1, MOST_REPLAYS)}
    third = await world.bob.slash(world.channel, "gipf replay", **QUICK_FILM)
    assert told(third) == record_texts.TOO_MANY_REPLAYS
    gate.open.set()
    await world.env.settle()
    assert told(first) == record_texts.REPLAY_CANCELLED
    assert len(private(second).attachments) == 1


async def test_cancel_after_a_restart_says_nothing_is_being_made(world: World) -> None:
    await playing(world, *PLAYED[:1])
    Gate(world, parts=1)
    answered = await world.ann.slash(world.channel, "gipf replay", **QUICK_FILM)
    await world.restart()
    assert (await world.ann.click(private(answered), label="Cancel")).acknowledged
    assert told(answered) == record_texts.REPLAY_LOST
    assert labels(private(answered)) == []


async def test_unclear_game_is_asked_and_the_wish_kept(world: World) -> None:
    assert "You have played no games yet" in told(await world.ann.slash(world.channel, "gipf replay"))
    await playing(world, *PLAYED[:2])
    await world.begin("basic")
    asked = Desk(world.ann, await world.ann.slash(world.channel, "gipf replay", **{"from": 1}, **QUICK_FILM))
    assert asked.text == record_texts.WHICH_REPLAY
    await asked.choose("#a1 vs Bob")
    assert asked.text.endswith(f", turn 1{STEPS}")
    assert (await film(asked.message)).width == 400
    assert told(await world.ann.slash(world.channel, "gipf replay", game="#b1")) == record_texts.NOTHING_TO_REPLAY
    never = discord.PermissionOverwrite(view_channel=False)
    await world.begin(channel=world.guild.create_text_channel("hidden", overwrites={world.cara: never}))
    assert told(await world.cara.slash(world.channel, "gipf replay", game="#c1")) == texts.CANNOT_SEE_GAME


async def test_last_board_gives_its_replay_to_everybody(world: World) -> None:
    """It shows a resignation, which is no turn; the button works after a restart."""
    await playing(world, *PLAYED[:1])
    done = await world.bot.app.games.resign(1, world.ann.id)
    await world.bot.delivery.deliver(done.owed)
    await world.env.settle()
    await world.restart()
    shown = private(await world.cara.click(world.public()[-1], label="Replay"))
    assert shown.content.endswith(f", White's turn 1{STEPS}")
    assert "At the end: Black wins, White: resigned." in (shown.attachments[0].description or "")
    assert (await film(shown)).width == 600
