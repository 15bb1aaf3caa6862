/** The request to queue an execution, from the wire to the domain. */
import type { CreateExecutionBody } from "@runhook/contract/wire/ExecutionWire"
import type { AskedConcurrency } from "@runhook/core/domain/execution/Concurrency"
import type { CreateExecution } from "@runhook/core/domain/execution/CreateExecution"

export const createExecution = (body: typeof CreateExecutionBody.Type): CreateExecution => ({
  agentId: body.agent_id,
  taskId: body.task_id,
  taskVersionId: body.task_version_id,
  version: body.version,
  v: body.v,
  params: body.params ?? {},
  reference: body.reference ?? null,
  metadata: body.metadata ?? {},
  callbackUrl: body.callback_url ?? null,
  callbackEvents: body.callback_events ?? null,
  scheduledAt: body.scheduled_at ?? null,
  priority: body.priority ?? 0,
  isHeld: body.hold ?? false,
  expiresAt: body.expires_at ?? null,
  timeoutSeconds: body.timeout_seconds ?? null,
  concurrency: concurrencyOf(body)
})

const concurrencyOf = ({
  concurrency_key: key = null,
  concurrency_limit: limit,
  concurrency_policy: policy
}: typeof CreateExecutionBody.Type): AskedConcurrency | null =>
  key === null && limit === undefined && policy === undefined
    ? null
    : { key, limit: limit ?? 1, policy: policy ?? "queue" }
