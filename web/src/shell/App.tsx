import { useEffect, useState } from "preact/hooks";
import { key, locked } from "../api/key";
import { follow } from "../api/live";
import { Toasts } from "../parts/Toasts";
import { askToForgetFocused, forgetting } from "../store/forgetting";
import { go, route } from "../store/route";
import { useShortcuts } from "../store/shortcuts";
import { nextTheme } from "../store/theme";
import { VIEWS } from "../views/views";
import "./App.css";
import { KeyDialog } from "./KeyDialog";
import { Navigation } from "./Navigation";
import { Overlay } from "./Overlay";
import { ShortcutHelp } from "./ShortcutHelp";
import { ViewLoader } from "./ViewLoader";

const palette = () => import("./Palette");
const forgetDialog = () => import("./ForgetDialog");

/** Focuses the search field of the view. Returns false if it has none. */
function focusSearch(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>("#content input[type=search]");
  const field = [...fields].find((each) => each.checkVisibility());
  field?.focus();
  field?.select();
  return field !== undefined;
}

export function App() {
  const { space, view, rest } = route.value;
  const [help, setHelp] = useState(false);
  const [searching, setSearching] = useState(false);
  const secret = key.value;
  const forgotten = forgetting.value;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another key opens a new stream
  useEffect(() => follow(space), [space, secret]);

  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (document.querySelector("dialog[open]") === null) setSearching(true);
    };
    addEventListener("keydown", toggle);
    return () => removeEventListener("keydown", toggle);
  }, []);

  useShortcuts([
    { keys: "/", label: "Search this view", run: () => focusSearch() || setSearching(true) },
    { keys: "Ctrl-K", label: "Search everything", run: () => setSearching(true) },
    { keys: "Delete", label: "Forget the focused message or fact", run: askToForgetFocused },
    { keys: "?", label: "Show keyboard shortcuts", run: () => setHelp(true) },
    { keys: "t", label: "Change theme", run: nextTheme },
    ...VIEWS.map((item) => ({ keys: `g ${item.key}`, label: `Go to ${item.title}`, run: () => go(item.id) })),
  ]);

  const opened = VIEWS.find((item) => item.id === view) ?? VIEWS[0];
  return (
    <div class="app">
      <button type="button" class="skip" onClick={() => document.getElementById("content")?.focus()}>
        Skip to content
      </button>
      <Navigation space={space} view={opened?.id ?? ""} search={() => setSearching(true)} help={() => setHelp(true)} />
      <main id="content" tabIndex={-1}>
        {opened && <ViewLoader key={`${space}/${opened.id}/${secret ?? ""}`} view={opened} space={space} rest={rest} />}
      </main>
      {help && <ShortcutHelp close={() => setHelp(false)} />}
      {searching && (
        <Overlay load={palette} props={{ space, close: () => setSearching(false) }} close={() => setSearching(false)} />
      )}
      {forgotten && (
        <Overlay
          key={forgotten.id}
          load={forgetDialog}
          props={{ space, target: forgotten, close: () => (forgetting.value = undefined) }}
          close={() => (forgetting.value = undefined)}
        />
      )}
      {locked.value && <KeyDialog />}
      <Toasts />
    </div>
  );
}
