// Groups settings, searches them, and converts their values from and to text.
import type { Setting, Value } from "../../api/settings";

export interface Group {
  title: string;
  about: string;
  settings: Setting[];
}

const GROUPS: readonly { title: string; about: string; names: readonly string[] }[] = [
  { title: "Search", about: "How messages are searched.", names: ["hybrid", "fusion"] },
  { title: "Chunks", about: "How long messages are split for search.", names: ["chunking", "chunk_tokens"] },
  { title: "Context", about: "How much recalled text a model gets.", names: ["token_budget"] },
  { title: "Summaries", about: "When conversations are summarised.", names: ["summary_frequency", "summaries"] },
  {
    title: "Extraction",
    about: "What is extracted from conversations.",
    names: ["facts", "fact_threshold", "instructions", "episodes", "auto_pins"],
  },
  {
    title: "Retention",
    about: "For how many days new messages, facts and conversations are kept.",
    names: [
      "retention_user",
      "retention_assistant",
      "retention_tool",
      "retention_system",
      "retention_facts",
      "retention_conversations",
    ],
  },
  { title: "Secrets", about: "Which secrets are masked, and where.", names: ["mask_sent", "mask_stored"] },
];
const WEIGHT = "weight_";

export function isWeight(setting: Setting): boolean {
  return setting.name.startsWith(WEIGHT);
}

/** Every setting except the weights. Settings without a group come last. */
export function grouped(settings: readonly Setting[]): Group[] {
  const rest = settings.filter((setting) => !isWeight(setting));
  const made = GROUPS.map(({ names, ...group }) => ({
    ...group,
    settings: names.flatMap((name) => rest.filter((setting) => setting.name === name)),
  }));
  const named = new Set(GROUPS.flatMap((group) => group.names));
  const others = { title: "Other", about: "", settings: rest.filter((setting) => !named.has(setting.name)) };
  return [...made, others].filter((group) => group.settings.length > 0);
}

/** The settings that contain every word of the search. */
export function matching(settings: readonly Setting[], typed: string): Setting[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter((setting) => {
    const text = `${titleOf(setting)} ${setting.name} ${setting.help} ${setting.variable}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function titleOf(setting: Pick<Setting, "name">): string {
  const words = setting.name.replace(WEIGHT, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function written(value: Value): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return String(value);
}

/** The number in a text; null if it is not a number. */
export function typedNumber(text: string): number | null {
  const number = Number(text.trim().replace(",", "."));
  return text.trim() === "" || !Number.isFinite(number) ? null : number;
}

export function sumOf(weights: readonly Setting[]): number {
  return weights.reduce((sum, weight) => sum + Number(weight.value), 0);
}
