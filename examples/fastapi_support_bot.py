"""A support bot: each customer has a space, answers are streamed, and what a customer said before is known again.

    pip install "aforesaid[server]"
    python examples/fastapi_support_bot.py                         # talks to itself, offline: the model is scripted
    uvicorn --app-dir examples fastapi_support_bot:app             # serves it; so does, with a model and a file:
    STORE=support.db MODEL=ollama:qwen3 uvicorn --app-dir examples fastapi_support_bot:app
    curl -N -X POST -H "Authorization: Bearer token-of-ana" "127.0.0.1:8000/tickets/1?question=Hello"

It prints:

    ana, monday: My parcel has not arrived, it is order 4711.
      200 Order 4711 is on its way.
    ana, friday: Has my parcel with the order been sent?
      200 Order 4711 is on its way.
    bob, friday: Has my parcel with the order been sent?
      200 Which order is it?
    None, friday: Let me in.
      401 {"detail":"sign in first"}

The customer's own memory is at /memory: `Memory("http://127.0.0.1:8000/memory", key="token-of-ana")`.
"""

import os
import re
import socket
import threading
import time
from typing import Annotated, Any

import httpx2
import uvicorn
from fastapi import Depends, FastAPI, Request
from fastapi.responses import StreamingResponse
from scripted_model import scripted_model

from aforesaid import AsyncSpace
from aforesaid.integrations.fastapi import AppMemory

SYSTEM = "You are the support bot of a shop. Answer in one sentence."
CUSTOMERS = {"token-of-ana": "ana", "token-of-bob": "bob"}  # your users, sessions, JWTs …


def customer_of(request: Request) -> str | None:
    """Your own authentication: None is answered with 401."""
    return CUSTOMERS.get(request.headers.get("Authorization", "").removeprefix("Bearer "))


def script(messages: list[dict[str, Any]]) -> str:
    """What the scripted model answers."""
    order = re.search(r"order (\d+)", str(messages))
    return f"Order {order[1]} is on its way." if order else "Which order is it?"


store, model = os.environ.get("STORE", ":memory:"), os.environ.get("MODEL") or f"{scripted_model(script)}#script"
memory = AppMemory(store, space_of=customer_of, model=model)
app = FastAPI(title="Support bot", lifespan=memory.lifespan)
app.mount("/memory", memory.api)
Customer = Annotated[AsyncSpace, Depends(memory.space)]


@app.post("/tickets/{ticket}")
async def ask(customer: Customer, ticket: str, question: str) -> StreamingResponse:
    """Streams the answer. The question and the complete answer are stored in the ticket's conversation."""
    answer = await customer.conversation(ticket).reply(question, system=SYSTEM)
    return StreamingResponse(answer, media_type="text/plain; charset=utf-8")


@app.get("/tickets/{ticket}")
async def read(customer: Customer, ticket: str) -> list[str]:
    return [f"{message.role}: {message.text}" for message in await customer.conversation(ticket).messages()]


def main() -> None:
    """Serves the bot on a free port, and talks to it as two customers."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    while not server.started:
        time.sleep(0.05)
    with httpx2.Client(base_url=f"http://127.0.0.1:{listener.getsockname()[1]}", timeout=60) as client:
        for token, ticket, question in (
            ("token-of-ana", "monday", "My parcel has not arrived, it is order 4711."),
            ("token-of-ana", "friday", "Has my parcel with the order been sent?"),
            ("token-of-bob", "friday", "Has my parcel with the order been sent?"),
            ("no-token", "friday", "Let me in."),
        ):
            print(f"{CUSTOMERS.get(token)}, {ticket}: {question}")
            client.headers["Authorization"] = f"Bearer {token}"
            with client.stream("POST", f"/tickets/{ticket}", params={"question": question}) as response:
                print(f"  {response.status_code} ", end="")
                for piece in response.iter_text():
                    print(piece, end="", flush=True)
                print()
    server.should_exit = True
    thread.join()


if __name__ == "__main__":
    main()
