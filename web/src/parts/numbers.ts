/** `1 message`, `12,000 messages`. */
export function counted(number: number, noun: string): string {
  return `${number.toLocaleString()} ${noun}${number === 1 ? "" : "s"}`;
}
