import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import "./Combobox.css";
import { Icon } from "./Icon";

export interface Choice {
  key: string;
  shown: ComponentChildren;
  choose: () => void;
}

export interface ChoiceGroup {
  title: string;
  choices: readonly Choice[];
}

interface ComboboxProps {
  label: string;
  words: string;
  change: (words: string) => void;
  groups: readonly ChoiceGroup[];
  /** A line under the field, such as “No messages found”. */
  note?: string | undefined;
  /** The label is for screen readers only. */
  bare?: boolean;
}

/** A search field with its results. The arrow keys move, Enter chooses. */
export function Combobox({ label, words, change, groups, note, bare = false }: ComboboxProps) {
  const id = useId();
  const [at, setAt] = useState(0);
  const choices = groups.flatMap((group) => group.choices);
  const active = choices[Math.min(at, choices.length - 1)];
  const idOf = (choice: Choice) => `${id}-${choice.key}`;
  useEffect(() => {
    if (active) document.getElementById(`${id}-${active.key}`)?.scrollIntoView({ block: "nearest" });
  }, [active, id]);
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && choices.length > 0)
      setAt((Math.min(at, choices.length - 1) + step + choices.length) % choices.length);
    else if (event.key === "Enter") active?.choose();
    else return;
    event.preventDefault();
  };
  const aria = {
    type: "search",
    role: "combobox",
    "aria-expanded": choices.length > 0,
    "aria-controls": `${id}-list`,
    "aria-autocomplete": "list",
    "aria-activedescendant": active && idOf(active),
  } as object;
  return (
    <div class="combobox field">
      <label for={id} class={bare ? "unseen" : undefined}>
        {label}
      </label>
      <div class="combobox-input">
        <Icon name="search" size={16} />
        <input
          id={id}
          {...aria}
          autocomplete="off"
          dir="auto"
          placeholder={label}
          value={words}
          onInput={(event) => {
            setAt(0);
            change(event.currentTarget.value);
          }}
          onKeyDown={move}
        />
      </div>
      <div role="listbox" id={`${id}-list`} aria-label={label} class="combobox-list" hidden={choices.length === 0}>
        {groups.map(
          (group, index) =>
            group.choices.length > 0 && (
              <div key={group.title} {...{ role: "group", "aria-labelledby": `${id}-group-${index}` }}>
                <div id={`${id}-group-${index}`} class="combobox-group" role="presentation">
                  {group.title}
                </div>
                {group.choices.map((choice) => (
                  <div
                    key={choice.key}
                    id={idOf(choice)}
                    role="option"
                    tabIndex={-1}
                    aria-selected={choice === active}
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={choice.choose}
                    onKeyDown={(event) => event.key === "Enter" && choice.choose()}
                  >
                    {choice.shown}
                  </div>
                ))}
              </div>
            ),
        )}
      </div>
      <p class="small quiet" role="status">
        {note}
      </p>
    </div>
  );
}
