import { useEffect, useId, useRef, useState } from "preact/hooks";
import { IconButton } from "./Button";
import { Icon, type IconName } from "./Icon";
import "./Menu.css";

export interface MenuItem {
  label: string;
  icon: IconName;
  run: () => void;
  bad?: boolean;
  /** Of a choice: whether it is the current one. */
  checked?: boolean;
}

interface MenuProps {
  label: string;
  items: readonly MenuItem[];
  /** Shown on the button instead of an icon. */
  text?: string;
  /** Opens above the button. */
  up?: boolean;
}

/** A button with a menu of actions. Arrow keys move, Escape closes. */
export function Menu({ label, items, text, up = false }: MenuProps) {
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
    place.current?.querySelector<HTMLElement>("[aria-haspopup]")?.focus();
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

  const popup = {
    "aria-haspopup": "menu",
    "aria-expanded": open,
    "aria-controls": id,
    onClick: () => setOpen(!open),
  } as const;
  return (
    <div class="menu" ref={place}>
      {text === undefined ? (
        <IconButton icon="more" label={label} {...popup} />
      ) : (
        <button type="button" class="menu-text" aria-label={label} title={label} {...popup}>
          <span dir="auto">{text}</span>
          <Icon name="chevron" size={12} />
        </button>
      )}
      {open && (
        <div
          class={up ? "menu-list up" : "menu-list"}
          role="menu"
          id={id}
          aria-label={label}
          tabIndex={-1}
          onKeyDown={move}
        >
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              {...(item.checked === undefined
                ? { role: "menuitem" }
                : { role: "menuitemradio", "aria-checked": item.checked })}
              tabIndex={-1}
              class={item.bad ? "bad" : undefined}
              onClick={() => {
                close();
                item.run();
              }}
            >
              <Icon name={item.checked ? "check" : item.icon} size={16} />
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function buttons(place: HTMLElement | null): HTMLElement[] {
  return [...(place?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
}
