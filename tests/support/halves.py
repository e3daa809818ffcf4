"""The shards of two processes that share a database."""

from gipfbot.values import Shards

HALF, REST = Shards(0, 3, 8), Shards(4, 7, 8)
