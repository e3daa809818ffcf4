"""Who may use what: every command, button, select and form, by the person who uses it. Written by hand.

Each letter stands for one person, in the order of PEOPLE:

* `+` they change something.
* `o` they are answered, and nothing changes.
* `-` they are refused in a sentence, and nothing changes.

`{game}`, `{serial}`, `{moment}` and `{version}` are those of the game of the state; `{name}` is how players call it.
"""

from typing import NamedTuple

# The player to move, who has made all challenges; the opponent, who is challenged; a spectator; a member who does not
# see the games' channel; a member of another server alone; a manager of the server who watches; and a spectator whom
# both players have blocked.
PEOPLE = ("mover", "other", "watcher", "hidden", "stranger", "manager", "blocked")
ANSWERED, CHANGED, REFUSED = "ooooooo", "+++++++", "-------"
PLAYERS, SEEING, MANAGING = "oo-----", "ooo--oo", "-----o-"


class Row(NamedTuple):
    """What each person may do with one component or form, or with one command.

    `running` is a running game in which nothing is asked for, and an open challenge. `over` is a game that is over, and
    a challenge that was accepted. In `asked` the opponent offers a draw and requests a takeback, and the challenge is
    an open seek. A state that is empty does not matter.
    """

    use: str
    running: str
    over: str = ""
    asked: str = ""
    values: tuple[str, ...] = ()  # what is chosen, or typed into the form
    form: bool = False


