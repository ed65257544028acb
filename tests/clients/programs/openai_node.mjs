// OpenAI's client for node, streamed chat completions, without a tool.
import { readFileSync } from 'node:fs';
import OpenAI from 'openai';

const client = new OpenAI();
const messages = [];
const answers = [];
for (const turn of JSON.parse(readFileSync(0, 'utf8'))) {
  messages.push({ role: 'user', content: turn });
  let text = '';
  for await (const chunk of await client.chat.completions.create({ model: 'm-1', messages, stream: true })) {
    text += chunk.choices[0]?.delta?.content ?? '';
  }
  messages.push({ role: 'assistant', content: text });
  answers.push(text);
}
console.log(JSON.stringify(answers));
