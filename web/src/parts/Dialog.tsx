import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Button, IconButton } from "./Button";
import "./Dialog.css";

interface DialogProps {
  title: string;
  close: () => void;
  children: ComponentChildren;
  /** The buttons at the bottom. */
  actions?: ComponentChildren;
  wide?: boolean;
}

/** A modal dialog. Escape and the close button close it, and the focus returns to where it was. */
export function Dialog({ title, close, children, actions, wide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    const opened = dialog.current;
    opened?.showModal();
    opened?.querySelector<HTMLElement>(".dialog-body :is(input, textarea, select)")?.focus();
    return () => {
      opened?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? "dialog wide" : "dialog"}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div class="dialog-head">
        <h2 id={heading} dir="auto">
          {title}
        </h2>
        <IconButton icon="close" label="Close" onClick={close} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard */}
      <section class="dialog-body" tabIndex={0}>
        {children}
      </section>
      {actions && <div class="dialog-foot row">{actions}</div>}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  confirm: string;
  close: () => void;
  run: () => void;
  busy?: boolean;
  children: ComponentChildren;
}

/** Asks for confirmation before something is deleted. */
export function Confirm({ title, confirm, close, run, busy = false, children }: ConfirmProps) {
  const actions = (
    <>
      <Button onClick={close}>Cancel</Button>
      <Button kind="bad" onClick={run} busy={busy}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={title} close={close} actions={actions}>
      {children}
    </Dialog>
  );
}
