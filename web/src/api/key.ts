// The API key of requests. Kept for this tab, or in this browser if the user chooses so.
import { signal } from "@preact/signals";

const NAME = "aforesaid.key";

export const key = signal<string | null>(sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME));

/** True if the server refused a request because the key is missing or not valid. */
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
