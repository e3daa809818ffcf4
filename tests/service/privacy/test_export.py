"""The export of all that is stored about a person: what it says, and what it leaves to others."""

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from sqlalchemy import text

from gipfbot.match import UNTIMED, Seat, Terms
from gipfbot.match.tournament import bank_for_game
from gipfbot.notation import read_record
from gipfbot.rules import BASIC
from gipfbot.service.app import App, create_app
from gipfbot.service.privacy.export_words import write_export
from gipfbot.store import Store
from gipfbot.values import FORMER_NAME, News
from gipfbot.values.tournaments import Tournament
from tests.service.helpers import basic_game_after, begin_game, delete_all, play_on
from tests.support.people import ANN, BOB, CARA, DAN, HOME
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, NOW

RECORD = '[Event "A cup"]\n[White "Zoe"]\n[Black "Yan"]\n1. c2 g2 2. b3 b4 1-0'


async def exported(app: App, person: Seat) -> dict[str, Any]:
    """Return a person's export as they read it."""
    (file,) = write_export(await app.exports.collect(person.user), 10**9)
    assert file.name == "gipf-data.json"
    data: dict[str, Any] = json.loads(file.content)
    return data


async def test_export_of_a_stranger_is_empty(app: App) -> None:
    await basic_game_after(app, 2)
    data = await exported(app, CARA)
    assert {*data} == {"about", "explained", "made_at", "your_discord_id"}
    assert not await app.deletions.stored_about(CARA.user)


async def test_guesses_and_studies_are_written_in_notation(app: App) -> None:
    game = await basic_game_after(app, 2)
    await app.guesses.guess(CARA.user, game, 2, "d2")
    await app.studies.add_study(CARA.user, read_record(RECORD))
    data = await exported(app, CARA)
    assert [(guess["game"], guess["after_turns"], guess["guess"]) for guess in data["guesses"]] == [("#a1", 2, "d2")]
    (study,) = data["studies"]
    assert study["turns"] == ["c2", "g2", "b3", "b4"]
    assert (study["white"], study["title"]) == ("Zoe", "A cup")


async def test_guess_is_read_at_its_turn_after_the_game_went_on(app: App) -> None:
    game = await basic_game_after(app, 1)
    await app.guesses.guess(CARA.user, game, 1, "g2")
    await play_on(app, game, "g2", "d2")
    (guess,) = (await exported(app, CARA))["guesses"]
    assert (guess["guess"], guess["points"]) == ("g2", 3)


async def test_secrets_of_others_are_left_out(app: App) -> None:
    """The opponent's note, conditionals, blocks and follows; the guesses of spectators."""
    game = await basic_game_after(app, 2)
    await app.notes.set_note(game, BOB.user, "a secret of Bob")
    await app.conditionals.add_typed_line(game, BOB.user, "d2 h4")
    await app.guesses.guess(CARA.user, game, 2, "d2")
    await app.follows.follow_player(DAN.user, ANN, News.RESULT)
    await app.blocks.block(CARA.user, ANN)
    data = await exported(app, ANN)
    said = json.dumps(data)
    assert not any(word in said for word in ("secret", "Cara", "Dan", str(CARA.user), str(DAN.user)))
    assert "your_conditional_turns" not in data["games"][0]


async def test_tournaments_are_exported_to_who_opened_and_who_joined_them(app: App) -> None:
    new = Tournament(0, "swiss", "Cup", HOME, ANN, BASIC, Terms(bank_for_game(5)), 3, NOW + DAY, NOW)
    tournament = (await app.tournaments.open(new))[0].id
    await app.tournaments.join(tournament, ANN)
    await app.tournaments.join(tournament, BOB)
    ann, bob = await exported(app, ANN), await exported(app, BOB)
    (opened,) = ann["tournaments_opened"]
    assert (opened["tournament"], opened["name"], opened["state"], opened["rounds"]) == (tournament, "Cup", "open", 3)
    assert opened["your_name"] == "Ann"
    assert [(entry["tournament"], entry["your_name"]) for entry in bob["tournaments"]] == [(tournament, "Bob")]
    assert "tournaments_opened" not in bob
    assert "Ann" not in json.dumps(bob)
    await delete_all(app, ANN.user)
    assert "tournaments" not in await exported(app, ANN)
    shown = await app.tournaments.show(tournament)
    assert shown.tournament.organiser.name == FORMER_NAME
    assert [entry.seat for entry in shown.entered] == [BOB]


