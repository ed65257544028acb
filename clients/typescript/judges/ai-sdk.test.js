// Runs with the packages `ai` and `aforesaid` installed, against the server at AFORESAID_URL.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { Memory } from "aforesaid";
import { memory } from "aforesaid/ai-sdk";
import { generateText, simulateReadableStream, stepCountIs, streamText, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { z } from "zod";

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 3, text: 3, reasoning: undefined },
};
const stop = { unified: "stop", raw: "stop" };
const said = (text) => ({ content: [{ type: "text", text }], finishReason: stop, usage, warnings: [] });

async function space() {
  const alice = new Memory(process.env.AFORESAID_URL).space(randomUUID());
  await alice.conversation("last year").add("user", "My horse is called Zanzibar.");
  return alice;
}
const stored = async (chat) => (await chat.messages()).map((each) => [each.role, each.content]);
const promptOf = (model, call = 0) => JSON.stringify((model.doGenerateCalls[call] ?? model.doStreamCalls[call]).prompt);

test("a generated answer: the model sees the memory, and the turn is stored", async () => {
  const chat = (await space()).conversation("today");
  await chat.pin("Answer in one sentence.");
  const inner = new MockLanguageModelV4({ doGenerate: async () => said("It is called Zanzibar.") });
  const model = wrapLanguageModel({ model: inner, middleware: memory(chat) });
  const { text } = await generateText({ model, instructions: "You know horses.", prompt: "What is my horse called?" });
  assert.equal(text, "It is called Zanzibar.");
  assert.match(promptOf(inner), /Zanzibar.*What is my horse called\?/);
  assert.match(promptOf(inner), /You know horses.*Answer in one sentence/);
  assert.deepEqual(await stored(chat), [
    ["user", "What is my horse called?"],
    ["assistant", "It is called Zanzibar."],
  ]);
});

test("a streamed answer is stored when it is complete, and the stored history serves a client without one", async () => {
  const chat = (await space()).conversation("today");
  const parts = (text) => [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "1" },
    ...text.split(/(?<= )/).map((delta) => ({ type: "text-delta", id: "1", delta })),
    { type: "text-end", id: "1" },
    { type: "finish", finishReason: stop, usage },
  ];
  const inner = new MockLanguageModelV4({
    doStream: async () => ({ stream: simulateReadableStream({ chunks: parts("It is called Zanzibar.") }) }),
  });
  const model = wrapLanguageModel({ model: inner, middleware: memory(chat) });
  const pieces = [];
  for await (const piece of streamText({ model, prompt: "What is my horse called?" }).textStream) pieces.push(piece);
  assert.deepEqual(pieces, ["It ", "is ", "called ", "Zanzibar."]);
  assert.equal((await stored(chat)).length, 2);
  for await (const _ of streamText({ model, prompt: "And its colour?" }).textStream);
  assert.deepEqual(
    inner.doStreamCalls[1].prompt.map((each) => each.role),
    ["user", "assistant", "user"],
  );
  assert.equal((await stored(chat)).length, 4);
});

test("a client that sends its history gets it once; a turn with tools is stored once", async () => {
  const chat = (await space()).conversation("today");
  const answers = [
    {
      ...said(""),
      content: [{ type: "tool-call", toolCallId: "c1", toolName: "colour", input: "{}" }],
      finishReason: { unified: "tool-calls", raw: "tool_calls" },
    },
    said("It is brown."),
  ];
  const inner = new MockLanguageModelV4({ doGenerate: async () => answers.shift() });
  const model = wrapLanguageModel({ model: inner, middleware: memory(chat) });
  const tools = { colour: tool({ inputSchema: z.object({}), execute: async () => "brown" }) };
  const messages = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello" },
    { role: "user", content: "What is my horse called, and which colour has it?" },
  ];
  const { text } = await generateText({ model, tools, messages, stopWhen: stepCountIs(3) });
  assert.equal(text, "It is brown.");
  assert.deepEqual(
    inner.doGenerateCalls[0].prompt.map((each) => each.role),
    ["user", "assistant", "user"],
  );
  assert.match(promptOf(inner), /Zanzibar/);
  assert.deepEqual(inner.doGenerateCalls[1].prompt.slice(0, 3), inner.doGenerateCalls[0].prompt);
  assert.deepEqual(await stored(chat), [
    ["user", "What is my horse called, and which colour has it?"],
    ["assistant", "It is brown."],
  ]);
});

test("when the model fails, nothing is stored", async () => {
  const chat = (await space()).conversation("today");
  const inner = new MockLanguageModelV4({
    doGenerate: async () => {
      throw new Error("down");
    },
  });
  const model = wrapLanguageModel({ model: inner, middleware: memory(chat) });
  await assert.rejects(generateText({ model, prompt: "What is my horse called?", maxRetries: 0 }), /down/);
  assert.deepEqual(await stored(chat), []);
});
