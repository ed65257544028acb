import { useEffect, useRef, useState } from "preact/hooks";
import type { Receipt, ReceiptItem } from "../../api/receipts";
import { Button } from "../../parts/Button";
import { Chips } from "../../parts/Chips";
import { SearchField, SelectField } from "../../parts/Field";
import { Icon } from "../../parts/Icon";
import { counted } from "../../parts/numbers";
import { useShortcuts } from "../../store/shortcuts";
import { Item } from "./Item";
import "./Items.css";
import type { ItemTexts } from "./itemText";
import { matches, type Order, ordered, rankOf, type Shown, wordsOf } from "./order";
import { PARTS } from "./Scores";
import { byReason, colourOf, inPrefix, keyOf, type Stretch, stretches, titleOf } from "./sections";

interface ItemsProps {
  receipt: Receipt;
  known: ItemTexts;
  /** Explains why an item is not in the context. */
  why?: (item: ReceiptItem) => void;
}

const NAMES: Record<Shown, string> = { in: "Included", out: "Left out", all: "All items" };
const ALL = ""; // any reason

/** The items of a receipt, best first. They can be sorted, filtered, and limited to those that were left out. */
export function Items({ receipt, known, why }: ItemsProps) {
  const [shown, setShown] = useState<Shown>("in");
  const [order, setOrder] = useState<Order>("best");
  const [filter, setFilter] = useState("");
  const [reason, setReason] = useState(ALL);
  const field = useRef<HTMLDivElement>(null);
  useShortcuts([
    { keys: "/", label: "Filter the items", run: () => field.current?.querySelector<HTMLElement>("input")?.focus() },
  ]);
  const inside = receipt.items.filter((item) => item.included);
  const outside = receipt.items.filter((item) => !item.included);
  const reasons = byReason(outside);
  const ofReason = shown === "out" && reason !== ALL ? outside.filter((item) => item.reason === reason) : outside;
  const among = { in: inside, out: ofReason, all: receipt.items }[shown];
  const words = wordsOf(filter);
  const present = new Set(inside.map(keyOf)); // some were left out of one section because another has them
  const explain = why && ((item: ReceiptItem) => (present.has(keyOf(item)) ? undefined : () => why(item)));
  const found = among.filter((item) => matches(item, known.get(keyOf(item)), words));
  const sorted = ordered(found, order, known);
  const grouped = shown === "in" && (order === "best" || order === "read");
  return (
    <section aria-label={NAMES[shown]} class="context-items">
      <div class="item-tools">
        <Chips
          label="Items"
          chosen={shown}
          choose={setShown}
          options={[
            ["in", <Count key="in" name="In the context" items={inside} />],
            ["out", <Count key="out" name="Left out" items={outside} />],
            ["all", <Count key="all" name="All" items={receipt.items} />],
          ]}
        />
        <div class="find" ref={field}>
          <SearchField label="Filter by words, speaker, id" value={filter} change={setFilter} />
          <SelectField
            bare
            label="Sort by"
            value={order}
            change={(next) => setOrder(next as Order)}
            options={orders(receipt)}
          />
        </div>
        {shown === "out" && reasons.length > 1 && (
          <Chips
            label="Reason"
            chosen={reason}
            choose={setReason}
            options={[
              [ALL, "Any reason"],
              ...reasons.map(([each, items]) => [each, <Count key={each} name={each} items={items} />] as const),
            ]}
          />
        )}
      </div>
      <p class={words.length > 0 ? "small quiet" : "unseen"} role="status">
        {words.length > 0 ? `${found.length.toLocaleString()} of ` : ""}
        {counted(among.length, "item")}
      </p>
      {among.length === 0 && <p class="quiet">Nothing was left out.</p>}
      {grouped && <Grouped items={sorted} order={order} {...{ receipt, known, words, explain }} />}
      {!grouped && found.length > 0 && (
        <List key={`${shown} ${order} ${reason} ${filter}`} items={sorted} {...{ known, words, explain }} />
      )}
    </section>
  );
}

