"""The error for a component or form that the bot never offers, such as one that a modified client makes up."""


class Malformed(Exception):
    """A press, a choice or a form whose data is nothing that the bot offers. It is answered as an outdated button."""


MOST_NUMBER = 2**63 - 1  # ids of Discord and of the database are below


def parse_sent_number(text: str) -> int:
    """Return the whole number in a `custom_id` or in a choice. Raises Malformed for anything else."""
    if not (text.isascii() and text.isdigit() and int(text[:20]) <= MOST_NUMBER and len(text) <= len(str(MOST_NUMBER))):
        raise Malformed(text)
    return int(text)
