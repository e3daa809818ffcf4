"""The text about the settings of one person."""

from gipfbot.notation import NOTATIONS, Notation
from gipfbot.ui.kit.text_parts import join_lines

NOTATION_EXAMPLES = {"official": "`g1-c3;xc2,d3,e4,f4`", "julio974": "`g1*X`"}  # the same turn in both notations


def user_settings_text(confirm: bool, notation: Notation, theme: str, *, own_side: bool) -> str:
    """Return a person's settings, and how to change them.

    `confirm` says whether typed turns are shown before they are played. `own_side` says whether private boards are seen
    from Black's side when the person plays Black.
    """
    other = next(other for other in NOTATIONS.values() if other is not notation)
    return join_lines(
        f"Typed turns: {'shown to you before they are played' if confirm else 'played at once'}. "
        f"{_change_hint('confirm_typed', not confirm)}",
        f"Notation: {notation.title}, as in {NOTATION_EXAMPLES[notation.name]}. You can type either. "
        f"{_change_hint('notation', other.title.capitalize())}",
        f"Theme of your private boards: **{theme}**. The samples below show all. {_change_hint('theme', '…')}",
        f"Your boards as Black: seen from {'your own' if own_side else 'the White'} side. "
        f"{_change_hint('own_side', not own_side)}",
        "Public boards use official notation and the server's look.",
    )


def _change_hint(option: str, value: object) -> str:
    return f"**/gipf-me settings {option}:{value}** changes it."
