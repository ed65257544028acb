import {
  compare,
  type Receipt,
  type ReceiptComparison,
  type ReceiptItem,
  rebuilt,
  receiptItems,
  replay,
} from "../../api/receipts";
import { Badge } from "../../parts/Badge";
import { Failure, Loading } from "../../parts/States";
import { Time } from "../../parts/Time";
import { TokenBar } from "../../parts/TokenBar";
import { LOSSES, useReloadOn } from "../../store/changes";
import { linkTo } from "../../store/route";
import { useLoaded } from "../../store/useLoaded";
import "./Comparison.css";
import { type Difference, difference } from "./difference";
import { Item } from "./Item";
import { type ItemTexts, joined, storedTexts, textsOf, titled } from "./itemText";
import { percent } from "./ReceiptView";
import { keyOf, shares, titleOf } from "./sections";

interface ComparisonProps {
  space: string;
  id: string;
  /** Another receipt; without one, the same request is run now. */
  other?: string;
  /** The titles of the conversations, by id. */
  titles: ReadonlyMap<string, string>;
}

/** Compares two contexts: added, removed and moved items. */
export function Comparison({ space, id, other, titles }: ComparisonProps) {
  const comparison = useLoaded(
    async (signal) => {
      const ids = other === undefined ? [id] : [id, other];
      const [both, shown, entries] = await Promise.all([
        other === undefined ? replay(space, id, signal) : compare(space, ...inOrder(id, other), signal),
        Promise.all(ids.map((receiptId) => rebuilt(space, receiptId, signal))),
        Promise.all(ids.map((receiptId) => receiptItems(space, receiptId, signal))),
      ]);
      const texts = new Map(shown.flatMap((context) => [...textsOf(context)]));
      return { both, known: joined(storedTexts(entries.flat()), texts) };
    },
    [space, id, other],
  );
  useReloadOn(LOSSES, comparison.reload);
  if (comparison.problem) return <Failure problem={comparison.problem} retry={comparison.reload} />;
  if (comparison.value === undefined) return <Loading label="Loading comparison" lines={6} />;
  const { both } = comparison.value;
  const known = titled(comparison.value.known, titles);
  const change = difference(both.before, both.after);
  const now = other === undefined;
  return (
    <article class="comparison" aria-label={now ? "Replay" : "Comparison"}>
      <header>
        <h2>{now ? "Same request, run now" : "Two contexts compared"}</h2>
        <a href={linkTo("context", both.before.conversation, id)}>Back to receipt</a>
      </header>
      <Verdict both={both} change={change} />
      <div class="two">
        <Side title={now ? "Then" : "Before"} receipt={both.before} />
        <Side title={now ? "Now" : "After"} receipt={both.after} />
      </div>
      <Group title="Added" items={change.added} known={known} />
      <Group title="Removed" items={change.removed} known={known} />
      <Group title="Moved" items={change.moved.map(([, item]) => item)} known={known} note={moves(change)} />
    </article>
  );
}

/** Orders two receipts by time. Their ids increase with time. */
function inOrder(first: string, other: string): [string, string] {
  return first < other ? [first, other] : [other, first];
}

function Verdict({ both, change }: { both: ReceiptComparison; change: Difference }) {
  return (
    <div class="card verdict">
      <p>
        {both.same ? (
          <Badge tone="good">identical</Badge>
        ) : (
          <>
            <Badge tone="accent">{change.added.length} added</Badge>{" "}
            <Badge tone="warn">{change.removed.length} removed</Badge> <Badge>{change.moved.length} moved</Badge>{" "}
            <Badge>{change.kept} unchanged</Badge>
          </>
        )}
      </p>
      <div>
        <p class="share">
          <b>{percent(change.samePrefix, change.prefix)}</b> of the stable prefix is unchanged
        </p>
        <div class="meter" aria-hidden="true">
          <span style={{ width: `${(change.samePrefix / Math.max(1, change.prefix)) * 100}%` }} />
        </div>
        <p class="small quiet">
          {change.samePrefix.toLocaleString()} of {change.prefix.toLocaleString()} tokens from the start. The provider
          can serve them from its cache.
        </p>
      </div>
    </div>
  );
}

function Side({ title, receipt }: { title: string; receipt: Receipt }) {
  return (
    <section class="card" aria-label={title}>
      <h3>{title}</h3>
      <p class="small quiet">
        {receipt.call.recipe.name} · <Time at={receipt.at} />
      </p>
      <p class="asked">{receipt.question ?? "No question"}</p>
      <TokenBar label={title} shares={shares(receipt.sections)} total={receipt.call.max_tokens} />
    </section>
  );
}

interface GroupProps {
  title: string;
  items: readonly ReceiptItem[];
  known: ItemTexts;
  note?: (item: ReceiptItem) => string | undefined;
}

function Group({ title, items, known, note }: GroupProps) {
  if (items.length === 0) return null;
  return (
    <section aria-label={title} class="context-items">
      <h3>
        {title} <span class="quiet small">{items.length}</span>
      </h3>
      <ol class="list">
        {items.map((item) => {
          const reason = note?.(item) ?? `${titleOf(item.section)}: ${item.reason}`;
          return <Item key={keyOf(item)} item={item} words={known.get(keyOf(item))} note={reason} />;
        })}
      </ol>
    </section>
  );
}

function moves(change: Difference): (item: ReceiptItem) => string {
  const from = new Map(change.moved.map(([before, after]) => [keyOf(after), before.section]));
  return (item) => {
    const was = titleOf(from.get(keyOf(item)) ?? item.section);
    const now = titleOf(item.section);
    return was === now ? `moved within ${now}` : `from ${was} to ${now}`;
  };
}
