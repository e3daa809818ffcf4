"""The settings of a server, and what they do to challenges there."""

import discord
import pytest
import simcord

from gipfbot.demo import prepare_channel
from gipfbot.match import RequestState
from gipfbot.service.settings.servers import GATHER_SECONDS, ServerSettings
from gipfbot.ui.kit import texts
from gipfbot.ui.lobby import lobby_texts
from gipfbot.ui.settings import server
from tests.ui.forged import direct_forger
from tests.ui.terms_page import challenge
from tests.ui.world import World, buttons, challenge_state, counted, deliver, private, told

from .panel import SERVER_SETTINGS, Panel, forged, opened_places

BASIC = "Rules: Basic"


async def opened(world: World, boss: simcord.MemberActor, **options: object) -> Panel:
    """Return the settings of the server, as the manager has opened them."""
    return Panel(boss, await boss.slash(world.channel, SERVER_SETTINGS, **options))


async def test_each_control_shows_its_state_and_changes_it(world: World, boss: simcord.MemberActor) -> None:
    """Only managers see the settings, and nothing is public."""
    with pytest.raises(simcord.SetupError, match="default-member-permissions"):
        await world.ann.slash(world.channel, SERVER_SETTINGS)
    with pytest.raises(simcord.SetupError, match="context"):
        await boss.user.slash(SERVER_SETTINGS)
    panel = await opened(world, boss)
    for page, rows in PAGES.items():
        await panel.turn_to(page)
        assert f"** · {page}" in panel.text
        expected = [label for label in server.PAGE_LABELS.values() if label != page]
        expected += [at_first for at_first, _, _ in rows.values()]
        for new in {*panel.states} - {*expected}:
            pytest.fail(f"add to PAGES in tests/ui/settings/test_server.py, page {page}: {missing_row(new)}")
        assert sorted(panel.states) == sorted(expected)
        for at_first, then, _ in rows.values():
            assert await panel.change(then) == at_first
            assert panel.message.note == f"{at_first} → {then.partition(': ')[2]}."
            expected[expected.index(at_first)] = then
            assert sorted(panel.states) == sorted(expected)
    stored = {name: value for rows in PAGES.values() for name, (_, _, value) in rows.items()}
    assert await world.bot.app.servers.settings(world.guild.id) == ServerSettings().with_changes(stored)
    assert world.public() == []


def missing_row(state: str) -> str:
    """Return the row of a control that shows this, as far as it can be known."""
    names = [name for name, text in server.SERVER_TEXTS.items() if text.label == state.partition(": ")[0]]
    return f'"{names[0] if names else "?"}": ("{state}", "<what it shows after a change>", <the value then>),'


# By page, each setting: what its control shows at first, what it shows after a change, and which value is stored then.
PAGES: dict[str, dict[str, tuple[str, str, object]]] = {
    "Terms": {
        "language": ("Language: that of the server's Discord", "Language: Deutsch", "de"),
        "rules": ("Rules: Standard", BASIC, "basic"),
        "zertz": ("ZÈRTZ-potentials: none", "ZÈRTZ-potentials: 6 each", 6),
        "punct": ("PÜNCT-potentials: none", "PÜNCT-potentials: 3 each", 3),
        "pace": ("Pace: 3 days for each turn", "Pace: 2 days for each turn", "2"),
        "grace": ("Late: win within 12 hours or lose", "Late: lost at once", 0),
        "vacation": ("Vacation: 30 days a year", "Vacation: 7 days a year", 7),
        "weekends": ("Clocks run at weekends (UTC): on", "Clocks run at weekends (UTC): off", False),
        "rated": ("Rated games: on", "Rated games: off", False),
    },
    "Places": {
        "cap": ("Games per person: any number", "Games per person: at most 3", 3),
        "threads": ("Thread for each game: challengers choose", "Thread for each game: always", True),
    },
    "Appearance": {
        "theme": ("Theme: Wood", "Theme: Night", "night"),
        "below": ("Boards seen from: White's side", "Boards seen from: Black's side", "black"),
    },
}


async def test_limit_of_games_can_be_lifted_again(world: World, boss: simcord.MemberActor) -> None:
    panel = await opened_places(world, boss, cap=3)
    assert await panel.change("Games per person: any number") == "Games per person: at most 3"
    assert panel.message.note == "Games per person: at most 3 → any number."
    assert (await world.bot.app.servers.settings(world.guild.id)).cap is None


