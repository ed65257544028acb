import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "./Field.css";
import { Icon } from "./Icon";

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  /** The label is for screen readers only. */
  bare?: boolean;
}

interface Framed extends FieldProps {
  children: (id: string, hint: string | undefined) => ComponentChildren;
}

function Frame({ label, hint, bare = false, children }: Framed) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={bare ? "unseen" : undefined}>
        {label}
      </label>
      {children(id, hint === undefined ? undefined : `${id}-hint`)}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="small quiet">
          {hint}
        </p>
      )}
    </div>
  );
}

interface TextProps extends FieldProps {
  value: string;
  change: (value: string) => void;
  type?: "text" | "search" | "password" | "number" | "date" | "datetime-local";
  placeholder?: string;
  required?: boolean;
  min?: number | string;
  max?: number | string;
  step?: number | string;
  disabled?: boolean;
}

export function TextField({ label, hint, bare, value, change, ...rest }: TextProps) {
  return (
    <Frame label={label} hint={hint} bare={bare}>
      {(id, described) => (
        <input
          autocomplete="off"
          dir="auto"
          {...(rest as object)}
          id={id}
          aria-describedby={described}
          value={value}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
    </Frame>
  );
}

export function SearchField({ label, value, change, ...rest }: TextProps) {
  return (
    <div class="search-field">
      <Icon name="search" size={16} />
      <TextField {...rest} type="search" bare label={label} placeholder={label} value={value} change={change} />
    </div>
  );
}

interface SelectProps extends FieldProps {
  value: string;
  change: (value: string) => void;
  options: readonly (readonly [value: string, label: string])[];
}

export function SelectField({ label, hint, bare, value, change, options }: SelectProps) {
  return (
    <Frame label={label} hint={hint} bare={bare}>
      {(id, described) => (
        <select
          id={id}
          aria-describedby={described}
          value={value}
          onChange={(event) => {
            const next = event.currentTarget.value;
            event.currentTarget.value = value; // as in `Switch`
            change(next);
          }}
        >
          {options.map(([option, shown]) => (
            <option key={option} value={option} dir="auto">
              {shown}
            </option>
          ))}
        </select>
      )}
    </Frame>
  );
}

interface AreaProps extends FieldProps {
  value: string;
  change: (value: string) => void;
  rows?: number;
}

export function TextArea({ label, hint, bare, value, change, rows = 4 }: AreaProps) {
  return (
    <Frame label={label} hint={hint} bare={bare}>
      {(id, described) => (
        <textarea
          id={id}
          rows={rows}
          dir="auto"
          aria-describedby={described}
          value={value}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
    </Frame>
  );
}

interface SwitchProps {
  label: string;
  checked: boolean;
  change: (checked: boolean) => void;
  hint?: ComponentChildren;
  disabled?: boolean;
}

export function Switch({ label, checked, change, hint, disabled = false }: SwitchProps) {
  const id = useId();
  return (
    <div class="switch">
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => {
          const next = event.currentTarget.checked;
          event.currentTarget.checked = checked; // shows the stored value, because the server may refuse the change
          change(next);
        }}
      />
      <div>
        <label for={id}>{label}</label>
        {hint !== undefined && (
          <p id={`${id}-hint`} class="small quiet">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