function Count({ name, items }: { name: string; items: readonly ReceiptItem[] }) {
  return (
    <span>
      {name} <b>{items.length.toLocaleString()}</b>
    </span>
  );
}

const ORDERS: readonly [Order, string][] = [
  ["best", "Best first"],
  ["read", "As the model reads them"],
  ["newest", "Newest first"],
  ["oldest", "Oldest first"],
  ["tokens", "Most tokens"],
];

/** The orders, with the parts of the score that an item of the receipt has. */
function orders(receipt: Receipt): [Order, string][] {
  const has = (part: Order) => receipt.items.some((item) => (item.score?.[part as keyof typeof item.score] ?? 0) > 0);
  const parts = ([["total", "score"], ...PARTS] as const).filter(([part]) => has(part));
  return [...ORDERS, ...parts.map(([part, label]): [Order, string] => [part, `By ${label}`])];
}

interface ListProps {
  known: ItemTexts;
  words: readonly string[];
  /** A function that explains why an item is not in the context; undefined if it is. */
  explain?: ((item: ReceiptItem) => (() => void) | undefined) | undefined;
}

type GroupedProps = ListProps & { receipt: Receipt; items: readonly ReceiptItem[]; order: Order };

/** The included items by section: the recalled ones first, or in the order in which a model reads them. */
function Grouped({ receipt, items, order, ...rest }: GroupedProps) {
  const parts = stretches(items);
  const part = (stretch: Stretch, index: number) => (
    <Part key={`${order} ${index}`} stretch={stretch} tokens={receipt.sections[stretch.section] ?? 0} {...rest} />
  );
  if (order === "best") return <>{parts.map(part)}</>;
  const stable = parts.filter((stretch) => inPrefix(stretch.section));
  const fresh = parts.filter((stretch) => !inPrefix(stretch.section));
  return (
    <>
      {stable.length > 0 && (
        <div class="stable">
          <p class="mark small">
            <Icon name="pin" size={14} /> Stable prefix: unchanged on the next turn, so the provider can cache it
          </p>
          {stable.map(part)}
        </div>
      )}
      {fresh.length > 0 && <p class="mark fresh small">Changes with every question</p>}
      {fresh.map(part)}
    </>
  );
}

function Part({ stretch, tokens, ...rest }: ListProps & { stretch: Stretch; tokens: number }) {
  const { section, items } = stretch;
  return (
    <section class="part" aria-label={titleOf(section)}>
      <h3>
        <i style={{ background: colourOf(section) }} />
        {titleOf(section)}
        <span class="quiet small">
          {counted(items.length, "item")} · {counted(tokens, "token")}
        </span>
      </h3>
      <List items={items} {...rest} />
    </section>
  );
}

const FIRST = 20; // items shown at first
const STEP = 50;

/** A list of any length. Its first items are shown; the buttons below show more. */
function List({ items, known, words, explain }: ListProps & { items: readonly ReceiptItem[] }) {
  const ranked = items.some((item) => rankOf(item) !== undefined);
  const [count, setCount] = useState(FIRST);
  const list = useRef<HTMLOListElement>(null);
  const reached = useRef<number | undefined>(undefined);
  const left = items.length - count;
  const show = (next: number) => {
    reached.current = count;
    setCount(next);
  };
  useEffect(() => {
    if (reached.current === undefined) return;
    const row = list.current?.children[reached.current]; // the buttons may be gone: the focus goes on with the list
    reached.current = undefined;
    if (row instanceof HTMLElement) row.focus();
  });
  return (
    <>
      <ol class="list" ref={list}>
        {items.slice(0, count).map((item) => (
          <Item
            key={keyOf(item)}
            item={item}
            words={known.get(keyOf(item))}
            marks={words}
            ranked={ranked}
            why={explain?.(item)}
          />
        ))}
      </ol>
      {left > 0 && (
        <p class="row more-items">
          {left > STEP && (
            <Button kind="ghost" onClick={() => show(count + STEP)}>
              Show {STEP} more
            </Button>
          )}
          <Button kind="ghost" onClick={() => show(items.length)}>
            Show all {items.length.toLocaleString()}
          </Button>
        </p>
      )}
    </>
  );
}
