// Which settings have no effect now, and why. They are not shown until they have one.
import type { Setting } from "../../api/settings";

interface Unused {
  names: readonly string[];
  /** True if nothing reads these settings now. */
  when: (value: (name: string) => Setting["value"] | undefined, model: boolean) => boolean;
  reason: string;
}

const UNUSED: readonly Unused[] = [
  { names: ["chunk_tokens"], when: (value) => value("chunking") === false, reason: "Chunking is off." },
  {
    names: ["summary_frequency"],
    when: (value) => value("summaries") !== "retrieval",
    reason: "Only the summaries of the recipe retrieval have a frequency.",
  },
  { names: ["instructions"], when: (_, model) => !model, reason: "No language model is set to read them." },
  {
    names: ["fact_threshold"],
    when: (value) => value("facts") === false,
    reason: "The extraction of facts is off.",
  },
  {
    names: ["weight_lexical"],
    when: (value) => value("hybrid") === false,
    reason: "The search by words is off.",
  },
];

/** Why a setting has no effect now; undefined if it has one. */
export function unused(setting: Setting, all: readonly Setting[], model: boolean): string | undefined {
  const value = (name: string) => all.find((other) => other.name === name)?.value;
  return UNUSED.find(({ names, when }) => names.includes(setting.name) && when(value, model))?.reason;
}
