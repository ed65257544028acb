import { useMemo } from "preact/hooks";
import { Code } from "./Code";
import "./Prose.css";
import { blocks, spans } from "./prose";

/** The text of a message: prose and code, never HTML. */
export function Prose({ text }: { text: string }) {
  const parsed = useMemo(() => blocks(text), [text]);
  return (
    <div class="prose">
      {parsed.map((block, index) =>
        block.kind === "code" ? (
          <Code key={index} text={block.text} language={block.language} />
        ) : (
          <p key={index} dir="auto">
            {spans(block.text).map((span, at) => marked(span.kind, span.text, at))}
          </p>
        ),
      )}
    </div>
  );
}

function marked(kind: "text" | "code" | "strong", text: string, key: number) {
  if (kind === "code") return <code key={key}>{text}</code>;
  if (kind === "strong") return <strong key={key}>{text}</strong>;
  return text;
}
