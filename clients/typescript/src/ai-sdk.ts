// Memory for the Vercel AI SDK: wrapLanguageModel({ model, middleware: memory(conversation) }).
import type { LanguageModelV4Content, LanguageModelV4Middleware, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ContextOptions, Conversation } from "./index.js";

interface ContextMessage {
  role: string;
  content: unknown;
}

/**
 * Adds what the conversation's memory knows to each question, and stores the question and the answer once it is complete.
 * The messages of a prompt are either the whole history, or only the new question: then the stored history is added too.
 */
export function memory(chat: Conversation, options: ContextOptions = {}): LanguageModelV4Middleware {
  let turn: { question: string; context: ContextMessage[] } = { question: "", context: [] };
  const questions = new WeakMap<LanguageModelV4Prompt, string>(); // of the prompts that end with one
  const store = async (prompt: LanguageModelV4Prompt, answer: string) => {
    const turn = [["user", questions.get(prompt)] as const, ["assistant", answer] as const];
    const messages = turn.flatMap(([role, content]) => (content ? [{ role, content }] : []));
    if (messages.length > 0) await chat.addMany(messages);
  };
  return {
    specificationVersion: "v4",
    async transformParams({ params }) {
      const at = params.prompt.findLastIndex((message) => message.role === "user");
      const question = textOf(params.prompt[at]?.content ?? []);
      if (question === "") return params;
      const asked = at === params.prompt.length - 1; // else the model called a tool, and the context stays the same
      if (asked || turn.question !== question) {
        const { payload } = await chat.context(question, { ...options, format: "openai" });
        turn = { question, context: (payload?.["messages"] ?? []) as ContextMessage[] };
      }
      const prompt = merged(params.prompt, at, turn.context);
      if (asked) questions.set(prompt, question);
      return { ...params, prompt };
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      await store(params.prompt, textOf(result.content));
      return result;
    },
    async wrapStream({ doStream, params }) {
      const { stream, ...rest } = await doStream();
      let answer = "";
      const heard = new TransformStream<typeof stream extends ReadableStream<infer Part> ? Part : never>({
        transform(part, controller) {
          if (part.type === "text-delta") answer += part.delta;
          controller.enqueue(part);
        },
        flush: () => store(params.prompt, answer),
      });
      return { stream: stream.pipeThrough(heard), ...rest };
    },
  };
}

/** The prompt with the context: its system text and history before the messages, its recalled text in the question. */
function merged(prompt: LanguageModelV4Prompt, at: number, context: ContextMessage[]): LanguageModelV4Prompt {
  const alone = prompt.filter((message) => message.role !== "system").length === 1;
  const added = context.slice(0, -1).flatMap(({ role, content }): LanguageModelV4Prompt => {
    if (typeof content !== "string") return [];
    if (role === "system") return [{ role, content }];
    return alone && (role === "user" || role === "assistant")
      ? [{ role, content: [{ type: "text", text: content }] }]
      : [];
  });
  const newest = context.at(-1)?.content;
  const messages = prompt.map((message, index) => {
    if (index !== at || message.role !== "user" || typeof newest !== "string") return message;
    const files = message.content.filter((part) => part.type !== "text");
    return { ...message, content: [{ type: "text" as const, text: newest }, ...files] };
  });
  const start = prompt.findIndex((message) => message.role !== "system");
  return [...messages.slice(0, start), ...added, ...messages.slice(start)];
}

function textOf(
  content: string | readonly (LanguageModelV4Content | LanguageModelV4Prompt[number]["content"][number])[],
): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (typeof part === "object" && part.type === "text" ? [part.text] : [])).join("");
}
