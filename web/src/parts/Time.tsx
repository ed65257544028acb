import { clock, full } from "./moments";

/** A time in the user's time zone; the full date on hover. */
export function Time({ at }: { at: string }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={full(moment)}>
      {clock(moment, new Date())}
    </time>
  );
}
