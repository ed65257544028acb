import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Score } from "../../api/receipts";
import "./Scores.css";
import type { Part } from "./weights";

const PARTS: readonly (readonly [Part, string])[] = [
  ["dense", "meaning"],
  ["lexical", "words"],
  ["identifier", "identifiers"],
  ["recency", "recency"],
  ["importance", "importance"],
  ["access", "access"],
  ["speaker", "speaker"],
  ["time", "time"],
  ["statement", "statement"],
];

/** The score parts that count; null while unknown, which means all. */
export const Counting = createContext<ReadonlySet<string> | null>(null);

/** The parts of a score, each with a small bar. */
export function Scores({ score }: { score: Score }) {
  const counting = useContext(Counting);
  const parts = PARTS.filter(([name]) => score[name] > 0.005 && (counting === null || counting.has(name)));
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
