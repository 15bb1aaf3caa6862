/** Every endpoint of the contract, through both clients and by hand, side by side. */
import { once } from "node:events"
import { createServer } from "node:http"
import { setTimeout } from "node:timers/promises"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as SdkEffect from "../../src/effect/Runhook.ts"
import { InvalidParamsError, Runhook } from "../../src/Runhook.ts"
import { type RawCall, type Service, startService } from "./Service.ts"
import { makeTenant, type Tenant } from "./Tenant.ts"

/** One call in three ways: of the client, of the client for Effect, and by hand. */
interface Ways {
  readonly client: () => Promise<unknown>
  readonly effect: (runhook: SdkEffect.Runhook["Service"]) => Effect.Effect<unknown, SdkEffect.RunhookError>
  readonly raw: Omit<RawCall, "key">
  /** Fields in which the answers differ, since each way has a thing of its own. */
  readonly own?: ReadonlyArray<string>
}

let service: Service
let tenant: Tenant
let runhook: Runhook
/** An execution that is over and has captured a file. */
let done: string
let file: { readonly id: string; readonly url: string }
/** One that awaits input. */
let asking: { readonly execution_id: string; readonly input_id: string }
let held: string
let queued: string
/** One that is not to start for long. */
let waiting: string
/** Deliveries that were made: one to look at, and one for each way to replay it. */
let settled: Readonly<Record<"shown" | "byClient" | "byEffect" | "byHand", string>>
/** A replay that is finished. */
let replay: string
const receiver = createServer((_, response) => void response.writeHead(204).end())

beforeAll(async () => {
  service = await startService()
  tenant = await makeTenant(service)
  runhook = new Runhook({ baseUrl: service.url, apiKey: tenant.apiKey, retries: 0 })
  const { agent_id, task_id } = tenant
  const create = async (more: object = {}) =>
    (await runhook.executions.create({ agent_id, task_id, ...more })).execution_id

  done = await create()
  const claim = await tenant.start()
  await tenant.capture(claim, "a report")
  await tenant.complete(claim)
  const [download] = (await runhook.executions.get(done)).downloads
  assert(download)
  file = download

  const execution_id = await create()
  asking = { execution_id, input_id: await tenant.ask(await tenant.start()) }
  held = await create({ hold: true })
  queued = await create({ reference: "order-1" })
  waiting = await create({ scheduled_at: "2099-01-01T00:00:00.000Z" })
  // As the create below: so that all sides are answered as repeats.
  await runhook.executions.rerun(done, { params: { copies: 3 } }, { idempotencyKey: "again" })
  settled = {
    shown: await makeDelivery(),
    byClient: await makeDelivery(),
    byEffect: await makeDelivery(),
    byHand: await makeDelivery()
  }
  replay = (await runhook.deliveries.replayAll({ q: "nothing" })).id
  await runhook.deliveries.replays.cancel(replay)
  // So that both sides are answered as repeats.
  await runhook.executions.create(request(), { idempotencyKey: "the-same" })
})
afterAll(async () => {
  receiver.close()
  receiver.closeAllConnections()
  await service[Symbol.asyncDispose]()
})

/** Has a test event delivered, and gives the delivery's id. */
const makeDelivery = async (): Promise<string> => {
  const { delivery_id } = await runhook.webhooks.test({ callback_url: await receiverUrl() })
  for (let look = 0; look < looksMax; look++) {
    const { state } = await runhook.deliveries.get(delivery_id)
    if (state === "delivered") return delivery_id
    await setTimeout(50)
  }
  throw new Error(`Delivery ${delivery_id} was not made`)
}

/** A replay once it is over. */
const finishedReplay = async (id: string) => {
  for (let look = 0; look < looksMax; look++) {
    const seen = await runhook.deliveries.replays.get(id)
    if (seen.finished_at !== null) return seen
    await setTimeout(50)
  }
  throw new Error(`Replay ${id} is not over`)
}

