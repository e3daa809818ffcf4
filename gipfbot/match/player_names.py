"""Names of people as games keep them: what could reorder, hide or stretch the text around a name is left out."""

import unicodedata

NAMELESS = "Player"  # stands for a name of which nothing is left
LONGEST_NAME = 80  # characters; Discord's names have at most 32
# Letters and signs that look like nothing, beside the categories of controls and formats.
_BLANKS = "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\ufe0e\ufe0f"


def clean_name(name: str, nameless: str = NAMELESS) -> str:
    """Return a name without signs that turn the direction of text, that are invisible, or that end a line.

    Of many marks on one letter the first three stay. `nameless` stands for a name of which nothing is left.
    """
    kept = "".join(sign if sign.isspace() or _is_visible(sign) else "" for sign in name)
    tidy = " ".join(_few_marks(kept).split())[:LONGEST_NAME].strip()
    return tidy or nameless


def drop_controls(text: str) -> str:
    """Return a text without controls and signs that turn the direction of text. Ends of lines and tabs stay."""
    return "".join(sign for sign in text if sign in "\n\t" or unicodedata.category(sign) not in ("Cc", "Cf"))


def _is_visible(sign: str) -> bool:
    return sign not in _BLANKS and unicodedata.category(sign)[0] != "C"


def _few_marks(text: str) -> str:
    """Return a text in which at most three combining marks follow each other."""
    kept, marks = [], 0
    for sign in text:
        marks = marks + 1 if unicodedata.category(sign)[0] == "M" else 0
        if marks <= 3:
            kept.append(sign)
    return "".join(kept)
