import { createHash } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import { parse } from "@runhook/core/signing/SigningSecret"
import { verify } from "@runhook/core/signing/WebhookSignature"
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
  Effect.promise(async (signal) => {
    const response = await fetch(`${server.baseUrl}/api/v1${path}`, {
      signal,
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { ...JSON.parse(await response.text()), http: response.status }
  })

/** A receiver that keeps its callbacks. */
const aReceiver = Effect.gen(function* () {
  const told: Array<Omit<Parameters<typeof verify>[1], "receivedAt">> = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const header = (name: string) => request.headers[`x-webhook-${name}`]?.toString()
    told.push({
      body,
      eventId: header("event-id"),
      signature: header("signature"),
      timestamp: header("timestamp")
    })
    response.writeHead(204).end()
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () => Effect.sync(() => server.closeAllConnections())
  )
  const address = server.address()
  return { told, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/` }
})

const aTenant = Effect.fnUntraced(function* (server: Running) {
  const admin = (path: string, body: unknown) => call(server, adminKey, `/admin/accounts${path}`, body)
  const { id } = yield* admin("", { name: "Acme" })
  const agent = yield* admin(`/${id}/agents`, { name: "worker", capacity: 10 })
  const task = yield* admin(`/${id}/tasks`, { slug: "work", name: "Work" })
  yield* admin(`/${id}/tasks/${task.id}/versions`, { params_schema: { type: "object" } })
  const expires_at = yield* inMinutes(30)
  const { key, signing_secret } = yield* admin(`/${id}/keys`, { name: "orders", expires_at })
  const runner = yield* admin(`/${id}/runner-keys`, { name: "worker" })
  return {
    key,
    runnerKey: runner.key,
    secret: signing_secret,
    work: { agent_id: agent.id, task_id: task.id }
  }
})

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
        const receiver = yield* aReceiver
        const { key, runnerKey, secret, work } = yield* aTenant(ahead)
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
          Effect.sync(() => receiver.told),
          ({ length }) => length === 3
        )
        const keys = yield* Effect.fromResult(parse(secret))
        const receivedAt = yield* DateTime.now
        const events = yield* Effect.forEach(told, (each) =>
          Effect.fromResult(verify([keys], { ...each, receivedAt }))
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
        const { key, work } = yield* aTenant(behind)
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
