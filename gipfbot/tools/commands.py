"""Helpers for all tools: argument errors in one sentence, reading files, and output that may be closed early."""

import os
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from pathlib import Path
from typing import NoReturn, TypeAlias

from gipfbot.installation import started_as
from gipfbot.notation import LARGEST_RECORD, IllegalTurn, ParseError, Record, decode_record, parse_position, read_record
from gipfbot.notation.errors import excerpt
from gipfbot.rules import RULESETS, Position, ruleset_named
from gipfbot.rules.sentences import Sentence

BAD_USE = 2
LONGEST_COMPLAINT = 250  # most characters of an error message
RULES_NAMED = f"{', '.join(RULESETS)}, or an official one with potentials, such as tournament+Z6P6"

Main: TypeAlias = Callable[[list[str]], int]


class ToolParser(ArgumentParser):
    """An argument parser that prints an error as one sentence and exits with code 2."""

    def __init__(self, command: str, description: str) -> None:
        super().__init__(f"{started_as()} {command}", description=description)

    def error(self, message: str) -> NoReturn:
        """Print `message` to standard error and exit."""
        self.exit(BAD_USE, f"{self.prog}: {excerpt(message, length=LONGEST_COMPLAINT)}\n")


def utc_seconds() -> int:
    """Return the time in UTC seconds. A simulation moves the clock of the bot, not this one."""
    return int(time.time())


def complain(code: int, *faults: object) -> int:
    """Print each fault on a line of the standard error, and return the exit code `code`."""
    sys.stderr.writelines(f"{fault}\n" for fault in faults)
    return code


def counted(number: int, what: str) -> str:
    """Return a number of things in words, such as "1 game" or "1,200 games"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def number_type(least: int, most: int) -> Callable[[str], int]:
    """Return an argument type that accepts whole numbers from `least` to `most`."""

    def whole(text: str) -> int:
        value = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else least - 1
        if not least <= value <= most:
            raise ArgumentTypeError(f"'{excerpt(text)}' is not a whole number from {least} to {most}")
        return value

    return whole


def ruleset_type(name: str) -> str:
    """Return the name of a rule set, as an argument type. The name may have potentials, as in `tournament+Z6P6`."""
    try:
        return ruleset_named(name).name
    except ValueError as fault:
        raise ArgumentTypeError(excerpt(str(fault), length=LONGEST_COMPLAINT)) from None


def parse_turn_start(line: str) -> Position:
    """Return the position of a position line. Raises NotationError, also for a position in the middle of a turn."""
    position = parse_position(line)
    if position.pushed or position.dealt:
        inside = Sentence("The position is inside a turn: give one at the start of a turn.")
        raise IllegalTurn("inside", "R3", inside, line)
    return position


def stoppable(main: Main) -> Main:
    """Make a main function end quietly if its output is closed, as by `head`; with a sentence, if a file fails."""

    @wraps(main)
    def run(argv: list[str]) -> int:
        try:
            code = main(argv)
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        except OSError as error:
            if error.filename is None:
                raise
            return complain(BAD_USE, f"{error.filename} cannot be used ({error.strerror}): look at it and its folder.")
        return code

    return run


def read_input(parser: ToolParser, name: str) -> str:
    """Return the text of a file, or of standard input if `name` is `-`. Exits if it is empty or cannot be read."""
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as file:
            data = file.read(LARGEST_RECORD + 1)
        if len(data) > LARGEST_RECORD:
            parser.error(f"{name} is larger than {LARGEST_RECORD // 1024} KiB.")
        text = decode_record(data)
    except UnicodeError:
        parser.error(f"{name} is no text.")
    except (OSError, ValueError) as fault:
        parser.error(f"{name} cannot be read: {getattr(fault, 'strerror', fault)}.")
    if not text.strip():
        parser.error(f"{name} is empty.")
    return text


def read_record_file(parser: ToolParser, name: str, rules: str | None) -> Record:
    """Return the record in a file. Exits if there is none.

    `rules` names the rule set of the game. If it is None, `read_record` chooses one.
    """
    try:
        return read_record(read_input(parser, name), rules)
    except ParseError as fault:
        parser.error(f"{name}: {fault}")


def print_notice(name: str, *sentences: str) -> None:
    """Print sentences about a file to standard error, one per line, each after the file's name."""
    about = excerpt(name, length=LONGEST_COMPLAINT)
    sys.stderr.write("".join(f"{about}: {sentence}\n" for sentence in sentences))


def write_output(parser: ToolParser, name: str, data: bytes) -> None:
    """Write a file. Exits if that fails."""
    try:
        Path(name).write_bytes(data)
    except (OSError, ValueError) as fault:
        parser.error(f"{name} cannot be written: {getattr(fault, 'strerror', fault)}.")
