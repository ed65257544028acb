import { useEffect, useId, useRef, useState } from "preact/hooks";
import { IconButton } from "./Button";
import { Icon, type IconName } from "./Icon";
import "./Menu.css";

export interface MenuItem {
  label: string;
  icon: IconName;
  run: () => void;
  bad?: boolean;
}

/** A button with a menu of actions. Arrow keys move, Escape closes. */
export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const id = useId();

  useEffect(() => {
    if (!open) return;
    buttons(place.current)[0]?.focus();
    const away = (event: Event) => {
      if (event.target instanceof Node && !place.current?.contains(event.target)) setOpen(false);
    };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, [open]);

  const close = () => {
    setOpen(false);
    place.current?.querySelector<HTMLElement>(".icon-button")?.focus();
  };

  const move = (event: KeyboardEvent) => {
    const all = buttons(place.current);
    const now = all.findIndex((item) => item.matches(":focus"));
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Escape") close();
    else if (event.key === "Tab") setOpen(false);
    else if (step !== 0) all[(now + step + all.length) % all.length]?.focus();
    if (step !== 0 || event.key === "Escape") event.preventDefault();
  };

  return (
    <div class="menu" ref={place}>
      <IconButton
        icon="more"
        label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      />
      {open && (
        <div class="menu-list" role="menu" id={id} aria-label={label} tabIndex={-1} onKeyDown={move}>
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              class={item.bad ? "bad" : undefined}
              onClick={() => {
                close();
                item.run();
              }}
            >
              <Icon name={item.icon} size={16} />
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function buttons(place: HTMLElement | null): HTMLElement[] {
  return [...(place?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
}
