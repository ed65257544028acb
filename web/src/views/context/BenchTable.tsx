import { useState } from "preact/hooks";
import { context } from "../../api/contexts";
import { dollars, type Price } from "../../api/prices";
import type { ReceiptItem } from "../../api/receipts";
import { Badge } from "../../parts/Badge";
import { Button } from "../../parts/Button";
import { Icon } from "../../parts/Icon";
import { counted } from "../../parts/numbers";
import { shorten } from "../../parts/shorten";
import { Time } from "../../parts/Time";
import { go, space } from "../../store/route";
import { attempt } from "../../store/toasts";
import { type BenchRow, onlyIn, type Trial } from "./bench";
import { Place } from "./Item";
import type { ItemTexts } from "./itemText";
import { rankOf } from "./order";
import { colourOf, titleOf } from "./sections";

const FIRST = 30; // items shown at first
const LONG = 160; // characters of an item
const QUESTIONS = 1000;

interface BenchTableProps {
  trials: readonly Trial[];
  rows: readonly BenchRow[];
  shown: readonly BenchRow[];
  known: ItemTexts;
  conversation: string;
  question: string;
  budget: number;
  price: Price;
}

/** A column for each recipe: what its context costs, and which items it has. */
export function BenchTable({ trials, rows, shown, known, price, ...asked }: BenchTableProps) {
  const [whole, setWhole] = useState(false);
  return (
    <div class="bench-table">
      <table>
        <caption class="unseen">The contexts of all recipes</caption>
        <thead>
          <tr>
            <th scope="col" class="what">
              Item
            </th>
            {trials.map((trial, index) => (
              <th key={trial.recipe} scope="col" aria-label={trial.recipe}>
                <Head trial={trial} only={onlyIn(rows, index)} price={price} {...asked} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, whole ? undefined : FIRST).map((row) => (
            <Row key={row.key} row={row} trials={trials} known={known} marked={shown.length === rows.length} />
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p class="quiet">All recipes give the same items.</p>}
      {!whole && shown.length > FIRST && (
        <Button kind="ghost" onClick={() => setWhole(true)}>
          Show all {counted(shown.length, "item")}
        </Button>
      )}
    </div>
  );
}

interface HeadProps {
  trial: Trial;
  only: number;
  price: Price;
  conversation: string;
  question: string;
  budget: number;
}

/** What the context of a recipe is made of, and what it costs. */
function Head({ trial, only, price, conversation, question, budget }: HeadProps) {
  const { recipe } = trial;
  const receipt = trial.context?.receipt;
  const open = () =>
    attempt(async () => {
      const body = { query: question || null, recipe, max_tokens: budget, overflow: "truncate" as const };
      const built = await context(space.value, conversation, body);
      go("context", conversation, built.receipt);
    });
  if (receipt === undefined) {
    return (
      <div class="trial" data-recipe={recipe}>
        <b>{recipe}</b>
        <span class="problem">{trial.problem}</span>
      </div>
    );
  }
  const items = receipt.items.filter((item) => item.included);
  const recalled = items.filter((item) => item.section === "recalled").length;
  return (
    <div class="trial" data-recipe={recipe}>
      <b>{recipe}</b>
      <Bar sections={receipt.sections} whole={Math.max(budget, receipt.tokens)} />
      <span>
        <b class="tokens">{receipt.tokens.toLocaleString()}</b> tokens
      </span>
      <span>
        {counted(items.length, "item")}, {recalled} recalled
      </span>
      <span>{only.toLocaleString()} only here</span>
      <span>
        <b class="money">{dollars((receipt.tokens * price.input * QUESTIONS) / 1_000_000)}</b> per{" "}
        {QUESTIONS.toLocaleString()} questions
      </span>
      <span class="quiet">{Math.round(trial.context?.milliseconds ?? 0)} ms</span>
      <Button kind="ghost" onClick={open} aria-label={`Open receipt of ${recipe}`}>
        Open receipt
      </Button>
    </div>
  );
}

function Bar({ sections, whole }: { sections: Readonly<Record<string, number>>; whole: number }) {
  return (
    <span class="bench-bar" aria-hidden="true">
      {Object.entries(sections).map(([name, tokens]) => (
        <span
          key={name}
          title={`${titleOf(name)}: ${tokens.toLocaleString()}`}
          style={{ width: `${(tokens / Math.max(1, whole)) * 100}%`, background: colourOf(name) }}
        />
      ))}
    </span>
  );
}

interface RowProps {
  row: BenchRow;
  trials: readonly Trial[];
  known: ItemTexts;
  /** Says which rows differ, where others stand between them. */
  marked: boolean;
}

function Row({ row, trials, known, marked }: RowProps) {
  const words = known.get(row.key);
  const { item } = row;
  return (
    <tr data-differs={row.differs} style={{ "--colour": colourOf(item.section) }}>
      <th scope="row" class="what">
        <span class="row small">
          {item.kind !== "message" && <Badge>{item.kind === "query" ? "question" : item.kind}</Badge>}
          {words?.speaker !== undefined && item.kind !== "query" && <b dir="auto">{words.speaker}</b>}
          {words !== undefined && <Place words={words} />}
          {words?.at !== undefined && (
            <span class="quiet">
              <Time at={words.at} />
            </span>
          )}
          {marked && row.differs && <Badge tone="accent">differs</Badge>}
        </span>
        <span class="words" dir="auto" title={words?.text}>
          {words === undefined ? item.id : shorten(words.text, LONG)}
        </span>
      </th>
      {trials.map((trial, index) => (
        <td key={trial.recipe} data-recipe={trial.recipe} data-in={row.lines[index]?.included ?? false}>
          <Cell line={row.lines[index]} />
        </td>
      ))}
    </tr>
  );
}

/** Whether a recipe has an item, and where. */
function Cell({ line }: { line: ReceiptItem | undefined }) {
  if (line === undefined)
    return (
      <span class="quiet">
        <span aria-hidden="true">–</span>
        <span class="unseen">not found</span>
      </span>
    );
  if (!line.included)
    return (
      <span class="quiet" title={line.reason}>
        <span class="unseen">left out: </span>
        {line.reason}
      </span>
    );
  const rank = rankOf(line);
  return (
    <span class="yes">
      <Icon name="check" size={15} /> <span class="unseen">included, </span>
      {rank === undefined ? titleOf(line.section) : `rank ${rank}`}
    </span>
  );
}
