"""Former players: people who have deleted their data. A random pseudonym stands in the place of their id."""

FORMER_NAME = "a former player"
# The ids that Discord would have given in the first hours of its numbering, when it had no users.
FIRST_PSEUDONYM, LAST_PSEUDONYM = 2**44, 2**45 - 1

FIRST_TRACE = 2**62  # traces of people in blocks; Discord's ids stay below until 2049


def is_former_player(user: int) -> bool:
    """Return whether an id is the pseudonym of a person who has deleted their data."""
    return FIRST_PSEUDONYM <= user <= LAST_PSEUDONYM


def is_discord_id(number: int) -> bool:
    """Return whether a stored id is one of Discord, and not a pseudonym or a trace."""
    return not is_former_player(number) and number < FIRST_TRACE
