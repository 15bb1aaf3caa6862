/**
 * The tasks and agents that a key may use. They bind what it creates and every change that it makes, also of things
 * that it names by their ids; what it reads is all of its account.
 */
import * as Schema from "effect/Schema"
import { AgentId, TaskId } from "../Ids.ts"
import type { ApiKeyRecord } from "./ApiKeyRecord.ts"

/** Null means all of the account. */
export const KeyScope = Schema.Struct({
  taskIds: Schema.NullOr(Schema.Array(TaskId)),
  agentIds: Schema.NullOr(Schema.Array(AgentId))
})
export type KeyScope = typeof KeyScope.Type

/** The scope of members and operators. */
export const wholeAccount: KeyScope = { taskIds: null, agentIds: null }

export const scopeOf = ({
  allowedAgentIds,
  allowedTaskIds
}: Pick<ApiKeyRecord, "allowedAgentIds" | "allowedTaskIds">): KeyScope => ({
  taskIds: allowedTaskIds,
  agentIds: allowedAgentIds
})

/** Work as scopes see it: what it does, and where. */
export interface ScopedWork {
  readonly agentId: AgentId
  readonly taskId: TaskId
}

const isAmong = <A>(value: A, allowed: ReadonlyArray<A> | null): boolean =>
  allowed === null || allowed.includes(value)

export const isInScope = ({ agentIds, taskIds }: KeyScope, { agentId, taskId }: ScopedWork): boolean =>
  isAmong(taskId, taskIds) && isAmong(agentId, agentIds)
