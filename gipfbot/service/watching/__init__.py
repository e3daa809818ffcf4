"""Watching games: live lists, following, guesses."""
