import type { ComponentChildren } from "preact";
import type { Erasure, ErasureCount } from "../api/erasures";
import { Icon } from "./Icon";
import { counted } from "./numbers";
import "./ErasureReport.css";
import { Time } from "./Time";

interface ErasureReportProps {
  erasure: Erasure;
  children?: ComponentChildren;
}

/** What is erased, recomputed and kept; as a preview or as a result. */
export function ErasureReport({ erasure, children }: ErasureReportProps) {
  const dry = erasure.dry_run;
  const nothing = erasure.erased.length === 0;
  return (
    <section class="erasure" data-dry={dry} aria-label={dry ? "Preview" : "Receipt"} role="status">
      <h2>
        <Icon name={dry ? "eye" : "check"} />
        {dry ? (nothing ? "Nothing to erase" : "This will be erased") : "Forgotten"}
      </h2>
      <div class="counts">
        <ErasureCounts title="Erased" counts={erasure.erased} />
        <ErasureCounts title="Recomputed without it" counts={erasure.recomputed} />
        <ErasureCounts title="Kept" counts={erasure.kept} />
      </div>
      {!dry && (
        <p class="small quiet">
          <Time at={erasure.at} />,{" "}
          {erasure.pending.length === 0
            ? "the store's files are scrubbed"
            : `still to scrub: ${erasure.pending.join(", ")}`}
          . Receipt <code>{erasure.id}</code>
        </p>
      )}
      {!nothing && children}
    </section>
  );
}

function ErasureCounts({ title, counts }: { title: string; counts: readonly ErasureCount[] }) {
  if (counts.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {counts.map((entry) => (
          <li key={`${entry.kind} ${entry.reason}`}>
            <b>{counted(entry.count, entry.kind)}</b> <span class="quiet small">{entry.reason}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
