import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { apiNames, documents } from "../Documents.ts"
import { generators } from "./Generators.ts"

/** What a program takes from the types: one error for every refusal, the body of a callback, bytes. */
const consumer = `
import type { paths as Admin } from "./admin.ts"
import type { components, paths, webhooks } from "./integration.ts"
import type { paths as Runner } from "./runner.ts"

type Create = paths["/api/v1/integrations/executions"]["post"]
type Refused = components["schemas"]["Error"]
type Upload = Runner["/storage"]["put"]["requestBody"]["content"]["application/octet-stream"]

export const request: Create["requestBody"]["content"]["application/json"] = { agent_id: "", callback_url: null }
export const codeOf = (
  answer:
    | Create["responses"][422]["content"]["application/json"]
    | Create["responses"][429]["content"]["application/json"]
): Refused["error"]["code"] => answer.error.code
export const idOf = (
  event: webhooks["execution.completed"]["post"]["requestBody"]["content"]["application/json"]
): string => event.execution.id
export const bytes: Upload = ""
export const nameOf = (
  account: Admin["/api/v1/admin/accounts"]["post"]["responses"][201]["content"]["application/json"]
): string => account.name
`

describe("clients that others generate", () => {
  it.each(generators)("by $name compile, and have everything", { timeout: 120_000 }, async ({ compile }) => {
    const folder = await mkdtemp(join(tmpdir(), "runhook-clients-"))
    for (const name of apiNames) {
      await writeFile(join(folder, `${name}.json`), JSON.stringify(documents[name]))
    }
    await writeFile(join(folder, "consumer.ts"), consumer)

    const said = await compile(folder)

    await rm(folder, { recursive: true })
    assert.strictEqual(said, "")
  })
})
