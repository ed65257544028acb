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
  const found = useLoaded(() => chain(space, conversation, id), [space, conversation, id]);
  const count = found.value?.length ?? 0;
  return (
    <Dialog title={count > 1 ? `${count} versions, newest first` : "Summary"} close={close} wide>
      {found.problem && !found.value && <Failure problem={found.problem} retry={found.reload} />}
      {!found.value && !found.problem && <Loading />}
      <ol class="chain">
        {(found.value ?? []).map((summary) => (
          <li key={summary.id}>
            <SummaryCard conversation={conversation} summary={summary} chained />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