COMPONENTS = (
    # ── Playing ──
    Row("board:{game}:{serial}", "o-o--oo", SEEING),
    Row("open_desk:{game}", "o------", REFUSED),
    Row("message_desk:{game}", "o------", REFUSED),
    Row("message_desk:{game}:1", "o------", REFUSED),
    Row("desk:{game}:{version}::dot:a2", "o------", REFUSED),
    Row("desk:{game}:{version}::over:-", REFUSED, REFUSED),  # nothing is begun
    Row("listed_game:{game}:1:desk", "o------", REFUSED),
    Row("listed_game:{game}:1:board", SEEING, SEEING),
    Row("type_turn:{game}:{moment}", ANSWERED, ANSWERED),
    Row("type_turn_form:{game}:{moment}:x", "+------", REFUSED, values=("b1-b3",), form=True),
    Row("pick_game:move:b1-b3", "+------", REFUSED, values=("{game}:{moment}",)),
    Row("note:{game}", ANSWERED, ANSWERED),
    Row("note_form:{game}:add:x", "++-----", "++-----", values=("A note",), form=True),
    Row("ask_end_game:{game}", PLAYERS, REFUSED),
    Row("end_game:{game}:{version}:resign", "++-----", SEEING),
    Row("game_board:{game}", SEEING, SEEING),
    Row("more:{game}::", SEEING, SEEING),
    Row("board_more:{game}", SEEING, SEEING),
    Row("reasons:{game}:1:00000000", SEEING, SEEING),  # no turn of the bot
    Row("why_row:{game}:1", SEEING, SEEING),
    Row("why_capture:{game}:1", SEEING, SEEING),
    Row("earlier_capture:{game}:1", SEEING, SEEING),
    Row("later_capture:{game}:1", SEEING, SEEING),
    Row("games:page:1", ANSWERED),
    Row("my_games", ANSWERED),
    Row("my_games:1", ANSWERED),
    Row("ended_games:0", ANSWERED, ANSWERED),
    # ── Requests ──
    Row("ask_request:takeback:{game}", PLAYERS, REFUSED, PLAYERS),
    Row("make_request:takeback:{game}:{serial}", "++-----", REFUSED, PLAYERS),
    Row("request:{request}:accept", "", "", "+------"),
    Row("request:{request}:decline", "", "", "+------"),
    Row("request:{request}:withdraw", "", "", "-+-----"),
    Row("ask_request:draw:{game}", REFUSED, REFUSED, PLAYERS),
    Row("make_request:draw:{game}:{serial}", REFUSED, REFUSED, PLAYERS),
    Row("request:{offer}:accept", "", "", "+------"),
    Row("request:{offer}:decline", "", "", "+------"),
    Row("request:{offer}:withdraw", "", "", "-+-----"),
    Row("plan:{game}", "-o-----", REFUSED),
    Row("plans:{game}", PLAYERS, REFUSED),
    Row("plan_desk:{plan}:0:push:b1b2", "o+ooooo"),  # only its player learns anything
    Row("conditional:{game}:{moment}", ANSWERED, ANSWERED),
    Row("conditional_form:{game}:{moment}:0a", "-+-----", REFUSED, values=("b1-b3 i5-g5",), form=True),
    Row("withdraw_conditional:{game}:{serial}:1", REFUSED, REFUSED),
    Row("ask_claim_win:{game}:{version}", REFUSED, REFUSED),
    Row("claim_win:{game}:{version}:claim", REFUSED, REFUSED),
    Row("nudge:{game}:{serial}", "-+-----", REFUSED),
    # ── Challenges ──
    Row("challenge:{challenge}:accept", "-+-----", REFUSED, "-++--+-"),
    Row("challenge:{challenge}:decline", "-+-----", REFUSED, REFUSED),
    Row("challenge:{challenge}:withdraw", "+------", REFUSED, "+------"),
    Row("challenge_card:{challenge}", SEEING, SEEING, SEEING),
    Row("choose_challenge", SEEING, SEEING, SEEING, values=("{challenge}",)),
    Row("post_seek", CHANGED),
    Row("terms:0::", ANSWERED),
    Row("terms:0:.......True.:rules", ANSWERED, values=("basic",)),
    Row("post_terms:0:basic........", CHANGED),
    Row("post_terms:{mover}:basic........", "oo++o+-"),
    Row("seekers:join", ANSWERED),  # no role is set
    # ── Against the bot: test_bot_game.py has private games ──
    Row("play_bot", ANSWERED),
    Row("begin_bot_game:2:", CHANGED),
    Row("bot_rematch:{game}", REFUSED, "+------"),
    Row("play_in_channel:{game}", PLAYERS, REFUSED),
    Row("move_to_channel:{game}", PLAYERS, REFUSED),
    Row("rematch:{game}", REFUSED, "+------"),  # the opponent has the mover's open challenge to answer first
    # ── Records and studies ──
    Row("record:{game}", SEEING, SEEING),
    Row("replay:{game}", SEEING, SEEING),
    Row("cancel_replay:1", ANSWERED),
    Row("study_game:{game}", "+++--++", "o++--++"),
    Row("study:{study}:{study_version}:next:", "+------"),
    Row("open_study_form:{study}:0:jump", ANSWERED),
    Row("study_form:{study}:{study_version}:jump:x", "+------", values=("1",), form=True),
    Row("import_again:standard", ANSWERED),
    Row("import_record:standard:x", CHANGED, values=("1. a2-c2 f1-d2",), form=True),
    Row("explore_game:{game}:0", SEEING, SEEING),
    Row("explored_game:{game}:0:0:AAAA:", REFUSED, REFUSED),  # a code that fits no position
    Row("explore_study:{study}:0:0:AAAA", REFUSED),
    Row("explored_study:{study}:0:0:AAAA:", REFUSED),
    # Another game of both players stands in a position of the game that is over, but after few turns.
    Row("analyse:{game}", REFUSED, "+++--++"),
    Row("analysis:{game}", REFUSED, "+++--++"),
    Row("analysis_study:{game}:1", "+++--++", "+++--++"),
    Row("analysis_point:{game}", "+++--++", "+++--++", values=("1",)),
    # ── Showing ── (the blocked and the watcher may post here; the hidden and the stranger see no game)
    Row("show:board:{game}:0", "+++--++", "+++--++"),
    Row("look:board:{game}:0", SEEING, SEEING),
    # ── Watching ──
    Row("follow:{game}", "--o--+-", REFUSED),
    Row("board_follow:{game}:result", "--+--+-", REFUSED),
    Row("set_follow:{game}:result", "--+--+-", REFUSED),
    Row("set_player_follow:{mover}:turn", ANSWERED),
    Row("follow_player:{mover}:turn:Ann", "-+++++-"),
    Row("stop_following:0", "oo+oooo", values=("{follow}",)),
    Row("unfollow:{follow}", "oo+oooo"),
    Row("guess_turn:{game}:1", "--o--++", REFUSED),
    Row("guess_desk:{guess}:0:push:b1b2", "oo+oooo"),  # only who guesses learns anything
    Row("guess:{game}:{serial}", ANSWERED, ANSWERED),
    Row("guess_form:{game}:{serial}:x", "--+--++", REFUSED, values=("b1-b3",), form=True),
    Row("live:1", ANSWERED),
    # ── Clocks ──
    Row("reminders:{game}:{serial}:{mover}:turn", "+------", REFUSED),
    Row("reminders:{game}:{serial}:1:turn", REFUSED, REFUSED),
    Row("game_reminders:{game}:{serial}:game", "++-----", REFUSED),
    Row("quiet_game", PLAYERS, REFUSED, values=("{game}",)),
    Row("digest_off", CHANGED),
    Row("reminder_settings", ANSWERED),
    Row("reminder_time", CHANGED, values=("off",)),
    Row("digest_hour", CHANGED, values=("8",)),
    Row("digest_zone:8", CHANGED, values=("UTC",)),
    Row("time_zone", CHANGED, values=("UTC",)),
    Row("remind_everywhere", CHANGED),
    # ── Settings ──
    Row("user_settings", ANSWERED),
    Row("user_setting:confirm_typed:on", CHANGED),
    Row("unblock:0", "++ooooo", values=("{blocked}",)),
    Row("delete_data:delete", "+++ooo+"),
    Row("delete_data:keep", ANSWERED),
    Row("set_up", MANAGING),
    Row("host_state", REFUSED),
    Row("server_page:look", MANAGING),
    Row("server_switch:weekends:False", "-----+-"),
    Row("server_choice:rules", "-----+-", values=("basic",)),
    # ── Tournaments ── (one that has not begun; the mover has joined)
    Row("tournament_join:{tournament}:join", "-++--++"),
    Row("tournament_join:{tournament}:stay", "-++--++"),
    Row("tournament_leave:{tournament}", "+------"),
    Row("tournament_left:{tournament}:leave", "+------"),
    Row("tournament_left:{tournament}:keep", ANSWERED),
    Row("tournament_games:{tournament}", "o------"),
    Row("standings:{tournament}", SEEING),
    Row("standings_page:{tournament}:1:1", SEEING),
    Row("standings_division:{tournament}", SEEING, values=("1",)),
    Row("choose_tournament", SEEING, values=("{tournament}",)),
    Row("stop_tournament:{tournament}:stop", "-----+-"),
    Row("stop_tournament:{tournament}:keep", ANSWERED),
    # ── Competing, learning, help ──
    Row("leaderboard:standard:server:1", ANSWERED),
    Row("leaderboard_pool:server", ANSWERED, values=("basic",)),
    Row("leaderboard_me:standard:server", ANSWERED),
    Row("own_profile", ANSWERED),
    Row("open_tutorial", ANSWERED),
    Row("open_tutorial:game{game}", ANSWERED, ANSWERED),
    Row("tutorial:1::back:", ANSWERED),
    Row("tutorial:1challenge{challenge}::back:", ANSWERED),
    Row("next_puzzle", CHANGED),
    Row("open_puzzle:1", REFUSED),  # there is none
    Row("puzzle:1:0:show:-", REFUSED),
    Row("puzzle_solution:1:1", REFUSED),
    Row("posted_solution:1", REFUSED),
    Row("open_rules", ANSWERED),
    Row("rule_page:row:0", ANSWERED),
    Row("rule_page_lists:row:0", ANSWERED),
    Row("play_on:row:0", CHANGED),
    Row("play_on_lesson:1:0", CHANGED),
    Row("practice_game:", CHANGED),
    Row("practice:{practice}:0:push:e1e2", "+------"),
    Row("choose_rule_page:0", ANSWERED, values=("row",)),
    Row("why:R4.1", ANSWERED),
    Row("help:play", ANSWERED),
    Row("how_to_play", ANSWERED),
    Row("find_opponent", ANSWERED),
)

