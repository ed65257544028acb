import type { Fact, Relation } from "../../api/facts";
import { Badge } from "../../parts/Badge";
import { IconButton } from "../../parts/Button";
import { Quote } from "../../parts/Quote";
import { sentence } from "../../parts/shorten";
import { Time } from "../../parts/Time";
import { askToForget, forgetMark } from "../../store/forgetting";
import { linkTo } from "../../store/route";
import { type Action, actionsFor, WORDS } from "./actions";
import { KIND_HUES, STATUS_TONES } from "./kinds";

export interface FactFilterChip {
  name: "subject" | "category" | "tag";
  value: string;
}

interface FactCardProps {
  fact: Fact;
  relations: readonly Relation[];
  act: (action: Action, fact: Fact) => void;
  narrow: (by: FactFilterChip) => void;
  /** True if another time is selected, at which the fact was valid. */
  then: boolean;
}

/** A fact with its quote and its actions. */
export function FactCard({ fact, relations, act, narrow, then }: FactCardProps) {
  const target = { kind: "fact", id: fact.id, conversation: "" } as const;
  return (
    <article
      class="fact-card"
      data-status={then ? undefined : fact.status}
      data-forget={forgetMark(target)}
      style={{ "--hue": KIND_HUES[fact.kind] }}
    >
      <header>
        <h3 dir="auto">
          <a href={linkTo("memory", "facts", fact.id)}>{sentence(fact.text)}</a>
        </h3>
        {fact.status !== "active" && (
          <Badge tone={STATUS_TONES[fact.status]}>{then ? `later ${fact.status}` : fact.status}</Badge>
        )}
      </header>
      {fact.evidence[0] ? (
        <Quote evidence={fact.evidence[0]} />
      ) : (
        <p class="small quiet">
          {fact.method === "manual" ? "Added manually" : "No source message"}, <Time at={fact.created_at} />
        </p>
      )}
      {fact.reason !== null && <p class="small">Reason: {fact.reason}</p>}
      <footer>
        <FilterChips fact={fact} narrow={narrow} />
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
          <IconButton
            icon="trash"
            label={`Forget… (${fact.text})`}
            title="Forget…"
            onClick={() => askToForget(target)}
          />
        </span>
      </footer>
    </article>
  );
}

function FilterChips({ fact, narrow }: Pick<FactCardProps, "fact" | "narrow">) {
  const words: FactFilterChip[] = [
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
          title={`Filter by this ${word.name}`}
          onClick={() => narrow(word)}
        >
          {word.name === "tag" ? `#${word.value}` : word.value}
        </button>
      ))}
      {fact.evidence.length > 1 && <span class="quiet">mentioned {fact.evidence.length} times</span>}
      {fact.valid_until !== null && (
        <span class="quiet">
          until <Time at={fact.valid_until} />
        </span>
      )}
    </span>
  );
}
