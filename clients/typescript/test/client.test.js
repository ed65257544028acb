// Runs against the server at AFORESAID_URL. tests/test_typescript.py starts it, and calls this.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import * as aforesaid from "../dist/index.js";
import { relay } from "./relay.js";

const { Memory } = aforesaid;
const ADDRESS = process.env.AFORESAID_URL;
const mem = new Memory(ADDRESS);
const newSpace = () => mem.space(randomUUID());

test("items", async () => {
  const space = newSpace();
  const ana = space.items(["users", "a/b?"]);
  const item = await ana.put("the key/1", { theme: "dark", n: 3 }, { text: "colours" });
  assert.deepEqual(item.namespace, ["users", "a/b?"]);
  assert.deepEqual(await ana.get("the key/1"), item);
  assert.equal((await ana.putMany([{ key: "k", value: [1, null] }]))[0].key, "k");
  assert.deepEqual((await space.items("users").search(undefined, { filter: { n: { $gte: 3 } } }))[0].item, item);
  assert.equal((await space.items().search("colours", { limit: 1 }))[0].item.key, "the key/1");
  assert.deepEqual(await space.items().namespaces({ max_depth: 1 }), [["users"]]);
  assert.equal((await ana.rename("k", "l")).key, "l");
  const read = await ana.get("l");
  await ana.put("l", 2, { replaces: read });
  await assert.rejects(ana.put("l", 3, { replaces: read }), aforesaid.ConflictError);
  assert.equal(await ana.move(["users", "bob"]), 2);
  assert.equal(await space.items(["users", "bob"]).move(["users", "a/b?"]), 2);
  assert.notEqual((await ana.touch("l", "30d")).expires_at, null);
  assert.equal(await ana.delete("l"), true);
  await assert.rejects(ana.get("l"), aforesaid.NotFound);
  assert.equal(await space.items().clear(), 1);
});

test("messages, recall and contexts", async () => {
  const space = newSpace();
  const chat = space.conversation("a trip/to Lisbon");
  const message = await chat.add("user", "We settled on Lisbon in May, at most 900 €.", {
    metadata: { topic: "trip" },
  });
  assert.equal(message.conversation, "a trip/to Lisbon");
  assert.equal(message.seq, 0);
  await chat.addMany([
    { role: "assistant", content: "Noted." },
    { role: "user", content: "The bug was in parse_config()." },
  ]);
  assert.deepEqual(
    (await chat.messages({ limit: 2 })).map((each) => each.seq),
    [1, 2],
  );
  assert.deepEqual(
    (await chat.recent({ limit: 1, include_newest: true })).map((each) => each.seq),
    [2],
  );
  assert.equal((await chat.edit(message.id, "We settled on Porto in May.")).content, "We settled on Porto in May.");
  assert.equal((await chat.message(message.id)).metadata.topic, "trip");
  assert.ok((await chat.chunks(message.id)).length > 0);
  assert.ok(Array.isArray(await chat.times(message.id)));
  assert.equal((await space.recall("parseConfig", { limit: 1 })).items[0].message.seq, 2);
  assert.equal((await chat.recall("Porto", { limit: 1 })).items[0].id, message.id);
  assert.equal((await mem.recall([space.id], "Porto")).items[0].space, space.id);
  assert.equal((await chat.accesses(message.id)) === undefined, false);
  assert.equal((await chat.score([message.id], { dry_run: true }))[0].message_id ?? message.id, message.id);
  const context = await chat.context("where do we go?", { max_tokens: 3000, format: "openai" });
  assert.equal(context.payload.messages.at(-1).role, "user");
  assert.equal((await space.receipt(context.receipt)).id, context.receipt);
  assert.equal((await mem.receipt(context.receipt, { space: space.id })).id, context.receipt);
  assert.equal((await space.rebuild(context.receipt, { format: "text" })).receipt, context.receipt);
  assert.equal((await space.replay(context.receipt)).before.id, context.receipt);
  const why = await space.why(context.receipt, "a sentence that nobody has said");
  assert.deepEqual([why.included, why.cause, why.message], [false, "unknown", null]);
  assert.deepEqual(await mem.why(context.receipt, "a sentence that nobody has said"), why);
  const items = await space.receiptItems(context.receipt);
  assert.deepEqual(
    items.map((entry) => entry.item),
    (await space.receipt(context.receipt)).items,
  );
  assert.equal((await mem.replay(context.receipt, { space: space.id })).before.id, context.receipt);
  assert.equal((await space.compare(context.receipt, context.receipt)).same, true);
  assert.equal((await space.receipts()).length, 1);
  assert.ok((await chat.context()).tokens > 0);
});

