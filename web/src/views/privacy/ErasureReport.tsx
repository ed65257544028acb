import type { ComponentChildren } from "preact";
import type { Erasure, Portion } from "../../api/erasures";
import { Icon } from "../../parts/Icon";
import { counted } from "../../parts/numbers";
import { Time } from "../../parts/Time";

interface ErasureReportProps {
  erasure: Erasure;
  children?: ComponentChildren;
}

/** What goes, what is made anew and what stays: before, or after. */
export function ErasureReport({ erasure, children }: ErasureReportProps) {
  const dry = erasure.dry_run;
  const nothing = erasure.erased.length === 0;
  return (
    <section class="erasure" data-dry={dry} aria-label={dry ? "What would go" : "Receipt"} role="status">
      <h2>
        <Icon name={dry ? "eye" : "check"} />
        {dry ? (nothing ? "Nothing would go" : "This would go") : "It is forgotten"}
      </h2>
      <div class="portions">
        <Portions title={dry ? "Erased" : "Was erased"} portions={erasure.erased} />
        <Portions title={dry ? "Made anew without it" : "Is made anew without it"} portions={erasure.recomputed} />
        <Portions title="Stays" portions={erasure.kept} />
      </div>
      {!dry && (
        <p class="small quiet">
          <Time at={erasure.at} />,{" "}
          {erasure.pending.length === 0
            ? "and the store's files are scrubbed"
            : `still to be scrubbed: ${erasure.pending.join(", ")}`}
          . Receipt <code>{erasure.id}</code>
        </p>
      )}
      {!nothing && children}
    </section>
  );
}

function Portions({ title, portions }: { title: string; portions: readonly Portion[] }) {
  if (portions.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {portions.map((one) => (
          <li key={`${one.kind} ${one.reason}`}>
            <b>{counted(one.count, one.kind)}</b> <span class="quiet small">{one.reason}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