/** Of a delivery until it is made, of a replay until it is over. */
const looksMax = 600

const receiverUrl = async (): Promise<string> => {
  if (!receiver.listening) await once(receiver.listen(0, "127.0.0.1"), "listening")
  const address = receiver.address()
  assert(typeof address === "object" && address !== null)
  return `http://127.0.0.1:${address.port}/`
}

const root = "/integrations"
const request = () => ({ agent_id: tenant.agent_id, task_id: tenant.task_id, params: { copies: 2 } })

/** By endpoint of the contract. */
const ways: Readonly<Record<string, () => Ways>> = {
  "POST /executions": () => ({
    client: () => runhook.executions.create(request(), { idempotencyKey: "the-same" }),
    effect: ({ executions }) => executions.create(request(), { idempotencyKey: "the-same" }),
    raw: { path: `${root}/executions`, body: request(), headers: { "idempotency-key": "the-same" } }
  }),
  "GET /executions": () => ({
    client: () => runhook.executions.list({ reference: "order-1", status: "queued" }).page(),
    effect: ({ executions }) => executions.page({ reference: "order-1", status: "queued" }),
    raw: { path: `${root}/executions?reference=order-1&status=queued` }
  }),
  "GET /executions/:id": () => ({
    client: () => runhook.executions.get(done, { wait: 1 }),
    effect: ({ executions }) => executions.get(done, { wait: 1 }),
    raw: { path: `${root}/executions/${done}?wait=1` }
  }),
  "POST /executions/:id/cancel": () => ({
    client: () => runhook.executions.cancel(queued, { reason: "enough" }),
    effect: ({ executions }) => executions.cancel(queued, { reason: "enough" }),
    raw: { path: `${root}/executions/${queued}/cancel`, body: { reason: "enough" } }
  }),
  "POST /executions/:id/release": () => ({
    client: () => runhook.executions.release(held),
    effect: ({ executions }) => executions.release(held),
    raw: { method: "POST", path: `${root}/executions/${held}/release` }
  }),
  "POST /executions/:id/rerun": () => ({
    client: () => runhook.executions.rerun(done, { params: { copies: 3 } }, { idempotencyKey: "again" }),
    effect: ({ executions }) =>
      executions.rerun(done, { params: { copies: 3 } }, { idempotencyKey: "again" }),
    raw: {
      path: `${root}/executions/${done}/rerun`,
      body: { params: { copies: 3 } },
      headers: { "idempotency-key": "again" }
    }
  }),
  "PATCH /executions/:id": () => ({
    client: () => runhook.executions.reschedule(waiting, { priority: 7 }),
    effect: ({ executions }) => executions.reschedule(waiting, { priority: 7 }),
    raw: { method: "PATCH", path: `${root}/executions/${waiting}`, body: { priority: 7 } }
  }),
  "GET /executions/:id/events": () => ({
    client: () => runhook.executions.events(done, { after: 1, limit: 2, wait: 1 }),
    effect: ({ executions }) => executions.events(done, { after: 1, limit: 2, wait: 1 }),
    raw: { path: `${root}/executions/${done}/events?after=1&limit=2&wait=1` }
  }),
  "GET /executions/:id/explain": () => ({
    client: () => runhook.executions.explain(done),
    effect: ({ executions }) => executions.explain(done),
    raw: { path: `${root}/executions/${done}/explain` }
  }),
  "GET /executions/:id/artifacts": () => ({
    client: () => runhook.executions.artifacts(done),
    effect: ({ executions }) => executions.artifacts(done),
    raw: { path: `${root}/executions/${done}/artifacts` }
  }),
  "GET /executions/:id/files/:fileId": () => ({
    client: () => runhook.files.download(file).then((answer) => answer.text()),
    effect: ({ files }) => files.download(file).pipe(Stream.decodeText, Stream.mkString),
    raw: { path: `${root}/executions/${done}/files/${file.id}` }
  }),
  "GET /executions/:id/inputs": () => ({
    client: () => runhook.executions.inputs(asking.execution_id),
    effect: ({ executions }) => executions.inputs(asking.execution_id),
    raw: { path: `${root}/executions/${asking.execution_id}/inputs` }
  }),
  "POST /executions/:id/inputs/:inputId": () => ({
    client: () => runhook.executions.answer(asking, { value: "1234" }),
    effect: ({ executions }) => executions.answer(asking, { value: "1234" }),
    raw: {
      path: `${root}/executions/${asking.execution_id}/inputs/${asking.input_id}`,
      body: { value: "1234" }
    }
  }),
  "GET /tasks": () => ({
    client: () => runhook.tasks.list({ q: "print", limit: 10 }).page(),
    effect: ({ tasks }) => tasks.page({ q: "print", limit: 10 }),
    raw: { path: `${root}/tasks?q=print&limit=10` }
  }),
  "GET /tasks/:id": () => ({
    client: () => runhook.tasks.get(tenant.task_id),
    effect: ({ tasks }) => tasks.get(tenant.task_id),
    raw: { path: `${root}/tasks/${tenant.task_id}` }
  }),
  "GET /tasks/:id/params-schema": () => ({
    client: () => runhook.tasks.paramsSchema(tenant.task_id, { v: 1 }),
    effect: ({ tasks }) => tasks.paramsSchema(tenant.task_id, { v: 1 }),
    raw: { path: `${root}/tasks/${tenant.task_id}/params-schema?v=1` }
  }),
  "GET /agents": () => ({
    client: () => runhook.agents.list().page(),
    effect: ({ agents }) => agents.page(),
    raw: { path: `${root}/agents` }
  }),
  "GET /webhooks/deliveries": () => ({
    client: () => runhook.deliveries.list({ q: settled.shown, status: ["delivered", "dead"] }).page(),
    effect: ({ deliveries }) => deliveries.page({ q: settled.shown, status: ["delivered", "dead"] }),
    raw: { path: `${root}/webhooks/deliveries?q=${settled.shown}&status=delivered&status=dead` }
  }),
  "GET /webhooks/deliveries/:id": () => ({
    client: () => runhook.deliveries.get(settled.shown),
    effect: ({ deliveries }) => deliveries.get(settled.shown),
    raw: { path: `${root}/webhooks/deliveries/${settled.shown}` }
  }),
  "POST /webhooks/deliveries/:id/replay": () => ({
    client: () => runhook.deliveries.replay(settled.byClient),
    effect: ({ deliveries }) => deliveries.replay(settled.byEffect),
    raw: { method: "POST", path: `${root}/webhooks/deliveries/${settled.byHand}/replay` },
    own: ["id"]
  }),
  "POST /webhooks/replays": () => ({
    client: () => runhook.deliveries.replayAll({ q: "nothing", status: ["dead", "delivered"] }),
    effect: ({ deliveries }) => deliveries.replayAll({ q: "nothing", status: ["dead", "delivered"] }),
    raw: { path: `${root}/webhooks/replays`, body: { q: "nothing", status: ["dead", "delivered"] } },
    own: ["id", "created_at", "updated_at"]
  }),
  "GET /webhooks/replays": () => ({
    client: () => runhook.deliveries.replays.list({ limit: 1 }).page(),
    effect: ({ deliveries }) => deliveries.replays.page({ limit: 1 }),
    raw: { path: `${root}/webhooks/replays?limit=1` },
    // The newest is still being carried out.
    own: ["data", "next_cursor"]
  }),
  "GET /webhooks/replays/:id": () => ({
    client: () => runhook.deliveries.replays.get(replay),
    effect: ({ deliveries }) => deliveries.replays.get(replay),
    raw: { path: `${root}/webhooks/replays/${replay}` }
  }),
  "POST /webhooks/replays/:id/cancel": () => ({
    client: () => runhook.deliveries.replays.cancel(replay),
    effect: ({ deliveries }) => deliveries.replays.cancel(replay),
    raw: { method: "POST", path: `${root}/webhooks/replays/${replay}/cancel` }
  }),
  "POST /webhooks/test": () => ({
    client: () => runhook.webhooks.test({ callback_url: `${service.url}/hook` }),
    effect: ({ webhooks }) => webhooks.test({ callback_url: `${service.url}/hook` }),
    raw: { path: `${root}/webhooks/test`, body: { callback_url: `${service.url}/hook` } }
  })
}

