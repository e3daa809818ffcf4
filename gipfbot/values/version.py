"""The version of the bot: the newest heading of CHANGELOG.md."""

VERSION = "0.1.0"
