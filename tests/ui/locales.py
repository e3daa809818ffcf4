"""Languages of Discord: what SimCord sends as that of everybody, a test can set for each person and server."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from simcord import interactions


@contextmanager
def locales_sent(people: Mapping[int, str], servers: Mapping[int, str]) -> Iterator[None]:
    """Let these people use Discord in these languages, by their ids, and let these servers have preferred ones."""
    made = interactions.base_payload

    def with_locales(*args: Any, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        record, payload = made(*args, **kwargs)
        person = payload.get("member", payload).get("user", {})
        payload["locale"] = people.get(int(person["id"]), payload["locale"])
        if guild := payload.get("guild_id"):
            payload["guild_locale"] = servers.get(int(guild), payload["guild_locale"])
        return record, payload

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interactions, "base_payload", with_locales)
        yield
