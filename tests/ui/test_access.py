"""Everybody may use what the table in `access_table.py` says, and nothing else.

People who may not see a game learn nothing of it, and no answer but a turn or a request reaches the channel.
"""

from dataclasses import dataclass, replace
from typing import Any

import pytest
import simcord

from gipfbot.ui.kit import refusal_texts, texts
from gipfbot.ui.kit.interactions import KINDS
from gipfbot.ui.lobby import lobby_texts

from .access_table import COMMANDS_TABLE, COMPONENTS, PEOPLE, Row
from .club import STATES, Club, club, use_command
from .forged import answered_text
from .slash_commands import command_names
from .stored_rows import Rows, StoredRows, stored_rows
from .world import World, buttons

pytestmark = pytest.mark.looks_every(60)
NOT_GIVEN = "default-member-permissions"  # Discord itself does not let the person give the command
REFUSALS = (
    texts.CANNOT_SEE_GAME,
    texts.PLAYED_ELSEWHERE,
    texts.NOT_YOUR_GAME,
    texts.UNKNOWN_BUTTON,
    texts.ONLY_FOR_MANAGERS,
    lobby_texts.CANNOT_SEE_SEEK,
    lobby_texts.OWN_CHALLENGE_DECLINED,
)


def test_table_has_a_row_for_each_command_and_component() -> None:
    components, commands = {row.use.partition(":")[0] for row in COMPONENTS}, [row.use for row in COMMANDS_TABLE]
    file = "tests/ui/access_table.py, who may use"
    assert not (new := {*KINDS} - components), f"say in COMPONENTS of {file} what begins with: {new}"
    assert not (new := {*command_names()} - {*commands}), f"say in COMMANDS_TABLE of {file}: {new}"
    assert components == {*KINDS}, f"take out of COMPONENTS in {file} them: {components - {*KINDS}}"
    assert sorted(commands) == sorted(command_names()), "each command has one row there"
    for row in (*COMPONENTS, *COMMANDS_TABLE):
        for allowed in (row.running, row.over, row.asked):
            assert len(allowed) in (0, len(PEOPLE)), row
            assert {*allowed} <= {*"+o-"}, row


@dataclass
class Judge:
    """Tells what an interaction did: `refused` lists the refusals that it raised.

    `seen` is what matters of the rows `before`, which are stored again after each change.
    """

    club: Club
    rows: StoredRows
    before: Rows
    seen: list[Any]
    refused: list[object]

    async def outcome(self, person: str, state: str, row: Row) -> tuple[str, str]:
        """Return the letter of the table for what happened, and what the person was told."""
        self.refused.clear()
        sender, world = self.club.senders[person], self.club.world
        values = [self.club.fill(value, state) for value in row.values]
        use = self.club.fill(row.use, state)
        if row in COMMANDS_TABLE:
            try:
                answer = await use_command(self.club, person, use, values)
            except simcord.SetupError as refusal:
                if NOT_GIVEN not in str(refusal):
                    raise
                return "-", NOT_GIVEN
        else:
            answer = await sender.send(use, *values, form=row.form)
        await world.env.settle()
        said = answered_text(answer)
        assert answer.modal or said, (person, use)
        if self.rows.seen_values() != self.seen:
            self.rows.restore(self.before)
            return "+", said
        return "-" if self.refused or any(text in said for text in REFUSALS) else "o", said


async def test_no_press_replaces_a_public_message_of_others(world: World) -> None:
    """Whatever a modified client claims to press there. Only the row of buttons of an outdated board goes."""
    known = await club(world)
    public = next(message for message in world.public() if message.attachments and "Move" in buttons(message))
    sender, wrong = replace(known.senders["mover"], carrier=public.id), []
    with stored_rows(world) as rows:
        before = rows.all()
        for row in COMPONENTS:
            for state in (state for state in STATES if getattr(row, state)):
                values = [known.fill(value, state) for value in row.values]
                await sender.send(known.fill(row.use, state), *values, form=row.form)
                await world.env.settle()
                now = next(message for message in world.public() if message.id == public.id)
                if (now.content, now.attachments) != (public.content, public.attachments):
                    wrong.append(f"{row.use} {state}: {now.content}")
                rows.restore(before)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("table", [COMPONENTS, COMMANDS_TABLE], ids=["components", "commands"])
async def test_everybody_may_do_what_the_table_says(
    world: World, table: tuple[Row, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[object] = []
    told = refusal_texts.refusal_text

    def noted(refusal: Any) -> str:
        refused.append(refusal)
        return told(refusal)

    known = await club(world)
    monkeypatch.setattr(refusal_texts, "refusal_text", noted)
    with stored_rows(world) as rows:
        judge, wrong = Judge(known, rows, rows.all(), rows.seen_values(), refused), []
        for row in table:
            for state in STATES:
                for person, expected in zip(PEOPLE, getattr(row, state), strict=False):
                    found, said = await judge.outcome(person, state, row)
                    if found != expected:
                        wrong.append(f"{row.use} {state} {person}: {found} for {expected}: {said[:90]!r}")
                    if person in ("hidden", "stranger") and "{game}" in row.use + "".join(row.values):
                        assert "Bob" not in said, (row, state, person, said)
    assert not wrong, "\n".join(wrong)
