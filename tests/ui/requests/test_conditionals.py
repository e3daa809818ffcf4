"""Conditional turns as players see them: added, listed, withdrawn, played, dropped. Nobody else sees them."""

import json
import re
from dataclasses import replace

import pytest
from simcord.results import InteractionResult

from gipfbot.match.conditionals import read_conditional
from gipfbot.notation import OFFICIAL
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.refusal_texts import RULE_LABEL
from gipfbot.ui.records import study_texts
from gipfbot.ui.requests import conditionals
from tests.support.times import DAY, HOUR
from tests.ui.table import Desk, typing_form
from tests.ui.timed_games import SHUT, letters, limited
from tests.ui.world import FOR_EVER, World, board_ids, buttons, custom_ids, labels, options, private, told

IF, AGAIN = conditionals.IF_LABEL, conditionals.TRY_AGAIN_LABEL


async def left(world: World, turns: str, **named: str) -> str:
    """Let Bob add a line, and return the answer."""
    return told(await world.bob.slash(world.channel, "gipf if", turns=turns, **named))


async def test_conditional_turn_is_played_at_once_and_announced(world: World) -> None:
    """The board of the first turn pings nobody. The next one pings the player to move."""
    game_id = await world.begin("basic")
    said = await left(world, "1. c2 g2 2. b3 h3")
    when = "If Ann plays what you planned for, your answer is played at once. Nobody sees it until then."
    assert said.splitlines() == [
        "**#a1** vs Ann",
        f"Saved. {when}",
        "1. if they play b1 → c2, you play g1 → g2, then if they play a2 → b3, you play i2 → h3",
    ]
    listed = told(await world.bob.slash(world.channel, "gipf if"))
    assert listed.splitlines()[1] == f"You have 1 plan here. {when}"
    assert len(world.public()) == 2, "nobody else is told"
    answer = private(await world.ann.slash(world.channel, "move", notation="c2"))
    assert "Played **b1 → c2**" in answer.content
    assert "Bob played g1 → g2 (planned)." in answer.content
    assert labels(answer) == ["Next: #a1 vs Bob"]
    first, second = world.public()[-2:]
    assert f"[The newest board]({second.jump_url})" in answer.content
    assert first.content.splitlines()[0] == "#a1 · Ann played b1 → c2 · Bob's planned answer follows"
    posts = [call.json for call in world.env.http_requests if call.path == f"/channels/{world.channel.id}/messages"]
    assert re.findall('"custom_id": "([a-z_]+)', json.dumps(posts[-2])) == ["my_games"]
    assert world.pings(first) == set()
    ping = f"<@{world.ann.id}>"
    assert second.content.splitlines()[0] == f"{ping} your turn · game #a1 vs Bob · Bob played g1 → g2 (planned)"
    assert (world.pings(second), custom_ids(second)) == ({world.ann.id}, board_ids(game_id, 2))
    assert "1. if they play a2 → b3, you play i2 → h3" in told(await world.bob.slash(world.channel, "gipf if"))


async def test_the_list_says_that_a_plan_came_true(world: World) -> None:
    """First that both have played, then that the turn was planned. The opponent reads it as well."""
    await world.begin("basic")
    await left(world, "c2 g2")
    await world.ann.slash(world.channel, "move", notation="c2")
    first, then = [told(await world.bob.slash(world.channel, "gipf games")).splitlines() for _ in range(2)]
    assert "**New:** Ann played, and you answered g1 → g2 (planned)" in first
    assert "**1. Black:** g1 → g2 (planned)" in then
    assert (
        "**New:** Bob played g1 → g2 (planned)" in told(await world.ann.slash(world.channel, "gipf games")).splitlines()
    )
    await world.ann.slash(world.channel, "move", notation="b3")
    assert "(planned)" not in told(await world.bob.slash(world.channel, "gipf games"))


