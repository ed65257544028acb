import { useState } from "preact/hooks";
import {
  type ConversationEditBody,
  type ConversationInfo,
  changeConversation,
  deleteConversation,
} from "../../api/conversations";
import type { ResponderInfo } from "../../api/replies";
import { Badge } from "../../parts/Badge";
import { Button, IconButton } from "../../parts/Button";
import { Confirm, Dialog } from "../../parts/Dialog";
import { TextField } from "../../parts/Field";
import { Menu, type MenuItem } from "../../parts/Menu";
import { modelName } from "../../parts/modelName";
import { counted } from "../../parts/numbers";
import { go, linkTo } from "../../store/route";
import { attempt, say } from "../../store/toasts";
import { withBranches } from "./branches";
import { titleOf } from "./titles";

interface ConversationHeadProps {
  space: string;
  name: string;
  info: ConversationInfo | undefined;
  all: readonly ConversationInfo[];
  pins: number;
  speaker: ResponderInfo | undefined;
  panel: boolean;
  togglePanel: () => void;
}

export function ConversationHead({ space, name, info, all, pins, speaker, panel, togglePanel }: ConversationHeadProps) {
  const [asking, setAsking] = useState<"rename" | "delete">();
  const become = (what: ConversationEditBody) => attempt(() => changeConversation(space, name, what));
  return (
    <header class="conversation-head">
      <span class="narrow-only">
        <IconButton icon="back" label="All conversations" onClick={() => go("chat")} />
      </span>
      <div class="conversation-name">
        <h1 dir="auto">{info ? titleOf(info) : name}</h1>
        <p class="small quiet">
          {info?.status === "paused" && <Badge tone="warn">paused</Badge>}
          {info?.status === "ended" && <Badge>ended</Badge>}
          {info?.muted && <Badge tone="warn">memory off</Badge>}
          {counted(info?.messages ?? 0, info?.parent ? "own message" : "message")} ·{" "}
          {counted(info?.tokens ?? 0, "token")}
          {speaker && <span title={speaker.reason ?? speaker.model ?? undefined}> · {who(speaker)}</span>}
        </p>
        <Branches name={name} info={info} all={all} />
      </div>
      <Button kind="ghost" icon="pin" aria-expanded={panel} onClick={togglePanel}>
        {pins === 0 ? "Pins" : `Pins ${pins}`}
      </Button>
      <Menu label="Conversation actions" items={actions(info, become, setAsking)} />
      {asking === "rename" && info && <Rename space={space} info={info} close={() => setAsking(undefined)} />}
      {asking === "delete" && (
        <Delete space={space} name={name} info={info} all={all} close={() => setAsking(undefined)} />
      )}
    </header>
  );
}

interface BranchesProps {
  name: string;
  info: ConversationInfo | undefined;
  all: readonly ConversationInfo[];
}

/** Links to the conversation that this one is a branch of, and to its own branches. */
function Branches({ name, info, all }: BranchesProps) {
  const parent = info?.parent ?? undefined;
  const branches = all.filter((other) => other.parent === name);
  if (parent === undefined && branches.length === 0) return null;
  return (
    <p class="small quiet">
      {parent !== undefined && (
        <>
          Branch of <BranchLink name={parent} />
        </>
      )}
      {parent !== undefined && branches.length > 0 && " · "}
      {branches.length > 0 && "Branches: "}
      {branches.map((branch, index) => (
        <>
          {index > 0 && ", "}
          <BranchLink key={branch.id} name={branch.id} />
        </>
      ))}
    </p>
  );
}

/** By its name: a branch has the title of its parent. */
function BranchLink({ name }: { name: string }) {
  return (
    <a href={linkTo("chat", name)} dir="auto">
      {name}
    </a>
  );
}

function who(speaker: ResponderInfo): string {
  if (speaker.model === null) return "no model";
  return `model: ${modelName(speaker.model)}${speaker.local ? " (local)" : ""}`;
}

function actions(
  info: ConversationInfo | undefined,
  become: (what: ConversationEditBody) => void,
  ask: (what: "rename" | "delete") => void,
): MenuItem[] {
  if (info === undefined) return [{ label: "Delete…", icon: "trash", run: () => ask("delete"), bad: true }];
  const state: MenuItem[] =
    info.status === "active"
      ? [
          { label: "Pause", icon: "pause", run: () => become({ status: "paused" }) },
          { label: "End", icon: "stop", run: () => become({ status: "ended" }) },
        ]
      : [{ label: "Resume", icon: "play", run: () => become({ status: "active" }) }];
  return [
    { label: "Rename…", icon: "edit", run: () => ask("rename") },
    ...state,
    {
      label: info.muted ? "Turn memory on" : "Turn memory off",
      icon: info.muted ? "eye" : "shield",
      run: () => become({ muted: !info.muted }),
    },
    { label: "Delete…", icon: "trash", run: () => ask("delete"), bad: true },
  ];
}

function Rename({ space, info, close }: { space: string; info: ConversationInfo; close: () => void }) {
  const [title, setTitle] = useState(titleOf(info));
  const rename = async (event: Event) => {
    event.preventDefault();
    if (await attempt(() => changeConversation(space, info.id, { title: title.trim() }))) close();
  };
  return (
    <Dialog title="Rename conversation" close={close}>
      <form class="stack" onSubmit={rename}>
        <TextField label="Title" value={title} change={setTitle} required />
        <Button kind="primary" type="submit">
          Rename
        </Button>
      </form>
    </Dialog>
  );
}

interface DeleteProps {
  space: string;
  name: string;
  info: ConversationInfo | undefined;
  all: readonly ConversationInfo[];
  close: () => void;
}

/** Deletes a conversation together with its branches, which share its messages. */
function Delete({ space, name, info, all, close }: DeleteProps) {
  const [busy, setBusy] = useState(false);
  const [names] = useState(() => withBranches(name, all));
  const branches = names.slice(0, -1);
  const remove = async () => {
    setBusy(true);
    const worked = await attempt(async () => {
      for (const each of names) await deleteConversation(space, each);
      close();
      go("chat");
      say(branches.length === 0 ? "Conversation deleted." : `${counted(names.length, "conversation")} deleted.`);
    });
    if (!worked) setBusy(false);
  };
  return (
    <Confirm
      title="Delete this conversation?"
      confirm={branches.length === 0 ? "Delete" : "Delete all"}
      close={close}
      run={remove}
      busy={busy}
    >
      <p>
        This deletes “<bdi>{info ? titleOf(info) : name}</bdi>” with its {counted(info?.messages ?? 0, "message")}, its
        pins, and everything derived only from it. You cannot undo this.
      </p>
      {branches.length > 0 && (
        <p>
          It also deletes {counted(branches.length, "branch")} that share{branches.length === 1 && "s"} its messages:{" "}
          <bdi>{branches.join(", ")}</bdi>.
        </p>
      )}
    </Confirm>
  );
}
