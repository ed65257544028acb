import { send } from "./client";
import type { Imported, SpaceInfo } from "./schema";

export type { Imported } from "./schema";

/** Everything in the space, as a ZIP file. */
export async function exported(space: string): Promise<Blob> {
  return (await send("GET /export", { space })).blob();
}

/** Puts such a file into the space. */
export async function imported(space: string, file: Blob): Promise<SpaceInfo> {
  const response = await send("POST /import", { space, body: file }, { "Content-Type": "application/zip" });
  return (await response.json()) as SpaceInfo;
}

/** Takes in what another program exported; with `dry` it only says what would come. */
export async function importedChats(space: string, file: Blob, dry: boolean): Promise<Imported> {
  const type = { "Content-Type": "application/octet-stream" };
  const response = await send("POST /import-chats", { space, query: { dry_run: dry }, body: file }, type);
  return (await response.json()) as Imported;
}
