// The layout of the graph. The same facts always give the same layout: each subject is a hub with its facts on both
// sides, or below it if there is less room. Links are curves.
import type { Fact, Relation } from "../../api/facts";
import { shorten } from "../../parts/shorten";
import { type Edge, edgesOf } from "./edges";
import { KINDS } from "./kinds";

export interface Node {
  id: string;
  fact: Fact;
  x: number;
  y: number;
  label: string;
  side: "left" | "right";
}

export interface Hub {
  subject: string;
  label: string;
  x: number;
  y: number;
  width: number;
}

export interface Picture {
  width: number;
  height: number;
  hubs: Hub[];
  nodes: Node[];
  edges: Edge[];
}

const ROW = 34;
const GAP = 30; // pixels between two hubs
const LETTER = 7.1; // average width of a character in pixels
const ROOMY = 820; // minimum width in pixels for facts on both sides of a hub
const EDGE = 10;
const INDENT = 112; // pixels of indentation below a hub, with room for the label of a link
const HUB = 18; // maximum characters of a hub's name

export function pictureOf(facts: readonly Fact[], relations: readonly Relation[], width: number): Picture {
  const hubs: Hub[] = [];
  const nodes: Node[] = [];
  let top = GAP / 2;
  for (const [subject, own] of bySubject(facts)) {
    const clusters = together(own, relations);
    const part =
      width >= ROOMY ? beside(subject, halves(clusters), top, width) : below(subject, clusters.flat(), top, width);
    hubs.push(part.hub);
    nodes.push(...part.nodes);
    top += part.height + GAP;
  }
  return { width, height: top - GAP / 2, hubs, nodes, edges: edgesOf(hubs, nodes, relations, width >= ROOMY) };
}

interface Part {
  hub: Hub;
  nodes: Node[];
  height: number;
}

/** A hub in the middle, with its facts on both sides. */
function beside(subject: string, [right, left]: [Fact[], Fact[]], top: number, width: number): Part {
  const height = Math.max(left.length, right.length) * ROW;
  const hub = hubOf(subject, width / 2, top + height / 2);
  const reach = Math.min(230, width * 0.17);
  const first = (facts: readonly Fact[]) => hub.y - ((facts.length - 1) / 2) * ROW;
  const nodes = [
    ...column(right, "right", hub.x + reach, first(right), width),
    ...column(left, "left", hub.x - reach, first(left), width),
  ];
  return { hub, nodes, height };
}

/** A hub with its facts below it. */
function below(subject: string, facts: Fact[], top: number, width: number): Part {
  const hub = hubOf(subject, 0, top + ROW / 2);
  hub.x = EDGE + hub.width / 2;
  const nodes = column(facts, "right", INDENT, top + ROW * 1.6, width);
  return { hub, nodes, height: (facts.length + 1.1) * ROW };
}

function bySubject(facts: readonly Fact[]): [string, Fact[]][] {
  const groups = new Map<string, Fact[]>();
  for (const fact of facts) groups.set(fact.subject, [...(groups.get(fact.subject) ?? []), fact]);
  return [...groups]
    .sort(
      ([a, first], [b, other]) =>
        Number(b === "user") - Number(a === "user") || other.length - first.length || order(a, b),
    )
    .map(([subject, own]) => [subject, own.sort(inOrder)]);
}

/** Sorts facts by kind and attribute, oldest first. */
function inOrder(a: Fact, b: Fact): number {
  return (
    KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || order(a.attribute ?? "~", b.attribute ?? "~") || order(a.id, b.id)
  );
}

/** Groups linked facts. */
function together(facts: readonly Fact[], relations: readonly Relation[]): Fact[][] {
  const clusters: Fact[][] = [];
  for (const fact of facts) {
    const linked = new Set(
      relations.flatMap((relation) =>
        relation.source === fact.id ? [relation.target] : relation.target === fact.id ? [relation.source] : [],
      ),
    );
    const near = clusters.filter((cluster) => cluster.some((other) => linked.has(other.id)));
    const [first, ...rest] = near;
    if (first === undefined) clusters.push([fact]);
    else {
      first.push(...rest.flat(), fact);
      for (const cluster of rest) clusters.splice(clusters.indexOf(cluster), 1);
    }
  }
  return clusters;
}

/** Splits clusters into two columns of about the same length. A cluster stays in one column. */
function halves(clusters: readonly Fact[][]): [Fact[], Fact[]] {
  const right: Fact[] = [];
  const left: Fact[] = [];
  const half = clusters.flat().length / 2;
  for (const cluster of clusters) (right.length + cluster.length / 2 <= half ? right : left).push(...cluster);
  return right.length === 0 ? [left, right] : [right, left];
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function hubOf(subject: string, x: number, y: number): Hub {
  const label = shorten(subject === "user" ? "you" : subject, HUB);
  return { subject, label, x, y, width: Math.max(56, label.length * LETTER + 30) };
}

function column(facts: Fact[], side: Node["side"], x: number, first: number, width: number): Node[] {
  const room = Math.max(60, (side === "right" ? width - x : x) - 22);
  const letters = Math.max(8, Math.floor(room / LETTER));
  return facts.map((fact, index) => ({
    id: fact.id,
    fact,
    x,
    y: first + index * ROW,
    label: shorten(factLabel(fact), letters),
    side,
  }));
}

/** The text of a fact without its subject, which the hub shows. */
function factLabel(fact: Fact): string {
  return fact.text.replace(/^(the )?(user('s)?|project) /i, "");
}
