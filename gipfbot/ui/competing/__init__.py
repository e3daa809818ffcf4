"""Leaderboards and profiles, as people see them."""
