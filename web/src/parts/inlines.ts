// Parses the text of a paragraph, heading or table cell: emphasis, code, links. It follows CommonMark, without HTML.

export type Span =
  | { kind: "text" | "code" | "math"; text: string }
  | { kind: "break" }
  | { kind: "strong" | "emphasis" | "strike"; spans: Span[] }
  | { kind: "link"; href: string; title: string | null; spans: Span[] }
  | { kind: "image"; href: string; title: string | null; spans: Span[] };

/** The targets of link references, by normalised label. */
export type References = ReadonlyMap<string, Target>;
export interface Target {
  href: string;
  title: string | null;
}

const PUNCTUATION = /[\p{P}\p{S}]/u;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]\w{1,31}));/y;
const AUTOLINK = /<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*)>/y;
const AUTOMAIL = /<([\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)>/y;
const BARE_URL = /https?:\/\/[^\s<>"'`*]+/iy;
const MATH = /\$\$([^$]+)\$\$|\$(?![\s$])([^$\n]*[^\s$\\])\$(?!\d)|\\\(([^\n]+?)\\\)|\\\[([\s\S]+?)\\\]/y;
const LABEL = /\[((?:[^\\[\]]|\\.)*)\]/y;
const NAMES: Record<string, string> = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", copy: "©", reg: "®", trade: "™", hellip: "…",
  mdash: "—", ndash: "–", lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", laquo: "«", raquo: "»", bull: "•",
  middot: "·", times: "×", divide: "÷", plusmn: "±", deg: "°", euro: "€", pound: "£", yen: "¥", cent: "¢", sect: "§",
  para: "¶", rarr: "→", larr: "←", harr: "↔", le: "≤", ge: "≥", ne: "≠", infin: "∞", auml: "ä", ouml: "ö",
  uuml: "ü", Auml: "Ä", Ouml: "Ö", Uuml: "Ü", szlig: "ß", AElig: "Æ", aelig: "æ", Dcaron: "Ď", frac34: "¾", frac12: "½",
  frac14: "¼", HilbertSpace: "ℋ", DifferentialD: "ⅆ", ClockwiseContourIntegral: "∲", ngE: "≧̸",
}; // biome-ignore format: a table

/** Brings the label of a reference into the form in which labels are compared. */
export function normalLabel(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase().toUpperCase();
}

/** Replaces escapes and entities by their characters. */
export function unescaped(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])|&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z]\w{1,31});/g, (all, escaped) =>
    escaped === undefined ? (entity(all, 0)?.text ?? all) : String(escaped),
  );
}

export function spans(text: string, references: References = new Map()): Span[] {
  return new InlineParser(text, references).parse();
}

function entity(text: string, at: number): { text: string; end: number } | undefined {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(text);
  if (match === null) return undefined;
  const [all, decimal, hex, name = ""] = match;
  const code = decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : undefined;
  const end = at + all.length;
  if (code === undefined) return Object.hasOwn(NAMES, name) ? { text: NAMES[name] ?? "", end } : undefined;
  const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return { text: valid ? String.fromCodePoint(code) : "\ufffd", end };
}

/** A piece of the text that may become emphasis, or a bracket that may become a link. */
interface Piece {
  spans: Span[];
  sign?: string;
  count: number;
  opens: boolean;
  closes: boolean;
  /** The length of the whole run, for the rule of three. */
  run: number;
  /** Of a bracket: the place after it, and whether a link may begin here. */
  after: number;
  active: boolean;
}

class InlineParser {
  private place = 0;
  private plain = "";
  private readonly pieces: Piece[] = [];
  private readonly openers: number[] = []; // the places of the open brackets
  private readonly lastPlaces = new Map<string, number>();
  private readonly unclosed = new Set<number>(); // lengths of backtick runs without a closing run

  constructor(
    private readonly text: string,
    private readonly references: References,
  ) {}

  parse(): Span[] {
    while (this.place < this.text.length) if (!this.special()) this.plain += this.text[this.place++];
    this.flush();
    return joined(emphasised(this.pieces));
  }

