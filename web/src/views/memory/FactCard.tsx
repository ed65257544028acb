import type { Fact, Relation } from "../../api/facts";
import { Badge } from "../../parts/Badge";
import { IconButton } from "../../parts/Button";
import { Quoted } from "../../parts/Quoted";
import { sentence } from "../../parts/shorten";
import { Time } from "../../parts/Time";
import { linkTo } from "../../store/route";
import { type Action, actionsFor, WORDS } from "./actions";
import { KIND_HUES, STATUS_TONES } from "./kinds";

export interface Narrowing {
  name: "subject" | "category" | "tag";
  value: string;
}

interface FactCardProps {
  fact: Fact;
  relations: readonly Relation[];
  act: (action: Action, fact: Fact) => void;
  narrow: (by: Narrowing) => void;
  /** Seen from another time, at which it counted. */
  then: boolean;
}

/** A fact with the words that say it, and what can be done with it. */
export function FactCard({ fact, relations, act, narrow, then }: FactCardProps) {
  return (
    <article class="fact-card" data-status={then ? undefined : fact.status} style={{ "--hue": KIND_HUES[fact.kind] }}>
      <header>
        <h3 dir="auto">
          <a href={linkTo("memory", "facts", fact.id)}>{sentence(fact.text)}</a>
        </h3>
        {fact.status !== "active" && (
          <Badge tone={STATUS_TONES[fact.status]}>{then ? `${fact.status} since` : fact.status}</Badge>
        )}
      </header>
      {fact.evidence[0] ? (
        <Quoted evidence={fact.evidence[0]} />
      ) : (
        <p class="small quiet">
          {fact.method === "manual" ? "Noted by hand" : "Without words that say it"}, <Time at={fact.created_at} />
        </p>
      )}
      <footer>
        <Narrowings fact={fact} narrow={narrow} />
        <span class="fact-tools">
          {actionsFor(fact, relations).map((action) => (
            <IconButton
              key={action}
              icon={WORDS[action].icon}
              label={`${WORDS[action].label} (${fact.text})`}
              title={WORDS[action].label}
              onClick={() => act(action, fact)}
            />
          ))}
        </span>
      </footer>
    </article>
  );
}

function Narrowings({ fact, narrow }: Pick<FactCardProps, "fact" | "narrow">) {
  const words: Narrowing[] = [
    { name: "subject", value: fact.subject },
    ...(fact.category === null ? [] : [{ name: "category" as const, value: fact.category }]),
    ...fact.tags.map((value) => ({ name: "tag" as const, value })),
  ];
  return (
    <span class="fact-words">
      {words.map((word) => (
        <button
          key={`${word.name} ${word.value}`}
          type="button"
          title={`Only this ${word.name}`}
          onClick={() => narrow(word)}
        >
          {word.name === "tag" ? `#${word.value}` : word.value}
        </button>
      ))}
      {fact.evidence.length > 1 && <span class="quiet">said {fact.evidence.length} times</span>}
      {fact.valid_until !== null && (
        <span class="quiet">
          until <Time at={fact.valid_until} />
        </span>
      )}
    </span>
  );
}
