/** Runs executions from creation to completion at a fixed rate, whatever the service does. */
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import * as Schema from "effect/Schema"
import { creation, type Tenant } from "../Service.ts"
import type { Ledger } from "./Ledger.ts"
import type { Post } from "./Requests.ts"

export interface Parties {
  readonly post: Post
  readonly tenant: Tenant
  readonly ledger: Ledger
}

/** Creations that may wait for their answer. Beyond, the service has none to give, and those that are due are refused. */
const waitingMax = 1_000

const Created = Schema.fromJsonString(Schema.Struct({ execution_id: Schema.String }))
const Opened = Schema.fromJsonString(Schema.Struct({ session_id: Schema.String }))
const Claims = Schema.Struct({
  claims: Schema.Array(Schema.Struct({ execution_id: Schema.String, epoch: Schema.Int }))
})
const Claimed = Schema.fromJsonString(Claims)

/** Creates executions at even times, and waits for all answers. */
export const create = async (
  { ledger, post, tenant }: Parties,
  pace: { readonly callbackUrl: string; readonly perSecond: number; readonly seconds: number }
): Promise<void> => {
  const body = JSON.parse(creation(tenant, pace.callbackUrl))
  const waiting = new Set<Promise<void>>()
  const createOne = async () => {
    const answer = await post({
      path: "/integrations/executions",
      key: tenant.key,
      headers: { "idempotency-key": randomUUID() },
      body
    })
    if (answer === undefined) return ledger.refuse()
    ledger.acknowledge(Schema.decodeUnknownSync(Created)(answer).execution_id)
  }
  const begun = performance.now()
  for (let number = 0; number < pace.perSecond * pace.seconds; number++) {
    const wait = begun + (number * 1_000) / pace.perSecond - performance.now()
    if (wait > 1) await pause(wait)
    if (waiting.size >= waitingMax) {
      ledger.refuse()
      continue
    }
    const creating = createOne().finally(() => waiting.delete(creating))
    waiting.add(creating)
  }
  await Promise.all(waiting)
}

/** Executions that a runner works on at once, and how long it waits for more. */
const slots = 32
const pollMillis = 5_000
const restMillis = 500

/** A runner that starts and completes what it claims, until it is to end. */
export const serve = async (
  { ledger, post, tenant: { runnerKey: key } }: Parties,
  ending: AbortSignal
): Promise<void> => {
  const opened = await post({
    path: "/runner/sessions",
    key,
    body: { instance_id: randomUUID(), runner_name: "Bench", capacity: slots }
  })
  if (opened === undefined) throw new Error("The runner could open no session")
  const { session_id } = Schema.decodeUnknownSync(Opened)(opened)
  const working = new Set<Promise<void>>()

  const work = async ({ epoch, execution_id }: (typeof Claims.Type)["claims"][number]) => {
    const path = `/runner/executions/${execution_id}`
    const started = await post({ path: `${path}/start`, key, body: { epoch } })
    const outcome = { epoch, outcome: "completed", result: { pages: 2 } }
    const completed = started && (await post({ path: `${path}/complete`, key, body: outcome }))
    if (completed === undefined) ledger.refuse()
  }

  while (!ending.aborted) {
    const answer = await post({
      path: "/runner/claims",
      key,
      body: { session_id, claim_id: randomUUID(), free_slots: slots - working.size, wait_ms: pollMillis }
    })
    if (answer === undefined) await pause(restMillis)
    const { claims } = answer === undefined ? { claims: [] } : Schema.decodeUnknownSync(Claimed)(answer)
    for (const claim of claims) {
      const done = work(claim).finally(() => working.delete(done))
      working.add(done)
    }
    if (working.size >= slots) await Promise.race(working)
  }
  await Promise.all(working)
}
