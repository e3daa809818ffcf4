"""The button Explorer: what was played next, in a finished game and in a study."""

from typing import Any

import pytest
import simcord

from gipfbot.match import position_after
from gipfbot.match.explorer import explored_step
from gipfbot.notation import parse_turn
from gipfbot.rules import STANDARD, distinct_pushes, start
from gipfbot.service.records.explorer import MOST_NEXT_TURNS, steps_of_games
from gipfbot.store import explorer
from gipfbot.ui.kit import texts
from gipfbot.ui.records import explorer as explorer_screen, study_texts
from gipfbot.ui.records.explorer import MOST_STEPS
from gipfbot.values import ExploredTurn
from tests.support.games import CIRCLE, OPENING, PLAYED
from tests.ui.studying import FIRST, NEXT, fill, imported, playing, studied
from tests.ui.table import Desk
from tests.ui.watching.hidden import hidden_game, press_carried
from tests.ui.world import World, counted, custom_ids

pytestmark = pytest.mark.looks_every(60)
EXPLORER, BACK, NEXT_TURN = texts.EXPLORER_LABEL, explorer_screen.BACK_LABEL, explorer_screen.NEXT_RECORDED_LABEL


async def finished(world: World, *turns: str) -> int:
    """Return a game of Ann, White, and Bob with these turns, which Bob has resigned."""
    game = await playing(world, *turns)
    await resigned(world, game)
    return game


async def resigned(world: World, game: int) -> None:
    """Let Bob resign a game, and let the bot count it."""
    update = await world.bot.app.games.resign(game, world.bob.id)
    await world.bot.delivery.deliver(update.owed)
    await world.bot.app.explorer.count_ended()
    await world.env.settle()


async def explored(person: simcord.MemberActor, desk: Desk) -> Desk:
    """Return what the button Explorer of a private message opens."""
    return Desk(person, await person.click(desk.message, label=EXPLORER))


async def test_a_finished_game_is_explored_from_its_start(world: World) -> None:
    """By anybody who sees it. Its own turns are marked, and the games that went the same way can be replayed."""
    await finished(world, *PLAYED[:3])
    await finished(world, PLAYED[0], "i5-g5")
    shown = Desk(world.cara, await world.cara.click(world.public()[-1], label=EXPLORER))
    assert "**Explorer** · Standard · the start" in shown.text
    assert "Played next, in 2 finished games:" in shown.text
    assert "**a2-c2** · played here · 2 games · White won 100 %" in shown.text
    assert "**#b1** Ann vs Bob · **#a1** Ann vs Bob" in shown.text
    assert shown.labels == ["▶ a2-c2", "Replay #b1", "Replay #a1"]
    assert shown.alt
    await shown.press("▶ a2-c2")
    assert "after **1. White a2-c2**" in shown.text
    assert "**i5-g5** · played here · 1 game · White won 100 %" in shown.text
    assert shown.labels == ["▶ f1-d2", "▶ i5-g5", "Replay #b1", "Replay #a1", BACK]
    await shown.press("▶ f1-d2")
    assert "after **1. Black f1-d2**" in shown.text
    assert "**b1-b3** · 1 game" in shown.text
    assert shown.labels == ["▶ b1-b3", "Replay #a1", BACK]
    await shown.press("▶ b1-b3")
    assert explorer_screen.UNKNOWN_POSITION in shown.text
    for _ in range(3):
        assert BACK in shown.labels
        await shown.press(BACK)
    assert shown.labels == ["▶ a2-c2", "Replay #b1", "Replay #a1"]


async def test_sweep_counts_finished_games_aside(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaying turns would hold up everybody's commands."""
    run, aside = world.bot.app.aside.run, list[object]()

    async def note_work(person: int | None, work: Any, *args: object) -> Any:
        aside.append(work)
        return await run(person, work, *args)

    monkeypatch.setattr(world.bot.app.aside, "run", note_work)
    game = await playing(world, *PLAYED[:1])
    await world.bot.app.games.resign(game, world.bob.id)
    await world.bot.sweep.coro(world.bot)
    assert aside == [steps_of_games]
    assert await world.bot.app.explorer.count_ended() == 0
    assert await counted(world, "explored_turns") == 1


async def test_names_come_only_from_games_that_the_person_sees(world: World) -> None:
    """The others are counted all the same."""
    hidden = await hidden_game(world, *PLAYED[:2])
    await resigned(world, hidden.id)
    await finished(world, *PLAYED[:2])
    for person, names in ((world.cara, ["Replay #b1"]), (world.ann, ["Replay #b1", "Replay #a1"])):
        shown = Desk(person, await person.click(world.public()[-1], label=EXPLORER))
        assert "2 games" in shown.text
        assert [label for label in shown.labels if label.startswith("Replay")] == names
        assert ("#a1" in shown.text) == (len(names) == 2)
    await Desk(world.cara, await world.cara.click(world.public()[-1], label=EXPLORER)).press("Replay #b1")


async def test_boards_of_finished_games_lead_to_the_explorer(world: World) -> None:
    """The board of an earlier turn to the position that it shows."""
    await finished(world, *PLAYED[:2])
    assert "explore_game:1:0" in custom_ids(world.public()[-1])
    board = Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game="#a1"))
    assert "the start" in (await explored(world.cara, board)).text
    past = Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game="#a1", turn="1"))
    shown = await explored(world.cara, past)
    assert "after **1. White a2-c2**" in shown.text
    assert shown.labels == ["▶ f1-d2", "Replay #a1", BACK]
    await playing(world, *PLAYED[:2])
    running = Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game="#b1", turn="1"))
    assert EXPLORER not in running.labels


