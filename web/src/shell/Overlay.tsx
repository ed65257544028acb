import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { say } from "../store/toasts";

interface OverlayProps<T> {
  load: () => Promise<{ default: ComponentType<T> }>;
  props: T;
  close: () => void;
}

/** A dialog over any view. Its code is loaded when it first opens. */
export function Overlay<T extends object>({ load, props, close }: OverlayProps<T>) {
  const [Shown, setShown] = useState<ComponentType<T> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an overlay loads once
  useEffect(() => {
    load().then(
      (module) => setShown(() => module.default),
      () => {
        close();
        say("Cannot reach the server. Check that it is running.", true);
      },
    );
  }, []);
  return Shown === null ? null : <Shown {...props} />;
}
