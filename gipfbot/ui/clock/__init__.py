"""Reminders, nudges, digests, vacations and downtime notices."""
