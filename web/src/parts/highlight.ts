// Highlights code of any language: keywords, strings, comments, numbers, calls. One pass, no backtracking.

export type Kind = "plain" | "keyword" | "string" | "comment" | "number" | "name";
export interface Token {
  kind: Kind;
  text: string;
}

const COMMON = "if else for while return break continue switch case default try finally new in of do true false null";
const LANGUAGES: Record<string, { words: string; line: string[]; block?: [string, string] }> = {
  python: {
    words:
      "def class return if elif else for while in not and or is None True False import from as with try except finally raise yield lambda pass break continue async await global nonlocal assert del match case",
    line: ["#"],
  },
  javascript: {
    words: `${COMMON} function const let var class extends import export from async await typeof instanceof throw catch this super static get set yield delete void undefined interface type enum implements readonly as keyof`,
    line: ["//"],
    block: ["/*", "*/"],
  },
  c: {
    words: `${COMMON} int char float double void struct enum union typedef static const unsigned long short sizeof goto include define class public private protected virtual template namespace using auto func fn let mut pub impl trait use mod match package import defer go chan interface type var val fun object when is final abstract extends implements throws throw catch this super string bool boolean self Self where move ref async await nil`,
    line: ["//"],
    block: ["/*", "*/"],
  },
  shell: {
    words:
      "if then else elif fi for while do done case esac in function return export local set unset echo cd source exit sudo",
    line: ["#"],
  },
  sql: {
    words:
      "select from where and or not in insert into values update set delete create table index view drop alter add primary key foreign references join left right inner outer on group by order having limit offset as distinct union all null is like between case when then else end begin commit rollback with returning exists default unique",
    line: ["--"],
    block: ["/*", "*/"],
  },
  yaml: { words: "true false null yes no", line: ["#"] },
};
const OTHER_NAMES: Record<string, string> = {
  py: "python",
  js: "javascript",
  ts: "javascript",
  jsx: "javascript",
  tsx: "javascript",
  typescript: "javascript",
  json: "javascript",
  sh: "shell",
  bash: "shell",
  zsh: "shell",
  console: "shell",
  yml: "yaml",
  toml: "yaml",
  ini: "yaml",
  makefile: "shell",
  dockerfile: "shell",
  rb: "python",
  ruby: "python",
  postgresql: "sql",
  sqlite: "sql",
};
const PIECE = /[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|\s+|./guy;

/** The tokens of a piece of code; joined, they are the code. */
export function highlight(code: string, language: string | null): Token[] {
  const name = (language ?? "").toLowerCase();
  const syntax = LANGUAGES[OTHER_NAMES[name] ?? name] ?? LANGUAGES.c;
  if (syntax === undefined) return [{ kind: "plain", text: code }];
  const fold = syntax === LANGUAGES.sql;
  const words = new Set(syntax.words.split(" "));
  const tokens: Token[] = [];
  let place = 0;
  const take = (kind: Kind, end: number) => {
    const last = tokens.at(-1);
    const text = code.slice(place, end);
    if (last !== undefined && last.kind === kind) last.text += text;
    else tokens.push({ kind, text });
    place = end;
  };
  while (place < code.length) {
    const string = stringEnd(code, place);
    const comment = string === 0 ? commentEnd(code, place, syntax) : 0;
    if (string > 0) take("string", string);
    else if (comment > 0) take("comment", comment);
    else {
      PIECE.lastIndex = place;
      const piece = PIECE.exec(code)?.[0] ?? code.charAt(place);
      const end = place + piece.length;
      if (words.has(fold ? piece.toLowerCase() : piece)) take("keyword", end);
      else if (/^\d/.test(piece)) take("number", end);
      else if (/^[\p{L}_$]/u.test(piece) && code.charAt(end) === "(") take("name", end);
      else take("plain", end);
    }
  }
  return tokens;
}

function stringEnd(code: string, start: number): number {
  const quote = code.charAt(start);
  if (quote !== '"' && quote !== "'" && quote !== "`") return 0;
  const triple = quote.repeat(3);
  if (quote !== "`" && code.startsWith(triple, start)) {
    const close = code.indexOf(triple, start + 3);
    return close < 0 ? code.length : close + 3;
  }
  for (let place = start + 1; place < code.length; place++) {
    const sign = code.charAt(place);
    if (sign === "\\") place++;
    else if (sign === quote) return place + 1;
    else if (sign === "\n" && quote !== "`") return 0; // an apostrophe
  }
  return 0;
}

function commentEnd(code: string, start: number, language: { line: string[]; block?: [string, string] }): number {
  if (language.block !== undefined && code.startsWith(language.block[0], start)) {
    const close = code.indexOf(language.block[1], start + 2);
    return close < 0 ? code.length : close + 2;
  }
  if (!language.line.some((mark) => code.startsWith(mark, start))) return 0;
  const line = code.indexOf("\n", start);
  return line < 0 ? code.length : line;
}
