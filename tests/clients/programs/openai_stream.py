"""OpenAI's asynchronous client, streamed chat completions, without a tool."""

import asyncio
import json
import sys

from openai import AsyncOpenAI


async def main() -> None:
    messages, answers = [], []
    async with AsyncOpenAI() as client:
        for turn in json.load(sys.stdin):
            messages.append({"role": "user", "content": turn})
            stream = await client.chat.completions.create(model="m-1", messages=messages, stream=True)
            pieces = [chunk.choices[0].delta.content or "" async for chunk in stream if chunk.choices]
            answers.append("".join(pieces))
            messages.append({"role": "assistant", "content": answers[-1]})
    print(json.dumps(answers))


asyncio.run(main())
