import { useEffect, useId, useMemo, useState } from "preact/hooks";
import { tryContext } from "../../api/contexts";
import type { ConversationInfo } from "../../api/conversations";
import { locate } from "../../api/messages";
import { type Price, prices, setPrice } from "../../api/prices";
import { Problem } from "../../api/problem";
import { SelectField, Switch, TextField } from "../../parts/Field";
import { Failure, Loading } from "../../parts/States";
import { shorten } from "../../parts/shorten";
import { linkTo } from "../../store/route";
import { useLast } from "../../store/useLast";
import { useLoaded } from "../../store/useLoaded";
import { useSettled } from "../../store/useSettled";
import { titleOf } from "../chat/titles";
import { BUDGETS, benchRows, type Trial } from "./bench";
import "./Bench.css";
import { BenchTable } from "./BenchTable";
import { joined, messageText, textsOf, titled } from "./itemText";
import { RECIPES } from "./recipes";

const PAUSE = 150; // milliseconds without a change before the contexts are built
const FIRST_BUDGET = 4000;

interface BenchProps {
  space: string;
  conversation: string;
  conversations: readonly ConversationInfo[];
  /** The question of the address. */
  asked: string;
}

/** One question, built by every recipe. The slider changes the budget; nothing is stored. */
export function Bench({ space, conversation, conversations, asked }: BenchProps) {
  const [question, setQuestion] = useState(asked);
  const [place, setPlace] = useState(BUDGETS.indexOf(FIRST_BUDGET));
  const [all, setAll] = useState(false);
  const [price, choose] = usePrice();
  const budget = BUDGETS[place] ?? FIRST_BUDGET;
  const query = useSettled(question.trim(), PAUSE);
  const settled = useSettled(budget, PAUSE);
  const loaded = useLoaded((signal) => tryAll(space, conversation, query, settled, signal), [space, query, settled]);
  const tried = useLast(loaded.value, space);
  const titles = useMemo(() => new Map(conversations.map((info) => [info.id, titleOf(info)])), [conversations]);
  useEffect(() => {
    const address = linkTo("context", conversation, "bench", ...(query === "" ? [] : [query]));
    history.replaceState(null, "", address);
  }, [conversation, query]);
  const trials = tried?.trials;
  const rows = useMemo(() => benchRows(trials ?? []), [trials]);
  const known = useMemo(() => titled(tried?.known ?? new Map(), titles), [tried, titles]);
  const differing = rows.filter((row) => row.differs);
  return (
    <section aria-label="Recipe bench" class="bench" aria-busy={loaded.loading}>
      <div class="card bench-form">
        <TextField
          label="Question"
          placeholder="Default: the latest user message"
          value={question}
          change={setQuestion}
        />
        <Budget place={place} change={setPlace} />
        <PriceFields price={price} choose={choose} />
      </div>
      <p class="row small">
        <a href={linkTo("context", conversation)}>Back to receipts</a>
        <span class="quiet">
          {conversations.length > 0 && `${shorten(titles.get(conversation) ?? conversation, 60)} · `}Nothing is stored,
          and nothing is sent to a model.
        </span>
      </p>
      {loaded.problem && <Failure problem={loaded.problem} retry={loaded.reload} />}
      {trials === undefined && !loaded.problem && <Loading label="Building contexts" lines={RECIPES.length} />}
      {trials !== undefined && (
        <>
          <div class="row">
            <span role="status" class="small">
              <b>{differing.length.toLocaleString()}</b> of {rows.length.toLocaleString()} items differ at{" "}
              {settled.toLocaleString()} tokens
            </span>
            <Switch label="Only items that differ" checked={!all} change={(only) => setAll(!only)} />
          </div>
          <BenchTable
            trials={trials}
            rows={rows}
            shown={all ? rows : differing}
            {...{ known, conversation, question: query, budget: settled, price }}
          />
        </>
      )}
    </section>
  );
}

/** Builds the context of every recipe at the same time, and looks up where its messages are. */
async function tryAll(space: string, conversation: string, query: string, budget: number, signal: AbortSignal) {
  const trials = await Promise.all(
    RECIPES.map(async ({ name: recipe }): Promise<Trial> => {
      const body = { query: query || null, recipe, max_tokens: budget, overflow: "truncate" as const };
      try {
        return { recipe, context: await tryContext(space, conversation, body, signal) };
      } catch (thrown) {
        if (!(thrown instanceof Problem) || thrown.code !== "budget_exceeded") throw thrown;
        return { recipe, problem: thrown.message };
      }
    }),
  );
  const contexts = trials.flatMap((trial) => trial.context ?? []);
  const items = contexts.flatMap(({ receipt }) => receipt.items.filter((item) => item.included));
  const said = items.filter((item) => item.kind === "message").map((item) => item.id);
  const messages = await locate(space, [...new Set(said)], signal);
  const stored = new Map(messages.map((message) => [`message ${message.id}`, messageText(message)]));
  return { trials, known: joined(stored, new Map(contexts.flatMap((one) => [...textsOf(one)]))) };
}

function Budget({ place, change }: { place: number; change: (place: number) => void }) {
  const id = useId();
  const budget = BUDGETS[place] ?? FIRST_BUDGET;
  return (
    <div class="budget">
      <label for={id} class="small">
        Token budget
      </label>
      <span class="small" aria-hidden="true">
        {budget.toLocaleString()}
      </span>
      <input
        id={id}
        type="range"
        min={0}
        max={BUDGETS.length - 1}
        step={1}
        value={place}
        aria-valuetext={`${budget.toLocaleString()} tokens`}
        onInput={(event) => change(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}

/** The price that the bench counts with, and a function that selects another model. */
function usePrice(): [Price, (model: string) => void] {
  const [model, choose] = useState(prices.value[0]?.model ?? "");
  const price = prices.value.find((each) => each.model === model) ?? prices.value[0];
  return [price ?? { model: "a model", input: 0, output: 0 }, choose];
}

function PriceFields({ price, choose }: { price: Price; choose: (model: string) => void }) {
  const [written, write] = useState<{ model: string; text: string }>();
  const text = written?.model === price.model ? written.text : String(price.input);
  return (
    <div class="bench-prices">
      <SelectField
        label="Model"
        value={price.model}
        change={choose}
        options={prices.value.map(({ model }) => [model, model])}
      />
      <TextField
        label="$ per million tokens"
        type="number"
        min={0}
        step="any"
        value={text}
        change={(next) => {
          write({ model: price.model, text: next });
          if (next !== "") setPrice({ ...price, input: Number(next) });
        }}
      />
      <p class="small quiet">What the model reads. Change the price to what you pay: this browser keeps it.</p>
    </div>
  );
}
