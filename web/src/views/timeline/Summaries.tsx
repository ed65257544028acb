import type { Summary } from "../../api/summaries";
import { Badge, type Tone } from "../../parts/Badge";
import { modelName } from "../../parts/modelName";
import { Empty } from "../../parts/States";
import { numberOf } from "../../parts/speakers";
import { Time } from "../../parts/Time";
import { linkTo } from "../../store/route";
import { duration } from "./coverage";
import { SummaryText, Topics } from "./SummaryText";

const TONES: Record<Summary["status"], Tone> = { completed: "good", processing: "accent", failed: "bad" };
const METHODS: Record<NonNullable<Summary["method"]>, string> = {
  model: "written by a model",
  extractive: "extracted from the conversation",
  offline: "extracted: the model was unreachable",
};

interface SummariesProps {
  conversation: string;
  summaries: readonly Summary[];
}

export function Summaries({ conversation, summaries }: SummariesProps) {
  if (summaries.length === 0) {
    return (
      <Empty icon="spark" title="No summaries yet">
        <p>Summaries are created in the background as a conversation grows. “Summarise now” creates one immediately.</p>
      </Empty>
    );
  }
  return (
    <ol class="summaries">
      {[...summaries].reverse().map((summary) => (
        <li key={summary.id}>
          <SummaryCard conversation={conversation} summary={summary} />
        </li>
      ))}
    </ol>
  );
}

interface SummaryCardProps {
  conversation: string;
  summary: Summary;
  /** True inside the list of versions, which needs no link to itself. */
  chained?: boolean;
}

export function SummaryCard({ conversation, summary, chained = false }: SummaryCardProps) {
  return (
    <article class="card summary" data-replaced={summary.replaced_by !== null}>
      <header class="row">
        <h3>
          <a href={linkTo("chat", conversation, String(summary.first_seq))}>
            Messages {numberOf(summary.first_seq)} to {numberOf(summary.last_seq)}
          </a>
        </h3>
        <Badge tone={TONES[summary.status]}>{summary.status}</Badge>
        <Badge>{summary.kind}</Badge>
        {summary.replaced_by !== null && <Badge>superseded</Badge>}
        {!chained && summary.base_id !== null && (
          <a class="small versions" href={linkTo("timeline", conversation, "summary", summary.id)}>
            Versions
          </a>
        )}
      </header>
      <Topics topics={summary.topics} />
      {summary.status === "completed" && <SummaryText text={summary.text} />}
      {summary.error !== null && <p class="small problem">{summary.error}</p>}
      <p class="small quiet">
        {summary.method !== null &&
          `${METHODS[summary.method]}${summary.model === null ? "" : ` (${modelName(summary.model)})`}, `}
        {duration(summary.milliseconds)}, {summary.tokens} tokens, <Time at={summary.created_at} />
      </p>
    </article>
  );
}
