import { Dialog } from "../parts/Dialog";
import { shortcuts } from "../store/shortcuts";

export function ShortcutHelp({ close }: { close: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" close={close}>
      <dl class="shortcuts">
        {shortcuts().map((shortcut) => (
          <div key={shortcut.keys}>
            <dt>
              {shortcut.keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{shortcut.label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
