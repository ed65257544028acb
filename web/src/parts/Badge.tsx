import type { ComponentChildren } from "preact";
import "./Badge.css";

export type Tone = "plain" | "accent" | "good" | "warn" | "bad";

/** A short label, such as a status or a kind. */
export function Badge({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
