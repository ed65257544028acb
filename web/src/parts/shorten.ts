/** At most `most` characters, cut at a word where one ends near; never in the middle of a character. */
export function shorten(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line];
  if (characters.length <= most) return line;
  const kept = characters.slice(0, most - 1).join("");
  const word = kept.lastIndexOf(" ");
  return `${(word > kept.length * 0.6 ? kept.slice(0, word) : kept).trimEnd()}…`;
}

/** As much of a text as `most` units of UTF-16 hold, and no half of a character. */
export function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
}

/** The same text with a capital at its beginning. */
export function sentence(text: string): string {
  const [first = "", ...rest] = text;
  return first.toLocaleUpperCase() + rest.join("");
}

/** The same text with a full stop at its end, where it has none. */
export function ended(text: string): string {
  return /[.!?…。！？]["”')\]]?$/u.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`;
}
