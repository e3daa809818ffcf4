"""The page of **Other terms…** as tests use it: terms are chosen by their controls, then the challenge is posted."""

from dataclasses import dataclass
from typing import Any

import simcord
from simcord.results import InteractionResult

from .private_message import PrivateMessage, read_private

ON_PAGE_ALONE = ("zertz", "punct", "weekends", "thread", "takers")
PARTS_OF_SELECT = len("terms:to:code:name".split(":"))


@dataclass
class TermsPage:
    """The page that a person has open. `last` is the answer to what they did last."""

    person: simcord.MemberActor
    last: InteractionResult

    @property
    def message(self) -> PrivateMessage:
        """The page as it is now."""
        shown = self.last.followups[-1] if self.last.followups else self.last.response
        assert shown, "nothing was said"
        return read_private(shown)

    @property
    def terms(self) -> dict[str, str]:
        """What each control shows, by the names of the terms."""
        found = dict[str, str]()
        for item in (item for row in self.message.rows for item in row):
            if item["custom_id"].startswith("terms:"):
                chosen = [option["label"] for option in item.get("options", ()) if option.get("default")]
                found[item["custom_id"].split(":")[3]] = chosen[0] if chosen else item["label"]
        return found

    def control(self, kind: str, name: str = "") -> str:
        """Return the `custom_id` of the only control of this kind, or of that of one term."""
        ids = [str(item["custom_id"]) for row in self.message.rows for item in row]
        (found,) = [each for each in ids if each.startswith(f"{kind}:") and name in ("", *each.split(":")[3:4])]
        return found

    async def choose(self, name: str, value: object) -> None:
        """Choose a value of a term from its select, or press its switch until it has this value."""
        if self.control("terms", name).count(":") == PARTS_OF_SELECT - 1:
            self.last = await self.person.select(self.message, [str(value)], custom_id=self.control("terms", name))
            return
        for _ in range(3):
            control = self.control("terms", name)
            self.last = await self.person.click(self.message, custom_id=control)
            if control.endswith(f":{value}"):
                return
        raise AssertionError(f"{name} has no value {value}")

    async def post(self) -> InteractionResult:
        """Press the button that begins the challenge."""
        self.last = await self.person.click(self.message, custom_id=self.control("post_terms"))
        return self.last


async def open_terms(person: simcord.MemberActor, channel: simcord.ChannelHandle, **options: Any) -> TermsPage:
    """Return the page that the command opens with these options."""
    return TermsPage(person, await person.slash(channel, "gipf challenge", other_terms=True, **options))


async def challenge(person: simcord.MemberActor, channel: simcord.ChannelHandle, **options: Any) -> InteractionResult:
    """Challenge by the command. Terms that it has no option for are chosen on the page."""
    chosen = {name: options.pop(name) for name in ON_PAGE_ALONE if name in options}
    if not chosen:
        return await person.slash(channel, "gipf challenge", **options)
    page = await open_terms(person, channel, **options)
    for name, value in chosen.items():
        await page.choose(name, value)
    return await page.post()
