"""The direct message to the host of the bot about what needs a hand."""

from collections.abc import Sequence

from gipfbot.ui.kit.texts import join_lines

NEEDS_A_HAND = "**Your GIPF bot needs a hand.**"
WHAT_NEXT = "-# `python bot.py doctor` on its machine checks everything, also while it runs. The log has the details."
STATE_LABEL = "How is it now?"
MOST_SENTENCES, LONGEST_SENTENCE = 12, 140  # a message has room for 2,000 signs


def owner_news_text(sentences: Sequence[str]) -> str:
    shown = [f"* {sentence}" for sentence in sentences[:MOST_SENTENCES]]
    more = len(sentences) - len(shown)
    return join_lines(NEEDS_A_HAND, *shown, f"* … and {more} more" if more > 0 else "", WHAT_NEXT)


def undeliverable_servers_text(servers: int) -> str:
    return f"On {servers} servers, boards can't be posted: their managers see why with **/gipf-server status**."


def disk_fault_text(said: str) -> str:
    return f"The database can't be written: {said}. Look at the disk: is it full, or read-only?"


def unhealthy_text(minutes: int, reasons: Sequence[str]) -> str:
    return f"It has not been healthy for {minutes} minutes: {'; '.join(reasons)}."


def fault_kind_text(kind: str, times: int) -> str:
    return f"An error that it did not expect: {kind}" + (f", {times} times." if times > 1 else ".")


def told_text(kind: str, said: str) -> str:
    """Return the sentence for what a log line asks to be told. `kind` says what it is about."""
    return clock_jump_text(said) if kind == "clock" else said


def clock_jump_text(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}. Is the clock of its machine set by NTP?"
