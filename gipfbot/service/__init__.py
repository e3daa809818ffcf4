"""What people can do: load from the store, ask the match, save with the messages owed. Knows no Discord."""
