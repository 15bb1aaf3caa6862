/** What a runner does with one execution, good or bad, plan by plan. */
import { createHash, randomBytes, randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import type { Status, Written } from "../history/History.ts"
import type { Body } from "./Calls.ts"
import type { Plan } from "./Plan.ts"
import type { World } from "./World.ts"

export interface Claim {
  readonly execution_id: string
  readonly epoch: number
  readonly reference: string
  readonly params: { readonly plan: Plan }
  readonly input_answer?: { readonly value: string }
}

export interface Work {
  readonly world: World
  readonly abandoned: Map<string, number>
  /** The session that has the work; empty before one is open. */
  readonly sessionId: () => string
  /** What was answered to work that holds on. */
  readonly answers: ReadonlyMap<string, unknown>
  readonly isOver: () => boolean
  /** Reports no more of it, like a runner that crashed. */
  readonly forget: (claim: Claim) => void
}

type Doing = (work: Work, claim: Claim) => Promise<unknown>

export const work = async (tools: Work, claim: Claim): Promise<void> => {
  await doings[claim.params.plan](tools, claim)
}

const completed = (result: unknown) => ({ outcome: "completed", result }) as const
const failed = { outcome: "error", error: { message: "The plan said so" } } as const

const start: Doing = (tools, claim) => write(tools, claim, { verb: "start", body: {} })

const end = (tools: Work, claim: Claim, body: { readonly outcome: Status; readonly result?: unknown }) => {
  const outcome = { status: body.outcome, result: JSON.stringify(body.result ?? null) }
  return write(tools, claim, { verb: "complete", body, outcome })
}

const ask = (tools: Work, claim: Claim, how: object) =>
  write(tools, claim, {
    verb: "ask",
    path: "inputs",
    body: { input_key: "value", prompt: "Which?", schema: { type: "string" }, on_timeout: "error", ...how }
  })

const complete: Doing = async (tools, claim) => {
  await start(tools, claim)
  await end(tools, claim, completed({ reference: claim.reference }))
}

const goOn = async (tools: Work, claim: Claim, answer: unknown) => {
  await start(tools, claim)
  await end(tools, claim, completed({ answer }))
}

/** Has it twice: the first time it is left, the second time it is written on as the first, and then done. */
const comeBack =
  (leave: Doing): Doing =>
  async (tools, claim) => {
    const { abandoned } = tools
    const before = abandoned.get(claim.execution_id)
    if (before === undefined) {
      abandoned.set(claim.execution_id, claim.epoch)
      return leave(tools, claim)
    }
    if (before < claim.epoch) {
      const stale = { ...claim, epoch: before }
      await start(tools, stale)
      await end(tools, stale, completed({ stale: true }))
    }
    return complete(tools, claim)
  }

const doings: { readonly [Each in Plan]: Doing } = {
  complete,
  fail: async (tools, claim) => {
    await start(tools, claim)
    await end(tools, claim, failed)
  },
  ask: async (tools, claim) => {
    if (claim.input_answer !== undefined) return goOn(tools, claim, claim.input_answer.value)
    await start(tools, claim)
    return ask(tools, claim, { expires_in_s: 600, mode: "release" })
  },
  wait: async (tools, claim) => {
    if (claim.input_answer !== undefined) return goOn(tools, claim, claim.input_answer.value)
    if (!(await start(tools, claim))) return undefined
    if (!(await ask(tools, claim, { expires_in_s: 600, mode: "hold" }))) return undefined
    while (!tools.answers.has(claim.execution_id) && !tools.isOver()) await pause(50)
    return end(tools, claim, completed({ answer: tools.answers.get(claim.execution_id) }))
  },
  mute: async (tools, claim) => {
    await start(tools, claim)
    await ask(tools, claim, { expires_in_s: 1, mode: "hold" })
  },
  twice: async (tools, claim) => {
    await complete(tools, claim)
    await end(tools, claim, completed({ reference: claim.reference }))
    await end(tools, claim, failed)
  },
  file: async (tools, claim) => {
    await start(tools, claim)
    await upload(tools, claim)
    await end(tools, claim, completed({ reference: claim.reference }))
  },
  stale: comeBack((tools, claim) =>
    write(tools, claim, { verb: "release", body: { reason: "Another may have it" } })
  ),
  crash: comeBack(async (tools, claim) => {
    await start(tools, claim)
    tools.forget(claim)
  })
}

interface Write {
  readonly verb: Written["verb"]
  readonly path?: string
  readonly body: object
  readonly outcome?: NonNullable<Written["outcome"]>
}

/** Writes until it is answered; whether it was accepted. */
const write = async (tools: Work, claim: Claim, { body, outcome, path, verb }: Write): Promise<boolean> =>
  (await writing(tools, claim, { body, path: path ?? verb, verb, ...(outcome && { outcome }) })) !== undefined

/** What a write was answered, when it was accepted. */
const writing = async (tools: Work, claim: Claim, { body, outcome, path, verb }: Write): Promise<Body> => {
  const { calls, chance, recorder, tenant } = tools.world
  const { epoch, execution_id: executionId } = claim
  const { runnerKey: key } = tenant
  const call = { key, path: `/runner/executions/${executionId}/${path}`, body: { epoch, ...body } }
  const alongWithAClaim = verb === "complete" && chance.between(0, 1) === 1
  const told = alongWithAClaim ? await tell(tools, { ...call.body, execution_id: executionId }) : undefined
  const { at, body: answer, sentAt, status } = told ?? (await calls.insist(call))
  const accepted = status < 300
  const said = outcome === undefined ? {} : { outcome }
  recorder.note({ is: "written", executionId, epoch, verb, accepted, ...said, sentAt, at })
  return accepted ? answer : undefined
}

/** Sends an outcome with a claim; undefined when there was no final answer, so that it must be sent on its own. */
const tell = async ({ sessionId, world }: Work, outcome: object) => {
  const { calls, tenant } = world
  const claim = { session_id: sessionId(), claim_id: randomUUID(), free_slots: 0, outcomes: [outcome] }
  const answer = await calls.insist({ key: tenant.runnerKey, path: "/runner/claims", body: claim })
  if (answer.status !== 200) return undefined
  const [{ accepted, error, http_status, status }] = answer.body.outcomes
  if (accepted) return { ...answer, body: { status } }
  const isForNow = http_status === 429 || http_status >= 500
  return isForNow ? undefined : { ...answer, status: http_status, body: { error } }
}

/** Files have at most this many bytes. */
const fileBytesMax = 50_000

/**
 * Registers again for each try, since the grant may name a process that is gone: equal requests give the same file.
 */
const upload = async (tools: Work, claim: Claim): Promise<void> => {
  const bytes = randomBytes(tools.world.chance.between(1, fileBytesMax))
  const sha256 = createHash("sha256").update(bytes).digest("hex")
  const file = {
    kind: "download",
    file_name: "captured.bin",
    content_type: "application/octet-stream",
    size_bytes: bytes.length,
    sha256
  }
  for (let tries = 0; tries < 1_000; tries++) {
    const registered = await writing(tools, claim, { verb: "store", path: "artifacts", body: file })
    if (registered === undefined) return
    if (await isTaken(registered.upload, bytes)) {
      const path = `artifacts/${registered.artifact_id}/complete`
      const stored = await writing(tools, claim, { verb: "store", path, body: {} })
      const { execution_id: executionId } = claim
      const fileId = registered.artifact_id
      if (stored !== undefined) tools.world.recorder.note({ is: "stored", executionId, fileId, sha256 })
      return
    }
    await pause(100)
  }
}

const isTaken = async ({ headers, method, url }: Body, body: Uint8Array<ArrayBuffer>): Promise<boolean> => {
  try {
    const signal = AbortSignal.timeout(10_000)
    return (await fetch(url, { method, headers, body, signal })).ok
  } catch {
    return false
  }
}
