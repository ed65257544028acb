import type { ComponentChildren } from "preact";
import "./ViewHead.css";

interface ViewHeadProps {
  title: string;
  about: ComponentChildren;
  /** Buttons at its right. */
  children?: ComponentChildren;
}

/** The top of a view: what it is, in a sentence. */
export function ViewHead({ title, about, children }: ViewHeadProps) {
  return (
    <header class="view-head">
      <div>
        <h1>{title}</h1>
        <p class="quiet">{about}</p>
      </div>
      {children && <div class="row">{children}</div>}
    </header>
  );
}
