"""A server of git on this machine, which lists the tags of a repository."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web


class Repository:
    """What is published, how it answers, and what it was asked."""

    def __init__(self) -> None:
        self.asked, self.versions, self.status, self.address = list[str](), list[str](), 200, ""

    async def answer(self, request: web.Request) -> web.Response:
        """List the tags. A redirection leads to another list of the same server."""
        self.asked.append(request.path_qs)
        listed = "".join(f"003d{'0' * 40} refs/tags/v{version}\n" for version in self.versions)
        moved = {"Location": "/elsewhere"} if self.status // 100 == 3 else {}
        return web.Response(text=f"001e# service=git-upload-pack\n0000{listed}", status=self.status, headers=moved)


@asynccontextmanager
async def served(*versions: str) -> AsyncIterator[Repository]:
    """Serve a repository that has published these versions, until the end of the `with` block."""
    repository, app = Repository(), web.Application()
    repository.versions += versions
    app.add_routes([web.get("/{anything:.*}", repository.answer)])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    repository.address = "http://{}:{}/gipf".format(*runner.addresses[0])
    try:
        yield repository
    finally:
        await runner.cleanup()
