"""How much of a generated test runs: a part of it in `make test`, all of it in `make long`."""

import os

from hypothesis import settings

LONG = os.environ.get("LONG_TESTS") == "1"

# No deadline: how long an example takes says more about the machine than about the code.
settings.register_profile("test", deadline=None, derandomize=True, database=None)
settings.register_profile("long", deadline=None, print_blob=True)


def load_profile() -> None:
    """Choose how much Hypothesis tries, for all tests that are imported from now on."""
    settings.load_profile("long" if LONG else "test")


def amount(*, test: int, long: int) -> int:
    """Return how many games, positions or texts a test is to go through."""
    return long if LONG else test


def examples(*, test: int, long: int) -> settings:
    """Return Hypothesis's settings for so many examples."""
    return settings(max_examples=amount(test=test, long=long))
