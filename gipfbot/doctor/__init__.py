"""`python bot.py doctor`: check everything that the bot needs, one line each. It may run beside the bot."""

from .command import run_doctor

__all__ = ["run_doctor"]
