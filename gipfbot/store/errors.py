"""What the store itself refuses.

StoreError
├── Unusable   the database cannot be opened
└── Stale      what was to be saved has been changed by somebody else since it was loaded
"""


class StoreError(Exception):
    """The store could not do what it was asked; nothing was changed."""


class Unusable(StoreError):
    """The database cannot be opened; the message is a sentence for the host."""


class Stale(StoreError):
    """It has been changed since it was loaded: load it again."""
