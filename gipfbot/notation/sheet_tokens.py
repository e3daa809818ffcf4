"""The tokens of a record's text: what a comment, a move number, a result and the other parts look like.

`sheets` reads a record token by token.
"""

import re

from gipfbot.rules import RULESETS
from gipfbot.rules.geometry import DOTS

from .signs import COMMENT, EVALUATION, FENCE, HIDDEN, NAG, PIECE_LETTER, QUOTE, RESERVE, fold_signs

RESULT = (
    r"(?:1 ?[-:] ?0|0 ?[-:] ?1)\.?|1/2 ?- ?1/2|½ ?- ?½|(?ai:void|(?:white|black) (?:wins|won|resigns|resigned)\.?)|\*"
)
TOKEN = re.compile(
    "|".join(
        (
            rf"(?P<blank>[^\S\n]+|\n|{HIDDEN}+|{FENCE}|{QUOTE}|{NAG}|(?!{EVALUATION}|{RESULT})[/|])",
            r'(?P<header>\[\s*(?P<key>\w+)\s*(?:"\s*+(?P<value>(?:[^"\\]|\\.)*+)"|“\s*+(?P<curly>[^”]*)”)\s*\])',
            rf"(?P<comment>{COMMENT})",
            r"(?P<open>\{[^\n]*)",
            r"(?P<square>\[[^\]\n]*+\]?)",
            rf"(?P<reserve>{RESERVE})",
            r"(?P<round>\()",
            r"(?P<semicolon>;)",
            rf"(?P<result>{RESULT})(?![^\s{{{HIDDEN}])",
            r"(?P<number>[0-9]+(?:\.?\s*+(?:…|\.{2,})|[.)]+|(?=\s))|(?:…|\.{2,})(?=\s*[A-Za-z]))",
            r"(?P<mark>[!?]+)",
            rf"(?P<evaluation>{EVALUATION})",
            r"(?P<order>(?ai:white ?[- ] ?black|black ?[- ] ?white))(?!\S)",
            rf"(?P<version>(?ai:(?:{'|'.join(RULESETS)})(?:\+[a-z0-9]*)?|short-?cut))(?!\S)",
            rf"(?P<word>(?:(?!{EVALUATION})[^\s{{\[(!?;`$/|])+|[^\s])",
        )
    ),
    re.MULTILINE,
)
_PIECE = rf"{PIECE_LETTER}?[a-i][1-9]"
# What follows a `;` that belongs to a turn: a removal, and behind a removal also a push.
REMOVAL_NEXT = re.compile(rf"\s*x(?=\s*(?:{_PIECE}|[1-8a-h]\*?(?![a-z])|[;x(){{!?$]|\Z|\n|{_PIECE}))", re.IGNORECASE)
PUSH_NEXT = re.compile(rf"\s*{_PIECE}", re.IGNORECASE)
TURN_IN_LINE = re.compile(r"[^\S\n]*[a-z]", re.IGNORECASE)
_WAY = r"[->][a-i][1-9](?:\+[12])?|\*"
ONLY_TURNS = re.compile(rf"\s*+(?:(?:[0-9]++[.…)\s]++)?{_PIECE}(?:{_WAY})?[!?]*+(?=[\s;,]|\Z)[\s;,]*+)+", re.IGNORECASE)
DOT_AND_HYPHEN = re.compile(rf"{PIECE_LETTER}?(?:{'|'.join(DOTS)})-?", re.IGNORECASE)


def normalise_score(result: str) -> str:
    """Return a result in its canonical spelling. The result of `White wins` and `Black resigns` is `1-0`."""
    text = fold_signs(result).lower().rstrip(".").replace("½", "1/2").replace(":", "-").replace(" ", "")
    winner, verb = text[:5], text[5:]
    if verb in ("wins", "won", "resigns", "resigned"):
        return "1-0" if (winner == "white") is verb.startswith("w") else "0-1"
    return text
