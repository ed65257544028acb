"""A bot with many users, in private chats and in groups. It keeps only the words of those who agree, and forgets them.

    pip install aforesaid openai
    python examples/telegram_bot.py                                   # offline: the messages and the model are scripted
    MODEL=gpt-5 OPENAI_API_KEY=… TELEGRAM_TOKEN=… python examples/telegram_bot.py   # a real bot of Telegram

It prints:

    Ana, in private: /remember
      bot: I remember what you say now. /forget erases it.
    Ana, in private: My sister is called Zephyrine.
      bot: Noted.
    Ana, in a group: I'm allergic to peanuts.
    Bob, in a group: I hate birthday parties.
    Bob, in a group: @bot Who is allergic to peanuts?
      bot: Ana.
    Bob, in a group: @bot What is Ana's sister called?
      bot: I do not know.
    Ana, in private: What is my sister called?
      bot: Zephyrine.
    Ana, in a group: /forget
      bot: Everything that you said is erased.
    Bob, in a group: @bot Who is allergic to peanuts?
      bot: I do not know.
    Is anything left of what they said? False

Each person and each group has a space, so a group never sees what somebody said in private. In a group, each message
has the name of its speaker. A person who does not agree gets answers, and nothing of them is stored.
"""

import asyncio
import os
from collections import defaultdict
from typing import Any

import httpx2
from openai import AsyncOpenAI
from scripted_model import scripted_model

from aforesaid import AsyncMemory

SYSTEM = "You are a bot in a chat. Answer in one sentence."
BOT = "@bot"
Json = dict[str, Any]


class Bot:
    def __init__(self, mem: AsyncMemory, client: AsyncOpenAI, model: str) -> None:
        self.mem, self.client, self.model = mem, client, model
        self.turns: dict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def on_message(self, message: Json) -> str | None:
        """Returns the answer to a message of Telegram, or None if the bot says nothing."""
        person = self.mem.space(f"user-{message['from']['id']}")
        async with self.turns[message["chat"]["id"]]:  # one message of a chat after the other
            match message["text"].removeprefix(BOT).strip():
                case "/remember":
                    await person.grant_consent(by=message["from"]["first_name"])
                    return "I remember what you say now. /forget erases it."
                case "/forget":
                    await self.forget(message["from"]["id"])
                    return "Everything that you said is erased."
            return await self.talk(message, stored=(await person.consent()).granted)

    async def talk(self, message: Json, *, stored: bool) -> str | None:
        speaker, chat, text = message["from"], message["chat"], message["text"]
        private = chat["type"] == "private"
        space = self.mem.space(f"user-{speaker['id']}" if private else f"group-{chat['id']}")
        talk = space.conversation("chat")
        if stored:  # once, even if Telegram sends it twice
            name, metadata = speaker["first_name"], {"user": speaker["id"]}
            await talk.add("user", text, id=f"{chat['id']}-{message['message_id']}", name=name, metadata=metadata)
            await self.mem.space(f"user-{speaker['id']}").items("chats").put(space.id, {})
        if not private and BOT not in text:
            return None
        context = await talk.context(text, system=SYSTEM, max_tokens=4000, dry_run=not stored)
        response = await self.client.chat.completions.create(model=self.model, messages=context.to_openai())
        answer = response.choices[0].message.content or ""
        if stored:
            await talk.add("assistant", answer, model=self.model)
        return answer

    async def forget(self, user: int) -> None:
        """Erases a person's space, and in each group what they said, with the answers, which may repeat it."""
        person = self.mem.space(f"user-{user}")
        for hit in await person.items("chats").search(limit=1000):
            space = self.mem.space(hit.item.key)
            async for message in space.conversation("chat"):
                if message.metadata.get("user") == user or message.role == "assistant":
                    await space.forget(message=message.id)
        await person.revoke_consent()
        await person.forget(everything=True)


async def telegram(bot: Bot, token: str) -> None:
    """Answers the messages of Telegram until it is stopped."""
    url = os.environ.get("TELEGRAM_API", "https://api.telegram.org")  # or a Bot API server of your own
    async with httpx2.AsyncClient(base_url=f"{url}/bot{token}/", timeout=90) as api:

        async def answer(message: Json) -> None:
            if text := await bot.on_message(message):
                await api.post("sendMessage", json={"chat_id": message["chat"]["id"], "text": text})

        offset = 0
        async with asyncio.TaskGroup() as tasks:
            while True:
                response = await api.get("getUpdates", params={"timeout": 60, "offset": offset})
                for update in response.raise_for_status().json()["result"]:
                    offset = update["update_id"] + 1
                    if "text" in update.get("message", {}):
                        tasks.create_task(answer(update["message"]))


async def scripted_chats(bot: Bot) -> None:
    """A few messages as Telegram sends them."""
    people, chats = {"Ana": 1, "Bob": 2}, {"in private": (1, "private"), "in a group": (-7, "group")}
    for number, (name, place, text) in enumerate(
        (
            ("Ana", "in private", "/remember"),
            ("Ana", "in private", "My sister is called Zephyrine."),
            ("Ana", "in a group", "I'm allergic to peanuts."),
            ("Bob", "in a group", "I hate birthday parties."),
            ("Bob", "in a group", "@bot Who is allergic to peanuts?"),
            ("Bob", "in a group", "@bot What is Ana's sister called?"),
            ("Ana", "in private", "What is my sister called?"),
            ("Ana", "in a group", "/forget"),
            ("Bob", "in a group", "@bot Who is allergic to peanuts?"),
        )
    ):
        print(f"{name}, {place}: {text}")
        speaker = {"id": people[name], "first_name": name}
        chat = dict(zip(("id", "type"), chats[place], strict=True))
        answer = await bot.on_message({"message_id": number, "from": speaker, "chat": chat, "text": text})
        if answer:
            print(f"  bot: {answer}")
    said = ("I'm allergic to peanuts.", "My sister is called Zephyrine.", "I hate birthday parties.")
    left = [text for text in said if not (await bot.mem.verify_erasure(text)).clean]
    print("Is anything left of what they said?", bool(left))


def script(messages: list[Json]) -> str:
    """What the scripted model answers."""
    question, everything = messages[-1]["content"].splitlines()[-1], str(messages)
    if "allergic to peanuts?" in question:
        return "Ana." if "I'm allergic to peanuts" in everything else "I do not know."
    if "sister called?" in question:
        return "Zephyrine." if "Zephyrine" in everything else "I do not know."
    return "Noted."


async def main() -> None:
    model, token = os.environ.get("MODEL"), os.environ.get("TELEGRAM_TOKEN")
    client = AsyncOpenAI() if model else AsyncOpenAI(base_url=scripted_model(script), api_key="none")
    async with AsyncMemory("telegram_bot.db") as mem:
        bot = Bot(mem, client, model or "scripted")
        await (telegram(bot, token) if token else scripted_chats(bot))


if __name__ == "__main__":
    asyncio.run(main())
