import { Dialog } from "../parts/Dialog";
import { shortcuts } from "../store/shortcuts";

export function ShortcutHelp({ close }: { close: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" close={close}>
      <dl class="shortcuts">
        {shortcuts().map((one) => (
          <div key={one.keys}>
            <dt>
              {one.keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{one.label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
