import { useId } from "preact/hooks";
import "./Field.css";

interface FileFieldProps {
  label: string;
  accept: string;
  choose: (file: File | undefined) => void;
}

/** A file input. */
export function FileField({ label, accept, choose }: FileFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} type="file" accept={accept} onChange={(event) => choose(event.currentTarget.files?.[0])} />
    </div>
  );
}
