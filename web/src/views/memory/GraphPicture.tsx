import { useMemo, useRef, useState } from "preact/hooks";
import type { Fact, Relation } from "../../api/facts";
import { linkTo } from "../../store/route";
import { useWidth } from "../../store/width";
import type { Edge } from "./edges";
import { KIND_HUES, spelled } from "./kinds";
import { type Node, pictureOf } from "./layout";

interface GraphPictureProps {
  facts: readonly Fact[];
  relations: readonly Relation[];
  /** The facts that are valid at the selected time. */
  counts: ReadonlySet<string>;
}

/** The graph. One node is in the tab order; arrow keys move, Enter opens the fact. */
export function GraphPicture({ facts, relations, counts }: GraphPictureProps) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const picture = useMemo(() => pictureOf(facts, relations, width), [facts, relations, width]);
  const [lit, setLit] = useState<string>();
  const [stop, setStop] = useState<string>();
  const nodes = useRef(new Map<string, HTMLAnchorElement>());
  const first = picture.nodes.some((node) => node.id === stop) ? stop : picture.nodes[0]?.id;

  const move = (event: KeyboardEvent, node: Node) => {
    const next = neighbour(picture.nodes, node, event.key);
    if (next === undefined) return;
    event.preventDefault();
    setStop(next.id);
    nodes.current.get(next.id)?.focus();
  };

  return (
    <div class="graph" ref={frame} data-lit={lit !== undefined}>
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot contain an SVG
        <svg
          width={picture.width}
          height={picture.height}
          viewBox={`0 0 ${picture.width} ${picture.height}`}
          role="group"
          aria-label="Graph of facts. Use the arrow keys to move and Enter to open a fact."
        >
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="18"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0 0L8 4L0 8z" />
            </marker>
          </defs>
          {picture.edges.map((edge) => (
            <EdgeLine key={`${edge.from} ${edge.relation?.kind} ${edge.to}`} edge={edge} lit={lit} />
          ))}
          {picture.hubs.map((hub) => (
            <g key={hub.subject} class="hub">
              <rect x={hub.x - hub.width / 2} y={hub.y - 15} width={hub.width} height={30} rx={15} />
              <text x={hub.x} y={hub.y + 4.5}>
                {hub.label}
              </text>
            </g>
          ))}
          {picture.nodes.map((node) => (
            <a
              key={node.id}
              href={linkTo("memory", "graph", node.id)}
              ref={(element) => {
                if (element === null) nodes.current.delete(node.id);
                else nodes.current.set(node.id, element);
              }}
              class="node"
              tabIndex={node.id === first ? 0 : -1}
              aria-label={`${node.fact.text} (${node.fact.kind}, ${node.fact.status})`}
              data-counts={counts.has(node.id)}
              data-lit={node.id === lit}
              style={{ "--hue": KIND_HUES[node.fact.kind] }}
              onKeyDown={(event) => move(event, node)}
              onFocus={() => setLit(node.id)}
              onBlur={() => setLit(undefined)}
              onPointerEnter={() => setLit(node.id)}
              onPointerLeave={() => setLit(undefined)}
            >
              <title>{node.fact.text}</title>
              <circle cx={node.x} cy={node.y} r={5 + node.fact.importance * 3} />
              <text
                x={node.x + (node.side === "right" ? 14 : -14)}
                y={node.y + 4.5}
                text-anchor={node.side === "right" ? "start" : "end"}
              >
                {node.label}
              </text>
            </a>
          ))}
          {picture.edges.map(
            (edge) =>
              edge.relation && (
                <text
                  key={`${edge.from} ${edge.relation.kind} ${edge.to}`}
                  class="relation-word"
                  data-lit={edge.from === lit || edge.to === lit}
                  x={edge.middle[0]}
                  y={edge.middle[1] + 3.5}
                  text-anchor={edge.anchor}
                >
                  {spelled(edge.relation.kind)}
                </text>
              ),
          )}
        </svg>
      )}
    </div>
  );
}

function EdgeLine({ edge, lit }: { edge: Edge; lit: string | undefined }) {
  const touched = edge.from === lit || edge.to === lit;
  if (edge.relation === undefined) return <path class="spoke" d={edge.path} data-lit={touched} />;
  return (
    <path
      class="relation"
      d={edge.path}
      data-kind={edge.relation.kind}
      data-lit={touched}
      marker-end="url(#arrow)"
      stroke-width={1 + edge.relation.strength}
    />
  );
}

/** Up and down move in the column, left and right move to the nearest node of the other column. */
function neighbour(nodes: readonly Node[], from: Node, key: string): Node | undefined {
  const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
  if (step !== 0) {
    const column = nodes.filter((node) => node.side === from.side).sort((a, b) => a.y - b.y);
    return column[column.indexOf(from) + step];
  }
  const side = key === "ArrowRight" ? "right" : key === "ArrowLeft" ? "left" : from.side;
  if (side === from.side) return undefined;
  const others = nodes.filter((node) => node.side === side);
  return others.sort((a, b) => Math.abs(a.y - from.y) - Math.abs(b.y - from.y))[0];
}
