"""Challenges and open seeks, up to the start of a game."""
