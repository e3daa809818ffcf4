"""What may be wrong with what is stored.

StoreError
├── Unusable         the database cannot be opened
├── Stale            what was to be saved has been changed by somebody else since it was loaded
├── MessageTaken     a message that a row of the outbox is said to be is another row's
└── UnreadableGame   the row of a game makes no sense; a Refused, too
"""

from gipfbot.match import Refused, Why


class StoreError(Exception):
    """The store could not do what it was asked; nothing was changed."""


class Unusable(StoreError):
    """The database cannot be opened; the message is a sentence for the host."""


class Stale(StoreError):
    """It has been changed since it was loaded: load it again."""


class MessageTaken(StoreError):
    """Another row of the outbox was posted as this message, so it is not the one that was looked for."""


class UnreadableGame(StoreError, Refused):
    """What is stored of a game cannot be read. It is left as it is; whoever wants something in it is refused."""

    def __init__(self, game_id: int) -> None:
        super().__init__(Why.UNREADABLE, game=game_id)
