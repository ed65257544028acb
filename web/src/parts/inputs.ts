// Moments in form fields: the fields speak the person's own zone, the server UTC.

/** What a `datetime-local` field shows for a moment of the server. */
export function toField(at: string | null): string {
  if (at === null) return "";
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return "";
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment that a `datetime-local` or `date` field says; null where it is empty. */
export function fromField(value: string): string | null {
  if (value === "") return null;
  const moment = new Date(value.includes("T") ? value : `${value}T00:00`);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
