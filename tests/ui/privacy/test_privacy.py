"""`/gipf-me privacy`, as people see it: the export that they read, and the deletion that they confirm."""

import io
import json
import zipfile
from typing import Any

import pytest
import simcord

from gipfbot.ui.privacy import privacy
from gipfbot.values import FORMER_NAME
from tests.support.games import TURNS
from tests.ui.opened_message import OpenedMessage
from tests.ui.world import World, deliver, labels, private, sought, told

pytestmark = pytest.mark.looks_every(60)
GONE = "Your opponent has deleted their data. **/gipf challenge** finds you another."


async def ask_to_delete(world: World, person: simcord.MemberActor) -> OpenedMessage:
    return OpenedMessage(person, await person.slash(world.channel, "gipf-me privacy delete"))


async def delete_data(world: World, person: simcord.MemberActor) -> None:
    asked = await ask_to_delete(world, person)
    await asked.press(privacy.DELETE_LABEL)
    assert asked.text == privacy.DELETED
    await deliver(world)


async def exported(world: World, person: simcord.MemberActor) -> dict[str, Any]:
    """Return the JSON that a person gets."""
    answer = private(await person.slash(world.channel, "gipf-me privacy export"))
    (file,) = answer.attachments
    assert file.filename == "gipf-data.json"
    data: dict[str, Any] = json.loads(await file.read())
    return data


async def played_game(world: World) -> int:
    """Return a running Basic game of Ann, White, and Bob after four turns."""
    game = await world.begin("basic")
    for number, turn in enumerate(TURNS[:4]):
        await (world.bob if number % 2 else world.ann).slash(world.channel, "move", notation=turn)
    return game


async def test_export_is_readable_json_of_ones_own_data(world: World) -> None:
    game = await played_game(world)
    await world.ann.slash(world.channel, "gipf-me settings", notation="julio974")
    await world.bot.app.notes.set_note(game, world.ann.id, "mine")
    await world.bot.app.notes.set_note(game, world.bob.id, "a secret of Bob")
    said = told(await world.bob.slash(world.channel, "gipf if", turns="b3 h4"))
    assert "if they play" in said
    await world.bob.slash(world.channel, "gipf-me block add", player=world.cara)
    data = await exported(world, world.ann)
    assert data["your_discord_id"] == str(world.ann.id)
    assert data["settings"]["notation"] == "julio974"
    (shown,) = data["games"]
    assert [turn["turn"] for turn in shown["turns"]] == list(TURNS[:4])
    assert [turn["played_by"] for turn in shown["turns"]] == ["you", "opponent"] * 2
    assert shown["opponent"] == {"name": "Bob", "discord_id": str(world.bob.id)}
    assert (shown["your_colour"], shown["your_note"], shown["state"]) == ("white", "mine", "running")
    assert shown["began_at"].endswith("Z")
    assert "your_conditional_turns" not in shown
    (seen_by_bob,) = (await exported(world, world.bob))["games"]
    assert [line["turns"] for line in seen_by_bob["your_conditional_turns"]] == [["b3", "h4"]]
    assert "secret" not in json.dumps(data)
    assert "Cara" not in json.dumps(data)


async def test_person_who_never_played_has_nothing(world: World) -> None:
    for command in ("export", "delete"):
        answer = private(await world.cara.slash(world.channel, f"gipf-me privacy {command}"))
        assert (answer.content, labels(answer), answer.attachments) == (privacy.NOTHING_STORED, [], [])


