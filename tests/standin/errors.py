"""Discord's errors: one table of code -> (HTTP status, text).

It has only the codes that the stand-in gives by itself. A test can ask for any other with `fail_next`.
"""

from typing import Any, NamedTuple

Json = dict[str, Any]

ERRORS: dict[int, tuple[int, str]] = {
    0: (401, "401: Unauthorized"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    10066: (404, "Unknown application command permissions"),
    20026: (403, "Your bot has been flagged by our anti-spam system for abusive behavior."),
    30046: (429, "Maximum number of edits to messages older than 1 hour reached. Try again later."),
    40003: (429, "You are opening direct messages too fast."),
    40004: (403, "Send messages has been temporarily disabled"),
    40005: (413, "Request entity too large"),
    40006: (403, "This feature has been temporarily disabled server-side"),
    40060: (400, "Interaction has already been acknowledged."),
    40333: (403, "internal network error"),
    50001: (403, "Missing Access"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50024: (403, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50035: (400, "Invalid Form Body"),
    50278: (403, "Cannot send messages to this user due to having no mutual guilds"),
    50240: (400, "You cannot remove this app's Entry Point command in a bulk update operation."),
    50083: (400, "Thread is archived"),
    160004: (400, "A thread has already been created for this message"),
    160005: (403, "Thread is locked"),
    160006: (400, "Maximum number of active threads reached"),
    400001: (403, "Access to file uploads has been limited for this guild"),
}


class Problem(NamedTuple):
    """A broken limit: the dotted field (`components.0.components.2.label`) and the fault."""

    field: str
    message: str


class ApiError(Exception):
    """An error that the client gets as from Discord: a status and `{"code", "message"}`."""

    def __init__(self, code: int, *, status: int | None = None, problems: list[Problem] | None = None) -> None:
        usual, message = ERRORS.get(code, (400, f"error {code}"))
        super().__init__(f"{code}: {message}")
        self.code = code
        self.status = usual if status is None else status
        self.problems = problems or []

    def json(self) -> Json:
        """Return the body of the answer."""
        body: Json = {"code": self.code, "message": ERRORS.get(self.code, (0, f"error {self.code}"))[1]}
        if self.problems:
            body["errors"] = _nested(self.problems)
        return body


def refuse(problems: list[Problem]) -> None:
    """Raise error 50035 if there is any problem."""
    if problems:
        raise ApiError(50035, problems=problems)


def _nested(problems: list[Problem]) -> Json:
    """Return Discord's tree of errors: a level for each part of the field's name, `_errors` at the end."""
    tree: Json = {}
    for problem in problems:
        node = tree
        for part in problem.field.split("."):
            node = node.setdefault(part, {})
        node.setdefault("_errors", []).append({"code": "INVALID", "message": problem.message})
    return tree
