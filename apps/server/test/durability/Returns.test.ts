import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { listening } from "@runhook/test-support/receivers/Listening"
import * as Effect from "effect/Effect"
import { durableDirectory } from "../DurableDirectory.ts"
import { eventually } from "../Http.ts"
import { runningServer, temporaryDirectory } from "../RunhookProcess.ts"
import { testPostgres } from "../TestPostgres.ts"
import { insist, makeTenant } from "./load/Asking.ts"
import type { Service } from "./load/Calls.ts"
import { memberOf } from "./systems/Member.ts"
import { makeWire } from "./Wire.ts"

const adminKey = "the-admin-key-of-the-durability-test"

/** The defaults of a service: a claim lasts 45 seconds. */
const settings = Effect.map(temporaryDirectory, (directory) => ({
  RUNHOOK_ADMIN_KEY: adminKey,
  RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  RUNHOOK_CALLBACK_ALLOW: "127.0.0.0/8",
  RUNHOOK_DATA_DIR: directory
}))

/** A receiver that answers, or lets everything wait; it tells the attempts at which each event came. */
const makeReceiver = Effect.fnUntraced(function* () {
  const attempts = new Map<string, ReadonlyArray<string>>()
  const waiting: Array<() => void> = []
  const receiver = {
    isSilent: false,
    attempts,
    url: "",
    /** Answers what waits, and from now on everything. */
    answer: () => {
      receiver.isSilent = false
      for (const end of waiting.splice(0)) end()
    }
  }
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      const id = String(request.headers["x-webhook-event-id"])
      attempts.set(id, [...(attempts.get(id) ?? []), String(request.headers["x-webhook-attempt"])])
      if (receiver.isSilent) waiting.push(() => response.end())
      else response.end()
    })
  })
  receiver.url = `http://127.0.0.1:${yield* listening(server)}/`
  return receiver
})

/** Queues callbacks; answers the ids of their events. */
const queue = (service: Service, { count, key, url }: { count: number; key: string; url: string }) =>
  Effect.promise(async () => {
    const queued = Array.from({ length: count }, () =>
      insist(service, { key, path: "/integrations/webhooks/test", body: { callback_url: url } })
    )
    return (await Promise.all(queued)).map(({ event_id }): string => event_id)
  })

describe("deliveries under way when their dispatcher ends", () => {
  it.live("arrive again as soon as a service that was killed is there again, and nothing else does", () =>
    Effect.gen(function* () {
      const own = { ...(yield* settings), RUNHOOK_DATA_DIR: yield* durableDirectory }
      const first = memberOf(own, [])
      yield* Effect.addFinalizer(() => Effect.promise(() => first.kill()))
      yield* Effect.promise(() => first.start())
      const tenant = yield* Effect.promise(() => makeTenant(first, adminKey))
      const receiver = yield* makeReceiver()
      const { apiKey: key } = tenant
      const done = yield* queue(first, { count: 20, key, url: receiver.url })
      yield* eventually(
        Effect.promise(() =>
          insist(first, { key, path: "/integrations/webhooks/deliveries?status=delivered" })
        ),
        ({ data }) => data.length === done.length
      )
      const held = yield* Effect.promise(() => claimWork(first, tenant))
      receiver.isSilent = true
      // As many as one receiver is sent at once.
      const underWay = yield* queue(first, { count: 4, key, url: receiver.url })
      yield* eventually(
        Effect.sync(() => receiver.attempts.size),
        (size) => size === 24
      )

      yield* Effect.promise(() => first.kill())
      receiver.isSilent = false
      const next = yield* runningServer(own)

      const attemptsAt = (ids: ReadonlyArray<string>) => ids.map((id) => receiver.attempts.get(id))
      const again = yield* eventually(
        Effect.sync(() => attemptsAt(underWay)),
        (attempts) => attempts.every((each) => each?.length === 2)
      )
      assert.deepStrictEqual(
        again,
        underWay.map(() => ["1", "2"])
      )
      assert.deepStrictEqual(
        attemptsAt(done),
        done.map(() => ["1"])
      )
      // It did not have to find out that it is alone.
      yield* eventually(Effect.sync(next.log), (log) =>
        log.includes("were under way when the service last ended")
      )
      // What a runner holds is its own: it lives on.
      const started = yield* Effect.promise(() =>
        insist(
          { url: () => next.baseUrl },
          {
            key: tenant.runnerKey,
            path: `/runner/executions/${held.execution_id}/start`,
            body: { epoch: held.epoch }
          }
        )
      )
      assert.strictEqual(started.status, "running")
    })
  )

  it.live("are left to another dispatcher when theirs is told to stop", () =>
    Effect.gen(function* () {
      const { url } = yield* testPostgres
      const shared = { ...(yield* settings), RUNHOOK_DATABASE_URL: url }
      const first = yield* runningServer(shared)
      const service = { url: () => first.baseUrl }
      const { apiKey: key } = yield* Effect.promise(() => makeTenant(service, adminKey))
      const receiver = yield* makeReceiver()
      receiver.isSilent = true
      const [id = ""] = yield* queue(service, { count: 1, key, url: receiver.url })
      yield* eventually(
        Effect.sync(() => receiver.attempts.size),
        (size) => size === 1
      )

      first.signal("SIGTERM")
      yield* first.ended
      receiver.isSilent = false
      const second = yield* runningServer({ ...shared, RUNHOOK_ROLES: "dispatcher" })

      const attempts = yield* eventually(
        Effect.sync(() => receiver.attempts.get(id)),
        (each) => each?.length === 2
      )
      assert.deepStrictEqual(attempts, ["1", "2"])
      assert.notInclude(second.log(), "ended without a word")
    })
  )

  it.live("are sent by another dispatcher when theirs was killed, long before the lease ends", () =>
    Effect.gen(function* () {
      const { url } = yield* testPostgres
      const shared = { ...(yield* settings), RUNHOOK_DATABASE_URL: url }
      const first = memberOf(shared, [])
      yield* Effect.addFinalizer(() => Effect.promise(() => first.kill()))
      yield* Effect.promise(() => first.start())
      const { apiKey: key } = yield* Effect.promise(() => makeTenant(first, adminKey))
      const receiver = yield* makeReceiver()
      receiver.isSilent = true
      const ids = yield* queue(first, { count: 4, key, url: receiver.url })
      yield* eventually(
        Effect.sync(() => receiver.attempts.size),
        (size) => size === ids.length
      )

      // At once: an attempt that is not answered within its time is made again by its own dispatcher.
      yield* Effect.promise(() => first.kill())
      receiver.isSilent = false
      const second = yield* runningServer({ ...shared, RUNHOOK_ROLES: "dispatcher" })

      const attempts = yield* eventually(
        Effect.sync(() => ids.map((id) => receiver.attempts.get(id))),
        (all) => all.every((each) => each?.length === 2)
      )
      assert.deepStrictEqual(
        attempts,
        ids.map(() => ["1", "2"])
      )
      // It does not wait for the leases.
      yield* eventually(Effect.sync(second.log), (log) =>
        log.includes(`A dispatcher ended without a word; ${ids.length} deliveries`)
      )
    })
  )
})