async def test_line_that_does_not_fit_is_dropped_and_told(world: World) -> None:
    await world.begin("basic")
    await left(world, "c2 g2")
    await world.ann.slash(world.channel, "move", notation="b3")
    assert labels(private(await world.bob.slash(world.channel, "gipf board")))[0] == "Move"
    await world.env.advance_time(20)
    (letter,) = letters(world, world.bob)
    first, dropped, turn = letter.content.splitlines()
    assert first == "#a1 vs Ann: Ann played a2 → b3"
    assert dropped == "This plan can't be played any more, so it was dropped: if they play b1 → c2, you play g1 → g2."
    assert (turn, buttons(letter)) == ("It's your turn.", ["Move"])
    assert "1 plan was dropped: Ann played something else." in told(await world.bob.slash(world.channel, "move"))
    assert all("dropped" not in message.content for message in world.public())


async def test_dropped_line_is_told_where_messages_are_closed(world: World) -> None:
    """The direct messages are noted as closed. The game stays reachable."""
    game_id = await world.begin("basic")
    world.fail("POST", f"/channels/{world.bob.user.dm_channel.id}/messages", *SHUT, times=FOR_EVER)
    await left(world, "c2 g2")
    await world.ann.slash(world.channel, "move", notation="b3")
    await world.env.advance_time(20)
    assert not (await world.stored(game_id)).unreachable
    assert "was dropped: Ann played something else." in told(
        await world.bob.slash(world.channel, "gipf if", game="#a1")
    )
    assert "can't send you direct messages" in told(await world.bob.slash(world.channel, "gipf-me reminders"))


async def test_lines_are_added_by_form_and_withdrawn(world: World) -> None:
    """A form or button of an earlier turn changes nothing."""
    await world.begin("basic")
    played = private(await world.ann.slash(world.channel, "move", notation="c2"))
    assert labels(played) == [IF]
    form = await typing_form(world.ann, played, IF)
    answer = await world.ann.submit_modal(form, {"text": "g2 c2"})
    assert "**White's turn 2**, your answer: " in told(answer)
    assert "You wrote `g2 c2`." in told(answer)
    assert labels(private(answer)) == [AGAIN, RULE_LABEL]
    again = await world.ann.click(private(answer), label=AGAIN)
    assert "'value': 'g2 c2'" in str(again.modal)
    kept = private(await world.ann.submit_modal(again, {"text": "g2 b3"}))
    assert "1. if they play g1 → g2, you play a2 → b3" in kept.content
    assert labels(kept) == ["Withdraw 1", IF, "All games"]
    form = await typing_form(world.ann, played, IF)
    later = await typing_form(world.ann, played, IF)
    await world.bob.slash(world.channel, "move", notation="g2")
    assert (await world.game()).turn_number == 3
    assert "moved on" in told(await world.ann.submit_modal(form, {"text": "h3 b4"}))
    late = told(await world.ann.submit_modal(later, {"text": "h3 b4"}))
    assert late == (
        "The game has moved on since: Ann played **a2 → b3**, the last of 2 turns.\n"
        "Nothing was saved.\nYou wrote `h3 b4`."
    )
    kept = private(await world.ann.slash(world.channel, "gipf if", turns="h3 b4"))
    gone = private(await world.ann.click(kept, label="Withdraw 1"))
    assert "You have no plan here" in gone.content
    assert labels(gone) == [IF]
    board = private(await world.ann.slash(world.channel, "gipf board"))
    kept = private(await world.ann.submit_modal(await typing_form(world.ann, board, IF), {"text": "if h3 then b4"}))
    assert "1. if they play i2 → h3, you play a3 → b4" in kept.content
    assert IF not in labels(private(await world.bob.slash(world.channel, "gipf board")))


