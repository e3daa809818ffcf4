"""Records of games: sent as a file and as a sheet, in either notation, and read back."""

from datetime import UTC, datetime
from random import Random

import discord
import pytest
import simcord
from simcord.results import ResponseMessage

from gipfbot.match import Seat, new_game, perform
from gipfbot.match.study import Study, study_game
from gipfbot.notation import NOTATIONS, Notation, Record, RecordedTurn, read_record, turn_text
from gipfbot.rules import BASIC, legal, start
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.texts import SHOW_HERE_LABEL
from gipfbot.ui.records import record_texts, study_texts
from gipfbot.values import StoredGame, Venue
from tests.rules.generate import row_seeking
from tests.support.games import PLAYED
from tests.ui.studying import playing
from tests.ui.table import Desk
from tests.ui.tournaments.tournament_people import joined, opened, went_on
from tests.ui.world import World, buttons, labels, private, told


async def sent(shown: ResponseMessage) -> str:
    """Return the text of the file that was sent."""
    (file,) = shown.attachments
    return (await file.read()).decode()


async def record(world: World, **chosen: str) -> ResponseMessage:
    return private(await world.ann.slash(world.channel, "gipf record", **chosen))


# ── What is sent ──


async def test_record_comes_as_file_and_sheet(world: World) -> None:
    game_id = await playing(world, *PLAYED)
    shown = await record(world)
    assert shown.content.splitlines() == [
        "**#a1** · Ann (White) vs Bob (Black) · Standard · not finished · 3 turns",
        record_texts.HOW_WRITTEN,
        "```",
        "1. a2-c2 f1-d2",
        "2. b1-b3 i5-g5",
        "3. b6-b4;xb2,b3,Gb4,b5 e1-e3",
        "```",
    ]
    assert shown.attachments[0].filename == "a1.gipf"
    day = datetime.fromtimestamp((await world.stored(game_id)).created_at, UTC)
    assert (await sent(shown)).splitlines() == [
        '[Event "GIPF by correspondence"]',
        '[Site "Club"]',
        f'[Date "{day:%Y.%m.%d}"]',
        '[White "Ann"]',
        '[Black "Bob"]',
        '[Rules "Standard"]',
        '[Result "*"]',
        '[Termination "unfinished"]',
        "",
        "1. a2-c2 f1-d2",
        "2. b1-b3 i5-g5",
        "3. b6-b4;xb2,b3,Gb4,b5 e1-e3 *",
    ]


@pytest.mark.looks_every(2000)
async def test_record_names_the_tournament_of_its_game(world: World, boss: simcord.MemberActor) -> None:
    """The record is read back as before, and its study has that name."""
    dan = world.guild.add_member(world.env.create_user("dan", global_name="Dan"))
    message = await opened(world, boss, name='The "Spring" League')
    await joined(world, message, (world.ann, world.bob, world.cara, dan))
    await went_on(world, days=7)
    game = await world.game(1)
    player = next(each for each in (world.ann, world.bob, world.cara, dan) if each.id == game.seats[0].user)
    await player.slash(world.channel, "move", notation=PLAYED[0], game="#a1")
    text = await sent(await record(world, game="#a1"))
    assert text.startswith('[Event "The \\"Spring\\" League, season 1"]\n[Site "Club"]\n')
    assert dict(read_record(text).headers)["Event"] == 'The "Spring" League, season 1'
    import_form = await world.ann.slash(world.channel, "gipf import")
    desk = Desk(world.ann, await world.ann.submit_modal(import_form, {"file": ("a1.gipf", text.encode())}))
    assert 'The "Spring" League, season 1' in desk.text.splitlines()[0]


@pytest.mark.parametrize("notation", NOTATIONS)
async def test_exported_record_can_be_imported(world: World, notation: str) -> None:
    """Turns, final position and headers are the same."""
    game_id = await playing(world, *PLAYED)
    await world.bot.app.games.resign(game_id, world.bob.id)
    text = await sent(await record(world, game="#a1", notation=notation))
    assert read_record(text).notation is NOTATIONS[notation]
    opened = await world.ann.slash(world.channel, "gipf import")
    desk = Desk(world.ann, await world.ann.submit_modal(opened, {"file": ("a1.gipf", text.encode())}))
    assert desk.text.splitlines()[0] == "**Study 1** · GIPF by correspondence · Ann vs Bob · Standard"
    await desk.press(study_texts.LAST_TURN_LABEL)
    assert "The record ends here: **1-0**." in desk.text
    stored = await world.bot.app.studies.study(1, world.ann.id)
    mine = (await world.bot.app.studies.study_of_game(game_id, world.ann.id))[0]
    assert written(stored.study) == written(mine.study) == list(PLAYED)
    game = await world.game(game_id)
    assert study_game(stored.study).position == game.position._replace(result=None)


