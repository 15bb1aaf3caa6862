/** The inlets of the polls of this process, as a store knows them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { AccountId, AgentId } from "../domain/Ids.ts"
import type { ReservedWork, WorkInlet } from "../ports/WorkInlet.ts"
import { SetsByKey } from "./SetsByKey.ts"

/** A place for a run, and the inlet that keeps it. */
export interface WorkPlace {
  readonly inlet: WorkInlet
  readonly kept: ReservedWork
}

export class WorkInlets extends Context.Service<
  WorkInlets,
  {
    /** Adds an inlet until the scope ends. */
    open(inlet: WorkInlet): Effect.Effect<void, never, Scope.Scope>
    /** Reserves a place for work of an agent, at the first opened of the inlets that have one. */
    placeFor(work: { readonly accountId: AccountId; readonly agentId: AgentId }): WorkPlace | undefined
  }
>()("@runhook/core/runtime/WorkInlets") {
  static readonly layer = Layer.sync(WorkInlets, () => {
    const inlets = new SetsByKey<AccountId, WorkInlet>()
    return WorkInlets.of({
      open: (inlet) =>
        Effect.acquireRelease(
          Effect.sync(() => inlets.add(inlet.accountId, inlet)),
          () => Effect.sync(() => inlets.delete(inlet.accountId, inlet))
        ),
      placeFor: ({ accountId, agentId }) => {
        for (const inlet of inlets.of(accountId)) {
          const kept = inlet.agentIds?.includes(agentId) === false ? null : inlet.reservePlace()
          if (kept !== null) return { inlet, kept }
        }
        return undefined
      }
    })
  })
}
