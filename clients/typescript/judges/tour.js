// A short program that needs only fetch, streams and AbortSignal: for browsers, Deno, Bun and edge runtimes.
export async function tour({ Memory, NotFound }, address, name) {
  const space = new Memory(address).space(name);
  const chat = space.conversation("trip");
  await chat.add("user", "We settled on Lisbon in May.");
  const [hit] = (await space.recall("Lisbon", { limit: 1 })).items;
  if (hit.message.content !== "We settled on Lisbon in May.") throw new Error("not recalled");
  for await (const change of space.changes({ after: 0 })) if (change.kind === "message") break;
  let text = "";
  for await (const event of chat.reply("Where do we go?")) if (event.event === "text") text += event.text;
  if (text !== "We go to Lisbon.") throw new Error(`the reply is ${text}`);
  try {
    await chat.message("nowhere");
  } catch (thrown) {
    if (thrown instanceof NotFound) return "ok";
    throw thrown;
  }
  throw new Error("no error");
}
