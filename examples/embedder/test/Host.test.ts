import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createDatabase, type Database } from "@runhook/test-support/postgres/TestServer"
import { apiAt } from "@runhook/test-support/world/Api"
import { openRunner } from "@runhook/test-support/world/Runner"
import * as Duration from "effect/Duration"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { startHost } from "../src/Host.ts"
import { startReceiver } from "./Receiver.ts"

const baseUrl = "http://shop.example"

let postgres: Database
let directory: string
let host: Awaited<ReturnType<typeof startHost>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  postgres = await createDatabase({ sessions: "cut off" })
  directory = await mkdtemp(join(tmpdir(), "runhook-embedder-"))
  receiver = await startReceiver()
  host = await startHost({
    databaseUrl: postgres.url,
    secretKey: randomBytes(32).toString("base64"),
    baseUrl,
    filesDirectory: directory,
    callbackAllow: "127.0.0.0/8",
    retention: { delivered: Duration.days(30), dead: Duration.days(90) }
  })
})
afterAll(async () => {
  await host.close()
  await receiver[Symbol.asyncDispose]()
  await postgres[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

interface Call {
  readonly bearer?: string
  readonly body?: unknown
}

const call = async (path: string, { bearer = "", body }: Call = {}) => {
  const response = await host.fetch(
    new Request(baseUrl + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  )
  return { status: response.status, body: JSON.parse(await response.text()) }
}

/** A user of the host, whose callbacks the receiver believes. */
const signUp = async (email: string) => {
  const { body } = await call("/signup", { body: { email } })
  receiver.trust(body.signingSecret)
  const { session, runnerKey } = body
  return {
    session: String(session),
    runnerKey: String(runnerKey),
    order: (id: string, product: string) =>
      call("/orders", { bearer: session, body: { id, product, callbackUrl: receiver.url } }),
    executionsOf: async (reference: string): Promise<ReadonlyArray<{ readonly execution_id: string }>> =>
      (await call(`/api/v1/integrations/executions?reference=${reference}`, { bearer: session })).body.data
  }
}

/** Takes one piece of work over the runner API, and ends it with a result. */
const workOnce = async (member: { readonly runnerKey: string }, result: object) => {
  const runner = await openRunner(
    apiAt(baseUrl, async (request) => host.fetch(request)),
    member
  )
  const claim = await runner.start()
  await runner.complete(claim, result)
  return claim.execution_id
}

describe("the host", () => {
  it("stores an order with its execution, which is run and called back about", async () => {
    const member = await signUp("ada@example.com")

    const placed = await member.order("order-1", "tea")

    assert.strictEqual(placed.status, 201)
    assert.strictEqual(await workOnce(member, { parcels: 1 }), placed.body.execution_id)
    const event = await receiver.event("execution.completed", "order-1")
    assert.deepInclude(event.execution, { id: placed.body.execution_id, result: { parcels: 1 } })
  })

  it("leaves no execution behind, and calls nobody back, when its order is refused", async () => {
    const member = await signUp("bob@example.com")

    const refused = await member.order("order-2", "gold")

    assert.strictEqual(refused.status, 409)
    assert.deepStrictEqual(await member.executionsOf("order-2"), [])
    const placed = await member.order("order-2", "tea")
    assert.strictEqual(placed.status, 201)
    await receiver.event("execution.queued", "order-2")
    const called = receiver.received.filter(({ reference }) => reference === "order-2")
    assert.deepStrictEqual(
      called.map(({ execution }) => execution?.id),
      [placed.body.execution_id]
    )
  })

  it("opens the API to its users by their sessions, each to its own", async () => {
    const [member, other] = [await signUp("eve@example.com"), await signUp("joe@example.com")]
    const { body } = await member.order("order-3", "tea")
    const path = `/api/v1/integrations/executions/${body.execution_id}`

    const answers = await Promise.all([
      call(path, { bearer: member.session }),
      call(path, { bearer: other.session }),
      call(path, { bearer: member.runnerKey }),
      call(path)
    ])

    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [200, 404, 401, 401]
    )
  })
})
