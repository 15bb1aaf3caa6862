/**
 * The tasks and agents that a key may use. They bind what it creates and every change that it makes, also of things
 * that it names by their ids; what it reads is all of its account.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { AgentId, TaskId } from "../shared/Ids.ts"
import { OutOfScope } from "../shared/Refusals.ts"

/** Null means all of the account. */
export const KeyScope = Schema.Struct({
  taskIds: Schema.NullOr(Schema.Array(TaskId)),
  agentIds: Schema.NullOr(Schema.Array(AgentId))
})
export type KeyScope = typeof KeyScope.Type

/** The scope of members and operators. */
export const wholeAccount: KeyScope = { taskIds: null, agentIds: null }

/** The scope that a key says. */
export const scopeOf = ({
  allowedAgentIds,
  allowedTaskIds
}: {
  readonly allowedAgentIds: KeyScope["agentIds"]
  readonly allowedTaskIds: KeyScope["taskIds"]
}): KeyScope => ({
  taskIds: allowedTaskIds,
  agentIds: allowedAgentIds
})

/** Work as scopes see it: what it does, and where. A task that is not known is in no scope that names tasks. */
export interface ScopedWork {
  readonly agentId: AgentId
  readonly taskId: TaskId | undefined
}

const isAmong = <A>(value: A | undefined, allowed: ReadonlyArray<A> | null): boolean =>
  allowed === null || (value !== undefined && allowed.includes(value))

export const isInScope = ({ agentIds, taskIds }: KeyScope, { agentId, taskId }: ScopedWork): boolean =>
  isAmong(taskId, taskIds) && isAmong(agentId, agentIds)

/** What a change is told of who makes it. */
export interface Scoped {
  /** What they may change; without it, all of the account. */
  readonly scope?: KeyScope | undefined
}

/** Whether they may change the work. A store asks with what it has locked for the change. */
export const checkScope = (
  { scope = wholeAccount }: Scoped,
  work: ScopedWork
): Result.Result<void, OutOfScope> => (isInScope(scope, work) ? Result.void : Result.fail(new OutOfScope()))