test("conversations, pins, summaries and episodes", async () => {
  const space = newSpace();
  const chat = space.conversation("trip");
  assert.equal((await chat.start({ title: "Lisbon" })).title, "Lisbon");
  await chat.addMany(["We go to Lisbon.", "By train.", "In May."].map((content) => ({ role: "user", content })));
  assert.equal((await chat.rename("Porto")).title, "Porto");
  assert.equal((await chat.mute()).muted, true);
  assert.equal((await chat.unmute()).muted, false);
  assert.equal((await chat.pause()).status, "paused");
  assert.equal((await chat.resume()).status, "active");
  assert.ok((await chat.expire("30d")).expires_at);
  const pin = await chat.pin("Budget: 900 €", { importance: 0.9 });
  assert.equal((await chat.pinned(pin.id)).content, "Budget: 900 €");
  assert.equal((await chat.editPin(pin.id, { content: "Budget: 800 €" })).content, "Budget: 800 €");
  assert.equal((await chat.pins()).length, 1);
  assert.equal(await chat.unpin(pin.id), undefined);
  const summary = await chat.summarize(0, 2);
  assert.equal((await chat.summary(summary.id)).id, summary.id);
  assert.ok((await chat.summaries()).length > 0);
  assert.equal(typeof (await chat.needsSummary()), "boolean");
  assert.ok(Array.isArray(await chat.chain()));
  assert.equal((await chat.chain(summary.id))[0].id, summary.id);
  assert.ok(await chat.window());
  const episode = await chat.noteEpisode("Lisbon it is", { type: "decision_made" });
  assert.equal((await chat.episode(episode.id)).title, "Lisbon it is");
  assert.equal((await chat.episodes({ type: "decision_made" })).length, (await space.episodes()).length);
  await chat.removeEpisode(episode.id);
  assert.ok(await chat.arc());
  assert.equal((await chat.end("booked")).status, "ended");
  assert.equal((await chat.info()).status, "ended");
  assert.deepEqual(
    (await space.conversations({ q: "porto" })).map((each) => each.id),
    ["trip"],
  );
  assert.equal(await chat.delete(), true);
  assert.equal(await chat.delete(), false);
});

test("facts, relations, feedback and consolidation", async () => {
  const space = newSpace();
  const fact = await space.remember("Lives in Lisbon", { subject: "user", attribute: "home", value: "Lisbon" });
  const other = await space.remember("Works in Porto");
  assert.deepEqual(
    (await space.facts({ status: "active" })).map((each) => each.text),
    [fact.text, other.text],
  );
  assert.equal((await space.fact(fact.id)).value, "Lisbon");
  assert.equal((await space.relate(fact.id, "related_to", other.id)).kind, "related_to");
  assert.equal((await space.relations({ fact: fact.id })).length, 1);
  assert.equal(await space.unrelate(fact.id, "related_to", other.id), true);
  assert.equal((await space.archive(other.id)).status, "archived");
  assert.equal((await space.promote(other.id)).status, "active");
  assert.equal((await space.reject(other.id)).status, "rejected");
  const edited = await space.editFact(fact.id, { text: "Lives in Braga", attribute: "home", value: "Braga" });
  await space.undo(edited.id);
  assert.deepEqual(
    (await space.facts()).map((each) => each.text),
    ["Lives in Lisbon"],
  );
  assert.deepEqual(
    (await space.review()).map((each) => each.text),
    ["Lives in Braga", "Lives in Lisbon"],
  );
  assert.equal((await space.consolidate({ dry_run: true })).dry_run ?? true, true);
  assert.ok(Array.isArray(await space.consolidations()));
  await assert.rejects(space.undoConsolidation(), aforesaid.NotFound);
  const message = await space.conversation("c").add("user", "I like the window seat.");
  assert.equal((await space.feedback("which seat?", message.id)).length, 1);
  assert.equal((await space.feedbackGiven()).length, 1);
  assert.equal(await space.resetFeedback(), 1);
});

