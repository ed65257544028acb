import type { ComponentChildren, JSX } from "preact";
import "./Button.css";
import { Icon, type IconName } from "./Icon";

type Rest = Omit<JSX.IntrinsicElements["button"], "label" | "icon">;

interface ButtonProps extends Rest {
  kind?: "plain" | "primary" | "ghost" | "bad";
  icon?: IconName;
  busy?: boolean;
  children: ComponentChildren;
}

export function Button({ kind = "plain", icon, busy = false, children, disabled, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} class={`button ${kind}`} disabled={disabled || busy} aria-busy={busy}>
      {busy ? <span class="turning" aria-hidden="true" /> : icon && <Icon name={icon} size={16} />}
      <span>{children}</span>
    </button>
  );
}

interface IconButtonProps extends Rest {
  icon: IconName;
  label: string;
  pressed?: boolean;
  busy?: boolean;
}

/** A button that shows only its icon; `label` is its name. */
export function IconButton({ icon, label, pressed, busy = false, disabled, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      {...rest}
      class="icon-button"
      disabled={disabled || busy}
    >
      {busy ? <span class="turning" aria-hidden="true" /> : <Icon name={icon} />}
    </button>
  );
}
