import type { Message } from "../api/messages";

const WHO = { user: "You", assistant: "Assistant", tool: "Tool", system: "System" };

/** Who said a message: the name, if it has one. A tool is shown with its name elsewhere. */
export function speakerOf({ role, name }: Pick<Message, "role" | "name">): string {
  return name !== null && name.trim() !== "" && role !== "tool" ? name : WHO[role];
}

/** The number of a message as people count: from 1. */
export function numberOf(seq: number): string {
  return (seq + 1).toLocaleString();
}
