import { useEffect, useState } from "preact/hooks";
import { IconButton } from "./Button";
import "./Code.css";
import { copy } from "./copy";
import type { Token } from "./highlight";

const MOST = 60_000; // characters that are highlighted; more would block the page

/** Highlighted code. The colours appear after the text. */
export function Code({ text, language = null }: { text: string; language?: string | null }) {
  const [tokens, setTokens] = useState<Token[] | null>(null);
  useEffect(() => {
    let current = true;
    if (text.length > MOST) return;
    void import("./highlight").then(({ highlight }) => {
      if (current) setTokens(highlight(text, language));
    });
    return () => {
      current = false;
    };
  }, [text, language]);
  return (
    <figure class="code">
      <figcaption>
        <span>{language ?? "code"}</span>
        <IconButton icon="copy" label="Copy code" onClick={() => copy(text)} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>
          {tokens === null
            ? text
            : tokens.map((token, index) =>
                token.kind === "plain" ? (
                  token.text
                ) : (
                  <span key={index} class={`t-${token.kind}`}>
                    {token.text}
                  </span>
                ),
              )}
        </code>
      </pre>
    </figure>
  );
}
