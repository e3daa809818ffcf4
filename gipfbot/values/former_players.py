"""Former players: people who have deleted their data. A random pseudonym stands in the place of their id."""

FORMER_NAME = "a former player"
# The ids that Discord would have given in the first hours of its numbering, when it had no users.
FIRST_PSEUDONYM, LAST_PSEUDONYM = 2**44, 2**45 - 1


def is_former_player(user: int) -> bool:
    """Return whether an id is the pseudonym of a person who has deleted their data."""
    return FIRST_PSEUDONYM <= user <= LAST_PSEUDONYM
