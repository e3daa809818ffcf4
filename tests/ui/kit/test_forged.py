"""Forged and malformed `custom_id`s, choices and forms do nothing, and each is answered in a sentence."""

import re
from collections.abc import Iterator
from itertools import islice

import pytest

from gipfbot.ui.kit import texts
from gipfbot.ui.kit.game_picker import PICKED_GAME_HANDLERS
from gipfbot.ui.kit.interactions import KINDS
from tests.support.effort import amount
from tests.support.games import PLAYED
from tests.ui.forged import Forger, answered_text, direct_forger, forger
from tests.ui.studying import playing
from tests.ui.world import World

pytestmark = pytest.mark.looks_every(60)
NUMBERS = ("0", "2", str(2**63 - 1), str(2**63), "9" * 20)
ODD_TEXTS = ("", "x" * 60, "9" * 60, "2:9:99", "\n;'--\u202e\x00", "²", "zz", "R9.9")
PART = re.compile(r"\{\w+(?::([^}]+))?\}")


def forged_ids(name: str) -> Iterator[str]:
    """Yield odd `custom_id`s of a kind: some that fit its pattern and name what is not there, and some that do not."""
    yield name
    yield from (f"{name}:{text}" for text in ODD_TEXTS)
    yield from (fitting_id(name, odd) for odd in range(len(NUMBERS)))


def fitting_id(name: str, odd: int) -> str:
    """Return a `custom_id` that fits the pattern of a kind, with the odd part of this number in each place."""
    source = KINDS[name].source.replace(".*}", "\0}")
    filled: str = PART.sub(lambda part: _odd_part((part[1] or "").replace("\0", ".*"), odd), source)
    return f"{name}:{filled.replace('.*', 'x')}"[:100]


def _odd_part(expression: str, odd: int) -> str:
    words: list[str] = re.findall(r"[^|()\[\]]+", expression)
    tried = (*NUMBERS, *ODD_TEXTS, *words) if expression else NUMBERS
    fitting = [text for text in tried if not expression or re.fullmatch(expression, text, re.DOTALL)]
    return fitting[odd % len(fitting)]


def test_most_forged_ids_fit() -> None:
    for name, kind in KINDS.items():
        rest = fitting_id(name, 1).partition(":")[2]
        assert kind.pattern.fullmatch(rest), name


async def assert_answered(sender: Forger, custom_id: str, *values: str, form: bool = False) -> None:
    """Send something odd. Assert that it is answered by a sentence, or with a form."""
    result = await sender.send(custom_id, *values, form=form)
    said = answered_text(result)
    assert result.modal or said, (custom_id, values, form)
    assert texts.SOMETHING_WENT_WRONG not in said, (custom_id, values, form)


@pytest.mark.parametrize("direct", [False, True])
async def test_forged_presses_change_no_game(world: World, direct: bool) -> None:
    """Errors in the log fail the test, too. Of the `custom_id`s, every third is sent in direct messages."""
    await playing(world, *PLAYED[:2])
    sender = await (direct_forger(world, world.cara) if direct else forger(world, world.cara, world.channel))
    before, posted = await world.stored(), len(world.public())
    for name in sorted(KINDS.keys() - {"post_seek"}):
        for custom_id in islice(forged_ids(name), 0, None, amount(test=3, long=1) if direct else 1):
            await assert_answered(sender, custom_id)
        for value in ("9" * 20, "no number", "\x00\u202e'--"):
            await assert_answered(sender, fitting_id(name, 1), value)
            await assert_answered(sender, fitting_id(name, 1), value, form=True)
        await assert_answered(sender, fitting_id(name, 1), form=True)
    assert await world.stored() == before
    assert len(world.public()) == posted


@pytest.mark.parametrize("detail", ["", ":", "x", "text:9", "x:y:1:2", "slow:medium:1:99999999999999999999", "9" * 60])
async def test_forged_details_of_a_picked_game(world: World, detail: str) -> None:
    await playing(world, *PLAYED[:2])
    sender, before = await forger(world, world.cara, world.channel), await world.stored()
    for verb in PICKED_GAME_HANDLERS:
        for value in ("1", "2", str(2**63 - 1)):
            await assert_answered(sender, f"pick_game:{verb}:{detail}"[:100], value)
    assert await world.stored() == before
