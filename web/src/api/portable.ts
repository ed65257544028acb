import { send } from "./client";
import type { SpaceInfo } from "./schema";

/** Everything in the space, as a ZIP file. */
export async function exported(space: string): Promise<Blob> {
  return (await send("GET /export", { space })).blob();
}

/** Puts such a file into the space. */
export async function imported(space: string, file: Blob): Promise<SpaceInfo> {
  const response = await send("POST /import", { space, body: file }, { "Content-Type": "application/zip" });
  return (await response.json()) as SpaceInfo;
}
