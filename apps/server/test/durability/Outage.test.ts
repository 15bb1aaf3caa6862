import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Running, runningServer, temporaryDirectory } from "../RunhookProcess.ts"
import { type StoppablePostgres, stoppablePostgres } from "../StoppablePostgres.ts"
import type { Tenant } from "./Load.ts"
import { beginWork, until } from "./Work.ts"

/** How long the database is away, in seconds. RUNHOOK_OUTAGE_SECONDS asks for more. */
const outageSeconds = Number(process.env["RUNHOOK_OUTAGE_SECONDS"] ?? 3)

const adminKey = "the-admin-key-of-the-durability-test"

describe("a service whose database goes away under load", () => {
  it.live(
    `answers 503 for ${outageSeconds} seconds, says so once, and goes on with everything it acknowledged`,
    () =>
      Effect.gen(function* () {
        const postgres = yield* stoppablePostgres
        yield* Effect.promise(postgres.start)
        const server = yield* runningServer({
          RUNHOOK_MODE: "development",
          RUNHOOK_DEMO: "off",
          RUNHOOK_DATA_DIR: yield* temporaryDirectory,
          RUNHOOK_ADMIN_KEY: adminKey,
          RUNHOOK_DATABASE_URL: postgres.url,
          RUNHOOK_DELIVERY_LEASE: "5"
        })

        yield* Effect.promise(() => outlive(postgres, server))

        server.signal("SIGTERM")
        const { code, stderr } = yield* server.ended
        assert.strictEqual(code, 0)
        assert.match(stderr, /The store is away/)
        assert.match(stderr, /The store is back/)
        assert.notMatch(stderr, /Request failed|StoreUnavailable/)
        assert.isBelow(stderr.split("\n").length, 100)
      }),
    { timeout: 240_000 + outageSeconds * 2_000 }
  )
})

const outlive = async (postgres: StoppablePostgres, { baseUrl, log }: Running): Promise<void> => {
  await using work = await beginWork({ url: () => baseUrl }, adminKey)
  const moreAcknowledged = async () => {
    const before = work.acknowledged()
    await until(
      async () => work.acknowledged(),
      (now) => now >= before + 10
    )
  }
  await moreAcknowledged()

  await postgres.killConnections()
  await moreAcknowledged()

  await postgres.stop()
  const end = performance.now() + outageSeconds * 1_000
  const answers = []
  while (performance.now() < end) {
    answers.push(...(await answersOf(baseUrl, work.tenant)))
    await pause(100)
  }
  await postgres.start()
  const startedAt = performance.now()
  await until(
    () => statusOf(`${baseUrl}/readyz`),
    (status) => status === 200
  )
  await moreAcknowledged()
  console.info(`Goes on ${Math.round(performance.now() - startedAt)} ms after its database`)

  assert.isAbove(answers.length, 0)
  for (const { body, retryAfter, status } of answers) {
    assert.deepStrictEqual([status, retryAfter], [503, "5"])
    assert.containsAllKeys(body.error, ["code", "message", "request_id"])
  }
  await work.complete()
  await until(
    async () => log(),
    (lines) => lines.includes("The store is back")
  )
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

/** What a service without its database answers operators, integrators and runners. */
const answersOf = (baseUrl: string, { agentId, key, runnerKey, taskId }: Tenant) => {
  const ask = async (path: string, bearer: string, body?: object) => {
    const response = await fetch(baseUrl + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const { headers, status } = response
    return { status, retryAfter: headers.get("retry-after"), body: JSON.parse(await response.text()) }
  }
  const executions = "/api/v1/integrations/executions"
  const introduction = { instance_id: "another", runner_name: "another", capacity: 1 }
  return Promise.all([
    ask("/readyz", key),
    ask(`${executions}/${randomUUID()}`, key),
    ask(executions, key, { agent_id: agentId, task_id: taskId }),
    ask("/api/v1/runner/sessions", runnerKey, introduction)
  ])
}