test("profile, settings, holds and erasure", async () => {
  const space = newSpace();
  const message = await space.conversation("c").add("user", "My horse is called Zanzibar.");
  await assert.rejects(space.setProfile({ fields: { city: "Lisbon" } }), aforesaid.ConsentNeeded);
  assert.equal((await space.grantConsent({ note: "asked", by: "test" })).by, "test");
  assert.equal((await space.consent()).granted, true);
  assert.equal((await space.setProfile({ fields: { city: "Lisbon" }, by: "test" })).fields[0].value, "Lisbon");
  assert.equal((await space.profile()).fields.length, 1);
  assert.equal((await space.removeProfile({ field: ["city"] })).fields.length, 0);
  assert.ok((await space.audit()).length > 0);
  assert.ok(await space.revokeConsent());
  assert.equal((await space.set("chunk_tokens", 300)).value, 300);
  assert.equal((await space.unset("chunk_tokens")).source === "space", false);
  assert.ok((await space.settings()).length > 0);
  assert.equal(typeof (await space.rechunk()), "number");
  assert.equal((await space.hold("case 1")).reason, "case 1");
  assert.equal((await space.held()).reason, "case 1");
  await assert.rejects(space.forget({ message: message.id }), aforesaid.OnHold);
  assert.equal(await space.releaseHold(), true);
  assert.ok(await space.forget({ message: message.id }));
  await mem.flush();
  assert.equal((await space.erasures()).length, 1);
  assert.equal((await mem.verifyErasure("My horse is called Zanzibar.", { space: space.id })).found.length, 0);
  assert.equal(await space.delete(), true);
});

test("the store, exports and imports", async () => {
  const space = newSpace();
  await space.conversation("c").add("user", "Hello");
  assert.equal((await space.info()).id, space.id);
  assert.equal((await space.stats()).totalMessages, 1);
  assert.ok((await mem.spaces({ limit: 1000 })).some((each) => each.id === space.id));
  assert.ok(await mem.status());
  assert.ok((await mem.size()).text > 0);
  assert.equal((await mem.ready()).ready, true);
  assert.ok(Array.isArray(await mem.jobs()));
  assert.ok(await mem.allowance());
  assert.deepEqual([await mem.costs({ space: space.id }), await space.conversation("c").answerer()].length, 2);
  assert.ok(Array.isArray(await mem.costs()));
  assert.ok(Array.isArray(await mem.retrievals({ space: space.id })));
  assert.ok(await mem.metrics());
  assert.ok((await mem.activity({ space: space.id })).length > 0);
  assert.ok((await mem.doctor()).length > 0);
  assert.ok((await mem.doctor({ repair: true })).length > 0);
  const copy = await mem.importSpace(await space.export(), { space: randomUUID() });
  assert.equal((await copy.conversation("c").messages())[0].content, "Hello");
  const chats = new Blob([`${JSON.stringify({ role: "user", content: "Imported" })}\n`]);
  assert.equal((await copy.importChats(chats, { format: "chat", name: "old.jsonl" })).messages, 1);
  assert.equal((await (await mem.backup()).slice(0, 15).text()).startsWith("SQLite format 3"), true);
});

