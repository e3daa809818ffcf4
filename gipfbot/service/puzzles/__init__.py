"""Puzzles: making and proving them, solving them, their ratings, and the puzzle of the day."""
