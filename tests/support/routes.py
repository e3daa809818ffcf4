"""Routes of Discord that tests hold, fail and count."""

MESSAGES = "/channels/{id}/messages"
THREADS = "/channels/{id}/messages/{message}/threads"
