"""Let the program log to the standard error stream."""

import logging
from collections.abc import Collection

from .folding import Folding
from .plain_lines import LOG_FORMATS

# At DEBUG these write down tokens, messages, and what people type.
CHATTY = ("discord", "aiosqlite", "sqlalchemy", "aiohttp", "asyncio", "PIL")


def set_up_logging(level: str | int, form: str = "people", secrets: Collection[str] = ()) -> None:
    """Let the program and its libraries log lines of this form, in which none of these secrets stands."""
    handler = logging.StreamHandler()
    handler.setFormatter(LOG_FORMATS[form](secrets))
    handler.addFilter(Folding())
    logging.basicConfig(level=level, handlers=[handler])
    for name in CHATTY:
        logger = logging.getLogger(name)
        logger.setLevel(max(logger.getEffectiveLevel(), logging.INFO))
