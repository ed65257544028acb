import { expect, test } from "vitest";
import { highlight } from "../src/parts/highlight";
import { spans } from "../src/parts/inlines";
import { blocks } from "../src/parts/markdown";
import { outline } from "../src/parts/outline";
import { webAddress } from "../src/parts/Prose";

const text = (words: string) => ({ kind: "text" as const, text: words });
const paragraph = (words: string) => ({ kind: "paragraph" as const, spans: [text(words)] });

test("code is the text between fences", () => {
  expect(blocks("Look:\n\n```python\nprint('x')\n```\nDone.")).toEqual([
    paragraph("Look:"),
    { kind: "code", text: "print('x')", language: "python" },
    paragraph("Done."),
  ]);
  expect(blocks("```make\nall:\n\tcc a.c\n```")).toEqual([{ kind: "code", text: "all:\n\tcc a.c", language: "make" }]);
});

test("an unclosed fence contains the rest, and a longer fence contains shorter ones", () => {
  expect(blocks("```\na\nb")).toEqual([{ kind: "code", text: "a\nb", language: null }]);
  expect(blocks("````md\n```js\nx\n```\n````")).toEqual([{ kind: "code", text: "```js\nx\n```", language: "md" }]);
});

test("inline code and bold text", () => {
  expect(spans("use `a*b` and **never** this")).toEqual([
    text("use "),
    { kind: "code", text: "a*b" },
    text(" and "),
    { kind: "strong", spans: [text("never")] },
    text(" this"),
  ]);
  expect(spans("2 ** 3 ** 4 and a lone `")).toEqual([text("2 ** 3 ** 4 and a lone `")]);
});

test("lists nest, and a blank line between items makes a list loose", () => {
  expect(blocks("1. a\n   - b\n   - c\n2. d")).toEqual([
    {
      kind: "list",
      start: 1,
      tight: true,
      items: [
        [
          paragraph("a"),
          { kind: "list", start: null, tight: true, items: [[paragraph("b")], [paragraph("c")]], tasks: [null, null] },
        ],
        [paragraph("d")],
      ],
      tasks: [null, null],
    },
  ]);
  expect(blocks("- a\n\n- b")).toMatchObject([{ tight: false }]);
});

test("an item of a list may be a task", () => {
  expect(blocks("- [ ] buy bread\n- [x] *done*\n- [link](x)")).toMatchObject([
    { items: [[paragraph("buy bread")], [{ spans: [{ kind: "emphasis" }] }], [{}]], tasks: [false, true, null] },
  ]);
});

test("an address ends before the punctuation of its sentence, and only two tildes strike out", () => {
  expect(spans("(see http://a.org/b(c).)")).toMatchObject([{}, { href: "http://a.org/b(c)" }, text(".)")]);
  expect(spans("~~~a~~~ ~5 ~~b~~")).toEqual([text("~~~a~~~ ~5 "), { kind: "strike", spans: [text("b")] }]);
});

test("a table has as many cells in each row as in its head", () => {
  expect(blocks("| a | b |\n|:--|--:|\n| `x` | 1 \\| 2 | 3 |\n| y |\n\nEnd")).toEqual([
    {
      kind: "table",
      aligns: ["left", "right"],
      head: [[text("a")], [text("b")]],
      rows: [
        [[{ kind: "code", text: "x" }], [text("1 | 2")]],
        [[text("y")], []],
      ],
    },
    paragraph("End"),
  ]);
});

test("maths is code, and prices are not maths", () => {
  expect(spans("so $a^2 + b$ and \\(x_1\\)")).toEqual([
    text("so "),
    { kind: "math", text: "a^2 + b" },
    text(" and "),
    { kind: "math", text: "x_1" },
  ]);
  expect(blocks("$$\n\\int x\n$$")).toEqual([{ kind: "code", text: "\\int x", language: "math" }]);
  expect(spans("from $5 to $10, and $20 more")).toEqual([text("from $5 to $10, and $20 more")]);
});

test("HTML is text", () => {
  const written = "<script>alert(1)</script> <img src=x onerror=alert(1)>";
  expect(blocks(written)).toEqual([paragraph(written)]);
});

test("a link opens pages of the web and mail, and nothing else", () => {
  expect(webAddress("https://example.org/a?b")).toBe("https://example.org/a?b");
  expect(webAddress("mailto:a@example.org")).toBe("mailto:a@example.org");
  const refused = [
    "javascript:alert(1)",
    " java\nscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc",
    "/a",
    "a",
  ];
  for (const href of refused) expect(webAddress(href)).toBeNull();
});

test("headings of a message follow the heading of the page without gaps", () => {
  expect(outline(blocks("# a\n### b\n## c\n###### d"))).toMatchObject([
    { level: 2 },
    { level: 3 },
    { level: 3 },
    { level: 4 },
  ]);
  expect(outline(blocks("#### a\n# b"))).toMatchObject([{ level: 2 }, { level: 2 }]);
});

test("long markup takes linear time", () => {
  for (const part of [
    "*a ",
    "[",
    "`".repeat(3),
    "> ",
    "- ",
    "![",
    "_a*b",
    "$a ",
    "<a",
    "| ",
    "\\[",
    "](",
    "[a]: ",
    "a\n",
  ]) {
    expect(blocks(part.repeat(5_000)).length).toBeGreaterThan(0);
    expect(blocks(`${part.repeat(5_000)}b`).length).toBeGreaterThan(0);
  }
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
  const long = "'".repeat(5_000);
  expect(
    highlight(long, "c")
      .map((token) => token.text)
      .join(""),
  ).toBe(long);
});
