"""Time: flags, reminders, digests, vacations and downtime."""