async def test_options_of_the_command_show_the_page_of_the_first(world: World, boss: simcord.MemberActor) -> None:
    """A number that no select offers is shown among the others."""
    panel = await opened(world, boss, cap=7, vacation=1, grace=5, theme="felt")
    assert "** · Terms" in panel.text
    assert server.PAGE_HINTS["terms"] not in panel.text, "a phone has no room for both"
    assert panel.message.note.splitlines() == [
        "Late: win within 12 hours or lose → win within 5 hours or lose.",
        "Vacation: 30 days a year → 1 day a year.",
        "Theme: Wood → Felt.",
        "Games per person: any number → at most 7.",
    ]
    assert {"Late: win within 5 hours or lose", "Vacation: 1 day a year"} <= {*panel.states}
    grace = next(select for select in panel.selects if select["custom_id"].endswith(":grace"))
    hours = [int(option["value"]) for option in grace["options"]]
    assert hours == sorted({*hours}), "each once, in order"
    assert "Games per person: at most 7" in (await opened(world, boss, threads=True)).states
    assert "Games per person: any number" in (await opened(world, boss, cap=0)).states
    assert (await world.bot.app.servers.settings(world.guild.id)).cap is None


async def test_channel_for_games_is_chosen_from_a_list(world: World, boss: simcord.MemberActor) -> None:
    panel = await opened(world, boss)
    await panel.turn_to("Places")
    assert "Challenges and boards are posted where the command is used." in panel.text
    await panel.choose_channel(world.channel)
    changed = f"Channel for games: any → <#{world.channel.id}>."
    assert panel.message.note.splitlines() == [changed, server.news_follows_text(world.channel.id)]
    assert f"Challenges and boards are posted in <#{world.channel.id}>." in panel.text
    assert panel.channel_select()["default_values"] == [{"id": world.channel.id, "type": "channel"}]
    before = panel.channel_select()["id"]
    await panel.press(server.GAMES_PLACE.unset_label)
    assert panel.channel_select()["id"] != before, "a client would keep what was chosen"
    assert panel.message.note == f"Channel for games: <#{world.channel.id}> → any."
    assert server.GAMES_PLACE.unset_label not in panel.states, "it cannot be pressed"
    panel = await opened(world, boss, channel=world.channel)
    assert "→ <#" in panel.message.note
    for unclear in ({"anywhere": False}, {"anywhere": True, "channel": world.channel}):
        panel = await opened(world, boss, cap=9, **unclear)
        assert panel.message.note == server.GAMES_PLACE.unclear
    assert await world.bot.app.servers.settings(world.guild.id) == ServerSettings(channel=world.channel.id)
    assert "→ any." in (await opened(world, boss, anywhere=True)).message.note


async def test_two_managers_change_only_what_they_press(world: World, boss: simcord.MemberActor) -> None:
    """A stale message shows the settings as they are after the press."""
    one, two = await opened(world, boss), await opened(world, boss)
    await one.change(BASIC)
    await one.change("Clocks run at weekends (UTC): off")
    await two.change("Vacation: none")
    assert {BASIC, "Clocks run at weekends (UTC): off", "Vacation: none"} <= {*two.states}
    await one.change("Clocks run at weekends (UTC): on")
    await two.press("Clocks run at weekends (UTC): off")
    assert two.message.note == "Clocks run at weekends (UTC): on, as before."
    assert await world.bot.app.servers.settings(world.guild.id) == ServerSettings(rules="basic", vacation=0)


@pytest.mark.parametrize("label", ["Clocks run at weekends (UTC): on", "Appearance", BASIC])
async def test_who_manages_the_server_no_longer_changes_nothing(
    world: World, boss: simcord.MemberActor, label: str
) -> None:
    panel = await opened(world, boss)
    world.env.backend.delete_role(world.guild.id, world.guild.roles["managers"].id)
    await (panel.choose(label) if label == BASIC else panel.press(label))
    assert panel.text == texts.ONLY_FOR_MANAGERS
    assert panel.states == []
    assert await world.bot.app.servers.settings(world.guild.id) == ServerSettings()