describe("deliveries of which an answer of the database was lost", () => {
  it.live("arrive at once, once, and at their first attempt, when it was that of their claim", () =>
    Effect.gen(function* () {
      const wire = yield* makeWire((yield* testPostgres).url)
      const server = yield* runningServer({ ...(yield* settings), RUNHOOK_DATABASE_URL: wire.url })
      const service = { url: () => server.baseUrl }
      const { apiKey: key } = yield* Effect.promise(() => makeTenant(service, adminKey))
      const receiver = yield* makeReceiver()
      // The statement that takes deliveries.
      wire.loseNext("move_deliveries(")

      const ids = yield* queue(service, { count: 1, key, url: receiver.url })

      yield* eventually(
        Effect.promise(() =>
          insist(service, { key, path: "/integrations/webhooks/deliveries?status=delivered" })
        ),
        ({ data }) => data.length === ids.length
      )
      assert.strictEqual(wire.losses(), 1)
      assert.deepStrictEqual(
        ids.map((id) => receiver.attempts.get(id)),
        [["1"]]
      )
    })
  )

  it.live(
    "hold back no event that waits for them, when it was their result whose storing was not answered",
    () =>
      Effect.gen(function* () {
        const wire = yield* makeWire((yield* testPostgres).url)
        const server = yield* runningServer({ ...(yield* settings), RUNHOOK_DATABASE_URL: wire.url })
        const service = { url: () => server.baseUrl }
        const { agentId, apiKey: key, taskId } = yield* Effect.promise(() => makeTenant(service, adminKey))
        const receiver = yield* makeReceiver()
        receiver.isSilent = true
        const queued = yield* Effect.promise(() =>
          insist(service, {
            key,
            path: "/integrations/executions",
            headers: { "idempotency-key": randomUUID() },
            body: { agent_id: agentId, task_id: taskId, callback_url: receiver.url }
          })
        )
        yield* eventually(
          Effect.sync(() => receiver.attempts.size),
          (size) => size === 1
        )
        const path = `/integrations/executions/${queued.execution_id}/cancel`
        yield* Effect.promise(() => insist(service, { key, path, body: {} }))
        const deliveries = Effect.promise(() =>
          insist(service, { key, path: "/integrations/webhooks/deliveries" })
        )
        yield* eventually(deliveries, ({ data }) => data[0].waiting_for === "earlier_event")
        // The statement that stores results.
        wire.loseNext("move_deliveries(")

        receiver.answer()

        yield* eventually(deliveries, ({ data }) =>
          data.every(({ state }: { readonly state: string }) => state === "delivered")
        )
        assert.strictEqual(wire.losses(), 1)
        assert.deepStrictEqual([...receiver.attempts.values()], [["1"], ["1"]])
      })
  )
})

/** Work that a runner has claimed and not begun. */
const claimWork = async (
  service: Service,
  { agentId, apiKey: key, runnerKey, taskId }: Awaited<ReturnType<typeof makeTenant>>
): Promise<{ readonly execution_id: string; readonly epoch: number }> => {
  const runner = (path: string, body: unknown) =>
    insist(service, { key: runnerKey, path: `/runner${path}`, body })
  await insist(service, {
    key,
    path: "/integrations/executions",
    headers: { "idempotency-key": randomUUID() },
    body: { agent_id: agentId, task_id: taskId }
  })
  const introduction = { instance_id: "worker", runner_name: "worker", capacity: 1 }
  const { session_id } = await runner("/sessions", introduction)
  const claim = { session_id, claim_id: randomUUID(), free_slots: 1, wait_ms: 5_000 }
  const { claims } = await runner("/claims", claim)
  return claims[0]
}
