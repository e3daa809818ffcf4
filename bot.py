"""Run the bot, or one of its tools, in a checkout: `python bot.py COMMAND` is `python -m gipfbot COMMAND`."""

from gipfbot.__main__ import main

if __name__ == "__main__":  # not in a process that measures something for the bench
    raise SystemExit(main())
