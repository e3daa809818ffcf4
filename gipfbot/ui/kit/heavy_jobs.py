"""One heavy job a person at a time: a replay, a record, an import, an export.

A person's own boards, desks and lists are no such jobs. What is slow in any of them waits in a `FairQueue`.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from gipfbot.match import Refused, Why

from .client import Interaction


@contextmanager
def one_job(interaction: Interaction) -> Iterator[None]:
    """Count what is done in the `with` block as the person's one heavy job. Raises Refused if they have one already."""
    jobs, person = interaction.client.jobs, interaction.user.id
    check_no_job(interaction)
    if person in interaction.client.replays.values():
        raise Refused(Why.JOB_RUNNING)
    jobs.add(person)
    try:
        yield
    finally:
        jobs.discard(person)


def check_no_job(interaction: Interaction) -> None:
    """Raise Refused if the person has a heavy job now. A replay does not count: another one takes its place."""
    if interaction.user.id in interaction.client.jobs:
        raise Refused(Why.JOB_RUNNING)
