"""Time: flags, reminders, digests, vacations, downtime."""
