import type { ComponentChildren } from "preact";
import "./Badge.css";

export type Tone = "plain" | "accent" | "good" | "warn" | "bad";

/** A word about something: its status, its kind. */
export function Badge({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
