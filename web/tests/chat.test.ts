import { expect, test } from "vitest";
import { cut, shorten } from "../src/parts/shorten";
import { isSearchable } from "../src/views/chat/searchable";
import { nameOf } from "../src/views/chat/titles";

const free = () => false;

test("a new name comes from the title, in any script, and is unique", () => {
  expect(nameOf("  A trip to Lisbon!", free)).toBe("a-trip-to-lisbon");
  expect(nameOf("q/?#", free)).toBe("q");
  expect(nameOf("..", free)).toBe("conversation");
  expect(nameOf("Trip", (name) => name === "trip")).toBe("trip-2");
  expect(nameOf(`${"a".repeat(59)} trip`, free)).toBe("a".repeat(59));
});

test("a title beyond the basic plane is cut between its characters", () => {
  const name = nameOf(`a${"𠮷".repeat(40)}`, free);
  expect(() => encodeURIComponent(name)).not.toThrow();
  expect(name).toBe(`a${"𠮷".repeat(29)}`);
  expect(cut("a👩b", 2)).toBe("a");
  expect(cut("a👩b", 3)).toBe("a👩");
  expect(shorten("👩".repeat(5), 3)).toBe("👩👩…");
});

test("messages are searched from two characters on, or from one in a script where one is a word", () => {
  expect(["", "a", "é", "7", "?"].filter(isSearchable)).toEqual([]);
  expect(["ab", "猫", "東京", "я", "ж7"].filter((words) => !isSearchable(words))).toEqual([]);
});
