"""Every kind of message either names nobody in its payload, or is known to the deletion of a person's data.

The list is written by hand. Each new kind needs a decision, and this test fails until it has one.
"""

from gipfbot.service.clock.digests import DIGEST
from gipfbot.service.clock.downtime import DOWNTIME_NOTICE
from gipfbot.service.clock.reminders import REMINDER
from gipfbot.service.clock.undeliverable import UNDELIVERABLE
from gipfbot.service.competing.results import ANNOUNCEMENT
from gipfbot.service.delivery.venues import LEFT_THREAD, NO_THREAD
from gipfbot.service.health.vital_signs import OWNER_NEWS
from gipfbot.service.lobby.arrivals import WELCOME
from gipfbot.service.lobby.lobby import CHALLENGE
from gipfbot.service.play.turn import DISCARDED, DISCARDED_BY_TAKEBACK
from gipfbot.service.privacy.deletion import NAMING_KINDS
from gipfbot.service.privacy.plain_words import MESSAGES
from gipfbot.service.puzzles.daily_puzzles import PUZZLE_SOLUTION
from gipfbot.service.records.analyses import ANALYSIS
from gipfbot.service.requests.claim_win import CLAIM_WIN, CLAIM_WIN_DM
from gipfbot.service.requests.takebacks import TAKEBACK
from gipfbot.service.settings.servers import DAILY_PUZZLE, SETTINGS_CHANGED
from gipfbot.service.watching.watching import FOLLOWED
from gipfbot.ui.bot import MESSAGE_MODULES
from gipfbot.ui.kit.outbox_messages import MESSAGE_BUILDERS
from gipfbot.values import THREAD

NAMELESS = {
    CHALLENGE: "the number of the challenge",
    ANNOUNCEMENT: "the game, and ratings before and after it",
    TAKEBACK: "the number of the request",
    CLAIM_WIN: "the game and its state",
    CLAIM_WIN_DM: "the same",
    DISCARDED: "the game and turns",
    DISCARDED_BY_TAKEBACK: "the game",
    REMINDER: "the game and its state",
    DIGEST: "games",
    UNDELIVERABLE: "the game and a row of the outbox",
    FOLLOWED: "the game, its state, turns, and the number of the follow",
    DOWNTIME_NOTICE: "times and games",
    LEFT_THREAD: "games",
    NO_THREAD: "the game",
    ANALYSIS: "the game, and whether it was analysed",
    SETTINGS_CHANGED: "settings of a server",
    OWNER_NEWS: "what needs a hand of the host",
    DAILY_PUZZLE: "the server, the day and the puzzle",
    PUZZLE_SOLUTION: "the same",
    WELCOME: "the server and its channels",
}


def test_every_kind_of_message_is_listed() -> None:
    assert MESSAGE_MODULES
    assert {*MESSAGE_BUILDERS} == {*NAMELESS, *NAMING_KINDS}
    assert {*MESSAGE_BUILDERS, THREAD} == {*MESSAGES}, "an export says each in plain words"
    assert not {*NAMELESS} & {*NAMING_KINDS}