  private special(): boolean {
    switch (this.text[this.place]) {
      case "\\":
        return this.math() || this.escape();
      case "$":
        return this.math();
      case "`":
        return this.code();
      case "&":
        return this.entity();
      case "<":
        return this.autolink();
      case "\n":
        return this.newline();
      case "*":
      case "_":
      case "~":
        return this.run();
      case "!":
        return this.text[this.place + 1] === "[" && this.open("![");
      case "[":
        return this.open("[");
      case "]":
        return this.close();
      case "h":
      case "H":
        return this.bareUrl();
      default:
        return false;
    }
  }

  private flush(): void {
    if (this.plain !== "") this.add({ kind: "text", text: this.plain });
    this.plain = "";
  }

  private add(span: Span): void {
    this.pieces.push(plain(span));
  }

  private put(span: Span, end: number): true {
    this.flush();
    this.add(span);
    this.place = end;
    return true;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.place;
    return pattern.exec(this.text);
  }

  private escape(): boolean {
    const next = this.text[this.place + 1] ?? "";
    if (next === "\n") {
      this.place += 1;
      return this.lineBreak();
    }
    if (!ESCAPABLE.test(next)) return false;
    this.plain += next;
    this.place += 2;
    return true;
  }

  private math(): boolean {
    const next = this.text[this.place + 1];
    const closing = this.text[this.place] === "$" ? "$" : next === "(" ? "\\)" : next === "[" ? "\\]" : undefined;
    if (closing === undefined || this.lastOf(closing) <= this.place) return false;
    const match = this.match(MATH);
    if (match === null) return false;
    const text = (match[1] ?? match[2] ?? match[3] ?? match[4] ?? "").trim();
    return /[\p{L}\p{N}]/u.test(text) && this.put({ kind: "math", text }, this.place + match[0].length);
  }

  /** The last place of a sign, found once. */
  private lastOf(sign: string): number {
    const known = this.lastPlaces.get(sign) ?? this.text.lastIndexOf(sign);
    this.lastPlaces.set(sign, known);
    return known;
  }

  private code(): boolean {
    let end = this.place;
    while (this.text[end] === "`") end++;
    const length = end - this.place;
    for (let at = end; !this.unclosed.has(length) && at < this.text.length; ) {
      const open = this.text.indexOf("`", at);
      if (open < 0) break;
      at = open;
      while (this.text[at] === "`") at++;
      if (at - open !== length) continue;
      const inside = this.text.slice(end, open).replaceAll("\n", " ");
      const padded = /^ .*[^ ].* $/.test(inside) || /^ [^ ] $/.test(inside);
      return this.put({ kind: "code", text: padded ? inside.slice(1, -1) : inside }, at);
    }
    this.unclosed.add(length);
    this.plain += this.text.slice(this.place, end);
    this.place = end;
    return true;
  }

  private entity(): boolean {
    const found = entity(this.text, this.place);
    if (found === undefined) return false;
    this.plain += found.text;
    this.place = found.end;
    return true;
  }

  private autolink(): boolean {
    const mail = this.match(AUTOMAIL);
    const match = this.match(AUTOLINK) ?? mail;
    if (match?.[1] === undefined) return false;
    const href = (match === mail ? "mailto:" : "") + match[1];
    return this.link(href, match[1], this.place + match[0].length);
  }

  private bareUrl(): boolean {
    if (/[\p{L}\p{N}]/u.test(this.text[this.place - 1] ?? "")) return false;
    const match = this.match(BARE_URL);
    if (match === null || this.openers.some((at) => this.pieces[at]?.active)) return false; // the text of a link
    const url = withoutEnd(match[0]);
    return this.link(url, url, this.place + url.length);
  }

  private link(href: string, text: string, end: number): boolean {
    return this.put({ kind: "link", href, title: null, spans: [{ kind: "text", text }] }, end);
  }

  private newline(): boolean {
    const hard = this.plain.endsWith("  ");
    let end = this.plain.length;
    while (this.plain[end - 1] === " ") end--;
    if (end < this.plain.length) this.plain = this.plain.slice(0, end);
    if (hard) return this.lineBreak();
    this.flush(); // keeps the texts short that are searched here
    this.plain = "\n";
    this.skipLineStart();
    return true;
  }

