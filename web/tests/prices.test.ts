import { beforeEach, describe, expect, it, vi } from "vitest";

const kept = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, value: string) => kept.set(name, value),
  removeItem: (name: string) => kept.delete(name),
});
const { DEFAULT_PRICES, dollars, priceOf, prices, removePrice, resetPrices, setPrice } = await import(
  "../src/api/prices"
);

beforeEach(resetPrices);

describe("the price table", () => {
  it("begins with the defaults, and keeps the user's prices in the browser", () => {
    expect(prices.value).toEqual(DEFAULT_PRICES);
    setPrice({ model: "gpt-5", input: 2, output: 4 });
    setPrice({ model: "mine", input: 0.1, output: 0.2 });
    removePrice("ollama");
    expect(JSON.parse(kept.get("aforesaid.prices") ?? "")).toEqual(prices.value);
    expect(priceOf("openai:gpt-5")?.input).toBe(2);
    expect(prices.value.map((price) => price.model)).toContain("mine");
    expect(prices.value.map((price) => price.model)).not.toContain("ollama");
    resetPrices();
    expect(prices.value).toEqual(DEFAULT_PRICES);
  });

  it("refuses what is no price", () => {
    setPrice({ model: "gpt-5", input: Number.NaN, output: 1 });
    setPrice({ model: "", input: 1, output: 1 });
    setPrice({ model: "gpt-5", input: -1, output: 1 });
    expect(prices.value).toEqual(DEFAULT_PRICES);
  });

  it("finds a model by the longest beginning of its name", () => {
    expect(priceOf("openai:gpt-5-mini-2025-08-07")?.model).toBe("gpt-5-mini");
    expect(priceOf("anthropic:claude-sonnet-4-5")?.input).toBe(3);
    expect(priceOf("ollama:qwen3")?.input).toBe(0);
    expect(priceOf("https://gateway.example.org/v1#gpt-5-mini")?.model).toBe("gpt-5-mini");
    expect(priceOf("unheard-of")).toBeUndefined();
  });
});

describe("dollars", () => {
  it.each([
    [0, "$0"],
    [12.4, "$12.40"],
    [1234.5, "$1,234.50"],
    [0.5, "$0.50"],
    [0.00312, "$0.0031"],
  ])("of %d are %s", (amount, shown) => {
    expect(dollars(amount)).toBe(shown);
  });
});
