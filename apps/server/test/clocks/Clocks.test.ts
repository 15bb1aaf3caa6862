import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { parse } from "@runhook/core/signing/SigningSecret"
import { verify } from "@runhook/core/signing/WebhookSignature"
import { scoped } from "@runhook/test-support/receivers/Listening"
import { type Received, startReceiver } from "@runhook/test-support/receivers/Receiver"
import { apiAt } from "@runhook/test-support/world/Api"
import { makeBy, makeTenant, workOf } from "@runhook/test-support/world/Tenant"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { eventually } from "../Http.ts"
import { type Running, runningServer, temporaryDirectory } from "../RunhookProcess.ts"
import { testPostgres } from "../TestPostgres.ts"

const adminKey = "an-admin-key-of-the-operator-himself"

const hour = Duration.toMillis("1 hour")

/** A process whose clock is off. */
const withClock = (aheadMillis: number) => ({
  NODE_OPTIONS: `--import=${new URL("WrongClock.ts", import.meta.url).href}`,
  TEST_CLOCK_AHEAD_MS: String(aheadMillis)
})

/** Two processes on one database, two hours apart. The database has the clock of this machine. */
class Servers extends Context.Service<Servers, { readonly ahead: Running; readonly behind: Running }>()(
  "@runhook/server/test/clocks/Servers"
) {
  static readonly layer = Layer.effect(
    Servers,
    Effect.gen(function* () {
      const { url } = yield* testPostgres
      const settings = {
        RUNHOOK_ADMIN_KEY: adminKey,
        RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        RUNHOOK_CALLBACK_ALLOW: "127.0.0.0/8",
        RUNHOOK_DATA_DIR: yield* temporaryDirectory,
        RUNHOOK_DATABASE_URL: url
      }
      return Servers.of({
        ahead: yield* runningServer({ ...settings, ...withClock(hour) }),
        behind: yield* runningServer({ ...settings, ...withClock(-hour) })
      })
    })
  )
}

/** Calls the API of a process; what it answers has its status beside it. */
const call = (server: Running, key: string, path: string, body?: unknown) =>
  Effect.promise(async () => {
    const response = await apiAt(server.baseUrl).raw({ key, path, body })
    return { ...JSON.parse(await response.text()), http: response.status }
  })

/** What a receiver verifies. */
const signedIn = ({ body, headers }: Received) => ({
  body,
  eventId: headers["x-webhook-event-id"],
  signature: headers["x-webhook-signature"],
  timestamp: headers["x-webhook-timestamp"]
})

const makeTenantAt = ({ baseUrl }: Running) =>
  Effect.flatMap(inMinutes(30), (expires_at) =>
    Effect.promise(() => makeTenant(makeBy(apiAt(baseUrl), adminKey), { key: { expires_at } }))
  )

const inMinutes = (minutes: number) =>
  Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.add(now, { minutes })))

const minutesOf = (lease: number): number => Math.round(lease / 60_000)

/** Whether they are of the last minutes, each not before the one before. */
const areOfNow = (times: ReadonlyArray<string>) =>
  Effect.map(DateTime.now, (now) => {
    const isRecent = (time: string) => Math.abs(Date.parse(time) - now.epochMilliseconds) < 600_000
    return times.every(isRecent) && times.toSorted().join() === times.join()
  })

describe("Processes of one service whose clocks are two hours apart", () => {
  it.layer(Servers.layer, { excludeTestServices: true })((it) => {
    it.effect("do one execution together, tell receivers of it, and nothing stalls or ends early", () =>
      Effect.gen(function* () {
        const { ahead, behind } = yield* Servers
        const receiver = yield* scoped(startReceiver)
        const tenant = yield* makeTenantAt(ahead)
        const { apiKey: key, runnerKey, signingSecret } = tenant
        const work = workOf(tenant)
        const runner = (server: Running, path: string, body: unknown) =>
          call(server, runnerKey, `/runner${path}`, body)
        const introduction = { instance_id: "worker", runner_name: "worker", capacity: 10 }
        const { session_id } = yield* runner(behind, "/sessions", introduction)
        const later = { ...work, scheduled_at: yield* inMinutes(30) }
        const deferred = yield* call(ahead, key, "/integrations/executions", later)
        const created = yield* call(ahead, key, "/integrations/executions", {
          ...work,
          callback_url: receiver.url,
          expires_at: yield* inMinutes(30)
        })

        const claim = { session_id, claim_id: "first", free_slots: 5, wait_ms: 0, in_flight: [] }
        const { claims } = yield* runner(behind, "/claims", claim)
        const [{ epoch, execution_id, lease_ms }] = claims
        const path = `/executions/${execution_id}`
        const started = yield* runner(ahead, `${path}/start`, { epoch })
        const beats = [{ execution_id, epoch }]
        const beaten = yield* runner(behind, "/heartbeats", { session_id, beats })
        const bytes = "seen"
        const registered = yield* runner(ahead, `${path}/artifacts`, {
          epoch,
          kind: "download",
          file_name: "seen.txt",
          content_type: "text/plain",
          size_bytes: bytes.length,
          sha256: createHash("sha256").update(bytes).digest("hex")
        })
        const uploadUrl = registered.upload.url.replace(ahead.baseUrl, behind.baseUrl)
        const uploaded = yield* Effect.promise(() =>
          fetch(uploadUrl, { method: "PUT", headers: registered.upload.headers, body: bytes })
        )
        const completed = yield* runner(behind, `${path}/complete`, {
          epoch,
          outcome: "completed",
          result: {}
        })
        const execution = yield* call(ahead, key, `/integrations/executions/${execution_id}`)

        assert.strictEqual(created.execution_id, execution_id)
        assert.deepStrictEqual(
          [lease_ms, started.lease_ms, beaten.leases[0].lease_ms].map(minutesOf),
          [1, 1, 1]
        )
        assert.deepStrictEqual([uploaded.ok, completed.status], [true, "completed"])
        const { created_at, started_at, stopped_at } = execution
        assert.isTrue(yield* areOfNow([created_at, started_at, stopped_at]))
        const { status } = yield* call(behind, key, `/integrations/executions/${deferred.execution_id}`)
        assert.strictEqual(status, "queued")
        const told = yield* eventually(
          Effect.sync(() => receiver.received),
          ({ length }) => length === 3
        )
        const keys = yield* Effect.fromResult(parse(signingSecret))
        const receivedAt = yield* DateTime.now
        const events = yield* Effect.forEach(told, (each) =>
          Effect.fromResult(verify([keys], { ...signedIn(each), receivedAt }))
        )
        assert.deepStrictEqual(
          events.map((event) => event["type"]),
          ["execution.queued", "execution.started", "execution.completed"]
        )
      })
    )

    it.effect("judge what callers say of times alike, and tell operators how far they are off", () =>
      Effect.gen(function* () {
        const { ahead, behind } = yield* Servers
        const tenant = yield* makeTenantAt(behind)
        const { apiKey: key } = tenant
        const work = workOf(tenant)
        const expiringIn = (server: Running, minutes: number) =>
          Effect.flatMap(inMinutes(minutes), (expires_at) =>
            call(server, key, "/integrations/executions", { ...work, expires_at })
          )

        const [future, past] = [yield* expiringIn(ahead, 30), yield* expiringIn(behind, -30)]

        assert.deepStrictEqual([future.http, past.http], [201, 422])
        assert.match(ahead.log(), /The clock of this process is 3[56]\d\d s ahead of the database's/)
        assert.match(behind.log(), /The clock of this process is 3[56]\d\d s behind the database's/)
      })
    )
  })
})
