"""What is said about a person's settings."""

from gipfbot.notation import NOTATIONS, Notation
from gipfbot.ui.kit.text_parts import join_lines


def user_settings_text(confirm: bool, notation: Notation, theme: str, *, own_side: bool) -> str:
    """Return what a person has set, and how to change it."""
    said = "is shown to you before it is played" if confirm else "is played at once"
    other = next(name for name, other in NOTATIONS.items() if other is not notation)
    return join_lines(
        f"A typed turn {said}. Change it with **/gipf-me settings confirm_typed:{not confirm}**.",
        f"Turns are written for you in {notation.title} notation, as in {NOTATION_EXAMPLES[notation.name]}; you may type "
        f"either. Change it with **/gipf-me settings notation:{NOTATIONS[other].title.capitalize()}**.",
        f"Your private boards have the theme **{theme}**; the samples below show all. "
        "**/gipf-me settings theme:…** changes it.",
        f"As Black you see them from {'your own side' if own_side else 'the side of White'}. Change it with "
        f"**/gipf-me settings own_side:{not own_side}**.",
        "Boards that everybody sees are in official notation, and look as the server has set it.",
    )


NOTATION_EXAMPLES = {"official": "`g1-c3;xc2,d3,e4,f4`", "julio974": "`g1*X`"}  # one turn, written in either