def written(study: Study) -> list[str]:
    """Return the turns of a record."""
    position, texts = start(study.ruleset), []
    for actions in study.turns:
        texts.append(turn_text(position, actions))
        position = study_game(Study(0, study.ruleset, study.names, study.turns, len(texts))).position
    return texts


async def test_record_has_the_chosen_notation_or_the_readers(world: World) -> None:
    await playing(world, *PLAYED[:2])
    await world.ann.slash(world.channel, "gipf-me settings", notation="julio974")
    assert "1. a2 f1*" in (await record(world)).content
    shown = await record(world, notation="official")
    assert "1. a2-c2 f1-d2" in shown.content
    assert "1. a2-c2 f1-d2" in await sent(shown)


async def test_unfinished_turn_is_not_in_the_record(world: World) -> None:
    await playing(world, *PLAYED[:4])
    before = await record(world)
    shown = before.content, await sent(before)
    await world.ann.slash(world.channel, "move", notation="b6-b4")
    assert (await world.game()).draft
    now = await record(world)
    assert (now.content, await sent(now)) == shown


async def test_game_without_turns_has_a_record(world: World) -> None:
    await world.begin()
    shown = await record(world)
    assert shown.content.splitlines()[0].endswith(" · not finished")
    assert "No turn has been played yet" in shown.content
    assert '[White "Ann"]' in await sent(shown)


async def test_record_says_how_the_game_ended(world: World) -> None:
    await playing(world, *PLAYED[:1])
    await world.bot.app.games.cancel_game(1, world.bob.id)
    called_off = await record(world, game="#a1")
    assert "· cancelled · 1 turn" in called_off.content
    assert '[Termination "cancelled"]' in await sent(called_off)
    await playing(world, *PLAYED[:2])
    await world.bot.app.games.resign(2, world.bob.id)
    resigned = await sent(await record(world, game="#b1"))
    assert '[Result "1-0"]\n[Termination "resigned"]' in resigned
    assert resigned.endswith("1. a2-c2 f1-d2 1-0\n")


@pytest.mark.parametrize("name", ['"]\n[x', "**b** `c` {d}", "@everyone <@1>", "[x](http://e.org)", "\\"])
async def test_strange_names_do_no_harm(world: World, name: str) -> None:
    odd = world.guild.add_member(world.env.create_user("odd", global_name=name))
    await odd.slash(world.channel, "gipf challenge", opponent=world.bob, colour="white")
    await world.bob.click(world.public()[-1], label="Accept")
    shown = private(await odd.slash(world.channel, "gipf record"))
    assert texts.escape_text(" ".join(name.split())) in shown.content
    found = dict(read_record(await sent(shown)).headers)
    assert (found["White"], found["Black"]) == (" ".join(name.split()), "Bob")


def long_game(turns: int, notation: Notation) -> tuple[StoredGame, Record]:
    """Return a game of so many turns, and its record."""
    rng, game, steps = Random(3), new_game(1, BASIC, (Seat(1, "a" * 32), Seat(2, "b" * 32))), list[RecordedTurn]()
    while len(steps) < turns:
        assert game.asked is not None
        action = row_seeking(game.current, legal(game.current), rng)
        answered = perform(game, game.seats[game.asked].user, [action])
        game = answered.game
        if answered.turn:
            turn = answered.turn
            steps.append(RecordedTurn(turn.turn_number, turn.text, turn.actions, turn.before, turn.after))
    stored = StoredGame(game, Venue(1, 2), False, None, None, 0, 0, None)
    return stored, Record(BASIC, tuple(steps), notation)


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
def test_long_sheet_is_cut_to_fit_a_message(notation: Notation) -> None:
    """Turns left out are counted; a game of usual length is whole."""
    stored, record = long_game(33, notation)
    for turns, whole in ((3, True), (33, True), (33 * 12, False)):
        sheet = record_texts.record_sheet(stored, record._replace(turns=(record.turns * 12)[:turns]), notation)
        lines = sheet.split("```")[1].split("\n")[1:-1]
        left = (turns + 1) // 2 - len(lines)
        assert (left == 0) == whole
        assert sheet.endswith("```" if whole else f"… and {left} more: the file has all turns.")
        assert 1900 * (not whole) < len(sheet) <= 2000


