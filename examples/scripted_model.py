"""A model service on this machine that follows a script: the other examples use it to run offline.

It speaks OpenAI's Chat Completions API, with and without streaming. A script is a function from the messages of a
request to an answer: a text, or a tool call as a dict with the `name` of the tool and its arguments.

    url = scripted_model(lambda messages: "Hello!")
    OpenAI(base_url=url, api_key="none")
    Memory("app.db", model=f"{url}#script")
"""

import json
import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


def scripted_model(script: Callable[[list[Json]], str | Json]) -> str:
    """Starts the service, which ends with the program, and returns its base URL."""

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            message = assistant_message(script(body["messages"]), f"call-{len(body['messages'])}")
            kind = "text/event-stream" if body.get("stream") else "application/json"
            text = "".join(events(message)) if body.get("stream") else json.dumps(completion(message=message))
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Logs nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/v1"


def assistant_message(answer: str | Json, id: str) -> Json:
    if isinstance(answer, str):
        return {"role": "assistant", "content": answer}
    arguments = {name: value for name, value in answer.items() if name != "name"}
    function = {"name": answer["name"], "arguments": json.dumps(arguments)}
    call = {"index": 0, "id": id, "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def completion(**choice: Any) -> Json:
    reason = "tool_calls" if "tool_calls" in choice.get("message", {}) else "stop"
    choices = [{"index": 0, "finish_reason": reason, **choice}]
    usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    kind = "chat.completion.chunk" if "delta" in choice else "chat.completion"
    return {"id": "0", "object": kind, "created": 0, "model": "script", "choices": choices, "usage": usage}


def events(message: Json) -> list[str]:
    """The message as a stream, word by word."""
    words = re.findall(r"\s*\S+", message["content"] or "")
    deltas = [{"content": word} for word in words] or [message]
    chunks = [completion(delta=delta, finish_reason=None) for delta in deltas]
    chunks.append(completion(delta={}, finish_reason="tool_calls" if "tool_calls" in message else "stop"))
    return [f"data: {line}\n\n" for line in [*map(json.dumps, chunks), "[DONE]"]]
