// The models that a conversation can use, and the one that was chosen for its next answer.
import { signal } from "@preact/signals";
import { cost } from "../../api/cost";
import { ifAllowed } from "../../api/problem";

const DAYS = 30; // of use, after which a model is no longer offered

const chosen = signal<ReadonlyMap<string, string>>(new Map());
const keyOf = (space: string, conversation: string) => JSON.stringify([space, conversation]);

/** The model that was chosen here; null: the conversation's own. */
export function chosenModel(space: string, conversation: string): string | null {
  return chosen.value.get(keyOf(space, conversation)) ?? null;
}

export function choose(space: string, conversation: string, model: string): void {
  chosen.value = new Map([...chosen.value, [keyOf(space, conversation), model]]);
}

/** The models that answered in a space of late. */
export async function recentModels(space: string, signal?: AbortSignal): Promise<string[]> {
  const since = new Date(Date.now() - DAYS * 24 * 60 * 60 * 1000).toISOString();
  const spent = (await ifAllowed(cost(space, { since, until: new Date().toISOString() }, false, signal))) ?? [];
  return [...new Set(spent.filter((each) => each.operation === "reply").map((each) => each.model))];
}
