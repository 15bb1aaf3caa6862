/** The models of docs/agents/schemas.md as JSON Schema. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { JsonObject } from "@runhook/core/shared/json/Json"

/** Writes programs into a folder where zod is installed, and answers what the last one prints. */
export const runWithZod = (programs: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), "runhook-zod-"))
  try {
    mkdirSync(join(folder, "node_modules"))
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    const zod = dirname(fileURLToPath(import.meta.resolve("zod/package.json")))
    symlinkSync(zod, join(folder, "node_modules/zod"))
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text)
    const last = Object.keys(programs).at(-1) ?? ""
    return execFileSync(process.execPath, [last], { cwd: folder, encoding: "utf8" })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What zod makes of each expression, by its text: a schema, or its complaint. */
export const zodSchemas = (
  expressions: ReadonlyArray<string>,
  options = '{ io: "input" }'
): Readonly<Record<string, JsonObject | string>> => {
  const entries = expressions.map((text) => `${JSON.stringify(text)}: attempt(() => ${text})`)
  return JSON.parse(
    runWithZod({
      "schemas.js": `
        import * as z from "zod"
        const attempt = (model) => {
          try {
            return z.toJSONSchema(model(), ${options})
          } catch ({ message }) {
            return message
          }
        }
        console.log(JSON.stringify({ ${entries.join(", ")} }))`
    })
  )
}

/** What pydantic makes of each field, by its text. `pydantic_models.py` has written it, since few machines have pydantic. */
export const pydanticSchemas: Readonly<Record<string, JsonObject>> = JSON.parse(
  readFileSync(new URL("Pydantic.json", import.meta.url), "utf8")
).schemas
