import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { apiNames, documents } from "../Documents.ts"
import { type Demo, startDemo } from "./Demo.ts"
import { generators } from "./Generators.ts"
import { stories } from "./Stories.ts"

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

let demo: Demo
beforeAll(async () => {
  demo = await startDemo()
}, 120_000)
afterAll(() => demo[Symbol.asyncDispose]())

describe("clients that others generate", () => {
  it.each(generators)(
    "by $name compile, and create, wait and fetch a file",
    { timeout: 240_000 },
    async ({ compile, tell }) => {
      const folder = await mkdtemp(join(tmpdir(), "runhook-clients-"))
      for (const name of apiNames) {
        await writeFile(join(folder, `${name}.json`), JSON.stringify(documents[name]))
      }
      await mkdir(join(folder, "story"))
      const files = { ...stories, "consumer.ts": consumer, "package.json": '{ "type": "module" }' }
      for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)

      const said = await compile(folder)
      const told = await tell(folder, demo.settings)

      await rm(folder, { recursive: true })
      assert.strictEqual(said, "")
      assert.strictEqual(told.toLowerCase(), "completed true true invalid_params\n")
    }
  )
})
