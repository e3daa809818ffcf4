"""The use cases of the bot. Each loads data from the store, lets `match` decide, and saves. Independent of Discord."""
