/** A service with something of everything that the calls are about. */
import { setTimeout } from "node:timers/promises"
import { assert } from "vitest"
import { startReceiver } from "@runhook/test-support/receivers/Receiver"
import { openRunner } from "@runhook/test-support/world/Runner"
import { type Service, startService } from "@runhook/test-support/world/Service"
import { makeTenant, type Tenant, workOf } from "@runhook/test-support/world/Tenant"
import { Runhook } from "../../src/Runhook.ts"

/** One to look at, and one for each way to change it. */
type OneForEach = Readonly<
  Record<"shown" | "byClient" | "byEffect" | "byHand" | "byPython" | "byAsyncPython" | "byGo", string>
>

export interface Everything extends AsyncDisposable {
  readonly service: Service
  readonly tenant: Tenant
  readonly runhook: Runhook
  /** A request to queue an execution. */
  readonly request: ReturnType<typeof requestOf>
  /** An execution that is over and has captured a file. */
  readonly done: string
  readonly file: { readonly id: string; readonly url: string }
  /** One that awaits input. */
  readonly asking: { readonly execution_id: string; readonly input_id: string }
  readonly held: string
  readonly queued: string
  /** One that is not to start for long. */
  readonly waiting: string
  /** Deliveries that were made: one to look at, and one for each way to replay it. */
  readonly settled: OneForEach
  /** Alert targets: one to look at, and one for each way but those by hand and by Go to remove it. */
  readonly alertTarget: Omit<OneForEach, "byGo" | "byHand">
  /** Schedules: one to look at, and one for each way to remove it. */
  readonly schedule: OneForEach
  /** Standing endpoints: one to look at, one that gets tests, and one for each way but that by hand to remove it. */
  readonly endpoint: Omit<OneForEach, "byHand"> & { readonly tested: string }
  /** A cancel of many that is finished. */
  readonly job: string
  /** A replay that is finished. */
  readonly replay: string
}

const requestOf = (tenant: Tenant) => ({ ...workOf(tenant), params: { copies: 2 } })

/** Of a delivery until it is made, of a replay until it is over. */
const looksMax = 600

/** Has a test event delivered, and gives the delivery's id. */
const makeDelivery = async (runhook: Runhook, callback_url: string): Promise<string> => {
  const { delivery_id } = await runhook.webhooks.test({ callback_url })
  for (let look = 0; look < looksMax; look++) {
    const { state } = await runhook.deliveries.get(delivery_id)
    if (state === "delivered") return delivery_id
    await setTimeout(50)
  }
  throw new Error(`Delivery ${delivery_id} was not made`)
}

/** A replay once it is over. */
export const finishedReplay = async (runhook: Runhook, id: string) => {
  for (let look = 0; look < looksMax; look++) {
    const seen = await runhook.deliveries.replays.get(id)
    if (seen.finished_at !== null) return seen
    await setTimeout(50)
  }
  throw new Error(`Replay ${id} is not over`)
}

export const makeEverything = async (): Promise<Everything> => {
  const service = await startService()
  const tenant = await makeTenant(service.make, {
    version: { params_schema: { type: "object", properties: { copies: { type: "integer" } } } },
    // A test of every call by every client makes more of them at once than a caller may by default.
    key: { rate_limit: { per_second: 1_000, burst: 10_000 } }
  })
  const runner = await openRunner(service, tenant)
  const runhook = new Runhook({ baseUrl: service.url, apiKey: tenant.apiKey, retries: 0 })
  const receiver = await startReceiver()
  const create = async (more: object = {}) =>
    (await runhook.executions.create({ ...workOf(tenant), ...more })).execution_id
  const deliver = () => makeDelivery(runhook, receiver.url)

  const done = await create()
  const claim = await runner.start()
  await runner.capture(claim, "a report")
  await runner.complete(claim, { pages: 3 })
  const [file] = (await runhook.executions.get(done)).downloads
  assert(file)

  const execution_id = await create()
  const asking = { execution_id, input_id: await runner.ask(await runner.start()) }
  const held = await create({ hold: true })
  const queued = await create({ reference: "order-1" })
  const waiting = await create({ scheduled_at: "2099-01-01T00:00:00.000Z" })
  const settled = {
    shown: await deliver(),
    byClient: await deliver(),
    byEffect: await deliver(),
    byHand: await deliver(),
    byPython: await deliver(),
    byAsyncPython: await deliver(),
    byGo: await deliver()
  }
  const tell = async () =>
    (await runhook.alerts.targets.create({ channel: "webhook", address: receiver.url })).id
  // An account may have ten, and each way makes another: the one that was shown is removed by hand.
  const alertTarget = {
    shown: await tell(),
    byClient: await tell(),
    byEffect: await tell(),
    byPython: await tell(),
    byAsyncPython: await tell()
  }
  const plan = async () =>
    (
      await runhook.schedules.create({
        name: "Nightly",
        cron: "30 2 * * *",
        time_zone: "Europe/Berlin",
        execution: requestOf(tenant)
      })
    ).id
  const schedule = {
    shown: await plan(),
    byClient: await plan(),
    byEffect: await plan(),
    byHand: await plan(),
    byPython: await plan(),
    byAsyncPython: await plan(),
    byGo: await plan()
  }
  const stand = async () => (await runhook.webhooks.endpoints.create({ kind: "poll", enabled: false })).id
  const endpoint = {
    shown: await stand(),
    tested: await stand(),
    byClient: await stand(),
    byEffect: await stand(),
    byPython: await stand(),
    byAsyncPython: await stand(),
    byGo: await stand()
  }
  const replay = (await runhook.deliveries.replayAll({ q: "nothing" })).id
  await runhook.deliveries.replays.cancel(replay)
  const { job_id: job } = await runhook.executions.cancelAll(
    { reference: "nothing" },
    { idempotencyKey: "the-same", reason: "Enough" }
  )
  await runhook.executions.jobs.waitFor(job)
  // So that all ways are answered as repeats.
  const request = requestOf(tenant)
  await runhook.executions.rerun(done, { params: { copies: 3 } }, { idempotencyKey: "again" })
  await runhook.executions.create(request, { idempotencyKey: "the-same" })
  return {
    service,
    tenant,
    runhook,
    request,
    done,
    file,
    asking,
    held,
    queued,
    waiting,
    settled,
    alertTarget,
    schedule,
    endpoint,
    job,
    replay,
    [Symbol.asyncDispose]: async () => {
      await receiver[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
    }
  }
}
