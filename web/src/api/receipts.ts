import { call } from "./client";
import type {
  ContextResponse,
  Receipt,
  ReceiptComparison,
  ReceiptEntry,
  ReceiptListItem,
  Why,
  WhyBody,
} from "./schema";

export type {
  ContextResponse,
  Receipt,
  ReceiptComparison,
  ReceiptEntry,
  ReceiptItem,
  ReceiptListItem,
  Score,
  Why,
  WhyBody,
} from "./schema";

export type Format = "openai" | "anthropic";

/** The stored receipts of a conversation, newest first. */
export async function receipts(
  space: string,
  conversation: string,
  signal?: AbortSignal,
  limit = 50,
): Promise<ReceiptListItem[]> {
  return (await call("GET /receipts", { space, query: { conversation, limit }, signal })).items;
}

export function receipt(space: string, id: string, signal?: AbortSignal): Promise<Receipt> {
  return call("GET /receipts/{id}", { space, path: { id }, signal });
}

/** Every item of a receipt with its words, speaker, time and conversation. */
export async function receiptItems(space: string, id: string, signal?: AbortSignal): Promise<ReceiptEntry[]> {
  return (await call("GET /receipts/{id}/items", { space, path: { id }, signal })).items;
}

/** Why a message is in a context, or what kept it out. */
export function why(space: string, id: string, body: WhyBody, signal?: AbortSignal): Promise<Why> {
  return call("POST /receipts/{id}/why", { space, path: { id }, body, signal });
}

/** The context built again, with the texts of its items. */
export function rebuilt(space: string, id: string, signal?: AbortSignal): Promise<ContextResponse> {
  return call("GET /receipts/{id}/context", { space, path: { id }, signal });
}

/** The request for a provider's API, as JSON. */
export async function payload(space: string, id: string, format: Format): Promise<string> {
  const query = { format, cache: format === "anthropic" };
  const shown = await call("GET /receipts/{id}/context", { space, path: { id }, query });
  return JSON.stringify(shown.payload, null, 2);
}

export function replay(space: string, id: string, signal?: AbortSignal): Promise<ReceiptComparison> {
  return call("GET /receipts/{id}/replay", { space, path: { id }, signal });
}

export function compare(space: string, id: string, other: string, signal?: AbortSignal): Promise<ReceiptComparison> {
  return call("GET /receipts/{id}/compare", { space, path: { id }, query: { other }, signal });
}
