import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useKeptFocus } from "../store/focus";
import "./Tabs.css";

interface TabsProps<T extends string> {
  label: string;
  tabs: readonly (readonly [id: T, label: ComponentChildren])[];
  chosen: T;
  choose: (id: T) => void;
  children: ComponentChildren;
}

/** Tabs and the panel of the selected one. Arrow keys move between them. */
export function Tabs<T extends string>({ label, tabs, chosen, choose, children }: TabsProps<T>) {
  const id = useId();
  const panel = useKeptFocus<HTMLDivElement>();
  const move = (event: KeyboardEvent, index: number) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    choose(next[0]);
    document.getElementById(`${id}-${next[0]}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label}>
        {tabs.map(([name, shown], index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => choose(name)}
            onKeyDown={(event) => move(event, index)}
          >
            {shown}
          </button>
        ))}
      </div>
      <div ref={panel} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} class="tab-panel">
        {children}
      </div>
    </>
  );
}