/** What is made for one answer alone. */
const ofOneAnswer = new Set([
  "request_id",
  "event_id",
  "delivery_id",
  "idempotent_replay",
  "already_finished"
])

const comparable = (body: unknown, own: ReadonlyArray<string> = []): unknown =>
  typeof body === "object" && body !== null
    ? Object.fromEntries(
        Object.entries(body).filter(([name]) => !own.includes(name) && !ofOneAnswer.has(name))
      )
    : body

/** The body of an answer by hand, its redirect followed as a caller without the client would. */
const bodyOf = async (answer: Response): Promise<unknown> => {
  const location = answer.headers.get("location")
  return location === null ? answer.json() : (await fetch(location)).text()
}

const endpoints = Object.values(IntegrationApi.groups)
  .flatMap(({ endpoints: each }) => Object.values(each))
  .map(({ method, path }) => `${method} ${path.replace("/api/v1/integrations", "")}`)

/** What the client for Effect says. */
const inEffect = (call: Ways["effect"]) =>
  Effect.flatMap(SdkEffect.Runhook, call).pipe(
    Effect.provide(
      SdkEffect.Runhook.layer({
        baseUrl: service.url,
        apiKey: Redacted.make(tenant.apiKey),
        retries: 0
      }).pipe(Layer.provide(FetchHttpClient.layer))
    ),
    Effect.runPromise
  )

