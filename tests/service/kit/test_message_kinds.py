"""Follow-ups of an event run in the order of registration."""

from gipfbot.service.kit.message_kinds import Followups, FollowupsByKind


async def test_followups_run_in_the_order_of_their_registration() -> None:
    event, ran = Followups[[str, int]](), list[tuple[str, str, int]]()

    @event
    async def first(name: str, number: int) -> None:
        ran.append(("first", name, number))

    @event
    async def second(name: str, number: int) -> None:
        ran.append(("second", name, number))

    await event.run("a", 1)
    await second("b", 2)
    assert ran == [("first", "a", 1), ("second", "a", 1), ("second", "b", 2)]


async def test_only_followups_of_the_kind_run() -> None:
    event, ran = FollowupsByKind[[int]](), list[tuple[str, int]]()

    @event("board", "reminder")
    async def both(number: int) -> None:
        ran.append(("both", number))

    @event("board")
    async def board_alone(number: int) -> None:
        ran.append(("board alone", number))

    for number, kind in enumerate(("reminder", "board", "unknown")):
        await event.run(kind, number)
    assert ran == [("both", 0), ("both", 1), ("board alone", 1)]