test("errors are classes", async () => {
  const chat = newSpace().conversation("c");
  await assert.rejects(chat.message("nowhere"), (error) => {
    assert.ok(error instanceof aforesaid.NotFound && error instanceof aforesaid.AforesaidError);
    assert.deepEqual([error.name, error.status, error.code], ["NotFound", 404, "not_found"]);
    return error.message !== "";
  });
  await chat.add("user", "One", { id: "m1" });
  await assert.rejects(chat.add("user", "Two", { id: "m1" }), aforesaid.ConflictError);
  await assert.rejects(chat.add("nobody", "Two"), aforesaid.InvalidInput);
  await assert.rejects(chat.context("Two", { max_tokens: 1 }), aforesaid.BudgetExceeded);
  await chat.end();
  await assert.rejects(chat.pause(), aforesaid.StateError);
  await assert.rejects(new Memory("http://127.0.0.1:1", { retries: 0 }).status(), aforesaid.ConnectionFailed);
});

test("a request whose answer is lost is sent again, and stores nothing twice", async () => {
  const through = await relay(ADDRESS);
  try {
    const chat = new Memory(through.url).space(randomUUID()).conversation("c");
    through.loseNextAnswer();
    await chat.add("user", "Only once");
    assert.deepEqual(
      (await chat.messages()).map((each) => each.content),
      ["Only once"],
    );
    through.loseNextAnswer();
    await assert.rejects(
      new Memory(through.url).space(chat.names.space).remember("Likes trains"),
      aforesaid.ConnectionFailed,
    );
  } finally {
    through.close();
  }
});

test("an aborted request throws the signal's reason", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(newSpace().facts({ signal }), { message: "enough" });
  const ending = new AbortController();
  const following = newSpace().changes({ signal: ending.signal }).next();
  ending.abort(new Error("closed"));
  await assert.rejects(following, { message: "closed" });
});

test("changes go on where they were after a lost connection", async () => {
  const through = await relay(ADDRESS);
  const space = newSpace();
  try {
    const chat = space.conversation("c");
    const first = await chat.add("user", "One");
    const seen = [];
    for await (const change of new Memory(through.url).space(space.id).changes({ after: 0 })) {
      if (change.kind !== "message") continue;
      seen.push(change.seq);
      if (seen.length === 1) {
        through.breakAll();
        await chat.add("user", "Two");
      }
      if (seen.length === 2) break;
    }
    assert.deepEqual(seen, [first.seq, 1]);
  } finally {
    through.close();
  }
});

test("a cursor that is too old is told, and onChange wakes", async () => {
  const space = newSpace();
  await space.conversation("c").add("user", "One");
  const { value } = await mem.watch(space.id, { after: 2 ** 40 }).next();
  assert.equal(value.kind, "missed");
  const { promise, resolve } = Promise.withResolvers?.() ?? withResolvers();
  const subscription = mem.onChange(space.id, resolve);
  const writing = setInterval(() => void space.conversation("c").add("user", "More"), 200);
  await promise;
  clearInterval(writing);
  subscription.close();
  await subscription.closed;
});

test("a reply is streamed, and stored when it is done", async () => {
  const chat = newSpace().conversation("c");
  const events = [];
  for await (const event of chat.reply("Where do we go?", { system: "You plan trips." })) events.push(event);
  assert.equal(events[0].event, "begun");
  assert.equal(
    events
      .filter((each) => each.event === "text")
      .map((each) => each.text)
      .join(""),
    "We go to Lisbon.",
  );
  assert.equal(events.at(-1).event, "done");
  assert.deepEqual(
    (await chat.messages()).map((each) => each.content),
    ["Where do we go?", "We go to Lisbon."],
  );
});

// The last test: from the first key on, every request needs one.
test("keys", async () => {
  const key = await mem.createKey("laptop", { access: "admin" });
  await assert.rejects(mem.keys(), aforesaid.Unauthenticated);
  const admin = new Memory(ADDRESS, { key: key.secret });
  const reader = await admin.createKey("reader", { access: "read", spaces: ["alice"] });
  await assert.rejects(new Memory(ADDRESS, { key: reader.secret }).space("bob").facts(), aforesaid.Forbidden);
  assert.ok((await admin.revokeKey(reader.key.id)).revoked_at);
  assert.equal((await admin.keys()).length, 2);
});

function withResolvers() {
  let resolve;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
