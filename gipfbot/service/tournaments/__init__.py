"""Tournaments: leagues and Swiss tournaments, which run by themselves."""
