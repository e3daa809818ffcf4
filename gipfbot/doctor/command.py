"""The command line of the doctor."""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence

from gipfbot.settings import SETTING_NAMES, Settings, SettingsError, load_settings
from gipfbot.store.backends import backend_of_url
from gipfbot.values import WrongShards

from .discord_checks import check_discord
from .finding import Finding, Level, failed_sentence, failure, fine
from .local_checks import check_database, check_disk, check_settings_file, check_versions


def run_doctor(argv: Sequence[str]) -> int:
    """Print one line for each check. Return 1 if one of them failed, else 0; 2 for wrong input."""
    if argv:
        print("usage: python bot.py doctor", file=sys.stderr)
        return 2
    return asyncio.run(_print_findings())


async def _print_findings() -> int:
    failed = False
    async for finding in examine_all():
        print(finding, flush=True)
        failed = failed or finding.level is Level.FAIL
    return int(failed)


async def examine_all() -> AsyncIterator[Finding]:
    """Yield what each check finds. With wrong settings, only they and the versions can be checked."""
    for finding in check_versions():
        yield finding
    for finding in check_settings_file():
        yield finding
    try:
        settings = load_settings()
    except SettingsError as error:
        for fault in error.faults:
            yield failure("settings", fault, "Correct it and run the doctor again")
        return
    yield _settings_finding(settings)
    yield check_disk(settings)
    yield await check_database(settings)
    async for finding in check_discord(settings):
        yield finding


def _settings_finding(settings: Settings) -> Finding:
    try:
        backend_of_url(settings.database_url).check_shards(settings.shards)
    except WrongShards as error:
        return failed_sentence("settings", error)
    given = [name for name in SETTING_NAMES if name.partition("_")[2].lower() in settings.model_fields_set]
    nobody = "" if settings.owner else "; without GIPFBOT_OWNER, nobody is told what needs a hand"
    return fine("settings", f"{', '.join(given)} set, the others as by default{nobody}")
