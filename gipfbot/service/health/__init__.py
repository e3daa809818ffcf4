"""The state of the bot itself, for its host and for the managers of servers."""
