"""What a confirmation says was played: the push as it is pressed, and the turn as records write it."""

import re

# A turn without other words than its push, such as `e1-e2` in Overboard, is not written a second time.
CONFIRMED = re.compile(
    r"Played \*\*([^*]+)\*\* in game (#\w+)(?: · [^·`\n]*)?\.(?:[\s\S]*?^-# In records `([^`]+)`$)?", re.MULTILINE
)


def played_text(said: str) -> str:
    """Return the notation of the turn that this answer confirms first; empty if it confirms none."""
    found = CONFIRMED.match(said)
    return (found[3] or found[1].replace(" → ", "-")) if found else ""
