import { readFile } from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import type { Environment } from "@runhook/test-support/world/ServiceProcess"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { bodyOf, eventually, request } from "./Http.ts"
import { runningServer, temporaryDirectory } from "./RunhookProcess.ts"

const adminKey = "an-admin-key-of-at-least-32-characters"

/** A server in production, what it logs until it has stopped, and a caller that lists tasks. */
const logOf = Effect.fnUntraced(function* (environment: Environment) {
  const server = yield* runningServer({
    RUNHOOK_MODE: "production",
    RUNHOOK_STORE: "memory",
    RUNHOOK_DATA_DIR: yield* temporaryDirectory,
    RUNHOOK_ADMIN_KEY: adminKey,
    RUNHOOK_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    ...environment
  })
  const admin = <A>(path: string, schema: Schema.Codec<A, unknown>) =>
    request(`${server.baseUrl}/api/v1/admin/accounts${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "Acme" })
    }).pipe(Effect.flatMap(bodyOf(schema)))
  const { id } = yield* admin("", Schema.Struct({ id: Schema.String }))
  const { key, prefix } = yield* admin(
    `/${id}/keys`,
    Schema.Struct({ key: Schema.String, prefix: Schema.String })
  )
  yield* request(`${server.baseUrl}/api/v1/integrations/tasks?q=hidden`, {
    headers: { authorization: `Bearer ${key}` }
  })
  yield* request(`${server.baseUrl}/livez`)
  server.signal("SIGTERM")
  const { stderr } = yield* server.ended
  const lines = stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  return { baseUrl: server.baseUrl, id, key, prefix, stderr, lines }
})

const documented = Effect.promise(async () => {
  const page = await readFile(new URL("../../../docs/operating/watch.md", import.meta.url), "utf8")
  const [, example = ""] = /```json\n(\{"timestamp".*\})\n```/.exec(page) ?? []
  return JSON.parse(example)
})

describe("the log of a server", () => {
  it.live("ends the server in order when nobody reads it any more", () =>
    Effect.gen(function* () {
      const server = yield* runningServer({
        RUNHOOK_STORE: "memory",
        RUNHOOK_DATA_DIR: yield* temporaryDirectory,
        RUNHOOK_ADMIN_KEY: adminKey,
        RUNHOOK_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
        RUNHOOK_STOP_NOTICE: "3"
      })
      const statusOf = (path: string) =>
        Effect.map(request(`${server.baseUrl}${path}`), ({ status }) => status)

      server.stopReadingLog()
      const logged = yield* statusOf("/nowhere")
      yield* eventually(statusOf("/readyz"), (status) => status === 503)
      const meanwhile = yield* statusOf("/livez")
      const { code } = yield* server.ended

      assert.deepStrictEqual([logged, meanwhile, code], [404, 200, 141])
    })
  )

  it.live("has lines as docs/operating shows them, and no secret", () =>
    Effect.gen(function* () {
      const { baseUrl, id, key, lines, prefix, stderr } = yield* logOf({})

      const example = yield* documented
      const line = lines.find(({ path }) => path === example.path)
      assert.deepStrictEqual(Object.keys(line), Object.keys(example))
      for (const [name, value] of Object.entries(example)) assert.typeOf(line[name], typeof value, name)
      assert.deepInclude(line, { level: "info", status: 200, account_id: id, key_prefix: prefix })
      const listening = lines.find(({ message }) => message === "Listening")
      const { hostname, port } = new URL(baseUrl)
      assert.deepInclude(listening, { url: baseUrl, host: hostname, port: Number(port) })
      assert.isUndefined(lines.find(({ path }) => path === "/livez"))
      for (const secret of [key, adminKey, "hidden"]) assert.notInclude(stderr, secret)
    })
  )

  it.live("has probes as well when it is set to debug", () =>
    Effect.gen(function* () {
      const { lines } = yield* logOf({ RUNHOOK_LOG_LEVEL: "debug" })

      const probe = lines.find(({ path }) => path === "/livez")
      assert.deepInclude(probe, { level: "debug", status: 200 })
    })
  )
})
