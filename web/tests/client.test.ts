import { beforeAll, expect, test, vi } from "vitest";

beforeAll(() => {
  const kept = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  vi.stubGlobal("sessionStorage", kept);
  vi.stubGlobal("localStorage", kept);
  vi.stubGlobal("location", { hash: "" });
  vi.stubGlobal("addEventListener", () => undefined);
});

test("names in addresses can be any text", async () => {
  const { address } = await import("../src/api/client");
  const path = { conversation: "a/b?c#d é" };
  expect(address("/conversations/{conversation}", { space: "x&y", path })).toBe(
    "/api/memory/conversations/a%2Fb%3Fc%23d%20%C3%A9?space=x%26y",
  );
  expect(address("/profile", { query: { field: ["a", "b"], text: undefined, by: null } })).toBe(
    "/api/memory/profile?field=a&field=b",
  );
  expect(address("/api/version", {})).toBe("/api/version");
  expect(() => address("/facts/{id}", {})).toThrow("needs id");
});

test("a route survives the round trip through the address", async () => {
  const { readRoute, writeRoute } = await import("../src/store/route");
  for (const place of [
    { space: "default", view: "chat", rest: [] },
    { space: "a/b #?", view: "memory", rest: ["%2F", "ü/ö", "12"] },
  ]) {
    expect(readRoute(writeRoute(place))).toEqual(place);
  }
  expect(readRoute("")).toEqual({ space: "default", view: "chat", rest: [] });
  expect(readRoute("#/%E0%A4/chat")).toEqual({ space: "%E0%A4", view: "chat", rest: [] });
});
