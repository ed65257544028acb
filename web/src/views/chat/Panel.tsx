import { type ConversationInfo, changeConversation } from "../../api/conversations";
import type { Pin } from "../../api/pins";
import { IconButton } from "../../parts/Button";
import { Switch } from "../../parts/Field";
import { attempt } from "../../store/toasts";
import type { Loaded } from "../../store/useLoaded";
import { LatestSummary } from "./LatestSummary";
import "./Panel.css";
import { Pins } from "./Pins";

interface PanelProps {
  space: string;
  name: string;
  info: ConversationInfo | undefined;
  pins: Loaded<Pin[]>;
  close: () => void;
  /** Scrolls to the message with this id. */
  show: (message: string) => void;
}

const REMEMBERED = "This conversation is remembered, and it can recall other conversations.";
const MUTED =
  "Nothing is learned from this conversation, other conversations cannot recall it, and it recalls nothing from them.";

/** The side panel: memory switch, pins and summary of the open conversation. */
export function Panel({ space, name, info, pins, close, show }: PanelProps) {
  return (
    <aside class="chat-panel" aria-label="Pins and memory">
      <header>
        <IconButton icon="close" label="Hide pins and memory" onClick={close} />
      </header>
      {info && (
        <section aria-label="Memory">
          <Switch
            label="Memory"
            hint={info.muted ? MUTED : REMEMBERED}
            checked={!info.muted}
            change={(on) => attempt(() => changeConversation(space, name, { muted: !on }))}
          />
        </section>
      )}
      <Pins space={space} conversation={name} pins={pins} show={show} />
      {info !== undefined && info.messages > 0 && <LatestSummary space={space} conversation={name} />}
    </aside>
  );
}
