import { useState } from "preact/hooks";
import {
  type Format,
  payload,
  type Receipt,
  type ReceiptItem,
  receipt as readReceipt,
  rebuilt,
  receiptItems,
  type WhyBody,
} from "../../api/receipts";
import { settings } from "../../api/settings";
import { Badge } from "../../parts/Badge";
import { Button } from "../../parts/Button";
import { copy } from "../../parts/copy";
import { Icon } from "../../parts/Icon";
import { Failure, Loading } from "../../parts/States";
import { Time } from "../../parts/Time";
import { TokenBar } from "../../parts/TokenBar";
import { LOSSES, useReloadOn } from "../../store/changes";
import { go } from "../../store/route";
import { attempt } from "../../store/toasts";
import { useLoaded } from "../../store/useLoaded";
import { useNarrow } from "../../store/width";
import { Items } from "./Items";
import "./ReceiptView.css";
import { joined, storedTexts, textsOf, titled } from "./itemText";
import { RECEIPT_LIST } from "./ReceiptList";
import { Counting } from "./Scores";
import { shares } from "./sections";
import { WhyNot } from "./WhyNot";
import { counting } from "./weights";

interface ReceiptViewProps {
  space: string;
  id: string;
  /** The titles of the conversations, by id. */
  titles: ReadonlyMap<string, string>;
}

/** The receipt of a context: its items with their reasons, and what was left out. */
export function ReceiptView({ space, id, titles }: ReceiptViewProps) {
  const loaded = useLoaded(
    async (signal) => {
      const [receipt, entries, again, set] = await Promise.all([
        readReceipt(space, id, signal),
        receiptItems(space, id, signal),
        rebuilt(space, id, signal),
        settings(space, signal),
      ]);
      return {
        receipt,
        known: joined(storedTexts(entries), textsOf(again)),
        counting: counting(receipt.call.recipe, set),
      };
    },
    [space, id],
  );
  const [asked, setAsked] = useState<WhyBody>();
  useReloadOn(LOSSES, loaded.reload);
  if (loaded.problem) return <Failure problem={loaded.problem} retry={loaded.reload} />;
  if (loaded.value === undefined) return <Loading label="Loading receipt" lines={6} />;
  const { receipt, known, counting: parts } = loaded.value;
  return (
    <article class="receipt" aria-label="Context">
      <header>
        <Head receipt={receipt} />
        <Actions space={space} receipt={receipt} whyNot={() => setAsked({ message: "" })} />
      </header>
      <TokenBar
        label="Tokens"
        shares={shares(receipt.sections)}
        total={receipt.call.max_tokens}
        mark={{
          tokens: receipt.prefix_tokens,
          label: `stable prefix, ${percent(receipt.prefix_tokens, receipt.tokens)}`,
        }}
      />
      <Notes receipt={receipt} />
      <Counting.Provider value={parts}>
        <Items key={receipt.id} receipt={receipt} known={titled(known, titles)} why={(item) => setAsked(whyOf(item))} />
        {asked !== undefined && (
          <WhyNot space={space} receipt={id} asked={asked} titles={titles} close={() => setAsked(undefined)} />
        )}
      </Counting.Provider>
      <p class="quiet small digest">
        Receipt <code>{receipt.id}</code> · SHA-256 <code>{receipt.digest.slice(0, 16)}…</code>
      </p>
    </article>
  );
}

function whyOf(item: ReceiptItem): WhyBody {
  return { message: item.id, message_space: item.space };
}

function Head({ receipt }: { receipt: Receipt }) {
  return (
    <div>
      <h2 dir="auto">{receipt.question ?? "No question"}</h2>
      <p class="row small quiet">
        <Badge tone="accent">{receipt.call.recipe.name}</Badge>
        <span>
          {receipt.tokens.toLocaleString()} of {receipt.call.max_tokens.toLocaleString()} tokens
        </span>
        <span>·</span>
        <Time at={receipt.at} />
      </p>
    </div>
  );
}

/** The warnings of a context, and what was not available. */
function Notes({ receipt }: { receipt: Pick<Receipt, "degraded" | "warnings"> }) {
  const missing = receipt.degraded.map((name) => `Not available: ${name}. The context is incomplete.`);
  const notes = [...missing, ...receipt.warnings];
  if (notes.length === 0) return null;
  return (
    <ul class="context-notes" aria-label="Warnings">
      {notes.map((note) => (
        <li key={note}>
          <Icon name="warning" size={16} /> {note}
        </li>
      ))}
    </ul>
  );
}

interface ActionsProps {
  space: string;
  receipt: Receipt;
  whyNot: () => void;
}

function Actions({ space, receipt, whyNot }: ActionsProps) {
  const [busy, setBusy] = useState(false);
  const narrow = useNarrow();
  const take = async (format: Format) => {
    setBusy(true);
    await attempt(async () => copy(await payload(space, receipt.id, format)));
    setBusy(false);
  };
  return (
    <div class="row receipt-actions">
      <Button icon="search" onClick={whyNot}>
        Why not this one?
      </Button>
      {narrow && (
        <Button icon="clock" onClick={showReceipts}>
          Receipts
        </Button>
      )}
      <Button icon="copy" busy={busy} onClick={() => take("openai")}>
        Copy OpenAI JSON
      </Button>
      <Button icon="copy" busy={busy} onClick={() => take("anthropic")}>
        Copy Anthropic JSON
      </Button>
      <Button icon="refresh" onClick={() => go("context", receipt.conversation, receipt.id, "replay")}>
        Replay
      </Button>
    </div>
  );
}

/** Goes to the list of receipts, which is below the open one on a phone. */
function showReceipts(): void {
  const list = document.getElementById(RECEIPT_LIST);
  list?.scrollIntoView();
  list?.querySelector("a")?.focus();
}

export function percent(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((part / whole) * 100)} %` : "0 %";
}