describe("the clients", () => {
  it.each(endpoints)("answer %s as HTTP does", async (endpoint) => {
    const way = ways[endpoint]
    assert(way, `the clients have no method for ${endpoint}`)
    const { client, effect, own, raw } = way()

    const bodies = [await client(), await inEffect(effect)]

    const answer = await bodyOf(await service.raw({ key: tenant.apiKey, ...raw }))
    const expected = comparable(answer, own)
    assert.deepStrictEqual(
      bodies.map((body) => comparable(body, own)),
      [expected, expected]
    )
  })
})

describe("the client", () => {
  it("has all deliveries that match sent again", async () => {
    const filter = { q: settled.shown, status: ["delivered"] } as const
    const { would_replay } = await runhook.deliveries.wouldReplay(filter)
    const { id } = await runhook.deliveries.replayAll(filter)

    const ended = await finishedReplay(id)

    assert.strictEqual(would_replay, 1)
    assert.deepInclude(ended, { status: "completed", expected: 1, replayed: 1 })
    assert.strictEqual((await runhook.deliveries.get(settled.shown)).round, 2)
  })

  it("checks a request without queuing it", async () => {
    const before = await runhook.executions.list().toArray({ limit: 200 })

    const { status, would_create } = await runhook.executions.validate(request())

    assert.deepStrictEqual([status, would_create], ["would_create", true])
    assert.strictEqual((await runhook.executions.list().toArray({ limit: 200 })).length, before.length)
  })

  it("gives the service's refusals as they are", async () => {
    const body = { ...request(), params: { copies: "many" } }

    const error: unknown = await runhook.executions.create(body).catch((cause: unknown) => cause)

    const answer = await service.raw({ key: tenant.apiKey, path: `${root}/executions`, body })
    const { error: refusal } = JSON.parse(await answer.text())
    assert.instanceOf(error, InvalidParamsError)
    assert.deepStrictEqual(
      [error.status, error.code, error.message, error.details],
      [answer.status, refusal.code, refusal.message, refusal.details]
    )
  })
})
