import { expect, test } from "vitest";
import { Offsets } from "../src/parts/offsets";

const keys = Array.from({ length: 10_000 }, (_, index) => `m${index}`);

test("a row starts where the row above it ends", () => {
  const offsets = new Offsets(100);
  offsets.set(keys);
  expect(offsets.total).toBe(1_000_000);
  expect(offsets.measure("m3", 40)).toBe(true);
  expect(offsets.measure("m3", 40)).toBe(false);
  expect(offsets.top(3)).toBe(300);
  expect(offsets.top(4)).toBe(340);
  expect(offsets.total).toBe(999_940);
});

test("the row at a position is the one that covers it", () => {
  const offsets = new Offsets(100);
  offsets.set(keys);
  for (let index = 0; index < keys.length; index += 7) offsets.measure(`m${index}`, 1 + (index % 313));
  for (const index of [0, 1, 6, 7, 4999, 9999]) {
    expect(offsets.at(offsets.top(index))).toBe(index);
    expect(offsets.at(offsets.top(index + 1) - 0.5)).toBe(index);
  }
  expect(offsets.at(-5)).toBe(0);
  expect(offsets.at(offsets.total + 5)).toBe(9999);
});

test("measured heights are kept when rows are added above", () => {
  const offsets = new Offsets(100);
  offsets.set(["b"]);
  offsets.measure("b", 7);
  offsets.set(["a", "b"]);
  expect(offsets.top(1)).toBe(100);
  expect(offsets.total).toBe(107);
});

test("a list without rows has no height", () => {
  const offsets = new Offsets(100);
  offsets.set([]);
  expect(offsets.total).toBe(0);
  expect(offsets.at(50)).toBe(0);
});
