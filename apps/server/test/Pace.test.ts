/** What callers and receivers share a process for, when many ask at once. */
import { createServer, type ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { bodyOf, request } from "./Http.ts"
import { runningServer, temporaryDirectory } from "./RunhookProcess.ts"
import { testPostgres } from "./TestPostgres.ts"
import { listening } from "./Listening.ts"

const Made = Schema.Struct({ id: Schema.String })
const MadeKey = Schema.Struct({ key: Schema.String })

const adminKey = "an-admin-key-of-the-operator-himself"

const posting = (key: string, body: object): RequestInit => ({
  method: "POST",
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  body: JSON.stringify(body)
})

const aServer = Effect.gen(function* () {
  const { url } = yield* testPostgres
  return yield* runningServer({
    RUNHOOK_ADMIN_KEY: adminKey,
    RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    RUNHOOK_CALLBACK_ALLOW: "127.0.0.0/8",
    RUNHOOK_RATE_LIMIT: "off",
    RUNHOOK_DATA_DIR: yield* temporaryDirectory,
    RUNHOOK_DATABASE_URL: url
  })
})

/** An account of the server; gives a function that creates an execution for a receiver. */
const anAccount = Effect.fnUntraced(function* (baseUrl: string) {
  const made = <A>(schema: Schema.Codec<A, unknown>, path: string, body: object) =>
    Effect.flatMap(
      request(`${baseUrl}/api/v1/admin/accounts${path}`, posting(adminKey, body)),
      bodyOf(schema)
    )
  const { id } = yield* made(Made, "", { name: "Acme" })
  const agent = yield* made(Made, `/${id}/agents`, { name: "Press" })
  const task = yield* made(Made, `/${id}/tasks`, { slug: "print", name: "Print" })
  yield* made(Made, `/${id}/tasks/${task.id}/versions`, { params_schema: { type: "object" } })
  const { key } = yield* made(MadeKey, `/${id}/keys`, { name: "Orders" })
  return Effect.fnUntraced(function* (callback_url: string) {
    const creation = { agent_id: agent.id, task_id: task.id, callback_url }
    const { status } = yield* request(`${baseUrl}/api/v1/integrations/executions`, posting(key, creation))
    assert.strictEqual(status, 201)
  })
})

/** A receiver that does so with each request, once it is there. Answers its URL. */
const aReceiver = Effect.fnUntraced(function* (onRequest: (response: ServerResponse) => void) {
  const server = createServer((incoming, response) => {
    incoming.resume().once("end", () => onRequest(response))
  })
  return yield* listening(server)
})

const callers = 64
const creates = 1_000

describe("A server that 64 callers ask at once", () => {
  it.live(
    "sends what they cause while it answers them, also to one receiver, beside another that hangs",
    () =>
      Effect.gen(function* () {
        const server = yield* aServer
        const create = yield* anAccount(server.baseUrl)
        let arrived = 0
        const receiver = yield* aReceiver((response) => {
          arrived++
          response.end()
        })
        const silent = yield* aReceiver(() => {})
        yield* Effect.forEach(Array.from({ length: callers }), () => create(silent), { concurrency: callers })

        yield* Effect.replicateEffect(create(receiver), creates, { concurrency: callers, discard: true })

        assert.isAbove(arrived, creates / 2)
      })
  )
})
