/** Load on a service from beginning to end, and the proof that nothing of it was lost or doubled. */
import { setTimeout as pause } from "node:timers/promises"
import { assert } from "@effect/vitest"
import { insist, makeTenant, type Queued, queueUntil, type Service, type Tenant, workUntil } from "./Load.ts"
import { type Receiver, startReceiver } from "./Receiver.ts"

const integrators = 6

const eventTypes = ["execution.completed", "execution.queued", "execution.started"]

export interface Work extends AsyncDisposable {
  readonly tenant: Tenant
  /** How many executions were acknowledged until now. */
  acknowledged(): number
  /** Queues nothing more, and answers when all that was acknowledged is done and told, once. */
  complete(): Promise<void>
}

/** Makes a tenant, and has integrators queue and a runner work until it is over. */
export const beginWork = async (service: Service, adminKey: string): Promise<Work> => {
  const receiver = await startReceiver()
  const tenant = await makeTenant(service, adminKey)
  const queued: Array<Queued> = []
  let isQueued = false
  let isOver = false
  const queueing = Array.from({ length: integrators }, () =>
    queueUntil(service, { callbackUrl: receiver.url, isOver: () => isQueued, tenant }, (each) =>
      queued.push(each)
    )
  )
  const working = workUntil(service, tenant, () => isOver)
  return {
    tenant,
    acknowledged: () => queued.length,
    complete: async () => {
      isQueued = true
      await Promise.all(queueing)
      await checkKept({ queued, receiver, service, tenant })
      isOver = true
      await working
    },
    async [Symbol.asyncDispose]() {
      isQueued = true
      isOver = true
      await receiver[Symbol.asyncDispose]()
    }
  }
}

interface Kept {
  readonly queued: ReadonlyArray<Queued>
  readonly receiver: Receiver
  readonly service: Service
  readonly tenant: Tenant
}

const checkKept = async ({ queued, receiver, service, tenant }: Kept): Promise<void> => {
  const byId = (left: Queued, right: Queued) => (left.id < right.id ? -1 : 1)
  const stored = await until(
    () => allOf(service, tenant),
    (executions) => executions.every(({ status }) => status === "completed")
  )
  assert.deepStrictEqual(
    stored.map(({ id, reference }) => ({ id, reference })).toSorted(byId),
    queued.toSorted(byId)
  )
  const untold = await until(
    async () => queued.filter(({ id }) => receiver.typesOf(id).length < eventTypes.length),
    ({ length }) => length === 0
  )
  assert.deepStrictEqual(untold, [])
  for (const { id } of queued) assert.deepStrictEqual(receiver.typesOf(id).toSorted(), eventTypes)
}

/** Every execution of the tenant, as the API lists them. */
const allOf = async (service: Service, { key }: Tenant) => {
  const executions: Array<Queued & { readonly status: string }> = []
  let cursor: string | null = ""
  while (cursor !== null) {
    const after: string = cursor === "" ? "" : `&cursor=${cursor}`
    const page = await insist(service, { key, path: `/integrations/executions?limit=200${after}` })
    executions.push(...page.data)
    cursor = page.next_cursor
  }
  return executions
}

/** Looks again and again, and answers what it found last: in time for the condition, or not. */
export const until = async <A>(look: () => Promise<A>, isReached: (found: A) => boolean): Promise<A> => {
  let found = await look()
  for (let looks = 0; looks < 1_000 && !isReached(found); looks++) {
    await pause(100)
    found = await look()
  }
  return found
}
