/** Which executions a list wants, from the wire to the port. */
import type { executionFilter } from "@runhook/contract/executions/ExecutionWire"
import type { ExecutionFilter } from "@runhook/core/executions/ExecutionStore"
import type * as Schema from "effect/Schema"

type Query = Schema.Struct<typeof executionFilter>["Type"] & { readonly find?: string }

export const filterOf = (query: Query): ExecutionFilter => ({
  statuses: query.status ?? null,
  taskId: query.task_id ?? null,
  agentId: query.agent_id ?? null,
  reference: query.reference ?? null,
  scheduleId: query.schedule_id ?? null,
  find: query.find ?? null,
  from: query.from ?? null,
  to: query.to ?? null
})
