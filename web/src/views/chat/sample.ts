// Two made-up conversations with content for every view: decisions, facts, a corrected fact, code, a tool call, dates,
// a pin, contexts.
import { context } from "../../api/contexts";
import { startConversation } from "../../api/conversations";
import { addMessages, type MessageBody } from "../../api/messages";
import { pinMessage } from "../../api/pins";

export const OPENED = "sample-trip";
const BUG = "sample-import-bug";
const DAY = 86_400_000;
const MINUTE = 60_000;

type Line = [role: string, content: string];

const PLANS: Line[] = [
  ["user", "Hi! I'm Mara. I want to plan a week away in spring with my sister Ines. I live in Porto."],
  ["assistant", "Hello Mara! A week in spring with Ines, starting from Porto. Sea, mountains or a city?"],
  ["user", "A city. I'm vegetarian, and I'm allergic to peanuts, so good food that I can eat matters to me."],
  [
    "assistant",
    "Understood: vegetarian, and no peanuts anywhere near. Lisbon, Bologna and Ghent are all strong there.",
  ],
  ["user", "We decided to go to Bologna, from 3 May to 10 May."],
  ["assistant", "Bologna it is, 3 to 10 May. What may the week cost, and how do you like to travel?"],
  ["user", "The whole trip must cost less than 1400 € for both of us. I prefer trains, but I'd fly for this one."],
  ["assistant", "Then let me look for flights from Porto on 3 May."],
];
const BOOKINGS: Line[] = [
  ["user", "The second one is good, with a window seat. And please always answer in short sentences."],
  ["assistant", "Booked: FR 4012 on 3 May at 10:40, two seats, one at the window. 212 € in all."],
  ["user", "Something changed: I live in Braga now, I moved last weekend. We need a train to the airport."],
  ["assistant", "Noted, Braga. The 06:34 train reaches the airport at 08:02, early enough for the flight."],
  ["user", "Great. Ines works as a nurse, so she can only be reached after 18:00."],
  ["assistant", "I'll plan calls with Ines after 18:00."],
  ["user", "We changed our minds about the hotel: a flat near the Mercato di Mezzo instead."],
  ["assistant", "Changed. There is a quiet flat for 540 € the week, with a kitchen, 300 m from the market."],
  ["user", "Perfect, book it. That's everything for now, thank you!"],
  ["assistant", "It's booked. Together with the flight you are at 752 €, well below the 1400 €."],
];
const FLIGHTS = JSON.stringify([
  { flight: "TP 862", departs: "07:05", arrives: "13:20", stops: 1, price: 268 },
  { flight: "FR 4012", departs: "10:40", arrives: "14:25", stops: 0, price: 212 },
]);
const ENDLESS = `It reads every row at once, so the largest file fills the memory. Read it piece by piece:

\`\`\`python
def import_orders(path: str, size: int = 500) -> int:
    """Stores the orders of a CSV file; gives their number."""
    count = 0
    for batch in batched(read_rows(path), size):  # never the whole file
        store_orders(batch)
        count += len(batch)
    return count
\`\`\`

\`batched\` is in \`itertools\` since Python 3.12.`;
const FIXES: Line[] = [
  ["user", "The nightly import dies with MemoryError in import_orders() since the new supplier's file, 4 GB."],
  ["assistant", ENDLESS],
  ["user", "We're on Python 3.11, there is no itertools.batched."],
  [
    "assistant",
    "Then a helper of four lines does it:\n\n```python\ndef batched(rows, size):\n    rows = iter(rows)\n    while part := list(islice(rows, size)):\n        yield part\n```",
  ],
  ["user", "That fixed it: 90 MB instead of a crash. I deployed it this morning."],
  ["assistant", "Good to hear. Shall we log the count of each batch, so that the next stall is seen early?"],
  ["user", "Yes. We decided to keep batches of 500 and to alert when an import takes longer than 20 minutes."],
];

/** Adds them through the REST API, with times in the days before `now`. */
export async function addSample(space: string, now: Date): Promise<void> {
  await startConversation(space, BUG, { title: "The import that ran out of memory" });
  await addMessages(space, BUG, spoken(FIXES, now.getTime() - 3 * DAY, "bug"));
  await startConversation(space, OPENED, { title: "A week in Bologna" });
  const trip = await addMessages(space, OPENED, [
    ...spoken(PLANS, now.getTime() - 9 * DAY, "plan"),
    ...search(now.getTime() - 9 * DAY + PLANS.length * 2 * MINUTE),
    ...spoken(BOOKINGS, now.getTime() - 2 * DAY, "book"),
  ]);
  const budget = trip[6];
  if (budget !== undefined) await pinMessage(space, OPENED, budget.id);
  await context(space, OPENED, { query: "What may the trip cost, and where does Mara live?" });
  await context(space, BUG, { query: "How was import_orders() fixed?" });
}

function spoken(lines: readonly Line[], start: number, name: string): MessageBody[] {
  return lines.map(([role, content], index) => ({
    id: `sample-${name}-${index}`,
    role,
    content,
    at: new Date(start + index * 2 * MINUTE).toISOString(),
  }));
}

function search(start: number): MessageBody[] {
  const at = (minutes: number) => new Date(start + minutes * MINUTE).toISOString();
  const call = {
    id: "call_1",
    type: "function",
    function: { name: "search_flights", arguments: '{"from": "OPO", "to": "BLQ", "day": "05-03"}' },
  };
  return [
    { id: "sample-call", role: "assistant", content: "", tool_calls: [call], at: at(0) },
    { id: "sample-result", role: "tool", name: "search_flights", tool_call_id: "call_1", content: FLIGHTS, at: at(1) },
    {
      id: "sample-offer",
      role: "assistant",
      content: "Two fit: **TP 862** with one stop for 268 €, **FR 4012** direct for 212 €.",
      at: at(2),
    },
  ];
}
