import { call } from "./client";
import type { SettingResponse } from "./schema";

export type Setting = SettingResponse;
export type Value = SettingResponse["value"];

export async function settings(space: string, signal?: AbortSignal): Promise<Setting[]> {
  return (await call("GET /settings", { space, signal })).items;
}

/** Sets a preference of the space. It takes effect immediately in every process. */
export function setSetting(space: string, name: string, value: Value): Promise<Setting> {
  return call("PUT /settings/{name}", { space, path: { name }, body: { value } });
}

/** Resets a setting to the environment's value, or the default. */
export function unsetSetting(space: string, name: string): Promise<Setting> {
  return call("DELETE /settings/{name}", { space, path: { name } });
}

/** Splits the stored messages again with the current settings. Returns how many changed. */
export async function rechunk(space: string): Promise<number> {
  return (await call("POST /rechunk", { space })).changed;
}
