import { clock, full } from "./moments";

/** A moment in the person's own zone; the whole of it on hover. */
export function Time({ at }: { at: string }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={full(moment)}>
      {clock(moment, new Date())}
    </time>
  );
}
