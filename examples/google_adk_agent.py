"""An ADK agent that preloads what was said in earlier sessions.

    pip install "aforesaid[google-adk]"
    python examples/google_adk_agent.py                                      # offline: the model is scripted
    MODEL=gemini-3-flash GOOGLE_API_KEY=… python examples/google_adk_agent.py

It prints:

    ana, monday> We settled on Lisbon in May.
    Noted.
    ana, friday> Where are we going in May?
    To Lisbon.
    bob, friday> Where are we going in May?
    I do not know.
"""

import asyncio
import os
from collections.abc import AsyncGenerator

from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.tools import preload_memory
from google.genai import types

from aforesaid import Memory
from aforesaid.integrations.google_adk import AforesaidMemoryService


class ScriptedModel(BaseLlm):
    """Stands in for a model: it looks for the answer in what it receives."""

    model: str = "scripted"

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        asked = "Where are we going" in str(llm_request.contents[-1])
        known = "We settled on Lisbon in May." in str(llm_request)
        answer = ("To Lisbon." if known else "I do not know.") if asked else "Noted."
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=answer)]))


async def main() -> None:
    with Memory("google_adk_agent.db") as mem:
        sessions, memory_service = InMemorySessionService(), AforesaidMemoryService(mem)
        runner = Runner(
            app_name="travel",
            agent=LlmAgent(name="guide", model=os.environ.get("MODEL") or ScriptedModel(), tools=[preload_memory]),
            session_service=sessions,
            memory_service=memory_service,
            auto_create_session=True,
        )
        for user, session, question in (
            ("ana", "monday", "We settled on Lisbon in May."),
            ("ana", "friday", "Where are we going in May?"),
            ("bob", "friday", "Where are we going in May?"),
        ):
            print(f"{user}, {session}> {question}")
            message = types.Content(role="user", parts=[types.Part(text=question)])
            async for event in runner.run_async(user_id=user, session_id=session, new_message=message):
                for part in (event.content.parts if event.content else None) or ():
                    print(part.text)
            ended = await sessions.get_session(app_name="travel", user_id=user, session_id=session)
            if ended:
                await memory_service.add_session_to_memory(ended)


asyncio.run(main())
