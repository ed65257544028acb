import { expect, test } from "vitest";
import type { ConversationInfo } from "../src/api/conversations";
import type { Fact } from "../src/api/facts";
import type { Message } from "../src/api/schema";
import { modelName, modelPlace } from "../src/parts/modelName";
import { crossings, lineOf, withBranches } from "../src/views/chat/branches";
import { byMessage } from "../src/views/chat/byMessage";
import { newestReceipt, questionOf } from "../src/views/chat/questions";
import { usedText } from "../src/views/chat/usedText";

test("a model has the name that people call it", () => {
  const names = {
    "http://127.0.0.1:11434/v1#qwen3": "qwen3",
    "https://models.example.org/v1#org/big:70b": "org/big:70b",
    "ollama:qwen3:8b": "qwen3:8b",
    "openai:gpt-5": "gpt-5",
    "gpt-4o": "gpt-4o",
    "http://127.0.0.1:8080/v1": "http://127.0.0.1:8080/v1",
  };
  for (const [model, name] of Object.entries(names)) expect(modelName(model)).toBe(name);
  expect(modelPlace("http://127.0.0.1:11434/v1#qwen3")).toBe("127.0.0.1:11434");
  expect(modelPlace("ollama:qwen3")).toBe("ollama");
  expect(modelPlace("gpt-4o")).toBeNull();
});

test("what an answer used is counted by kind", () => {
  expect(usedText({ counts: { message: 12, pin: 3, fact: 1, text: 1, query: 1 }, tokens: 548 })).toBe(
    "Used 1 fact, 3 pins, 12 messages · 548 tokens",
  );
  expect(usedText({ counts: {}, tokens: 9 })).toBe("9 tokens");
});

test("the question of an answer is the user's last message before it, unless it has another name", () => {
  const said = (role: Message["role"], name: string | null = null) => ({ role, name }) as Message;
  const messages = [
    said("user"),
    said("assistant"),
    said("tool"),
    said("assistant"),
    said("user", "mara"),
    said("assistant"),
  ];
  expect(questionOf(messages, 3)).toBe(messages[0]);
  expect(questionOf(messages, 5)).toBeUndefined();
  expect(questionOf(messages, 0)).toBeUndefined();
});

test("the receipt of the newest answer, and the line of a branch", () => {
  const answer = (receipt?: string) => ({ metadata: receipt === undefined ? {} : { receipt } }) as unknown as Message;
  expect(newestReceipt([answer("r1"), answer("r2"), answer()])).toBe("r2");
  expect(newestReceipt([answer()])).toBeUndefined();
  const info = (id: string, parent: string | null) => ({ id, parent }) as ConversationInfo;
  expect(lineOf("c", [info("a", null), info("b", "a"), info("c", "b")])).toEqual(["c", "b", "a"]);
  expect(lineOf("new", [])).toEqual(["new"]);
});

test("the branches of a conversation leave it where they stop sharing its messages", () => {
  const info = (id: string, parent: string | null = null, forked_at: number | null = null) =>
    ({ id, parent, forked_at }) as ConversationInfo;
  const all = [
    info("a"),
    info("b", "a", 5),
    info("c", "b", 1),
    info("d", "a", 5),
    info("e", "b", 7),
    info("f", "a", -1),
  ];
  const at = (name: string) => Object.fromEntries(crossings(name, all));
  expect(at("a")).toEqual({ 5: ["b", "d"], [-1]: ["f"] });
  expect(at("b")).toEqual({ 1: ["c"], 5: ["a", "d"], 7: ["e"], [-1]: ["f"] });
  expect(at("c")).toEqual({ 1: ["b", "a"], [-1]: ["f"] });
  expect(at("f")).toEqual({ [-1]: ["a"] });
  expect(withBranches("a", all)).toEqual(["c", "e", "b", "d", "f", "a"]);
  expect(withBranches("d", all)).toEqual(["d"]);
});

test("facts are listed below each message that still says them", () => {
  const evidence = (message_id: string, supports = true) => ({ message_id, supports });
  const fact = { id: "f", evidence: [evidence("a"), evidence("b", false), evidence("c")] } as unknown as Fact;
  expect([...byMessage([fact]).keys()]).toEqual(["a", "c"]);
});
