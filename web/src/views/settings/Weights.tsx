import { useEffect, useId, useState } from "preact/hooks";
import { type Setting, unsetSetting } from "../../api/settings";
import { Button } from "../../parts/Button";
import { attempt } from "../../store/toasts";
import { sumOf, titleOf } from "./groups";
import { FieldError, NumberField, Origin } from "./SettingRow";
import { useChange } from "./useChange";
import "./Weights.css";

interface WeightsProps {
  space: string;
  weights: readonly Setting[];
  /** The weights that match the search. */
  shown: readonly Setting[];
  changed: (stored: Setting) => void;
}

/** The weights of the score: one slider per part, and its share of the sum. */
export function Weights({ space, weights, shown, changed }: WeightsProps) {
  const [busy, setBusy] = useState(false);
  const sum = sumOf(weights);
  const set = weights.filter((weight) => weight.source === "space");
  const reset = async () => {
    setBusy(true);
    await attempt(async () => {
      for (const weight of set) changed(await unsetSetting(space, weight.name));
    });
    setBusy(false);
  };
  return (
    <>
      <div class="weights-sum">
        <p>
          Sum <b>{sum.toFixed(2)}</b>
        </p>
        <Button icon="undo" busy={busy} disabled={set.length === 0} onClick={reset}>
          Reset all weights
        </Button>
        <div class="bar" aria-hidden="true">
          {weights.map((weight, index) => (
            <span
              key={weight.name}
              title={titleOf(weight)}
              style={{
                width: `${(Number(weight.value) / (sum || 1)) * 100}%`,
                background: `var(--hue-${(index % 8) + 1})`,
              }}
            />
          ))}
        </div>
      </div>
      {weights.map(
        (weight, index) =>
          shown.includes(weight) && (
            <Weight
              key={weight.name}
              space={space}
              setting={weight}
              sum={sum}
              hue={(index % 8) + 1}
              changed={changed}
            />
          ),
      )}
    </>
  );
}

interface WeightProps {
  space: string;
  setting: Setting;
  sum: number;
  hue: number;
  changed: (stored: Setting) => void;
}

function Weight({ space, setting, sum, hue, changed }: WeightProps) {
  const id = useId();
  const changing = useChange(space, setting, changed);
  const value = Number(setting.value);
  const [dragged, setDragged] = useState(value);
  useEffect(() => setDragged(value), [value]);
  const share = sum > 0 ? Math.round((value / sum) * 100) : 0;
  return (
    <div class="setting weight" data-name={setting.name}>
      <div class="what">
        <label for={id}>
          <i style={{ background: `var(--hue-${hue})` }} />
          {titleOf(setting)} <span class="small quiet">{share} %</span>
        </label>
        <p id={`${id}-help`} class="small quiet">
          {setting.help}
        </p>
      </div>
      <div class="value">
        <input
          type="range"
          min={0}
          max={Math.max(1, value)}
          step={0.01}
          value={dragged}
          aria-label={`${titleOf(setting)}, slider`}
          onInput={(event) => setDragged(event.currentTarget.valueAsNumber)}
          onChange={(event) => changing.set(event.currentTarget.valueAsNumber)}
        />
        <NumberField
          id={id}
          aria-describedby={`${id}-help ${id}-wrong`}
          aria-invalid={changing.problem !== ""}
          setting={{ ...setting, value: dragged }}
          changing={changing}
        />
      </div>
      <Origin setting={setting} changing={changing} control={id} />
      <FieldError id={id} problem={changing.problem} />
    </div>
  );
}
