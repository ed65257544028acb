// The curves of the graph: from each subject to its facts, and from fact to fact.
import type { Relation } from "../../api/facts";
import type { Hub, Node } from "./layout";

const SPINE = 26; // pixels from the left to the vertical line of a branch

export interface Edge {
  path: string;
  from: string;
  to: string;
  /** Undefined for the line from a subject to its fact. */
  relation: Relation | undefined;
  /** The position of the label. */
  middle: [x: number, y: number];
  anchor: "start" | "middle" | "end";
}

export function edgesOf(
  hubs: readonly Hub[],
  nodes: readonly Node[],
  relations: readonly Relation[],
  wide: boolean,
): Edge[] {
  const hubBy = new Map(hubs.map((hub) => [hub.subject, hub]));
  const nodeBy = new Map(nodes.map((node) => [node.id, node]));
  const spokes = nodes.flatMap((node) => {
    const hub = hubBy.get(node.fact.subject);
    return hub === undefined ? [] : [wide ? spoke(hub, node) : branch(hub, node)];
  });
  const links = relations.flatMap((relation) => {
    const from = nodeBy.get(relation.source);
    const to = nodeBy.get(relation.target);
    return from === undefined || to === undefined ? [] : [link(from, to, relation)];
  });
  return [...spokes, ...links];
}

function spoke(hub: Hub, node: Node): Edge {
  const start = hub.x + (node.side === "right" ? hub.width / 2 : -hub.width / 2);
  const half = (start + node.x) / 2;
  const path = `M${round(start)} ${round(hub.y)}C${round(half)} ${round(hub.y)} ${round(half)} ${round(node.y)} ${round(node.x)} ${round(node.y)}`;
  return {
    path,
    from: hub.subject,
    to: node.id,
    relation: undefined,
    middle: [half, (hub.y + node.y) / 2],
    anchor: "middle",
  };
}

/** A line from the hub down and around a corner. */
function branch(hub: Hub, node: Node): Edge {
  const down = `M${SPINE} ${round(hub.y + 15)}V${round(node.y - 12)}`;
  const path = `${down}Q${SPINE} ${round(node.y)} ${SPINE + 12} ${round(node.y)}H${round(node.x)}`;
  return { path, from: hub.subject, to: node.id, relation: undefined, middle: [SPINE, node.y], anchor: "middle" };
}

/** Joins two facts: in one column by an arc on the side of the hub, wider with their distance; otherwise by an S curve. */
function link(from: Node, to: Node, relation: Relation): Edge {
  const same = from.side === to.side && Math.abs(from.x - to.x) < 200;
  const toHub = from.side === "right" ? -1 : 1;
  const bow = Math.min(54, 16 + Math.abs(from.y - to.y) * 0.22);
  const near = same ? Math.min(from.x * toHub, to.x * toHub) * toHub + toHub * bow : (from.x + to.x) / 2;
  const path = `M${round(from.x)} ${round(from.y)}C${round(near)} ${round(from.y)} ${round(near)} ${round(to.y)} ${round(to.x)} ${round(to.y)}`;
  const bowed = (near * 3 + from.x) / 4 + toHub * 5;
  return {
    path,
    from: from.id,
    to: to.id,
    relation,
    middle: [same ? bowed : near, (from.y + to.y) / 2],
    anchor: same ? (from.side === "right" ? "end" : "start") : "middle",
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
