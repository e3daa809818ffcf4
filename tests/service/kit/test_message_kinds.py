"""Kinds of messages: what follows on their events, and which there are."""

import pytest

from gipfbot.service.app import message_kinds
from gipfbot.service.delivery.venues import THREAD_KIND
from gipfbot.service.kit.message_kinds import Followups, MessageKind, MessageKinds
from gipfbot.service.watching.follows import FOLLOWED


async def test_followups_run_in_the_order_of_their_registration() -> None:
    event, ran = Followups[[str, int]](), list[tuple[str, str, int]]()

    @event
    async def first(name: str, number: int) -> None:
        ran.append(("first", name, number))

    @event
    async def second(name: str, number: int) -> None:
        ran.append(("second", name, number))

    await event.run("a", 1)
    await second("b", 2)
    assert ran == [("first", "a", 1), ("second", "a", 1), ("second", "b", 2)]


def test_kinds_are_found_wherever_they_are_defined() -> None:
    kinds = message_kinds()
    assert len(kinds) > 20
    assert kinds["followed"] is FOLLOWED
    assert [kind for kind in kinds.values() if not kind.is_message] == [THREAD_KIND]
    assert len({kind.name for kind in kinds.values()}) == len(kinds), "an export tells them apart"


def test_two_kinds_with_one_key_are_refused() -> None:
    with pytest.raises(ValueError, match="two kinds of messages have the key nudge: give one of them another"):
        MessageKinds([*message_kinds().values(), MessageKind("nudge", "another nudge")])


def test_nothing_follows_on_a_kind_of_a_newer_version() -> None:
    """An export calls it by its key, and a deletion looks where most kinds hold people."""
    unknown = message_kinds()["later"]
    assert (unknown, unknown.name, unknown.direct, unknown.check) == ("later", "later", False, None)
    assert "later" not in message_kinds()
    assert {"user", "by"} <= {*unknown.people}
