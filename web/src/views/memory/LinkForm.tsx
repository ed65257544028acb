import { useState } from "preact/hooks";
import { type Fact, relate } from "../../api/facts";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { SelectField } from "../../parts/Field";
import { shorten } from "../../parts/shorten";
import { attempt } from "../../store/toasts";
import { RELATIONS, spelled } from "./kinds";

interface LinkFormProps {
  space: string;
  facts: readonly Fact[];
  close: () => void;
  done: () => void;
}

/** Links two facts. */
export function LinkForm({ space, facts, close, done }: LinkFormProps) {
  const [source, setSource] = useState("");
  const [kind, setKind] = useState<(typeof RELATIONS)[number]>("related_to");
  const [target, setTarget] = useState("");
  const options: [string, string][] = [
    ["", "Select a fact…"],
    ...facts.map((fact): [string, string] => [fact.id, shorten(fact.text, 70)]),
  ];
  const submit = async (event: Event) => {
    event.preventDefault();
    if (await attempt(() => relate(space, { source, kind, target }))) {
      done();
      close();
    }
  };
  return (
    <Dialog title="Link two facts" close={close}>
      <form class="stack" onSubmit={submit}>
        <SelectField label="From" value={source} change={setSource} options={options} />
        <SelectField
          label="Link"
          value={kind}
          change={(value) => setKind(RELATIONS.find((relation) => relation === value) ?? "related_to")}
          options={RELATIONS.map((relation) => [relation, spelled(relation)])}
          hint={kind === "supersedes" ? "The other fact becomes superseded. Undo restores it." : undefined}
        />
        <SelectField label="To" value={target} change={setTarget} options={options} />
        <Button kind="primary" type="submit" disabled={source === "" || target === "" || source === target}>
          Link
        </Button>
      </form>
    </Dialog>
  );
}
