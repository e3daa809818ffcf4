"""The settings of a person: one private message with a control for each, which shows its state."""

import pytest

from gipfbot.ui.clock import reminder_texts
from gipfbot.ui.kit import texts
from tests.support.times import DAY
from tests.ui.world import World, components, private, told

from .panel import Panel, forged

SETTINGS, REMINDERS = "gipf-me settings", "gipf-me reminders"
AT_FIRST = [
    "Language: that of your Discord",
    "Notation: official",
    "Theme: Wood",
    "Reminders: 25 % of time left",
    "Confirm typed turns: off",
    "Flip boards as Black: off",
    "Shown on leaderboards: on",
    "Followers: on",
    "Daily digest: off…",
]


LISTED = "Shown on leaderboards"


async def opened(world: World, command: str = SETTINGS) -> Panel:
    """Return Ann's settings, or what another command of hers shows."""
    return Panel(world.ann, await world.ann.slash(world.channel, command))


async def test_each_control_shows_its_state_and_changes_it(world: World) -> None:
    panel = await opened(world)
    assert panel.states == AT_FIRST, f"add new controls to AT_FIRST: { {*panel.states} - {*AT_FIRST} }"
    assert "→" not in panel.text
    expected = [*AT_FIRST]
    for number, value, said in (
        (1, "Notation: short form by Julio974", "official → short form by Julio974."),
        (2, "Theme: Night", "Theme: Wood → Night."),
        (3, "Reminders: off", "Reminders: 25 % of time left → off."),
    ):
        await panel.choose(value)
        expected[number] = value
        assert panel.states == expected
        assert said in panel.text
    for number, name, first in (
        (4, "Confirm typed turns", 0),
        (5, "Flip boards as Black", 0),
        (6, LISTED, 1),
        (7, "Followers", 1),
    ):
        changes = [("off", "on"), ("on", "off"), ("off", "on"), ("on", "off")][first : first + 3]
        for before, after in changes:
            await panel.press(f"{name}: {before}")
            assert f"{name}: {before} → {after}." in panel.text
        expected[number] = f"{name}: {changes[-1][1]}"
        assert panel.states == expected
    assert panel.text.count("→") == 1, "only the last change is told"
    assert (await opened(world)).states == expected
    settings = await world.bot.app.users.user_settings(world.ann.id)
    assert (settings["notation"], settings["theme"], settings["reminders"]) == ("julio974", "night", "off")
    assert (settings["confirm_typed"], settings["own_side"], settings["leaderboard"]) == (True, True, False)
    assert settings["followers"] is False


async def test_a_language_is_spoken_from_its_choice_on(world: World) -> None:
    panel = await opened(world)
    await panel.choose("Language: Deutsch")
    assert " → Deutsch" in panel.text
    assert "Sprache: Deutsch" in panel.states
    assert "Du hast keine" in told(await world.ann.slash(world.channel, "gipf games"))
    await panel.choose("Sprache: English")
    assert "Language: English" in panel.states


async def test_options_of_the_command_show_the_same_message(world: World) -> None:
    said = told(await world.ann.slash(world.channel, SETTINGS, theme="felt", confirm_typed=True, own_side=False))
    for line in ("Theme: Wood → Felt.", "Confirm typed turns: off → on.", "Flip boards as Black: off, as before."):
        assert line in said.splitlines()
    panel = await opened(world)
    assert {"Theme: Felt", "Confirm typed turns: on"} <= {*panel.states}


async def test_settings_are_changed_in_direct_messages(world: World) -> None:
    answer = private(await world.ann.user.slash(SETTINGS))
    custom_id = next(item["custom_id"] for item in components(answer) if "theme" in item["custom_id"])
    await world.ann.user.select(answer, ["night"], custom_id=custom_id)
    assert answer.note == "Theme: Wood → Night."
    await world.ann.user.click(answer, label="Confirm typed turns: off")
    assert answer.note == "Confirm typed turns: off → on."


async def test_settings_lead_to_the_reminders_and_back(world: World) -> None:
    panel = await opened(world)
    await panel.press("Daily digest: off…")
    assert panel.states == [
        "Reminders: 25 % of time left",
        "Daily digest: off",
        reminder_texts.ALL_SETTINGS_LABEL,
    ]
    await panel.choose("Reminders: 2 hours left")
    assert "Reminders: 25 % of time left → 2 hours left." in panel.text
    await panel.choose("Daily digest: 8:00")
    assert panel.text == reminder_texts.which_zone_text(8)
    assert panel.states == [reminder_texts.ALL_SETTINGS_LABEL], "the question can be left"
    (zones,) = panel.selects
    await panel.choose(next(each["label"] for each in zones["options"] if each["value"] == "Europe/Brussels"))
    assert {"Daily digest: off → 8:00.", "Time zone: none → Europe/Brussels."} <= {*panel.text.splitlines()}
    reminder, digest, zone, _ = panel.states
    assert (reminder, digest) == ("Reminders: 2 hours left", "Daily digest: 8:00")
    assert zone.startswith("Europe/Brussels · now ")
    tokyo = next(each["label"] for each in panel.selects[2]["options"] if each["value"] == "Asia/Tokyo")
    await panel.choose(tokyo)
    assert "Time zone: Europe/Brussels → Asia/Tokyo." in panel.text
    await panel.press(reminder_texts.ALL_SETTINGS_LABEL)
    assert {"Reminders: 2 hours left", "Daily digest: 8:00…"} <= {*panel.states}
    await panel.press("Daily digest: 8:00…")
    await panel.choose("Daily digest: off")
    assert "Daily digest: 8:00 → off." in panel.text
    assert (await world.bot.app.digests.plan(world.ann.id)).next_at is None


