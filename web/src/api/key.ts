// The key that requests carry, where the store has keys. Kept for this tab, or in this browser where the person says so.
import { signal } from "@preact/signals";

const NAME = "aforesaid.key";

export const key = signal<string | null>(sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME));

/** The server has refused a request for want of a key that opens something. */
export const locked = signal(false);

export function takeKey(secret: string, remember: boolean): void {
  forgetKey();
  (remember ? localStorage : sessionStorage).setItem(NAME, secret);
  key.value = secret;
  locked.value = false;
}

export function forgetKey(): void {
  sessionStorage.removeItem(NAME);
  localStorage.removeItem(NAME);
  key.value = null;
}