async def test_former_players_have_no_id_in_an_export(app: App) -> None:
    """Neither the pseudonym in games nor the hashed id in blocks is shown."""
    game = await basic_game_after(app, 2)
    await app.blocks.block(BOB.user, ANN)
    await delete_all(app, ANN.user)
    data = await exported(app, BOB)
    (seat,) = [seat for seat in (await app.games.game(game)).game.seats if seat.user != BOB.user]
    assert data["games"][0]["opponent"] == {"name": FORMER_NAME}
    assert data["blocks"][0]["you_block"] == {"name": FORMER_NAME}
    assert data["challenges"][0]["other_player"] == {"name": FORMER_NAME}
    assert str(seat.user) not in json.dumps(data)


async def test_settings_and_terms_are_told_in_words(app: App) -> None:
    await begin_game(app, THREE_DAYS)
    await app.digests.set_plan(ANN.user, 8, "Europe/Berlin")
    data = await exported(app, ANN)
    assert data["settings"] == {"daily_digest_at_hour": 8, "time_zone": "Europe/Berlin"}
    terms = data["games"][0]["terms"]
    assert (terms["own_thread"], terms["time"]["seconds_at_first"]) == (False, 3 * DAY)
    await begin_game(app, UNTIMED)
    assert (await exported(app, ANN))["games"][1]["terms"]["time"] == "no limit"


async def test_board_of_a_newcomers_game_is_exported_in_notation(app: App) -> None:
    """Its message says `e1 → e2`."""
    game = await begin_game(app, THREE_DAYS)
    assert game.game.terms.newcomer
    await play_on(app, game.game.id, "e1-e3")
    messages = (await exported(app, ANN))["messages"]
    assert [message["says"]["turn"] for message in messages if message["says"].get("after_turn")] == ["e1-e3"]


async def test_unfinished_turn_is_only_in_the_players_own_export(filled_store: Store) -> None:
    app = create_app(filled_store, lambda: NOW, lambda: True)
    begun = {
        person.name: [game["your_unfinished_turn"]["turn"] for game in data["games"] if "your_unfinished_turn" in game]
        for person in (ANN, BOB)
        if (data := await exported(app, person))
    }
    async with filled_store.reading() as db:
        (by,) = await db.scalars(text("SELECT by FROM draft"))
    own, other = ("Ann", "Bob") if by == ANN.user else ("Bob", "Ann")
    assert (len(begun[own]), begun[other]) == (1, [])
    assert isinstance(begun[own][0], str), "in notation"


@pytest.mark.parametrize("person", [ANN, BOB, CARA], ids=lambda person: person.name)
async def test_damaged_rows_do_not_stop_an_export(filled_store: Store, person: Seat) -> None:
    """A person gets what is stored, even where the bot itself can no longer read it."""
    app = create_app(filled_store, lambda: NOW, lambda: True)
    games = len((await exported(app, person))["games"])
    async with filled_store.transaction() as db:
        for table, column in (
            *(("games", "position"), ("games", "ruleset"), ("turns", "actions"), ("draft", "action")),
            *(("studies", "turns"), ("studies", "ruleset"), ("guesses", "actions"), ("conditionals", "turns")),
        ):
            await db.execute(text(f"UPDATE {table} SET {column} = '\"damaged\"'"))
    assert len((await exported(app, person))["games"]) == games


async def test_large_export_is_halved_until_each_part_fits(app: App) -> None:
    await basic_game_after(app, 4)
    collected = await app.exports.collect(ANN.user)
    checks = [{"channel": n * 7919**4, "sees": True, "checked_at": n * 7919} for n in range(1, 1000)]
    collected.rows["channel_checks"] = checks
    (whole,) = write_export(collected, 10**6)
    (zipped,) = write_export(collected, 10**5)
    assert (whole.name, zipped.name) == ("gipf-data.json", "gipf-data.zip")
    parts = write_export(collected, 6000)
    assert len(parts) > 3
    assert all(len(part.content) <= 6000 for part in parts)
    tables = [json.loads(ZipFile(BytesIO(part.content)).read("gipf-data.json")) for part in parts]
    assert all(table["your_discord_id"] == str(ANN.user) for table in tables)
    for name, entries in json.loads(whole.content).items():
        assert not isinstance(entries, list) or [e for table in tables for e in table.get(name, ())] == entries
