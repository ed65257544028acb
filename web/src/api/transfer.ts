import { send } from "./client";
import type { ImportReport, SpaceInfo } from "./schema";

export type { ImportReport } from "./schema";

/** Everything in the space, as a ZIP file. */
export async function exportSpace(space: string): Promise<Blob> {
  return (await send("GET /export", { space })).blob();
}

/** Imports such a file into the space. */
export async function importSpace(space: string, file: Blob): Promise<SpaceInfo> {
  const response = await send("POST /import", { space, body: file }, { "Content-Type": "application/zip" });
  return (await response.json()) as SpaceInfo;
}

/** Imports the export of another program; with `dry`, only returns what would be imported. */
export async function importChats(space: string, file: File, dry: boolean): Promise<ImportReport> {
  const request = { space, query: { name: file.name, dry_run: dry }, body: file };
  const response = await send("POST /import-chats", request, { "Content-Type": "application/octet-stream" });
  return (await response.json()) as ImportReport;
}
