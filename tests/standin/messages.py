"""Messages with their attachments and all their revisions.

A message is a list of revisions. An edit adds one, so that a test can see what was shown when.
Not modelled: mentions, reactions, pins, polls, stickers, and the resolving of links and of `attachment://`.
"""

import mimetypes
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from .components import buttons, selects, texts
from .errors import Json
from .people import Ids, User

EPHEMERAL, LOADING, COMPONENTS_V2 = 1 << 6, 1 << 7, 1 << 15
SETTABLE_FLAGS = (1 << 2) | EPHEMERAL | (1 << 12) | COMPONENTS_V2


class Upload(NamedTuple):
    """A file of a request."""

    filename: str
    data: bytes


@dataclass(frozen=True)
class Attachment:
    """A file that the stand-in keeps and serves at `url`; `data` is its content."""

    id: int
    filename: str
    data: bytes
    description: str | None
    url: str

    def json(self) -> Json:
        """Return the attachment object, without width and height."""
        body: Json = {
            "id": str(self.id),
            "filename": self.filename,
            "size": len(self.data),
            "url": self.url,
            "proxy_url": self.url,
            "content_type": mimetypes.guess_type(self.filename)[0] or "application/octet-stream",
        }
        return body if self.description is None else {**body, "description": self.description}


@dataclass(frozen=True)
class Revision:
    """The content of a message from `at` until the next edit."""

    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: tuple[Attachment, ...] = ()
    flags: int = 0
    at: float = field(default_factory=time.time)

    @property
    def empty(self) -> bool:
        """Whether Discord would refuse it with 50006. Old-style components alone do not count as content."""
        layout = self.components if self.flags & COMPONENTS_V2 else []
        return not (self.content or self.embeds or self.attachments or layout)


@dataclass
class Message:
    """A message. Its properties show the newest revision; `nonce` is that of its post."""

    id: int
    channel_id: int
    guild_id: int | None
    author: User
    revisions: list[Revision]
    nonce: str | None = None
    application_id: int | None = None
    interaction_id: int | None = None
    reference: Json | None = None
    thread_id: int | None = None
    posted_at: float = field(default_factory=time.time)
    deleted: bool = False

    @property
    def now(self) -> Revision:
        """The newest revision."""
        return self.revisions[-1]

    @property
    def content(self) -> str:
        """The content as it is now."""
        return self.now.content

    @property
    def text(self) -> str:
        """The content and, in a V2 layout, all text displays."""
        return "\n".join(filter(None, [self.content, *texts(self.components)]))

    @property
    def embeds(self) -> list[Json]:
        """The embeds as they are now."""
        return self.now.embeds

    @property
    def components(self) -> list[Json]:
        """The components as they are now."""
        return self.now.components

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """The attachments as they are now."""
        return self.now.attachments

    @property
    def custom_ids(self) -> list[str]:
        """The custom_ids of all buttons and selects shown."""
        shown = buttons(self.components) + selects(self.components)
        return [component["custom_id"] for component in shown if "custom_id" in component]

    @property
    def ephemeral(self) -> bool:
        """Whether only the person of the interaction sees the message."""
        return bool(self.now.flags & EPHEMERAL)

    @property
    def loading(self) -> bool:
        """Whether the message still says "thinking ...": deferred and not yet filled."""
        return bool(self.now.flags & LOADING)

    @property
    def edits(self) -> int:
        """The number of edits."""
        return len(self.revisions) - 1

    def json(self, revision: Revision | None = None) -> Json:
        """Return the message object of a revision, by default the newest. It has no nonce, as in the history."""
        shown = revision or self.now
        body: Json = {
            "id": str(self.id),
            "channel_id": str(self.channel_id),
            "type": 0,
            "author": self.author.json(),
            "content": shown.content,
            "embeds": shown.embeds,
            "components": shown.components,
            "attachments": [attachment.json() for attachment in shown.attachments],
            "flags": shown.flags,
            "timestamp": _iso(self.posted_at),
            "edited_timestamp": None if shown is self.revisions[0] else _iso(shown.at),
            "mentions": [],
            "mention_roles": [],
            "mention_everyone": False,
            "pinned": False,
            "tts": False,
        }
        if self.application_id is not None:
            body |= {"application_id": str(self.application_id), "webhook_id": str(self.application_id)}
        if self.reference is not None:
            body |= {"type": 19, "message_reference": {key: str(value) for key, value in self.reference.items()}}
        return body

    def show(self, revision: Revision) -> None:
        """Add a revision. A message that is still loading gets its first revision instead."""
        if self.loading:
            self.revisions = [revision]
        else:
            self.revisions.append(revision)


def revise(before: Revision, payload: Json, kept: tuple[Attachment, ...]) -> Revision:
    """Return the next revision after an edit. A missing field stays as it is, and null empties it."""
    flags = before.flags & ~LOADING | (payload.get("flags") or 0) & SETTABLE_FLAGS & ~EPHEMERAL
    return Revision(
        content=payload.get("content", before.content) or "",
        embeds=payload.get("embeds", before.embeds) or [],
        components=payload.get("components", before.components) or [],
        attachments=kept,
        flags=flags,
    )


def attach(
    before: tuple[Attachment, ...], payload: Json, files: Mapping[int, Upload], ids: Ids, folder: str
) -> tuple[Attachment, ...]:
    """Return the attachments after a request: old ones kept by id, and uploads named by the index of their part.

    Without `attachments` in the payload all old ones stay and all uploads are added.
    """
    listed = payload.get("attachments")
    if listed is None:
        listed = [{"id": old.id} for old in before] + [{"id": index} for index in sorted(files)]
    old_by_id = {old.id: old for old in before}
    result: list[Attachment] = []
    for entry in listed:
        key = int(entry["id"])
        if key in old_by_id:
            result.append(old_by_id[key])
        elif key in files:
            result.append(stored(files[key], entry, ids.new(), folder))
    return tuple(result)


def stored(upload: Upload, entry: Json, new_id: int, folder: str) -> Attachment:
    """Return an upload as an attachment with its address below `folder`."""
    name = entry.get("filename") or upload.filename
    return Attachment(new_id, name, upload.data, entry.get("description"), f"{folder}/{new_id}/{name}")


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat()
