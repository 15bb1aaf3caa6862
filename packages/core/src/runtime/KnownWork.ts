/**
 * What never changes about work that this process has given to runners, so that
 * their writes need not read it again. Work that another process gave is read.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Execution } from "../domain/execution/Execution.ts"
import type { AccountId, ExecutionId } from "../domain/Ids.ts"
import { BoundedMap } from "./BoundedMap.ts"

export type Fixed = Pick<Execution, "accountId" | "agentId" | "id" | "taskVersionId">

/** Executions that one process remembers. */
const executionsMax = 20_000

export class KnownWork extends Context.Service<
  KnownWork,
  {
    note(execution: Fixed): Effect.Effect<void>
    /** What is known of the work; undefined if nothing is. */
    find(ref: { readonly accountId: AccountId; readonly id: ExecutionId }): Effect.Effect<Fixed | undefined>
    /** Whether anything is known of it: not of what its runner has ended or given back. */
    has(id: ExecutionId): boolean
    /** Nothing more is asked about ended work. */
    forget(id: ExecutionId): Effect.Effect<void>
  }
>()("@runhook/core/runtime/KnownWork") {
  static readonly layer = Layer.sync(KnownWork, () => {
    const known = new BoundedMap<ExecutionId, Fixed>(executionsMax)
    return KnownWork.of({
      note: ({ accountId, agentId, id, taskVersionId }) =>
        Effect.sync(() => known.set(id, { accountId, agentId, id, taskVersionId })),
      find: ({ accountId, id }) =>
        Effect.sync(() => {
          const found = known.get(id)
          return found?.accountId === accountId ? found : undefined
        }),
      has: (id) => known.get(id) !== undefined,
      forget: (id) => Effect.sync(() => known.delete(id))
    })
  })
}
