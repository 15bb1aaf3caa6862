/** Claims all work, and does with it what its plan says. */
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import type { Body } from "./Calls.ts"
import { type Claim, type Work, work } from "./Work.ts"
import type { World } from "./World.ts"

/** Milliseconds that a claim waits for work. */
const wait = 1_000

/** What one runner takes at once. */
const slots = 20

/** What runners tell each other, so that one writes on what another was given. */
export interface Memory {
  /** The epochs of leases that were lost on purpose. */
  readonly abandoned: Map<string, number>
}

export const memory = (): Memory => ({ abandoned: new Map() })

/** Works until told to stop, and ends when nothing is in flight. */
export const run = async (world: World, shared: Memory, isOver: () => boolean): Promise<void> => {
  const name = randomUUID()
  const held = new Map<string, Claim>()
  const answers = new Map<string, unknown>()
  const underWay = new Set<Promise<void>>()
  let sessionId = ""
  const tools: Work = {
    ...shared,
    answers,
    world,
    isOver,
    sessionId: () => sessionId,
    forget: ({ execution_id: id }) => held.delete(id)
  }
  const begin = (claim: Claim) => {
    const { epoch, execution_id: executionId } = claim
    if (held.get(executionId)?.epoch === epoch) return
    held.set(executionId, claim)
    world.recorder.note({ is: "claimed", executionId, epoch, at: world.recorder.now() })
    const done = work(tools, claim).finally(() => {
      if (held.get(executionId) === claim) held.delete(executionId)
      underWay.delete(done)
    })
    underWay.add(done)
  }

  while (!isOver()) {
    const session = await open(world, name)
    sessionId = session.session_id
    session.recover.forEach(begin)
    for (;;) {
      const claimed = await claim(world, session.session_id, [...held.values()])
      if (claimed === undefined) break
      for (const command of claimed.commands) {
        // Work that waits for an answer learns of its cancellation too.
        if (command.type !== "drain") answers.set(command.execution_id, command.value)
      }
      claimed.claims.forEach(begin)
      if (isOver()) break
    }
  }
  await Promise.all(underWay)
}

const open = async ({ calls, tenant }: World, name: string): Promise<Body> => {
  const introduction = { instance_id: name, runner_name: "worker", capacity: 1_000 }
  const call = { key: tenant.runnerKey, path: "/runner/sessions", body: introduction }
  const { body, status } = await calls.insist(call)
  if (status === 201) return body
  throw new Error(`A session was answered ${status}: ${JSON.stringify(body)}`)
}

/**
 * Undefined when the session is forgotten. Repeating one claim id finds the work of a claim whose answer was lost.
 */
const claim = async (
  { calls, tenant }: World,
  session_id: string,
  held: ReadonlyArray<Claim>
): Promise<Body> => {
  const in_flight = held.map(({ epoch, execution_id }) => ({ execution_id, epoch }))
  const body = { session_id, claim_id: randomUUID(), free_slots: slots, wait_ms: wait, in_flight }
  const answer = await calls.insist({ key: tenant.runnerKey, path: "/runner/claims", body, wait })
  if (answer.status === 200) return answer.body
  await pause(wait)
  return undefined
}
