import type { ComponentChildren } from "preact";
import { message } from "../api/messages";
import { go, linkTo, space } from "../store/route";
import { attempt } from "../store/toasts";

interface MessageLinkProps {
  conversation: string;
  id: string;
  children: ComponentChildren;
}

/** A link to a message in its conversation. The position is looked up on click. */
export function MessageLink({ conversation, id, children }: MessageLinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void attempt(async () => {
      const target = await message(space.value, conversation, id);
      go("chat", conversation, String(target.seq));
    });
  };
  return (
    <a href={linkTo("chat", conversation)} onClick={follow}>
      {children}
    </a>
  );
}
