"""Posting what the outbox holds, and where."""
