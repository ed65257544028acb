import { useState } from "preact/hooks";
import { type Fact, type FactPage, facts, type Kind, type Relation, recallFacts, type Status } from "../../api/facts";
import { Button, IconButton } from "../../parts/Button";
import { Chips } from "../../parts/Chips";
import { SearchField, SelectField } from "../../parts/Field";
import { Empty, Failure, Loading } from "../../parts/States";
import { LOSSES, useReloadOn } from "../../store/changes";
import { useLast } from "../../store/useLast";
import { useLoaded } from "../../store/useLoaded";
import type { Action } from "./actions";
import { FactCard, type FactFilterChip } from "./FactCard";
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
  by: FactFilterChip[];
}

const EVERYTHING: Filter = { words: "", status: "active", kind: "all", by: [] };

/** Facts by kind, filtered by words, status, kind, subject, category or tag. */
export function Facts({ space, moment, relations, act, remember }: FactsProps) {
  const [filter, setFilter] = useState(EVERYTHING);
  const [count, setCount] = useState(PART);
  const set = (part: Partial<Filter>) => setFilter({ ...filter, ...part });
  const loaded = useLoaded((signal) => find(space, filter, moment, count, signal), [space, filter, moment, count]);
  const shown = useLast(loaded.value, space);
  useReloadOn(["fact", ...LOSSES], loaded.reload);
  const narrow = (by: FactFilterChip) => set({ by: [...filter.by.filter((chip) => chip.name !== by.name), by] });
  return (
    <>
      <Filters filter={filter} set={set} />
      {loaded.problem && !loaded.value && <Failure problem={loaded.problem} retry={loaded.reload} />}
      {!shown && !loaded.problem && <Loading label="Loading facts" lines={8} />}
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
): Promise<FactPage> {
  const words = filter.words.trim();
  const narrowed = Object.fromEntries(filter.by.map(({ name, value }) => [name, value]));
  if (words === "") {
    const kind = filter.kind === "all" ? null : filter.kind;
    return facts(space, { status: filter.status, kind, ...narrowed, ...asQuery(moment) }, count, signal);
  }
  const items = (await recallFacts(space, words, asQuery(moment), signal)).filter((fact) => fits(fact, filter));
  return { items, more: false };
}

/** True if a search result matches the filter. The server searches active facts only. */
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
          <span class="small quiet">in active facts</span>
        ) : (
          <SelectField
            label="Status"
            bare
            value={filter.status}
            change={(status) => set({ status: STATUSES.find((each) => each === status) ?? "any" })}
            options={[...STATUSES.map((status): [string, string] => [status, status]), ["any", "any status"]]}
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
          Filters:
          {filter.by.map((chip) => (
            <span key={chip.name} class="narrowed">
              {chip.name} <b>{chip.value}</b>
              <IconButton
                icon="close"
                label={`Remove the ${chip.name} filter`}
                onClick={() => set({ by: filter.by.filter((other) => other !== chip) })}
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
      <Empty icon="search" title="No matching facts">
        <p>Try other words, another kind or another status.</p>
        <Button onClick={clear}>Clear filters</Button>
      </Empty>
    );
  }
  return (
    <Empty icon="book" title="No facts yet">
      <p>Facts are extracted from what users say, each with a link to its message. You can also add one yourself.</p>
      <Button kind="primary" icon="plus" onClick={remember}>
        Add a fact
      </Button>
    </Empty>
  );
}
