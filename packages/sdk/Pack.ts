/**
 * What `npm pack`, `pnpm pack` and their `publish` run before and after.
 *
 *     node Pack.ts before|after
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "./Build.ts"

const manifest = join(import.meta.dirname, "package.json")
const kept = join(import.meta.dirname, "dist/workspace.package.json")

/** Only pnpm puts `publishConfig` in the place of what runs from source in the workspace. */
const isNpm = process.env["npm_config_user_agent"]?.startsWith("npm/") === true

if (process.argv[2] === "before") {
  build(join(import.meta.dirname, "dist"))
  if (isNpm) {
    const text = readFileSync(manifest, "utf8")
    const { publishConfig, ...own } = JSON.parse(text)
    writeFileSync(kept, text)
    writeFileSync(manifest, `${JSON.stringify({ ...own, ...publishConfig }, null, 2)}\n`)
  }
} else if (existsSync(kept)) renameSync(kept, manifest)
