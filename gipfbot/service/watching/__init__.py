"""Watching games: the running games of a server, following, and guesses."""
