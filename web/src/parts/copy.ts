import { say } from "../store/toasts";

/** Copies a text to the clipboard and shows a message about success or failure. */
export async function copy(text: string): Promise<void> {
  if ((await byClipboard(text)) || bySelection(text)) say("Copied");
  else say("Could not copy: the browser does not allow it. Select the text and copy it manually.", true);
}

/** The clipboard API is available only on HTTPS and on localhost. */
async function byClipboard(text: string): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard;
  return (
    clipboard?.writeText(text).then(
      () => true,
      () => false,
    ) ?? false
  );
}

function bySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  (before?.closest("dialog") ?? document.body).append(field); // text outside an open dialog cannot be selected
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
