/** Runners and callers of the service over HTTP, whose work takes no time. */
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
  /** How its runners work. */
  readonly serve: Serve
}

/** A session of a runner, which serves until it is told to end. */
export interface Session {
  readonly id: string
  /** Sends a request to the API of runners, and answers the body of its 2xx. */
  readonly post: (path: string, body: object) => Promise<string>
  readonly ending: AbortSignal
  /** Counts completed executions. */
  readonly arrive: (count: number) => void
}

export type Serve = (session: Session) => Promise<void>

/** Callers that create at once. */
const callers = 32
/** Processes, as the service sees them, and the executions that each works on at once. */
const sessions = 4
const workPerSession = 16
const claimSize = 100

const Opened = Schema.fromJsonString(Schema.Struct({ session_id: Schema.String }))

const Claim = Schema.Struct({ execution_id: Schema.String, epoch: Schema.Int })
const Claimed = Schema.fromJsonString(Schema.Struct({ claims: Schema.Array(Claim) }))
const ClaimedAndTold = Schema.fromJsonString(
  Schema.Struct({
    claims: Schema.Array(Claim),
    outcomes: Schema.Array(Schema.Struct({ accepted: Schema.Boolean }))
  })
)

/** The result of each execution. */
const ended = ({ epoch }: typeof Claim.Type) => ({ epoch, outcome: "completed", result: { pages: 2 } })

const claimBody = (session_id: string) => ({ session_id, claim_id: randomUUID(), free_slots: claimSize })

/** A claim for many, and for each of them a request when it starts and one when it is completed. */
export const stepByStep: Serve = async ({ arrive, ending, id, post }) => {
  const work = async (claim: typeof Claim.Type) => {
    const path = `/executions/${claim.execution_id}`
    await post(`${path}/start`, { epoch: claim.epoch })
    await post(`${path}/complete`, ended(claim))
    arrive(1)
  }
  while (!ending.aborted) {
    const answer = await post("/claims", { ...claimBody(id), wait_ms: 200 })
    await inParallel(workPerSession, Schema.decodeUnknownSync(Claimed)(answer).claims, work)
  }
}

/** One request for many: it tells how those of the one before ended, and begins the next. */
export const byClaims: Serve = async ({ arrive, ending, id, post }) => {
  let working: ReadonlyArray<typeof Claim.Type> = []
  while (!ending.aborted) {
    const answer = await post("/claims", {
      ...claimBody(id),
      wait_ms: working.length === 0 ? 200 : 0,
      start: true,
      outcomes: working.map((claim) => ({ execution_id: claim.execution_id, ...ended(claim) }))
    })
    const { claims, outcomes } = Schema.decodeUnknownSync(ClaimedAndTold)(answer)
    if (!outcomes.every(({ accepted }) => accepted)) throw new Error(`An outcome was refused: ${answer}`)
    arrive(outcomes.length)
    working = claims
  }
}

/** Takes that many executions from their creation to their completion; answers the seconds it took. */
export const run = async ({ callbackUrl, executions, serve, service, tenant }: Options): Promise<number> => {
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

  const work = async () => {
    const introduction = { instance_id: randomUUID(), runner_name: "Bench", capacity: claimSize }
    const opened = await runnerPost("/sessions", introduction)
    const { session_id: id } = Schema.decodeUnknownSync(Opened)(opened)
    await serve({ id, post: runnerPost, ending: ending.signal, arrive })
  }

  const begun = performance.now()
  const serving = Promise.all(Array.from({ length: sessions }, work))
  const calling = Promise.all(Array.from({ length: callers }, call))
  // Whichever fails ends the measurement.
  await Promise.race([Promise.all([calling, done]), serving])
  const seconds = (performance.now() - begun) / 1000

  ending.abort()
  await serving
  await pool.close()
  return seconds
}
