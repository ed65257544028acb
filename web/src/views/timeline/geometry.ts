// Places episodes on the arc of a conversation: from left to right by message, higher with more significance.
import type { Arc, Episode } from "../../api/episodes";
import { shorten } from "../../parts/shorten";

export type Feeling = "good" | "bad" | "even";

export interface Point {
  episode: Episode;
  x: number;
  y: number;
  radius: number;
  feeling: Feeling;
  key: boolean;
  /** From its first message to its last. */
  span: [number, number];
  label: Label | undefined;
}

interface Label {
  text: string;
  x: number;
}

export interface Stretch {
  title: string;
  x: number;
  width: number;
  first: number;
  last: number;
}

export interface Drawing {
  width: number;
  height: number;
  base: number;
  stretches: Stretch[];
  points: Point[];
  /** The outline of the arc. */
  outline: string;
}

export const KEY = 0.7; // significance of a key moment
const HEIGHT = 230;
const BASE = 190;
const TOP = 44;
const SIDE = 14;
const APART = 22; // pixels between two points
const LETTER = 6.3;
const EVEN = 0.1; // below this, a valence counts as neutral

export function feelingOf(valence: number): Feeling {
  return valence > EVEN ? "good" : valence < -EVEN ? "bad" : "even";
}

export const SIGNS: Record<Feeling, string> = { good: "+", bad: "−", even: "=" };

export function drawingOf(arc: Arc, episodes: readonly Episode[], width: number): Drawing {
  const last = Math.max(arc.end.last_seq, ...episodes.map((episode) => episode.last_seq), 0);
  const at = (seq: number) => SIDE + ((seq + 0.5) / (last + 1)) * (width - 2 * SIDE);
  const points = spread(
    [...episodes]
      .sort((a, b) => a.first_seq + a.last_seq - b.first_seq - b.last_seq || (a.id < b.id ? -1 : 1))
      .map((episode) => pointOf(episode, at)),
    width,
  );
  return {
    width,
    height: HEIGHT,
    base: BASE,
    stretches: stretchesOf(arc, last, width),
    points: labelled(points, width),
    outline: outlineOf(points, width),
  };
}

function pointOf(episode: Episode, at: (seq: number) => number): Point {
  return {
    episode,
    x: at((episode.first_seq + episode.last_seq) / 2),
    y: BASE - clamped(episode.significance) * (BASE - TOP),
    radius: 8 + clamped(episode.significance) * 6,
    feeling: feelingOf(episode.valence),
    key: episode.significance >= KEY,
    span: [at(episode.first_seq - 0.5), at(episode.last_seq + 0.5)],
    label: undefined,
  };
}

/** Moves points apart: later ones move to the right, and all stay inside. */
function spread(points: Point[], width: number): Point[] {
  const step = Math.min(APART, (width - 2 * SIDE) / Math.max(1, points.length));
  let least = SIDE;
  for (const point of points) {
    point.x = Math.max(point.x, least);
    least = point.x + step;
  }
  let most = width - SIDE;
  for (const point of [...points].reverse()) {
    point.x = Math.min(point.x, most);
    most = point.x - step;
  }
  return points;
}

/** Labels for the most significant points, if there is room above them. */
function labelled(points: Point[], width: number): Point[] {
  const taken: [number, number, number][] = [];
  const letters = width < 600 ? 18 : 34;
  for (const point of [...points].sort((a, b) => b.episode.significance - a.episode.significance)) {
    const text = shorten(point.episode.title, letters);
    const half = (text.length * LETTER) / 2;
    const x = Math.min(Math.max(point.x, half + 2), width - half - 2);
    const free = taken.every(([from, to, y]) => x + half < from || x - half > to || Math.abs(y - point.y) > 40);
    if (!free || half * 2 > width) continue;
    taken.push([x - half, x + half, point.y]);
    point.label = { text, x };
  }
  return points;
}

function stretchesOf(arc: Arc, last: number, width: number): Stretch[] {
  const scale = (seq: number) => SIDE + (seq / (last + 1)) * (width - 2 * SIDE);
  return (
    [
      ["Beginning", arc.beginning],
      ["Middle", arc.middle],
      ["End", arc.end],
    ] as const
  ).map(([title, third]) => ({
    title,
    x: scale(third.first_seq),
    width: Math.max(0, scale(third.last_seq + 1) - scale(third.first_seq)),
    first: third.first_seq,
    last: third.last_seq,
  }));
}

/** A line over all points, with a hill at each. */
function outlineOf(points: readonly Point[], width: number): string {
  const breadth = Math.max(24, width / 16);
  const steps = 96;
  const heights = Array.from({ length: steps + 1 }, (_, index) => {
    const x = (index / steps) * width;
    const hills = points.map((point) => (BASE - point.y) * Math.exp(-(((x - point.x) / breadth) ** 2)));
    return [x, BASE - Math.max(0, ...hills)] as const;
  });
  return `M0 ${BASE}${heights.map(([x, y]) => `L${round(x)} ${round(y)}`).join("")}L${width} ${BASE}Z`;
}

function clamped(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
