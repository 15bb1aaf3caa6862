/** Waits that outlive the service's process, and what their errors tell. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { assert, describe, it } from "vitest"
import * as Effects from "../../src/effect/Runhook.ts"
import { NotFoundError, Runhook, RunhookError, TimeoutError, UnauthorizedError } from "../../src/Runhook.ts"
import { failureOf, meeting } from "../call/Meeting.ts"
import { type Answering, hangUp, json, refusal, silence } from "../call/RawServer.ts"
import { openGate } from "../runner/Gate.ts"
import { setStage, until } from "../runner/Stage.ts"
import { startService } from "../service/Service.ts"

/** Databases are made and started. */
const databaseTimeoutMs = 180_000

/** A `fetch` that counts how often nobody answered. */
const counting = () => {
  const counted = { failures: 0, fetch: globalThis.fetch }
  counted.fetch = (...args) =>
    fetch(...args).catch((cause: unknown) => {
      counted.failures += 1
      throw cause
    })
  return counted
}

it(
  "a wait outlives a service that is killed and started anew, with nothing set",
  { timeout: databaseTimeoutMs },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "runhook-waits-"))
    try {
      const first = await startService({ directory })
      await using gate = await openGate(first.url)
      const stage = await setStage({ service: first, clientUrl: gate.url })
      const work = { agent_id: stage.agentId, task_id: await stage.taskId("print") }
      const options = { baseUrl: gate.url, apiKey: stage.apiKey }
      const [promises, effects] = [counting(), counting()]
      const client = new Runhook({ ...options, fetch: promises.fetch })
      const layer = Effects.Runhook.layer({ ...options, apiKey: Redacted.make(options.apiKey) }).pipe(
        Layer.provide(FetchHttpClient.layer),
        Layer.provide(Layer.succeed(FetchHttpClient.Fetch, effects.fetch))
      )
      const { execution_id } = await client.executions.create(work)
      const waits = [
        client.executions.waitFor(execution_id),
        client.executions.createAndWait(work),
        Effect.runPromise(
          Effects.Runhook.use(({ executions }) => executions.createAndWait(work)).pipe(Effect.provide(layer))
        )
      ]
      await until(async () => (await queued(stage.client)).length === waits.length)

      await first.kill()
      // More than the four attempts of a call, by each of them.
      await until(() => promises.failures > 10 && effects.failures > 5)
      await using second = await startService({ directory })
      gate.open(second.url)
      for (const id of await queued(stage.client)) await stage.client.executions.cancel(id)

      assert.deepStrictEqual(
        (await Promise.all(waits)).map(({ status }) => status),
        waits.map(() => "aborted")
      )
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  }
)

const queued = async ({ executions }: Runhook): Promise<ReadonlyArray<string>> =>
  (await executions.list({ status: "queued" }).toArray({ limit: 10 })).map(({ id }) => id)

describe("createAndWait", () => {
  const created = json(201, { execution_id: "e-1", status: "queued", request_id: "req_1" })
  const body = { agent_id: "a-1", task_id: "t-1" }

  it("goes on reading after what may pass, for as long as the service asks", async () => {
    const away = Array.from({ length: 20 }, () => hangUp)
    const { client, clock, server } = await meeting([
      created,
      ...away,
      refusal(503, "internal_error", { "retry-after": "5" }),
      refusal(429, "rate_limited", { "retry-after": "300" }),
      json(200, { execution_id: "e-1", status: "completed" })
    ])
    await using _ = server

    const { status } = await client.executions.createAndWait(body, { retries: 0, timeoutMs: 1_000 })

    assert.strictEqual(status, "completed")
    assert.deepStrictEqual(clock.pauses.slice(-2), [9_000, 304_000])
    assert.isAtMost(Math.max(...clock.pauses.slice(0, 20)), 8_000)
  })

  it.each([
    ["401", refusal(401, "unauthorized"), UnauthorizedError],
    ["404", refusal(404, "not_found"), NotFoundError],
    ["a page of something else", json(200, []), RunhookError]
  ] satisfies ReadonlyArray<[string, Answering, unknown]>)(
    "ends at once with %s, and names the execution",
    async (_, answer, kind) => {
      const { client, server } = await meeting([created, answer])
      await using _server = server

      const failure = await failureOf(client.executions.createAndWait(body))

      assert.instanceOf(failure, kind)
      assert.strictEqual(failure.executionId, "e-1")
      assert.match(failure.message, /^Execution e-1: /)
      assert.include(String(failure.stack), "e-1")
      assert.strictEqual(server.received.length, 2)
    }
  )

  it.each([
    ["is silent", silence],
    ["hangs up", hangUp],
    ["refuses", refusal(503, "internal_error")]
  ])("ends after its time while the service %s, and names the execution", async (_, answer) => {
    const { client, server } = await meeting([created, answer])
    await using _server = server

    const failure = await failureOf(client.executions.createAndWait(body, { waitMs: 0 }))

    assert.instanceOf(failure, TimeoutError)
    assert.strictEqual(failure.executionId, "e-1")
    assert.include(failure.message, "e-1")
  })

  it("names no execution where none was acknowledged", async () => {
    const { client, server } = await meeting([refusal(401, "unauthorized")])
    await using _ = server

    const failure = await failureOf(client.executions.createAndWait(body))

    assert.instanceOf(failure, UnauthorizedError)
    assert.isNull(failure.executionId)
  })
})
