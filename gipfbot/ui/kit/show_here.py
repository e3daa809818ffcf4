"""The button **Show here** of a private answer. `gipfbot/ui/showing` posts what it names."""

from .client import Interaction
from .components import Button

SHOW_HERE_LABEL = "Show here"


def show_here_buttons(interaction: Interaction, what: str) -> tuple[Button, ...]:
    """Return the button that shows `what`, such as `record:7:official`, to everybody here. Empty in direct messages."""
    if interaction.guild_id is None:
        return ()
    return (Button(SHOW_HERE_LABEL, f"show:{what}", is_custom_id=True),)
