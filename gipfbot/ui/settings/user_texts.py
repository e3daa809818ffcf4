"""What is said about a person's settings."""

from gipfbot.notation import NOTATIONS, Notation
from gipfbot.ui.kit.text_parts import join_lines

NOTATION_EXAMPLES = {"official": "`g1-c3;xc2,d3,e4,f4`", "julio974": "`g1*X`"}  # one turn, written in either


def user_settings_text(confirm: bool, notation: Notation, theme: str, *, own_side: bool) -> str:
    """Return what a person has set, and how to change it."""
    other = next(other for other in NOTATIONS.values() if other is not notation)
    return join_lines(
        f"Typed turns: {'shown to you before they are played' if confirm else 'played at once'}. "
        f"{_change_hint('confirm_typed', not confirm)}",
        f"Notation: {notation.title}, as in {NOTATION_EXAMPLES[notation.name]}. You can type either. "
        f"{_change_hint('notation', other.title.capitalize())}",
        f"Theme of your private boards: **{theme}**. The samples below show all. {_change_hint('theme', '…')}",
        f"Your boards as Black: seen from {'your own side' if own_side else 'the side of White'}. "
        f"{_change_hint('own_side', not own_side)}",
        "Public boards are in official notation and look as the server has set it.",
    )


def _change_hint(option: str, value: object) -> str:
    return f"**/gipf-me settings {option}:{value}** changes it."
