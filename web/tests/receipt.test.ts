import { describe, expect, it } from "vitest";
import type { TriedContext } from "../src/api/contexts";
import type { ReceiptItem } from "../src/api/receipts";
import { benchRows, onlyIn, type Trial } from "../src/views/context/bench";
import type { ItemTexts } from "../src/views/context/itemText";
import { matches, ordered, pieces, rankOf, wordsOf } from "../src/views/context/order";

const PARTS = ["dense", "lexical", "identifier", "recency", "importance", "access", "speaker", "time", "statement"];

function item(id: string, reason: string, relevance: number | null = null, tokens = 10): ReceiptItem {
  const parts = Object.fromEntries([...PARTS, "total", "feedback"].map((part) => [part, 0]));
  const score = relevance === null ? null : ({ ...parts, relevance, dense: 1 - relevance } as ReceiptItem["score"]);
  const included = !reason.startsWith("does not");
  const rest = { section: "recalled", kind: "message", source_message_id: id, sources: [], space: null, missing: 0 };
  return { ...rest, id, reason, included, tokens, score };
}

const ids = (items: readonly ReceiptItem[]) => items.map((one) => one.id).join("");
const NOTHING: ItemTexts = new Map();

describe("the items of a receipt", () => {
  const all = [
    item("h", "recent"),
    item("b", "rank 2", 0.4, 30),
    item("a", "rank 1, an excerpt of 4 of 9 words", 0.5),
    item("x", "does not fit", 0.45, 90),
    item("y", "does not fit", 0.1),
  ];

  it("are best first: by rank, and what was left out between them by relevance", () => {
    expect(all.map(rankOf)).toEqual([undefined, 2, 1, undefined, undefined]);
    expect(ids(ordered(all, "best", NOTHING))).toBe("axbyh");
  });

  it("are in other orders, stable, and those without the value last", () => {
    const known: ItemTexts = new Map([
      ["message a", { text: "", at: "2024-01-03T00:00:00Z" }],
      ["message b", { text: "", at: "2024-01-01T00:00:00Z" }],
    ]);
    expect(ids(ordered(all, "read", NOTHING))).toBe("hbaxy");
    expect(ids(ordered(all, "tokens", NOTHING))).toBe("xbhay");
    expect(ids(ordered(all, "newest", known))).toBe("abhxy");
    expect(ids(ordered(all, "oldest", known))).toBe("bahxy");
    expect(ids(ordered(all, "dense", NOTHING))).toBe("ybxah");
  });

  it("match a filter if every word is in one of their fields", () => {
    const text = { text: "We go to Lisbon.", speaker: "Ana", conversation: "trip", title: "May" };
    for (const filter of ["", "lisbon", "ANA trip", "may go", "rank", "recalled a"]) {
      expect(matches(item("a", "rank 1"), text, wordsOf(filter)), filter).toBe(true);
    }
    expect(matches(item("a", "rank 1"), text, wordsOf("lisbon porto"))).toBe(false);
    expect(matches(item("a", "rank 1"), undefined, wordsOf("lisbon"))).toBe(false);
  });

  it("have the matches of a filter as every second piece, whatever its signs", () => {
    expect(pieces("a Lisbon b", wordsOf("lisbon"))).toEqual(["a ", "Lisbon", " b"]);
    expect(pieces("f(x)* [y]", wordsOf("f(x)* ["))).toEqual(["", "f(x)*", " ", "[", "y]"]);
    expect(pieces("unchanged", [])).toEqual(["unchanged"]);
  });
});

describe("the recipe bench", () => {
  const trial = (recipe: string, ...items: ReceiptItem[]): Trial => ({
    recipe,
    context: { receipt: { items }, sections: [], milliseconds: 1 } as unknown as TriedContext,
  });
  const all = item("h", "recent");

  it("has a row for each item that a recipe includes, best first, and marks those that differ", () => {
    const trials = [
      trial("balanced", all, item("b", "rank 2"), item("a", "rank 1"), item("z", "does not fit")),
      trial("window", all, item("a", "does not fit")),
    ];
    const rows = benchRows(trials);
    expect(rows.map((row) => [row.item.id, row.differs])).toEqual([
      ["a", true],
      ["b", true],
      ["h", false],
    ]);
    expect(rows[0]?.lines.map((line) => line?.reason)).toEqual(["rank 1", "does not fit"]);
    expect([onlyIn(rows, 0), onlyIn(rows, 1)]).toEqual([2, 0]);
  });

  it("compares only the recipes that have a context", () => {
    const rows = benchRows([trial("balanced", all), { recipe: "window", problem: "needs 400 tokens" }]);
    expect(rows.map((row) => row.differs)).toEqual([false]);
  });

  it("prefers the line of the section that has an item", () => {
    const [row] = benchRows([trial("balanced", item("a", "does not fit"), item("a", "recent"))]);
    expect(row?.lines[0]?.reason).toBe("recent");
  });
});
