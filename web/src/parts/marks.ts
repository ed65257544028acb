// Marks the words of a search in a text.
import { shorten } from "./shorten";

export interface Piece {
  text: string;
  marked: boolean;
}

const BEFORE = 40; // characters shown before the first marked word

function pattern(words: string): RegExp | undefined {
  const terms = words.match(/[\p{L}\p{N}_]+/gu)?.filter((term) => term.length > 1 || /[^\x20-\x7e]/.test(term));
  if (!terms || terms.length === 0) return undefined;
  const longestFirst = [...new Set(terms)].sort((a, b) => b.length - a.length);
  const starts = longestFirst.map((term) =>
    /^[\x20-\x7e\u00c0-\u024f]/.test(term) ? `(?<![\\p{L}\\p{N}])${term}` : term,
  );
  return new RegExp(starts.join("|"), "giu");
}

/** The pieces of a text; joined, they are the text. A word is marked where one begins with a word of the search. */
export function marks(text: string, words: string): Piece[] {
  const found = pattern(words);
  if (found === undefined) return [{ text, marked: false }];
  const pieces: Piece[] = [];
  let place = 0;
  for (const match of text.matchAll(found)) {
    if (match.index > place) pieces.push({ text: text.slice(place, match.index), marked: false });
    place = match.index + match[0].length;
    pieces.push({ text: match[0], marked: true });
  }
  if (place < text.length || pieces.length === 0) pieces.push({ text: text.slice(place), marked: false });
  return pieces;
}

/** The part of a text around the first marked word, in at most `most` characters. */
export function excerpt(text: string, words: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  const found = pattern(words)?.exec(line);
  if (!found || found.index < most - BEFORE) return shorten(line, most);
  const start = line.lastIndexOf(" ", found.index - BEFORE) + 1;
  return `…${shorten(line.slice(start), most - 1)}`;
}