@pytest.mark.parametrize(
    ("custom_id", "value", "option"),
    [
        ("server_choice:rules", "chess", "rules"),
        ("server_choice:pace", "4", "pace"),
        ("server_choice:grace", "999", "grace"),
        ("server_choice:grace", "none", "grace"),
        ("server_choice:vacation", "-1", "vacation"),
        ("server_choice:cap", "0", "cap"),
        ("server_choice:cap", "²", "cap"),
        ("server_choice:theme", "plaid", "theme"),
        ("server_choice:channel", "here", "channel"),
        ("server_switch:below:red", None, "below"),
        ("server_switch:weekends:none", None, "weekends"),
    ],
)
async def test_a_value_that_no_control_offers_is_refused(
    world: World, boss: simcord.MemberActor, custom_id: str, value: str | None, option: str
) -> None:
    said = await forged(world, boss, custom_id, value)
    assert f"cannot be chosen for **{option}**; nothing was changed." in said
    assert await world.bot.app.servers.settings(world.guild.id) == ServerSettings()


@pytest.mark.parametrize("custom_id", ["server_switch:cap:none", "server_page:rules", "server_choice:weekends"])
async def test_a_control_of_another_version_is_out_of_date(
    world: World, boss: simcord.MemberActor, custom_id: str
) -> None:
    assert await forged(world, boss, custom_id) == texts.UNKNOWN_BUTTON


async def test_a_channel_that_is_not_for_texts_is_refused(world: World, boss: simcord.MemberActor) -> None:
    talk = world.guild.create_voice_channel("talk")
    said = await forged(world, boss, "server_choice:channel", str(talk.id))
    assert said.startswith("`talk` cannot be chosen for **channel**; nothing was changed.")
    panel = await opened(world, boss)
    await panel.turn_to("Places")
    assert panel.channel_select()["channel_types"] == [0, 5]
    assert await world.bot.app.servers.settings(world.guild.id) == ServerSettings()


async def test_settings_need_a_server(world: World) -> None:
    """Nobody is asked for them in direct messages."""
    ann = await direct_forger(world, world.ann)
    assert told(await ann.send("server_page:look")) == texts.ONLY_ON_SERVERS


async def test_challenges_take_terms_and_channel_from_the_server(world: World, boss: simcord.MemberActor) -> None:
    """Options of the command override them. The context menu of a person takes them as they are."""
    eve = world.guild.add_member(world.env.create_user("eve"))
    hall = world.guild.create_text_channel("hall", overwrites={eve: discord.PermissionOverwrite(view_channel=False)})
    set_to = {"rules": "tournament", "pace": "7", "weekends": False, "grace": 24, "threads": True, "channel": hall}
    await boss.slash(world.channel, SERVER_SETTINGS, **set_to)
    sent = told(await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob))
    (message,) = world.public(hall)
    assert "Once they accept, the game begins in a thread of its own. The bot pings you when it's your turn." in sent
    assert message.jump_url in sent
    said = "**Tournament** · random colours · 7 days for each turn · Saturdays and Sundays (UTC) do not count"
    assert message.content.splitlines()[1] == (
        f"{said} · 1 day of grace for a late turn that wins · in a thread of its own · not rated"
    )
    await world.ann.context_menu(world.channel, "Challenge to GIPF", world.bob)
    assert world.public(hall)[-1].content.splitlines()[1:] == message.content.splitlines()[1:]
    own = {"rules": "basic", "pace": "none", "rated": False}
    sent = told(await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob, **own))
    assert sent.endswith(
        "Once they accept, the game begins in a thread of its own. The bot pings you when it's your turn."
    )
    assert world.public(hall)[-1].content.splitlines()[1] == (
        "**Basic** · random colours · no time limit · in a thread of its own · not rated"
    )
    assert world.public() == []
    place = world.bot.get_channel(hall.id)
    assert isinstance(place, discord.TextChannel)
    await place.create_thread(name="talk", type=discord.ChannelType.public_thread)
    await world.bot.app.servers.change(world.guild.id, {"threads": None})
    for options, idle in (({}, []), ({"thread": True}, [lobby_texts.NO_THREAD_IN_THREADS])):
        sent = told(await challenge(world.ann, hall.threads[-1], **options))
        assert sent.splitlines()[1:] == [*idle, lobby_texts.WHILE_YOU_WAIT]
        terms = world.public(hall.threads[-1])[-1].content.splitlines()[1]
        assert terms.endswith(" · rated unless it is somebody's first game")
    answer = told(await world.ann.slash(world.channel, "gipf challenge", opponent=eve))
    assert answer == lobby_texts.cannot_see_channel_text("eve", hall.id)
    answer = told(await eve.slash(world.channel, "gipf challenge"))
    assert answer == lobby_texts.cannot_see_channel_text(None, hall.id)
    await place.delete()
    await world.env.settle()
    await world.ann.slash(world.channel, "gipf challenge")
    assert "**Tournament**" in world.public()[-1].content, "it stays where it is made"


