import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { rechunk, type Setting, settings } from "../../api/settings";
import { Button } from "../../parts/Button";
import { SearchField } from "../../parts/Field";
import { counted } from "../../parts/numbers";
import { Empty, Failure, Loading } from "../../parts/States";
import { ViewHead } from "../../parts/ViewHead";
import { useReloadOn } from "../../store/changes";
import { attempt, say } from "../../store/toasts";
import { useLoaded } from "../../store/useLoaded";
import type { ViewProps } from "../views";
import { grouped, isWeight, matching } from "./groups";
import { Models } from "./Models";
import { SettingRow } from "./SettingRow";
import "./Settings.css";
import { Weights } from "./Weights";

const ABOUT =
  "How this space remembers. Values set here override the environment and apply immediately in every process.";

export default function Settings({ space }: ViewProps) {
  const loaded = useLoaded((signal) => settings(space, signal), [space]);
  const [typed, setTyped] = useState("");
  useReloadOn(["setting"], loaded.reload);
  return (
    <div class="view settings">
      <ViewHead title="Settings" about={ABOUT}>
        <SearchField label="Search settings" value={typed} change={setTyped} />
      </ViewHead>
      {loaded.problem && <Failure problem={loaded.problem} retry={loaded.reload} />}
      {loaded.value === undefined && !loaded.problem && <Loading lines={8} />}
      {loaded.value && <Found space={space} all={loaded.value} typed={typed} reload={loaded.reload} />}
    </div>
  );
}

interface FoundProps {
  space: string;
  all: readonly Setting[];
  typed: string;
  reload: () => void;
}

function Found({ space, all, typed, reload }: FoundProps) {
  const shown = matching(all, typed);
  const weights = shown.filter(isWeight);
  const models = typed.trim() === "" || "models embedder".includes(typed.trim().toLowerCase());
  if (shown.length === 0 && !models) {
    return (
      <Empty icon="search" title="No matching settings">
        <p class="quiet">Try a word that describes it, such as “tokens”.</p>
      </Empty>
    );
  }
  return (
    <div class="groups">
      {grouped(shown).map((group) => (
        <Section key={group.title} title={group.title} about={group.about}>
          {group.settings.map((setting) => (
            <SettingRow key={setting.name} space={space} setting={setting} changed={reload} />
          ))}
          {group.title === "Chunks" && <Rechunk space={space} />}
        </Section>
      ))}
      {weights.length > 0 && (
        <Section title="Weights" about="How the parts of a score are weighted.">
          <Weights space={space} weights={all.filter(isWeight)} shown={weights} changed={reload} />
        </Section>
      )}
      {models && (
        <Section title="Models" about="Set when the server starts.">
          <Models space={space} />
        </Section>
      )}
    </div>
  );
}

function Section({ title, about, children }: { title: string; about: string; children: ComponentChildren }) {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <p class="small quiet">{about}</p>
      {children}
    </section>
  );
}

/** Splits stored messages again with the current settings. */
function Rechunk({ space }: { space: string }) {
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    await attempt(async () => {
      const changed = await rechunk(space);
      say(changed === 0 ? "All messages are already split this way." : `${counted(changed, "message")} split again.`);
    });
    setBusy(false);
  };
  return (
    <div class="setting">
      <p class="small quiet">
        New messages are split this way. Stored messages keep their chunks until you split them again.
      </p>
      <Button busy={busy} onClick={run}>
        Split stored messages
      </Button>
    </div>
  );
}
