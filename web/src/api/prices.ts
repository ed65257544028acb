// What language models cost, in dollars per million tokens. The table is the user's: it is kept in this browser.
import { signal } from "@preact/signals";
import { modelName } from "../parts/modelName";

export interface Price {
  /** The name of a model, or its beginning: `openai:gpt-5`, `gpt-5`, `claude`. */
  model: string;
  /** Dollars per million tokens that the model reads. */
  input: number;
  /** Dollars per million tokens that the model writes. */
  output: number;
}

/** List prices of 2025, to be replaced by the user's own. */
export const DEFAULT_PRICES: readonly Price[] = [
  { model: "gpt-5", input: 1.25, output: 10 },
  { model: "gpt-5-mini", input: 0.25, output: 2 },
  { model: "claude-opus-4-1", input: 15, output: 75 },
  { model: "claude-sonnet-4-5", input: 3, output: 15 },
  { model: "claude-haiku-4-5", input: 1, output: 5 },
  { model: "gemini-2.5-pro", input: 1.25, output: 10 },
  { model: "gemini-2.5-flash", input: 0.3, output: 2.5 },
  { model: "ollama", input: 0, output: 0 },
];

const NAME = "aforesaid.prices";

/** The price table of this browser. */
export const prices = signal<readonly Price[]>(stored());

function stored(): readonly Price[] {
  try {
    const table: unknown = JSON.parse(localStorage.getItem(NAME) ?? "null");
    return Array.isArray(table) && table.every(isPrice) ? table : DEFAULT_PRICES;
  } catch {
    return DEFAULT_PRICES; // written by something else
  }
}

function isPrice(value: unknown): value is Price {
  const { model, input, output } = (value ?? {}) as Partial<Price>;
  return typeof model === "string" && model !== "" && isAmount(input) && isAmount(output);
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function keep(table: readonly Price[]): void {
  prices.value = table;
  localStorage.setItem(NAME, JSON.stringify(table));
}

/** Sets the price of a model, or adds the model. Ignores a price that is no amount. */
export function setPrice(price: Price): void {
  if (!isPrice(price)) return;
  const known = prices.value.some((each) => each.model === price.model);
  keep(known ? prices.value.map((each) => (each.model === price.model ? price : each)) : [...prices.value, price]);
}

export function removePrice(model: string): void {
  keep(prices.value.filter((each) => each.model !== model));
}

/** Removes the user's prices, so that the defaults hold. */
export function resetPrices(): void {
  prices.value = DEFAULT_PRICES;
  localStorage.removeItem(NAME);
}

/** The price of a model: that of the longest name that it begins with, with or without its provider or address. */
export function priceOf(model: string, table: readonly Price[] = prices.value): Price | undefined {
  const names = [model, modelName(model)].map((name) => name.toLowerCase());
  const fits = (price: Price) => names.some((name) => name.startsWith(price.model.toLowerCase()));
  return table.filter(fits).sort((first, other) => other.model.length - first.model.length)[0];
}

/** Dollars, with as many decimals as the amount needs: `$12.40`, `$0.0031`, `$0`. */
export function dollars(amount: number): string {
  if (amount === 0) return "$0";
  const digits = amount >= 1 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(amount)));
  return `$${amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: Math.max(2, digits) })}`;
}
