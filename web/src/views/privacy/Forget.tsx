import { useState } from "preact/hooks";
import { type Erasure, erasures, forget } from "../../api/erasures";
import { facts } from "../../api/facts";
import { Button } from "../../parts/Button";
import { Chips } from "../../parts/Chips";
import { ConversationField } from "../../parts/ConversationField";
import { ErasureReport } from "../../parts/ErasureReport";
import { SelectField, TextField } from "../../parts/Field";
import { MessageField } from "../../parts/MessageField";
import { shorten } from "../../parts/shorten";
import { useReloadOn } from "../../store/changes";
import { attempt } from "../../store/toasts";
import { useLoaded } from "../../store/useLoaded";
import { Erasures } from "./Erasures";
import { ForgetDialog } from "./ForgetDialog";
import { type Draft, draftOf, requestOf, type Target } from "./forgetTarget";
import { Verify } from "./Verify";

const MOST = 1000;
const TITLES: Record<Target, string> = {
  message: "A message",
  conversation: "A conversation",
  fact: "A fact",
  before: "Everything before a date",
  everything: "Everything",
};

interface ForgetProps {
  space: string;
  rest: readonly string[];
}

/** Select what to forget, preview what will be erased, and erase it. The receipt stays. */
export function Forget({ space, rest }: ForgetProps) {
  const [draft, setDraft] = useState(() => draftOf(rest));
  const [preview, setPreview] = useState<Erasure>();
  const [receipt, setReceipt] = useState<Erasure>();
  const [busy, setBusy] = useState(false);
  const [sure, setSure] = useState(false);
  const past = useLoaded(() => erasures(space), [space]);
  useReloadOn(["erasure"], past.reload);
  const request = requestOf(draft);
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    setPreview(undefined);
    setReceipt(undefined);
  };
  const run = async (dry: boolean) => {
    if (request === undefined) return;
    setBusy(true);
    await attempt(async () => {
      const made = await forget(space, { ...request, dry_run: dry });
      setPreview(dry ? made : undefined);
      setReceipt(dry ? undefined : made);
      if (!dry) {
        setSure(false);
        setDraft({ ...draftOf([draft.target]) });
        past.reload();
      }
    });
    setBusy(false);
  };
  return (
    <div class="stack">
      <section class="card stack" aria-label="Forget">
        <Chips
          label="What to forget"
          chosen={draft.target}
          choose={(target) => change({ target })}
          options={Object.entries(TITLES).map(([target, title]) => [target as Target, title])}
        />
        <TargetFields space={space} draft={draft} change={change} />
        <div class="row">
          <Button kind="primary" icon="eye" busy={busy} disabled={request === undefined} onClick={() => run(true)}>
            Preview
          </Button>
          <span class="small quiet">A preview changes nothing.</span>
        </div>
        {preview && (
          <ErasureReport erasure={preview}>
            <Button kind="bad" icon="trash" onClick={() => setSure(true)}>
              Forget permanently…
            </Button>
          </ErasureReport>
        )}
        {receipt && <ErasureReport erasure={receipt} />}
      </section>
      <Verify space={space} />
      <Erasures erasures={past} />
      {sure && preview && (
        <ForgetDialog space={space} preview={preview} busy={busy} close={() => setSure(false)} run={() => run(false)} />
      )}
    </div>
  );
}

interface TargetFieldsProps {
  space: string;
  draft: Draft;
  change: (part: Partial<Draft>) => void;
}

function TargetFields({ space, draft, change }: TargetFieldsProps) {
  switch (draft.target) {
    case "message":
      return <MessageField space={space} value={draft.message} change={(message) => change({ message })} />;
    case "conversation":
      return (
        <ConversationField
          space={space}
          value={draft.conversation}
          change={(conversation) => change({ conversation })}
          none="Select a conversation…"
        />
      );
    case "fact":
      return <FactField space={space} value={draft.fact} change={(fact) => change({ fact })} />;
    case "before":
      return (
        <TextField
          label="Forget messages before"
          type="datetime-local"
          value={draft.before}
          change={(before) => change({ before })}
        />
      );
    case "everything":
      return <p>Everything in the space “{space}”. Its settings, its audit log and these receipts stay.</p>;
  }
}

function FactField({ space, value, change }: { space: string; value: string; change: (id: string) => void }) {
  const loaded = useLoaded((signal) => facts(space, { status: "any" }, MOST, signal), [space]);
  const items = loaded.value?.items ?? [];
  const options: [string, string][] = [
    ["", "Select a fact…"],
    ...(value === "" || items.some((fact) => fact.id === value) ? [] : [[value, value] as [string, string]]),
    ...items.map((fact): [string, string] => [fact.id, shorten(fact.text, 80)]),
  ];
  return (
    <SelectField
      label="Fact"
      value={value}
      change={change}
      options={options}
      hint="The source message stays. To erase its words, forget the message."
    />
  );
}
