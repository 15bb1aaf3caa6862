import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { json, startServer } from "../call/RawServer.ts"
import { buildPackage, type Built } from "./Built.ts"
import { bundle, gzippedBytes } from "./Bundle.ts"
import { commonJs } from "./CommonJs.ts"
import { publishedTypes } from "./Types.ts"

let built: Built
beforeAll(async () => {
  built = await buildPackage()
})
afterAll(() => built[Symbol.asyncDispose]())

const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8")

/** The Node of the tests, and the machine's own where it is another. */
const nodes = [...new Set([process.execPath, "/usr/bin/node", "/usr/local/bin/node"].filter(existsSync))]

/** What nothing in a folder may import. */
const foreignTo: Readonly<Record<string, RegExp>> = {
  effect: /(?<!")\b(from|import|require)\s*\(?"(?!\.|effect\/)/,
  runner: /(?<!")\b(from|import|require)\s*\(?"(?!\.|node:)/,
  others: /(?<!")\b(from|import|require)\s*\(?"[^.]/
}

describe("the package", () => {
  it.each([
    ["@runhook/sdk", "Runhook.ts"],
    ["@runhook/sdk/admin", "admin/Admin.ts"],
    ["@runhook/sdk/evidence", "evidence/Evidence.ts"],
    ["@runhook/sdk/runner", "runner/Runner.ts"],
    ["@runhook/sdk/webhooks", "webhooks/Webhooks.ts"]
  ] as const)("ships %s in the size that its page names", async (name, entry) => {
    const [, kilobytes] =
      new RegExp(`^\\| \`${name}\` \\| .* \\| under ([\\d.]+) KB \\|$`, "m").exec(readme) ?? []
    assert.isAtMost(gzippedBytes(await bundle(entry)), Number(kilobytes) * 1_000)
  })

  it("depends on nothing, but on Effect for those who use it", () => {
    assert.notProperty(built.manifest, "dependencies")
    for (const [path, text] of built.files) {
      const folder = /^dist\/(?:cjs\/)?(effect|runner)\//.exec(path)?.[1] ?? "others"
      const foreign = foreignTo[folder]
      assert(foreign)
      if (path.startsWith("dist/")) assert.notMatch(text, foreign, path)
    }
  })

  it("holds modules, CommonJS and types of every entry", () => {
    for (const { import: module, require: common } of Object.values(built.manifest.exports)) {
      for (const path of [module.default, module.types, common.default, common.types]) {
        assert.isTrue(built.files.has(path.slice("./".length)), path)
      }
    }
  })

  it.each(nodes)("runs on %s", async (node) => {
    await using server = await startServer(json(200, { data: [{ id: "a-1" }], next_cursor: null }))
    const files = {
      "client.mjs": await bundle("Runhook.ts"),
      "webhooks.mjs": await bundle("webhooks/Webhooks.ts")
    }
    const urls = await Promise.all(
      Object.entries(files).map(async ([name, text]) => {
        const path = join(built.directory, name)
        await writeFile(path, text)
        return pathToFileURL(path)
      })
    )
    const entries = [".", "./webhooks"].map((entry) =>
      pathToFileURL(join(built.directory, built.manifest.exports[entry]?.import.default ?? ""))
    )
    const script = `
      const check = async (client, webhooks) => {
        const { Runhook } = await import(client)
        const { signTest, verifyWebhook } = await import(webhooks)
        const runhook = new Runhook({ baseUrl: "${server.url}", apiKey: "rhlive_a_b" })
        const agents = await runhook.agents.list().toArray({ limit: 10 })
        const event = { event_id: "e-1", type: "webhook.test" }
        const callback = await signTest(event, { secret: "whsec_a" })
        const verified = await verifyWebhook({ ...callback, secrets: "whsec_a" })
        return agents[0].id + verified.event_id
      }
      console.log(await check(${urls.map((url) => `"${url}"`)}), await check(${entries.map((url) => `"${url}"`)}))`

    const { stdout } = await promisify(execFile)(node, ["--input-type=module", "-e", script])

    assert.strictEqual(stdout, "a-1e-1 a-1e-1\n")
  })

  it.each(nodes.flatMap((node) => ["dist", "dist/cjs"].map((folder) => [folder, node] as const)))(
    "keeps leases in a thread of its own, from %s on %s",
    async (folder, node) => {
      await using server = await startServer(json(200, { leases: [], commands: [], lost: [] }))
      const thread = pathToFileURL(join(built.directory, folder, "runner/HeartbeatThread.js"))
      const script = `
      import { once } from "node:events"
      import { Worker } from "node:worker_threads"
      import { createRunner } from "${new URL("Runner.js", thread)}"
      const options = { execArgv: [], workerData: { baseUrl: "${server.url}", apiKey: "rhrun_a_b" } }
      const worker = new Worker(new URL("${thread}"), options)
      worker.postMessage({ type: "session", session_id: "s-1", heartbeat_ms: 1 })
      worker.postMessage({ type: "hold", lease: { execution_id: "e-1", epoch: 1 }, lease_ms: 60_000 })
      console.log(typeof createRunner, JSON.stringify(await once(worker, "message")))
      await worker.terminate()`

      const { stdout } = await promisify(execFile)(node, ["--input-type=module", "-e", script])

      assert.strictEqual(stdout, `function [{"commands":[],"lost":[]}]\n`)
    }
  )
})

// What is built once is used by all.
commonJs(() => built)

publishedTypes(() => built)
