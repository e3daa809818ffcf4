"""The house player: the bot itself takes part in games."""
