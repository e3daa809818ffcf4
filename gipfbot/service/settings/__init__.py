"""Settings of people and of servers."""
