import { useId } from "preact/hooks";
import { Button } from "../../parts/Button";
import { Switch } from "../../parts/Field";
import { Icon } from "../../parts/Icon";
import { type Moment, momentOf, NOW, type Scale, stepOf } from "./moment";
import "./TimeTravel.css";

interface TimeTravelProps {
  scale: Scale;
  moment: Moment;
  change: (moment: Moment) => void;
}

const FORMAT: Intl.DateTimeFormatOptions = {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
};

/** Selects another time: facts that were valid then and, on request, only those that were known then. */
export function TimeTravel({ scale, moment, change }: TimeTravelProps) {
  const away = moment.asOf !== null || moment.knownAt !== null;
  const known = moment.knownAt !== null;
  const set = (asOf: number | null, knownAt: number | null) =>
    change(asOf === null && knownAt === null ? NOW : { asOf, knownAt });
  return (
    <section class="time-travel" data-away={away} aria-label="View at another time">
      <Icon name="clock" />
      <Slider label="Valid at" scale={scale} at={moment.asOf} change={(asOf) => set(asOf, moment.knownAt)} />
      <Switch
        label="As known at that time"
        checked={known}
        change={(on) => set(moment.asOf, on ? (moment.asOf ?? Date.now()) : null)}
      />
      {known && (
        <Slider
          label="Known at"
          scale={scale}
          at={moment.knownAt}
          change={(at) => set(moment.asOf, at ?? Date.now())}
        />
      )}
      {away && (
        <Button icon="undo" onClick={() => change(NOW)}>
          Back to now
        </Button>
      )}
    </section>
  );
}

interface SliderProps {
  label: string;
  scale: Scale;
  at: number | null;
  change: (at: number | null) => void;
}

function Slider({ label, scale, at, change }: SliderProps) {
  const id = useId();
  const shown = at === null ? "now" : new Date(at).toLocaleString(undefined, FORMAT);
  return (
    <div class="slider">
      <label for={id}>
        {label} <output for={id}>{shown}</output>
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={scale.steps}
        step={1}
        value={stepOf(at, scale)}
        aria-valuetext={shown}
        onInput={(event) => change(momentOf(Number(event.currentTarget.value), scale))}
      />
    </div>
  );
}
