"""Each kind of message has one function that builds it, and the bot does not start otherwise."""

import re
from collections.abc import Iterator
from importlib import import_module

import pytest

from gipfbot.service.app import create_app, message_kinds
from gipfbot.service.kit.message_kinds import MessageKind, MessageKinds
from gipfbot.store import Store
from gipfbot.ui.bot import GipfBot, message_builders
from gipfbot.ui.kit.outbox_messages import OutboxMessage, by_kind, outbox_message
from tests.support.paths import HOUSE

POKE, WAVE = MessageKind("poke", "poke"), MessageKind("wave", "wave")
SENTENCES = {
    "no builder": "nothing builds messages of the kind poke: add an @outbox_message to its room of ui",
    "no kind": f"{__name__}.build_poke builds messages of the kind poke, which the service does not define",
    "two builders": f"{__name__}.build_poke is the second function that builds messages of the kind poke",
}


@outbox_message(POKE)
async def build_poke(*_: object) -> OutboxMessage:
    """Say something."""
    return OutboxMessage("Hey!")


@pytest.mark.parametrize("how", SENTENCES)
def test_kinds_and_builders_that_do_not_fit_are_told_at_the_start(store: Store, how: str) -> None:
    """The bot has no other kinds, so that none of the product is told instead."""
    build_wave = outbox_message(WAVE)(build_poke.build)
    builders = {
        "no builder": [build_wave],
        "no kind": [build_wave, build_poke],
        "two builders": [build_wave, build_poke, outbox_message(POKE)(build_poke.build)],
    }
    kinds = MessageKinds([WAVE] if how == "no kind" else [WAVE, POKE])
    app = create_app(store, lambda: 0, lambda: True, kinds=kinds)
    with pytest.raises(ValueError, match=SENTENCES[how]):
        GipfBot(app, builders=builders[how])


def test_each_kind_of_the_product_has_a_builder() -> None:
    built = {builder.kind for builder in message_builders()}
    for kind in message_kinds().values():
        assert kind in built or not kind.is_message, sentence_without_builder(kind)
    builders = by_kind(message_builders(), message_kinds())
    assert len(builders) == len(message_kinds()) - 1, "but for threads"
    assert all(key == builder.kind for key, builder in builders.items())


def sentence_without_builder(kind: MessageKind) -> str:
    """Return what to write for a kind that no function builds, and where the builders of its room are."""
    name, file = next((name, file) for name, file, found in definitions() if found is kind)
    room = file.split("/")[2]
    files = sorted({f"{builder.build.__module__.replace('.', '/')}.py" for builder in message_builders()})
    where = " or ".join(each for each in files if each.split("/")[2] == room) or f"a file of gipfbot/ui/{room}"
    return f"nothing builds {name} of {file}: write a function, marked by @outbox_message({name}), into {where}"


def definitions() -> Iterator[tuple[str, str, object]]:
    """Yield the name of each kind in the service, the file that defines it, and the kind."""
    for path in sorted((HOUSE / "gipfbot" / "service").glob("*/*.py")):
        file = path.relative_to(HOUSE)
        for name in re.findall(r"^(\w+) = MessageKind\(", path.read_text(encoding="utf-8"), re.MULTILINE):
            yield name, str(file), getattr(import_module(".".join(file.with_suffix("").parts)), name)
