/** Where secret params do not get: into anything but the hands of the runner. */
import { once } from "node:events"
import { globSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Runhook } from "@runhook/sdk"
import { createRunner, TaskError } from "@runhook/sdk/runner"
import * as Effect from "effect/Effect"
import { durableDirectory } from "./DurableDirectory.ts"
import { runhook, runningServer, temporaryDirectory } from "./RunhookProcess.ts"

/** Milliseconds for a server with a database and its backup. */
const patience = 120_000

const adminKey = "an-admin-key-of-the-operator-himself"
const secret = "correct-horse-battery-staple"
const params = {
  user: "ada",
  login: { password: secret, remember: true },
  tokens: ["public", { value: secret }]
}
const shown = { user: "ada", login: { password: "[secret]", remember: true }, tokens: ["public", "[secret]"] }

const paramsSchema = {
  type: "object",
  properties: {
    user: { type: "string" },
    login: {
      type: "object",
      properties: { password: { $ref: "#/$defs/password" }, remember: { type: "boolean" } }
    },
    tokens: { type: "array", prefixItems: [{ type: "string" }], items: { writeOnly: true } }
  },
  $defs: { password: { type: "string", minLength: 8, writeOnly: true } }
}

/** Takes everything, and keeps it. */
const receiver = Effect.acquireRelease(
  Effect.promise(async () => {
    const heard: Array<string> = []
    const server = createServer((request, response) => {
      let body = JSON.stringify(request.headers)
      request.on("data", (piece: Buffer) => (body += piece.toString()))
      request.on("end", () => {
        heard.push(body)
        response.writeHead(204).end()
      })
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    const address = server.address()
    assert(typeof address === "object" && address !== null)
    return { heard, server, url: `http://127.0.0.1:${address.port}/` }
  }),
  ({ server }) => Effect.sync(() => server.close().closeAllConnections())
)

/** The text of an answer, and what it says of an id and a key. */
const asking = (baseUrl: string) => async (path: string, key: string, body?: object) => {
  const answer = await fetch(`${baseUrl}/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) })
  })
  const text = await answer.text()
  assert.isTrue(answer.ok, text)
  return { text, body: JSON.parse(text) }
}

/** Everything in a folder, unpacked. */
const contentsOf = async (folder: string): Promise<ReadonlyArray<string>> =>
  Promise.all(
    globSync("**/*", { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const bytes = await readFile(join(entry.parentPath, entry.name))
        return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("latin1")
      })
  )

describe("secret params", () => {
  it.live(
    "reach the runner, in every attempt and rerun, and are in no answer, callback, log, metric, row or backup",
    () =>
      Effect.gen(function* () {
        const settings = {
          RUNHOOK_MODE: "development",
          RUNHOOK_DATA_DIR: yield* durableDirectory,
          RUNHOOK_ADMIN_KEY: adminKey,
          RUNHOOK_LOG_LEVEL: "debug"
        }
        const server = yield* runningServer(settings)
        const { heard, url } = yield* receiver
        const backups = yield* temporaryDirectory
        const given: Array<unknown> = []
        const answers = yield* Effect.promise(async () => {
          const ask = asking(server.baseUrl)
          const { id: account } = (await ask("/admin/accounts", adminKey, { name: "Acme" })).body
          const make = async (path: string, body: object) =>
            (await ask(`/admin/accounts/${account}${path}`, adminKey, body)).body
          const { id: agent_id } = await make("/agents", { name: "Press" })
          const { id: task_id } = await make("/tasks", {
            slug: "print",
            name: "Print",
            retry: { max_attempts: 2 }
          })
          await make(`/tasks/${task_id}/versions`, { params_schema: paramsSchema })
          const { key } = await make("/keys", { name: "Back office" })
          const { key: runnerKey } = await make("/runner-keys", { name: "Cellar" })
          const client = new Runhook({ baseUrl: server.baseUrl, apiKey: key })
          const runner = createRunner({
            baseUrl: server.baseUrl,
            apiKey: runnerKey,
            log: () => {},
            tasks: {
              print: (context) => {
                given.push(context.params)
                if (given.length === 1) throw new TaskError("later", { retryable: true, delayMillis: 1 })
              }
            }
          })
          const body = { agent_id, task_id, params, callback_url: url }
          const created = await ask("/integrations/executions", key, body)
          const { execution_id: id } = created.body
          await runner.start()
          await client.executions.waitFor(id)
          const again = await client.executions.rerun(id)
          const last = await client.executions.waitFor(again.execution_id)
          await runner.stop()
          assert.deepStrictEqual(last.params, shown)
          const integration = [
            "/executions",
            `/executions/${id}`,
            `/executions/${id}/events`,
            `/executions/${id}/logs`,
            `/executions/${again.execution_id}`,
            `/tasks/${task_id}`,
            "/webhooks/deliveries"
          ]
          const admin = [
            "/executions",
            `/executions/${id}`,
            `/executions/${id}/events`,
            "/deliveries",
            "/audit"
          ]
          const texts = await Promise.all([
            ...integration.map((path) => ask(`/integrations${path}`, key)),
            ...admin.map((path) => ask(`/admin/accounts/${account}${path}`, adminKey))
          ])
          const metrics = await fetch(`${server.baseUrl}/metrics`)
          return [created.text, ...texts.map(({ text }) => text), await metrics.text()]
        })

        const backup = yield* runhook(["backup", "--to", backups], settings)
        server.signal("SIGTERM")
        const { stderr, stdout } = yield* server.ended

        assert.deepStrictEqual(given, [params, params, params])
        const rows = yield* Effect.promise(() => contentsOf(backups))
        assert.strictEqual(backup.code, 0, backup.stderr)
        assert.isTrue(rows.some((text) => text.includes("[secret]")))
        assert.isAbove(heard.length, 2)
        const everything = { answers, heard, rows, printed: [stdout, stderr, backup.stdout, backup.stderr] }
        for (const [where, texts] of Object.entries(everything)) {
          for (const form of [secret, Buffer.from(secret).toString("base64").slice(0, 30)]) {
            assert.isFalse(
              texts.some((text) => text.includes(form)),
              where
            )
          }
        }
      }).pipe(Effect.scoped),
    patience
  )
})
