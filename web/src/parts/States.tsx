// The empty, error and loading states of a view.
import type { ComponentChildren } from "preact";
import type { Problem } from "../api/problem";
import { Button } from "./Button";
import { Icon, type IconName } from "./Icon";
import "./States.css";

interface EmptyProps {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
}

/** The empty state: a title and what to do next. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="state">
      <span class="state-icon">
        <Icon name={icon} size={26} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Failure({ problem, retry }: { problem: Problem; retry?: () => void }) {
  return (
    <div class="state bad" role="alert">
      <span class="state-icon">
        <Icon name="warning" size={26} />
      </span>
      <h2>Could not load the data</h2>
      <p class="quiet">{problem.message}</p>
      {retry && (
        <Button icon="refresh" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Placeholder lines for text. */
export function Loading({ label = "Loading", lines = 4 }: { label?: string; lines?: number }) {
  return (
    <div class="loading" role="status">
      <span class="unseen">{label}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} aria-hidden="true" />
      ))}
    </div>
  );
}
