/** Everything that callers, runners and operators may ask of a service so that it writes. */
import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import type { Tenant } from "@runhook/test-support/world/Tenant"
import { insist, makeTenant } from "../durability/load/Asking.ts"

export interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: {
    readonly error?: { readonly code: string; readonly message: string; readonly request_id: string }
    readonly execution_id?: string
  } | null
}

export interface Caller {
  readonly tenant: Tenant
  /** Asks for everything once, and answers what was answered by the name of the verb. */
  everything(): Promise<ReadonlyArray<readonly [verb: string, answer: Answer]>>
  /** Creates one execution. */
  create(): Promise<Answer>
  /** Reads an execution. */
  read(executionId: string): Promise<Answer>
  /** A poll for work that waits at the service. */
  poll(waitMillis: number): Promise<Answer>
  isReady(): Promise<boolean>
}

/** A caller of the service with an account, and a runner that holds work. */
export const callerOf = async (baseUrl: string, adminKey: string): Promise<Caller> => {
  const service = { url: () => baseUrl }
  const tenant = await makeTenant(service, adminKey)
  const { agentId, apiKey: key, runnerKey, taskId } = tenant
  const order = { agent_id: agentId, task_id: taskId }

  const ask = async (method: string, path: string, bearer: string, body?: object): Promise<Answer> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const [text, retryAfter] = [await response.text(), response.headers.get("retry-after")]
    return { status: response.status, retryAfter, body: text === "" ? null : JSON.parse(text) }
  }

  const queue = async (): Promise<string> =>
    (await insist(service, { key, path: "/integrations/executions", body: order })).execution_id
  const runner = (path: string, body: object) =>
    insist(service, { key: runnerKey, path: `/runner${path}`, body })
  const introduction = { instance_id: "held", runner_name: "held", capacity: 10 }
  await Promise.all([queue(), queue()])
  const { session_id } = await runner("/sessions", introduction)
  const claim = { session_id, free_slots: 2, wait_ms: 0, in_flight: [] }
  const { claims } = await runner("/claims", { ...claim, claim_id: randomUUID() })
  const [{ epoch, execution_id: started }, { execution_id: claimed }] = claims
  await runner(`/executions/${started}/start`, { epoch })
  const queued = await queue()

  const [integration, work, admin] = ["/api/v1/integrations", "/api/v1/runner", "/api/v1/admin"]
  const capture = { epoch, kind: "print", file_name: "a.txt", content_type: "text/plain" }
  const question = {
    input_key: "code",
    prompt: "Code?",
    schema: { type: "string" },
    expires_in_s: 60,
    on_timeout: "error",
    mode: "hold"
  }
  const inFlight = [{ execution_id: started, epoch }]

  return {
    tenant,
    create: () => ask("POST", `${integration}/executions`, key, order),
    read: (executionId) => ask("GET", `${integration}/executions/${executionId}`, key),
    poll: (wait_ms) =>
      ask("POST", `${work}/claims`, runnerKey, {
        ...claim,
        claim_id: randomUUID(),
        free_slots: 0,
        in_flight: inFlight,
        wait_ms
      }),
    isReady: async () => (await fetch(`${baseUrl}/readyz`)).status === 200,
    everything: () => {
      const verbs = {
        create: ask("POST", `${integration}/executions`, key, order),
        cancel: ask("POST", `${integration}/executions/${queued}/cancel`, key, {}),
        "test webhook": ask("POST", `${integration}/webhooks/test`, key, {
          callback_url: `${baseUrl}/hook`
        }),
        "open session": ask("POST", `${work}/sessions`, runnerKey, introduction),
        claim: ask("POST", `${work}/claims`, runnerKey, { ...claim, claim_id: randomUUID() }),
        heartbeat: ask("POST", `${work}/heartbeats`, runnerKey, { session_id, beats: inFlight }),
        start: ask("POST", `${work}/executions/${claimed}/start`, runnerKey, { epoch }),
        complete: ask("POST", `${work}/executions/${started}/complete`, runnerKey, {
          epoch,
          outcome: "completed"
        }),
        "tell outcomes": ask("POST", `${work}/claims`, runnerKey, {
          ...claim,
          claim_id: randomUUID(),
          free_slots: 0,
          outcomes: [{ execution_id: started, epoch, outcome: "completed" }]
        }),
        ask: ask("POST", `${work}/executions/${started}/inputs`, runnerKey, { epoch, ...question }),
        "register file": ask("POST", `${work}/executions/${started}/artifacts`, runnerKey, {
          ...capture,
          size_bytes: 1,
          sha256: "0".repeat(64)
        }),
        "give back": ask("POST", `${work}/executions/${claimed}/release`, runnerKey, {
          epoch,
          reason: "full"
        }),
        "make account": ask("POST", `${admin}/accounts`, adminKey, { name: "Other" })
      }
      return Promise.all(Object.entries(verbs).map(async ([verb, answer]) => [verb, await answer] as const))
    }
  }
}

/** The store is away: come back. */
export const assertAway = (verb: string, { body, retryAfter, status }: Answer): void => {
  assert.deepStrictEqual([verb, status, retryAfter], [verb, 503, "5"], JSON.stringify(body))
  assert.strictEqual(body?.error?.code, "internal_error")
  assert.containsAllKeys(body?.error, ["code", "message", "details", "request_id"])
}
