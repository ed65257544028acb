import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Fact, type Relation, fact as readFact } from "../../api/facts";
import { Badge } from "../../parts/Badge";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { modelName } from "../../parts/modelName";
import { Quote } from "../../parts/Quote";
import { Failure, Loading } from "../../parts/States";
import { sentence } from "../../parts/shorten";
import { Time } from "../../parts/Time";
import { LOSSES, useReloadOn } from "../../store/changes";
import { askToForget } from "../../store/forgetting";
import { linkTo } from "../../store/route";
import { useLoaded } from "../../store/useLoaded";
import { type Action, actionsFor, WORDS } from "./actions";
import { INVERSE, KIND_HUES, STATUS_TONES, spelled } from "./kinds";

interface FactDetailsProps {
  space: string;
  id: string;
  relations: readonly Relation[];
  textOf: (id: string) => string;
  act: (action: Action, fact: Fact) => void;
  close: () => void;
}

/** The details of one fact: its quotes, its dates, and its related facts. */
export function FactDetails({ space, id, relations, textOf, act, close }: FactDetailsProps) {
  const loaded = useLoaded(() => readFact(space, id), [space, id]);
  useReloadOn(["fact", ...LOSSES], loaded.reload);
  const fact = loaded.value;
  const shown = useRef(false);
  shown.current ||= fact !== undefined;
  const forgotten = shown.current && loaded.problem?.status === 404;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `close` only changes the address
  useEffect(() => {
    if (forgotten) close();
  }, [forgotten]);
  const mine = relations.filter((relation) => relation.source === id || relation.target === id);
  return (
    <Dialog title={fact ? sentence(fact.text) : "Fact"} close={close} wide>
      {loaded.problem && fact === undefined && <Failure problem={loaded.problem} retry={loaded.reload} />}
      {fact === undefined && !loaded.problem && <Loading />}
      {fact && (
        <div class="stack fact-details">
          <p class="row">
            <Badge tone={STATUS_TONES[fact.status]}>{fact.status}</Badge>
            <span class="kind" style={{ "--hue": KIND_HUES[fact.kind] }}>
              {fact.kind}
            </span>
            {fact.category !== null && <Badge>{fact.category}</Badge>}
            {fact.tags.map((tag) => (
              <Badge key={tag}>#{tag}</Badge>
            ))}
          </p>
          <Sources fact={fact} />
          <Properties fact={fact} />
          {mine.length > 0 && <Related id={id} relations={mine} textOf={textOf} />}
          <div class="row form-end">
            <Button kind="ghost" icon="trash" onClick={() => askToForget({ kind: "fact", id, conversation: "" })}>
              Forget…
            </Button>
            {actionsFor(fact, relations).map((action) => (
              <Button key={action} icon={WORDS[action].icon} onClick={() => act(action, fact)}>
                {WORDS[action].label}
              </Button>
            ))}
          </div>
        </div>
      )}
    </Dialog>
  );
}

function Sources({ fact }: { fact: Fact }) {
  if (fact.evidence.length === 0) return <p class="quiet">Added manually. No source message.</p>;
  return (
    <div class="stack tight">
      {fact.evidence.map((evidence) => (
        <Quote key={`${evidence.message_id} ${evidence.quote}`} evidence={evidence} />
      ))}
    </div>
  );
}

const SOURCES = { pattern: "rules", model: "a model", manual: "added manually", edited: "edited by a person" };

function Properties({ fact }: { fact: Fact }) {
  const about = fact.attribute === null ? fact.subject : `${fact.subject} · ${fact.attribute}`;
  const rows: [string, ComponentChildren][] = [
    ["About", fact.value === null ? about : `${about} = ${fact.value}`],
    ["Valid", <Span key="true" from={fact.valid_from} until={fact.valid_until} />],
    ["Known", <Span key="known" from={fact.known_from} until={fact.known_until} />],
    ["Certainty", fact.method === "manual" ? `${percent(fact.confidence)}, by a person` : percent(fact.confidence)],
    ["Importance", percent(fact.importance)],
    ["Source", sourceOf(fact)],
    ["Times used", fact.accesses.toLocaleString()],
    ...(fact.reason === null ? [] : [["Reason", fact.reason] satisfies [string, ComponentChildren]]),
  ];
  return (
    <dl class="properties">
      {rows.map(([name, shown]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{shown}</dd>
        </div>
      ))}
    </dl>
  );
}

function sourceOf({ model, evidence, method }: Fact): ComponentChildren {
  if (model !== null) return <span title={model}>{modelName(model)}</span>;
  return SOURCES[evidence.length > 0 && method === "manual" ? "edited" : method];
}

function Span({ from, until }: { from: string | null; until: string | null }) {
  if (from === null && until === null) return <>always</>;
  return (
    <>
      {from !== null && (
        <>
          from <Time at={from} />{" "}
        </>
      )}
      {until === null ? (
        "until now"
      ) : (
        <>
          until <Time at={until} />
        </>
      )}
    </>
  );
}

function Related({ id, relations, textOf }: { id: string; relations: Relation[]; textOf: (id: string) => string }) {
  return (
    <section>
      <h3>Related facts</h3>
      <ul class="related">
        {relations.map(({ source, kind, target }) => {
          const other = source === id ? target : source;
          return (
            <li key={`${source} ${kind} ${target}`}>
              <span class="quiet">{source === id ? spelled(kind) : INVERSE[kind]}</span>{" "}
              <a href={linkTo("memory", "facts", other)}>
                <bdi>{textOf(other)}</bdi>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
