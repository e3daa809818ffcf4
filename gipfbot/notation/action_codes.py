"""Short codes for single actions, used in drafts and buttons. `parse_action_code` is the inverse of `action_code`.

A push is its dot and its first spot (`e1e2`), with a `G` in front for a GIPF-piece (`Ge1e2`). A removal is `x`, the
code of its line, a colon and the cleared spots (`xb*:e4f4`). A pass is `-`. A turn in notation can be read only with
its position; a code needs none.
"""

import re

from gipfbot.rules import PASS, PUSHES, Action, Kind, Push, Remove
from gipfbot.rules.geometry import BIT, LINE, bits

from .errors import ParseError

_PUSH = re.compile("(G?)([a-i][1-9])([a-i][1-9])")
_REMOVE = re.compile("x([a-d1-8b-h][*]?):((?:[a-i][1-9])+)")


def action_code(action: Action) -> str:
    """Return the code of an action."""
    if isinstance(action, Push):
        return f"{action.kind}{action.dot}{action.spot}"
    return f"x{action.on.code}:{''.join(action.spots)}" if isinstance(action, Remove) else "-"


def parse_action_code(code: str) -> Action:
    """Return the action that a code stands for. Does not check that the action is legal. Raises ParseError."""
    if code == "-":
        return PASS
    push = _PUSH.fullmatch(code)
    if push and (push[2], push[3], Kind(push[1])) in PUSHES:
        return PUSHES[push[2], push[3], Kind(push[1])]
    remove = _REMOVE.fullmatch(code)
    if remove and remove[1] in LINE:
        spots = re.findall("..", remove[2])
        if all(spot in BIT for spot in spots):
            return Remove(LINE[remove[1]].number, bits(spots))
    raise ParseError("an action code such as e1e2 or xb*:e4f4", code, 0)
