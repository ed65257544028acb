import { useState } from "preact/hooks";
import type { ReceiptItem } from "../../api/receipts";
import { Badge } from "../../parts/Badge";
import { Button } from "../../parts/Button";
import { counted } from "../../parts/numbers";
import { cut, shorten } from "../../parts/shorten";
import { numberOf } from "../../parts/speakers";
import { Time } from "../../parts/Time";
import { space as current, linkInto } from "../../store/route";
import "./Item.css";
import type { ItemText } from "./itemText";
import { pieces, rankOf } from "./order";
import { Scores } from "./Scores";
import { colourOf, titleOf } from "./sections";

const TITLE = 60; // characters of the title of a conversation
const LONG = 280; // characters shown before "more"

interface ItemProps {
  item: ReceiptItem;
  words: ItemText | undefined;
  /** Replaces the reason of the item. */
  note?: string;
  /** Words to mark in the text. */
  marks?: readonly string[];
  /** With a column for the rank. */
  ranked?: boolean;
  /** Explains why the item is not in the context. */
  why?: (() => void) | undefined;
}

/** One included or excluded item: its text, speaker, time, conversation, reason, tokens and score. */
export function Item({ item, words, note, marks = [], ranked = false, why }: ItemProps) {
  const rank = rankOf(item);
  return (
    <li class="context-item" style={{ "--colour": colourOf(item.section) }} tabIndex={-1} data-out={!item.included}>
      {ranked && <Rank rank={rank} />}
      <div class="said">
        <p class="row small">
          {item.kind !== "message" && <Badge>{item.kind === "query" ? "question" : item.kind}</Badge>}
          {words?.speaker !== undefined && item.kind !== "query" && <b dir="auto">{words.speaker}</b>}
          {words !== undefined && <Place words={words} />}
          {words?.at !== undefined && (
            <span class="quiet">
              <Time at={words.at} />
            </span>
          )}
        </p>
        {words === undefined ? <code class="quiet small">{item.id}</code> : <Text text={words.text} marks={marks} />}
        <p class="row small quiet reason">
          {!item.included && <Badge tone="warn">left out</Badge>}
          {item.tokens > 0 && (
            <span class="tokens">
              <b>{item.tokens.toLocaleString()}</b> tokens
            </span>
          )}
          <span>{note ?? reasonOf(item, rank)}</span>
          {!item.included && item.kind === "message" && item.source_message_id !== null && why !== undefined && (
            <Button kind="ghost" onClick={why}>
              Why not?
            </Button>
          )}
        </p>
      </div>
      {item.score !== null && <Scores score={item.score} />}
    </li>
  );
}

function Rank({ rank }: { rank: number | undefined }) {
  return rank === undefined ? <span class="rank" /> : <span class="rank" title={`Rank ${rank}`}>{rank}</span>; // biome-ignore format: one line
}

const SOURCES: Readonly<Record<string, string>> = {
  dense: "meaning",
  lexical: "words",
  neighbours: "surrounding messages",
};

/** Why an item is in or out. The rank has a column of its own. */
function reasonOf(item: ReceiptItem, rank: number | undefined): string {
  const rest = rank === undefined ? item.reason : item.reason.replace(/^rank \d+(, )?/, "");
  const sources = item.sources.map((source) => SOURCES[source] ?? source);
  const recalled = sources.length > 0 ? `recalled by ${sources.join(", ")}` : "";
  const missing = item.missing > 0 ? `${counted(item.missing, "token")} missing` : "";
  return [recalled === "" ? titleOf(item.section) : "", rest, missing, recalled].filter(Boolean).join(" · ");
}

/** The conversation of an item, as a link to the message. */
export function Place({ words }: { words: ItemText }) {
  if (words.conversation === undefined) return null;
  const { conversation, seq, space = current.value, title = conversation } = words;
  const rest = seq === undefined ? [conversation] : [conversation, String(seq)];
  return (
    <a href={linkInto(space, "chat", ...rest)} dir="auto" class="place">
      {shorten(words.space === undefined ? title : `${words.space} / ${title}`, TITLE)}
      {seq !== undefined && ` #${numberOf(seq)}`}
    </a>
  );
}

function Text({ text, marks }: { text: string; marks: readonly string[] }) {
  const [opened, setOpened] = useState(false);
  const late = marks.some((word) => text.toLowerCase().indexOf(word) > LONG - word.length);
  const whole = opened || late || text.length <= LONG;
  const shown = pieces(whole ? text : `${cut(text, LONG).trimEnd()}…`, marks);
  return (
    <p class="words" dir="auto">
      {shown.map((piece, index) => (index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece))}
      {text.length > LONG && !late && (
        <>
          {" "}
          <button type="button" class="more" aria-expanded={opened} onClick={() => setOpened(!opened)}>
            {opened ? "less" : "more"}
          </button>
        </>
      )}
    </p>
  );
}
