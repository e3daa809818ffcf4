"""Texts that people typed and nothing came of, kept for the form that opens next. A restart forgets them."""

from collections import OrderedDict

MOST_KEPT_TEXTS = 1_000


class KeptTexts:
    """The last text of each person for each purpose, such as `conditional:12`; the oldest make way for new ones."""

    def __init__(self) -> None:
        self._texts = OrderedDict[tuple[int, str], str]()

    def keep(self, user: int, purpose: str, text: str) -> None:
        """Keep a text in place of the one before."""
        self._texts[user, purpose] = text
        self._texts.move_to_end((user, purpose))
        if len(self._texts) > MOST_KEPT_TEXTS:
            self._texts.popitem(last=False)

    def find(self, user: int, purpose: str) -> str | None:
        """Return the text that was kept, None without any."""
        return self._texts.get((user, purpose))

    def forget(self, user: int, purpose: str) -> None:
        """Forget the text, if there is any: it has served its purpose."""
        self._texts.pop((user, purpose), None)
