import { describe, expect, test } from "vitest";
import type { Arc, ArcPart, Episode, Summary } from "../src/api/schema";
import { coverageOf, duration, linesOf } from "../src/views/timeline/coverage";
import { drawingOf, feelingOf } from "../src/views/timeline/geometry";

const AT = "2026-03-01T00:00:00Z";

function episode(id: string, given: Partial<Episode> = {}): Episode {
  return {
    id,
    space: "mara",
    conversation: "trip",
    type: "pivot",
    title: `Something that happened to ${id} and has a long name`,
    summary: "",
    context: "",
    participants: [],
    outcome: null,
    valence: 0,
    significance: 0.5,
    facts: [],
    first_seq: 0,
    last_seq: 3,
    method: "pattern",
    model: null,
    tokens: 1,
    created_at: AT,
    at: AT,
    ...given,
  };
}

function arcOf(messages: number): Arc {
  const third = (first_seq: number, last_seq: number): ArcPart => ({
    first_seq,
    last_seq,
    summary: "",
    topics: [],
    episodes: [],
  });
  const cut = Math.floor(messages / 3);
  return {
    beginning: third(0, cut - 1),
    middle: third(cut, 2 * cut - 1),
    end: third(2 * cut, messages - 1),
    key_moments: [],
  };
}

describe("the arc", () => {
  const many = Array.from({ length: 40 }, (_, index) =>
    episode(`e${index}`, {
      first_seq: index,
      last_seq: index + 4,
      significance: (index % 11) / 10,
      valence: (index % 3) - 1,
    }),
  );

  test.each([320, 358, 1100])("keeps every point inside %i pixels, in the order of the conversation", (width) => {
    const { points, height } = drawingOf(arcOf(60), many, width);
    expect(points.map((point) => point.episode.id)).toEqual(many.map((one) => one.id));
    for (const point of points) {
      expect(point.x).toBeGreaterThanOrEqual(13.9);
      expect(point.x).toBeLessThanOrEqual(width - 13.9);
      expect(point.y).toBeGreaterThan(0);
      expect(point.y).toBeLessThan(height);
      if (point.label) {
        expect(point.label.x - (point.label.text.length * 6.3) / 2).toBeGreaterThanOrEqual(0);
        expect(point.label.x + (point.label.text.length * 6.3) / 2).toBeLessThanOrEqual(width);
      }
    }
    const xs = points.map((point) => point.x);
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
  });

  test("places more significant episodes higher and larger, with a ring from 0.7 on", () => {
    const { points } = drawingOf(
      arcOf(30),
      [episode("a", { significance: 0.3 }), episode("b", { significance: 0.7 })],
      900,
    );
    const [low, high] = points;
    expect(high?.y).toBeLessThan(low?.y ?? 0);
    expect(high?.radius).toBeGreaterThan(low?.radius ?? 99);
    expect([low?.key, high?.key]).toEqual([false, true]);
  });

  test("has three adjacent parts", () => {
    const [one, two, three] = drawingOf(arcOf(30), [], 900).stretches;
    expect((one?.x ?? 0) + (one?.width ?? 0)).toBeCloseTo(two?.x ?? 0);
    expect((two?.x ?? 0) + (two?.width ?? 0)).toBeCloseTo(three?.x ?? 0);
  });

  test("of an empty conversation draws nothing", () => {
    const { points, outline } = drawingOf(arcOf(0), [], 900);
    expect(points).toEqual([]);
    expect(outline).not.toContain("NaN");
  });
});

test("a valence has a label in addition to its colour", () => {
  expect([-0.5, -0.1, 0, 0.1, 0.4].map(feelingOf)).toEqual(["bad", "even", "even", "even", "good"]);
});

describe("coverage", () => {
  const now = Date.parse(AT);
  const summary = (first_seq: number, last_seq: number, given: Partial<Summary> = {}): Summary => ({
    id: `${first_seq}-${last_seq}`,
    space: "mara",
    conversation: "trip",
    kind: "segment",
    first_seq,
    last_seq,
    message_count: last_seq - first_seq + 1,
    text: "",
    topics: [],
    importance: 0.5,
    base_id: null,
    status: "completed",
    method: "extractive",
    model: null,
    tokens: 1,
    milliseconds: 4,
    error: null,
    created_at: AT,
    replaced_by: null,
    ...given,
  });

  test("counts each message once, and only completed summaries", () => {
    const made = [
      summary(0, 9),
      summary(5, 14),
      summary(20, 24),
      summary(30, 40, { status: "failed", milliseconds: null }),
    ];
    const found = coverageOf(made, 22, now);
    expect([found.covered, found.completed, found.failed]).toEqual([18, 3, 1]);
  });

  test("shows durations, and none without summaries", () => {
    expect(coverageOf([], 10, now)).toMatchObject({ covered: 0, average: null, maximum: null });
    expect(coverageOf([summary(0, 1, { milliseconds: 2 }), summary(2, 3, { milliseconds: 6 })], 10, now)).toMatchObject(
      {
        average: 4,
        maximum: 6,
      },
    );
  });

  test("is stuck after five minutes", () => {
    const made = [summary(0, 1, { status: "processing" })];
    expect(coverageOf(made, 1, now + 4 * 60_000).stuck).toHaveLength(0);
    expect(coverageOf(made, 1, now + 6 * 60_000).stuck).toHaveLength(1);
  });
});

test("an extractive summary names the speakers", () => {
  expect(linesOf("Topics: Lisbon\n[user] We go.\n\nA line [user] of a model")).toEqual([
    { speaker: "user", text: "We go." },
    { speaker: null, text: "A line [user] of a model" },
  ]);
  expect([duration(null), duration(4.24), duration(40.2), duration(2500)]).toEqual(["–", "4.2 ms", "40 ms", "2.5 s"]);
});
