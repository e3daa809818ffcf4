"""Short codes for single actions, used in drafts and buttons. `parse_action_code` is the inverse of `action_code`.

A push is its dot and its first spot (`e1e2`), with the letter of its kind in front (`Ge1e2`, `Ze1e2`). The use of a
potential is written as in notation (`Zc3>c6`, `Pc3>c4+2`). A removal is `x`, the code of its line, a colon and the
cleared spots (`xb*:e4f4`); in Overboard there may be no spots. A pass is `-`. A turn in notation can be read only with
its position; a code needs none.
"""

import re
from functools import lru_cache

from gipfbot.rules import PASS, PUSHES, Action, Kind, Push, Remove, Use
from gipfbot.rules.geometry import BIT, LINE, bits
from gipfbot.rules.powers import POWERS
from gipfbot.rules.sentences import Sentence

from .errors import ParseError

_PUSH = re.compile("([A-Z]?)([a-i][1-9])([a-i][1-9])")
_USE = re.compile("([A-Z])([a-i][1-9])>([a-i][1-9])(?:[+]([12]))?")
_REMOVE = re.compile("x([a-d1-8b-h][*]?):((?:[a-i][1-9])*)")


def action_code(action: Action) -> str:
    """Return the code of an action."""
    if isinstance(action, Push):
        return f"{action.kind}{action.dot}{action.spot}"
    if isinstance(action, Use):
        return use_code(action)
    return f"x{action.on.code}:{''.join(action.spots)}" if isinstance(action, Remove) else "-"


def use_code(use: Use) -> str:
    """Return the use of a potential as text. Both notations write it like its code."""
    return f"{use.kind}{use.spot}>{use.target}{f'+{use.put}' if use.put else ''}"


@lru_cache(maxsize=4096)  # there are 42 pushes, and the same few removals
def parse_action_code(code: str) -> Action:
    """Return the action that a code stands for. Does not check that the action is legal. Raises ParseError."""
    if code == "-":
        return PASS
    push, use = _PUSH.fullmatch(code), _USE.fullmatch(code)
    if push and (push[2], push[3], Kind.BASIC) in PUSHES and push[1] in ("", Kind.GIPF, *POWERS):
        return PUSHES[push[2], push[3], Kind.BASIC]._replace(kind=Kind(push[1]))
    if use and use[1] in POWERS and use[2] in BIT and use[3] in BIT:
        return Use(Kind(use[1]), BIT[use[2]], BIT[use[3]], int(use[4] or 0))
    remove = _REMOVE.fullmatch(code)
    if remove and remove[1] in LINE:
        spots = re.findall("..", remove[2])
        if all(spot in BIT for spot in spots):
            return Remove(LINE[remove[1]].number, bits(spots))
    raise ParseError(Sentence("an action code such as e1e2 or xb*:e4f4"), code, 0)
