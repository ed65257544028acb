import type { ComponentChildren } from "preact";
import "./ViewHead.css";

interface ViewHeadProps {
  title: string;
  about: ComponentChildren;
  /** The buttons on the right. */
  children?: ComponentChildren;
}

/** The head of a view: its title and a sentence about it. */
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