async def test_large_export_comes_zipped_in_parts(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await played_game(world)
    whole = await exported(world, world.ann)
    monkeypatch.setattr(privacy, "LARGEST_FILE", 1000)
    answer = await world.ann.slash(world.channel, "gipf-me privacy export")
    files = [file for message in (answer.response, *answer.followups) if message for file in message.attachments]
    assert len(files) > 1
    assert [file.filename for file in files] == [f"gipf-data-{n}-of-{len(files)}.zip" for n in range(1, len(files) + 1)]
    parts = [json.loads(zipfile.ZipFile(io.BytesIO(await file.read())).read("gipf-data.json")) for file in files]
    for section in ("games", "messages", "challenges"):
        assert [entry for part in parts for entry in part.get(section, ())] == whole[section]


async def test_deletion_asks_first_and_can_be_left(world: World) -> None:
    await played_game(world)
    asked = await ask_to_delete(world, world.ann)
    assert asked.text == privacy.confirm_deletion_text(1)
    assert "You resign your running game. If rated" in asked.text
    await asked.press(privacy.KEEP_LABEL)
    assert asked.text == privacy.DATA_KEPT
    assert len((await exported(world, world.ann))["games"]) == 1


async def test_opponent_sees_a_former_player_everywhere(world: World) -> None:
    game = await played_game(world)
    await delete_data(world, world.ann)
    last = world.public()[-1]
    assert last.content.startswith(f"<@{world.bob.id}> ")
    assert world.pings(last) == {world.bob.id}
    assert "Ann" not in last.content
    assert FORMER_NAME in told(await world.bob.slash(world.channel, "gipf leaderboard", pool="basic"))
    record = private(await world.bob.slash(world.channel, "gipf record", game="#a1"))
    written = (await record.attachments[0].read()).decode()
    assert f'[White "{FORMER_NAME}"]' in written
    assert "Ann" not in written + record.content
    profile = told(await world.bob.slash(world.channel, "gipf profile"))
    assert FORMER_NAME in profile
    assert "Ann" not in profile
    replay = private(await world.bob.click(last, label="Replay"))
    assert "Ann" not in replay.content + (replay.attachments[0].description or "" if replay.attachments else "")
    assert told(await world.bob.click(last, label="Rematch")) == GONE
    assert told(await world.bob.slash(world.channel, "gipf profile", player=world.ann)).startswith("Ann")
    assert (await world.game(game)).seats[0].name == FORMER_NAME


async def test_challenge_messages_lose_the_name_and_their_buttons(world: World) -> None:
    seek = await sought(world)
    await delete_data(world, world.ann)
    (shown,) = [message for message in world.public() if message.id == seek.id]
    assert (FORMER_NAME in shown.content, "Ann" in shown.content, shown.components) == (True, False, [])


async def test_deleted_person_begins_anew(world: World) -> None:
    await played_game(world)
    await delete_data(world, world.ann)
    assert told(await world.ann.slash(world.channel, "gipf-me privacy export")) == privacy.NOTHING_STORED
    new = await world.begin("basic")
    data = await exported(world, world.ann)
    assert [game["game"] for game in data["games"]] == ["#b1"]
    assert (await world.game(new)).seats[0].name == "Ann"


async def test_restarted_bot_finishes_a_deletion(world: World) -> None:
    await played_game(world)
    await world.bot.app.deletions.begin(world.ann.id)
    assert told(await world.ann.slash(world.channel, "gipf-me privacy delete")).startswith("**Delete all")
    asked = await ask_to_delete(world, world.ann)
    await asked.press(privacy.DELETE_LABEL)
    assert asked.text == privacy.DELETION_RUNS
    await world.restart()
    await world.bot.sweep()  # one pass of what the bot does every 10 seconds
    assert told(await world.ann.slash(world.channel, "gipf-me privacy delete")) == privacy.NOTHING_STORED


async def test_second_export_waits_for_the_first(world: World) -> None:
    await played_game(world)
    world.bot.jobs.add(world.ann.id)
    refused = private(await world.ann.slash(world.channel, "gipf-me privacy export"))
    assert (refused.content.startswith("You already have one being made"), refused.attachments) == (True, [])
    world.bot.jobs.clear()
    assert (await exported(world, world.ann))["games"]
    assert world.bot.jobs == set()
