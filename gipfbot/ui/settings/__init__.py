"""The settings of people and of servers."""
