"""litellm's completion. The argument is the model: openai/m-1 or anthropic/m-1."""

import json
import sys

import litellm

messages = [{"role": "system", "content": "You are a helpful assistant."}]
answers = []
for turn in json.load(sys.stdin):
    messages.append({"role": "user", "content": turn})
    reply = litellm.completion(sys.argv[1], messages, max_tokens=1000)
    answers.append(reply.choices[0].message.content)
    messages.append({"role": "assistant", "content": answers[-1]})
print(json.dumps(answers))