async def test_channel_without_permissions_is_refused(world: World, boss: simcord.MemberActor) -> None:
    """The missing permissions are named, when the channel is chosen and when somebody challenges there later."""
    bot = world.bot.user
    assert bot
    lacks = discord.PermissionOverwrite(attach_files=False, create_public_threads=False)
    hall = world.guild.create_text_channel("hall", overwrites={bot: lacks})
    panel = await opened(world, boss, channel=hall, threads=True)
    assert panel.message.note == server.channel_refused_text(["Attach Files", "Create Public Threads"], hall.id)
    await panel.choose_channel(hall)
    assert panel.message.note == server.channel_refused_text(["Attach Files"], hall.id)
    assert panel.channel_select().get("default_values", []) == []
    assert await world.bot.app.servers.settings(world.guild.id) == ServerSettings()
    answer = told(await challenge(world.ann, hall, thread=True))
    assert answer == texts.missing_permissions_text(["Attach Files"])
    talk = world.guild.create_voice_channel("talk")
    answer = told(await challenge(world.ann, talk, thread=True))
    assert answer == lobby_texts.cannot_make_thread_text(
        ["Create Public Threads", "Send Messages in Threads"], talk.id, by_server=False
    )
    here = world.bot.get_channel(world.channel.id)
    assert isinstance(here, discord.TextChannel)
    await boss.slash(world.channel, SERVER_SETTINGS, channel=world.channel, threads=True)
    await here.set_permissions(here.guild.me, create_public_threads=False)
    await world.env.settle()
    for channel in (world.channel, hall):
        answer = told(await world.ann.slash(channel, "gipf challenge", opponent=world.bob))
        assert answer == lobby_texts.cannot_make_thread_text(
            ["Create Public Threads"], world.channel.id, by_server=True
        )
    panel = Panel(boss, await boss.slash(hall, SERVER_SETTINGS, threads=True))
    assert panel.message.note == server.channel_refused_text(["Create Public Threads"], world.channel.id)
    await here.set_permissions(here.guild.me, send_messages=False)
    await world.env.settle()
    await boss.slash(hall, SERVER_SETTINGS, threads=False)
    assert not (await world.bot.app.servers.settings(world.guild.id)).threads, "that needs nothing there"
    await boss.slash(hall, SERVER_SETTINGS, threads=True)
    assert (await world.bot.app.servers.settings(world.guild.id)).threads, "threads can be made there"
    await boss.slash(hall, SERVER_SETTINGS, threads=False)
    answer = told(await world.ann.slash(hall, "gipf challenge"))
    assert answer == texts.missing_permissions_text(["Send Messages", "Attach Files"], world.channel.id)
    assert await counted(world, "challenges") == 0
    warning = f"**The bot lacks permissions in <#{world.channel.id}>: Send Messages, Attach Files.**"
    assert warning in told(await boss.slash(hall, SERVER_SETTINGS))
    await boss.slash(hall, SERVER_SETTINGS, cap=1)
    assert (await world.bot.app.servers.settings(world.guild.id)).cap == 1, "all else can be changed"