async def test_line_tried_in_a_study_is_kept(world: World) -> None:
    await world.begin("basic")
    await world.ann.slash(world.channel, "move", notation="c2")
    board = private(await world.ann.slash(world.channel, "gipf board"))
    desk = Desk(world.ann, await world.ann.click(board, label="Study"))
    await desk.press(study_texts.TRY_TURN_LABEL)
    for text in ("g2", "b3"):
        assert conditionals.KEEP_CONDITIONALS_LABEL not in desk.labels
        await world.ann.submit_modal(
            await world.ann.click(desk.message, label=study_texts.TYPE_TURN_LABEL), {"text": text}
        )
    answer = await world.ann.click(desk.message, label=conditionals.KEEP_CONDITIONALS_LABEL)
    assert "1. if they play g1 → g2, you play a2 → b3" in told(answer)
    assert conditionals.KEEP_CONDITIONALS_LABEL in desk.labels, "the study stays"
    await world.bob.slash(world.channel, "move", notation="g2")
    assert (await world.game()).turn_number == 3


async def test_what_was_left_out_of_a_line_is_told(world: World) -> None:
    """Move numbers are not compared: many people count a line from 1."""
    await world.begin("basic")
    answer = await left(world, "5. c2 (12) g2! (3) 6. b3 {good} h3 (or h4)")
    assert answer.splitlines()[:4] == [
        "⚠ 1. White has 11 in reserve after this turn, not 12.",
        "⚠ 1… Black has 11 in reserve after this turn, not 3.",
        "⚠ “\\(or h4\\)” was skipped.",
        "⚠ The comment “good” was not kept.",
    ]
    assert "1. if they play b1 → c2, you play g1 → g2, then if they play a2 → b3, you play i2 → h3" in answer
    assert "⚠" not in await left(world, "1. c2 (11) 1... g2 (11)")
    assert "say that Black is to move" in await left(world, "1... c2 g2")


async def test_impossible_line_is_refused_and_quoted(world: World) -> None:
    await world.begin("basic")
    for turns, said in {
        "c2": "Your last answer is missing",
        "c2 g2 c2": "Your last answer is missing",
        " ".join(["c2 g2"] * 6): "goes too deep",
        "e1-e3 e5": "**Black's turn 1**, your answer: ",
        "e1 e5": "Understood as 1 turn: `e1-e5`.",
        "e5 e9": "**White's turn 1**, Ann's turn: ",
        "c2 g2 " * 400: "too long",
    }.items():
        answer = await left(world, turns)
        assert said in answer
        assert len(turns) > conditionals.LONGEST_LINE or f"You wrote `{turns}`." in answer
    assert "no plan here" in told(await world.bob.slash(world.channel, "gipf if"))


def typed_before(form: InteractionResult) -> str | None:
    """Return the text with which a form opens."""
    assert form.modal, "no form was opened"
    (label,) = form.modal["components"]
    value: str | None = label["component"].get("value")
    return value


async def test_the_next_form_has_the_refused_text_back(world: World) -> None:
    await world.begin("basic")
    shown = private(await world.bob.slash(world.channel, "gipf board"))
    assert typed_before(await typing_form(world.bob, shown, IF)) is None
    long = "c2  `g2`\n" * 150
    refused = private(await world.bob.slash(world.channel, "gipf if", turns=long))
    assert "…`." in refused.content
    assert typed_before(await world.bob.click(refused, label=AGAIN)) == long.strip()
    assert typed_before(await typing_form(world.bob, shown, IF)) == long.strip()
    await left(world, "c2 g2")
    assert typed_before(await typing_form(world.bob, shown, IF)) is None, "it was kept after all"
    await left(world, "no turn")
    for person, turn in ((world.ann, "b3"), (world.bob, "h3")):
        await person.slash(world.channel, "move", notation=turn)
    later = private(await world.bob.slash(world.channel, "gipf board"))
    assert typed_before(await typing_form(world.bob, later, IF)) is None, "it was written for another turn"


