// Parses a message as CommonMark, with tables and maths, without HTML: markup that it does not know stays text. It
// creates values, never HTML.
import { destinationAt, normalLabel, type Span, spans, type Target, titleAt, unescaped } from "./inlines";

export type Align = "left" | "center" | "right" | null;
export type Block =
  | { kind: "paragraph"; spans: Span[] }
  | { kind: "heading"; level: number; spans: Span[] }
  | { kind: "code"; text: string; language: string | null }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; start: number | null; tight: boolean; items: Block[][]; tasks: Task[] }
  | { kind: "table"; aligns: Align[]; head: Span[][]; rows: Span[][][] }
  | { kind: "rule" };

/** Of an item of a list: whether it is done; null if it is no task. */
export type Task = boolean | null;

export function blocks(text: string): Block[] {
  return new BlockParser().parse(text);
}

const DEEPEST = 24; // levels of quotes and lists; deeper ones are text
const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*?)[ \t]*$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const MARKER = /^( {0,3})([-+*]|(\d{1,9})([.)]))( +|$)/;
const DELIMITERS = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const PREFIX = /^(?:[ \t>]|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/;

type Leaf =
  | { kind: "paragraph"; lines: string[] }
  | { kind: "table"; aligns: Align[]; head: string[]; rows: string[][] }
  | { kind: "indented"; lines: string[] }
  | { kind: "fenced"; fence: string; indent: number; language: string | null; lines: string[] };

interface List {
  kind: "list";
  /** The character of its markers. */
  sign: string;
  start: number | null;
  tight: boolean;
  items: Node[][];
}

/** A block whose text is not parsed yet, because references may be defined below it. */
type Node =
  | { kind: "paragraph"; text: string }
  | { kind: "heading"; level: number; text: string }
  | { kind: "code"; text: string; language: string | null }
  | { kind: "quote"; nodes: Node[] }
  | { kind: "table"; aligns: Align[]; head: string[]; rows: string[][] }
  | { kind: "rule" }
  | List;

/** An open quote or list item. */
interface Container {
  kind: "quote" | "item";
  nodes: Node[];
  /** Of an item: the columns of its content, and its list. */
  indent: number;
  list: List | undefined;
}

class BlockParser {
  private readonly root: Node[] = [];
  private readonly references = new Map<string, Target>();
  private open: Container[] = [];
  private leaf: Leaf | undefined;
  private afterBlank = false;

  parse(text: string): Block[] {
    const lines = text.replace(/\0/g, "\ufffd").split(/\r\n|\n|\r/);
    if (lines.at(-1) === "") lines.pop(); // the end of the last line
    for (const line of lines) this.line(line);
    this.closeTo(0);
    return this.finish(this.root);
  }

  private finish(nodes: readonly Node[]): Block[] {
    const inline = (text: string) => spans(text, this.references);
    return nodes.map((node): Block => {
      switch (node.kind) {
        case "paragraph":
          return { kind: "paragraph", spans: inline(node.text) };
        case "heading":
          return { kind: "heading", level: node.level, spans: inline(node.text) };
        case "quote":
          return { kind: "quote", blocks: this.finish(node.nodes) };
        case "list": {
          const { start, tight } = node;
          const tasks = node.items.map(taskOf);
          const items = node.items.map((item, index) => this.finish(tasks[index] === null ? item : withoutBox(item)));
          return { kind: "list", start, tight, items, tasks };
        }
        case "table":
          return { ...node, head: node.head.map(inline), rows: node.rows.map((row) => row.map(inline)) };
        default:
          return node;
      }
    });
  }

  private line(raw: string): void {
    const { depth, rest } = this.continued(
      this.leaf?.kind === "fenced" && this.open.length === 0 ? raw : expanded(raw),
    );
    const whole = depth === this.open.length;
    if (whole && this.leaf?.kind === "fenced") {
      this.afterBlank = false;
      this.inFence(this.leaf, rest);
      return;
    }
    const blank = rest.trim() === "";
    if (!blank && this.starts(depth, rest)) this.afterBlank = false;
    else {
      if (blank || !(this.leaf?.kind === "paragraph" && !whole)) this.closeTo(depth, whole);
      this.text(rest, blank);
      const quoted = this.open[depth - 1]?.kind === "quote" && whole && depth > 0;
      this.afterBlank = blank && !quoted;
    }
  }

  /** How many open quotes and items the line continues, and what is left of it. */
  private continued(line: string): { depth: number; rest: string } {
    let rest = line;
    let depth = 0;
    for (const container of this.open) {
      const blank = rest.trim() === "";
      if (container.kind === "quote") {
        const mark = QUOTE.exec(rest);
        if (mark === null) break;
        rest = rest.slice(mark[0].length);
      } else if (blank) {
        const empty = container.nodes.length === 0 && this.leaf === undefined && container === this.open.at(-1);
        if (empty) break;
        rest = rest.slice(container.indent);
      } else if (indentOf(rest) >= container.indent) rest = rest.slice(container.indent);
      else break;
      depth++;
    }
    return { depth, rest };
  }

  /** Begins the blocks that a line begins. Returns false if the line is text. */
  private starts(at: number, line: string): boolean {
    let depth = at;
    let rest = line;
    let began = false;
    for (;;) {
      const paragraph = !began && depth === this.open.length && this.leaf?.kind === "paragraph";
      const opened = indentOf(rest) < 4 && depth < DEEPEST ? this.container(depth, rest, paragraph) : undefined;
      if (opened === undefined) {
        const begins = indentOf(rest) < 4 && this.begin(depth, rest, paragraph);
        if (!begins && began) this.text(rest, rest.trim() === "");
        return begins || began;
      }
      rest = opened;
      depth = this.open.length;
      began = true;
    }
  }

  /** Opens a quote or a list item. Returns the rest of the line, or undefined if there is none. */
  private container(depth: number, rest: string, paragraph: boolean): string | undefined {
    const quote = QUOTE.exec(rest);
    if (quote !== null) {
      this.closeTo(depth);
      const nodes: Node[] = [];
      this.add({ kind: "quote", nodes });
      this.open.push({ kind: "quote", nodes, indent: 0, list: undefined });
      return rest.slice(quote[0].length);
    }
    const marker = MARKER.exec(rest);
    if (marker === null || RULE.test(rest) || (paragraph && UNDERLINE.test(rest))) return undefined;
    const [all, before = "", sign = "", number, delimiter, space = ""] = marker;
    const content = rest.slice(all.length);
    if (paragraph && (content.trim() === "" || (number !== undefined && Number(number) !== 1))) return undefined;
    this.closeTo(depth);
    const wide = content.trim() === "" || space.length > 4;
    const indent = before.length + sign.length + (wide ? 1 : space.length);
    this.item(delimiter ?? sign, number === undefined ? null : Number(number), indent);
    return rest.slice(Math.min(indent, rest.length));
  }

  private item(sign: string, start: number | null, indent: number): void {
    const siblings = this.open.at(-1)?.nodes ?? this.root;
    const last = siblings.at(-1);
    const nodes: Node[] = [];
    let list: List;
    if (last?.kind === "list" && last.sign === sign) {
      list = last;
      if (this.afterBlank) list.tight = false;
    } else {
      list = { kind: "list", sign, start, tight: true, items: [] };
      this.add(list);
    }
    this.afterBlank = false;
    list.items.push(nodes);
    this.open.push({ kind: "item", nodes, indent, list });
  }

  /** Begins a heading, a rule, a fence or a table. */
  private begin(depth: number, rest: string, paragraph: boolean): boolean {
    if (paragraph && this.leaf?.kind === "paragraph" && this.turn(this.leaf, rest)) return true;
    const heading = HEADING.exec(rest);
    const fence = FENCE.exec(rest);
    if (heading?.[1] === undefined && fence === null && !RULE.test(rest)) return false;
    this.closeTo(depth);
    if (heading?.[1] !== undefined) {
      this.add({ kind: "heading", level: heading[1].length, text: heading[2]?.replace(/^#+$/, "").trim() ?? "" });
    } else if (fence === null) this.add({ kind: "rule" });
    else {
      const language = unescaped((fence[3] ?? "").split(/\s/)[0] ?? "") || null;
      this.leaf = { kind: "fenced", fence: fence[2] ?? "", indent: fence[1]?.length ?? 0, language, lines: [] };
    }
    return true;
  }

  /** Turns a paragraph into a heading or a table because of the line below it. */
  private turn(leaf: Leaf & { kind: "paragraph" }, rest: string): boolean {
    const underline = UNDERLINE.exec(rest);
    if (underline?.[1] !== undefined) {
      const text = this.withoutDefinitions(leaf.lines.join("\n")).trimEnd();
      if (text === "") return false;
      this.leaf = undefined;
      this.add({ kind: "heading", level: underline[1].startsWith("=") ? 1 : 2, text });
      return true;
    }
    const header = leaf.lines.at(-1) ?? "";
    if (!rest.includes("-") || !DELIMITERS.test(rest) || !(header.includes("|") || rest.includes("|"))) return false;
    const head = cells(header);
    const aligns = cells(rest).map(alignOf);
    if (head.length !== aligns.length) return false;
    leaf.lines.pop();
    this.closeLeaf();
    this.leaf = { kind: "table", aligns, head, rows: [] };
    return true;
  }

  private inFence(leaf: Leaf & { kind: "fenced" }, rest: string): void {
    const close = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(rest);
    if (close?.[1]?.startsWith(leaf.fence)) this.closeLeaf();
    else leaf.lines.push(rest.replace(new RegExp(`^ {0,${leaf.indent}}`), ""));
  }

  private text(rest: string, blank: boolean): void {
    const leaf = this.leaf;
    if (leaf?.kind === "indented") {
      if (blank || indentOf(rest) >= 4) {
        leaf.lines.push(rest.slice(4));
        return;
      }
      this.closeLeaf();
    } else if (leaf?.kind === "table" && !blank && indentOf(rest) < 4) {
      leaf.rows.push(leaf.aligns.map((_, column) => cells(rest)[column] ?? ""));
      return;
    } else if (leaf?.kind === "paragraph" && !blank) {
      leaf.lines.push(rest.trimStart());
      return;
    }
    if (blank) {
      if (leaf?.kind !== "indented") this.closeLeaf();
    } else if (indentOf(rest) >= 4) {
      this.closeLeaf(); // a table
      this.leaf = { kind: "indented", lines: [rest.slice(4)] };
    } else this.leaf = { kind: "paragraph", lines: [rest.trimStart()] };
    if (this.leaf !== undefined && this.afterBlank) this.loosen();
  }

  /** A block after a blank line in an item makes its list loose. */
  private loosen(): void {
    const container = this.open.at(-1);
    if (container?.list !== undefined && container.nodes.length > 0) container.list.tight = false;
  }

  private add(node: Node): void {
    if (this.afterBlank) this.loosen();
    (this.open.at(-1)?.nodes ?? this.root).push(node);
  }

  private closeTo(depth: number, keepLeaf = false): void {
    if (!keepLeaf || depth < this.open.length) this.closeLeaf();
    this.open.length = depth;
  }

  private closeLeaf(): void {
    const leaf = this.leaf;
    this.leaf = undefined;
    if (leaf === undefined) return;
    const nodes = this.open.at(-1)?.nodes ?? this.root;
    if (leaf.kind === "fenced") nodes.push({ kind: "code", text: leaf.lines.join("\n"), language: leaf.language });
    else if (leaf.kind === "indented") {
      const text = leaf.lines
        .join("\n")
        .replace(/^( *\n)+/, "")
        .replace(/(\n *)+$/, "");
      nodes.push({ kind: "code", text, language: null });
    } else if (leaf.kind === "table") nodes.push(leaf);
    else {
      const text = this.withoutDefinitions(leaf.lines.join("\n")).trimEnd();
      const maths = /^(?:\$\$([^$]+)\$\$|\\\[([\s\S]+)\\\])$/.exec(text);
      if (maths !== null) nodes.push({ kind: "code", text: (maths[1] ?? maths[2] ?? "").trim(), language: "math" });
      else if (text !== "") nodes.push({ kind: "paragraph", text });
    }
  }

  /** Stores the references that a paragraph begins with, and returns its rest. */
  private withoutDefinitions(text: string): string {
    let rest = text;
    for (;;) {
      const label = /^\[((?:[^\\[\]]|\\[\s\S])+)\]:[ \t]*\n?[ \t]*/.exec(rest);
      if (label?.[1] === undefined || label[1].trim() === "" || label[0].length === rest.length) return rest;
      const target = destinationAt(rest, label[0].length);
      if (target === undefined) return rest;
      const gap = /^[ \t]*\n?[ \t]*/.exec(rest.slice(target.end))?.[0] ?? "";
      const title = gap === "" ? undefined : titleAt(rest, target.end + gap.length);
      const ends = (place: number) => /^[ \t]*(?:\n|$)/.exec(rest.slice(place));
      const end = (title && ends(title.end)) ?? ends(target.end);
      if (end === null || end === undefined) return rest;
      const titled = title !== undefined && ends(title.end) !== null;
      const name = normalLabel(label[1]);
      if (!this.references.has(name)) {
        this.references.set(name, { href: target.text, title: titled ? title.text : null });
      }
      rest = rest.slice((titled ? title.end : target.end) + end[0].length);
    }
  }
}

const BOX = /^\[([ xX])\][ \t\n]+(?=\S)/;

function taskOf([first]: readonly Node[]): Task {
  const box = first?.kind === "paragraph" ? BOX.exec(first.text) : null;
  return box === null ? null : box[1] !== " ";
}

function withoutBox([first, ...rest]: readonly Node[]): Node[] {
  return first?.kind === "paragraph" ? [{ ...first, text: first.text.replace(BOX, "") }, ...rest] : rest;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The line with the tabs before its text as spaces. */
function expanded(line: string): string {
  const prefix = PREFIX.exec(line)?.[0] ?? "";
  if (!prefix.includes("\t")) return line;
  let spaces = "";
  for (const sign of prefix) spaces += sign === "\t" ? " ".repeat(4 - (spaces.length % 4)) : sign;
  return spaces + line.slice(prefix.length);
}

/** The cells of a row of a table. */
function cells(line: string): string[] {
  const row = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function alignOf(delimiter: string): Align {
  const left = delimiter.startsWith(":");
  const right = delimiter.endsWith(":");
  return left && right ? "center" : right ? "right" : left ? "left" : null;
}
