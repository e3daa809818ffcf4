"""A potential of our own is a row of the table of powers, a letter and an outline. The bot then plays it."""

import pytest

from gipfbot.match import position_after
from gipfbot.match.study import study_game
from gipfbot.notation import parse_turn
from gipfbot.rules import Position, start, with_potentials
from gipfbot.rules.powers import POWERS, Power
from gipfbot.rules.rulesets import TOURNAMENT
from gipfbot.ui.records import study_texts
from render.piece_sprites import OUTLINES, rounded_hexagon
from tests.rules.loaded import step_targets
from tests.ui.studying import fill_import
from tests.ui.table import Desk, open_desk, play_at
from tests.ui.world import World, private, told

TURNS = "Gd2 Gd7 Sf2 Gb5 Sf2>f3 Sh5 Sg2 Sh5>g6 b2 h3 Sg2>g3 b4"


@pytest.fixture(autouse=True)
def _stepper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POWERS, "S", Power("STEP", step_targets, jump="steps onto an adjacent vacant spot"))
    monkeypatch.setitem(OUTLINES, "S", rounded_hexagon)


async def played(world: World) -> Position:
    """Return the position of a game with steps after TURNS, each of them played by buttons."""
    position = start(with_potentials(TOURNAMENT, (("S", 3),)))
    game_id = await world.prepared(position)
    for text in TURNS.split():
        actions = parse_turn(position, text)
        await play_at(await open_desk(world, game_id), position, actions)
        position = position_after(position, actions)
        assert (await world.game(game_id)).position == position
    return position


async def test_a_game_with_it_is_played_by_pressing_exported_and_imported(world: World) -> None:
    position = await played(world)
    (file,) = private(await world.ann.slash(world.channel, "gipf record", game="#a1")).attachments
    text = (await file.read()).decode()
    assert '[Rules "Tournament+S3"]' in text
    assert "Sf2>f3" in text
    study = Desk(world.ann, await fill_import(world, {"file": ("a1.gipf", text.encode())}))
    assert "Tournament with 3 STEP" in study.text
    await study.press(study_texts.LAST_TURN_LABEL)
    stored = await world.bot.app.studies.study(1, world.ann.id)
    assert study_game(stored.study).position == position


async def test_it_is_drawn_described_offered_and_explained(world: World) -> None:
    position = start(with_potentials(TOURNAMENT, (("S", 3),)))
    for text in TURNS.split()[:6]:
        position = position_after(position, parse_turn(position, text))
    await world.prepared(position)
    desk = await open_desk(world)
    assert "STEP" in desk.alt
    assert "Choose the dot for the new STEP-piece." in desk.text
    choices = await world.ann.autocomplete(world.channel, "move", "notation", "s")
    assert "#a1@0.0.0 Sg2" in {choice["value"] for choice in choices}
    said = told(await world.ann.slash(world.channel, "move", notation="Sf3>f5"))
    assert "no piece with a STEP-potential on f3" in said
