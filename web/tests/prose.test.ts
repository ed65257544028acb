import { expect, test } from "vitest";
import { highlight } from "../src/parts/highlight";
import { blocks, spans } from "../src/parts/prose";

test("code is the text between fences", () => {
  expect(blocks("Look:\n\n```python\nprint('x')\n```\nDone.")).toEqual([
    { kind: "prose", text: "Look:" },
    { kind: "code", text: "print('x')", language: "python" },
    { kind: "prose", text: "Done." },
  ]);
});

test("an unclosed fence contains the rest, and a longer fence contains shorter ones", () => {
  expect(blocks("```\na\nb")).toEqual([{ kind: "code", text: "a\nb", language: null }]);
  expect(blocks("````md\n```js\nx\n```\n````")).toEqual([{ kind: "code", text: "```js\nx\n```", language: "md" }]);
});

test("inline code and bold text", () => {
  expect(spans("use `a*b` and **never** this")).toEqual([
    { kind: "text", text: "use " },
    { kind: "code", text: "a*b" },
    { kind: "text", text: " and " },
    { kind: "strong", text: "never" },
    { kind: "text", text: " this" },
  ]);
  expect(spans("2 ** 3 ** 4 and a lone `")).toEqual([{ kind: "text", text: "2 ** 3 ** 4 and a lone `" }]);
});

const CODE = `def f(x: int) -> str:  # it's fine
    """A 'doc'."""
    return "a\\"b" + str(x) + '''`;

test("highlighting changes no character", () => {
  for (const language of ["python", "js", "sql", "bash", "brainfuck", null]) {
    expect(
      highlight(CODE, language)
        .map((token) => token.text)
        .join(""),
    ).toBe(CODE);
  }
  expect(highlight("", "python")).toEqual([]);
});

test("keywords, strings, comments and calls are distinguished", () => {
  const kinds = new Map(highlight(CODE, "python").map((token) => [token.text, token.kind]));
  expect(kinds.get("def")).toBe("keyword");
  expect(kinds.get("# it's fine")).toBe("comment");
  expect(kinds.get('"""A \'doc\'."""')).toBe("string");
  expect(kinds.get('"a\\"b"')).toBe("string");
  expect(highlight("print(1)", "py")[0]).toEqual({ kind: "name", text: "print" });
});

test("highlighting a long line takes linear time", () => {
  const long = "'".repeat(20_000);
  expect(
    highlight(long, "c")
      .map((token) => token.text)
      .join(""),
  ).toBe(long);
});
