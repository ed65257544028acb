// Live changes of a space: one stream for the page, reconnected with its cursor after an interruption.
import { signal } from "@preact/signals";
import { send } from "./client";
import { isAbort, Problem } from "./problem";
import type { Change } from "./schema";
import { events } from "./stream";

export type { Change } from "./schema";

/** `missed`: some changes were lost; load everything again. */
export interface ChangeListener {
  change(change: Change): void;
  missed(): void;
}

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 8000;

export const connection = signal<"connecting" | "live" | "lost">("connecting");

const listeners = new Set<ChangeListener>();

/** Adds a listener for changes of the followed space. Returns a function that removes it. */
export function listen(listener: ChangeListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Follows a space. Returns a function that stops it. */
export function follow(space: string): () => void {
  const stop = new AbortController();
  void keepFollowing(space, stop.signal);
  return () => stop.abort();
}

async function keepFollowing(space: string, signal: AbortSignal): Promise<void> {
  let cursor: string | null = null;
  let pause = FIRST_PAUSE;
  connection.value = "connecting";
  while (!signal.aborted) {
    try {
      const headers: HeadersInit = cursor === null ? {} : { "Last-Event-ID": cursor };
      const response = await send("GET /events", { space, signal }, headers);
      if (response.body === null) return;
      connection.value = "live";
      pause = FIRST_PAUSE;
      for await (const event of events(response.body)) {
        if (signal.aborted) return;
        cursor = event.id ?? cursor;
        notify(event.name, event.data);
      }
    } catch (thrown) {
      if (signal.aborted || isAbort(thrown)) return;
      if (thrown instanceof Problem && thrown.status === 401) return; // the page follows again once there is a key
    }
    connection.value = "lost";
    await sleep(pause, signal);
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
}

function notify(name: string, data: string): void {
  for (const listener of [...listeners]) {
    if (name === "missed") listener.missed();
    else if (name === "change") listener.change(JSON.parse(data) as Change);
  }
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
