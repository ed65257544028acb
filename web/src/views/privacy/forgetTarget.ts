// The target of a forget request, and its result.
import type { ForgetBody } from "../../api/erasures";
import { fromField } from "../../parts/inputs";
import type { MessageRef } from "../../parts/MessageField";

export const TARGETS = ["message", "conversation", "fact", "before", "everything"] as const;
export type Target = (typeof TARGETS)[number];

export interface Draft {
  target: Target;
  message: MessageRef;
  conversation: string;
  fact: string;
  before: string;
}

/** From the rest of the address: `forget/fact/ID`, `forget/message/CONVERSATION/ID`. */
export function draftOf([what, first = "", second = ""]: readonly string[]): Draft {
  const target = TARGETS.find((each) => each === what) ?? "message";
  return {
    target,
    message: target === "message" ? { conversation: first, message: second } : { conversation: "", message: "" },
    conversation: target === "conversation" ? first : "",
    fact: target === "fact" ? first : "",
    before: "",
  };
}

/** The request body; undefined while the form is incomplete. */
export function requestOf(draft: Draft): ForgetBody | undefined {
  switch (draft.target) {
    case "message":
      return draft.message.message === "" ? undefined : { message: draft.message.message };
    case "conversation":
      return draft.conversation === "" ? undefined : { conversation: draft.conversation };
    case "fact":
      return draft.fact === "" ? undefined : { fact: draft.fact };
    case "before": {
      const before = fromField(draft.before);
      return before === null ? undefined : { before };
    }
    case "everything":
      return { everything: true };
  }
}
