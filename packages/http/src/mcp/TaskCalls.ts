/** Calls of the tools that tasks are: which task is meant, and an execution of it. */
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { type AgentStatus, type AgentView, statusOf } from "@runhook/core/catalog/Agent"
import type { TaskView } from "@runhook/core/catalog/Task"
import type { AgentId } from "@runhook/core/shared/Ids"
import { isJsonObject, type JsonObject } from "@runhook/core/shared/json/Json"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import { pageSizeMax } from "@runhook/core/shared/Page"
import { InvalidField } from "@runhook/core/shared/Refusals"
import { Agents } from "@runhook/core/catalog/Agents"
import { Executions } from "@runhook/core/executions/Executions"
import { Tasks } from "@runhook/core/catalog/Tasks"
import * as Effect from "effect/Effect"
import { createExecution } from "../executions/CreateFromWire.ts"
import { CurrentCall } from "../pipeline/Call.ts"
import type { Request } from "./JsonRpc.ts"
import { callName } from "./Protocol.ts"

/** One call of a tool. */
export interface ToolCall {
  readonly request: Request
  /** The agent that the client's URL names. */
  readonly agentId: AgentId | undefined
}

export const argumentsOf = ({ params }: Request): Effect.Effect<JsonObject, InvalidField> => {
  const given = params["arguments"] ?? {}
  return isJsonObject(given)
    ? Effect.succeed(given)
    : Effect.fail(new InvalidField({ path: ["arguments"], rule: "Expected object" }))
}

export const makeTaskCalls = Effect.gen(function* () {
  const agents = yield* Agents
  const executions = yield* Executions
  const tasks = yield* Tasks

  /** The task that a tool is made of. */
  const taskOf = (
    caller: ApiKeyRecord,
    slug: string,
    after: string | null = null
  ): Effect.Effect<TaskView | undefined, Effect.Error<ReturnType<typeof tasks.list>>> =>
    Effect.flatMap(
      tasks.list(
        caller.accountId,
        { ids: caller.allowedTaskIds, text: slug, tag: null },
        { after, limit: pageSizeMax }
      ),
      ({ hasMore, items }) => {
        const found = items.find(({ task }) => task.slug === slug)
        const last = items.at(-1)
        return found !== undefined || !hasMore || last === undefined
          ? Effect.succeed(found)
          : taskOf(caller, slug, last.task.id)
      }
    )

  /** Queues an execution, or finds the one that an earlier try of the same call queued. */
  const queue = Effect.fnUntraced(
    function* (caller: ApiKeyRecord, { task }: TaskView, given: ToolCall) {
      const { headers } = (yield* CurrentCall).request
      const name = callName(headers, given.request.id)
      const { accountId, allowedAgentIds } = caller
      const all = { after: null, limit: pageSizeMax }
      const agentId =
        given.agentId ?? leastBusy((yield* agents.list({ accountId, ids: allowedAgentIds }, all)).items)?.id
      if (agentId === undefined)
        return yield* new InvalidField({ path: ["agent_id"], rule: "this key may use no agent" })
      const body = { agent_id: agentId, task_id: task.id, params: yield* argumentsOf(given.request) }
      const { execution } = yield* executions.create({
        caller,
        request: createExecution(name === null ? body : { ...body, reference: name }),
        idempotencyKey: name ?? undefined,
        requestId: yield* CurrentRequestId,
        traceparent: headers["traceparent"] ?? null
      })
      return execution.id
    },
    // Another agent may have been chosen this time.
    Effect.catchTag("IdempotencyConflict", ({ executionId }) => Effect.succeed(executionId))
  )

  return { queue, taskOf }
})

/** Where work waits least, first. A disabled agent takes none. */
const order: ReadonlyArray<AgentStatus> = ["online", "draining", "offline", "paused"]

const load = ({ agent, busy, queued }: AgentView): number => (busy + queued) / agent.capacity

/** The agent of a call that names none: one that is served and has the least to do. */
const leastBusy = (agents: ReadonlyArray<AgentView>): AgentView["agent"] | undefined =>
  order
    .map((status) => agents.filter((agent) => statusOf(agent) === status))
    .find((group) => group.length > 0)
    ?.toSorted((a, b) => load(a) - load(b))[0]?.agent
