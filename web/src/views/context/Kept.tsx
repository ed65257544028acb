import type { Slip } from "../../api/receipts";
import { Icon } from "../../parts/Icon";
import { Time } from "../../parts/Time";
import { linkTo } from "../../store/route";
import "./Kept.css";
import { colourOf, titleOf } from "./sections";

interface KeptProps {
  conversation: string;
  slips: readonly Slip[];
  /** The receipt that is open. */
  open: string | undefined;
  /** The one it is compared with. */
  other: string | undefined;
}

/** The contexts that were built, the newest first; each can be opened, and compared with the open one. */
export function Kept({ conversation, slips, open, other }: KeptProps) {
  return (
    <aside class="kept" aria-label="Receipts">
      <h2>Receipts</h2>
      <p class="small quiet">Every context of the last 30 days. Open one, then compare another with it.</p>
      <ol class="slips">
        {slips.map((slip) => (
          <li key={slip.id} class={slip.id === other ? "other" : undefined}>
            <a
              href={linkTo("context", conversation, slip.id)}
              class="slip"
              aria-current={slip.id === open ? "true" : undefined}
            >
              <span class="asked" dir="auto">
                {slip.question ?? "No question"}
              </span>
              <MiniBar slip={slip} />
              <span class="small quiet">
                {slip.recipe} · {slip.tokens.toLocaleString()} tokens · <Time at={slip.at} />
              </span>
            </a>
            {open !== undefined && slip.id !== open && (
              <a
                class="icon-button"
                href={linkTo("context", conversation, open, "compare", slip.id)}
                title="Compare with the open one"
                aria-label={`Compare the open receipt with: ${slip.question ?? "No question"}`}
              >
                <Icon name="swap" />
              </a>
            )}
          </li>
        ))}
      </ol>
    </aside>
  );
}

function MiniBar({ slip }: { slip: Slip }) {
  const whole = Math.max(slip.max_tokens, slip.tokens, 1);
  return (
    <span class="mini" aria-hidden="true">
      {Object.entries(slip.sections).map(([name, tokens]) => (
        <span
          key={name}
          title={titleOf(name)}
          style={{ width: `${(tokens / whole) * 100}%`, background: colourOf(name) }}
        />
      ))}
    </span>
  );
}
