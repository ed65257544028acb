import { dismiss, toasts } from "../store/toasts";
import { IconButton } from "./Button";
import { Icon } from "./Icon";
import "./Toasts.css";

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <div key={toast.id} class={toast.bad ? "toast bad" : "toast"}>
          <Icon name={toast.bad ? "warning" : "check"} />
          <span dir="auto">{toast.text}</span>
          <IconButton icon="close" label="Dismiss" onClick={() => dismiss(toast.id)} />
        </div>
      ))}
    </div>
  );
}
