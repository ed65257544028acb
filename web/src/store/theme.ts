// The theme: light, dark or system; stored in this browser.
import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const NAME = "aforesaid.theme";
const ORDER: Theme[] = ["system", "light", "dark"];

function storedTheme(): Theme {
  const stored = localStorage.getItem(NAME);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export const theme = signal<Theme>(storedTheme());

effect(() => {
  const now = theme.value;
  if (now === "system") {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem(NAME);
  } else {
    document.documentElement.dataset.theme = now;
    localStorage.setItem(NAME, now);
  }
});

export function nextTheme(): void {
  theme.value = ORDER[(ORDER.indexOf(theme.value) + 1) % ORDER.length] ?? "system";
}
