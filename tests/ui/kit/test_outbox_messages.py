"""Each kind of message has one function that builds it, and the bot does not start otherwise."""

import pytest

from gipfbot.service.app import create_app, message_kinds
from gipfbot.service.kit.message_kinds import MessageKind, MessageKinds
from gipfbot.store import Store
from gipfbot.ui.bot import GipfBot, message_builders
from gipfbot.ui.kit.outbox_messages import OutboxMessage, by_kind, outbox_message

POKE = MessageKind("poke", "poke")
SENTENCES = {
    "no builder": "no function builds messages of the kind poke: @outbox_message in ui marks one",
    "no kind": f"{__name__}.build_poke builds messages of the kind poke, which the service does not define",
    "two builders": f"{__name__}.build_poke is the second function that builds messages of the kind poke",
}


@outbox_message(POKE)
async def build_poke(*_: object) -> OutboxMessage:
    """Say something."""
    return OutboxMessage("Hey!")


@pytest.mark.parametrize("how", SENTENCES)
def test_kinds_and_builders_that_do_not_fit_are_told_at_the_start(store: Store, how: str) -> None:
    kinds = message_kinds() if how == "no kind" else MessageKinds([*message_kinds().values(), POKE])
    more = {
        "no builder": [],
        "no kind": [build_poke],
        "two builders": [build_poke, outbox_message(POKE)(build_poke.build)],
    }
    app = create_app(store, lambda: 0, lambda: True, kinds=kinds)
    with pytest.raises(ValueError, match=SENTENCES[how]):
        GipfBot(app, builders=[*message_builders(), *more[how]])


def test_each_kind_of_the_product_has_a_builder() -> None:
    builders = by_kind(message_builders(), message_kinds())
    assert len(builders) == len(message_kinds()) - 1, "but for threads"
    assert all(key == builder.kind for key, builder in builders.items())
