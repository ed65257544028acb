// Compresses every file of the built page with gzip and brotli, so that the server does not compress at run time.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(html|js|css|svg|txt)$/;
const WORTH = 512; // bytes below which compression gains nothing

export function compressed(): Plugin {
  let folder = "";
  return {
    name: "compressed",
    apply: "build",
    writeBundle(options) {
      folder = options.dir ?? "";
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf-8" })) {
        if (TEXT.test(name)) compress(join(folder, name));
      }
    },
  };
}

function compress(file: string): void {
  const content = readFileSync(file);
  if (content.length < WORTH) return;
  const hint = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length, [constants.BROTLI_PARAM_QUALITY]: 11 };
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params: hint }));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}
