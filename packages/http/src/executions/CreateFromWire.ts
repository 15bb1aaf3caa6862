/** The request to queue an execution, from the wire to the domain, and back as a schedule shows it. */
import type { CreateExecutionBody } from "@runhook/contract/executions/ExecutionWire"
import type { ScheduledExecution } from "@runhook/contract/schedules/ScheduleWire"
import { VersionName } from "@runhook/core/catalog/VersionSelector"
import type { AskedConcurrency } from "@runhook/core/runs/seats/Concurrency"
import type { CreateExecution } from "@runhook/core/executions/create/CreateExecution"
import * as Schema from "effect/Schema"

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

const encodeVersion = Schema.encodeSync(VersionName)

/** The body of a create that makes the same request. */
export const scheduledExecution = (request: CreateExecution): typeof ScheduledExecution.Type => ({
  agent_id: request.agentId,
  ...(request.taskId !== undefined && { task_id: request.taskId }),
  ...(request.taskVersionId !== undefined && { task_version_id: request.taskVersionId }),
  ...(request.version !== undefined && { version: encodeVersion(request.version) }),
  ...(request.v !== undefined && { v: request.v }),
  params: request.params,
  ...(request.reference !== null && { reference: request.reference }),
  metadata: request.metadata,
  callback_url: request.callbackUrl,
  callback_events: request.callbackEvents,
  priority: request.priority,
  hold: request.isHeld,
  timeout_seconds: request.timeoutSeconds,
  concurrency_key: request.concurrency?.key ?? null,
  ...(request.concurrency && {
    concurrency_limit: request.concurrency.limit,
    concurrency_policy: request.concurrency.policy
  })
})