async def test_a_position_with_many_turns_fits_into_a_message(world: World) -> None:
    """The rest is counted in one line."""
    for _ in range(3):
        await finished(world, PLAYED[0])
    second = position_after(start(STANDARD), parse_turn(start(STANDARD), PLAYED[0]))
    steps = [explored_step(second, [push]) for push in distinct_pushes(second)]
    async with world.store.transaction() as db:
        await explorer.add_turns(db, {step: ExploredTurn(step.turn, 1, 2, 3, (1, 2, 3)) for step in steps})
    shown = Desk(world.cara, await world.cara.click(world.public()[-1], label=EXPLORER))
    await shown.press("▶ a2-c2")
    other = len({*steps}) - MOST_NEXT_TURNS
    assert f"And {other} other turns, in {6 * other} finished games." in shown.text
    assert shown.labels[MOST_NEXT_TURNS:] == ["Replay #c1", "Replay #b1", "Replay #a1", BACK]
    assert shown.message.size <= 40


async def test_the_longest_path_ends_without_buttons(world: World) -> None:
    """Turns that lead back to the start could be pressed for ever. A custom_id has room for 12 of them."""
    await resigned(world, await playing(world, *CIRCLE, rules="basic"))
    past = Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game="#a1", turn="4b"))
    shown = await explored(world.cara, past)
    for _ in range(MOST_STEPS):
        await shown.press(shown.labels[0])
    assert "1 game · White won 100 %" in shown.text
    assert shown.labels == ["Replay #a1", BACK]
    await shown.press(BACK)
    assert shown.labels[0].startswith("▶")


async def test_a_study_is_explored_at_the_place_shown(world: World) -> None:
    """Also after turns that were tried. The record itself can be followed where nobody has played."""
    await finished(world, *PLAYED[:2])
    study = await imported(world)
    await study.press(NEXT)
    shown = await explored(world.ann, study)
    assert "**f1-d2** · played here · 1 game" in shown.text
    await shown.press("▶ f1-d2")
    assert (explorer_screen.UNKNOWN_POSITION in shown.text, shown.labels) == (True, [BACK, NEXT_TURN])
    await shown.press(NEXT_TURN)
    assert "after **2. White b1-b3**" in shown.text
    await study.press(FIRST)
    await study.press(study_texts.TRY_TURN_LABEL)
    await fill(study, study_texts.TYPE_TURN_LABEL, "i5-g5")
    tried = await explored(world.ann, study)
    assert "after **1. White i5-g5**" in tried.text
    await tried.press(BACK)
    assert "the start" in tried.text
    await tried.press("▶ a2-c2")
    assert "after **1. White a2-c2**" in tried.text


async def test_position_of_a_running_game_of_the_person_is_shown(world: World) -> None:
    """As an opening book is allowed in correspondence chess; also after six turns, and in a study of that game."""
    await finished(world, *PLAYED, OPENING[6])
    result = world.public()[-1]
    await playing(world, *PLAYED)
    shown = Desk(world.ann, await world.ann.click(result, label=EXPLORER))
    for turn in PLAYED:
        await shown.press(next(label for label in shown.labels if label.startswith(f"▶ {turn[:5]}")))
    assert OPENING[6] in shown.text
    study = await studied(world, 2)
    assert OPENING[6] in (await explored(world.ann, study)).text


async def test_an_outdated_or_forged_button_shows_nothing(world: World) -> None:
    await finished(world, *PLAYED[:2])
    study = await imported(world)
    await study.press(study_texts.TRY_TURN_LABEL)
    await fill(study, study_texts.TYPE_TURN_LABEL, "i5-g5")
    button = next(item["custom_id"] for row in study.message.rows for item in row if item["label"] == EXPLORER)
    await study.press(study_texts.BACK_TO_RECORD_LABEL)
    for custom_id in (button, "explored_game:1:0:0:AAAA:", "explored_study:1:900:9:AAAA:"):
        assert "changed meanwhile" in await press_carried(world, world.ann, custom_id)
    start = await explored(world.ann, study)
    held = next(item["custom_id"] for row in start.message.rows for item in row if item["label"] == "▶ a2-c2")
    for path in ("AAAA", "A", "AAAA" * 12):
        forged = f"{held.rpartition(':')[0].replace(':1:0:', ':0:0:', 1)}:{path}"
        assert "meanwhile" in await press_carried(world, world.ann, forged)
    assert "There is no such study" in await press_carried(world, world.cara, button)
    assert "There is no such game" in await press_carried(world, world.cara, "explore_game:99:0")
