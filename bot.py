"""Run the bot, or one of its tools, in a checkout: `python bot.py COMMAND` is `python -m gipfbot COMMAND`."""

from gipfbot.__main__ import main

raise SystemExit(main())
