"""Downtime notices that channels must get, according to the notebook."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from gipfbot.ui.kit.clock_texts import MOST_CLOCKS_NAMED
from tests.bench.recording import SentMessage

from .clocks import counted

_UNTIL = re.compile(r"(#[a-z]\d+) (?:grace )?until <t:(\d+):f>")


@dataclass
class DowntimeNotice:
    """A downtime notice that a channel must get. It tells the new deadlines of `games`, which go by name.

    Each has the time left at that moment, the seconds that the bot may give on top, and whether weekends count.
    """

    at: int
    place: int
    games: dict[str, tuple[int, int, bool]] = field(default_factory=dict)

    def fits(self, text: str) -> bool:
        """Return whether a message names these games, or as many as it can, with the right deadlines."""
        said = {name: int(at) for name, at in _UNTIL.findall(text)}
        return (
            said.keys() <= self.games.keys()
            and len(said) == min(len(self.games), MOST_CLOCKS_NAMED)
            and self._right(said)
        )

    def _right(self, said: Mapping[str, int]) -> bool:
        times = [(deadline, *self.games[name]) for name, deadline in said.items()]
        return all(0 <= counted(self.at, at, weekends) - left <= loose for at, left, loose, weekends in times)


def settled(expected: list[DowntimeNotice], sent: SentMessage) -> None:
    """Check a message against the expected notices, and remove the notice that it fits."""
    fits = [
        downtime_notice
        for downtime_notice in expected
        if downtime_notice.place == sent.place and downtime_notice.fits(sent.text)
    ]
    assert fits, (sent, expected)
    assert not sent.direct, sent
    assert not sent.pinged, sent
    expected.remove(fits[0])
