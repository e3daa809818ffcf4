"""The groups of slash commands that more than one room adds to."""

from discord import app_commands

gipf_group = app_commands.Group(name="gipf", description="Play GIPF by correspondence")
