"""Texts that people typed, kept in memory for the form that they open next. A restart loses them."""

from collections import OrderedDict

MOST_KEPT_TEXTS = 1_000


class KeptTexts:
    """The last text of each person for each purpose, such as `note:12`. The oldest ones are dropped."""

    def __init__(self) -> None:
        self._texts = OrderedDict[tuple[int, str], str]()

    def keep(self, user: int, purpose: str, text: str) -> None:
        """Store a person's text for a purpose. It replaces their earlier one.

        If there are more than MOST_KEPT_TEXTS now, the oldest text of all people is dropped.
        """
        self._texts[user, purpose] = text
        self._texts.move_to_end((user, purpose))
        if len(self._texts) > MOST_KEPT_TEXTS:
            self._texts.popitem(last=False)

    def find(self, user: int, purpose: str) -> str | None:
        """Return the text that is kept for a person and a purpose; None if there is none."""
        return self._texts.get((user, purpose))

    def forget(self, user: int, purpose: str) -> None:
        """Drop the text that is kept for a person and a purpose, if there is one."""
        self._texts.pop((user, purpose), None)
