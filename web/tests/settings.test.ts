import { describe, expect, it } from "vitest";
import type { Setting } from "../src/api/settings";
import { grouped, matching, sumOf, titleOf, typedNumber, written } from "../src/views/settings/groups";

function setting(name: string, value: Setting["value"], help = ""): Setting {
  const bounds = { least: null, most: null, choices: [] };
  return {
    name,
    value,
    source: "default",
    default: value,
    help,
    variable: `AFORESAID_${name.toUpperCase()}`,
    ...bounds,
  };
}

const ALL = [
  setting("chunk_tokens", 500, "Tokens in a chunk, at most."),
  setting("hybrid", true, "Search by words beside meaning."),
  setting("weight_dense", 0.6, "Weight of similarity in meaning."),
  setting("weight_time", 0.2),
  setting("brand_new", "x"),
];

describe("settings", () => {
  it("are grouped; a setting without a group is shown last, and weights are excluded", () => {
    expect(grouped(ALL).map((group) => [group.title, group.settings.map((one) => one.name)])).toEqual([
      ["Search", ["hybrid"]],
      ["Chunks", ["chunk_tokens"]],
      ["Other", ["brand_new"]],
    ]);
  });

  it.each([
    ["", 5],
    ["meaning", 2],
    ["TOKENS most", 1],
    ["aforesaid_hybrid", 1],
    ["tokens meaning", 0],
  ])("that match %j are %i", (typed, count) => {
    expect(matching(ALL, typed)).toHaveLength(count);
  });

  it("have a title and a value as text", () => {
    expect(ALL.map(titleOf)).toEqual(["Chunk tokens", "Hybrid", "Dense", "Time", "Brand new"]);
    expect(ALL.map((one) => written(one.value))).toEqual(["500", "on", "0.6", "0.2", "x"]);
  });

  it.each([
    ["0.5", 0.5],
    [" 0,5 ", 0.5],
    ["12", 12],
    ["", null],
    ["many", null],
    ["1e999", null],
  ])("read %j as %s", (typed, number) => {
    expect(typedNumber(typed)).toBe(number);
  });

  it("have a sum of weights", () => {
    expect(sumOf(ALL.filter((one) => one.name.startsWith("weight_")))).toBeCloseTo(0.8);
  });
});
