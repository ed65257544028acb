import { useEffect, useState } from "preact/hooks";
import { key, locked } from "../api/key";
import { follow } from "../api/live";
import { Toasts } from "../parts/Toasts";
import { go, route } from "../store/route";
import { useShortcuts } from "../store/shortcuts";
import { nextTheme } from "../store/theme";
import { VIEWS } from "../views/views";
import "./App.css";
import { KeyDialog } from "./KeyDialog";
import { Navigation } from "./Navigation";
import { ShortcutHelp } from "./ShortcutHelp";
import { ViewLoader } from "./ViewLoader";

export function App() {
  const { space, view, rest } = route.value;
  const [help, setHelp] = useState(false);
  const secret = key.value;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another key opens a new stream
  useEffect(() => follow(space), [space, secret]);

  useShortcuts([
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
      <Navigation space={space} view={opened?.id ?? ""} help={() => setHelp(true)} />
      <main id="content" tabIndex={-1}>
        {opened && <ViewLoader key={`${space}/${opened.id}/${secret ?? ""}`} view={opened} space={space} rest={rest} />}
      </main>
      {help && <ShortcutHelp close={() => setHelp(false)} />}
      {locked.value && <KeyDialog />}
      <Toasts />
    </div>
  );
}
