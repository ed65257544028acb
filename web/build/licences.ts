// Writes licences.txt: the licences of the packages in the built page.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const SHIPPED = ["preact", "@preact/signals", "@preact/signals-core", "echarts", "zrender", "tslib"];
const TEXTS = ["LICENSE", "LICENSE.txt", "NOTICE", "KEY_LICENSE"];

export function licences(): Plugin {
  return {
    name: "licences",
    apply: "build",
    generateBundle(_, bundle) {
      const used = new Set<string>();
      for (const one of Object.values(bundle)) {
        if (one.type === "chunk") for (const id of one.moduleIds) used.add(owner(id));
      }
      used.delete("");
      const unknown = [...used].filter((name) => !SHIPPED.includes(name));
      if (unknown.length > 0) this.error(`say in build/licences.ts that these are shipped: ${unknown.join(", ")}`);
      const source = SHIPPED.filter((name) => used.has(name))
        .map(text)
        .join(`\n${"=".repeat(72)}\n\n`);
      this.emitFile({ type: "asset", fileName: "licences.txt", source });
    },
  };
}

function owner(module: string): string {
  const inside = module.split("node_modules/").pop();
  if (inside === undefined || inside === module) return "";
  const [first = "", second = ""] = inside.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}

function text(name: string): string {
  const folder = join("node_modules", name);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf-8")) as { version: string };
  const found = TEXTS.map((file) => join(folder, file)).filter(existsSync);
  if (found.length === 0) throw new Error(`${name} has no licence text`);
  return [`${name} ${version}\n`, ...found.map((file) => readFileSync(file, "utf-8"))].join("\n");
}
