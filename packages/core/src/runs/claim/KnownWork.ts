/**
 * The unchanging facts of work that this process has given to runners, so that their writes need not read them again.
 * Work that another process gave is read.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Execution } from "../../executions/Execution.ts"
import type { ExecutionId } from "../../shared/Ids.ts"
import { BoundedMap } from "../../engine/BoundedMap.ts"

export type Fixed = Pick<Execution, "accountId" | "agentId" | "id" | "taskVersionId">

/** Executions that one process caches. */
const executionsMax = 20_000

export class KnownWork extends Context.Service<KnownWork>()("@runhook/core/runs/claim/KnownWork", {
  make: Effect.sync(() => {
    const known = new BoundedMap<ExecutionId, Fixed>(executionsMax)
    return {
      note: ({ accountId, agentId, id, taskVersionId }: Fixed) =>
        Effect.sync(() => known.set(id, { accountId, agentId, id, taskVersionId })),
      /** What is known of the work; undefined if nothing is. */
      find: ({ accountId, id }: Pick<Fixed, "accountId" | "id">) =>
        Effect.sync(() => {
          const found = known.get(id)
          return found?.accountId === accountId ? found : undefined
        }),
      /** Whether the work is known, which it no longer is once its runner has ended it or given it back. */
      has: (id: ExecutionId): boolean => known.get(id) !== undefined,
      /** Nothing more is asked about ended work. */
      forget: (id: ExecutionId) => Effect.sync(() => known.delete(id))
    }
  })
}) {
  static readonly layer = Layer.effect(KnownWork, KnownWork.make)
}
