// Formats times in the user's language and time zone.
const HOUR: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
const DAY: Intl.DateTimeFormatOptions = { day: "numeric", month: "short" };

/** Today: the time. This year: the day and the time. Otherwise: the date. */
export function clock(moment: Date, now: Date): string {
  if (Number.isNaN(moment.getTime())) return "";
  if (sameDay(moment, now)) return moment.toLocaleTimeString(undefined, HOUR);
  if (moment.getFullYear() === now.getFullYear()) return moment.toLocaleString(undefined, { ...DAY, ...HOUR });
  return moment.toLocaleDateString(undefined, { ...DAY, year: "numeric" });
}

export function full(moment: Date): string {
  if (Number.isNaN(moment.getTime())) return "";
  return moment.toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" });
}

export function day(moment: Date): string {
  return moment.toLocaleDateString(undefined, { weekday: "long", ...DAY, year: "numeric" });
}

export function sameDay(first: Date, other: Date): boolean {
  return first.toDateString() === other.toDateString();
}
