"""Log lines in which no text from outside can move the cursor, colour the terminal, or look like another line."""

import logging

LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class PlainFormatter(logging.Formatter):
    """Writes control signs, and signs that turn the direction of text, as escapes.

    A message is one line. Only a traceback below it has more.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with a traceback below it if there is one."""
        return "".join(sign if sign in "\n\t" else escape_sign(sign) for sign in super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name in `logging`
        """Return the line without a traceback."""
        return "".join(map(escape_sign, super().formatMessage(record)))


def escape_sign(sign: str) -> str:
    """Return a character, or its escape if it is not printable."""
    return sign if sign.isprintable() else sign.encode("unicode_escape").decode()


def set_up_logging(level: str | int) -> None:
    """Let the program log to the standard error stream."""
    handler = logging.StreamHandler()
    handler.setFormatter(PlainFormatter(LOG_FORMAT))
    logging.basicConfig(level=level, handlers=[handler])