  private lineBreak(): true {
    this.put({ kind: "break" }, this.place);
    this.skipLineStart();
    return true;
  }

  private skipLineStart(): void {
    this.place++;
    while (this.text[this.place] === " ") this.place++;
  }

  /** A run of `*`, `_` or `~`. */
  private run(): boolean {
    const sign = this.text[this.place] ?? "";
    let end = this.place;
    while (this.text[end] === sign) end++;
    const count = end - this.place;
    if (sign === "~" && count !== 2) return this.put({ kind: "text", text: sign.repeat(count) }, end);
    const before = [...this.text.slice(Math.max(0, this.place - 2), this.place)].at(-1) ?? "\n";
    const after = String.fromCodePoint(this.text.codePointAt(end) ?? 10);
    const left = !/\s/u.test(after) && (!PUNCTUATION.test(after) || /\s/u.test(before) || PUNCTUATION.test(before));
    const right = !/\s/u.test(before) && (!PUNCTUATION.test(before) || /\s/u.test(after) || PUNCTUATION.test(after));
    const opens = left && (sign !== "_" || !right || PUNCTUATION.test(before));
    const closes = right && (sign !== "_" || !left || PUNCTUATION.test(after));
    this.flush();
    this.pieces.push({ spans: [], sign, count, opens, closes, run: count, after: 0, active: false });
    this.place = end;
    return true;
  }

  private open(sign: "[" | "!["): true {
    this.flush();
    this.place += sign.length;
    this.openers.push(this.pieces.length);
    this.pieces.push({ ...plain({ kind: "text", text: sign }), sign, after: this.place, active: true });
    return true;
  }

  private close(): boolean {
    const at = this.openers.pop();
    const opener = at === undefined ? undefined : this.pieces[at];
    if (at === undefined || opener === undefined) return false;
    this.flush();
    const found = opener.active ? this.target(opener) : undefined;
    if (found === undefined) {
      delete opener.sign;
      return false;
    }
    const inner = this.pieces.splice(at).slice(1);
    const kind = opener.sign === "![" ? "image" : "link";
    const { href, title } = found.target;
    this.put({ kind, href, title, spans: joined(emphasised(inner)) }, found.end);
    if (kind === "link") {
      for (const place of this.openers) {
        const piece = this.pieces[place];
        if (piece?.sign === "[") piece.active = false; // a link contains no link
      }
    }
    return true;
  }

  /** What a closing bracket links to: `(target "title")`, `[label]`, or its own text as a label. */
  private target(opener: Piece): { target: Target; end: number } | undefined {
    const inline = inlineTarget(this.text, this.place + 1);
    if (inline !== undefined) return inline;
    LABEL.lastIndex = this.place + 1;
    const match = LABEL.exec(this.text);
    const own = this.text.slice(opener.after, this.place);
    const label = match?.[1] !== undefined && match[1].trim() !== "" ? match[1] : own;
    const target = this.references.get(normalLabel(label));
    return target && { target, end: this.place + 1 + (match?.[0].length ?? 0) };
  }
}

