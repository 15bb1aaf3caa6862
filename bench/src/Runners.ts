/** Runners and callers of the service over HTTP, which do nothing but create, claim, start and complete. */
import { randomUUID } from "node:crypto"
import * as Schema from "effect/Schema"
import { Pool } from "undici"
import { countdown } from "./Countdown.ts"
import { inParallel } from "./InParallel.ts"
import type { Service, Tenant } from "./Service.ts"
import { creation } from "./Service.ts"

export interface Options {
  readonly service: Service
  readonly tenant: Tenant
  readonly executions: number
  readonly callbackUrl: string | null
}

/** Callers that create at once. */
const callers = 32
/** Processes, as the service sees them, and the executions that each works on at once. */
const sessions = 4
const workPerSession = 16
const claimSize = 100

const Opened = Schema.Struct({ session_id: Schema.String })
const Claimed = Schema.Struct({
  claims: Schema.Array(Schema.Struct({ execution_id: Schema.String, epoch: Schema.Int }))
})

/** Takes that many executions from their creation to their completion; answers the seconds it took. */
export const run = async ({ callbackUrl, executions, service, tenant }: Options): Promise<number> => {
  const pool = new Pool(service.baseUrl, { connections: callers + sessions * (workPerSession + 1) })
  const { arrive, done } = countdown(executions)
  const ending = new AbortController()

  const post = async (path: string, key: string, body: string): Promise<string> => {
    const answer = await pool.request({
      method: "POST",
      path: `/api/v1${path}`,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text}`)
    return text
  }

  const runnerPost = (path: string, body: object) =>
    post(`/runner${path}`, tenant.runnerKey, JSON.stringify(body))

  const body = creation(tenant, callbackUrl)
  let created = 0
  const call = async () => {
    while (created < executions) {
      created++
      await post("/integrations/executions", tenant.key, body)
    }
  }

  const work = async ({ epoch, execution_id }: (typeof Claimed.Type)["claims"][number]) => {
    await runnerPost(`/executions/${execution_id}/start`, { epoch })
    await runnerPost(`/executions/${execution_id}/complete`, {
      epoch,
      outcome: "completed",
      result: { pages: 2 }
    })
    arrive(1)
  }

  const claim = async (session_id: string) => {
    const answer = await runnerPost("/claims", {
      session_id,
      claim_id: randomUUID(),
      free_slots: claimSize,
      wait_ms: 200
    })
    const { claims } = Schema.decodeUnknownSync(Schema.fromJsonString(Claimed))(answer)
    await inParallel(workPerSession, claims, work)
  }

  const serve = async () => {
    const opened = await runnerPost("/sessions", {
      instance_id: randomUUID(),
      runner_name: "Bench",
      capacity: claimSize
    })
    const { session_id } = Schema.decodeUnknownSync(Schema.fromJsonString(Opened))(opened)
    while (!ending.signal.aborted) await claim(session_id)
  }

  const begun = performance.now()
  const serving = Promise.all(Array.from({ length: sessions }, serve))
  const calling = Promise.all(Array.from({ length: callers }, call))
  // Whichever fails ends the measurement.
  await Promise.race([Promise.all([calling, done]), serving])
  const seconds = (performance.now() - begun) / 1000

  ending.abort()
  await serving
  await pool.close()
  return seconds
}
