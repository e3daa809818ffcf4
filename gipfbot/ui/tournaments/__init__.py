"""Tournaments: the commands, buttons and messages of leagues and Swiss tournaments."""
