// @ts-expect-error: the package has no types
import spec from "commonmark-spec";
import { expect, test } from "vitest";
import type { Span } from "../src/parts/inlines";
import { type Block, blocks } from "../src/parts/markdown";

// The examples that the parser reads otherwise on purpose.
const HTML = [21, 31, 201, 308, 309, 344, 475, 476, 477, 491, 494, 524, 536, 642, 643]; // HTML is text
const ADDRESSES = [602, 608, 611]; // an address of the web is a link without brackets

interface Example {
  number: number;
  section: string;
  markdown: string;
  html: string;
}

const escaped = (text: string) =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
const address = (href: string) => escaped(encodeURI(href).replace(/%25(?=[\dA-F]{2})/gi, "%"));
const titled = (title: string | null) => (title === null ? "" : ` title="${escaped(title)}"`);
const plain = (all: readonly Span[]): string =>
  all.map((span) => ("text" in span ? span.text : "spans" in span ? plain(span.spans) : "\n")).join("");

function inline(span: Span): string {
  const inner = "spans" in span ? span.spans.map(inline).join("") : "text" in span ? escaped(span.text) : "";
  switch (span.kind) {
    case "break":
      return "<br />\n";
    case "code":
      return `<code>${inner}</code>`;
    case "strong":
      return `<strong>${inner}</strong>`;
    case "emphasis":
      return `<em>${inner}</em>`;
    case "link":
      return `<a href="${address(span.href)}"${titled(span.title)}>${inner}</a>`;
    case "image":
      return `<img src="${address(span.href)}" alt="${escaped(plain(span.spans))}"${titled(span.title)} />`;
    default:
      return inner;
  }
}

function html(block: Block, tight = false): string {
  switch (block.kind) {
    case "paragraph": {
      const inner = block.spans.map(inline).join("");
      return tight ? inner : `<p>${inner}</p>`;
    }
    case "heading":
      return `<h${block.level}>${block.spans.map(inline).join("")}</h${block.level}>`;
    case "code": {
      const language = block.language === null ? "" : ` class="language-${escaped(block.language)}"`;
      return `<pre><code${language}>${escaped(block.text)}${block.text === "" ? "" : "\n"}</code></pre>`;
    }
    case "quote":
      return `<blockquote>${block.blocks.map((each) => html(each)).join("")}</blockquote>`;
    case "list": {
      const items = block.items.map((item) => `<li>${item.map((each) => html(each, block.tight)).join("")}</li>`);
      const start = block.start === null || block.start === 1 ? "" : ` start="${block.start}"`;
      return block.start === null ? `<ul>${items.join("")}</ul>` : `<ol${start}>${items.join("")}</ol>`;
    }
    default:
      return "<hr />";
  }
}

const compact = (text: string) =>
  text.replace(/\s*(<\/?(?:p|h\d|ul|ol|li|blockquote|pre|hr)\b[^>]*>)\s*/g, "$1").trim();

test("Markdown is read as the examples of CommonMark say", () => {
  const examples: Example[] = spec.tests;
  const wrong = examples
    .map((each) => ({ ...each, markdown: each.markdown.replaceAll("→", "\t"), html: each.html.replaceAll("→", "\t") }))
    .filter(({ section }) => section !== "HTML blocks" && section !== "Raw HTML")
    .filter(
      ({ markdown, html: wanted }) =>
        compact(
          blocks(markdown)
            .map((each) => html(each))
            .join(""),
        ) !== compact(wanted),
    );
  expect(wrong.map(({ number }) => number)).toEqual([...HTML, ...ADDRESSES].sort((a, b) => a - b));
});
