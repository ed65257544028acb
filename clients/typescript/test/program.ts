// A strict program of a user. It is compiled, not run; each @ts-expect-error is a mistake that the types must find.

import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import { type Fact, type LiveChange, Memory, type Message, NotFound } from "aforesaid";
import { memory } from "aforesaid/ai-sdk";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const exactly = <A, B>(_: Same<A, B>): void => undefined;

const mem = new Memory("http://127.0.0.1:8765", { key: process.env["AFORESAID_KEY"] });
declare const process: { env: Record<string, string | undefined> };
const alice = mem.space("alice");
const chat = alice.conversation("trip");

const added = await chat.add("user", "We settled on Lisbon.", { metadata: { topic: "trip" }, expires: undefined });
exactly<typeof added, Message>(true);
const facts = await alice.facts({ status: "any", limit: 10, signal: AbortSignal.timeout(1000) });
exactly<typeof facts, Fact[]>(true);
const removed = await alice.unrelate("a", "depends_on", "b");
exactly<typeof removed, boolean>(true);
const unpinned = await chat.unpin("p1");
exactly<typeof unpinned, undefined>(true);
const context = await chat.context("where?", { max_tokens: 3000, format: "openai" });
exactly<typeof context.tokens, number>(true);
await chat.context();
await chat.end();
await chat.summarize(0, "m14");
await mem.recall(["alice", "team"], "where?", { kinds: ["message"] });
await mem.receipt("r1", { space: "alice" });
const ana = alice.items(["users", "ana"]);
await ana.put("theme", "dark", { index: false });
exactly<Awaited<ReturnType<typeof ana.delete>>, boolean>(true);
for await (const change of alice.changes({ after: 0 })) {
  exactly<typeof change, LiveChange>(true);
  if (change.kind === "missed") continue;
  exactly<typeof change.action, "added" | "changed" | "removed">(true);
}
for await (const event of chat.reply("where?", { system: "Be brief." })) if (event.event === "text") event.text.trim();
try {
  await chat.message("m1");
} catch (thrown) {
  if (thrown instanceof NotFound) exactly<typeof thrown.code, string>(true);
}
const middleware = memory(chat, { recipe: "balanced", max_tokens: 2000 });
exactly<typeof middleware, LanguageModelV4Middleware>(true);

// @ts-expect-error: there is no such status
await alice.facts({ status: "old" });
// @ts-expect-error: a fact needs a text
await alice.remember();
// @ts-expect-error: there is no such kind of relation
await alice.relate("a", "likes", "b");
// @ts-expect-error: the conversation is known
await chat.pause({ conversation: "other" });
// @ts-expect-error: there is no such option
await chat.context("where?", { tokens: 3000 });
// @ts-expect-error: an episode needs a type
await chat.noteEpisode("Lisbon");
// @ts-expect-error: the space is known
await alice.facts({ space: "bob" });
