/** Where secret params do not get: into anything but the hands of the runner. */
import { globSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Runhook } from "@runhook/sdk"
import { createRunner, TaskError } from "@runhook/sdk/runner"
import { scoped } from "@runhook/test-support/receivers/Listening"
import { startReceiver } from "@runhook/test-support/receivers/Receiver"
import { apiAt } from "@runhook/test-support/world/Api"
import { makeBy, makeTenant, workOf } from "@runhook/test-support/world/Tenant"
import * as Effect from "effect/Effect"
import { durableDirectory } from "./DurableDirectory.ts"
import { runhook, runningServer, temporaryDirectory } from "./RunhookProcess.ts"

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
        const receiver = yield* scoped(startReceiver)
        const backups = yield* temporaryDirectory
        const given: Array<unknown> = []
        const answers = yield* Effect.promise(async () => {
          const api = apiAt(server.baseUrl)
          const tenant = await makeTenant(makeBy(api, adminKey), {
            task: { retry: { max_attempts: 2 } },
            version: { params_schema: paramsSchema }
          })
          const { accountId, apiKey: key, runnerKey, taskId } = tenant
          const read = async (path: string, by: string) => (await api.raw({ path, key: by })).text()
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
          const body = { ...workOf(tenant), params, callback_url: receiver.url }
          const created = await api.json({ path: "/integrations/executions", key, body })
          const { execution_id: id } = created
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
            `/tasks/${taskId}`,
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
            ...integration.map((path) => read(`/integrations${path}`, key)),
            ...admin.map((path) => read(`/admin/accounts/${accountId}${path}`, adminKey))
          ])
          const metrics = await fetch(`${server.baseUrl}/metrics`)
          return [JSON.stringify(created), ...texts, await metrics.text()]
        })

        const backup = yield* runhook(["backup", "--to", backups], settings)
        server.signal("SIGTERM")
        const { stderr, stdout } = yield* server.ended

        assert.deepStrictEqual(given, [params, params, params])
        const rows = yield* Effect.promise(() => contentsOf(backups))
        assert.strictEqual(backup.code, 0, backup.stderr)
        assert.isTrue(rows.some((text) => text.includes("[secret]")))
        assert.isAbove(receiver.received.length, 2)
        const heard = receiver.received.map((each) => JSON.stringify(each))
        const everything = { answers, heard, rows, printed: [stdout, stderr, backup.stdout, backup.stderr] }
        for (const [where, texts] of Object.entries(everything)) {
          for (const form of [secret, Buffer.from(secret).toString("base64").slice(0, 30)]) {
            assert.isFalse(
              texts.some((text) => text.includes(form)),
              where
            )
          }
        }
      }).pipe(Effect.scoped)
  )
})