async def test_form_opens_without_a_query_and_empty_after_a_restart(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begin("basic")
    refused = private(await world.bob.slash(world.channel, "gipf if", turns="c2 c2"))
    with monkeypatch.context() as patch:
        for query in ("reading", "transaction"):
            patch.delattr(type(world.store), query)
        assert typed_before(await world.bob.click(refused, label=AGAIN)) == "c2 c2"
    await world.restart()
    assert typed_before(await world.bob.click(refused, label=AGAIN)) is None


@pytest.mark.simcord(settle_timeout=60)
@pytest.mark.looks_every(3)
async def test_no_line_is_kept_where_any_turn_ends_the_game(world: World) -> None:
    """The opponent is flagged. Lines added before are still listed, with the reason why they cannot be played."""
    await limited(world)
    before = private(await world.bob.slash(world.channel, "gipf board"))
    form = await typing_form(world.bob, before, IF)
    assert "1. if they play b1 → c2, you play g1 → g2" in await left(world, "c2 g2")
    await world.env.advance_time(3 * DAY + 6 * HOUR)
    late = texts.NO_ANSWER_FOLLOWS
    assert (await left(world, "b3 h3")).startswith(f"{late}\n{conditionals.NOTHING_KEPT}\nYou wrote `b3 h3`.")
    assert late in told(await world.bob.submit_modal(form, {"text": "b3 h3"}))
    assert late in told(await world.bob.click(before, label=IF))
    listed = private(await world.bob.slash(world.channel, "gipf if"))
    assert listed.content.endswith(f"{late}\n1. if they play b1 → c2, you play g1 → g2")
    assert labels(listed) == ["Withdraw 1"]
    assert IF not in labels(private(await world.bob.slash(world.channel, "gipf board")))


async def test_line_without_room_is_shown_in_fewer_words(world: World) -> None:
    game = await world.game(await world.begin("basic"))
    turns = read_conditional(game, world.bob.id, "c2 g2 b3 h3")
    words = "if they play b1 → c2, you play g1 → g2, then if they play a2 → b3, you play i2 → h3"
    for newcomer, room, said in (
        (False, 120, f"{words} (also written `c2 g2 b3 h3`)"),
        (False, 85, words),
        (False, 20, "c2 g2 b3 h3"),
        (False, 8, "c2 g2 b…"),
        (True, 120, words),
        (True, 20, "if they play b1 → c…"),
    ):
        shown = replace(game, terms=replace(game.terms, newcomer=newcomer))
        assert conditionals.listed_line_text(shown, game.position, turns, OFFICIAL, room) == said


async def test_typed_line_is_kept_while_the_game_is_chosen(world: World) -> None:
    assert await left(world, "c2 g2") == texts.NO_RUNNING_GAMES
    for _ in range(2):
        await world.begin("basic")
    assert told(await world.ann.slash(world.channel, "gipf if")) == conditionals.NO_OPPONENT_TO_MOVE
    asked = private(await world.bob.slash(world.channel, "gipf if", turns="c2 g2"))
    assert "In which game" in asked.content
    chosen = await world.bob.select(asked, [options(asked)["#b1 vs Ann"]])
    assert "**#b1** vs Ann" in private(chosen).content
    assert len(await world.bob.autocomplete(world.channel, "gipf if", "game", "")) == 2
    assert await world.ann.autocomplete(world.channel, "gipf if", "game", "") == []
    await world.bot.app.games.resign(2, world.bob.id)
    assert "is over" in told(await world.bob.slash(world.channel, "gipf if", game="#b1"))
    assert "do not play" in told(await world.cara.slash(world.channel, "gipf if", game="#a1", turns="c2 g2"))
    assert "your turn" in told(await world.ann.slash(world.channel, "gipf if", game="#a1", turns="c2 g2"))


async def test_games_to_plan_in_are_offered_at_once_the_most_urgent_first(world: World) -> None:
    """Before anything is typed. A game without time limit is the least urgent, however long it waits."""
    await world.begin("basic")
    for _ in range(2):
        await limited(world)
    offered = await world.bob.autocomplete(world.channel, "gipf if", "game", "")
    assert [choice["value"] for choice in offered] == ["#b1", "#c1", "#a1"]
