// The words and the value of a fact change together, by the rules of the server (distill/facts/agreement.py).

/** The place of a value in a text; undefined if it is not there exactly once. */
function place(text: string, value: string): number | undefined {
  if (value === "") return undefined;
  const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const places = [...text.matchAll(new RegExp(`(?<!\\w)${escaped}(?!\\w)`, "gi"))];
  return places.length === 1 ? places[0]?.index : undefined;
}

/** The words with another value; undefined if they do not show the old one exactly once. */
export function textWith(value: string, text: string, oldValue: string): string | undefined {
  const start = place(text, oldValue);
  if (start === undefined) return undefined;
  return text.slice(0, start) + value + text.slice(start + oldValue.length);
}

/** The value in a text that differs from the old one only by it; undefined if it differs otherwise. */
export function valueIn(text: string, oldText: string, oldValue: string): string | undefined {
  const start = place(oldText, oldValue);
  if (start === undefined) return undefined;
  const before = oldText.slice(0, start).toLowerCase();
  const after = oldText
    .slice(start + oldValue.length)
    .replace(/\.+$/, "")
    .toLowerCase();
  const bare = text.replace(/\.+$/, "");
  if (!bare.toLowerCase().startsWith(before) || !bare.toLowerCase().endsWith(after)) return undefined;
  return bare.slice(before.length, bare.length - after.length).trim() || undefined;
}
