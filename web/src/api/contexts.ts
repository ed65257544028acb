import { call } from "./client";
import type { ContextBody, ContextResponse, Receipt } from "./schema";

export type { ContextBody, ContextResponse } from "./schema";

/** Builds the context that a model receives. */
export function context(space: string, conversation: string, body: ContextBody): Promise<ContextResponse> {
  return call("POST /conversations/{conversation}/context", { space, path: { conversation }, body });
}

/** A context that was only tried: its receipt, which is not stored, and its items with their texts. */
export interface TriedContext {
  receipt: Receipt;
  sections: ContextResponse["sections"];
  milliseconds: number;
}

/** Builds a context and stores nothing. */
export async function tryContext(
  space: string,
  conversation: string,
  body: ContextBody,
  signal: AbortSignal,
): Promise<TriedContext> {
  const options = { space, path: { conversation }, body: { ...body, dry_run: true, format: "complete" as const } };
  const built = await call("POST /conversations/{conversation}/context", { ...options, signal });
  const { receipt, sections } = built.payload as unknown as Complete;
  const plain = sections.map((section) => ({ ...section, items: section.items.map((item) => item.value) }));
  return { receipt, sections: plain, milliseconds: built.milliseconds.total ?? 0 };
}

/** The payload of the format `complete`, which names the type of each item. */
interface Complete {
  receipt: Receipt;
  sections: {
    name: string;
    tokens: number;
    items: { value: ContextResponse["sections"][number]["items"][number] }[];
  }[];
}
