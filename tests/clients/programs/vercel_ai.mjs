// Vercel's AI SDK with a tool. The argument is the kind of model: openai, chat or anthropic.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs, tool } from 'ai';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const kind = process.argv[2];
const openai = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL });
const anthropic = createAnthropic({ baseURL: `${process.env.ANTHROPIC_BASE_URL}/v1` });
const model = kind === 'anthropic' ? anthropic('m-1') : kind === 'chat' ? openai.chat('m-1') : openai('m-1');
const tools = {
  list_files: tool({
    description: 'Lists the files of a folder',
    inputSchema: z.object({ folder: z.string() }),
    execute: async () => 'README.md stable.py',
  }),
};
const messages = [];
const answers = [];
for (const turn of JSON.parse(readFileSync(0, 'utf8'))) {
  messages.push({ role: 'user', content: turn });
  const providerOptions = { openai: { store: false } };
  const result = await generateText({
    model, tools, messages, providerOptions, system: 'You are a helpful assistant.', stopWhen: stepCountIs(20),
  });
  messages.push(...(result.responseMessages ?? result.response.messages));
  answers.push(result.text);
}
console.log(JSON.stringify(answers));
