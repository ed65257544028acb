import { useState } from "preact/hooks";
import { type Fact, type Relation, unrelate } from "../../api/facts";
import { Button, IconButton } from "../../parts/Button";
import { Chips } from "../../parts/Chips";
import { counted } from "../../parts/numbers";
import { Empty } from "../../parts/States";
import { type Column, Table } from "../../parts/Table";
import { Time } from "../../parts/Time";
import { linkTo } from "../../store/route";
import { attempt } from "../../store/toasts";
import { GraphPicture } from "./GraphPicture";
import { KIND_HUES, KIND_TITLES, KINDS, spelled } from "./kinds";
import { LinkForm } from "./LinkForm";
import "./Graph.css";

const FEW = 60;

interface GraphProps {
  space: string;
  /** The facts that are valid at the selected time. */
  facts: readonly Fact[];
  /** All facts, by id. */
  known: ReadonlyMap<string, Fact>;
  relations: readonly Relation[];
  changed: () => void;
}

/** Facts by subject and the links between them, as a graph or as a list. */
export function Graph({ space, facts, known, relations, changed }: GraphProps) {
  const [shape, setShape] = useState<"picture" | "list">("picture");
  const [all, setAll] = useState(false);
  const [linking, setLinking] = useState(false);
  const drawn = withRelated(facts, known, relations);
  const counts = new Set(facts.map((fact) => fact.id));
  const shown = all ? drawn : drawn.slice(0, FEW);
  if (drawn.length === 0) {
    return (
      <Empty icon="graph" title="No facts yet">
        <p>Facts appear here grouped by subject, with the links between them.</p>
      </Empty>
    );
  }
  return (
    <>
      <div class="row graph-head">
        <Chips
          label="Display as"
          chosen={shape}
          choose={setShape}
          options={[
            ["picture", "Graph"],
            ["list", `List (${counted(relations.length, "link")})`],
          ]}
        />
        <Button icon="plus" onClick={() => setLinking(true)}>
          Link two facts
        </Button>
      </div>
      {shape === "picture" ? (
        <>
          <Legend facts={shown} />
          <GraphPicture facts={shown} relations={relations} counts={counts} />
          {drawn.length > shown.length && (
            <p class="more">
              <Button onClick={() => setAll(true)}>Show all {drawn.length} facts</Button>
            </p>
          )}
        </>
      ) : (
        <Links space={space} known={known} relations={relations} changed={changed} />
      )}
      {linking && <LinkForm space={space} facts={drawn} close={() => setLinking(false)} done={changed} />}
    </>
  );
}

/** The valid facts, most important first, and the facts linked to them. */
function withRelated(facts: readonly Fact[], known: ReadonlyMap<string, Fact>, relations: readonly Relation[]): Fact[] {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  for (const { source, target } of relations) {
    for (const [here, there] of [[source, target] as const, [target, source] as const]) {
      const other = known.get(there);
      if (byId.has(here) && other !== undefined && other.status !== "rejected") byId.set(there, other);
    }
  }
  return [...byId.values()].sort((a, b) => b.importance - a.importance);
}

function Legend({ facts }: { facts: readonly Fact[] }) {
  const present = KINDS.filter((kind) => facts.some((fact) => fact.kind === kind));
  return (
    <ul class="graph-legend small" aria-label="Legend">
      {present.map((kind) => (
        <li key={kind} class="kind" style={{ "--hue": KIND_HUES[kind] }}>
          {KIND_TITLES[kind]}
        </li>
      ))}
      <li class="quiet">hollow: not active</li>
    </ul>
  );
}

function Links({ space, known, relations, changed }: Omit<GraphProps, "facts">) {
  const text = (id: string) => (
    <a href={linkTo("memory", "facts", id)}>
      <bdi>{known.get(id)?.text ?? id}</bdi>
    </a>
  );
  const remove = (relation: Relation) =>
    attempt(async () => {
      await unrelate(space, relation);
      changed();
    });
  const columns: Column<Relation>[] = [
    { title: "From", show: (relation) => text(relation.source) },
    { title: "Link", show: (relation) => spelled(relation.kind) },
    { title: "To", show: (relation) => text(relation.target) },
    { title: "Strength", show: (relation) => relation.strength.toLocaleString(), number: true },
    { title: "Created", show: (relation) => <Time at={relation.created_at} /> },
    {
      title: "",
      show: (relation) =>
        relation.kind !== "supersedes" && (
          <IconButton icon="trash" label="Remove link" onClick={() => remove(relation)} />
        ),
    },
  ];
  if (relations.length === 0) {
    return (
      <Empty icon="graph" title="No links yet">
        <p>A fact that replaces another is linked to it automatically. You can also link two facts yourself.</p>
      </Empty>
    );
  }
  return (
    <Table
      caption="Links between facts"
      columns={columns}
      rows={relations}
      keyOf={(relation) => `${relation.source} ${relation.kind} ${relation.target}`}
    />
  );
}
