import { chain } from "../../api/summaries";
import { Dialog } from "../../parts/Dialog";
import { Failure, Loading } from "../../parts/States";
import { useLoaded } from "../../store/useLoaded";
import { SummaryCard } from "./Summaries";

interface SummaryVersionsProps {
  space: string;
  conversation: string;
  id: string;
  close: () => void;
}

/** A summary and its earlier versions. */
export function SummaryVersions({ space, conversation, id, close }: SummaryVersionsProps) {
  const versions = useLoaded(() => chain(space, conversation, id), [space, conversation, id]);
  const count = versions.value?.length ?? 0;
  return (
    <Dialog title={count > 1 ? `${count} versions, newest first` : "Summary"} close={close} wide>
      {versions.problem && !versions.value && <Failure problem={versions.problem} retry={versions.reload} />}
      {!versions.value && !versions.problem && <Loading />}
      <ol class="chain">
        {(versions.value ?? []).map((summary) => (
          <li key={summary.id}>
            <SummaryCard conversation={conversation} summary={summary} chained />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