async def test_digest_hour_waits_for_its_time_zone(world: World) -> None:
    await world.ann.slash(world.channel, REMINDERS, digest="8")
    assert (await world.bot.app.digests.plan(world.ann.id)).next_at is None
    said = told(await world.ann.slash(world.channel, REMINDERS, zone="Europe/Brussels"))
    assert {"Daily digest: off → 8:00.", "Time zone: none → Europe/Brussels."} <= {*said.splitlines()}


async def test_reminders_of_somebody_on_vacation_say_so(world: World) -> None:
    await world.begin()
    assert reminder_texts.NO_REMINDER_IF_PAUSED not in (await opened(world, REMINDERS)).text
    await world.ann.slash(world.channel, "gipf-me vacation start", days=3)
    text = (await opened(world, REMINDERS)).text
    assert text.startswith("You're on vacation, back <t:")
    assert reminder_texts.NO_REMINDER_IF_PAUSED in text


async def test_reminders_go_on_again_in_all_games(world: World) -> None:
    game_id = await world.begin()
    await world.bot.app.reminders.turn_off_for_game(world.ann.id, game_id)
    panel = await opened(world, REMINDERS)
    assert "Reminders are off in #a1." in panel.text
    await panel.press(reminder_texts.REMIND_EVERYWHERE_LABEL)
    assert "off in #a1" not in panel.text
    assert reminder_texts.REMIND_EVERYWHERE_LABEL not in panel.states
    assert (await world.bot.app.reminders.reminder_settings(world.ann.id)).quiet_games == ()


async def test_settings_say_whether_the_person_is_on_vacation(world: World) -> None:
    assert (
        "You're not on vacation. 30 of 30 vacation days left this year. **/gipf-me vacation start**"
        in (await opened(world)).text
    )
    await world.bot.app.vacations.start_vacation(world.ann.id, 3)
    until = world.bot.app.now() + 3 * DAY
    assert f"You're on vacation, back <t:{until}:R>." in (await opened(world)).text


@pytest.mark.parametrize("name", ["theme", "notation", "reminders", "confirm_typed", "own_side"])
async def test_a_value_that_no_control_offers_is_refused(world: World, name: str) -> None:
    said = await forged(world, world.ann, f"user_setting:{name}:", "x`y")
    assert said == f"`x y` cannot be chosen for **{name}**; nothing was changed. Choose a value that Discord offers."
    if name in ("theme", "notation", "reminders"):
        assert "`on` cannot be chosen" in await forged(world, world.ann, f"user_setting:{name}:on")
    assert await world.bot.app.users.user_settings(world.ann.id) == {}


@pytest.mark.parametrize(
    ("custom_id", "value", "option"),
    [("reminder_time", "3h", "when"), ("digest_hour", "24", "digest"), ("digest_hour", "²", "digest")],
)
async def test_reminders_refuse_what_no_control_offers(world: World, custom_id: str, value: str, option: str) -> None:
    said = await forged(world, world.ann, custom_id, value)
    assert said.startswith(f"`{value}` cannot be chosen for **{option}**; nothing was changed.")
    assert "isn't a time zone; nothing was changed" in await forged(world, world.ann, "time_zone", "Mars")
    assert await world.bot.app.users.user_settings(world.ann.id) == {}


@pytest.mark.parametrize("bad", [{"when": "3h"}, {"digest": "24"}])
async def test_reminders_change_nothing_if_one_option_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch, bad: dict[str, str]
) -> None:
    monkeypatch.setattr("simcord.interactions.validate_option_value", lambda _, __, value: value)
    said = told(await world.ann.slash(world.channel, REMINDERS, zone="Europe/Berlin", **bad))
    assert "nothing was changed" in said
    assert await world.bot.app.users.user_settings(world.ann.id) == {}


@pytest.mark.parametrize("custom_id", ["user_setting:colour:on", "user_setting:theme:night", "user_settings:1"])
async def test_a_control_of_another_version_is_out_of_date(world: World, custom_id: str) -> None:
    assert await forged(world, world.ann, custom_id) == texts.UNKNOWN_BUTTON


async def test_a_select_is_new_each_time_it_shows_a_state(world: World) -> None:
    """A client that keeps what was chosen would show a choice that was refused or changed since."""
    panel = await opened(world)
    await panel.press("Flip boards as Black: off")
    before = [select["id"] for select in panel.selects]
    await panel.press("Flip boards as Black: on")
    assert not {*before} & {select["id"] for select in panel.selects}
