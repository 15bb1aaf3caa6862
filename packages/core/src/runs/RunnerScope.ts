/** Work as a runner names it: by its id and its epoch. */
import * as Effect from "effect/Effect"
import type { ExecutionId } from "../shared/Ids.ts"
import { mayServe, type RunnerKeyRecord } from "../keys/RunnerKeyRecord.ts"
import { epochMax } from "./Lease.ts"
import { ExecutionNotFound } from "../shared/Refusals.ts"
import { ExecutionStore } from "../executions/ExecutionStore.ts"
import { KnownWork } from "./claim/KnownWork.ts"

/** Names an execution that a runner holds under an epoch. */
export interface HeldRef {
  readonly key: RunnerKeyRecord
  readonly id: ExecutionId
  readonly epoch: number
}

/**
 * The work as stores name it. An execution of an agent that the key may not serve
 * is not found: epochs are small numbers, and guessing one must not help.
 */
export const makeRunnerScope = Effect.gen(function* () {
  const executions = yield* ExecutionStore
  const known = yield* KnownWork

  return Effect.fnUntraced(function* ({ epoch, id, key }: HeldRef) {
    const { accountId } = key
    if (key.agentIds !== null) {
      const { agentId } = (yield* known.find({ accountId, id })) ?? (yield* executions.get(accountId, id))
      if (!mayServe(key, agentId)) return yield* new ExecutionNotFound({ id })
    }
    return { accountId, id, epoch: Math.min(epoch, epochMax) }
  })
})