# ── Who gets it, and of which game ──


async def test_last_board_gives_its_record_to_everybody(world: World) -> None:
    await playing(world, *PLAYED[:2])
    await world.ann.slash(world.channel, "gipf resign")
    done = await world.bot.app.games.resign(1, world.ann.id)
    await world.bot.delivery.deliver(done.owed)
    await world.env.settle()
    last = world.public()[-1]
    assert buttons(last) == ["Rematch", "Replay", "Analyse", "Record", "Explorer"]
    before = len(world.public())
    for person in (world.ann, world.bob, world.cara):
        shown = private(await person.click(last, label="Record"))
        assert "**#a1** · Ann (White) vs Bob (Black)" in shown.content
        assert '[Result "0-1"]' in await sent(shown)
        assert labels(shown) == ["Study", SHOW_HERE_LABEL]
    assert buttons(world.public()[-1]) == ["Rematch", "Replay", "Analyse", "Record", "Explorer"]
    assert len(world.public()) == before
    await world.restart()
    assert "**#a1**" in told(await world.cara.click(last, label="Record"))


async def test_record_leads_to_the_study(world: World) -> None:
    await playing(world, *PLAYED[:2])
    shown = await record(world)
    desk = Desk(world.ann, await world.ann.click(shown, label="Study"))
    assert "**1. Black:** f1 → e2 · also written `f1-d2`" in desk.text
    assert len(shown.attachments) == 1


async def test_hidden_game_gives_no_record(world: World) -> None:
    """Neither its name nor a button carried to another channel helps."""
    never = discord.PermissionOverwrite(view_channel=False)
    hidden = world.guild.create_text_channel("hidden", overwrites={world.cara: never})
    await world.begin(channel=hidden)
    view: discord.ui.View = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(custom_id="record:1", label="Record"))
    await world.bot.get_partial_messageable(world.channel.id).send("carried", view=view)
    await world.env.settle()
    for answered in (
        await world.cara.slash(world.channel, "gipf record", game="#a1"),
        await world.cara.click(world.channel.history()[-1], label="Record"),
    ):
        shown = private(answered)
        assert shown.content == texts.CANNOT_SEE_GAME
        assert shown.attachments == []
    assert "**#a1**" in (await record(world, game="#a1")).content


async def test_unclear_game_is_asked_and_the_notation_kept(world: World) -> None:
    assert told(await world.ann.slash(world.channel, "gipf record")) == record_texts.NO_GAMES_PLAYED
    await playing(world, *PLAYED[:2])
    await world.begin("basic")
    shown = Desk(world.ann, await world.ann.slash(world.channel, "gipf record", notation="julio974"))
    assert shown.text == record_texts.WHICH_RECORD
    await shown.choose("#a1 vs Bob")
    assert "1. a2 f1*" in shown.text
    for game_id in (1, 2):
        await world.bot.app.games.resign(game_id, world.bob.id)
    shown = Desk(world.ann, await world.ann.slash(world.channel, "gipf record"))
    assert shown.options == ["#b1 vs Bob", "#a1 vs Bob"]
    await world.begin()
    assert "**#c1**" in (await record(world)).content
    choices = await world.ann.autocomplete(world.channel, "gipf record", "game", "")
    assert [choice["name"] for choice in choices] == ["#c1 vs Bob", "#b1 vs Bob", "#a1 vs Bob"]
    (watched,) = await world.cara.autocomplete(world.channel, "gipf record", "game", "")
    assert watched["name"] == "#c1 Ann vs Bob"
    assert "isn't a game" in told(await world.ann.slash(world.channel, "gipf record", game="seven"))
    assert "no such game" in told(await world.ann.slash(world.channel, "gipf record", game="#z9"))
