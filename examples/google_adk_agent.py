"""An ADK agent that preloads what was said in earlier sessions. Runs offline: the model is scripted."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.tools import preload_memory
from google.genai import types

from aforesaid import Memory
from aforesaid.integrations.google_adk import AforesaidMemoryService


class EchoModel(BaseLlm):
    """Says if it was given the answer. Use the name of a model instead."""

    model: str = "echo"

    async def generate_content_async(self, llm_request: Any, **_: Any) -> AsyncGenerator[LlmResponse, None]:
        known = "We settled on Lisbon in May." in str(llm_request.contents[:-1])
        part = types.Part(text="To Lisbon." if known else "Noted.")
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


async def main() -> None:
    with Memory("app.db") as memory:
        sessions, service = InMemorySessionService(), AforesaidMemoryService(memory)
        runner = Runner(
            app_name="travel",
            agent=LlmAgent(name="guide", model=EchoModel(), tools=[preload_memory]),
            session_service=sessions,
            memory_service=service,
            auto_create_session=True,
        )
        for user, session, words in (
            ("ana", "monday", "We settled on Lisbon in May."),
            ("ana", "friday", "Where are we going in May?"),
            ("bob", "friday", "Where are we going in May?"),
        ):
            said = types.Content(role="user", parts=[types.Part(text=words)])
            async for event in runner.run_async(user_id=user, session_id=session, new_message=said):
                print(f"{user}, {session}> {event.content.parts[0].text}")
            ended = await sessions.get_session(app_name="travel", user_id=user, session_id=session)
            await service.add_session_to_memory(ended)


asyncio.run(main())
