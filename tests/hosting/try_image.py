"""`make image`: build the image, and let it do what a host needs: start, play, be healthy, end. It needs docker.

`--tag NAME` names the image. `--postgres` builds the one for a database on PostgreSQL.
"""

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Sequence
from signal import SIGTERM

from gipfbot.installation import VERSION
from gipfbot.tools.commands import BAD_USE
from tests.process.table import Table
from tests.standin import StandIn
from tests.support.paths import HOUSE

HEALTHY_TRIES, TRY_SECONDS = 120, 1  # docker looks each 30 seconds
END_SECONDS = 30
FOR_POSTGRES = "REQUIREMENTS=requirements/postgres.txt", "POSTGRES_CLIENT=17"
# As in the compose file.
SANDBOX = (
    *("--init", "--read-only", "--tmpfs=/tmp:size=64m,mode=1777,noexec,nosuid,nodev", "--cap-drop=ALL"),
    *("--security-opt=no-new-privileges:true", "--memory=512m", "--pids-limit=128"),
)
COMPILED = "from gipfbot import rules, search; print(rules.__compiled__, search.__compiled__)"
SHAPES_NAMES = "from PIL import features; print(features.check('raqm'))"


def revision() -> str:
    """Return the commit that the image names."""
    asked = "git", "-c", "safe.directory=*", "-C", HOUSE, "rev-parse", "--short=12", "HEAD"
    return subprocess.run(asked, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def build(image: str, *, postgres: bool) -> None:
    """Build the image. Raises CalledProcessError if that fails."""
    named = *(FOR_POSTGRES if postgres else ()), f"REVISION={revision()}"
    options = [word for each in named for word in ("--build-arg", each)]
    subprocess.run(["docker", "build", *options, "--tag", image, HOUSE], check=True)


def said(image: str, *command: str, code: int = 0) -> str:
    """Run a command in a container, which must end with this code. Return all that it says."""
    words = "docker", "run", "--rm", *SANDBOX, image, *command
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == code, f"{command} ended with code {done.returncode}:\n{done.stdout}"
    return done.stdout


def try_parts(image: str, *, postgres: bool) -> None:
    """Check what is in the image. Raises AssertionError."""
    assert said(image, "python", "bot.py", "--version") == f"gipfbot {VERSION} ({revision()})\n"
    assert said(image, "python", "-c", COMPILED) == "True True\n", "the search or the rules are not compiled"
    assert said(image, "python", "-c", SHAPES_NAMES) == "True\n", "names of some scripts cannot be drawn"
    assert "GIPFBOT_TOKEN" in said(image, code=BAD_USE), "it does not say what it needs"
    if postgres:
        assert said(image, "pg_dump", "--version").startswith("pg_dump (PostgreSQL) 17.")


async def try_game(image: str) -> None:
    """Let two people play two turns on a Discord of this machine. Raises AssertionError."""
    name = f"gipfbot-try-{revision()}"
    async with StandIn() as discord:
        known = {"TOKEN": discord.token, "API_URL": discord.api_url, "GATEWAY_URL": discord.gateway_url}
        settings = [f"--env=GIPFBOT_{key}={value}" for key, value in known.items()]
        run = "docker", "run", "--rm", "--network=host", f"--name={name}", *SANDBOX, *settings, image
        process = await asyncio.create_subprocess_exec(*run)
        try:
            await discord.ready()
            await discord.wait_for(lambda: discord.world.commands, what="the commands")
            table = Table(discord)
            await table.begin(colour="white")
            await table.play(1, 2)
            await _becomes_healthy(name)
        finally:
            process.send_signal(SIGTERM)
            code = await asyncio.wait_for(process.wait(), END_SECONDS)
    assert code == 0, f"it ended with code {code}"
    assert discord.violations == []


async def _becomes_healthy(name: str) -> None:
    asked = "docker", "inspect", "--format={{.State.Health.Status}}", name
    for _ in range(HEALTHY_TRIES):
        if await asyncio.to_thread(subprocess.check_output, asked) == b"healthy\n":
            return
        await asyncio.sleep(TRY_SECONDS)
    raise AssertionError("the image does not become healthy")


def main(argv: Sequence[str]) -> None:
    """Build the image and try it."""
    parser = argparse.ArgumentParser(prog="make image", description="Build the image and try it.")
    parser.add_argument("--tag", default=f"gipfbot:{VERSION}", metavar="NAME", help="the name of the image")
    parser.add_argument("--postgres", action="store_true", help="for a database on PostgreSQL")
    options = parser.parse_args(argv)
    build(options.tag, postgres=options.postgres)
    try_parts(options.tag, postgres=options.postgres)
    asyncio.run(try_game(options.tag))
    sys.stdout.write(f"{options.tag} is built, and does what it should.\n")


if __name__ == "__main__":
    main(sys.argv[1:])
