"""What the bot has posted: each message by its mark, and the boards of each game as a reader tells them apart."""

import re
from dataclasses import dataclass, field, replace

from gipfbot.service.kit.loaded_games import parse_game_name
from tests.standin import Channel, Message, StandIn
from tests.standin.components import buttons
from tests.support.confirmations import TURN_LINE, shown_turn
from tests.support.games import turn_counted
from tests.support.spoken_words import mixed_texts
from tests.ui.read_texts import message_texts

from .stored_courses import BEGIN, END, FLAGGED, TAKEN_BACK, require

GAME = re.compile(r"#[a-z][0-9]+")
# Words in the first line of a board that shows no turn, and what it shows.
BOARDS_WITHOUT_TURN = {
    "was taken back": TAKEN_BACK,
    "were taken back": TAKEN_BACK,
    " and begin": BEGIN,
    " is thinking · ": BEGIN,  # the bot begins
}
TIME_IS_OVER = " time is over: "
PLAN_FOLLOWS = "'s planned answer follows\n"
ENDS = re.compile(r" wins #[a-z][0-9]+| was cancelled by ")


def shown_board(text: str) -> tuple[int, str] | None:
    """Return the game of a board message and what it shows: its turn, BEGIN, FLAGGED, TAKEN_BACK or END.

    None for any other message.
    """
    first, game = text.partition("\n")[0], GAME.search(text)
    if TIME_IS_OVER in first:
        return _game_of(game), FLAGGED
    if turn := TURN_LINE.search(text):
        return _game_of(game), f"{turn_counted(turn[0])} {shown_turn(text)}"
    for words, shown in BOARDS_WITHOUT_TURN.items():
        if words in first:
            return _game_of(game), shown
    return (_game_of(game), END) if ENDS.search(first) else None


def _game_of(named: re.Match[str] | None) -> int:
    require(named, "a board names no game")
    assert named
    return parse_game_name(named[0]) or 0


@dataclass
class Posted:
    """All that the bot has posted: messages by their mark, and the boards of each game in their order."""

    discord: StandIn
    by_mark: dict[str, Message] = field(default_factory=dict)
    boards: dict[int, list[str]] = field(default_factory=dict)
    mentions: int = 0  # of a role
    _last: dict[int, int] = field(default_factory=dict)

    def read(self) -> None:
        """Read the messages that came since the last time. Raises Fault for one that came before."""
        fresh = [message for channel in self.discord.world.channels.values() for message in self._fresh(channel)]
        for message in sorted(fresh, key=lambda message: message.id):
            if message.author is self.discord.world.bot:
                self._note(message)

    def _fresh(self, channel: Channel) -> list[Message]:
        known, found = self._last.get(channel.id, 0), list[Message]()
        for message in reversed(channel.messages):
            if message.id <= known:
                break
            found.append(message)
        self._last[channel.id] = max(known, *(message.id for message in found)) if found else known
        return found

    def _note(self, message: Message) -> None:
        text = message.revisions[0].content
        require(message.nonce, "a public message has no mark:", text)
        assert message.nonce
        require(message.nonce not in self.by_mark, "posted twice:", text)
        require(f"<@{self.discord.world.bot.id}>" not in text, "the bot is pinged:", text)
        self.by_mark[message.nonce] = message
        self.mentions += text.startswith("<@&")
        if _is_board(message) and (shown := shown_board(text)):
            self.boards.setdefault(shown[0], []).append(shown[1])
        drop_pictures(message)


def _is_board(message: Message) -> bool:
    """Return whether a message may be a board: one in a channel that nobody shows, or one by letter that is no news.

    A board after which a planned turn follows has no buttons of a board.
    """
    shown = message.revisions[0]
    names = [str(button.get("custom_id", "")) for button in buttons(shown.components)]
    if message.guild_id:
        return not any(name.startswith("look:") for name in names)
    return PLAN_FOLLOWS in shown.content or any(name.startswith(("board_more:", "rematch:")) for name in names)


def mixed_messages(discord: StandIn, *, public: bool = True) -> list[str]:
    """Return all texts of the messages that have ever shown two languages: private ones and, with `public`, others."""
    found = [message for sent in discord.world.interactions.values() for message in sent.messages]
    if public:
        found += [message for channel in discord.world.channels.values() for message in channel.messages]
    shown = [revision for message in found for revision in message.revisions]
    return mixed_texts([text for _, text in message_texts(each.components, each.content)] for each in shown)


def drop_pictures(message: Message) -> None:
    """Let Discord forget the pictures of a message, for which a long run has no room."""
    message.revisions = [
        replace(shown, attachments=tuple(replace(picture, data=b"") for picture in shown.attachments))
        for shown in message.revisions
    ]
