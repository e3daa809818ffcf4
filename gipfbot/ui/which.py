"""Which game a command means: the one named, else the only one there is; never a guess."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from gipfbot.service.ids import parse_game_name
from gipfbot.service.studies import Played

from . import texts
from .choices import CHOICES
from .items import LONGEST_ID, chosen_value, handles
from .replies import Interaction, guarded, show
from .screens import Row, Select

GoOn: TypeAlias = Callable[[Interaction, int, str], Awaitable[None]]
PICKED: dict[str, GoOn] = {}


def picked_for(verb: str) -> Callable[[GoOn], GoOn]:
    """Return a decorator: the function goes on with `verb` in the game chosen, and with what stood behind the verb.

    The interaction is acknowledged by then.
    """

    def register(go_on: GoOn) -> GoOn:
        PICKED[verb] = go_on
        return go_on

    return register


async def game_or_ask(
    interaction: Interaction, named: str, briefs: Sequence[Played], does: str, none: str, ask: str
) -> int | None:
    """Return the game meant: the one named, else the only one here, else the only one anywhere.

    Where that is not clear, ask or explain privately and return None: it is never guessed. `does` says what happens
    with the one chosen then: the verb of `picked_for`, and what it is handed behind a colon.
    """
    if id := meant(interaction, named, briefs):
        return id
    if named:
        await show(interaction, texts.bad_game(named))
    elif briefs and len(does) + len("p:") <= LONGEST_ID:
        await show(interaction, ask, rows=pick_rows(briefs, interaction.user.id, does))
    else:
        await show(interaction, texts.NAME_THE_GAME if briefs else none)
    return None


def meant(interaction: Interaction, named: str, briefs: Sequence[Played]) -> int | None:
    """Return the game meant as in `game_or_ask`, None where that is not clear."""
    if named:
        return parse_game_name(named)
    here = [brief.id for brief in briefs if brief.home.channel == interaction.channel_id]
    if len(here) == 1:
        return here[0]
    return briefs[0].id if len(briefs) == 1 else None


def pick_rows(briefs: Sequence[Played], user: int, does: str) -> tuple[Row, ...]:
    """Return a select of games; `does` says what happens with the one chosen."""
    options = tuple((texts.brief_name(brief, user), str(brief.id)) for brief in briefs[:CHOICES])
    return (Select(texts.CHOOSE_GAME, f"p:{does}", options),)


@handles("p")
async def picked(interaction: Interaction, rest: str) -> None:
    """A game was picked in a private select: go on with what was asked for."""
    verb, _, more = rest.partition(":")

    async def work() -> None:
        id = int(chosen_value(interaction))
        if verb not in PICKED:
            await interaction.response.send_message(texts.OLD_BUTTON, ephemeral=True)
            return
        await interaction.response.defer()
        await PICKED[verb](interaction, id, more)

    await guarded(interaction, work())
