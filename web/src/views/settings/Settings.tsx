import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { answerer } from "../../api/models";
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
import { unused } from "./effects";
import { grouped, isWeight, matching, titleOf } from "./groups";
import { Models } from "./Models";
import { SettingRow } from "./SettingRow";
import "./Settings.css";
import { Weights } from "./Weights";

const ABOUT =
  "How this space remembers. Values set here override the environment and apply immediately in every process.";

export default function Settings({ space }: ViewProps) {
  const loaded = useLoaded((signal) => settings(space, signal), [space]);
  const responder = useLoaded((signal) => answerer(space, "new", signal), [space]);
  const [typed, setTyped] = useState("");
  useReloadOn(["setting"], loaded.reload);
  return (
    <div class="view settings">
      <ViewHead title="Settings" about={ABOUT}>
        <SearchField label="Search settings" value={typed} change={setTyped} />
      </ViewHead>
      {loaded.problem && <Failure problem={loaded.problem} retry={loaded.reload} />}
      {loaded.value === undefined && !loaded.problem && <Loading lines={8} />}
      {loaded.value && (
        <Found
          space={space}
          all={loaded.value}
          model={responder.value?.model != null}
          typed={typed}
          reload={loaded.reload}
        />
      )}
    </div>
  );
}

interface FoundProps {
  space: string;
  all: readonly Setting[];
  /** True if a language model is set. */
  model: boolean;
  typed: string;
  reload: () => void;
}

function Found({ space, all, model, typed, reload }: FoundProps) {
  const found = matching(all, typed);
  const hidden = found.flatMap((setting) => {
    const reason = unused(setting, all, model);
    return reason === undefined ? [] : [{ setting, reason }];
  });
  const shown = found.filter((setting) => hidden.every((each) => each.setting !== setting));
  const weights = shown.filter(isWeight);
  const models = typed.trim() === "" || "models embedder".includes(typed.trim().toLowerCase());
  if (found.length === 0 && !models) {
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
      {hidden.length > 0 && (
        <Section title="Not shown" about="Settings that have no effect now, and why.">
          <ul class="without-effect small">
            {hidden.map(({ setting, reason }) => (
              <li key={setting.name}>
                <b>{titleOf(setting)}</b> <span class="quiet">{reason}</span>
              </li>
            ))}
          </ul>
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
