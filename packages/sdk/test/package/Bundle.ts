/** An entry point with all it needs in one minified file, as bundlers ship it. */
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

export const bundle = async (
  entry:
    | "Runhook.ts"
    | "admin/Admin.ts"
    | "evidence/Evidence.ts"
    | "runner/Runner.ts"
    | "webhooks/Webhooks.ts"
): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../src/${entry}`, import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    platform: entry === "runner/Runner.ts" ? "node" : "browser",
    target: "es2022",
    write: false
  })
  return outputFiles.map(({ text }) => text).join("")
}

export const gzippedBytes = (text: string): number => gzipSync(text, { level: 9 }).length
