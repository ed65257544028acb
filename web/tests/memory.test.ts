import { describe, expect, test } from "vitest";
import type { Fact, Relation } from "../src/api/schema";
import { shorten } from "../src/parts/shorten";
import { actionsFor } from "../src/views/memory/actions";
import { textWith, valueIn } from "../src/views/memory/agreement";
import { casesOf } from "../src/views/memory/cases";
import { aboutGroups, byKind } from "../src/views/memory/groups";
import { pictureOf } from "../src/views/memory/layout";
import { momentOf, scaleOf, stepOf } from "../src/views/memory/moment";

const AT = "2026-03-01T00:00:00Z";

function fact(id: string, given: Partial<Fact> = {}): Fact {
  return {
    id,
    space: "mara",
    kind: "fact",
    subject: "user",
    attribute: null,
    value: null,
    text: `user says ${id}`,
    status: "active",
    confidence: 0.9,
    importance: 0.5,
    category: null,
    tags: [],
    method: "pattern",
    model: null,
    tokens: 4,
    evidence: [],
    valid_from: null,
    valid_until: null,
    known_from: AT,
    known_until: null,
    accesses: 0,
    accessed_at: null,
    created_at: AT,
    updated_at: AT,
    expires_at: null,
    reason: null,
    withdrawn_from: null,
    schema: null,
    ...given,
  };
}

function link(source: string, kind: Relation["kind"], target: string): Relation {
  return { source, kind, target, strength: 1, created_at: AT };
}

describe("the graph", () => {
  const many = Array.from({ length: 23 }, (_, index) =>
    fact(`f${index}`, {
      subject: index % 3 === 0 ? "ines" : "user",
      text: `user ${"likes long walks ".repeat(9)}${index}`,
    }),
  );

  test("is the same for the same facts in any order", () => {
    const links = [link("f1", "contradicts", "f2")];
    expect(pictureOf([...many].reverse(), links, 1000)).toEqual(pictureOf(many, links, 1000));
  });

  test.each([320, 358, 819, 820, 1400])(
    "keeps every node and label inside %i pixels, and no two at one place",
    (width) => {
      const { nodes, height } = pictureOf(many, [], width);
      expect(nodes).toHaveLength(many.length);
      expect(new Set(nodes.map((node) => `${node.side} ${node.y}`)).size).toBe(many.length);
      for (const node of nodes) {
        const reach = node.x + (node.side === "right" ? 1 : -1) * (14 + node.label.length * 7.1);
        expect(reach).toBeGreaterThanOrEqual(0);
        expect(reach).toBeLessThanOrEqual(width);
        expect(node.y).toBeGreaterThan(0);
        expect(node.y).toBeLessThan(height);
      }
    },
  );

  test("links each fact to its subject, and facts only if both are shown", () => {
    const { edges } = pictureOf(many, [link("f1", "supersedes", "f2"), link("f1", "related_to", "gone")], 900);
    expect(edges.filter((edge) => edge.relation === undefined)).toHaveLength(many.length);
    expect(edges.flatMap((edge) => edge.relation?.kind ?? [])).toEqual(["supersedes"]);
  });

  test("places linked facts of one subject in one column", () => {
    const some = Array.from({ length: 9 }, (_, index) => fact(`g${index}`));
    const { nodes } = pictureOf(some, [link("g0", "supersedes", "g8")], 1200);
    const [one, other] = ["g0", "g8"].map((id) => nodes.find((node) => node.id === id));
    expect(one?.side).toBe(other?.side);
    expect(Math.abs((one?.y ?? 0) - (other?.y ?? 0))).toBe(34);
    const sides = nodes.map((node) => node.side);
    expect(Math.abs(sides.filter((side) => side === "left").length - 4.5)).toBeLessThan(1);
  });

  test("without facts is empty", () => {
    expect(pictureOf([], [], 900).nodes).toEqual([]);
  });
});

