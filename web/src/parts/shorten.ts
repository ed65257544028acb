/** At most `most` characters, cut at a word boundary if one is near; never inside a character. */
export function shorten(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line];
  if (characters.length <= most) return line;
  const head = characters.slice(0, most - 1).join("");
  const word = head.lastIndexOf(" ");
  return `${(word > head.length * 0.6 ? head.slice(0, word) : head).trimEnd()}…`;
}

/** At most `most` UTF-16 units of a text, without half a character. */
export function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
}

/** The same text with a capital first letter. */
export function sentence(text: string): string {
  const [first = "", ...rest] = text;
  return first.toLocaleUpperCase() + rest.join("");
}

/** The same text with a full stop at the end. */
export function ended(text: string): string {
  return /[.!?…。！？]["”')\]]?$/u.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`;
}
