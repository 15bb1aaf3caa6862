/** Integrators that queue and a runner that works, through every death of the service. */
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"

/** What is called, wherever it is at the moment. */
export interface Service {
  /** Undefined while it is nowhere. */
  url(): string | undefined
}

/** Milliseconds an integrator rests, so that the load is what a slow machine can work off. */
const betweenCreates = 50

interface Call {
  readonly key: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls the API once; undefined when there was no answer, or none that promises anything. */
const call = async (service: Service, { body, headers, key, path }: Call) => {
  try {
    const response = await fetch(`${service.url()}/api/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const answer = JSON.parse(await response.text())
    return response.ok ? answer : undefined
  } catch {
    return undefined
  }
}

/** Calls until there is an answer, as long as the test lasts. */
export const insist = async (service: Service, request: Call) => {
  for (let tries = 0; tries < 10_000; tries++) {
    const answer = await call(service, request)
    if (answer !== undefined) return answer
    await pause(20)
  }
  throw new Error(`${request.path} was never answered`)
}

export interface Tenant {
  readonly key: string
  readonly runnerKey: string
  readonly agentId: string
  readonly taskId: string
}

export const makeTenant = async (service: Service, adminKey: string): Promise<Tenant> => {
  const admin = (path: string, body: unknown) =>
    insist(service, { key: adminKey, path: `/admin/accounts${path}`, body })
  const { id } = await admin("", { name: "Durability" })
  const agent = await admin(`/${id}/agents`, { name: "worker", capacity: 100 })
  // A runner whose answer was lost may start again: its work goes on in a second attempt.
  const task = await admin(`/${id}/tasks`, { slug: "work", name: "Work", retry: { max_attempts: 20 } })
  await admin(`/${id}/tasks/${task.id}/versions`, { params_schema: { type: "object" } })
  const rate_limit = { per_second: 100_000, burst: 1_000_000 }
  const { key } = await admin(`/${id}/keys`, { name: "load", rate_limit })
  const runner = await admin(`/${id}/runner-keys`, { name: "worker" })
  return { key, runnerKey: runner.key, agentId: agent.id, taskId: task.id }
}

/** An execution that was acknowledged. */
export interface Queued {
  readonly id: string
  readonly reference: string
}

/** Queues one execution after the other until told to stop; each is insisted on under a key of its own. */
export const queueUntil = async (
  service: Service,
  {
    callbackUrl,
    isOver,
    tenant
  }: { readonly callbackUrl: string; readonly isOver: () => boolean; readonly tenant: Tenant },
  acknowledge: (queued: Queued) => void
): Promise<void> => {
  while (!isOver()) {
    const reference = randomUUID()
    const { execution_id: id } = await insist(service, {
      key: tenant.key,
      path: "/integrations/executions",
      headers: { "idempotency-key": reference },
      body: {
        agent_id: tenant.agentId,
        task_id: tenant.taskId,
        reference,
        callback_url: callbackUrl
      }
    })
    acknowledge({ id, reference })
    await pause(betweenCreates)
  }
}

/** Claims, starts and completes whatever there is, until told to stop. */
export const workUntil = async (service: Service, tenant: Tenant, isOver: () => boolean): Promise<void> => {
  const runner = (path: string, body: unknown) =>
    insist(service, { key: tenant.runnerKey, path: `/runner${path}`, body })
  const introduction = { instance_id: "worker", runner_name: "worker", capacity: 100 }
  const { recover, session_id } = await runner("/sessions", introduction)
  const finish = async ({
    epoch,
    execution_id
  }: {
    readonly epoch: number
    readonly execution_id: string
  }) => {
    const path = `/executions/${execution_id}`
    await runner(`${path}/start`, { epoch })
    await runner(`${path}/complete`, { epoch, outcome: "completed", result: {} })
  }
  await Promise.all(recover.map(finish))
  while (!isOver()) {
    // Insisting under one claim id finds the work of a claim whose answer was lost.
    const claim = { session_id, claim_id: randomUUID(), free_slots: 50, wait_ms: 100, in_flight: [] }
    const { claims } = await runner("/claims", claim)
    await Promise.all(claims.map(finish))
  }
}
