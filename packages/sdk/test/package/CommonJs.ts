/** The package in programs that `require`: as TypeScript emits them, and by hand. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, beforeAll, describe, it } from "vitest"
import { type Built, compiler } from "./Built.ts"

const nodeTypes = dirname(dirname(fileURLToPath(import.meta.resolve("@types/node/package.json"))))

/** The Node of the tests, and the machine's own where it is another. */
const nodes = [...new Set([process.execPath, "/usr/bin/node", "/usr/local/bin/node"].filter(existsSync))]

const program = `
  import { createRunner, TaskError } from "@runhook/sdk/runner"
  import { ApiError, Runhook, RunhookError } from "@runhook/sdk"
  import { signTest, verifyWebhook } from "@runhook/sdk/webhooks"

  const check = async () => {
    const [baseUrl, apiKey] = ["http://runhook.test", "rhlive_a_b"]
    const fetch = async (url: unknown) =>
      String(url).endsWith("nobody")
        ? Response.json({ error: { code: "not_found", message: "", details: null, request_id: "req_1" } }, { status: 404 })
        : Response.json({ status: "completed" })
    const runhook: Runhook = new Runhook({ baseUrl, apiKey, fetch })
    const execution = await runhook.executions.get("e-1")
    const refused: unknown = await runhook.executions.get("nobody").catch((error: unknown) => error)
    const { body, headers } = await signTest({ event_id: "e-1", type: "webhook.test" } as never, { secret: "whsec_a" })
    const event = await verifyWebhook({ body, headers, secrets: "whsec_a" })
    const runner = createRunner({ baseUrl, apiKey, tasks: { add: async () => { throw new TaskError("no") } } })
    console.log(execution.status, refused instanceof ApiError, refused instanceof RunhookError, event.event_id, typeof runner.run)
  }
  void check()`

const said = "completed true true e-1 function\n"

/** Of the package that is built by then. */
export const commonJs = (built: () => Built) =>
  describe("a program in CommonJS", () => {
    let consumer: string
    beforeAll(async () => {
      const { directory } = built()
      consumer = await mkdtemp(join(directory, "../consumer-"))
      await mkdir(join(consumer, "node_modules/@runhook"), { recursive: true })
      await symlink(directory, join(consumer, "node_modules/@runhook/sdk"))
      await writeFile(join(consumer, "package.json"), JSON.stringify({ type: "commonjs" }))
      await writeFile(join(consumer, "program.ts"), program)
    })

    const runs = (file: string) =>
      Promise.all(
        nodes.map(async (node) => (await promisify(execFile)(node, [file], { cwd: consumer })).stdout)
      )

    it.each([
      ["node16", ["--module", "node16"]],
      ["nodenext", ["--module", "nodenext"]],
      ["commonjs", ["--module", "commonjs", "--moduleResolution", "bundler"]]
    ])("compiles with module %s, and runs", async (name, options) => {
      const strict = ["--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--lib", "es2023"]
      const types = ["--typeRoots", nodeTypes, "--types", "node"]
      const args = [compiler, ...strict, ...types, ...options, "--outDir", name, "program.ts"]

      await promisify(execFile)(process.execPath, args, { cwd: consumer })

      assert.deepStrictEqual(new Set(await runs(join(name, "program.js"))), new Set([said]))
    })

    it("runs without a compiler", async () => {
      const plain = `
      const { Runhook } = require("@runhook/sdk")
      const { verifyWebhook } = require("@runhook/sdk/webhooks")
      console.log(typeof new Runhook({ baseUrl: "http://127.0.0.1:8700", apiKey: "k" }).executions.create, typeof verifyWebhook)`
      await writeFile(join(consumer, "plain.js"), plain)

      assert.deepStrictEqual(new Set(await runs("plain.js")), new Set(["function function\n"]))
    })
  })
