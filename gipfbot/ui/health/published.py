"""Ask the git repository that the host names for the newest version that it has published."""

import aiohttp

from gipfbot.installation import USER_AGENT, newest_published

ANSWER_SECONDS, MOST_BYTES = 10, 4_000_000
OK = 200


class NoVersionError(Exception):
    """The repository did not answer as git's servers do; the message says why, without its address."""


async def ask_newest(address: str) -> str:
    """Return the newest version with a tag in the repository at an address, such as `0.3.0`; empty if none has one.

    It asks for the list of references, as `git fetch` does, and follows the answer nowhere else. Raises NoVersionError.
    """
    timeout, said = aiohttp.ClientTimeout(total=ANSWER_SECONDS), b""
    url, asked = f"{address}/info/refs", {"service": "git-upload-pack"}
    try:
        async with (
            aiohttp.ClientSession(headers={"User-Agent": USER_AGENT}, timeout=timeout) as session,
            session.get(url, params=asked, allow_redirects=False) as answer,
        ):
            if answer.status != OK:
                raise NoVersionError(f"it answers {answer.status}")
            while len(said) < MOST_BYTES and (part := await answer.content.readany()):
                said += part
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise NoVersionError(f"it does not answer ({type(error).__name__})") from error
    if b"refs/" not in said:
        raise NoVersionError("its answer is none of git's")
    return newest_published(said.decode(errors="replace"))
