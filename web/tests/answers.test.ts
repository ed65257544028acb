import { expect, test } from "vitest";
import type { Message } from "../src/api/schema";
import { ended } from "../src/parts/shorten";
import type { PendingAnswer } from "../src/views/chat/answers";
import { stillAsked, unanswered } from "../src/views/chat/questions";

const said = (id: string, role: Message["role"], name: string | null = null) =>
  ({ id, role, name, content: "Where?" }) as Message;
const pending = (id: string, begun: boolean) => ({ begun, asked: { id, content: "Where?" } }) as PendingAnswer;

test("a question can be sent again while it is the last message", () => {
  expect(unanswered([said("a", "assistant"), said("b", "user")])).toEqual({ id: "b", content: "Where?" });
  expect(unanswered([said("b", "user"), said("c", "assistant")])).toBeUndefined();
  expect(unanswered([said("b", "user", "mara")])).toBeUndefined();
  expect(unanswered([])).toBeUndefined();
});

test("a pending answer is removed with its question", () => {
  expect(stillAsked(pending("b", true), [said("b", "user")])).toBeDefined();
  expect(stillAsked(pending("b", true), [said("c", "user")])).toBeUndefined();
  expect(stillAsked(pending("b", false), [])).toBeDefined();
  const answered = [said("b", "user"), said("c", "assistant")];
  expect(stillAsked({ ...pending("b", true), going: true }, answered)).toBeDefined();
  expect(stillAsked({ ...pending("b", true), going: false }, answered)).toBeUndefined(); // another tab was answered
});

test("a sentence ends with one full stop", () => {
  expect(["it broke off", "It did. ", "Did it?", "“It did.”"].map(ended)).toEqual([
    "it broke off.",
    "It did.",
    "Did it?",
    "“It did.”",
  ]);
});
