import { call } from "./client";
import type { Pin } from "./schema";

export type { Pin } from "./schema";

export async function pins(space: string, conversation: string): Promise<Pin[]> {
  return (await call("GET /conversations/{conversation}/pins", { space, path: { conversation } })).items;
}

export function pinMessage(space: string, conversation: string, source: string): Promise<Pin> {
  return call("POST /conversations/{conversation}/pins", { space, path: { conversation }, body: { source } });
}

export function pinText(space: string, conversation: string, content: string): Promise<Pin> {
  return call("POST /conversations/{conversation}/pins", { space, path: { conversation }, body: { content } });
}

export async function unpin(space: string, conversation: string, id: string): Promise<void> {
  await call("DELETE /conversations/{conversation}/pins/{id}", { space, path: { conversation, id } });
}
