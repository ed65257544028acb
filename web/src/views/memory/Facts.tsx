import { useState } from "preact/hooks";
import { type Fact, facts, type Kind, type Relation, recallFacts, type SomeFacts, type Status } from "../../api/facts";
import { Button, IconButton } from "../../parts/Button";
import { Chips } from "../../parts/Chips";
import { SearchField, SelectField } from "../../parts/Field";
import { Empty, Failure, Loading } from "../../parts/States";
import { LOSSES, useReloadOn } from "../../store/changes";
import { useLast } from "../../store/last";
import { useLoaded } from "../../store/loaded";
import type { Action } from "./actions";
import { FactCard, type Narrowing } from "./FactCard";
import { byKind } from "./groups";
import { KIND_HUES, KIND_TITLES, KINDS, STATUSES } from "./kinds";
import { asQuery, type Moment, NOW } from "./moment";

const PART = 200;

interface FactsProps {
  space: string;
  moment: Moment;
  relations: readonly Relation[];
  act: (action: Action, fact: Fact) => void;
  remember: () => void;
}

interface Filter {
  words: string;
  status: Status | "any";
  kind: Kind | "all";
  by: Narrowing[];
}

const EVERYTHING: Filter = { words: "", status: "active", kind: "all", by: [] };

/** Facts by kind, narrowed by words, status, kind, subject, category or tag. */
export function Facts({ space, moment, relations, act, remember }: FactsProps) {
  const [filter, setFilter] = useState(EVERYTHING);
  const [count, setCount] = useState(PART);
  const set = (part: Partial<Filter>) => setFilter({ ...filter, ...part });
  const found = useLoaded((signal) => find(space, filter, moment, count, signal), [space, filter, moment, count]);
  const shown = useLast(found.value, space);
  useReloadOn(["fact", ...LOSSES], found.reload);
  const narrow = (by: Narrowing) => set({ by: [...filter.by.filter((one) => one.name !== by.name), by] });
  return (
    <>
      <Filters filter={filter} set={set} />
      {found.problem && !found.value && <Failure problem={found.problem} retry={found.reload} />}
      {!shown && !found.problem && <Loading label="Reading the facts" lines={8} />}
      {shown?.items.length === 0 && (
        <Nothing filtered={filter !== EVERYTHING} clear={() => setFilter(EVERYTHING)} remember={remember} />
      )}
      {shown &&
        byKind(shown.items).map(([kind, some]) => (
          <section key={kind} class="fact-kind" style={{ "--hue": KIND_HUES[kind] }} aria-label={KIND_TITLES[kind]}>
            <h2>
              {KIND_TITLES[kind]} <span class="quiet">{some.length}</span>
            </h2>
            <div class="fact-grid">
              {some.map((fact) => (
                <FactCard
                  key={fact.id}
                  fact={fact}
                  relations={relations}
                  act={act}
                  narrow={narrow}
                  then={moment !== NOW && filter.status === "active"}
                />
              ))}
            </div>
          </section>
        ))}
      {shown?.more && (
        <p class="more">
          <Button onClick={() => setCount(count + PART)}>Show more</Button>
        </p>
      )}
    </>
  );
}

async function find(
  space: string,
  filter: Filter,
  moment: Moment,
  count: number,
  signal: AbortSignal,
): Promise<SomeFacts> {
  const words = filter.words.trim();
  const narrowed = Object.fromEntries(filter.by.map(({ name, value }) => [name, value]));
  if (words === "") {
    const kind = filter.kind === "all" ? null : filter.kind;
    return facts(space, { status: filter.status, kind, ...narrowed, ...asQuery(moment) }, count, signal);
  }
  const items = (await recallFacts(space, words, asQuery(moment), signal)).filter((fact) => fits(fact, filter));
  return { items, more: false };
}

/** What is found by words is narrowed here; only what counts as true is ever found. */
function fits(fact: Fact, filter: Filter): boolean {
  if (filter.kind !== "all" && fact.kind !== filter.kind) return false;
  return filter.by.every(({ name, value }) => (name === "tag" ? fact.tags.includes(value) : fact[name] === value));
}

function Filters({ filter, set }: { filter: Filter; set: (part: Partial<Filter>) => void }) {
  const searching = filter.words.trim() !== "";
  return (
    <div class="filters">
      <div class="row">
        <SearchField label="Search facts by words or meaning" value={filter.words} change={(words) => set({ words })} />
        {searching ? (
          <span class="small quiet">among what counts as true</span>
        ) : (
          <SelectField
            label="Status"
            bare
            value={filter.status}
            change={(status) => set({ status: STATUSES.find((one) => one === status) ?? "any" })}
            options={[...STATUSES.map((one): [string, string] => [one, one]), ["any", "any status"]]}
          />
        )}
      </div>
      <Chips
        label="Kind"
        chosen={filter.kind}
        choose={(kind) => set({ kind })}
        options={[
          ["all", "All kinds"],
          ...KINDS.map(
            (kind) =>
              [
                kind,
                <span key={kind} class="kind" style={{ "--hue": KIND_HUES[kind] }}>
                  {KIND_TITLES[kind]}
                </span>,
              ] as const,
          ),
        ]}
      />
      {filter.by.length > 0 && (
        <p class="row small">
          Only
          {filter.by.map((one) => (
            <span key={one.name} class="narrowed">
              {one.name} <b>{one.value}</b>
              <IconButton
                icon="close"
                label={`Any ${one.name}`}
                onClick={() => set({ by: filter.by.filter((other) => other !== one) })}
              />
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

function Nothing({ filtered, clear, remember }: { filtered: boolean; clear: () => void; remember: () => void }) {
  if (filtered) {
    return (
      <Empty icon="search" title="No fact is like this">
        <p>Try other words, another kind or any status.</p>
        <Button onClick={clear}>Clear the filters</Button>
      </Empty>
    );
  }
  return (
    <Empty icon="book" title="Nothing is known yet">
      <p>
        What people say about themselves and their work in a conversation becomes facts, each with the words that say
        it. You can also write one down.
      </p>
      <Button kind="primary" icon="plus" onClick={remember}>
        Remember something
      </Button>
    </Empty>
  );
}
