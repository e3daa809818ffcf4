"""The kinds of messages, told apart by their first lines."""

import re
from typing import NamedTuple

from gipfbot.ui.kit.components import split_mark
from tests.bench.recording import SentMessage
from tests.support.confirmations import shown_turn

LONGEST = 2000
_TURN = r"<@(?P<to>\d+)> your turn · game (?P<game>#\w+) vs \w+ · (first remove [^·]+ · )?"
_PLAYED = r"(?P<who>\w+) played (?P<turn>[^·]+?)( and removed (a row|\d+ rows))?"
_BLACK = r" · \w+ is Black"
_THINKS = r"(?P<thinks>#\w+) · \w+ is thinking · "
_BACK = r".*(was|were) taken back"
_RULES = r"(Basic|Standard|Tournament|Overboard)( with [^,·]+)?"
_BOTH = r"(<@\d+> ){1,2}"  # the bot is not pinged
FORMS = {
    "start": rf"{_TURN}{_RULES} · \w+ is (White|Black) and begins|{_THINKS}{_RULES}, against \w+",
    "turn": rf"{_TURN}{_PLAYED}( \(planned\)|{_BLACK})?|{_THINKS}\w+ played (?P<before_thinking>[^·]+)",
    "answered": r"(?P<game>#\w+) · " + _PLAYED + r" · \w+'s planned answer follows",
    "back": rf"{_TURN}{_BACK}( \(you both agreed\))?|{_THINKS}{_BACK}",
    "flagged": r"<@(?P<to>\d+)> your time is over: win with this turn or you lose · (?P<game>#\w+) vs \w+",
    "won": _BOTH + r"(?P<who>\w+) \((White|Black)\) wins (?P<game>#\w+)( in (?P<number>\d+) turns?)? · (?P<why>.+)",
    "drawn": _BOTH + r"game (?P<game>#\w+) is a draw: you both agreed\.",
    "void": _BOTH + r"game (?P<game>#\w+) is void: this position has occurred three times\. Nobody has lost\.",
    "draw": r"<@(?P<to>\d+)> (?P<who>\w+) offers a draw · (?P<game>#\w+)",
    "off": _BOTH + r"game (?P<game>#\w+) was cancelled.+",
    "reminder": r"Your turn in (?P<game>#\w+) vs \w+(: .+ left|, for .+ now)( · \w+ played (?P<turn>[^·]+))?",
    "call": r"<@(?P<to>\d+)> your turn in (?P<game>#\w+) vs \w+(: .+ left|, for .+ now)",
    "nudge": r"<@(?P<to>\d+)> (?P<who>\w+) is waiting for your (?:turn|decision) in (?P<game>#\w+).*",
    "challenge": r"<@(?P<to>\d+)> (?P<who>\w+) (challenges you to GIPF|asks for a rematch of #\w+)",
    "seek": r"(<@&(?P<role>\d+)> )?(?P<who>\w+) looks for a game of GIPF",
    "shown": r"<@(?P<who>\d+)> shows [a-z ]+: \*\*((?P<game>#\w+)\*\* · )?.+",
    "gone": r"(?P<who>\w+) is on vacation until <t:\d+:D>.*",
    "home": r"(?P<who>\w+) is back from vacation\..*",
    "downtime_notice": r"The bot was offline for .+\. Clocks were extended: #.+",
    "undo": r"<@(?P<to>\d+)> (?P<who>\w+) asks to take back .+ · game (?P<game>#\w+)",
    "claim": r"<@(?P<to>\d+)> (?P<who>\w+) has claimed (?P<game>#\w+): (?:play a turn|decide in their turn) by .*",
    "claim by letter": r"(?P<who>\w+) has claimed (?P<game>#\w+): (?:play a turn|decide in their turn) by .*",
    "forgotten": r"(?P<game>#\w+) vs \w+: turns were taken back \(you both agreed\)",
    "lapsed": r"(?P<game>#\w+) vs \w+: (\w+ played .+|.+ taken back \(you both agreed\))",
}
# The kinds of messages of which none comes in a year.
NOT_IN_PLAY = {
    *("analysis", "announcement", "daily_puzzle", "followed", "held", "left_thread", "no_thread", "owner_news"),
    *("puzzle_solution", "settings_changed", "tournament", "tournament_told", "undeliverable", "welcome"),
}
BOARDS = {"start", "turn", "answered", "back", "flagged", "won", "off", "drawn", "void"}
_FORMS = {kind: re.compile(form) for kind, form in FORMS.items()}

_BEFORE = re.compile(r"before that: (.+)$", re.MULTILINE)


class Read(NamedTuple):
    """A message, its kind, and the facts read from it."""

    kind: str
    said: dict[str, str | None]
    sent: SentMessage

    @property
    def last_turn(self) -> str:
        """The turn in the second line of the message, as `told_as` has it."""
        return shown_turn(self.sent.text)

    @property
    def told_before(self) -> tuple[str, ...]:
        """The turns before it whose boards gave way to this one, as far as it names them."""
        found = _BEFORE.search(self.sent.text)
        return tuple(plain(turn) for turn in found[1].removeprefix("… / ").split(" / ")) if found else ()

    @property
    def game(self) -> str:
        """The game that the message names."""
        return self.said.get("game") or self.said.get("thinks") or ""


def plain(text: str) -> str:
    """Return a turn as `told_as` has it, without the marks that keep Discord from showing italics."""
    return text.replace("\\*", "*").replace(" → ", "-")


def read(sent: SentMessage) -> Read:
    """Return a message as a Read. Fail if it is too long or of an unknown kind."""
    assert 0 < len(sent.text) <= LONGEST, sent
    found = form_of(sent)
    assert found, f"nobody knows what this is: {sent}"
    return found


def form_of(sent: SentMessage) -> Read | None:
    """Return a message as a Read; None if no form fits its first line."""
    if "digest_off" in {split_mark(custom_id)[0] for custom_id in sent.custom_ids}:
        return Read("digest", {}, sent)
    first = sent.text.splitlines()[0]
    for kind, form in _FORMS.items():
        if found := form.fullmatch(first):
            return Read(kind, {name: said and plain(said) for name, said in found.groupdict().items()}, sent)
    return None
