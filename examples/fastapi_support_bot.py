"""A support bot: each customer has a space, answers are streamed, and what a customer said before is known again.

    pip install "aforesaid[server]"
    python examples/fastapi_support_bot.py                       # asks the bot a few questions, offline
    uvicorn --app-dir examples fastapi_support_bot:app           # serves it
    SUPPORT_STORE=support.db AFORESAID_MODEL=ollama:qwen3 uvicorn --app-dir examples fastapi_support_bot:app

The memory of each customer is also at /memory: `Memory("http://127.0.0.1:8000/memory", key="token-of-ana")`.
"""

import os
import re
import secrets
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from typing import Annotated

import httpx2
import uvicorn
from fastapi import Depends, FastAPI, Request
from fastapi.responses import StreamingResponse

from aforesaid import AsyncSpace, Completion
from aforesaid.integrations.fastapi import AppMemory

SYSTEM = "You are the support bot of a shop. Answer in one sentence."
CUSTOMERS = {"token-of-ana": "ana", "token-of-bob": "bob"}  # your users, sessions, JWTs …


class ScriptedStream(Iterator[str]):
    """The words of an answer, as a model would write them."""

    def __init__(self, text: str) -> None:
        self._words = iter(re.findall(r"\S+\s*", text))
        self._text = text
        self.completion: Completion | None = None

    def __next__(self) -> str:
        word = next(self._words, None)
        if word is None:
            self.completion = Completion(self._text, prompt_tokens=0, completion_tokens=0)
            raise StopIteration
        return word

    def close(self) -> None:
        self._words = iter(())


class ScriptedModel:
    """Stands in for a model: it looks for an order in what it is given."""

    name, local = "scripted", True

    def complete(self, prompt: object) -> Completion:
        raise NotImplementedError(f"this bot streams: {prompt}")

    def stream(self, talk, max_tokens: int) -> ScriptedStream:  # noqa: ANN001, ARG002
        order = re.search(r"order (\d+)", str(talk.to_openai()))
        return ScriptedStream(f"Order {order[1]} is on its way." if order else "Which order is it?")


def customer_of(request: Request) -> str | None:
    """Your own authentication: None is answered with 401."""
    return CUSTOMERS.get(request.headers.get("Authorization", "").removeprefix("Bearer "))


store = os.environ.get("SUPPORT_STORE", ":memory:")  # SUPPORT_STORE=support.db keeps it
memory = AppMemory(store, space_of=customer_of, model=os.environ.get("AFORESAID_MODEL") or ScriptedModel())
app = FastAPI(title="Support bot", lifespan=memory.lifespan)
app.mount("/memory", memory.api)
Customer = Annotated[AsyncSpace, Depends(memory.space)]


@app.post("/tickets/{ticket}")
async def ask(customer: Customer, ticket: str, question: str) -> StreamingResponse:
    """Streams the answer. The question and the complete answer are stored in the ticket's conversation."""
    answer = await customer.conversation(ticket).reply(question, system=SYSTEM)

    async def pieces() -> AsyncIterator[str]:
        async for piece in answer:
            yield piece

    return StreamingResponse(pieces(), media_type="text/plain; charset=utf-8")


@app.get("/tickets/{ticket}")
async def read(customer: Customer, ticket: str) -> list[str]:
    return [f"{message.role}: {message.text}" for message in await customer.conversation(ticket).messages()]


def main() -> None:
    """Serves the bot on a free port, and talks to it as two customers."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}"
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        while not server.started:
            time.sleep(0.05)
        for token, ticket, question in (
            ("token-of-ana", "monday", "My parcel has not arrived, it is order 4711."),
            ("token-of-ana", "friday", "Has my parcel with the order been sent?"),
            ("token-of-bob", "friday", "Has my parcel with the order been sent?"),
            (secrets.token_hex(4), "friday", "Let me in."),
        ):
            place, headers = f"{url}/tickets/{ticket}", {"Authorization": f"Bearer {token}"}
            with httpx2.stream("POST", place, params={"question": question}, headers=headers) as response:
                print(f"{CUSTOMERS.get(token)}, {ticket}: {question}\n  {response.status_code} ", end="")
                for piece in response.iter_text():
                    print(piece, end="", flush=True)
                print()
        server.should_exit = True
        thread.join()


if __name__ == "__main__":
    main()
