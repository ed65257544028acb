import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "./Chips.css";

interface ChipsProps<T extends string> {
  label: string;
  options: readonly (readonly [value: T, shown: ComponentChildren])[];
  chosen: T;
  choose: (value: T) => void;
}

/** A choice between a few options, all visible. */
export function Chips<T extends string>({ label, options, chosen, choose }: ChipsProps<T>) {
  const name = useId();
  return (
    <fieldset class="chips">
      <legend class="unseen">{label}</legend>
      {options.map(([value, shown]) => (
        <label key={value} data-chosen={value === chosen}>
          <input type="radio" name={name} value={value} checked={value === chosen} onChange={() => choose(value)} />
          {shown}
        </label>
      ))}
    </fieldset>
  );
}
