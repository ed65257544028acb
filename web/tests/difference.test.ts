import { describe, expect, it } from "vitest";
import type { Receipt, ReceiptItem } from "../src/api/receipts";
import { difference, rising } from "../src/views/context/difference";
import { byReason, stretches } from "../src/views/context/sections";
import { counting } from "../src/views/context/weights";

function item(section: string, id: string, tokens = 10, included = true): ReceiptItem {
  const source = { kind: "message", source_message_id: id, space: null };
  const rest = { ...source, reason: "recent", score: null, sources: [], missing: 0 };
  return { section, id, tokens, included, ...rest };
}

function receipt(...items: ReceiptItem[]): Receipt {
  return { items } as unknown as Receipt;
}

describe("two contexts", () => {
  it("that are equal have no difference, and the whole prefix is unchanged", () => {
    const one = receipt(item("system", "s"), item("history", "a"), item("newest", "q"));
    expect(difference(one, one)).toEqual({ added: [], removed: [], moved: [], kept: 3, samePrefix: 20, prefix: 20 });
  });

  it("list added, removed and moved items", () => {
    const before = receipt(item("history", "a"), item("history", "b"), item("recalled", "c"), item("newest", "d"));
    const after = receipt(item("history", "b"), item("history", "d"), item("recalled", "c"), item("newest", "e"));
    const found = difference(before, after);
    expect(found.added.map((one) => one.id)).toEqual(["e"]);
    expect(found.removed.map((one) => one.id)).toEqual(["a"]);
    expect(found.moved.map(([was, now]) => [was.section, now.section, now.id])).toContainEqual([
      "newest",
      "history",
      "d",
    ]);
  });

  it("count a formerly excluded item as added", () => {
    const found = difference(receipt(item("history", "a", 5, false)), receipt(item("history", "a")));
    expect(found.added.map((one) => one.id)).toEqual(["a"]);
  });

  it("share the prefix up to the first difference only", () => {
    const before = receipt(item("pins", "p"), item("history", "a"), item("history", "b"));
    const after = receipt(item("pins", "p"), item("history", "x", 30), item("history", "b"));
    expect(difference(before, after)).toMatchObject({ samePrefix: 10, prefix: 50 });
    const cut = receipt(item("pins", "p", 7), item("history", "a"), item("history", "b"));
    expect(difference(before, cut)).toMatchObject({ samePrefix: 0, prefix: 27 });
  });
});

describe("items that kept their order", () => {
  it.each([
    [[], []],
    [
      [1, 2, 3],
      [0, 1, 2],
    ],
    [
      [3, 1, 2],
      [1, 2],
    ],
    [
      [5, 1, 6, 2, 3],
      [1, 3, 4],
    ],
  ])("of %j is %j", (numbers, places) => {
    expect([...rising(numbers)].sort()).toEqual(places);
  });
});

describe("the parts of a score that count", () => {
  const recipe = (weights: number[] | null) => ({ weights }) as Receipt["call"]["recipe"];

  it("are those with a weight in the recipe, otherwise in the settings", () => {
    const settings = [
      { name: "weight_dense", value: 0.6 },
      { name: "weight_time", value: 0 },
      { name: "hybrid", value: true },
    ];
    expect([...counting(recipe(null), settings)]).toEqual(["dense"]);
    expect([...counting(recipe([0.4, 0, 0.2, 0.1, 0]), settings)]).toEqual(["dense", "recency", "importance"]);
  });
});

describe("items", () => {
  it("that follow each other in one section are grouped", () => {
    const found = stretches([item("system", "a"), item("history", "b"), item("history", "c"), item("system", "d")]);
    expect(found.map((one) => [one.section, one.items.length])).toEqual([
      ["system", 1],
      ["history", 2],
      ["system", 1],
    ]);
  });

  it("that were excluded are grouped by reason, largest group first", () => {
    const weak = { ...item("recalled", "a"), reason: "weak" };
    const found = byReason([weak, item("history", "b"), item("history", "c")]);
    expect(found.map(([reason, items]) => [reason, items.length])).toEqual([
      ["recent", 2],
      ["weak", 1],
    ]);
  });
});
