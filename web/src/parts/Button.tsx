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

/** Attributes of a busy button. It ignores clicks and keeps the focus, which a disabled button loses. */
function resting(busy: boolean) {
  return busy ? { "aria-disabled": true, onClick: (event: Event) => event.preventDefault() } : {};
}

export function Button({ kind = "plain", icon, busy = false, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} {...resting(busy)} class={`button ${kind}`} aria-busy={busy}>
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

/** A button with only an icon; `label` is its accessible name. */
export function IconButton({ icon, label, pressed, busy = false, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      {...rest}
      {...resting(busy)}
      class="icon-button"
    >
      {busy ? <span class="turning" aria-hidden="true" /> : <Icon name={icon} />}
    </button>
  );
}
