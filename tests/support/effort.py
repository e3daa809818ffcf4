"""The size of generated tests: a part of them runs in `make test`, all of them in `make long`."""

import os

from hypothesis import settings

LONG = os.environ.get("LONG_TESTS") == "1"

# No deadline: how long an example takes says more about the machine than about the code.
settings.register_profile("test", deadline=None, derandomize=True, database=None)
settings.register_profile("long", deadline=None, print_blob=True)


def load_profile() -> None:
    """Set how much Hypothesis tries in all tests imported from now on."""
    settings.load_profile("long" if LONG else "test")


def amount(*, test: int, long: int) -> int:
    """Return the number of games, positions or texts for a test."""
    return long if LONG else test


def examples(*, test: int, long: int) -> settings:
    """Return Hypothesis settings for so many examples."""
    return settings(max_examples=amount(test=test, long=long))
