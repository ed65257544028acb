import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Score } from "../../api/receipts";
import "./Scores.css";
import type { Part } from "./weights";

export const PARTS: readonly (readonly [Part, string])[] = [
  ["relevance", "relevance"],
  ["dense", "meaning"],
  ["lexical", "words"],
  ["identifier", "identifiers"],
  ["recency", "recency"],
  ["importance", "importance"],
  ["access", "access"],
  ["speaker", "speaker"],
  ["time", "time"],
  ["statement", "statement"],
  ["feedback", "feedback"],
];

/** The score parts that count; null while unknown, which means all. */
export const Counting = createContext<ReadonlySet<string> | null>(null);

const ALWAYS = new Set<Part>(["relevance", "feedback"]); // they have no weight

/** The parts that one of the scores has, and that count. */
export function useParts(...scores: Score[]): (readonly [Part, string])[] {
  const counting = useContext(Counting);
  const counts = (name: Part) => counting === null || counting.has(name) || ALWAYS.has(name);
  return PARTS.filter(([name]) => counts(name) && scores.some((score) => score[name] > 0.005));
}

/** The parts of a score, each with a small bar. */
export function Scores({ score }: { score: Score }) {
  const parts = useParts(score);
  return (
    <dl class="scores">
      <div class="total">
        <dt>score</dt>
        <dd>{score.total.toFixed(2)}</dd>
      </div>
      {parts.map(([name, label]) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>
            <span class="part" aria-hidden="true">
              <span style={{ width: `${Math.min(1, score[name]) * 100}%` }} />
            </span>
            {score[name].toFixed(2)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
