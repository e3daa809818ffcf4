"""Lengths of time in seconds, and the moment at which tests begin."""

MINUTE, HOUR, DAY = 60, 3600, 24 * 3600
WEEK, MONTH = 7 * DAY, 30 * DAY
NOW = 1_800_000_000
