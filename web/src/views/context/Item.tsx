import { useState } from "preact/hooks";
import type { ReceiptItem } from "../../api/receipts";
import { Badge } from "../../parts/Badge";
import { cut } from "../../parts/shorten";
import { linkTo } from "../../store/route";
import "./Item.css";
import type { ItemText } from "./itemText";
import { Scores } from "./Scores";
import { colourOf } from "./sections";

const SAID = new Set(["message", "query"]);
const LONG = 220; // characters shown before "more"

interface ItemProps {
  item: ReceiptItem;
  words: ItemText | undefined;
  /** Replaces the reason of the item. */
  note?: string;
}

/** One included or excluded item: its text, reason, tokens and score. */
export function Item({ item, words, note }: ItemProps) {
  return (
    <li class="context-item" style={{ "--colour": colourOf(item.section) }}>
      <div class="said">
        <p class="row small">
          <Badge>{whatOf(item, words)}</Badge>
          <Place words={words} />
          <span class="quiet">{[note ?? item.reason, ...recalledBy(item)].join(" · ")}</span>
          {item.tokens > 0 && (
            <span class="tokens">
              <b>{item.tokens.toLocaleString()}</b> <span class="quiet">tokens</span>
            </span>
          )}
        </p>
        {words === undefined ? <code class="quiet small">{item.id}</code> : <Text text={words.text} />}
      </div>
      {item.score !== null && <Scores score={item.score} />}
    </li>
  );
}

/** The role of a message; the kind of any other item. */
function whatOf(item: ReceiptItem, words: ItemText | undefined): string {
  return (SAID.has(item.kind) ? words?.role : undefined) ?? item.kind;
}

const SOURCES: Readonly<Record<string, string>> = {
  dense: "meaning",
  lexical: "words",
  neighbours: "surrounding messages",
};

function recalledBy(item: ReceiptItem): string[] {
  const sources = item.sources.map((source) => SOURCES[source] ?? source);
  return sources.length > 0 ? [`recalled by ${sources.join(", ")}`] : [];
}

function Place({ words }: { words: ItemText | undefined }) {
  if (words?.conversation === undefined) return null;
  if (words.seq === undefined) return <a href={linkTo("chat", words.conversation)}>{words.conversation}</a>;
  return <a href={linkTo("chat", words.conversation, String(words.seq))}>#{words.seq}</a>;
}

function Text({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  if (text.length <= LONG)
    return (
      <p class="words" dir="auto">
        {text}
      </p>
    );
  return (
    <p class="words" dir="auto">
      {whole ? text : `${cut(text, LONG).trimEnd()}…`}{" "}
      <button type="button" class="more" aria-expanded={whole} onClick={() => setWhole(!whole)}>
        {whole ? "less" : "more"}
      </button>
    </p>
  );
}