describe("facts to review", () => {
  test("are grouped by contradiction, pending first, each fact once", () => {
    const facts = [
      fact("a"),
      fact("b", { status: "pending" }),
      fact("c", { status: "pending" }),
      fact("d", { status: "pending" }),
    ];
    const cases = casesOf(facts, [
      link("b", "contradicts", "a"),
      link("c", "contradicts", "a"),
      link("d", "related_to", "a"),
    ]);
    expect(cases.map((one) => one.facts.map((each) => each.id))).toEqual([["b", "c", "a"], ["d"]]);
    expect(cases[0]?.contradictions).toHaveLength(2);
  });

  test("do not include contradictions with a fact that is not listed", () => {
    expect(casesOf([fact("b", { status: "pending" })], [link("b", "contradicts", "elsewhere")])[0]?.facts).toHaveLength(
      1,
    );
  });
});

describe("actions of a fact", () => {
  test("include undo only if a fact superseded another", () => {
    const links = [link("new", "supersedes", "old")];
    expect(actionsFor(fact("new"), links)).toContain("undo");
    expect(actionsFor(fact("old", { status: "superseded" }), links)).toEqual(["undo"]);
    expect(actionsFor(fact("other"), links)).not.toContain("undo");
    expect(actionsFor(fact("new", { status: "pending" }), links)).not.toContain("undo");
    expect(actionsFor(fact("old"), links)).toContain("undo");
  });

  test("allow only Confirm for a rejected fact", () => {
    expect(actionsFor(fact("a", { status: "rejected" }), [])).toEqual(["promote"]);
    expect(actionsFor(fact("a", { status: "archived", withdrawn_from: "active" }), [])).toContain("undo");
    expect(actionsFor(fact("a", { status: "active", withdrawn_from: null }), [])).not.toContain("undo");
  });
});

describe("groups", () => {
  test("contain every fact once, the user's own first", () => {
    const facts = [
      fact("a", { subject: "ines" }),
      fact("b", { category: "health", importance: 0.2 }),
      fact("c", { category: "health", importance: 0.9 }),
      fact("d"),
      fact("e", { category: "garden" }),
    ];
    const groups = aboutGroups(facts);
    expect(groups.map((group) => [group.title, group.facts.map((one) => one.id)])).toEqual([
      ["Your health", ["c", "b"]],
      ["About you", ["d"]],
      ["Garden", ["e"]],
      ["About Ines", ["a"]],
    ]);
    expect(byKind([fact("p", { kind: "preference" }), fact("f")]).map(([kind]) => kind)).toEqual([
      "fact",
      "preference",
    ]);
  });
});

describe("the time slider", () => {
  const now = Date.parse("2026-04-01T12:34:56Z");

  test("covers the earliest time of any fact until now", () => {
    const scale = scaleOf([fact("a", { valid_from: "2025-12-24T10:00:00Z" })], now);
    expect(new Date(scale.start).toISOString()).toBe("2025-12-24T00:00:00.000Z");
    expect(momentOf(scale.steps, scale)).toBeNull();
    expect(stepOf(null, scale)).toBe(scale.steps);
    for (let step = 0; step < scale.steps; step++) expect(stepOf(momentOf(step, scale), scale)).toBe(step);
  });

  test("without facts has one step", () => {
    expect(scaleOf([], now).steps).toBe(1);
  });
});

test("a text is shortened between words, and never inside a character", () => {
  expect(shorten("user lives in Lisbon", 40)).toBe("user lives in Lisbon");
  expect(shorten("user lives  in\nLisbon since May", 18)).toBe("user lives in…");
  expect(shorten("👩‍🚀".repeat(20), 5)).toMatch(/…$/u);
  for (let most = 2; most < 30; most++)
    expect([...shorten("a bc def ghij 🎈🎈🎈 klm", most)].length).toBeLessThanOrEqual(most);
});

test("the value follows the words of a fact, and the words follow the value", () => {
  expect(valueIn("User works at Globex.", "user works at Acme", "Acme")).toBe("Globex");
  expect(valueIn("user has moved", "user works at Acme", "Acme")).toBeUndefined();
  expect(valueIn("Acme or Acme", "Acme or Acme", "Acme")).toBeUndefined();
  expect(textWith("C++ (new)", "user likes C# (old)", "C# (old)")).toBe("user likes C++ (new)");
  expect(textWith("Braga", "user lives in Portofino", "Porto")).toBeUndefined();
});
