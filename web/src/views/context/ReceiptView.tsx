import { useState } from "preact/hooks";
import { type Format, payload, type Receipt, rebuilt, receipt } from "../../api/receipts";
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
import { excludedTexts } from "./excludedText";
import { Items, LeftOut } from "./Items";
import "./ReceiptView.css";
import { joined, textsOf } from "./itemText";
import { Counting } from "./Scores";
import { shares } from "./sections";
import { counting } from "./weights";

/** The receipt of a context: its items with their reasons, and what was left out. */
export function ReceiptView({ space, id }: { space: string; id: string }) {
  const loaded = useLoaded(
    async (signal) => {
      const [kept, again, set] = await Promise.all([
        receipt(space, id, signal),
        rebuilt(space, id, signal),
        settings(space, signal),
      ]);
      const out = await excludedTexts(space, kept, signal);
      return { kept, known: joined(out, textsOf(again)), counting: counting(kept.call.recipe, set) };
    },
    [space, id],
  );
  useReloadOn(LOSSES, loaded.reload);
  if (loaded.problem) return <Failure problem={loaded.problem} retry={loaded.reload} />;
  if (loaded.value === undefined) return <Loading label="Loading receipt" lines={6} />;
  const { kept, known, counting: parts } = loaded.value;
  return (
    <article class="receipt" aria-label="Context">
      <Head kept={kept} />
      <TokenBar
        label="Tokens"
        shares={shares(kept.sections)}
        total={kept.call.max_tokens}
        mark={{ tokens: kept.prefix_tokens, label: `stable prefix, ${percent(kept.prefix_tokens, kept.tokens)}` }}
      />
      <Notes kept={kept} />
      <Actions space={space} kept={kept} />
      <Counting.Provider value={parts}>
        <Items receipt={kept} known={known} />
        <LeftOut receipt={kept} known={known} />
      </Counting.Provider>
      <p class="quiet small digest">
        Receipt <code>{kept.id}</code> · SHA-256 <code>{kept.digest.slice(0, 16)}…</code>
      </p>
    </article>
  );
}

function Head({ kept }: { kept: Receipt }) {
  return (
    <header>
      <h2>{kept.question ?? "No question"}</h2>
      <p class="row small quiet">
        <Badge tone="accent">{kept.call.recipe.name}</Badge>
        <span>
          {kept.tokens.toLocaleString()} of {kept.call.max_tokens.toLocaleString()} tokens
        </span>
        <span>·</span>
        <Time at={kept.at} />
      </p>
    </header>
  );
}

/** The warnings of a context, and what was not available. */
function Notes({ kept }: { kept: Pick<Receipt, "degraded" | "warnings"> }) {
  const missing = kept.degraded.map((name) => `Not available: ${name}. The context is incomplete.`);
  const notes = [...missing, ...kept.warnings];
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

function Actions({ space, kept }: { space: string; kept: Receipt }) {
  const [busy, setBusy] = useState(false);
  const take = async (format: Format) => {
    setBusy(true);
    await attempt(async () => copy(await payload(space, kept.id, format)));
    setBusy(false);
  };
  return (
    <div class="row">
      <Button icon="copy" busy={busy} onClick={() => take("openai")}>
        Copy OpenAI JSON
      </Button>
      <Button icon="copy" busy={busy} onClick={() => take("anthropic")}>
        Copy Anthropic JSON
      </Button>
      <Button icon="refresh" onClick={() => go("context", kept.conversation, kept.id, "replay")}>
        Replay
      </Button>
    </div>
  );
}

export function percent(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((part / whole) * 100)} %` : "0 %";
}