/** An address without the punctuation of the sentence that it ends. */
function withoutEnd(address: string): string {
  let end = address.length;
  let open = address.split(")").length - address.split("(").length; // closing parentheses too many
  for (; end > 0; end--) {
    const last = address[end - 1] ?? "";
    if (last === ")" && open > 0) open--;
    else if (!/[?!.,:;'"~_\]|]/.test(last)) break;
  }
  return address.slice(0, end);
}

function isBracket(piece: Piece | undefined): boolean {
  return piece?.sign === "[" || piece?.sign === "![";
}

function inlineTarget(text: string, at: number): { target: Target; end: number } | undefined {
  if (text[at] !== "(") return undefined;
  let place = skipSpace(text, at + 1);
  const destination = destinationAt(text, place);
  if (destination === undefined) return undefined;
  const afterHref = destination.end;
  place = skipSpace(text, afterHref);
  const title = place > afterHref ? titleAt(text, place) : undefined;
  if (title !== undefined) place = skipSpace(text, title.end);
  if (text[place] !== ")") return undefined;
  return { target: { href: destination.text, title: title?.text ?? null }, end: place + 1 };
}

function skipSpace(text: string, at: number): number {
  let place = at;
  while (/[ \t\n]/.test(text[place] ?? "")) place++;
  return place;
}

/** A link destination: `<…>`, or characters without spaces and with balanced parentheses. */
export function destinationAt(text: string, at: number): { text: string; end: number } | undefined {
  if (text[at] === "<") {
    const match = /^<((?:[^<>\n\\]|\\.)*)>/.exec(text.slice(at));
    return match?.[1] === undefined ? undefined : { text: unescaped(match[1]), end: at + match[0].length };
  }
  let depth = 0;
  let place = at;
  for (; place < text.length; place++) {
    const sign = text[place] ?? "";
    if (sign === "\\" && ESCAPABLE.test(text[place + 1] ?? "")) place++;
    else if (/[ \p{Cc}]/u.test(sign)) break;
    else if (sign === "(" && ++depth > 32) return undefined;
    else if (sign === ")" && --depth < 0) break;
  }
  return depth > 0 ? undefined : { text: unescaped(text.slice(at, place)), end: place };
}

export function titleAt(text: string, at: number): { text: string; end: number } | undefined {
  const match = /^(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|\(((?:[^()\\]|\\[\s\S])*)\))/.exec(
    text.slice(at),
  );
  if (match === null) return undefined;
  return { text: unescaped(match[1] ?? match[2] ?? match[3] ?? ""), end: at + match[0].length };
}

/** Pairs the runs of signs, as CommonMark does, and returns the spans of all pieces. */
function emphasised(pieces: readonly Piece[]): Span[] {
  const done: Piece[] = [];
  const floors = new Map<string, number>(); // up to this place, there is no opener for such a closer
  for (const closer of pieces) {
    while (isRun(closer) && closer.closes) {
      const key = `${closer.sign}${closer.opens}${closer.run % 3}`;
      const floor = floors.get(key) ?? -1;
      let from = done.length - 1;
      while (from > floor && !pairs(done[from], closer)) from--;
      const opener = done[from];
      if (from <= floor || opener === undefined) {
        floors.set(key, done.length - 1);
        break;
      }
      const used = opener.count >= 2 && closer.count >= 2 ? 2 : 1;
      const spans = joined(done.splice(from + 1).flatMap(flat));
      opener.count -= used;
      closer.count -= used;
      if (opener.count === 0) done.pop();
      for (const [each, place] of floors) floors.set(each, Math.min(place, done.length - 1));
      const kind = closer.sign === "~" ? "strike" : used === 2 ? "strong" : "emphasis";
      done.push(plain({ kind, spans }));
    }
    if (closer.sign === undefined || isBracket(closer) || closer.count > 0) done.push(closer);
  }
  return done.flatMap(flat);
}

/** A piece that is what it is. */
function plain(span: Span): Piece {
  return { spans: [span], count: 0, opens: false, closes: false, run: 0, after: 0, active: false };
}

function isRun(piece: Piece): boolean {
  return piece.sign !== undefined && !isBracket(piece) && piece.count > 0;
}

function pairs(opener: Piece | undefined, closer: Piece): boolean {
  if (opener === undefined || opener.sign !== closer.sign || !opener.opens || opener.count === 0) return false;
  const both = opener.closes || closer.opens;
  return !both || (opener.run + closer.run) % 3 !== 0 || (opener.run % 3 === 0 && closer.run % 3 === 0);
}

function flat(piece: Piece): Span[] {
  return isRun(piece) ? [{ kind: "text", text: (piece.sign ?? "").repeat(piece.count) }] : piece.spans;
}

/** Joins neighbouring texts. */
function joined(all: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of all) {
    const last = result.at(-1);
    if (span.kind === "text" && last?.kind === "text")
      result[result.length - 1] = { kind: "text", text: last.text + span.text };
    else result.push(span);
  }
  return result;
}
