"""Takebacks, claims of a win, and conditional turns."""
