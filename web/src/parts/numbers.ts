/** `1 message`, `12,000 messages`, `2 summaries`, `6 mentions of time`. */
export function counted(number: number, noun: string): string {
  return `${number.toLocaleString()} ${number === 1 ? noun : many(noun)}`;
}

function many(noun: string): string {
  const [, what = noun, rest = ""] = /^(.+?)( of .+)?$/.exec(noun) ?? [];
  if (/[^aeiou]y$/.test(what)) return `${what.slice(0, -1)}ies${rest}`;
  return `${what}${/(s|x|ch|sh)$/.test(what) ? "es" : "s"}${rest}`;
}