# A command is used with these options.
COMMANDS_TABLE = (
    Row("move", "o------", REFUSED, values=("game={name}",)),
    Row("gipf board", SEEING, SEEING, values=("game={name}",)),
    Row("gipf resign", PLAYERS, REFUSED, values=("game={name}",)),
    Row("gipf record", SEEING, SEEING, values=("game={name}",)),
    Row("gipf replay", SEEING, SEEING, values=("game={name}",)),
    Row("gipf if", "oo-----", REFUSED, values=("game={name}",)),
    Row("gipf follow", "--+--+-", REFUSED, values=("game={name}", "news=result")),
    Row("gipf seeks", ANSWERED),
    Row("gipf import", ANSWERED),
    Row("gipf help", ANSWERED),
    Row("gipf challenge", CHANGED),
    Row("gipf bot", CHANGED),
    Row("gipf games", ANSWERED),
    Row("gipf live", ANSWERED),
    Row("gipf leaderboard", ANSWERED),
    Row("gipf profile", ANSWERED),
    Row("gipf-learn tutorial", ANSWERED),
    Row("gipf-learn puzzle", CHANGED),
    Row("gipf-learn rules", ANSWERED),
    Row("gipf-learn analyse", REFUSED, "+++--++", values=("game={name}",)),
    Row("gipf-me settings", ANSWERED),
    Row("gipf-me reminders", PLAYERS, REFUSED, values=("game={name}",)),
    Row("gipf-me vacation start", CHANGED, values=("days=3",)),
    Row("gipf-me vacation end", REFUSED),
    Row("gipf-me vacation status", ANSWERED),
    Row("gipf-me block add", "-++++++", values=("player=mover",)),
    Row("gipf-me block remove", ANSWERED, values=("player=mover",)),
    Row("gipf-me block list", ANSWERED),
    Row("gipf-me privacy export", ANSWERED),
    Row("gipf-me privacy delete", ANSWERED),
    Row("gipf-tournament new", "-----+-"),
    Row("gipf-tournament list", ANSWERED),
    Row("gipf-tournament show", SEEING, values=("tournament={tournament}",)),
    Row("gipf-tournament stop", MANAGING, values=("tournament={tournament}",)),
    Row("gipf-server settings", MANAGING),
    Row("gipf-server stats", MANAGING),
    Row("gipf-server status", MANAGING),
    Row("Challenge to GIPF", CHANGED),
)
