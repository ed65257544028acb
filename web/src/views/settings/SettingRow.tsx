import { useEffect, useId, useState } from "preact/hooks";
import type { Setting } from "../../api/settings";
import { Badge } from "../../parts/Badge";
import { titleOf, typedNumber, written } from "./groups";
import { type Changing, useChange } from "./useChange";
import "./SettingRow.css";

interface SettingRowProps {
  space: string;
  setting: Setting;
  changed: (stored: Setting) => void;
}

/** One setting: its description, its value in the space, the source of the value, and Reset. */
export function SettingRow({ space, setting, changed }: SettingRowProps) {
  const id = useId();
  const changing = useChange(space, setting, changed);
  return (
    <div class="setting" data-name={setting.name}>
      <div class="what">
        <label for={id}>{titleOf(setting)}</label>
        <p id={`${id}-help`} class="small quiet">
          {setting.help}
        </p>
        <Origin setting={setting} changing={changing} control={id} />
      </div>
      <div class="value">
        <Control id={id} setting={setting} changing={changing} />
      </div>
      <FieldError id={id} problem={changing.problem} />
    </div>
  );
}

interface OriginProps {
  setting: Setting;
  changing: Changing;
  /** The id of the control, which gets the focus after a reset. */
  control: string;
}

/** The source of the value, and Reset. */
export function Origin({ setting, changing, control }: OriginProps) {
  const reset = () => {
    document.getElementById(control)?.focus();
    changing.reset();
  };
  return (
    <p class="origin">
      {setting.source === "default" && <Badge>default</Badge>}
      {setting.source === "environment" && <Badge tone="warn">environment</Badge>}
      {setting.source === "space" && <Badge tone="accent">set here</Badge>}
      {setting.source !== "default" && <span>default {written(setting.default)}</span>}
      {setting.source === "space" && (
        <button type="button" aria-label={`Reset ${titleOf(setting)}`} onClick={reset}>
          Reset
        </button>
      )}
      <code>{setting.variable}</code>
    </p>
  );
}

export function FieldError({ id, problem }: { id: string; problem: string }) {
  return (
    <p id={`${id}-wrong`} class="wrong small" role="alert">
      {problem}
    </p>
  );
}

interface ControlProps {
  id: string;
  setting: Setting;
  changing: Changing;
}

function Control({ id, setting, changing }: ControlProps) {
  const shared = {
    id,
    "aria-describedby": `${id}-help ${id}-wrong`,
    "aria-invalid": changing.problem !== "",
  };
  const { value } = setting;
  if (typeof value === "boolean") {
    return (
      <span class="switch">
        <input
          {...shared}
          type="checkbox"
          role="switch"
          checked={value}
          aria-checked={value}
          onChange={() => changing.set(!value)}
        />
      </span>
    );
  }
  if (setting.choices.length > 0) {
    return (
      <span class="field">
        <select {...shared} value={String(value)} onChange={(event) => changing.set(event.currentTarget.value)}>
          {setting.choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      </span>
    );
  }
  if (typeof value === "string") {
    return (
      <span class="field">
        <textarea {...shared} rows={3} value={value} onChange={(event) => changing.set(event.currentTarget.value)} />
      </span>
    );
  }
  return <NumberField {...shared} setting={setting} changing={changing} />;
}

interface NumberFieldProps extends ControlProps {
  "aria-describedby": string;
  "aria-invalid": boolean;
}

/** A number, saved on blur or with Enter. An invalid input stays in the field. */
export function NumberField({ setting, changing, ...rest }: NumberFieldProps) {
  const [text, setText] = useState(String(setting.value));
  useEffect(() => setText(String(setting.value)), [setting.value]);
  const save = () => {
    const number = typedNumber(text);
    if (number === null) changing.refuse("Enter a number.");
    else if (number !== setting.value) changing.set(number);
    else changing.refuse("");
  };
  return (
    <span class="field">
      <input
        {...rest}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === "Enter") save();
          if (event.key === "Escape") setText(String(setting.value));
        }}
      />
    </span>
  );
}
