"""What the desks of all studies share: the pressed part of a turn, the replay in a thread, and the room for buttons."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from gipfbot.match.study import Study, perform_in_study, study_game
from gipfbot.ui.kit import Button, Interaction
from gipfbot.ui.kit.components import BUTTONS_PER_ROW, MOST_COMPONENTS

from .screens import Focus, desk_actions

BACK_ONE_TURN_LABEL, TYPE_IT_LABEL = "Back one turn", "Type it…"
GONE_ON = "You have gone on since then. Here is where you are."
MOST_BESIDE_PUSHES = 1  # button; a note, all dots and the pushes from one dot leave no room for more
OTHER_COMPONENTS = 4  # the text, the picture, a note, and the row of the study's own buttons


def pressed_step(study: Study, verb: str, what: str) -> Callable[[Study], Study] | None:
    """Return a function that plays the pressed part of a turn. None if the press only changes what is shown.

    The function raises Refused if that part is illegal.
    """
    game = study_game(study)
    actions = desk_actions(game, game.question, verb, what) if game.question else ()
    return partial(perform_in_study, actions=actions) if actions else None


async def replay_study_aside(interaction: Interaction, study: Study) -> None:
    """Replay a study in a thread. After that, `study_game` need not replay it, with or without its tried turns."""
    for each in (replace(study, tried=(), draft=()), study):
        await interaction.client.app.aside.run(interaction.user.id, study_game, each)


def buttons_beside(rows: Sequence[tuple[Button, ...]], focus: Focus) -> int:
    """Return the number of a study's buttons that fit beside these rows of the desk."""
    if focus.dot:
        return MOST_BESIDE_PUSHES
    return min(BUTTONS_PER_ROW, MOST_COMPONENTS - OTHER_COMPONENTS - sum(1 + len(row) for row in rows))
