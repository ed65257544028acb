import { useState } from "preact/hooks";
import { type Erasure, erasures, forget } from "../../api/erasures";
import { facts } from "../../api/facts";
import { Button } from "../../parts/Button";
import { Chips } from "../../parts/Chips";
import { ConversationField } from "../../parts/ConversationField";
import { SelectField, TextField } from "../../parts/Field";
import { MessageField } from "../../parts/MessageField";
import { shorten } from "../../parts/shorten";
import { useReloadOn } from "../../store/changes";
import { useLoaded } from "../../store/loaded";
import { attempt } from "../../store/toasts";
import { ErasureReport } from "./ErasureReport";
import { Erasures } from "./Erasures";
import { type Draft, draftOf, type Target, wishOf } from "./erasing";
import { SureForget } from "./SureForget";
import { Verify } from "./Verify";

const MOST = 1000;
const TITLES: Record<Target, string> = {
  message: "A message",
  conversation: "A conversation",
  fact: "A fact",
  before: "All before a moment",
  everything: "Everything",
};

interface ForgetProps {
  space: string;
  rest: readonly string[];
}

/** Choose what is to go, see all that would go with it, then let it go; the receipt stays. */
export function Forget({ space, rest }: ForgetProps) {
  const [draft, setDraft] = useState(() => draftOf(rest));
  const [preview, setPreview] = useState<Erasure>();
  const [receipt, setReceipt] = useState<Erasure>();
  const [busy, setBusy] = useState(false);
  const [sure, setSure] = useState(false);
  const past = useLoaded(() => erasures(space), [space]);
  useReloadOn(["erasure"], past.reload);
  const wish = wishOf(draft);
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    setPreview(undefined);
    setReceipt(undefined);
  };
  const run = async (dry: boolean) => {
    if (wish === undefined) return;
    setBusy(true);
    await attempt(async () => {
      const made = await forget(space, { ...wish, dry_run: dry });
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
          label="What shall be forgotten"
          chosen={draft.target}
          choose={(target) => change({ target })}
          options={Object.entries(TITLES).map(([target, title]) => [target as Target, title])}
        />
        <TargetFields space={space} draft={draft} change={change} />
        <div class="row">
          <Button kind="primary" icon="eye" busy={busy} disabled={wish === undefined} onClick={() => run(true)}>
            Show what would go
          </Button>
          <span class="small quiet">Nothing is changed by this.</span>
        </div>
        {preview && (
          <ErasureReport erasure={preview}>
            <Button kind="bad" icon="trash" onClick={() => setSure(true)}>
              Forget it for good…
            </Button>
          </ErasureReport>
        )}
        {receipt && <ErasureReport erasure={receipt} />}
      </section>
      <Verify space={space} />
      <Erasures found={past} />
      {sure && preview && (
        <SureForget space={space} preview={preview} busy={busy} close={() => setSure(false)} run={() => run(false)} />
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
      return (
        <MessageField
          space={space}
          value={draft.message}
          change={(message) => change({ message })}
          none="Choose a conversation…"
        />
      );
    case "conversation":
      return (
        <ConversationField
          space={space}
          value={draft.conversation}
          change={(conversation) => change({ conversation })}
          none="Choose a conversation…"
        />
      );
    case "fact":
      return <FactField space={space} value={draft.fact} change={(fact) => change({ fact })} />;
    case "before":
      return (
        <TextField
          label="Everything said before"
          type="datetime-local"
          value={draft.before}
          change={(before) => change({ before })}
        />
      );
    case "everything":
      return <p>All that the space “{space}” holds. Its settings, its audit and these receipts stay.</p>;
  }
}

function FactField({ space, value, change }: { space: string; value: string; change: (id: string) => void }) {
  const found = useLoaded((signal) => facts(space, { status: "any" }, MOST, signal), [space]);
  const items = found.value?.items ?? [];
  const options: [string, string][] = [
    ["", "Choose a fact…"],
    ...(value === "" || items.some((one) => one.id === value) ? [] : [[value, value] as [string, string]]),
    ...items.map((one): [string, string] => [one.id, shorten(one.text, 80)]),
  ];
  return (
    <SelectField
      label="Fact"
      value={value}
      change={change}
      options={options}
      hint="The message that said it stays: forget that to erase the words."
    />
  );
}