async def test_seek_for_several_stays_until_the_last_taker(world: World) -> None:
    """Its message counts the places. Each taker is told privately which game is theirs."""
    sent = await challenge(world.ann, world.channel, takers=3, pace="3", weekends=False)
    assert told(sent).splitlines()[1:] == [lobby_texts.WHILE_YOU_WAIT]
    seek = world.public()[0]
    terms = seek.content.splitlines()[1]
    assert terms.endswith(" · rated unless it is somebody's first game")
    assert "· for up to 3 opponents" in seek.content
    answer = told(await world.bob.click(seek, label="Play"))
    assert answer.startswith(f"{lobby_texts.UNRATED_AS_NEW.format(game='#a1', name='Ann')} You have ")
    seek = world.public()[0]
    assert "· for up to 2 opponents" in seek.content
    assert seek.content.splitlines()[1] == terms
    assert buttons(seek) == ["Play", texts.HOW_TO_PLAY_LABEL, lobby_texts.PLAY_BOT_LABEL]
    assert "your game is #a1" in told(await world.bob.click(seek, label="Play"))
    listed = private(await world.cara.slash(world.channel, "gipf seeks"))
    assert "· for up to 2 opponents" in listed.content
    assert "You play game #b1" in told(await world.cara.click(listed, label="1 · Play against Ann"))
    seek = world.public()[0]
    assert "· for 1 opponent" in seek.content
    assert buttons(seek) == ["Play", texts.HOW_TO_PLAY_LABEL, lobby_texts.PLAY_BOT_LABEL]
    assert await challenge_state(world) is RequestState.OPEN
    dan = world.guild.add_member(world.env.create_user("dan"))
    assert "You play game #c1 against Ann" in told(await dan.click(seek, label="Play"))
    assert world.public()[0].content.startswith("Ann's open challenge is taken.")
    assert buttons(world.public()[0]) == []
    assert await counted(world, "games") == 3


async def test_value_that_no_option_offers_is_refused(
    world: World, boss: simcord.MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed client may send anything."""
    monkeypatch.setattr("simcord.interactions.validate_option_value", lambda _, __, value: value)
    for name, chosen in {"pace": "4", "rules": "chess", "colour": "red"}.items():
        answer = told(await world.ann.slash(world.channel, "gipf challenge", **{name: chosen}))
        said = f"`{chosen}` cannot be chosen for **{name}**; nothing was changed. Choose a value that Discord offers."
        assert answer == said
    talk = world.guild.create_voice_channel("talk")
    for name, value in {"pace": "4", "grace": 999, "channel": talk}.items():
        answer = told(await boss.slash(world.channel, SERVER_SETTINGS, cap=1, **{name: value}))
        assert "cannot be chosen" in answer
    assert await world.bot.app.servers.settings(world.guild.id) == ServerSettings()
    assert await counted(world, "challenges") == 0


async def test_demo_has_a_manager_of_its_server(world: World) -> None:
    channel, people, _ = await prepare_channel(world.env, world.bot)
    assert buttons(world.public(channel)[0])[0] == lobby_texts.SET_UP_LABEL, "the welcome is the first message"
    assert "→ at most 2." in told(await people[0].slash(channel, SERVER_SETTINGS, cap=2))


async def test_players_read_what_changed(world: World, boss: simcord.MemberActor) -> None:
    """It pings nobody, not even the role that it names."""
    role, hall = world.guild.create_role("regulars"), world.guild.create_text_channel("hall")
    first = {"rules": "basic", "pace": "7", "threads": True, "channel": hall, "vacation": 7}
    panel = Panel(boss, await boss.slash(world.channel, "gipf-server settings", **first))
    told = f"In a few minutes, the bot posts all your changes in <#{hall.id}>, in one message."
    assert panel.message.note.splitlines()[-1] == told
    rest = {"challengers": role, "cap": 3, "theme": "night"}
    await boss.slash(world.channel, "gipf-server settings", **rest)
    assert world.public(hall) == []
    await world.env.advance_time(GATHER_SECONDS)
    await deliver(world)
    (message,) = world.public(hall)
    assert message.content.splitlines() == [
        "**GIPF settings for this server have changed**",
        "For new games (running games stay as they are):",
        "- Rules: Standard (3 GIPF-pieces each) → **Basic (no GIPF-pieces)**",
        "- Pace: 3 days for each turn → **7 days for each turn**",
        "- Vacation: 30 days a year → **7 days a year**",
        "- Thread for each game: challengers choose → **always**",
        f"- Channel for games: any → **<#{hall.id}>**",
        "",
        "From now on:",
        f"- Who may challenge: everybody → **<@&{role.id}>**",
        "- Games per person: any number → **at most 3**",
    ]
    assert world.pings(message) == set()
    assert buttons(message) == ["Find an opponent"]
    assert world.public() == []
