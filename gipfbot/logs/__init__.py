"""The log: lines for people or as JSON, with nothing in them that is secret or private."""

from .folding import say_folded
from .plain_lines import LOG_FORMATS, JsonFormat, PeopleFormat
from .set_up import set_up_logging

__all__ = ["LOG_FORMATS", "JsonFormat", "PeopleFormat", "say_folded", "set_up_logging"]
