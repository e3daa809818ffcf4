"""Log one line for each command, press, choice and form: what was used, how long it took, how it ended.

The line holds no typed text and no name.
"""

import logging
import time
from enum import StrEnum
from typing import Any

import discord

from gipfbot.match import Refused

from .client import AnyInteraction, Interaction
from .components import split_mark

log = logging.getLogger(__name__)
UNKNOWN = "unknown"
_BEGAN, _GAME, _ACKNOWLEDGED, _REFUSED = "began", "game", "acknowledged", "refused"  # keys in `extras`
KNOWN_KINDS = set[str]()  # kinds of buttons and forms, by the start of their `custom_id`s


class Outcome(StrEnum):
    """How an interaction ended."""

    ANSWERED = "answered"
    REFUSED = "refused"
    MALFORMED = "malformed"
    FAILED = "failed"
    TOO_FAST = "too fast"
    TOO_LATE = "too late"


def begin_request(interaction: AnyInteraction) -> None:
    """Note when the bot began to handle an interaction."""
    interaction.extras[_BEGAN] = time.perf_counter()


def note_game(interaction: AnyInteraction, game: int) -> None:
    """Note which game an interaction is about."""
    interaction.extras[_GAME] = game


def note_refusal(interaction: AnyInteraction, refusal: Exception) -> None:
    """Note that a handler has refused a request, and has told the person why."""
    interaction.extras[_REFUSED] = refusal_class(refusal)


def refusal_class(refusal: Exception) -> str:
    """Return the reason of a refusal, or the kind of an error in a typed text. Never quotes the text."""
    return refusal.why.value if isinstance(refusal, Refused) else type(refusal).__name__.lstrip("_")


def note_acknowledged(interaction: Interaction) -> None:
    """Note that an interaction is acknowledged. Later calls change nothing."""
    if _ACKNOWLEDGED not in interaction.extras:
        interaction.extras[_ACKNOWLEDGED] = True
        interaction.client.figures.acknowledgement_seconds.observe(_seconds_since_begin(interaction))


def end_request(interaction: Interaction, outcome: Outcome, why: str = "") -> None:
    """Log and count an interaction that has ended. `why` says which refusal or error ended it."""
    if interaction.response.is_done():
        note_acknowledged(interaction)
    if outcome is Outcome.ANSWERED and _REFUSED in interaction.extras:
        outcome, why = Outcome.REFUSED, interaction.extras[_REFUSED]
    use = used_in(interaction)
    interaction.client.figures.interactions.labels(use, outcome).inc()
    if log.isEnabledFor(logging.INFO):
        known: dict[str, Any] = {"use": use, "game": interaction.extras.get(_GAME), "server": interaction.guild_id}
        fields = {name: value for name, value in known.items() if value is not None}
        fields |= {"ms": round(1000 * _seconds_since_begin(interaction)), "outcome": outcome.value}
        log.info("interaction", extra={"fields": fields | ({"why": why} if why else {})})


def used_in(interaction: AnyInteraction) -> str:
    """Return the command, button or form used: `/gipf games`, a menu command's name, or the kind of a `custom_id`."""
    if interaction.type is discord.InteractionType.application_command:
        return _command_used(interaction)
    data: Any = interaction.data
    kind = split_mark(data["custom_id"])[0].partition(":")[0]
    word = "form" if interaction.type is discord.InteractionType.modal_submit else "button"
    return f"{word} {kind if kind in KNOWN_KINDS else UNKNOWN}"


def _command_used(interaction: AnyInteraction) -> str:
    if interaction.command is None:
        return f"command {UNKNOWN}"
    name = interaction.command.qualified_name
    return f"menu {name}" if isinstance(interaction.command, discord.app_commands.ContextMenu) else f"/{name}"


def _seconds_since_begin(interaction: AnyInteraction) -> float:
    now = time.perf_counter()
    began: float = interaction.extras.get(_BEGAN, now)
    return now - began
