"""Batches of old rows, which are looked at to delete what nothing needs any more."""

from typing import NamedTuple


class Place(NamedTuple):
    """A place in an order by time and then by id."""

    at: int = 0  # UTC seconds
    id: int = 0


class Batch(NamedTuple):
    """The next rows of a table to look at: those behind a place whose time is at `until` or earlier."""

    until: int  # UTC seconds
    behind: Place = Place()
    limit: int = 50  # other writers wait for so many rows
