// Times in form fields. Fields use the user's time zone, the server uses UTC.

/** Converts a time of the server to the value of a `datetime-local` field. */
export function toField(at: string | null): string {
  if (at === null) return "";
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return "";
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Converts the value of a `datetime-local` or `date` field to a time; null if it is empty. */
export function fromField(value: string): string | null {
  if (value === "") return null;
  const moment = new Date(value.includes("T") ? value : `${value}T00:00`);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
