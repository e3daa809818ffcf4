"""`python bot.py doctor`: one line for each check, and each of them can fail."""

import os
import re
import shutil
import sqlite3
import time
from collections import namedtuple
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import pytest
from aiohttp import web
from PIL import features

from gipfbot import doctor, installation
from gipfbot.doctor import Level
from gipfbot.rules import geometry
from gipfbot.search import alpha_beta
from gipfbot.store.backends import backend_of_url
from gipfbot.store.backup_folder import backup_name
from gipfbot.store.schema import known_revisions
from tests.standin import StandIn
from tests.standin.people import bits
from tests.support.migrations import LATER, NEXT, one_more_migration
from tests.support.paths import HOUSE
from tests.support.repository import served

from .fork_server import Start, fork_process
from .running import Bot

Usage = namedtuple("Usage", "total used free")
CHECKS = ["versions", "settings", "disk", "database", "token", "permissions", "clock", "pictures", "search", "backups"]


@pytest.fixture
async def host(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> Bot:
    """Give this process the settings and the folder of a stopped bot."""
    for name in [name for name in os.environ if name.startswith("GIPFBOT_")]:
        monkeypatch.delenv(name)
    for name, value in bot.settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(bot.folder)
    monkeypatch.setattr(features, "check", lambda feature: True)
    monkeypatch.setattr(doctor, "UNITS", bot.folder)
    monkeypatch.setattr(doctor, "INSTALLED", {"gipfbot.service": bot.folder})
    (bot.folder / "backups").mkdir()
    ending = backend_of_url(bot.settings["GIPFBOT_DATABASE_URL"]).backup_ending
    (bot.folder / "backups" / backup_name(datetime.now(UTC), ending)).touch()
    monkeypatch.setenv("GIPFBOT_BACKUPS", str(bot.folder / "backups"))
    return bot


async def examined() -> dict[str, str]:
    """Return the lines of the doctor, by what they are about; of several, the worst."""
    found = [finding async for finding in doctor.examine_all()]
    found.sort(key=lambda each: [*Level].index(each.level))
    return {each.what: str(each) for each in found}


async def worst(what: str) -> str:
    """Return the line about this, after checking that all others are fine."""
    lines = await examined()
    assert {name for name, line in lines.items() if not line.startswith("ok ")} <= {what}
    return lines[what]


async def test_all_is_well(host: Bot, discord: StandIn) -> None:
    lines = [str(finding) async for finding in doctor.examine_all()]
    assert [line.split()[1].rstrip(":") for line in lines] == CHECKS
    assert [line for line in lines if not line.startswith("ok    ")] == []
    assert lines[4] == "ok    token: Discord knows it as that of gipf."
    assert lines[5] == "ok    permissions: all there on 1 server."
    assert "is whole" in lines[3]


async def test_each_request_says_who_makes_it(host: Bot, discord: StandIn) -> None:
    """In the form that Discord asks for, or it may block the address."""
    await examined()
    agents = {call.request.headers["User-Agent"] for call in discord.calls if call.request}
    assert agents == {installation.USER_AGENT}
    assert re.fullmatch(r"DiscordBot \(https://\S+, \d+\.\d+\.\d+\)", installation.USER_AGENT)


async def test_it_runs_beside_the_bot(bot: Bot, discord: StandIn, fork_server: Path) -> None:
    """The exit code says whether something has failed. The token is never printed."""
    await bot.start()
    for token, code in ((discord.token, 0), ("MTk4.wrong", 1)):
        environment = {"PATH": os.environ["PATH"], **bot.settings, "GIPFBOT_TOKEN": token}
        output = bot.folder / f"doctor {code}"
        start = Start(str(bot.folder), environment, str(output), arguments=("doctor",))
        ended = await (await fork_process(fork_server, start)).wait()
        said = output.read_text()
        assert (ended, token in said) == (code, False), said
        assert said.count("FAIL") == code


@pytest.mark.parametrize(
    ("shards", "why"),
    [
        ("0-3/2", "but of 2 shards the last is 1. Write auto, or a range such as 0-3/8."),
        pytest.param(
            "0-3/8",
            "but on SQLite one process runs all shards. Write auto, or keep the games on PostgreSQL, see",
            marks=pytest.mark.sqlite,
        ),
    ],
)
async def test_wrong_shards_fail(host: Bot, monkeypatch: pytest.MonkeyPatch, shards: str, why: str) -> None:
    monkeypatch.setenv("GIPFBOT_SHARDS", shards)
    assert (await worst("settings")).startswith(f"FAIL  settings: GIPFBOT_SHARDS is {shards}, {why}")


async def test_a_wrong_token_fails(host: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIPFBOT_TOKEN", "MTk4.wrong")
    assert (await worst("token")).startswith("FAIL  token: Discord does not know it. Copy it anew")


async def test_a_library_missing_for_pictures_is_named(host: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "check", lambda feature: feature != "raqm")
    assert (await worst("pictures")).startswith("warn  pictures: libfribidi is missing, so names in Arabic, ")


@pytest.mark.parametrize("status", [503, None])
async def test_an_outage_fails(host: Bot, discord: StandIn, status: int | None) -> None:
    discord.fail_next("GET", "/users/@me", status=status, times=9)
    assert (await worst("Discord")).startswith("FAIL  Discord: ")


BLOCKED = "Discord's own protection blocks this machine for now. Wait some minutes"
PAGE = "<!doctype html><title>Access denied</title>"


@pytest.mark.parametrize(
    ("status", "text", "said"),
    [
        (429, PAGE, f"answers 429: {BLOCKED}"),
        (403, PAGE, f"answers 403: {BLOCKED}"),
        (403, '{"message": "internal network error", "code": 40333}', f"answers 403: {BLOCKED}"),
        (502, PAGE, "answers 502, with a page that is not Discord's. Look at the network, "),
        (200, PAGE, "answers 200, with a page that is not Discord's. Look at the network, "),
    ],
)
async def test_what_stands_before_discord_is_no_silence(
    host: Bot, monkeypatch: pytest.MonkeyPatch, status: int, text: str, said: str
) -> None:
    """It has answered: the network is fine, and the token is not judged."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=status, text=text)

    app = web.Application()
    app.router.add_get("/users/@me", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    monkeypatch.setenv("GIPFBOT_API_URL", "http://{}:{}".format(*runner.addresses[0]))
    try:
        line = await worst("Discord")
    finally:
        await runner.cleanup()
    assert said in line


async def test_a_refused_list_of_servers_fails(host: Bot, discord: StandIn) -> None:
    discord.fail_next("GET", "/users/@me/guilds", status=500)
    assert "the list of servers is refused with 500" in await worst("Discord")


async def test_missing_permissions_are_named_on_ten_servers_at_most(
    host: Bot, discord: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "PAGE_LENGTH", 5)
    discord.world.bot_permissions &= ~bits("attach_files", "create_public_threads")
    for number in range(12):
        discord.world.add_guild(f"Club {number}\x1b")
    lines = [str(finding) async for finding in doctor.examine_all() if finding.what == "permissions"]
    assert len(lines) == 10
    assert lines[0].startswith("warn  permissions: on The club (")
    assert "the bot lacks permissions: Attach Files, Create Public Threads. Give them to its role" in lines[0]
    assert r"on Club 0\x1b (" in lines[1]
    assert "the bot lacks some on 4 more servers" in lines[9]


async def test_an_administrator_lacks_nothing(host: Bot, discord: StandIn) -> None:
    discord.world.bot_permissions = bits("administrator")
    assert (await worst("permissions")).startswith("ok ")


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        (30, r"warn  clock: (29|30|31) s ahead of Discord's\. Let NTP set the clock\."),
        (-7200, r"FAIL  clock: (7199|7200|7201) s behind Discord's\. Set the clock, best by NTP: .*"),
    ],
)
async def test_a_wrong_clock_is_named(host: Bot, monkeypatch: pytest.MonkeyPatch, wrong: int, line: str) -> None:
    monkeypatch.setattr(doctor, "time", type("Clock", (), {"time": lambda: time.time() + wrong}))
    assert re.fullmatch(line, await worst("clock"))


@pytest.mark.parametrize(("free", "line"), [(10, "FAIL  disk: 10 MB free"), (100, "warn  disk: 100 MB free")])
async def test_a_full_disk_is_named(host: Bot, monkeypatch: pytest.MonkeyPatch, free: int, line: str) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(0, 0, free * 1_000_000))
    assert (await worst("disk")).startswith(line)


async def test_a_folder_that_cannot_be_written_fails(host: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    assert "cannot be written (No space left on device)" in await worst("disk")


@pytest.mark.sqlite
async def test_a_missing_database_is_no_fault(host: Bot) -> None:
    host.database.unlink()
    assert (await worst("database")).startswith("warn  database: there is none at ")
    assert not host.database.exists()


@pytest.mark.sqlite
@pytest.mark.parametrize("damage", ["letter", "newer", "empty", "torn"])
async def test_a_broken_database_fails(host: Bot, damage: str) -> None:
    whole = host.database.read_bytes()
    match damage:
        case "letter":
            host.database.write_text("Dear aunt, this is no database. " * 99)
        case "newer":
            host.change("UPDATE alembic_version SET version_num = '9999'")
        case "empty":
            host.database.write_bytes(b"")
        case _:
            _tear(host.database)
    line = await worst("database")
    assert line.startswith("FAIL  database: ")
    assert {"newer": "tables 9999", "letter": "not a database", "torn": "damaged"}.get(damage, "cannot be read") in line
    host.database.write_bytes(whole)


def _tear(path: Path) -> None:
    """Take a row out of an index, so that it no longer fits its table."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute(
            "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'seats') "
            "WHERE name = 'turns'"
        )
        db.commit()


async def test_an_older_database_is_fine(host: Bot, tmp_path: Path) -> None:
    with one_more_migration(tmp_path):
        assert f"tables {known_revisions()[1]}; the next start brings it to {NEXT}" in await worst("database")


async def test_a_database_of_a_later_version_is_fine_if_this_one_may_run_on_it(host: Bot) -> None:
    with closing(sqlite3.connect(host.database)) as db:
        db.execute("UPDATE alembic_version SET version_num = ?", (LATER,))
        db.commit()
    assert f"tables {LATER}; a later version made them, and this one may run on them." in await worst("database")


async def test_a_unit_of_another_version_is_named(host: Bot) -> None:
    unit = host.folder / "gipfbot.service"
    shutil.copy(HOUSE / "docs" / "hosting" / "gipfbot.service", unit)
    assert (await examined())["service"] == "ok    service: as in this version: gipfbot.service."
    unit.write_text("[Unit]\n")
    assert (await worst("service")).startswith(
        f"warn  service: not as in this version: {unit}. Run `sudo make -C {HOUSE} service`; what "
    )


RIGHT = "`make install` compiles both, and the container has them compiled"
SLOW = "not compiled, so the bot's turns take about sixty times as long"


@pytest.mark.parametrize(
    ("search", "rules", "said"),
    [
        ("so", "so", "compiled, with the rules."),
        ("so", "py", f"compiled; the rules are not compiled; {RIGHT}."),
        ("py", "so", f"{SLOW}; the rules are compiled; {RIGHT}."),
        ("py", "py", f"{SLOW}; the rules are not compiled; {RIGHT}."),
    ],
)
def test_what_is_compiled_is_named(search: str, rules: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alpha_beta, "__file__", f"/opt/x.{search}")
    monkeypatch.setattr(geometry, "__file__", f"/opt/x.{rules}")
    assert str(doctor.check_search()) == f"ok    search: {said}"


async def test_old_backups_are_named(host: Bot) -> None:
    for path in (host.folder / "backups").iterdir():
        path.rename(path.with_name(f"gipf-20260101-000000{path.suffix}"))
    assert (await worst("backups")).startswith(f"warn  backups: the newest backup in {host.folder}/backups is ")


async def test_wrong_settings_are_named_with_the_versions(host: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIPFBOT_OWNER", "ann")
    lines = await examined()
    assert [*lines] == ["versions", "settings"]
    assert lines["settings"].startswith("FAIL  settings: GIPFBOT_OWNER is 'ann'")


@pytest.mark.parametrize(("mode", "is_private"), [(0o640, False), (0o604, False), (0o600, True)])
async def test_a_settings_file_that_others_can_read_is_named(host: Bot, mode: int, is_private: bool) -> None:
    """It holds the token."""
    (host.folder / ".env").touch()
    (host.folder / ".env").chmod(mode)
    warned = "warn  settings: others can read .env, and with it the token. Run `chmod 600 .env`."
    assert (await worst("settings") == warned) is not is_private


async def test_other_libraries_are_named(host: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    required = tmp_path / "requirements.txt"
    monkeypatch.setattr(doctor, "REQUIREMENTS", required)
    required.write_text("aiohttp==1.0 \\\n    --hash=sha256:00\nodd-lib==1.0 ; python_version > '4'\n")
    assert (await worst("versions")).startswith("warn  versions: other libraries than tested: aiohttp 3.")
    required.write_text("no-such-library==1.0\n")
    assert (await worst("versions")).startswith("FAIL  versions: no-such-library not installed. Run `make install`")
    required.unlink()
    assert (await worst("versions")).startswith("warn  versions: there is no ")


async def test_a_library_may_have_a_version_for_each_python(
    host: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    required = tmp_path / "requirements.txt"
    monkeypatch.setattr(doctor, "REQUIREMENTS", required)
    right, wrong = f"aiohttp=={version('aiohttp')} ; python < '3.12'\n", "aiohttp==1.0 ; python >= '3.12'\n"
    required.write_text(wrong + right)
    assert (await worst("versions")).startswith("ok    versions: ")
    required.write_text(wrong + wrong.replace("1.0", "2.0"))
    assert re.search(r"than tested: aiohttp .+ instead of 1\.0 or 2\.0", await worst("versions"))


async def test_an_installed_bot_is_compared_with_its_wheel(
    host: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = tmp_path / "gipfbot-0.1.0.dist-info"
    about.mkdir()
    monkeypatch.setattr(doctor, "REQUIREMENTS", tmp_path / "requirements.txt")
    monkeypatch.setattr(installation, "HOME", tmp_path)
    monkeypatch.setattr(installation, "IN_CHECKOUT", False)

    def require(*needs: str) -> None:
        lines = "".join(f"Requires-Dist: {need}\n" for need in ("odd-lib==1.0; extra == 'demo'", *needs))
        (about / "METADATA").write_text(f"Metadata-Version: 2.4\nName: gipfbot\nVersion: 0.1.0\n{lines}")

    require('aiohttp; extra == "bot"', 'SQLAlchemy[asyncio]; extra == "bot"')
    assert (await worst("versions")).endswith(", libraries as its wheel requires.")
    require('aiohttp==1.0; extra == "bot"')
    assert (await worst("versions")).startswith("warn  versions: other libraries than tested: aiohttp 3.")
    require('no-such-library; extra == "bot"')
    right = "no-such-library not installed. Run `pip install 'gipfbot[bot]'`, or build the container anew."
    assert await worst("versions") == f"FAIL  versions: {right}"


async def test_an_old_python_fails(host: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "OLDEST_PYTHON", (99, 0))
    assert "is too old. Install Python" in await worst("versions")


def test_it_takes_no_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.run_doctor(["now"]) == 2
    assert capsys.readouterr().err == "usage: gipfbot doctor\n"


async def test_it_says_whether_a_newer_version_is_published(host: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the settings say where to ask."""
    async with served("0.0.1") as repository:
        monkeypatch.setenv("GIPFBOT_UPDATES", repository.address)
        assert await worst("updates") == "ok    updates: no newer version is published."
        repository.versions = ["98.0.0"]
        assert (await worst("updates")).startswith("warn  updates: version 98.0.0 is published. `")
        repository.versions = []
        assert "says nothing of newer versions: its answer is none of git's. Look at" in await worst("updates")
