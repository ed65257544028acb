import "./TokenBar.css";

export interface Share {
  name: string;
  tokens: number;
  /** A CSS colour; the default is the next hue of the palette. */
  colour?: string;
}

interface TokenBarProps {
  label: string;
  shares: readonly Share[];
  /** The budget; the free part is empty. */
  total: number;
  /** Marks a range from the first token on. */
  mark?: { tokens: number; label: string };
}

/** A token budget as a bar, with a legend. */
export function TokenBar({ label, shares, total, mark }: TokenBarProps) {
  const used = shares.reduce((sum, share) => sum + share.tokens, 0);
  const whole = Math.max(total, used, 1);
  const description = shares.map((share) => `${share.name} ${share.tokens}`).join(", ");
  return (
    <figure class="token-bar">
      <div class="bar" role="img" aria-label={`${label}: ${used} of ${total} tokens; ${description}`}>
        {shares.map((share, index) => (
          <span
            key={share.name}
            title={`${share.name}: ${share.tokens}`}
            style={{ width: `${(share.tokens / whole) * 100}%`, background: colourOf(share, index) }}
          />
        ))}
      </div>
      {mark !== undefined && mark.tokens > 0 && (
        <p class="mark">
          <span style={{ width: `${(mark.tokens / whole) * 100}%` }} aria-hidden="true" />
          <b>{mark.tokens.toLocaleString()}</b> {mark.label}
        </p>
      )}
      <ul class="legend" aria-hidden="true">
        {shares.map((share, index) => (
          <li key={share.name}>
            <i style={{ background: colourOf(share, index) }} />
            {share.name} <b>{share.tokens.toLocaleString()}</b>
          </li>
        ))}
        <li class="quiet">
          {used.toLocaleString()} of {total.toLocaleString()} tokens
        </li>
      </ul>
    </figure>
  );
}

function colourOf(share: Share, index: number): string {
  return share.colour ?? `var(--hue-${(index % 8) + 1})`;
}
