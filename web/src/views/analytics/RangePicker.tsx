import { useState } from "preact/hooks";
import { Button } from "../../parts/Button";
import { TextField } from "../../parts/Field";
import { go } from "../../store/route";
import { localInput, RANGES, type Range, spanOf } from "./ranges";
import "./RangePicker.css";

/** Selects the time range. The address contains it. */
export function RangePicker({ range }: { range: Range }) {
  const [custom, setCustom] = useState(typeof range !== "string");
  const chosen = custom ? "custom" : typeof range === "string" ? range : "custom";
  return (
    <div class="range-picker">
      <fieldset class="segments">
        <legend class="unseen">Time range</legend>
        {RANGES.map(([id, label]) => (
          <label key={id}>
            <input
              type="radio"
              name="range"
              value={id}
              checked={id === chosen}
              onChange={() => {
                setCustom(id === "custom");
                if (id !== "custom") go("analytics", id);
              }}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {custom && <Custom range={range} />}
    </div>
  );
}

function Custom({ range }: { range: Range }) {
  const shown = spanOf(range, new Date());
  const [since, setSince] = useState(localInput(new Date(shown.since)));
  const [until, setUntil] = useState(localInput(new Date(shown.until)));
  const wrong = since === "" || until === "" || since >= until;
  return (
    <form
      class="custom"
      onSubmit={(event) => {
        event.preventDefault();
        if (!wrong) go("analytics", "custom", new Date(since).toISOString(), new Date(until).toISOString());
      }}
    >
      <TextField label="From" type="datetime-local" value={since} change={setSince} max={until} />
      <TextField
        label="To"
        type="datetime-local"
        value={until}
        change={setUntil}
        min={since}
        hint={wrong ? "Must be later than From" : undefined}
      />
      <Button type="submit" disabled={wrong}>
        Show
      </Button>
    </form>
  );
}
