/** What a client of any language does when it is answered in some way. */
import type { Answer } from "@runhook/test-support/receivers/Receiver"
import type { RunhookClient } from "../../../src/promise/Client.ts"
import type { Limits } from "../../../src/Runhook.ts"
import { json } from "../RawServer.ts"

/** How a call ended. */
export interface Ending {
  /** What it gave. */
  readonly value?: unknown
  /** The class of its error. */
  readonly error?: string
  readonly message?: string
  readonly status?: number | null
  readonly code?: string
  readonly details?: unknown
  readonly requestId?: string | null
  readonly executionId?: string | null
  readonly retryAfterMs?: number | null
  readonly attempts?: number
  readonly body?: string
  /** Between the requests, in milliseconds. */
  readonly pauses?: ReadonlyArray<number>
  /** How many requests were sent. */
  readonly requests?: number
  /** What they asked for, below the root of the API, with the parameters in the order of their names. */
  readonly paths?: ReadonlyArray<string>
  /** How many idempotency keys they had in all. */
  readonly keys?: number
}

export interface Scenario {
  readonly title: string
  /** One for each request; the last one for all further requests. */
  readonly answers: ReadonlyArray<Answer>
  /** Of the client. */
  readonly limits?: Limits
  readonly call: (client: RunhookClient) => Promise<unknown>
  /** The same for Python, as an expression behind `runhook.`. */
  readonly python: string
  /** The same for Go, as an expression of its package. */
  readonly go: string
  /** What is to be seen of the end. */
  readonly ends: Ending
}

export const created = json(201, { execution_id: "e-1", status: "queued", request_id: "req_1" })

export const execution = (status: string): Answer =>
  json(200, { execution_id: "e-1", status, request_id: "req_1" })

/** The calls that most scenarios make. */
export const create = {
  call: (client: RunhookClient) =>
    client.executions.create({ agent_id: "a-1", task_id: "t-1" }).then(({ execution_id }) => execution_id),
  python: "executions.create(agent_id='a-1', task_id='t-1').execution_id",
  go: 'client.Executions.Create(ctx, CreateExecution{AgentID: "a-1", TaskID: "t-1"}).execution_id'
}

export const look = {
  call: (client: RunhookClient) => client.executions.get("e-1").then(({ status }) => status),
  python: "executions.get('e-1').status",
  go: 'client.Executions.Get(ctx, "e-1").status'
}

export const createAndWait = {
  call: (client: RunhookClient) =>
    client.executions.createAndWait({ agent_id: "a-1", task_id: "t-1" }).then(({ status }) => status),
  python: "executions.create_and_wait(agent_id='a-1', task_id='t-1').status",
  go: 'client.Executions.CreateAndWait(ctx, CreateExecution{AgentID: "a-1", TaskID: "t-1"}).status'
}

export const times = <A>(count: number, one: A): ReadonlyArray<A> => Array.from({ length: count }, () => one)
