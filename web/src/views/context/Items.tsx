import { useState } from "preact/hooks";
import type { Receipt } from "../../api/receipts";
import { Button } from "../../parts/Button";
import { Icon } from "../../parts/Icon";
import { Item } from "./Item";
import "./Items.css";
import type { ItemTexts } from "./itemText";
import { byReason, colourOf, inPrefix, keyOf, type Stretch, stretches, titleOf } from "./sections";

/** The included items in the order in which a model reads them, with the stable prefix marked. */
export function Items({ receipt, known }: { receipt: Receipt; known: ItemTexts }) {
  const parts = stretches(receipt.items.filter((item) => item.included));
  const stable = parts.filter((stretch) => inPrefix(stretch.section));
  const fresh = parts.filter((stretch) => !inPrefix(stretch.section));
  const part = (stretch: Stretch, index: number) => (
    <Part key={index} stretch={stretch} tokens={receipt.sections[stretch.section] ?? 0} known={known} />
  );
  return (
    <section aria-label="Included" class="context-items">
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
    </section>
  );
}

const LONG = 14; // items; of a longer section, only the last are shown at first
const LAST = 8;

function Part({ stretch, tokens, known }: { stretch: Stretch; tokens: number; known: ItemTexts }) {
  const [whole, setWhole] = useState(false);
  const hidden = whole || stretch.items.length <= LONG ? 0 : stretch.items.length - LAST;
  return (
    <section class="part">
      <h3>
        <i style={{ background: colourOf(stretch.section) }} />
        {titleOf(stretch.section)}
        <span class="quiet small">
          {stretch.items.length} {stretch.items.length === 1 ? "item" : "items"} · {tokens.toLocaleString()} tokens
        </span>
      </h3>
      {hidden > 0 && (
        <p class="before">
          <Button kind="ghost" onClick={() => setWhole(true)}>
            Show {hidden.toLocaleString()} earlier items
          </Button>
        </p>
      )}
      <ol class="list">
        {stretch.items.slice(hidden).map((item) => (
          <Item key={keyOf(item)} item={item} words={known.get(keyOf(item))} />
        ))}
      </ol>
    </section>
  );
}

const FEW = 30;

/** The excluded items, grouped by reason. */
export function LeftOut({ receipt, known }: { receipt: Receipt; known: ItemTexts }) {
  const out = receipt.items.filter((item) => !item.included);
  if (out.length === 0) return null;
  return (
    <section aria-label="Left out" class="context-items">
      <h2>
        Left out <span class="quiet small">{out.length}</span>
      </h2>
      {byReason(out).map(([reason, items]) => (
        <details key={reason} class="reason">
          <summary>
            <Icon name="chevron" size={14} />
            <span>{reason}</span> <span class="quiet small">{items.length}</span>
          </summary>
          <ol class="list">
            {items.slice(0, FEW).map((item) => (
              <Item key={keyOf(item)} item={item} words={known.get(keyOf(item))} note={titleOf(item.section)} />
            ))}
          </ol>
          {items.length > FEW && <p class="quiet small more-out">… and {items.length - FEW} more</p>}
        </details>
      ))}
    </section>
  );
}
