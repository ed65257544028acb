import { expect, test } from "vitest";

const STYLES = import.meta.glob<string>("../src/views/**/*.css", { query: "?raw", import: "default", eager: true });
const ELEMENTS = import.meta.glob<string>("../src/**/*.tsx", { query: "?raw", import: "default", eager: true });

/** The view of a file, or the folder that all views share. */
function owner(file: string): string {
  return /^..\/src\/(views\/\w+|\w+)\//.exec(file)?.[1] ?? "";
}

/** The classes at the start of the selectors of a style sheet, outside nested rules. */
function roots(css: string): string[] {
  const found: string[] = [];
  let [depth, media, head] = [0, 0, ""];
  for (const character of css.replace(/\/\*[\s\S]*?\*\//g, "")) {
    if (character === "{" && head.trim().startsWith("@media")) media++;
    else if (character === "{") {
      if (depth++ === 0) found.push(...head.split(",").flatMap((one) => /^\s*\w*\.([\w-]+)/.exec(one)?.[1] ?? []));
    } else if (character === "}" && depth > 0) depth--;
    else if (character === "}") media--;
    head = /[{};]/.test(character) ? "" : head + character;
  }
  expect([depth, media]).toEqual([0, 0]);
  return found;
}

/** The class names of every element. */
function worn(tsx: string): string[] {
  const given = [...tsx.matchAll(/\bclass=("[^"]*"|\{(?:[^{}]|\{[^{}]*\})*\})/g)];
  return given.flatMap(([, value]) =>
    [...(value ?? "").matchAll(/["`]([^"`]*)["`]/g)].flatMap(([, text]) => (text ?? "").split(" ")),
  );
}

test("the style of a view matches no element of another view, because a loaded style stays", () => {
  const wearers = Object.entries(ELEMENTS).map(([file, tsx]) => [owner(file), new Set(worn(tsx))] as const);
  const met = Object.entries(STYLES).flatMap(([file, css]) =>
    roots(css).flatMap((name) =>
      wearers
        .filter(([other, names]) => other !== owner(file) && names.has(name))
        .map(([other]) => `.${name} of ${file} in ${other}`),
    ),
  );
  expect(Object.values(STYLES).flatMap(roots).length).toBeGreaterThan(100);
  expect([...new Set(met)]).toEqual([]);
});
